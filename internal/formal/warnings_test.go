package formal_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/formal"
)

// A latch that something reads is told with its place, and a name that nothing declares. The variable of a loop that
// does not always run, whose latch nothing reads, is none, nor is a bit of a branch that is never taken.
func TestWarnings(t *testing.T) {
	if err := formal.Available(formal.SAT); err != nil {
		t.Skipf("%s was NOT run: %v", t.Name(), err)
	}
	file := filepath.Join(t.TempDir(), "part.sv")
	for body, want := range map[string][]string{
		"assign y = a[0];": nil,
		"reg l;\nalways @* if (a[0]) l = a[1];\nassign y = l;": {"a latch at part.sv:2"},
		"wire z;\nassign other = a[0];\nassign y = other ^ z;": {"an undeclared name other at part.sv:2"},
		"lines x();\nassign y = x.word;":                       nil,
		"reg l; integer i;\nalways @* begin l = 0;" +
			"if (a[0]) for (i = 0; i < 8; i = i + 1) if (i < 7) l = l ^ a[i+1]; end assign y = l;": nil,
	} {
		text := "module part(input clk, input rst, input [7:0] a, output y);" + body + "\nendmodule\n" +
			"interface lines; logic word; endinterface\n"
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		require.Equal(t, want, formal.Warnings(t.Context(), formal.Part{Files: []string{file}, Top: "part"}, 1<<30), body)
	}
}

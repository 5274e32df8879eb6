package cosim_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
)

func TestTopModule(t *testing.T) {
	for text, want := range map[string]string{
		"module a; endmodule": "a",
		"// module old;\nmodule automatic a(input x);\nendmodule":                        "a",
		"/* module b; */ module\n  a #(parameter P = 1) ();":                             "a",
		"initial $display(\"module b\"); macromodule a; endmodule":                       "a",
		"module a; endmodule module a; endmodule":                                        "a", // under `ifdef, say
		"module a; endmodule\nmodule b; endmodule":                                       "2 modules: a, b",
		"package p; endpackage":                                                          "no module in ",
		"module a; endmodule : a\nsubmodule x();":                                        "a",
		"module $x; endmodule module a$1; a_module u(); endmodule":                       "a$1",
		"interface module_if; endinterface module top; endmodule":                        "top",
		"module a(); endmodule module b(); a u_a (); endmodule : b":                      "b",
		"module a #(parameter P = 1)(); endmodule module b(); a #(.P(2)) u(); endmodule": "b",
		"module b(); a u[1:0] (); endmodule module a(); endmodule":                       "b",
		"module a(); endmodule module tb; a u (); endmodule":                             "2 modules: a, tb",
		"module a(); endmodule module b(input a); endmodule":                             "2 modules: a, b",
		"module a(); b u(); endmodule module b(); a u(); endmodule":                      "2 modules: a, b",
		"module a(); endmodule : a\nmodule b(); endmodule":                               "2 modules: a, b",
		"module a; wire \\module b ; endmodule // module c endmodule":                    "2 modules: a, b",
	} {
		file := filepath.Join(t.TempDir(), "x.v")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		d := cosim.Design{Sources: []string{file}}
		top, err := d.TopModule()
		if err != nil {
			require.ErrorContains(t, err, want, text)
			continue
		}
		require.Equal(t, want, top, text)
	}
	_, err := (&cosim.Design{Sources: []string{filepath.Join(t.TempDir(), "none.v")}}).TopModule()
	require.ErrorIs(t, err, os.ErrNotExist)
}

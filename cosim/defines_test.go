package cosim

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A macro counts as looked at where the preprocessor looks at it: not in a comment, nor in a plain string.
func TestUnusedDefines(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.v")
	for text, used := range map[string]bool{
		"`ifdef A\n`endif":          true,
		"wire w = `A;":              true,
		"`define B ` A":             true,
		"`define S `\"`A`\"":        true, // a string made of macros
		"// `A":                     false,
		"/*\n`ifdef A */":           false,
		"initial $display(\"`A\");": false,
		"wire A = `AA;":             false,
	} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		_, err := Design{Defines: []Define{{Name: "A", Value: "1"}}}.unusedDefines([]string{file})
		notes, listErr := Design{Defines: []Define{{Name: "A", Value: "1", List: "a.f:3"}}}.unusedDefines([]string{file})
		require.NoError(t, listErr)
		if used {
			require.NoError(t, err, text)
			require.Empty(t, notes, text)
			continue
		}
		require.EqualError(t, err, "macro A: none of the 1 files that were read looks at it", text)
		require.Equal(t, []string{"a.f:3: macro A: none of the 1 files that were read looks at it"}, notes, text)
	}
}

// Both simulators get the same macros, directories and files, each in its own words.
func TestSourceArguments(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	require.NoError(t, err)
	d := Design{
		Sources: []string{"/rtl/a.v", "/rtl/sub/b.v", "/rtl/c.v"}, Includes: []string{"/inc"},
		Defines: []Define{{Name: "W", Value: "8"}}, Libraries: []string{"/lib"}, Extensions: []string{".v", ".vh"},
		Simulator: Icarus,
	}
	before := []string{"-DW=8", "-I/inc", "-I" + here, "-I/rtl", "-I/rtl/sub", "-y", "/lib"}
	require.Equal(
		t, append(append([]string{}, before...), "-Y", ".v", "-Y", ".vh", "/rtl/a.v", "/rtl/sub/b.v", "/rtl/c.v"),
		d.sources(),
	)
	d.Simulator = Verilator
	require.Equal(
		t, append(append([]string{}, before...), "+libext+.v", "+libext+.vh", "/rtl/a.v", "/rtl/sub/b.v", "/rtl/c.v"),
		d.sources(),
	)
	d.Libraries = nil // no endings without a directory
	require.Equal(
		t, []string{"-DW=8", "-I/inc", "-I" + here, "-I/rtl", "-I/rtl/sub", "/rtl/a.v", "/rtl/sub/b.v", "/rtl/c.v"},
		d.sources(),
	)
}

// Lists within lists and files are bounded.
func TestArgumentBounds(t *testing.T) {
	t.Chdir(t.TempDir())
	for k := range maxListDepth + 1 {
		require.NoError(t, os.WriteFile(string(rune('a'+k))+".f", []byte("-f "+string(rune('b'+k))+".f"), 0o644))
	}
	_, err := ReadArguments([]string{"-f", "a.f"})
	require.EqualError(t, err, "p.f:1: file list q.f: more than 16 lists within each other")

	require.NoError(t, os.WriteFile("last.v", nil, 0o644))
	r := &argumentReader{files: map[string]bool{}}
	r.d.Sources = make([]string, maxFiles)
	require.EqualError(t, r.read([]token{{text: "last.v"}}, ""), "last.v: more than 10000 files")
}

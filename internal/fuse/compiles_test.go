package fuse

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Code that does not compile with its package is refused with its error and place, whichever file lies there now.
func TestGeneratedCodeCompiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("go.mod", "module example.com/m\n\ngo 1.26\n")
	write("m.go", "package m\n\nimport _ \"fmt\"\n\ntype m struct{ n int }\n")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "user"), 0o755))
	write("user/user.go", "package user\n\nimport _ \"example.com/m\"\n")
	const text = ": the generated code does not compile: "
	for _, c := range []struct{ text, want string }{
		{"package m\n\nimport \"fmt\"\n\nfunc (m *m) run() { m.n++; fmt.Print(m.n) }\n", ""},
		{"package m\n\nfunc (m *m) run() {\n\tm.k++\n}\n",
			`fused_x.go:4:4` + text + `m.k undefined (type *m has no field or method k), in "m.k++"`},
		{"package m\n\nfunc f( {\n", "fused_x.go" + text},
		{"package m\n\nimport \"fmt\"\n", `fused_x.go:3:8` + text + `"fmt" imported and not used, in "import \"fmt\""`},
		{"package m\n\nfunc f() { x := 1 }\n",
			`fused_x.go:3:12` + text + `declared and not used: x, in "func f() { x := 1 }"`},
		{"package m\n\ntype m int\n", "m redeclared in this block"},
		{"package n\n", "expected package n"},
		{"package m\n\nimport _ \"example.com/m/user\"\n", `fused_x.go:3:10` + text + "could not import example.com/m/user"},
		{"package m\n\nimport _ \"example.com/none\"\n", `fused_x.go:3:10` + text + "could not import example.com/none"},
	} {
		f := &File{Path: filepath.Join(dir, "fused_x.go"), Text: []byte(c.text)}
		// what there is now
		for _, there := range []string{"", "package m\n\nfunc (m *m) run() { m.old() }\n", "package m\n\nvar k int = `x`\n"} {
			if there != "" {
				write("fused_x.go", there)
			}
			src := &source{ctx: t.Context(), dir: dir, old: "fused_x.go"}
			require.NoError(t, src.load("example.com/m", "example.com/m/user"))
			err := src.compiles("example.com/m", f)
			if c.want == "" {
				require.NoError(t, err)
				continue
			}
			require.ErrorContains(t, err, c.want)
			require.Regexp(t, `: a fault of the generator, not of the modules; nothing is written$`, err)
			require.NotContains(t, err.Error(), "\n")
		}
		require.NoError(t, os.Remove(f.Path))
	}
}

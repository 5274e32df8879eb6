package cosim_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
)

// tree writes files below a new working directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	t.Chdir(dir)
	dir, err := os.Getwd() // without links
	require.NoError(t, err)
	return dir
}

func TestReadArguments(t *testing.T) {
	dir := tree(t, map[string]string{
		"a.v": "", "rtl/b.v": "", "rtl/c d.v": "", "rtl/sub/e.v": "", "inc/x": "", "rtl/inc/x": "", "lib/x": "",
		"here.f": "// names from the working directory\nrtl//b.v # a comment\n-F rtl/beside.f /* more\nrtl/none.v\n" +
			"*/ +incdir+inc+$DIR/inc\r\n" +
			"\"rtl/c d.v\" rtl/c\\ d.v\n+define+WIDTH=8'h10+FAST -DTEXT=\"a\\\"b\" -sv -Wno-fatal -timescale=1ns/1ps\n",
		"rtl/beside.f": "b.v\n-v ${SUB}/e.v\n-f ../here2.f\n-I inc\n",
		"here2.f":      "-y lib +libext+.v+.vh -top \\\n top\n+define+FAST",
	})
	t.Setenv("DIR", "rtl")
	t.Setenv("SUB", "sub")
	d, err := cosim.ReadArguments(
		[]string{"-D", "N=1+2", "a.v", "-f", "here.f", "-f", "here2.f", "-GW=6", "-G", `S="x"`, "+incdir+inc"},
	)
	require.NoError(t, err)
	in := func(names ...string) []string {
		for i, n := range names {
			names[i] = filepath.Join(dir, n)
		}
		return names
	}
	require.Equal(t, cosim.Design{
		Sources:    in("a.v", "rtl/b.v", "rtl/sub/e.v", "rtl/c d.v"),
		Includes:   in("rtl/inc", "inc"),
		Libraries:  in("lib"),
		Extensions: []string{".v", ".vh"},
		Defines: []cosim.Define{{Name: "N", Value: "1+2"}, {Name: "FAST", Value: "1", List: "here2.f:3"},
			{Name: "WIDTH", Value: "8'h10", List: "here.f:7"}, {Name: "TEXT", Value: `a"b`, List: "here.f:7"}},
		Parameters: []cosim.Parameter{{Name: "W", Value: "6"}, {Name: "S", Value: `"x"`}},
		Top:        "top",
	}, d)
}

// Text that is not understood is refused in one line, with its place.
func TestReadArgumentsRefused(t *testing.T) {
	t.Setenv("GOLDWIRE_LINES", "a.v\nb.v")
	tree(t, map[string]string{
		"a.v": "", "rtl/b.v": "",
		"no.f": "a.v\nnone.v", "rtl/beside.f": "b.v", "self.f": "-f self.f", "option.f": "\n-lint a.v",
		"variable.f": "$GOLDWIRE_NONE/a.v",
		"lines.f":    "a.v\n$GOLDWIRE_LINES", "slash.f": "\"a\\\n.v\"",
		"comment.f": "a.v\n/* a.v", "quote.f": "\"a.v\n\"", "vhdl.f": "rtl.vhd", "dir.f": "+incdir+none", "last.f": "a.v -f",
		"zero.f":  "a\x00",
		"macro.f": "+define+1=2", "two.f": "+define+A=1\n+define+A=2", "dollar.f": "$(A",
	})
	for args, want := range map[string]string{
		"no.f":         "no.f:2: none.v: no such file",
		"rtl/beside.f": "rtl/beside.f:1: b.v: no such file; it is there relative to the list, which is how -F reads it",
		"self.f":       "self.f:1: file list self.f: it is being read already: it contains itself",
		"option.f": `option.f:2: "-lint": no option that is known here; want a Verilog file, -f, -F, +incdir+, -I, ` +
			`+define+, -D, -G, -y, -v, +libext+ or -top`,
		"variable.f": "variable.f:1: the environment has no variable GOLDWIRE_NONE",
		"dollar.f": `dollar.f:1: a $ without the name of a variable of the environment: $NAME, $(NAME) or ${NAME}, \$ ` +
			`for the character`,
		"lines.f":   "lines.f:2: variable GOLDWIRE_LINES of the environment has more than one line",
		"slash.f":   `slash.f:1: a quote " without its end in the line`,
		"comment.f": "comment.f:2: a comment /* without its end",
		"quote.f":   `quote.f:1: a quote " without its end in the line`,
		"vhdl.f":    "vhdl.f:1: rtl.vhd: want Verilog or SystemVerilog",
		"dir.f":     "dir.f:1: incdir none: no such directory",
		"last.f":    "last.f:1: -f: nothing follows it",
		"zero.f":    "zero.f:1: a zero byte, want text",
		"macro.f":   `macro.f:1: macro "1=2", want NAME or NAME=TEXT`,
		"two.f":     `two.f:2: macro A is "2" and "1" (two.f:1), want one text`,
		"none.f":    "file list none.f: no such file",
		"rtl":       "file list rtl: want a text file of at most 1048576 bytes",
	} {
		_, err := cosim.ReadArguments([]string{"-f", args})
		require.EqualError(t, err, want, args)
	}
	for _, c := range [][]string{
		{`parameter "W", want NAME=VALUE`, "-G", "W"},
		{`parameter "W=3+3": want a number as Verilog writes it, a package's constant (PKG::NAME), or a string in quotes`,
			"-GW=3+3"},
		{"parameter W is 1 and 2, want one value", "-GW=1", "-GW=2"},
		{"the top module is a and b, want one", "-top", "a", "-top", "b"},
		{`"+incdir+a+": nothing stands between two +`, "+incdir+a+"},
		{"+libext+v: want an ending of a file name, +libext+.v", "+libext+v"},
		{"rtl: is no regular file, want a Verilog file", "rtl"},
	} {
		if c[1] == "+incdir+a+" {
			require.NoError(t, os.Mkdir("a", 0o755))
		}
		_, err := cosim.ReadArguments(c[1:])
		require.EqualError(t, err, c[0])
	}
}

// FuzzReadArguments: whatever a list says, there is a design or one line.
func FuzzReadArguments(f *testing.F) {
	f.Add("a.v // x\n+define+A=1+B /* */ -f rtl.f \"b c\" $HOME ${A} \\\n -DX")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "rtl.f")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		if _, err := cosim.ReadArguments([]string{"-F", path}); err != nil {
			require.NotContains(t, err.Error(), "\n")
		}
	})
}

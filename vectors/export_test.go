package vectors_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// export captures a unit and writes the set to a new directory.
func export(t testing.TB, u vectors.Unit, cycles int) (dir string, s *vectors.Set) {
	t.Helper()
	s, err := vectors.Capture(u, cycles, 1)
	require.NoError(t, err)
	dir = filepath.Join(t.TempDir(), u.Module())
	require.NoError(t, vectors.Write(dir, s))
	return dir, s
}

func readFile(t testing.TB, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return string(data)
}

// edit changes a file of an export; signed, it also corrects the checksum in the manifest.
func edit(t testing.TB, dir, name, old, new string, signed bool) {
	t.Helper()
	before := readFile(t, dir, name)
	require.Contains(t, before, old)
	after := strings.Replace(before, old, new, 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(after), 0o644))
	if signed {
		edit(t, dir, "manifest.json", sha256Of(before), sha256Of(after), false)
	}
}

func sha256Of(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

var sameSet = cmp.Comparer(func(a, b clock.Freq) bool { return a.Hz().Cmp(b.Hz()) == 0 })

func TestWriteThenRead(t *testing.T) {
	third := counterUnit()
	third.Clock = clock.MustFreq("1/3 GHz") // no finite decimal
	for _, u := range []vectors.Unit{adderUnit(), majorityUnit(), skidUnit(), third} {
		dir, s := export(t, u, 100)
		back, err := vectors.Read(dir)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(s, back, sameSet), u.Name)
		require.NoError(t, vectors.Compare(u, back))
	}
}

// The files of the majority gate's first rows, worked out by hand from TestRows' table.
func TestFiles(t *testing.T) {
	dir, _ := export(t, majorityUnit(), 4)
	require.Equal(t, "// test/majority: {in_0, in_1, in_2}, 3 bits, one row a cycle\n0\n4\n2\n6\n",
		readFile(t, dir, "stimulus.hex"))
	require.Equal(t, "// test/majority: {out, total}, 9 bits, one row a cycle\n007\n007\n008\n109\n",
		readFile(t, dir, "expected.hex"))
	require.Equal(t, "cycle,in_0,in_1,in_2,out,total\n0,0,0,0,0,07\n1,1,0,0,0,07\n2,0,1,0,0,08\n3,1,1,0,1,09\n",
		readFile(t, dir, "vectors.csv"))
	manifest := readFile(t, dir, "manifest.json")
	// drawn from the rows that there are
	again := regexp.MustCompile(`  "rows_after_further_resets": \[\n    [1-4],\n    [1-4]\n  \],\n`)
	require.Regexp(t, again, manifest)
	manifest = again.ReplaceAllString(manifest, "")
	require.Equal(t, `{
  "schema": "goldwire-vectors-1",
  "generator": "goldwire",
  "unit": "test/majority",
  "doc": "Votes.",
  "ref": "",
  "module": "test_majority",
  "clock": {
    "port": "clk",
    "edge": "rising",
    "hz_num": "100000000",
    "hz_den": "1"
  },
  "reset": {
    "port": "rst",
    "kind": "synchronous",
    "active": "high",
    "cycles": 4
  },
  "latency": 0,
  "cycles": 4,
  "seed": "1",
  "fields": [
`, manifest[:strings.Index(manifest, "    {")])
}

// A field of 64 bits that does not start at a digit's edge goes out and comes back whole.
func TestWideRows(t *testing.T) {
	s := &vectors.Set{
		Unit: "test/wide", Clock: clock.MHz(1),
		Fields: []vectors.Field{
			{Name: "a", Port: "a", Dir: rtl.Output, Width: 3},
			{Name: "b", Port: "b", Dir: rtl.Output, Width: 64},
			{Name: "c", Port: "c", Dir: rtl.Output, Width: 7},
		},
		Rows: [][]uint64{{5, 0xfedcba9876543210, 0x55}, {0, 1, 0}, {7, 1<<64 - 1, 127}},
	}
	dir := filepath.Join(t.TempDir(), "wide")
	require.NoError(t, vectors.Write(dir, s))
	// 74 bits in 19 digits: 00 | 101 | fedc…3210 | 1010101. The 64 bits start five bits down, so each digit is shifted by
	// 3.
	lines := strings.Split(readFile(t, dir, "expected.hex"), "\n")
	require.Equal(t, []string{"2ff6e5d4c3b2a190855", "0000000000000000080", "3ffffffffffffffffff"}, lines[1:4])
	back, err := vectors.Read(dir)
	require.NoError(t, err)
	require.Equal(t, s.Rows, back.Rows)
}

func TestWriteIsReproducible(t *testing.T) {
	a, _ := export(t, adderUnit(), 50)
	b, _ := export(t, adderUnit(), 50)
	files, err := os.ReadDir(a)
	require.NoError(t, err)
	require.Len(t, files, 7)
	for _, f := range files {
		require.Equal(t, readFile(t, a, f.Name()), readFile(t, b, f.Name()), f.Name())
	}
}

func TestWriteReplacesOnlyItsOwn(t *testing.T) {
	dir, s := export(t, adderUnit(), 50)
	parent := filepath.Dir(dir)
	s.Rows = s.Rows[:20]
	require.NoError(t, vectors.Write(dir, s))
	back, err := vectors.Read(dir)
	require.NoError(t, err)
	require.Len(t, back.Rows, 20)

	other, err := vectors.Capture(counterUnit(), 5, 1)
	require.NoError(t, err)
	require.NoError(t, vectors.Write(dir, other), "another unit's set takes the place of all files")
	require.NoFileExists(t, filepath.Join(dir, "stimulus.hex"))

	require.NoError(t, os.WriteFile(filepath.Join(dir, "my_rtl.v"), nil, 0o644))
	require.EqualError(t, vectors.Write(dir, s), dir+": holds my_rtl.v, which no export wrote: move it away")
	back, err = vectors.Read(dir)
	require.NoError(t, err)
	require.Equal(t, "test/counter", back.Unit, "a refused export changes nothing")

	foreign := filepath.Join(parent, "foreign")
	require.NoError(t, os.Mkdir(foreign, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(foreign, "a.txt"), nil, 0o644))
	require.EqualError(t, vectors.Write(foreign, s),
		foreign+": holds a.txt and no manifest.json of ours, want an empty directory or an earlier export")
	require.NoError(t, os.WriteFile(filepath.Join(foreign, "manifest.json"), []byte(`{"name":"a web page"}`), 0o644))
	require.EqualError(t, vectors.Write(foreign, s), filepath.Join(foreign, "manifest.json")+
		`: want an empty directory or an earlier export: schema "", want "goldwire-vectors-1"`)
	require.ErrorContains(t, vectors.Write(filepath.Join(foreign, "a.txt"), s), "want a directory")

	entries, err := os.ReadDir(parent)
	require.NoError(t, err)
	require.Len(t, entries, 2, "no temporary directory is left")
}

func TestWriteRefusesABrokenSet(t *testing.T) {
	s, err := vectors.Capture(counterUnit(), 5, 1)
	require.NoError(t, err)
	s.Rows[3][0] = 256
	dir := filepath.Join(t.TempDir(), "x")
	require.EqualError(t, vectors.Write(dir, s),
		"export of unit test/counter: cycle 3 field out: 0x100 has more than 8 bits")
	require.NoDirExists(t, dir)
	s.Rows = nil
	require.EqualError(t, vectors.Write(dir, s), "export of unit test/counter: no rows, want at least 1")
}

// Every error is one line with the file, the place and the expected text. DIR stands for the directory.
func TestReadErrors(t *testing.T) {
	for _, c := range []struct {
		name           string
		file, old, new string
		signed         bool // with a checksum that fits
		want           string
	}{
		{"changed row", "expected.hex", "\n008\n", "\n009\n", false,
			"DIR/expected.hex: sha256 is NEW, want OLD as in manifest.json"},
		{"not a digit", "expected.hex", "\n008\n", "\n0x8\n", true, `DIR/expected.hex:4: "x" is no digit, want 0-9 or a-f`},
		{"capital", "stimulus.hex", "\n4\n", "\nA\n", true, `DIR/stimulus.hex:3: "A" is no digit, want 0-9 or a-f`},
		{"short row", "expected.hex", "\n008\n", "\n08\n", true,
			`DIR/expected.hex:4: "08" has 2 characters, want 3 hexadecimal digits`},
		{"wide row", "stimulus.hex", "\n4\n", "\n8\n", true,
			"DIR/stimulus.hex:3: the number starts with 8, want at most 3 bits in all"},
		{"lost row", "expected.hex", "\n008\n", "\n", true, "DIR/expected.hex:4: the file ends after 3 rows, want 4"},
		{"extra row", "expected.hex", "\n008\n", "\n008\n008\n", true,
			"DIR/expected.hex:6: row 4, want the file to end after 4 rows"},
		{"not JSON", "manifest.json", "{", "(", false,
			"DIR/manifest.json: invalid character '(' looking for beginning of value"},
		{"other schema", "manifest.json", "vectors-1", "vectors-2", false,
			`DIR/manifest.json: schema "goldwire-vectors-2", want "goldwire-vectors-1"`},
		{"unknown key", "manifest.json", `"ref"`, `"reference"`, false, `DIR/manifest.json: json: unknown field "reference"`},
		{"more", "manifest.json", "  ]\n}\n", "  ]\n}\n{}", false,
			"DIR/manifest.json: invalid character '{' after top-level value"},
		{"seed", "manifest.json", `"seed": "1"`, `"seed": "-1"`, false,
			`DIR/manifest.json: seed "-1", want a decimal number of at most 64 bits, as a string`},
		{"clock", "manifest.json", `"hz_den": "1"`, `"hz_den": "0"`, false,
			`DIR/manifest.json: clock "clk", "rising", "100000000"/"0" Hz: want port clk, edge rising and a frequency of ` +
				`hz_num/hz_den hertz`},
		{"reset", "manifest.json", `"high"`, `"low"`, false,
			"DIR/manifest.json: reset {Port:rst Kind:synchronous Active:low Cycles:4}, want {Port:rst Kind:synchronous " +
				"Active:high Cycles:4}"},
		{"cycles", "manifest.json", `"cycles": 4,`, `"cycles": 0,`, false, "DIR/manifest.json: cycles 0, want at least 1"},
		{"module", "manifest.json", `"module": "test_majority"`, `"module": "m"`, false,
			`DIR/manifest.json: module "m", want "test_majority" for this unit`},
		{"unit", "manifest.json", `"unit": "test/majority"`, `"unit": "a b"`, false,
			`DIR/manifest.json: unit "a b": the name is not of the form package/unit in lower-case letters, digits and _`},
		{"latency", "manifest.json", `"latency": 0`, `"latency": -2`, false,
			"DIR/manifest.json: latency -2, want at least 0"},
		{"direction", "manifest.json", `"direction": "in"`, `"direction": "up"`, false,
			`DIR/manifest.json: field in_0: direction "up" and kind "", want an in, an out register or an out combinational`},
		{"width", "manifest.json", `"width": 8`, `"width": 65`, false,
			"DIR/manifest.json: field total: width 65, want 1 to 64 bits"},
		{"wider", "manifest.json", `"width": 8`, `"width": 12`, false,
			`DIR/expected.hex:2: "007" has 3 characters, want 4 hexadecimal digits`},
		{"outside", "manifest.json", `"name": "vectors.csv"`, `"name": "../vectors.csv"`, false,
			`DIR/manifest.json: file "../vectors.csv", want another file of this directory`},
		{"no stimulus", "manifest.json", `"name": "stimulus.hex"`, `"name": "stimulus.txt"`, false,
			"DIR/manifest.json: files: stimulus.hex is missing"},
		{"lost file", "manifest.json", `"name": "vectors.csv"`, `"name": "vectors.tsv"`, false,
			"stat DIR/vectors.tsv: no such file or directory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, _ := export(t, majorityUnit(), 4)
			before := readFile(t, dir, c.file)
			edit(t, dir, c.file, c.old, c.new, c.signed)
			want := strings.NewReplacer("DIR", dir, "NEW", sha256Of(readFile(t, dir, c.file)), "OLD",
				sha256Of(before)).Replace(c.want)
			_, err := vectors.Read(dir)
			require.EqualError(t, err, want)
		})
	}
	_, err := vectors.Read(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// Blank lines, comments and the line ends of another system are no rows.
func TestReadSkipsComments(t *testing.T) {
	dir, s := export(t, majorityUnit(), 4)
	edit(t, dir, "expected.hex", "\n008\n", "\r\n\r\n// here\n008\r\n", true)
	back, err := vectors.Read(dir)
	require.NoError(t, err)
	require.Equal(t, s.Rows, back.Rows)
}

// README.txt names no file that is not there, and every file that is.
func TestReadmeNamesTheFilesThatAreThere(t *testing.T) {
	for _, u := range []vectors.Unit{adderUnit(), counterUnit()} {
		for _, formats := range [][]vectors.Format{nil, vectors.Formats(), {vectors.FormatVCD, vectors.FormatVCD}} {
			s, err := vectors.Capture(u, 30, 1)
			require.NoError(t, err)
			dir := filepath.Join(t.TempDir(), "set")
			require.NoError(t, vectors.Write(dir, s, formats...))
			text, err := os.ReadFile(filepath.Join(dir, "README.txt"))
			require.NoError(t, err)
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			there := map[string]bool{"README.txt": true}
			for _, e := range entries {
				there[e.Name()] = true
				require.True(t, e.Name() == "README.txt" || strings.Contains(string(text), e.Name()),
					"README.txt does not say what %s is", e.Name())
			}
			for _, name := range regexp.MustCompile(`[\w/]+\.(?:sv|svh|vcd|hex|csv|json|svg|py|cpp|v)\b`).FindAllString(
				string(text), -1) {
				require.True(t, there[name] || strings.Contains(name, "YOUR_"),
					"README.txt of %s names %s, which is not there", u.Name, name)
			}
			if len(formats) > 0 {
				require.Contains(t, string(text),
					"read_verilog -sv YOUR_RTL.sv; prep -top "+u.Module()+"; sim -r "+u.Module()+".vcd")
			}
		}
	}
}

// A set that names a device or a pipe, or has files longer than its cycles can be, is refused before they are read.
func TestReadRefusesHostileSets(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(dir string) error
		want  string
	}{
		"device": {func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "expected.hex")),
				os.Symlink("/dev/zero", filepath.Join(dir, "expected.hex")))
		}, "expected.hex: is no regular file"},
		"manifest of a device": {func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "manifest.json")),
				os.Symlink("/dev/zero", filepath.Join(dir, "manifest.json")))
		}, "manifest.json: is no regular file"},
		"endless rows": {func(dir string) error { return os.Truncate(filepath.Join(dir, "expected.hex"), 1<<40) },
			"expected.hex: has 1099511627776 bytes, want at most"},
		"endless table": {func(dir string) error { return os.Truncate(filepath.Join(dir, "vectors.csv"), 1<<40) },
			"vectors.csv: has 1099511627776 bytes, want at most"},
		"long manifest": {func(dir string) error { return os.Truncate(filepath.Join(dir, "manifest.json"), 1<<40) },
			"manifest.json: has 1099511627776 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, _ := export(t, adderUnit(), 20)
			if err := c.spoil(dir); err != nil {
				t.Skipf("the hostile set was NOT read: %v", err)
			}
			_, err := vectors.Read(dir)
			require.ErrorContains(t, err, c.want)
		})
	}
}

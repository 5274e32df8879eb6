package wave_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/wave"
)

func packed(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// diffFile compares a file with a text.
func diffFile(t *testing.T, path, text string) (*wave.DiffResult, error) {
	t.Helper()
	f, err := wave.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := wave.NewReader(f, path)
	if err != nil {
		return nil, err
	}
	return wave.Diff(r, open(t, []byte(text), "text"), wave.DiffOptions{})
}

func TestPackedFiles(t *testing.T) {
	text := vcd("wire 4 ! n [3:0]", "#0 b0110 ! #10 b1110 ! #20 b1111 !")
	path := filepath.Join(t.TempDir(), "a.vcd.gz")
	whole := packed(t, text)
	require.NoError(t, os.WriteFile(path, whole, 0o644))
	d, err := diffFile(t, path, text)
	require.NoError(t, err)
	require.True(t, d.Same())
	require.EqualValues(t, 3, d.Samples)

	require.NoError(t, os.WriteFile(path, whole[:len(whole)-9], 0o644)) // cut
	_, err = diffFile(t, path, text)
	require.ErrorContains(t, err, path)
	require.ErrorContains(t, err, "unexpected EOF")
}

// A file that is no VCD is told by its name, not by its bytes.
func TestFilesThatAreNoVCD(t *testing.T) {
	for start, want := range map[string]string{
		"GHDLwave\n\x10\x00":   "a GHW file (let GHDL write a VCD: --vcd=FILE), want a VCD, one packed by gzip, or an FST",
		"BZh91AY":              "a file packed by bzip2 (bunzip2 it)",
		"\x28\xb5\x2f\xfd\x04": "a file packed by zstd (unzstd it)",
		"\x01\x38\x00":         "an LXT file",
		"abc\x00\x01\x02":      "a binary file",
		"\xff\xfe$\x00v\x00":   "text in UTF-16",
		"\x1f\x8bnonsense":     "gzip: ",
		string(packed(t, "\x00\x00\x00\x00\x00\x00\x00\x01\x49abc")): "an FST inside gzip, want a VCD",
	} {
		path := filepath.Join(t.TempDir(), "a")
		require.NoError(t, os.WriteFile(path, []byte(start), 0o644))
		_, err := wave.Open(path)
		require.ErrorContains(t, err, path+": ")
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "\n")
	}
}

// An FST is read through the converter; without it, or if it fails, a line says so.
func TestFST(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.fst")
	require.NoError(t, os.WriteFile(bad, []byte("\x00\x00\x00\x00\x00\x00\x00\x01\x49nothing"), 0o644))
	t.Run("without a converter", func(t *testing.T) {
		t.Setenv("PATH", dir)
		_, err := wave.Open(bad)
		require.ErrorContains(t, err, "bad.fst: an FST, and fst2vcd of GTKWave, which makes a VCD of it, is not installed")
	})
	for _, p := range []string{"fst2vcd", "vcd2fst"} {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("an FST was NOT read: %s is not installed", p)
		}
	}
	_, err := diffFile(t, bad, vcd("wire 1 ! n", "#0 0!"))
	require.ErrorContains(t, err, bad)
	require.NotContains(t, err.Error(), "\n")

	text := vcd("wire 4 ! n [3:0]; real 64 r r; wire 1 c c",
		"#0\nb0110 !\nr0.5 r\n0c\n#10\nb1110 !\n1c\n#20\nb1111 !\nr0.25 r")
	from, to := filepath.Join(dir, "a.vcd"), filepath.Join(dir, "a.fst")
	require.NoError(t, os.WriteFile(from, []byte(text), 0o644))
	out, err := exec.Command("vcd2fst", "-v", from, "-f", to).CombinedOutput()
	require.NoError(t, err, string(out))
	d, err := diffFile(t, to, text)
	require.NoError(t, err)
	require.True(t, d.Same(), d)
	require.Equal(t, 3, d.Compared)

	f, err := wave.Open(to)
	require.NoError(t, err)
	require.NoError(t, f.Close(), "before it was read")
}

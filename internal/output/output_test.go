package output_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/output"
)

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

// only wants a directory to hold these files and nothing else.
func only(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	require.Equal(t, names, got)
}

func TestWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	require.NoError(t, output.WriteFile(path, []byte("first")))
	require.Equal(t, "first", read(t, path))

	f, err := output.Create(path)
	require.NoError(t, err)
	fmt.Fprint(f, "second")
	require.Equal(t, "first", read(t, path), "until the commit nothing changes")
	f.Discard()
	f.Discard()
	require.ErrorIs(t, f.Commit(), os.ErrClosed)
	require.Equal(t, "first", read(t, path))
	only(t, dir, "a.txt")

	failed := errors.New("no more rows")
	require.EqualError(t, output.Write(path, func(w io.Writer) error {
		fmt.Fprint(w, "half")
		return failed
	}), path+": no more rows")
	require.Equal(t, "first", read(t, path))

	f, err = output.Create(path)
	require.NoError(t, err)
	fmt.Fprint(f, "third")
	require.NoError(t, f.Commit())
	f.Discard()
	require.Equal(t, "third", read(t, path))
	only(t, dir, "a.txt")
}

func TestBadPaths(t *testing.T) {
	dir := t.TempDir()
	_, err := output.Create(dir)
	require.EqualError(t, err, dir+" is a directory, want a file")
	_, err = output.Create("")
	require.EqualError(t, err, "an output without a name")
	_, err = output.Create(filepath.Join(dir, "no", "such"))
	require.ErrorContains(t, err, filepath.Join(dir, "no", "such")+": ")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.WriteFile(at("in"), nil, 0o644))
	require.NoError(t, os.Mkdir(at("sub"), 0o755))
	vcd := func(path string) output.Path { return output.Path{What: "--vcd", Path: path} }
	plot := func(path string) output.Path { return output.Path{What: "--plot", Path: path} }
	in := []output.Path{{What: "--pcap", Path: at("in")}, {What: "--trace", Path: at("not there")}}

	require.NoError(t, output.Check([]output.Path{vcd(at("a")), plot(at("b")), vcd("")}, in))
	only(t, dir, "in", "sub")
	for _, c := range []struct {
		outputs []output.Path
		want    string
	}{
		{[]output.Path{vcd(at("a")), plot(at("sub/../a"))},
			"--plot: " + at("sub/../a") + " is also written by --vcd: want another file"},
		{[]output.Path{vcd(at("in"))}, "--vcd: " + at("in") + " is also read, by --pcap: want another file"},
		{[]output.Path{vcd(at("sub"))}, "--vcd: " + at("sub") + " is a directory, want a file"},
		{[]output.Path{vcd(at("none/a"))}, "--vcd: " + at("none/a") + ": "},
	} {
		require.ErrorContains(t, output.Check(c.outputs, in), c.want)
	}
	only(t, dir, "in", "sub")
}

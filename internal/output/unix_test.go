//go:build unix

package output_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/output"
)

// A device, FIFO or socket is written through and stays; a link stays a link.
func TestDevicesFIFOsAndLinksStay(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }

	fifo := at("fifo")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	said := make(chan string)
	go func() {
		f, err := os.Open(fifo)
		if err != nil {
			said <- err.Error()
			return
		}
		data, _ := io.ReadAll(f)
		said <- string(data)
	}()
	require.NoError(t, output.WriteFile(fifo, []byte("through")))
	require.Equal(t, "through", <-said)
	info, err := os.Lstat(fifo)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeNamedPipe)

	require.NoError(t, os.Symlink(os.DevNull, at("null")))
	f, err := output.Create(at("null"))
	require.NoError(t, err)
	require.True(t, f.Through())
	require.NoError(t, f.Commit())
	target, err := os.Readlink(at("null"))
	require.NoError(t, err)
	require.Equal(t, os.DevNull, target)
	info, err = os.Stat(os.DevNull)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeDevice)

	for _, file := range []string{"file", "later"} { // the second does not exist yet
		link := at("link to " + file)
		if file == "file" {
			require.NoError(t, os.WriteFile(at(file), []byte("old"), 0o640))
		}
		require.NoError(t, os.Symlink(file, link))
		require.NoError(t, output.WriteFile(link, []byte("new")))
		require.Equal(t, "new", read(t, at(file)))
		_, err = os.Readlink(link)
		require.NoError(t, err)
	}
	info, err = os.Stat(at("file"))
	require.NoError(t, err)
	require.EqualValues(t, 0o640, info.Mode().Perm(), "permissions stay")

	require.NoError(t, os.Symlink("circle", at("circle")))
	_, err = output.Create(at("circle"))
	require.ErrorContains(t, err, "more than 40 symbolic links")
}

// A device may be named twice; a file may not, through a link either.
func TestCheckSeesThroughLinks(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink("file", link))
	null := output.Path{What: "--vcd", Path: os.DevNull}
	require.NoError(t, output.Check([]output.Path{null, null}, []output.Path{null}))
	require.ErrorContains(t, output.Check([]output.Path{{What: "--vcd", Path: filepath.Join(dir, "file")},
		{What: "--plot", Path: link}}, nil),
		"is also written by --vcd")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o644))
	require.ErrorContains(t, output.Check([]output.Path{{What: "--vcd", Path: link}},
		[]output.Path{{What: "--pcap", Path: filepath.Join(dir, "file")}}),
		"is also read, by --pcap")
}

// What a process has open, as the shell's standard output, is appended to, not replaced.
func TestOpenFiles(t *testing.T) {
	for _, directory := range []string{"/dev/fd", "/proc/self/fd"} {
		if _, err := os.Stat(directory); err != nil && directory == "/proc/self/fd" {
			continue // Linux alone has it
		}
		file, err := os.CreateTemp(t.TempDir(), "stdout")
		require.NoError(t, err)
		defer file.Close()
		_, err = file.WriteString("before\n")
		require.NoError(t, err)
		link := filepath.Join(t.TempDir(), "stdout")
		require.NoError(t, os.Symlink(fmt.Sprintf("%s/%d", directory, file.Fd()), link))
		require.NoError(t, output.WriteFile(link, []byte("after\n")))
		require.Equal(t, "before\nafter\n", read(t, file.Name()), directory)
	}
}

//go:build unix

package output_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/output"
)

// The next output in a directory removes the unfinished outputs of a killed process. Unfinished outputs of a running
// process stay, and so do files whose names only look alike.
func TestNextWriterRemovesWhatKilledProcessesLeft(t *testing.T) {
	if dir := os.Getenv("OUTPUT_LEAVES_IN"); dir != "" { // the process that ends
		_, err := output.Create(filepath.Join(dir, "a.txt"))
		require.NoError(t, err)
		temp, _, err := output.MakeBeside(filepath.Join(dir, "set"))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(temp, "row"), nil, 0o600))
		self, err := os.FindProcess(os.Getpid())
		require.NoError(t, err)
		require.NoError(t, self.Kill())
		select {}
	}
	dir := t.TempDir()
	child := exec.Command(os.Args[0], "-test.run=^TestNextWriterRemovesWhatKilledProcessesLeft$")
	child.Env = append(os.Environ(), "OUTPUT_LEAVES_IN="+dir)
	require.ErrorContains(t, child.Run(), "killed")
	names := func() (names []string) {
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	gone := child.ProcessState.Pid()
	require.Equal(t, []string{fmt.Sprintf(".a.txt.%d-0.part", gone), fmt.Sprintf(".set.%d-0.part", gone)}, names())

	mine := fmt.Sprintf(".notes.%d-11", gone) // a user's own
	require.NoError(t, os.WriteFile(filepath.Join(dir, mine), nil, 0o600))
	underWay, err := output.Create(filepath.Join(dir, "b.txt"))
	require.NoError(t, err)
	defer underWay.Discard()
	require.NoError(t, output.WriteFile(filepath.Join(dir, "c.txt"), nil))
	require.ElementsMatch(t, []string{fmt.Sprintf(".b.txt.%d-0.part", os.Getpid()), mine, "c.txt"}, names())
	require.NoError(t, underWay.Commit())
}

// An output has any name that the file system takes.
func TestLongNames(t *testing.T) {
	for _, name := range []string{strings.Repeat("n", 250), strings.Repeat("é", 125),
		"a 'name' with \"quotes\"\nand a line"} {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, output.WriteFile(path, []byte("x")))
		require.Equal(t, "x", read(t, path))
	}
}

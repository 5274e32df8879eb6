//go:build unix

package cli

import (
	"bytes"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/catalogue"
)

// A reader may close the pipe early, as head does: every command then ends without a message.
func TestNobodyReads(t *testing.T) {
	root := newRoot(catalogue.Designs())
	commands := [][]string{{"list"}, {"list", "--json"}, {"help"}, {"run"}, {"list", "pcs/encoder"}}
	for _, c := range root.Commands() {
		if c.Name() != "help" {
			commands = append(commands, []string{c.Name(), "--help"})
		}
	}
	require.Greater(t, len(commands), 15)
	for _, args := range commands {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			from, to, err := os.Pipe()
			require.NoError(t, err)
			require.NoError(t, from.Close())
			defer to.Close()
			var stderr bytes.Buffer
			require.Equal(t, exitPipe, Main(args, to, &stderr, catalogue.Designs()...))
			require.Empty(t, stderr.String())
		})
	}
}

// A full folder for temporary files is named in the line of an error, whatever a simulator or Yosys made of it.
func TestFullTemporaryFolder(t *testing.T) {
	require.Empty(t, crowded(t.TempDir()))
	if runtime.GOOS != "linux" {
		t.Skip("a full folder was NOT tested: the test uses /proc, which only Linux has")
	}
	require.Equal(
		t, " (the folder for temporary files, /proc, has only 0 KiB left; TMPDIR names another)", crowded("/proc"),
	)
}

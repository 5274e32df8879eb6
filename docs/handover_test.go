package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/doccommands"
)

// Every command of the walk in examples/handover does as its README shows.
func TestTheHandover(t *testing.T) {
	wantPrograms(t, "the walk of examples/handover was NOT run", "verilator", "g++", "iverilog", "vvp", "yosys")
	dir := withGoldwire(t)
	example := filepath.Join("..", "examples", "handover")
	files, err := filepath.Glob(filepath.Join(example, "*.[vy]*"))
	require.NoError(t, err)
	require.Len(t, files, 4)
	for _, f := range files {
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		write(t, dir, filepath.Base(f), string(data))
	}
	require.Equal(t, 11, doccommands.Run(t, dir, filepath.Join(example, "README.md")))

	readme, err := os.ReadFile(filepath.Join(example, "README.md"))
	require.NoError(t, err)
	shown, err := os.ReadFile(filepath.Join(example, "encoder.yaml"))
	require.NoError(t, err)
	_, yaml, _ := strings.Cut(string(readme), "```yaml\n")
	yaml, _, _ = strings.Cut(yaml, "```")
	require.NotEmpty(t, yaml)
	for line := range strings.Lines(yaml) {
		require.Contains(t, string(shown), line)
	}
}

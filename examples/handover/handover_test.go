// Package handover_test runs the walk as it stands in the README.
package handover_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/goldwire/goldwire/cli" // what the walk runs: a change of it is a change of this test
	"github.com/goldwire/goldwire/internal/walk"
)

// Every command of the README does what the README shows.
func TestTheWalk(t *testing.T) {
	for _, p := range []string{"verilator", "g++", "iverilog", "vvp", "yosys"} {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("the walk of examples/handover was NOT run: %s is not installed", p)
		}
	}
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "bin", "goldwire"), "github.com/goldwire/goldwire/cmd/goldwire")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	files, err := filepath.Glob("*.[vy]*")
	require.NoError(t, err)
	require.Len(t, files, 4)
	for _, f := range files {
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, f), data, 0o644))
	}
	require.Equal(t, 11, walk.Run(t, dir, "README.md"))

	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	shown, err := os.ReadFile("encoder.yaml")
	require.NoError(t, err)
	_, yaml, _ := strings.Cut(string(readme), "```yaml\n")
	yaml, _, _ = strings.Cut(yaml, "```")
	for line := range strings.Lines(yaml) {
		require.Contains(t, string(shown), line)
	}
}

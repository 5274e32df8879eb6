// Package handover_test runs the walk as it stands in the README.
package handover_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/goldwire/goldwire/cli" // what the walk runs: a change of it is a change of this test
)

// Every command of the README does what the README shows: each line below it stands in what it prints, up to spaces.
func TestTheWalk(t *testing.T) {
	for _, p := range []string{"verilator", "g++", "iverilog", "vvp"} {
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
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)

	commands, said, fence, inside := 0, "", false, false
	for line := range strings.Lines(string(readme)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "```"):
			fence = !fence
			inside = fence && line == "```"
		case !inside:
		case strings.HasPrefix(line, "$ "):
			commands++
			said = run(t, dir, strings.Fields(line[2:]))
		default:
			require.Contains(t, said, strings.Join(strings.Fields(line), " "))
		}
	}
	require.Equal(t, 9, commands)
	shown, err := os.ReadFile("encoder.yaml")
	require.NoError(t, err)
	_, yaml, _ := strings.Cut(string(readme), "```yaml\n")
	yaml, _, _ = strings.Cut(yaml, "```")
	for line := range strings.Lines(yaml) {
		require.Contains(t, string(shown), line)
	}
}

// run returns all that a command prints, with single spaces.
func run(t *testing.T, dir string, args []string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	if args[0] == "goldwire" {
		cmd = exec.CommandContext(ctx, filepath.Join(dir, "bin", "goldwire"), args[1:]...)
	}
	cmd.Dir = dir
	out, _ := cmd.CombinedOutput() // some fail, as the text says
	require.NotNil(t, cmd.ProcessState)
	return strings.Join(strings.Fields(string(out)), " ")
}

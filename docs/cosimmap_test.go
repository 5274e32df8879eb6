package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/doccommands"
)

// Every key of a map has an example, and every example of docs/cosim-map.md does what the page shows.
func TestTheMap(t *testing.T) {
	wantPrograms(t, "the examples of docs/cosim-map.md were NOT run", "verilator", "g++", "iverilog", "vvp", "yosys")
	dir := withGoldwire(t)
	require.Equal(t, 24, doccommands.Run(t, dir, "cosim-map.md"))

	// of docs/foreign-rtl.md the cheapest piece, up to where it agrees; the soak has all
	foreign, err := os.ReadFile("foreign-rtl.md")
	require.NoError(t, err)
	_, piece, _ := strings.Cut(string(foreign), "## Verilog-2001")
	piece, _, found := strings.Cut(piece, "The limit is looked at")
	require.True(t, found)
	write(t, dir, "piece.md", piece)
	require.Equal(t, 4, doccommands.Run(t, dir, filepath.Join(dir, "piece.md")))

	page, err := os.ReadFile("cosim-map.md")
	require.NoError(t, err)
	shown := map[string]bool{}
	for _, block := range regexp.MustCompile("(?s)```yaml file=\\S+\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		for _, key := range regexp.MustCompile(`(?m)^([a-z]+):`).FindAllStringSubmatch(block[1], -1) {
			shown[key[1]] = true
		}
	}
	help, err := exec.Command(filepath.Join(dir, "bin", "goldwire"), "cosim", "--help").Output()
	require.NoError(t, err)
	for _, key := range cosim.MapKeys() {
		require.True(t, shown[key], "docs/cosim-map.md has no example of %s", key)
		require.True(
			t, strings.Contains(string(help), "\n  "+key+": ") || strings.Contains(string(help), "; "+key+": "),
			"goldwire cosim --help does not have %s", key,
		)
	}
}

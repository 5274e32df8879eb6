//go:build soak

package docs_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/doccommands"
)

// Each style of foreign RTL goes from its first command to a proof as the page shows.
func TestForeignRTL(t *testing.T) {
	wantPrograms(t, "docs/foreign-rtl.md was NOT followed", "verilator", "g++", "iverilog", "vvp", "yosys", "yosys-abc")
	dir := withGoldwire(t)
	require.Equal(t, 32, doccommands.Run(t, dir, "foreign-rtl.md"))

	// the example of docs/cosim-map.md whose binding alone is shown there agrees too
	require.Equal(t, 24, doccommands.Run(t, dir, "cosim-map.md"))
	write(
		t,
		dir,
		"modern.md",
		"```\n$ goldwire cosim blocks/priority_encoder --rtl modern.sv --top modern --map modern.yaml --cycles 20000\n"+
			"blocks/priority_encoder and modern agree: 20000 cycles, 0 differences\n```\n",
	)
	require.Equal(t, 1, doccommands.Run(t, dir, filepath.Join(dir, "modern.md")))
}

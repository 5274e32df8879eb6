package cli

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bench"
)

// The table fits 120 columns with the longest texts that budgets have, and nothing of them is lost.
func TestBudgetsFitTheTerminal(t *testing.T) {
	note := "the worst of 27 modules: pqueue/scheduler; 0.3 to 2.9 million cycles a second"
	var out bytes.Buffer
	missed := printBudgets(&out, []bench.Line{
		{What: "RIFL link at 1e-5, every bit, against Verilator -O3 on RTL of the same scope", Budget: "at least 0.333 of its speed",
			Measured: "12.5 million changes a second", Note: note},
		{What: "an edge", Budget: "none", Measured: "250 ns"},
	})
	require.Equal(t, 1, missed)
	for line := range strings.Lines(out.String()) {
		require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimRight(line, "\n")), 120, line)
	}
	for _, word := range strings.Fields(note) {
		require.Contains(t, out.String(), word)
	}
	require.Contains(t, out.String(), "MISSED")
}

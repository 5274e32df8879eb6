package cli

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design/bench"
)

// The table fits 80 columns with the longest texts that budgets have, and nothing of them is lost.
func TestBudgetsFitTheTerminal(t *testing.T) {
	note := "the worst of 27 modules: pqueue/scheduler; 0.3 to 2.9 million cycles a second"
	var out bytes.Buffer
	missed := printBudgets(&out, &bench.Report{Groups: []bench.Group{{Name: "lockstep", Lines: []bench.Line{
		bench.AtLeast(
			"RIFL link at 1e-5, every bit, against Verilator -O3 on RTL of the same scope", 20, bench.Samples{12.5},
			"million changes a second", note,
		),
		bench.Figure("an edge", bench.Samples{250}, "ns", ""),
	}, Wall: 123.4, CPU: 234.5}}})
	require.Equal(t, 1, missed)
	for line := range strings.Lines(out.String()) {
		require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimRight(line, "\n")), 80, line)
	}
	for _, word := range strings.Fields(note) {
		require.Contains(t, out.String(), word)
	}
	require.Contains(t, out.String(), "MISSED")
}

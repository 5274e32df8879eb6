package study

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/schedule"
	"github.com/goldwire/goldwire/experiment"
)

// Five tables one after the other take 5 x 22 + 4 x 2 cycles to the last start, 119 in all. At IPC 2 their matches, at
// five different times, fit a period of 3, with 40 packets in a processor; 32 threads take a period of 4.
func TestRowSaysWhatHardwareCosts(t *testing.T) {
	g := &schedule.Graph{Name: "chain"}
	for i := range 5 {
		g.Nodes = append(
			g.Nodes, schedule.Node{Name: fmt.Sprintf("M%d", i), Kind: schedule.Match, KeyBits: 80},
			schedule.Node{Name: fmt.Sprintf("A%d", i), Kind: schedule.Action, Fields: 1},
		)
		g.Edges = append(g.Edges, schedule.Edge{From: 2 * i, To: 2*i + 1, Delay: schedule.AfterMatch, SameTable: true})
		if i > 0 {
			g.Edges = append(g.Edges, schedule.Edge{From: 2*i - 1, To: 2 * i, Delay: schedule.AfterAction})
		}
	}
	q := planPoint{Graph: "chain", Machine: ipc2, Fields: 32, Limit: schedule.DefaultClauses}
	p, err := planFor(t.Context(), g, q, &experiment.Run{Seed: 1})
	require.NoError(t, err)
	require.Equal(t, 4, p.Periods.High)
	require.Equal(t, "1 more than 3: 40 threads of 32", p.Cost)

	q.Paper = true
	p, err = planFor(t.Context(), g, q, &experiment.Run{Seed: 1})
	require.NoError(t, err)
	require.Equal(t, 3, p.Periods.High)
	require.Empty(t, p.Cost)
}

// The lines below a table of throughputs are about the program that ran, not about the default one.
func TestThroughputNamesItsProgram(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "p4", "programs", "classifier.json"))
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "mine.json")
	require.NoError(t, os.WriteFile(file, data, 0o644))
	q := throughput.Params()
	for flag, text := range map[string]string{"bmv2": file, "packets": "100", "most": "1"} {
		require.NoError(t, q.Find(flag).Set(text))
	}
	out, err := throughput.Run(t.Context(), q, experiment.Options{Seed: 1})
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, out.Report.WriteText(&text, 200))
	require.Contains(t, text.String(), "mine.json: S = ")
	require.NotContains(t, text.String(), "l2l3")
}

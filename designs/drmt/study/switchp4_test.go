package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/schedule"
)

// What the paper prints of switch.p4 without any search: Table 2's and 3's last columns, the bounds by counting and the
// critical paths.
func TestSwitchFactsHaveThePrintedBounds(t *testing.T) {
	graphs, err := switchGraphs()
	require.NoError(t, err)
	for name, printed := range map[string][2]int{"ingress": {15, 243}, "egress": {7, 197}, "combined": {21, 243}} {
		g := graphs[name]
		require.NoError(t, g.Check())
		require.Equal(
			t, printed, [2]int{schedule.LowerBound(g, schedule.DRMT(1)), schedule.CriticalPathLength(g, schedule.DRMT(1))},
			name,
		)
	}
	require.Len(t, graphs["combined"].Nodes, len(graphs["ingress"].Nodes)+len(graphs["egress"].Nodes))
}

// A line that is wrong is named.
func TestFactsAreRead(t *testing.T) {
	g, err := readFacts("toy", "M1 48\nA1 3 with C2\nA3 2 after A1\nC2 result M1\n")
	require.NoError(t, err)
	require.Equal(
		t,
		[]schedule.Node{
			{Name: "table1_MATCH", Kind: schedule.Match, KeyBits: 48},
			{Name: "table1_ACTION", Kind: schedule.Action, Fields: 3},
			{
				Name: "table3_ACTION", Kind: schedule.Action, Fields: 2,
			},
			{Name: "condition2", Kind: schedule.Condition, Fields: 1},
		},
		g.Nodes,
	)
	var edges []schedule.Edge
	for _, e := range g.Edges {
		e.Why = ""
		edges = append(edges, e)
	}
	require.Equal(
		t,
		[]schedule.Edge{
			{From: 0, To: 1, Delay: schedule.AfterMatch, SameTable: true}, {From: 3, To: 1, Delay: schedule.NotBefore},
			{From: 1, To: 2, Delay: schedule.AfterAction}, {From: 0, To: 3, Delay: schedule.AfterMatch},
		},
		edges,
	)
	_, err = readFacts("toy", "M1 48\nA1 3 with C2\n")
	require.EqualError(t, err, "switch.p4's toy: A1 follows C2, which is not there")
	_, err = readFacts("toy", "X1 48\n")
	require.EqualError(t, err, `switch.p4's toy: "X1 48": expected M, A or C and a number`)
}

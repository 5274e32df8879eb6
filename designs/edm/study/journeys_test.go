package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/experiment"
)

// A journey's total is the latency that the claim counts, and its stages at each place are the cell of Table 1, as the
// paper prints them.
func TestJourneysAreTable1(t *testing.T) {
	for kind, want := range map[string]map[string]string{
		"read": {ComputeNode: "12.8ns", Switch: "28.16ns", MemoryNode: "25.6ns", PCS: "40.96ns", Wires: "192ns",
			"": "299.52ns"},
		"write": {ComputeNode: "28.16ns", Switch: "28.16ns", MemoryNode: "7.68ns", PCS: "40.96ns", Wires: "192ns",
			"": "296.96ns"},
	} {
		p := latency.Params()
		require.NoError(t, p.Find("type").Set(kind))
		require.NoError(t, p.Find("phases").Set("0"))
		out, err := latency.Run(t.Context(), p, experiment.Options{Seed: 1, Journeys: 10})
		require.NoError(t, err)
		require.Len(t, out.Journeys.Journeys, 1)
		designtest.CheckTraceEvents(t, out.Journeys)
		way := out.Journeys.Journeys[0]
		got := map[string]clock.Time{"": way.Total()}
		for _, s := range way.Stages {
			got[s.Place] = got[s.Place].Add(s.Time())
		}
		require.Len(t, got, len(want))
		for place, time := range want {
			require.Equal(t, time, got[place].String(), "%s: %s", kind, place)
		}
		require.Equal(t, "2.56ns", out.Journeys.Cycle.String())
	}
}

package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/experiment"
)

// A journey's stages are what the paper prints (§4.1, §6.2): with wires of two cycles, 50 cycles in each switch, and
// 248 from MAC to MAC.
func TestJourneysAreTheLatency(t *testing.T) {
	p := latency.Params()
	require.NoError(t, p.Find("wire").Set("12.8ns"))
	out, err := latency.Run(t.Context(), p, experiment.Options{Seed: 1, Journeys: 10})
	require.NoError(t, err)
	require.Len(t, out.Journeys.Journeys, 1)
	designtest.CheckTraceEvents(t, out.Journeys)
	macToMAC := clock.Time{}
	for _, s := range out.Journeys.Journeys[0].Stages {
		cycles := s.Time().In(out.Journeys.Cycle).RatString()
		switch s.Place {
		case "leaf", "spine":
			require.Equal(t, "50", cycles, s.Name())
		case "wire":
			require.Equal(t, "2", cycles, s.Name())
		}
		if s.Place != "NIC" {
			macToMAC = macToMAC.Add(s.Time())
		}
	}
	require.Equal(t, "248", macToMAC.In(out.Journeys.Cycle).RatString())
}

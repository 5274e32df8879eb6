package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/experiment"
)

// A journey's total is the latency that the claim counts: 110 ns over 10 m, as the paper prints it, 48 words of 64 bits
// at 28 Gb/s. With frames twice as long it takes longer.
func TestJourneysAreTheLatency(t *testing.T) {
	p := latency.Params()
	require.NoError(t, p.Find("metres").Set("10"))
	out, err := latency.Run(t.Context(), p, experiment.Options{Seed: 1, Journeys: 10})
	require.NoError(t, err)
	ways := out.Journeys.Journeys
	require.Len(t, ways, 2)
	designtest.CheckTraceEvents(t, out.Journeys)
	require.Equal(t, "256 bits, 10 m", ways[0].Name)
	ns, _ := ways[0].Total().In(clock.Nanosecond).Float64()
	require.InDelta(t, 110, ns, 0.5)
	require.Equal(t, "48", ways[0].Total().In(out.Journeys.Cycle).RatString())
	require.Positive(t, ways[1].Total().Cmp(ways[0].Total()))
	require.Len(t, ways[0].Stages, len(probeStages))
	for _, s := range ways[0].Stages {
		require.Positive(t, s.Time().Cmp(clock.Time{}), s.Name())
	}
}

package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/spfc"
)

// Without bursts and control F1 and F2 have half of the line each: F1 never has 90 Gb/s, so the recovery lasts to the
// end of the last whole window of 100 us in 300 + 1,500 - 9 us.
func TestBurstWithoutBursts(t *testing.T) {
	q := BurstPoint{Settings: spfc.DefaultSettings(), Scheme: "dt2", Lasts: 300 * spfc.Microsecond,
		Far: 9 * spfc.Microsecond, Congest: 1, Heedless: true}
	r, err := burst.Measure(t.Context(), q, 1)
	require.NoError(t, err)
	require.Equal(t, 1700*spfc.Microsecond, r.Recovery)
	require.InDelta(t, 50, r.F1Gbps, 0.05) // a packet more or less in 300 us is 0.03 Gb/s
	require.InDelta(t, 50, r.F2Gbps, 0.05)
	require.Equal(t, []any{int64(0), int64(0), 0.0, spfc.Time(-1), spfc.Time(-1)},
		[]any{r.Pauses, r.Frames, r.PausedShare, r.VictimPause, r.BurstPause})
}

package study

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
)

// On the distributed clock nothing is damaged. On its own clock a node drifts, whichever sign the offset has, and the
// first cell is hit before the drift comes to the two cycles that TestGuardBand allows. When it is hit depends on the
// phase in which the clocks start, too.
func TestOwnClockHurts(t *testing.T) {
	for _, ppm := range []float64{-400, -200, 0, 200, 400} {
		r, err := runOwnClock(t.Context(), &experiment.Run{Seed: 1}, OwnClockPoint{PPM: ppm, Slots: 900})
		require.NoError(t, err)
		require.Equal(t, ppm != 0, r.Damaged > 0, "%v ppm", ppm)
		require.Positive(t, r.Cells)
		require.LessOrEqual(t, math.Abs(float64(r.FirstDamage)*ppm*1e-6), 2.0, "%v ppm: after %d cycles", ppm, r.FirstDamage)
	}
}

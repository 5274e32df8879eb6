package study

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// 56 of a cell's bytes in 23.25 ns on four channels are 77.08 Gb/s, 1.63 times 47.3. A factor that is 3.5 % off
// refutes the reason of Figure 15b's deviations.
func TestLoneFactor(t *testing.T) {
	f, err := loneFactor("ndp", 4*56*8/23.25, 47.3)
	require.NoError(t, err)
	require.InDelta(t, 1.6295, f, 1e-4)
	for _, rack := range []float64{1.57 * 47, 1.69 * 47, math.NaN()} {
		_, err = loneFactor("ndp", rack, 47)
		require.ErrorContains(t, err, "the reason of the claim is wrong")
	}
}

// A lone flow of 10 MB takes 178,572 cells of 56 bytes, four of them in each slot of 23.25 ns: 1.038 ms on the links.
// On the way it waits for an intermediate node and some flights, a few epochs of 3 us.
func TestLoneFlowInTheRack(t *testing.T) {
	r, err := peers.Measure(t.Context(), lonePoint(networkShoal), 1)
	require.NoError(t, err)
	ideal := 178_572 * 23.25 / 4 // ns
	require.Less(t, r.LongGbps, 8e7/ideal)
	require.Greater(t, r.LongGbps, 8e7/(ideal+30_000))
}

// A factor that stays, falls or is none refutes the reason that the torus' queues grow with the run.
func TestAFactorOfTheTorusGrows(t *testing.T) {
	require.NoError(t, grown(4.8, 5.9))
	for _, longer := range []float64{4.8, 5.2, 1, math.NaN()} {
		require.ErrorContains(t, grown(4.8, longer), "the reason of the claim is wrong")
	}
}

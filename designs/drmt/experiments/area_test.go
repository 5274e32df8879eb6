package experiments

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Table 5's totals and Table 6, as printed, from their parts.
func TestPrintedAreas(t *testing.T) {
	for i, want := range []float64{1.243, 1.056, 1.367} {
		require.InDelta(t, want, perProcessor(i), 1e-9)
	}
	for n, want := range map[int][3]float64{16: {19.9, 17.7, 22.7}, 24: {29.9, 26.6, 34.1}, 32: {39.8, 35.5, 45.5}} {
		for i := range want {
			got := float64(n) * perProcessor(i)
			if i > 0 {
				got += crossbarOf(crossbarArea, n)
			}
			require.InDelta(t, want[i], got, 0.07) // the printed parts are rounded
		}
	}
}

package study

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The nodes' own clocks are evenly spread over both sides of the switches' clock, or over the farther half of one side.
// Node 0 has the distributed one.
func TestOwnClocks(t *testing.T) {
	require.InDeltaSlice(t, []float64{0, -90, -60, -30, 0, 30, 60, 90}, ownClocks(8, 90, "around"), 1e-9)
	require.InDeltaSlice(t, []float64{0, -45, -52.5, -60, -67.5, -75, -82.5, -90}, ownClocks(8, 90, "below"), 1e-9)
	require.Equal(t, make([]float64, 8), ownClocks(8, 0, "around"))
}

package shoal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Max-min fair rates by hand. Of three nodes, one flow has the direct link and the way over the third node to itself:
// both connections of an epoch. Of four nodes with flows 0→1, 2→1 and 0→3, link 0→1 carries a subflow of each and gives
// each 1/3. All other links that are shared have two subflows and give each 1/2: 0→2, 2→1, 0→3, 3→1 and 2→3. Every flow
// has one subflow of 1/3 and two of 1/2, of three connections in all.
func TestWaterFillByHand(t *testing.T) {
	require.InDeltaSlice(t, []float64{1}, WaterFill(3, []Pair{{0, 1}}), 1e-12)
	require.InDeltaSlice(t, []float64{0.5, 0.5}, WaterFill(3, []Pair{{0, 1}, {2, 1}}), 1e-12)
	const each = (1.0/3 + 1.0/2 + 1.0/2) / 3
	require.InDeltaSlice(t, []float64{each, each, each}, WaterFill(4, []Pair{{0, 1}, {2, 1}, {0, 3}}), 1e-12)
}

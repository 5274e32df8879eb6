package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/shoal"
)

// A flow alone, and each of two that cross, has six and a half of the seven connections of an epoch of eight nodes: in
// the cyclic schedule two nodes face each other in one slot of each epoch, and the cell that could go either way in it
// goes in every second epoch. Of eight flows each has 8/14, less half of a connection at most.
func TestOneFlowAloneHasNearlyAllConnections(t *testing.T) {
	for pairs, formula := range map[int]float64{1: 1, 2: 1, 8: 8. / 14} {
		p := shoal.FabricParams{Nodes: 8, Channels: 1, Schedule: "cyclic", Equation: shoal.ByDrains, Pair: shoal.PairTurns}
		r, err := runPermutation(t.Context(), &experiment.Run{Seed: 1},
			PermutationPoint{Fabric: p, Pairs: pairs, Epochs: 200})
		require.NoError(t, err)
		require.InDelta(t, formula, r.Formula, 1e-12)
		require.Greater(t, r.Throughput, formula-0.5/7-0.001, "%d", pairs)
		require.LessOrEqual(t, r.Throughput, formula)
		require.InDelta(t, 7*r.Throughput, r.PerEpoch, 1e-9)
		require.LessOrEqual(t, r.Least, r.Throughput)
		require.InDelta(t, float64(pairs*200)*r.PerEpoch, float64(r.Cells), 1e-6)
	}
}

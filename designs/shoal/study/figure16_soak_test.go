//go:build soak

package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/shoal"
)

// Figure 16 with 150,000 flows: no queue above the printed 11 cells, no node above 336 in all, no cell more than 200 KB
// too early, and near all three.
func TestFigure16WithManyFlows(t *testing.T) {
	r, err := runLoad(t.Context(), &experiment.Run{Seed: 1}, LoadPoint{Load: 1, Flows: fig16Soak, Sizes: "pareto",
		Fabric: shoal.FabricParams{
			Nodes: 512, Channels: 4, Schedule: "cyclic", Equation: shoal.ByDrains, Pair: shoal.PairTurns,
		}})
	require.NoError(t, err)
	t.Logf("%d cells in a queue, %d in a node, %d bytes ahead", r.MaxQueue, r.MaxQueued, r.MaxReorder)
	require.LessOrEqual(t, r.MaxQueue, 11)
	require.LessOrEqual(t, r.MaxQueued, 336)
	require.LessOrEqual(t, r.MaxReorder, 200_000)
	require.GreaterOrEqual(t, r.MaxQueued, 300)
	require.GreaterOrEqual(t, r.MaxReorder, 180_000)
}

package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/shoal"
)

// What a cell waits for with ready queues is Q and R. If Equation 2 takes Q alone, fewer flows come near their fair
// rates.
func TestFairnessByLocalQueue(t *testing.T) {
	within := map[shoal.Equation]float64{}
	for _, reading := range []shoal.Equation{shoal.ByDrains, shoal.QueueAlone} {
		r, err := runFairness(t.Context(), &experiment.Run{Seed: 1}, FairnessPoint{Flows: 100, Epochs: 100, Settle: 50,
			Fabric: shoal.FabricParams{Nodes: 64, Channels: 1, Schedule: "half-epoch", Equation: reading}})
		require.NoError(t, err)
		within[reading] = r.Within
	}
	require.Greater(t, within[shoal.ByDrains], within[shoal.QueueAlone]+0.05)
}

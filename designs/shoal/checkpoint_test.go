package shoal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/internal/state"
	"github.com/goldwire/goldwire/rtl"
)

func TestCheckpointOfARack(t *testing.T) {
	designtest.CheckModel(t, 3000, func(t *testing.T) designtest.Model {
		s, err := HalfEpoch(16, 2)
		require.NoError(t, err)
		r, err := NewRack(
			RackConfig{Schedule: s, Flight: 3, Failures: &Failures{From: 700, Nodes: []int{5}}, Corrupt: 1e-3, Seed: 4},
		)
		require.NoError(t, err)
		for i := range 16 {
			require.NoError(t, r.Offer(uint64(i), i, (i+3)%16, 400))
			require.NoError(t, r.Offer(uint64(16+i), i, (i+7)%16, 30))
		}
		return designtest.Model{Run: func(slots uint64) { require.NoError(t, r.Run(t.Context(), slots)) }, Roots: []any{r}}
	})
}

// A rack can be saved in every slot, also in those in which one node after the other finds that a neighbour has failed
// and cells with the news of fewer failures are under way.
func TestCheckpointsWhileANodeFails(t *testing.T) {
	s, err := HalfEpoch(16, 2)
	require.NoError(t, err)
	r, err := NewRack(RackConfig{Schedule: s, Flight: 3, Failures: &Failures{From: 70, Nodes: []int{5}}, Seed: 4})
	require.NoError(t, err)
	require.NoError(t, r.Run(t.Context(), 60))
	failed := 0
	for range 200 {
		require.NoError(t, r.Run(t.Context(), 1))
		_, err := state.Save(r)
		require.NoError(t, err, "slot %d", r.Slot())
		failed = max(failed, r.Nodes[5].failed)
	}
	require.Greater(t, failed, 10, "the failed node misses its neighbours one by one")
}

func TestCheckpointOfAPrototype(t *testing.T) {
	designtest.CheckNetwork(t, 600, func(t *testing.T, sim rtl.Config) designtest.Network {
		s, err := Cyclic(4, 1)
		require.NoError(t, err)
		p, err := NewPrototype(PrototypeConfig{Schedule: s, PPM: []float64{0, 0, 80}, Log: true, Sim: sim})
		require.NoError(t, err)
		for i, nic := range p.NICs {
			require.NoError(t, nic.Send((i+1)%4, make([]uint64, 40)))
		}
		return designtest.Network{Sim: p.Sim, Clock: p.Clock, Roots: []any{p}}
	})
}

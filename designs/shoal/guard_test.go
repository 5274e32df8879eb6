package shoal

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a node that is off by some cycles does to cells. A slot of 12 cycles has a guard band of one, and the MAC's gap
// after the frame is another that carries nothing: so two cycles late hurt nobody, and three cut the end of its frames
// off. A cycle early, the preamble goes the way of the slot before.
func TestGuardBand(t *testing.T) {
	const node = 3
	for _, c := range []struct {
		late uint64
		hurt bool
	}{{0, false}, {1, false}, {2, false}, {3, true}, {5, true}} {
		s, err := Cyclic(8, 1)
		require.NoError(t, err)
		late := make([]uint64, 8)
		late[node] = c.late
		p, err := NewPrototype(PrototypeConfig{Schedule: s, Late: late})
		require.NoError(t, err)
		require.NoError(t, p.Clock.Run(p.Start))
		rng := rand.New(rand.NewPCG(1, 1))
		for i, nic := range p.NICs {
			require.NoError(t, nic.Send((i+1)%8, packet(rng, 5, CellBytes/8)))
		}
		require.NoError(t, p.Run(200))
		damaged, wrong := uint64(0), uint64(0)
		for _, nic := range p.NICs {
			damaged += nic.Damaged
			wrong += nic.Misrouted
		}
		require.Equal(t, c.hurt, damaged > 0, "%d cycles late: %d damaged", c.late, damaged)
		require.Zero(t, wrong)
	}
	// all the others late is one node early
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	late := []uint64{1, 1, 1, 0, 1, 1, 1, 1}
	p, err := NewPrototype(PrototypeConfig{Schedule: s, Late: late})
	require.NoError(t, err)
	require.NoError(t, p.Run(150))
	damaged := uint64(0)
	for _, nic := range p.NICs {
		damaged += nic.Damaged
	}
	require.Positive(t, damaged)
}

package shoal

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func packet(rng *rand.Rand, cells, words int) []uint64 {
	p := make([]uint64, cells*(words-1))
	for i := range p {
		p[i] = rng.Uint64()
	}
	return p
}

// The rack bit by bit and the rack slot by slot put the same cell with the same feedback on every link in every slot,
// for the same traffic, and every word arrives.
func TestPrototypeAgainstRack(t *testing.T) {
	for _, c := range []struct {
		nodes, bytes int
		half         bool
	}{{8, 64, false}, {8, 64, true}, {7, 128, true}, {8, 512, false}, {16, 64, false}} {
		make := Cyclic
		if c.half {
			make = HalfEpoch
		}
		s, err := make(c.nodes, 1)
		require.NoError(t, err)
		p, err := NewPrototype(PrototypeConfig{Schedule: s, CellBytes: c.bytes, Log: true})
		require.NoError(t, err)
		r := newTestRack(t, s, p.Flight(), Options{})
		rng := rand.New(rand.NewPCG(uint64(c.nodes), uint64(c.bytes)))
		logged := 0
		compare := func() {
			for i, nic := range p.NICs {
				require.Greater(t, len(nic.Log), logged)
				require.Equal(t, r.sentIn(uint64(logged))[i], nic.Log[logged], "slot %d, node %d", logged, i)
			}
			logged++
		}
		require.NoError(t, p.Clock.Run(p.Start))
		for slot := range 400 {
			if slot < 200 && slot%5 == 0 {
				from, to, cells := rng.IntN(c.nodes), rng.IntN(c.nodes), 1+rng.IntN(12)
				if rng.IntN(2) == 0 {
					to = 0
				}
				if from != to {
					require.NoError(t, p.NICs[from].Send(to, packet(rng, cells, c.bytes/8)))
					require.NoError(t, r.Offer(uint64(slot), from, to, uint32(cells)))
				}
			}
			require.NoError(t, p.Run(1))
			r.Step()
			require.NoError(t, r.Broken())
			compare()
		}
		require.Positive(t, r.ArrivedCells())
		for i, nic := range p.NICs {
			require.Zero(t, nic.Misrouted)
			require.Zero(t, nic.Damaged)
			require.Equal(t, r.Nodes[i].Counts, nic.Node.Counts)
			for to, words := range nic.Host {
				require.Equal(t, len(words), len(p.NICs[to].Arrived[i]))
				require.Equal(t, words, append([]uint64(nil), p.NICs[to].Arrived[i]...))
			}
		}
	}
}

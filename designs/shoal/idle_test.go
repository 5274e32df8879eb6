package shoal

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A rack that skips idle slots and one that runs them all send the same headers in the slots that both run, and
// complete the same messages.
func TestSkipIdle(t *testing.T) {
	skipped := uint64(0)
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawRack(t)
		cfg.Failures, cfg.Corrupt, cfg.Workers = nil, 0, 0
		cfg.Options.LessOne = false
		slow, err := NewRack(cfg)
		require.NoError(t, err)
		fast, err := NewRack(cfg)
		require.NoError(t, err)
		n := cfg.Schedule.nodes
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "traffic"), 3))
		for id := range uint64(25) {
			next := fast.slot + uint64(rng.IntN(1500))
			for fast.slot < next {
				before := fast.slot
				fast.SkipIdle(next)
				skipped += fast.slot - before
				for slow.slot < fast.slot {
					slow.Step()
				}
				if fast.slot < next {
					fast.Step()
					slow.Step()
					require.Equal(t, slow.sentIn(slow.slot-1), fast.sentIn(fast.slot-1), "slot %d", slow.slot-1)
				}
			}
			from := rng.IntN(n)
			to := (from + 1 + rng.IntN(n-1)) % n
			require.NoError(t, slow.Offer(id, from, to, uint32(1+id%9)))
			require.NoError(t, fast.Offer(id, from, to, uint32(1+id%9)))
		}
		for range 2000 {
			fast.Step()
			slow.Step()
		}
		require.Zero(t, fast.Pending())
		require.Equal(t, slow.Done(), fast.Done())
		for i := range fast.Nodes {
			require.Equal(t, slow.Nodes[i].Counts, fast.Nodes[i].Counts)
		}
		require.NoError(t, fast.Conservation())
	})
	require.Positive(t, skipped)
}

package shoal

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// traffic drives a rack for some hundred slots, in runs of several slots, and returns a hash of every cell on every
// link with its feedback, of all completions and counts.
func traffic(t *testing.T, cfg RackConfig) uint64 {
	r, err := NewRack(cfg)
	require.NoError(t, err)
	n := cfg.Schedule.Nodes()
	rng := rand.New(rand.NewPCG(4, uint64(n)))
	h := fnv.New64a()
	for run := range 60 {
		for range rng.IntN(4) {
			if from, to := rng.IntN(n), rng.IntN(n)*rng.IntN(2); from != to { // half of them to node 0
				require.NoError(t, r.Offer(uint64(run), from, to, uint32(1+rng.IntN(80))))
			}
		}
		require.NoError(t, r.Run(t.Context(), 1+rng.Uint64N(30)))
		require.NoError(t, binary.Write(h, binary.LittleEndian, r.sentIn(r.slot-1)))
		fmt.Fprint(h, r.Done())
	}
	require.NoError(t, r.Conservation())
	for i := range r.Nodes {
		fmt.Fprint(h, r.Nodes[i].Counts)
	}
	require.Positive(t, r.ArrivedCells())
	return h.Sum64()
}

// However many workers share the nodes, the bits are the same: with and without a flight, over several channels, with
// failures and with corrupt headers.
func TestSharedNodesSameBits(t *testing.T) {
	for _, c := range []struct {
		nodes, channels, flight int
		corrupt                 float64
		failed                  []int
	}{{16, 1, 0, 0, nil}, {17, 2, 1, 0, nil}, {16, 1, 21, 0, nil}, {15, 3, 5, 0.02, nil}, {16, 2, 3, 0, []int{3, 9}},
		{16, 1, 0, 0, []int{5}}} {
		s, err := HalfEpoch(c.nodes, c.channels)
		require.NoError(t, err)
		cfg := RackConfig{Schedule: s, Flight: c.flight, Corrupt: c.corrupt, Seed: 7}
		if c.failed != nil {
			cfg.Failures = &Failures{From: 100, Nodes: c.failed}
		}
		alone := traffic(t, cfg)
		for _, workers := range []int{2} {
			cfg.Workers = workers
			require.Equal(t, alone, traffic(t, cfg), "%d workers, %+v", workers, c)
		}
	}
}

// Several workers report the same fault first as one worker does.
func TestSharedNodesSameFault(t *testing.T) {
	var first string
	for _, workers := range []int{1, 3} {
		s, err := Cyclic(9, 1)
		require.NoError(t, err)
		r, err := NewRack(RackConfig{Schedule: s, Options: Options{LessOne: true}, Workers: workers})
		require.NoError(t, err)
		rng := rand.New(rand.NewPCG(16, 1))
		for k := range 100 {
			if from, to := rng.IntN(9), rng.IntN(9); from != to {
				require.NoError(t, r.Offer(uint64(k), from, to, 1000))
			}
		}
		err = r.Run(t.Context(), 5000)
		require.ErrorContains(t, err, "two cells of the flow")
		if first == "" {
			first = err.Error()
		}
		require.Equal(t, first, err.Error(), "%d workers", workers)
	}
}

// Of two faults the first is the one in the earlier slot, then of the lower channel, then of the lower node.
func TestFirstFault(t *testing.T) {
	order := []fault{{"a", 1, 2, 8}, {"b", 2, 0, 5}, {"c", 2, 0, 6}, {"d", 2, 1, 0}, {"e", 3, 0, 0}, {}}
	for i := range order {
		for j := range order {
			require.Equal(t, i < j, order[i].before(&order[j]), "%v and %v", order[i], order[j])
		}
	}
}

// A fault is told with its slot, its channel and its node, whichever worker has the node.
func TestFaultsAreTold(t *testing.T) {
	s, err := Cyclic(12, 3)
	require.NoError(t, err)
	r, err := NewRack(RackConfig{Schedule: s, Workers: 2})
	require.NoError(t, err)
	r.Nodes[7].Broken = "while releasing"
	r.release(&r.shares[1], 6, 0, 0)
	require.Equal(t, fault{"while releasing", 6, 0, 7}, r.shares[1].fault)
	r.Nodes[3].Broken = "while receiving"
	r.watch(&r.shares[0], 6, 2, 3, dummy(3), 0)
	require.Equal(t, fault{"while receiving", 6, 2, 3}, r.shares[0].fault)
	r.collect()
	require.EqualError(t, r.Broken(), "slot 6: while releasing")
}

func TestShareNodes(t *testing.T) {
	for _, workers := range []int{-1, 9} {
		_, err := shareNodes(8, workers)
		require.ErrorContains(t, err, fmt.Sprintf("%d workers for 8 nodes, want 0 to 8", workers))
	}
	for workers := 1; workers <= 8; workers++ {
		shares, err := shareNodes(8, workers)
		require.NoError(t, err)
		next := 0
		for _, s := range shares {
			require.Equal(t, next, s.from)
			require.Greater(t, s.to, s.from)
			next = s.to
		}
		require.Equal(t, 8, next)
	}
}

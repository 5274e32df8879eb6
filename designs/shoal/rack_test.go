package shoal

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func newTestRack(t require.TestingT, s *Schedule, flight int, o Options) *Rack {
	r, err := NewRack(RackConfig{Schedule: s, Flight: flight, Options: o})
	require.NoError(t, err)
	return r
}

func halfEpoch(t require.TestingT, nodes int) *Schedule {
	s, err := HalfEpoch(nodes, 1)
	require.NoError(t, err)
	return s
}

// A permutation of k of N nodes gets (2N-k) / (2(N-1)) of the connections of an epoch at each destination: N-k links
// with nobody else's cells at a whole one, k-2 at a half, and the direct one whole.
func TestPermutationThroughput(t *testing.T) {
	for _, nodes := range []int{8, 9, 64} {
		for _, k := range []int{2, 3, nodes / 2, nodes - 1, nodes} {
			r := newTestRack(t, halfEpoch(t, nodes), 0, Options{})
			for i := range k {
				require.NoError(t, r.Offer(uint64(i), i, (i+1)%k, 1<<30))
			}
			require.NoError(t, r.Run(t.Context(), 20*uint64(r.Epoch())))
			before := r.ArrivedCells()
			const epochs = 50
			require.NoError(t, r.Run(t.Context(), epochs*uint64(r.Epoch())))
			got := float64(r.ArrivedCells()-before) / float64(k*epochs*(nodes-1))
			require.InEpsilon(t, float64(2*nodes-k)/float64(2*(nodes-1)), got, 0.01, "%d of %d", k, nodes)
			require.NoError(t, r.Conservation())
		}
	}
}

// With the plain cyclic schedule a pair half the nodes apart talks in one and the same slot: feedback comes an epoch
// late.
func TestCyclicLosesHalfASlot(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	r := newTestRack(t, s, 0, Options{})
	require.NoError(t, r.Offer(0, 0, 4, 1<<30))
	require.NoError(t, r.Offer(1, 4, 0, 1<<30))
	require.NoError(t, r.Run(t.Context(), 700))
	before := r.ArrivedCells()
	require.NoError(t, r.Run(t.Context(), 700))
	require.InDelta(t, 6.5/7, float64(r.ArrivedCells()-before)/1400, 0.002)
}

// Whatever is sent when and over which schedule, flights and channels: the invariants hold in every slot, and every
// message arrives whole, in order, once.
func TestInvariantsUnderAnyTraffic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(3, 14).Draw(t, "nodes")
		channels := rapid.IntRange(1, 3).Draw(t, "channels")
		make := Cyclic
		if rapid.Bool().Draw(t, "half") {
			make = HalfEpoch
		}
		s, err := make(nodes, channels)
		require.NoError(t, err)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		if rapid.Bool().Draw(t, "shuffled") {
			rng.Shuffle(
				len(s.to),
				func(a, b int) { s.to[a], s.to[b] = s.to[b], s.to[a]; s.from[a], s.from[b] = s.from[b], s.from[a] },
			)
		}
		o := Options{
			NoReady: rapid.Bool().Draw(t, "no ready"), NoAge: rapid.Bool().Draw(t, "no age"),
			WholeEpochs: rapid.Bool().Draw(t, "whole"),
		}
		flight := rapid.IntRange(0, 3*s.Epoch()).Draw(t, "flight")
		r := newTestRack(t, s, flight, o)
		incast := rapid.Bool().Draw(t, "incast")
		sent := 0
		for slot := 0; slot < 3000; slot++ {
			for sent < 40 && rng.IntN(10) == 0 {
				from, to := rng.IntN(nodes), rng.IntN(nodes)
				if incast {
					to = 0
				}
				if from != to {
					require.NoError(t, r.Offer(uint64(sent), from, to, uint32(1+rng.IntN(60))))
					sent++
				}
			}
			r.Step()
			require.NoError(t, r.Broken())
			if slot%500 == 0 {
				require.NoError(t, r.Conservation())
			}
			if slot%10 == 0 && !o.NoReady {
				for i := range r.Nodes {
					n := &r.Nodes[i]
					for row := range r.Times.Rows {
						require.LessOrEqual(
							t, n.Link(row).local, uint8(1), "slot %d: node %d has local cells in row %d's queue", slot, i, row,
						)
					}
				}
			}
		}
		for r.Pending() > 0 && r.Slot() < 200_000 {
			r.Step()
		}
		require.Zero(t, r.Pending(), "slot %d", r.Slot())
		require.Len(t, r.Done(), sent)
		require.NoError(t, r.Conservation())
		for i := range r.Nodes {
			n := &r.Nodes[i]
			require.Zero(t, r.Links.queued[i])
			require.Zero(t, n.Counts.Duplicate, "node %d", i)
			for from := range nodes {
				require.Equal(t, r.open[from*nodes+i], n.InFlow(from).Expected)
				require.Zero(t, n.InFlow(from).Held)
			}
		}
	})
}

// Equation 6 to the letter lets a subflow have two cells in the intermediate's queue.
func TestEquation6ToTheLetter(t *testing.T) {
	s, err := Cyclic(9, 1)
	require.NoError(t, err)
	for _, letter := range []bool{false, true} {
		rng := rand.New(rand.NewPCG(16, 1))
		r := newTestRack(t, s, 0, Options{LessOne: letter})
		for k := range 100 {
			if from, to := rng.IntN(9), rng.IntN(9); from != to {
				require.NoError(t, r.Offer(uint64(k), from, to, 1000))
			}
		}
		err := r.Run(t.Context(), 5000)
		if letter {
			require.ErrorContains(t, err, "are in the intermediate's queue")
		} else {
			require.NoError(t, err)
		}
	}
}

// The monitor sees a sender that ignores feedback.
func TestMonitorSeesFaults(t *testing.T) {
	r := newTestRack(t, halfEpoch(t, 8), 0, Options{})
	for i := 1; i < 8; i++ {
		require.NoError(t, r.Offer(uint64(i), i, 0, 1000))
	}
	for range 40 {
		for i := range r.Nodes[3].due {
			r.Nodes[3].due[i] = 0
		}
		r.Links.begun[3]++ // what the queues keep of it holds no more
		r.Step()
	}
	require.ErrorContains(t, r.Broken(), "two cells of the flow from 3 to 0")
}

// Queues lie in their record and beyond; a plain slice has their expected contents.
func TestCellQueueAgainstSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store := spill{free: -1}
		var q [2]cellQueue
		var want [2][]Cell
		for k := range rapid.IntRange(1, 200).Draw(t, "n") {
			which := rapid.IntRange(0, 1).Draw(t, "queue")
			c := NewCell(k%7, 8, uint32(k), false, false)
			switch op := rapid.IntRange(0, 4).Draw(t, "op"); {
			case op < 2:
				q[which].push(c, &store)
				want[which] = append(want[which], c)
			case op == 2:
				q[which].pushFront(c, &store)
				want[which] = append([]Cell{c}, want[which]...)
			case len(want[which]) > 0:
				require.Equal(t, want[which][0], q[which].pop(&store))
				want[which] = want[which][1:]
			}
			require.Len(t, want[which], int(q[which].Level.Length))
			has := false
			for _, w := range want[which] {
				has = has || w.Source() == 3
			}
			require.Equal(t, has, q[which].holds(NewCell(3, 8, 0, false, false), &store))
		}
	})
}

// The same traffic gives the same completions.
func TestSameSeedSameBits(t *testing.T) {
	run := func() string {
		r := newTestRack(t, halfEpoch(t, 16), 3, Options{})
		rng := rand.New(rand.NewPCG(5, 6))
		text := ""
		for k := range 300 {
			if from, to := rng.IntN(16), rng.IntN(16); from != to {
				require.NoError(t, r.Offer(uint64(k), from, to, uint32(1+rng.IntN(300))))
			}
			require.NoError(t, r.Run(t.Context(), 20))
			text += fmt.Sprint(r.Done())
		}
		return text
	}
	require.Equal(t, run(), run())
}

// No slot allocates once the rack has been through the same load.
func TestNoAllocationASlot(t *testing.T) {
	r := newTestRack(t, halfEpoch(t, 32), 0, Options{})
	for i := range 32 {
		require.NoError(t, r.Offer(uint64(i), i, (i+7)%32, 1<<30))
	}
	require.NoError(t, r.Run(t.Context(), 3000))
	require.Zero(t, testing.AllocsPerRun(1000, r.Step))
}

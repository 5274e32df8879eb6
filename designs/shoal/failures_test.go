package shoal

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Whatever fails, and whenever: no queue breaks its bound, every cell is delivered, waiting, or counted as lost, and flows between nodes
// that can still reach each other and have lost nothing come to their end.
func TestFailuresHangNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(6, 18).Draw(t, "nodes")
		s, err := Cyclic(nodes, rapid.IntRange(1, 2).Draw(t, "channels"))
		require.NoError(t, err)
		clos, err := Decompose(s, FewestPorts(nodes))
		require.NoError(t, err)
		f := &Failures{Clos: clos, From: rapid.Uint64Range(0, 400).Draw(t, "from")}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		switch rapid.IntRange(0, 4).Draw(t, "what") {
		case 0:
			f.Nodes = rng.Perm(nodes)[:1+rng.IntN(nodes/2)]
		case 1:
			f.Links = rng.Perm(nodes)[:1]
		case 2:
			f.Leaves = []int{rng.IntN(clos.Leaves)}
		case 3:
			f.Spines = []int{rng.IntN(clos.Spines)}
		case 4:
			f.Uplink = [][2]int{{rng.IntN(clos.Leaves), rng.IntN(clos.Spines)}}
		}
		flight := rapid.IntRange(0, 20).Draw(t, "flight")
		r, err := NewRack(RackConfig{Schedule: s, Flight: flight, Failures: f})
		require.NoError(t, err)
		for k := range 40 {
			if from, to := rng.IntN(nodes), rng.IntN(nodes); from != to {
				require.NoError(t, r.Offer(uint64(k), from, to, uint32(1+rng.IntN(60))))
			}
			require.NoError(t, r.Run(t.Context(), 20))
		}
		require.NoError(t, r.Run(t.Context(), 20_000))
		require.NoError(t, r.Conservation())
		lost := r.failures.lost
		for i, n := range r.nodes {
			lost += n.Counts.Lost
			if !r.failures.dead[i] {
				for row := range r.times.rows { // nothing is left that could go
					q := n.queue(row)
					require.Zero(t, q.length, "node %d, row %d to %d, down %v", i, row, q.neighbour, q.down)
				}
			}
		}
		if len(f.Spines)+len(f.Leaves)+len(f.Links)+len(f.Uplink)+len(f.Nodes) > 0 && r.Pending() > 0 {
			require.True(t, lost > 0 || unreachable(r), "%d messages wait though nothing was lost", r.Pending())
		}
	})
}

// unreachable tells whether a message waits that has no way: one of its ends is dead, or all ways are.
func unreachable(r *Rack) bool {
	for from := range r.nodes {
		for to := range r.nodes {
			if from == to || r.head[from*len(r.nodes)+to] < 0 {
				continue
			}
			if r.failures.dead[from] || r.failures.dead[to] {
				return true
			}
			ways := 0
			for via := range r.nodes {
				if via == from {
					continue
				}
				first := int(r.times.pair[from*len(r.nodes)+via])
				ok := !r.failures.path[first*len(r.nodes)+from] && !r.failures.dead[via]
				if via != to {
					second := int(r.times.pair[via*len(r.nodes)+to])
					ok = ok && !r.failures.path[second*len(r.nodes)+via]
				}
				if ok {
					ways++
				}
			}
			if ways == 0 {
				return true
			}
		}
	}
	return false
}

// Corrupt headers are sent again until every cell has arrived, whatever share of them is hit.
func TestCorruptionLosesNothing(t *testing.T) {
	for _, share := range []float64{0.001, 0.02, 0.2} {
		for _, flight := range []int{0, 21} {
			s, err := HalfEpoch(8, 1)
			require.NoError(t, err)
			r, err := NewRack(RackConfig{Schedule: s, Flight: flight, Corrupt: share, Seed: 4})
			require.NoError(t, err)
			rng := rand.New(rand.NewPCG(1, uint64(flight)))
			sent := 0
			for k := range 200 {
				if from, to := rng.IntN(8), rng.IntN(8); from != to {
					require.NoError(t, r.Offer(uint64(k), from, to, uint32(1+rng.IntN(40))))
					sent++
				}
				require.NoError(t, r.Run(t.Context(), 30))
			}
			require.NoError(t, r.Run(t.Context(), 60_000))
			require.Zero(t, r.Pending(), "share %v, flight %d", share, flight)
			require.Len(t, r.Done(), sent)
			again := uint64(0)
			for _, n := range r.nodes {
				again += n.Counts.Again
			}
			require.Positive(t, again)
		}
	}
}

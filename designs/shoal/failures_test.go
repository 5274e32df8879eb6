package shoal

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Whatever fails, and whenever: no queue breaks its bound, every cell is delivered, waiting, or counted as lost, and
// flows between nodes that can still reach each other and have lost nothing come to their end.
func TestFailuresHangNothing(t *testing.T) {
	stuck := 0
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
				require.False(t, r.Stuck())
			}
			require.NoError(t, r.Run(t.Context(), 20))
		}
		var sent uint64 // cells when it was stuck
		for range 20_000 {
			require.NoError(t, r.Run(t.Context(), 1))
			if sent == 0 && r.Stuck() {
				sent = r.CellsOut()
				stuck++
			}
		}
		if sent > 0 {
			require.Equal(t, sent, r.CellsOut(), "a cell moved in a rack that was stuck")
		}
		require.NoError(t, r.Conservation())
		lost := r.lostOnPaths()
		for i := range r.Nodes {
			n := &r.Nodes[i]
			lost += n.Counts.Lost
			if !r.failures.dead[i] {
				for row := range r.Times.Rows { // nothing is left that could go
					q := n.Link(row)
					require.Zero(t, q.Level.Length, "node %d, row %d to %d, down %v", i, row, n.neighbour(row), q.Down)
				}
			}
		}
		require.LessOrEqual(
			t, r.waitingPairs(), int(lost)+unreachable(r),
			"pairs wait though they have lost nothing, and can reach each other",
		)
	})
	require.Positive(t, stuck)
}

// waitingPairs counts the pairs of nodes with a message that is not complete.
func (r *Rack) waitingPairs() (pairs int) {
	for i := range r.Inboxes {
		pairs += int(r.Incast[i])
	}
	return pairs
}

// unreachable counts the pairs with an incomplete message that have no way left. Two nodes are joined if both live and
// cells come through both ways: a node that hears nothing stops sending too (§3.5).
func unreachable(r *Rack) (pairs int) {
	n, g := len(r.Nodes), r.failures
	through := func(a, b int) bool { return !g.path[int(r.Times.pair[a*n+b])*n+a] }
	joined := func(a, b int) bool { return !g.dead[a] && !g.dead[b] && through(a, b) && through(b, a) }
	for from := range n {
		for to := range n {
			if from == to || r.Inboxes[to].head[from] < 0 {
				continue
			}
			ways := 0
			for via := range n {
				if via != from && joined(from, via) && (via == to || joined(via, to)) {
					ways++
				}
			}
			if ways == 0 {
				pairs++
			}
		}
	}
	return pairs
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
			sent, cells := 0, uint64(0)
			for k := range 200 {
				if from, to := rng.IntN(8), rng.IntN(8); from != to {
					size := uint32(1 + rng.IntN(40))
					require.NoError(t, r.Offer(uint64(k), from, to, size))
					cells += uint64(size)
					sent++
				}
				require.NoError(t, r.Run(t.Context(), 30))
			}
			require.NoError(t, r.Run(t.Context(), 60_000))
			require.Zero(t, r.Pending(), "share %v, flight %d", share, flight)
			require.Len(t, r.Done(), sent)
			require.NoError(t, r.Conservation())
			require.Equal(t, cells, r.ArrivedCells(), "each cell counts once")
			again, twice := uint64(0), uint64(0)
			for i := range r.Nodes {
				n := &r.Nodes[i]
				again += n.Counts.Again
				twice += n.Counts.Duplicate
			}
			require.Positive(t, again)
			if share > 0.01 {
				require.Positive(t, twice) // a cell that had come, whose answer was hit
			}
		}
	}
}

// Each node of a rack hears from each other one which nodes that one cannot reach any more, and notes it for the row in
// which it sends to the teller (§3.5).
func TestFailedNodesAreTold(t *testing.T) {
	const nodes, dead = 9, 2
	s, err := Cyclic(nodes, 1)
	require.NoError(t, err)
	r, err := NewRack(RackConfig{Schedule: s, Failures: &Failures{Nodes: []int{dead}}})
	require.NoError(t, err)
	require.NoError(t, r.Run(t.Context(), 4*uint64(r.Epoch())))
	for i := range r.Nodes {
		for j := range r.Nodes {
			if i == j || i == dead || j == dead {
				continue
			}
			n := &r.Nodes[i]
			for k := range nodes {
				at := n.RowTo(j)*nodes + k
				require.Equal(t, k == dead, n.cut[at>>6]>>(at&63)&1 != 0, "node %d of node %d by node %d", i, k, j)
			}
		}
	}
}

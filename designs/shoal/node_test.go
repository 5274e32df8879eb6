package shoal

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func testNode(t *testing.T, id, nodes int, o Options) *Node {
	f, err := newFabricTimes(halfEpoch(t, nodes), 0, o)
	require.NoError(t, err)
	return newNode(id, f, newLinks(1, f), 0)
}

// A new flow's cell enters a queue of up to 1, 2, 4, 8, 16 cells in the first, second, ... epoch since its start, and
// any later (§3.3.3).
func TestAgeRule(t *testing.T) {
	const start = 5
	for age, longest := range []int{1, 2, 4, 8, 16, 32} {
		for length := range 40 {
			for _, off := range []bool{false, true} {
				n := testNode(t, 0, 50, Options{NoAge: off})
				q := n.Link(0)
				for k := range length {
					n.push(q, NewCell(2+k, n.neighbour(0), 0, false, false))
				}
				n.Offer(n.neighbour(0)%48+1, 1, start)
				n.Release(0, start+int32(age))
				require.Equal(t, off || length <= longest, q.local == 1, "age %d, %d cells, rule off %v", age, length, off)
			}
		}
	}
}

// The feedback that node 0 gives node 6 for a cell to node 5, counted by hand: one cell of node 6 in Q, and own flows
// in R, of which the first has its cell in Q as well. Equation 6 counts that one twice and subtracts one.
func TestFeedbackByHand(t *testing.T) {
	for _, c := range []struct {
		own  int
		o    Options
		want int
	}{
		{0, Options{}, 1}, {1, Options{}, 2}, {2, Options{}, 3}, {3, Options{}, 4},
		{3, Options{NoReady: true}, 4},                                 // all in Q, Equation 1
		{0, Options{LessOne: true}, 0}, {3, Options{LessOne: true}, 4}, // Equation 6 to the letter: 1 + 0 - 1, 2 + 3 - 1
	} {
		c.o.NoAge = true
		n := testNode(t, 0, 8, c.o)
		to, back, from := n.RowTo(5), n.RowTo(6), int(n.Times.pair[6*8])
		for k := range c.own {
			n.Offer(1+k, 4, 0)
		}
		n.Release(to, 0)
		require.Equal(t, FeedbackNone, n.Transmit(back, 0).Feedback(), "nothing has come")
		q := n.Link(to)
		require.Equal(t, 1+int(q.local), n.Receive(from, NewCell(6, 5, 9, true, true), 0).Queued)
		require.Equal(t, c.want, n.Transmit(back, 1).Feedback(), "%d own flows, %+v", c.own, c.o)
		require.Equal(t, FeedbackNone, n.Transmit(back, 2).Feedback(), "nothing has come since")

		n.Receive(from, dummy(6), 2)
		require.Equal(t, FeedbackMine, n.Transmit(back, 3).Feedback())
		n.Receive(from, NewCell(6, 0, 0, true, true), 3)
		require.Equal(t, FeedbackMine, n.Transmit(back, 4).Feedback())
		n.ReceiveCorrupt(from, dummy(6), 4)
		h := n.Transmit(back, 5)
		require.Equal(t, FeedbackCorrupt, h.Feedback())
		require.True(t, h.Dropped())
	}
}

// A cell goes out in every slot, whether anything waits or not, and only to a neighbour that lives (§3.3.1, §3.5).
func TestACellInEverySlot(t *testing.T) {
	r := newTestRack(t, halfEpoch(t, 9), 0, Options{})
	require.NoError(t, r.Offer(0, 1, 2, 5))
	for range 100 {
		r.Step()
		for i, c := range r.sentIn(r.Slot() - 1) {
			require.NotEqual(t, silence, c, "slot %d, node %d", r.Slot(), i)
			if i != 1 && r.Slot() > 50 {
				require.Equal(t, []int{i, i}, []int{c.Source(), c.Dest()})
			}
		}
	}
	n := testNode(t, 0, 9, Options{})
	n.Receive(int(n.Times.pair[n.neighbour(3)*9]), silence, 0)
	require.Equal(t, silence, n.Transmit(3, 1))
	require.Equal(t, Cell(dummy(0).withFeedback(FeedbackNone)), n.Transmit(4, 1))
}

// A NIC takes no cell whose FCS or whose header is wrong, and says so to its sender.
func TestNICSeesDamage(t *testing.T) {
	const from = 3
	for _, c := range []struct {
		flip Cell
		good bool
		want uint64
	}{{0, true, 0}, {0, false, 1}, {1 << 63, true, 1}, {1 << 20, true, 1}, {1, true, 1}} {
		node := testNode(t, 0, 8, Options{})
		nic := newNIC(node, CellBytes/8, 1, true)
		row := node.Times.pair[from*8]
		nic.take(
			incoming{header: NewCell(from, 0, 0, true, true).Seal() ^ c.flip, good: c.good, valid: true, slot: uint64(row)},
			make([]uint64, CellBytes/8-1),
		)
		require.Equal(t, c.want, nic.Damaged, "flip %x, FCS right %v", uint64(c.flip), c.good)
		require.Len(t, nic.Deliver, int(1-c.want))
		require.Equal(t, c.want == 1, node.Transmit(node.RowTo(from), 1).Dropped())
	}
}

// New flows that enter a queue in the same epoch count for each other under the 2^age rule, also where all enter it at
// once.
func TestAgeRuleAmongNewFlows(t *testing.T) {
	n := testNode(t, 0, 9, Options{NoReady: true})
	q := n.Link(0)
	n.push(q, NewCell(7, n.neighbour(0), 0, false, false))
	for dest := 2; dest <= 4; dest++ {
		n.Offer(dest, 1, 5)
	}
	n.Release(0, 5)
	require.EqualValues(t, 1, q.local, "the second flow finds two cells")
	n.Release(0, 6)
	require.EqualValues(t, 2, q.local, "the third finds three")
}

// Feedback counts waiting cells on both sides of the lengths that fit into a byte, up and down again.
func TestFeedbackOfALongQueue(t *testing.T) {
	const nodes, dest, most = 601, 600, 280
	n := testNode(t, 0, nodes, Options{})
	from, waits := 0, 0
	receive := func() {
		from++
		waits++
		require.Equal(t, waits, n.Receive(int(n.Times.pair[from*nodes]), NewCell(from, dest, 0, true, true), 0).Queued)
		require.Equal(t, waits, n.Transmit(n.RowTo(from), 1).Feedback())
	}
	for range most {
		receive()
	}
	for waits > 2 {
		for range 2 {
			require.Equal(t, dest, n.Transmit(n.RowTo(dest), 1).Dest())
			waits--
		}
		receive()
	}
}

// A cell whose next hop has failed is discarded, and its sender is told with the next header (§3.5).
func TestCellForAFailedNeighbour(t *testing.T) {
	n := testNode(t, 0, 8, Options{})
	n.Receive(int(n.Times.pair[5*8]), silence, 0)
	require.Zero(t, n.Receive(int(n.Times.pair[3*8]), NewCell(3, 5, 0, true, true), 0).Queued)
	require.EqualValues(t, 1, n.Counts.Lost)
	c := n.Transmit(n.RowTo(3), 1)
	require.True(t, c.Dropped())
	require.Equal(t, FeedbackMine, c.Feedback(), "nothing waits for it")
}

// drains, against counting rows one by one: between the neighbour's row of the feedback and the end of the slot in
// which the next cell goes, the remote queue's row comes up a number of times, which is the epochs between less drains.
func TestDrainsByCounting(t *testing.T) {
	for _, nodes := range []int{7, 8, 13} {
		for channels := 1; channels <= 4; channels++ {
			s, err := HalfEpoch(nodes, channels)
			require.NoError(t, err)
			f, err := newFabricTimes(s, 0, Options{})
			require.NoError(t, err)
			n := newNode(0, f, newLinks(1, f), 0)
			for row := range f.Rows {
				for back := range f.Rows {
					for remote := range f.Rows {
						const epochs = 3
						counted := 0
						for g := back + 1; g < epochs*f.Rows+(row/channels+1)*channels; g++ {
							if g%f.Rows == remote {
								counted++
							}
						}
						require.Equal(
							t, epochs-counted, n.drains(row, back, remote),
							"%d nodes, %d channels: row %d, back %d, remote %d", nodes, channels, row, back, remote,
						)
					}
				}
			}
		}
	}
}

// Cells of a flow in any order, some of them twice, where the 22 bits of the sequence number start again: each counts
// once, and the order agrees with a set of numbers.
func TestDeliverAgainstSet(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 22))
		n := testNode(t, 0, 8, Options{})
		const first, cells = 1<<22 - 300, 1000
		n.InFlow(3).Expected = first
		window := 1 + rng.IntN(200) // cells under way
		have, next, order := map[uint32]bool{}, uint32(first), uint32(first)
		var flying []uint32
		twice := uint64(0)
		for len(flying) > 0 || next < first+cells {
			for len(flying) < window && next < first+cells {
				flying = append(flying, next)
				next++
			}
			at := rng.IntN(len(flying))
			k := flying[at]
			if rng.IntN(5) > 0 {
				flying = append(flying[:at], flying[at+1:]...)
			} // or it comes again
			if have[k] {
				twice++
			}
			have[k] = true
			before := order
			for have[order] {
				order++
			}
			require.Equal(t, order-before, n.deliver(n.InFlow(3), NewCell(3, 0, k, false, false)), "seed %d, cell %d", seed, k)
			require.Equal(t, order, n.InFlow(3).Expected)
			require.EqualValues(t, len(have), n.Counts.Delivered)
			require.Equal(t, twice, n.Counts.Duplicate)
		}
		require.EqualValues(t, first+cells, order)
		require.Positive(t, twice)
	}
}

// The rate limit feedback of a corrupt header counts, before the header is discarded and the last cell goes out again
// (Appendix D). Worked out for node 0 of 8, Figure 3: its cell for node 5 goes to node 3 in row 2, node 3 answers in
// row 4 of the same epoch, and node 3's queue for node 5 drains in row 1. With 4 cells there at row 4 of epoch 0 one
// drains in row 1 of each epoch from the next on, so row 2 of epoch 4 is the first one before which all four have left.
// The copy of the cell brings feedback of its own, which counts only until a later cell is out.
func TestFeedbackOfACorruptHeader(t *testing.T) {
	const row, back = 2, 4
	start := func(flows int, o Options) *Node {
		s, err := Cyclic(8, 1)
		require.NoError(t, err)
		f, err := newFabricTimes(s, 0, o)
		require.NoError(t, err)
		n := newNode(0, f, newLinks(1, f), 0)
		for k := range flows {
			n.Offer(5+k, 100, -100)
		}
		n.Release(row, 0)
		require.Equal(t, 5, n.Transmit(row, 0).Dest())
		return n
	}
	own := func(n *Node) int { return int(n.Link(row).local) }
	for _, c := range []struct {
		name     string
		feedback int
		first    int32 // epoch in which the next cell may go
	}{{"four cells", 4, 4}, {"nothing waits", FeedbackMine, 1}, {"three cells", 3, 3},
		{"two, and the copy in Q counts as one drain more", 2, 1}, {"a wrong one", 2000, 2000}} {
		n := start(1, Options{})
		n.ReceiveCorrupt(back, dummy(3).withFeedback(c.feedback), 0)
		for epoch := int32(1); epoch <= c.first; epoch++ {
			n.Release(row, epoch)
			if epoch == 1 {
				out := n.Transmit(row, epoch)
				require.Equal(
					t, []int{0, 5, 0}, []int{out.Source(), out.Dest(), int(out.Sequence())}, "%s: the cell goes out again",
					c.name,
				)
				require.Zero(t, out&answered, "the mark stays in the node")
			}
			require.Equal(t, epoch == c.first, own(n) == 1, "%s, epoch %d", c.name, epoch)
		}
	}
	// Without a length nothing is known: the next cell waits for the answer to the copy.
	for _, none := range []int{FeedbackNone, FeedbackCorrupt} {
		n := start(1, Options{})
		n.ReceiveCorrupt(back, dummy(3).withFeedback(none), 0)
		n.Release(row, 3000)
		require.Zero(t, own(n))
		n.Transmit(row, 3000)
		n.Receive(back, dummy(3).withFeedback(1), 3000)
		n.Release(row, 3001)
		require.Equal(t, 1, own(n))
	}
	// A later cell of the subflow is out when the copy's answer comes: its own decides.
	n := start(1, Options{})
	n.ReceiveCorrupt(back, dummy(3).withFeedback(0), 0)
	n.Release(row, 1)
	require.Equal(t, 1, own(n))
	require.Zero(t, n.Transmit(row, 1).Sequence(), "the copy")
	n.Receive(back, dummy(3).withFeedback(0), 1)
	require.EqualValues(t, 1, n.Transmit(row, 2).Sequence())
	n.Release(row, 2)
	require.Zero(t, own(n), "its answer has not come")
	n.Receive(back, dummy(3).withFeedback(0), 2)
	n.Release(row, 3)
	require.Equal(t, 1, own(n))
	// The subflow stands in R when the copy's answer comes: it stays there once, with the new length.
	n = start(3, Options{})
	n.ReceiveCorrupt(back, dummy(3).withFeedback(0), 0)
	n.Release(row, 1)
	require.Equal(t, level{Length: 2, ready: 2}, n.Link(row).Level, "the copy and one flow's cell in Q, two flows in R")
	n.Transmit(row, 1)
	n.Receive(back, dummy(3).withFeedback(0), 1)
	n.Release(row, 2)
	require.Equal(t, level{Length: 1, ready: 2}, n.Link(row).Level)
	require.Equal(t, "", n.Broken)
}

// A wrong length in a corrupt header may break the bound of §3.3.4 for a while, with tail drops where queues have no
// room (Appendix D). Nothing is lost for good.
func TestTailDropsAfterCorruption(t *testing.T) {
	for _, limit := range []int{0, 2} {
		s, err := Cyclic(8, 1)
		require.NoError(t, err)
		r, err := NewRack(RackConfig{Schedule: s, Corrupt: 0.1, Seed: 3, Options: Options{Limit: limit}})
		require.NoError(t, err)
		for i := range 8 {
			for j := range 8 {
				if i != j {
					require.NoError(t, r.Offer(uint64(8*i+j), i, j, 300))
				}
			}
		}
		require.NoError(t, r.Run(t.Context(), 60_000))
		require.Zero(t, r.Pending())
		require.NoError(t, r.Conservation())
		require.EqualValues(t, 8*7*300, r.ArrivedCells())
		tail := uint64(0)
		for i := range r.Nodes {
			tail += r.Nodes[i].Counts.Tail[0]
			for f := range r.Nodes[i].flows {
				require.Zero(t, r.Nodes[i].flows[f].waiting, "node %d: all answers have come", i)
			}
		}
		require.Equal(t, limit > 0, tail > 0, "%d cells dropped", tail)
	}
}

// One flow a node and one to a node: a queue has 1 + 1 cells at most (Equation 5), and more only where headers are
// corrupt.
func TestBoundUnderCorruption(t *testing.T) {
	for _, share := range []float64{0, 0.1} {
		s, err := Cyclic(8, 1)
		require.NoError(t, err)
		r, err := NewRack(RackConfig{Schedule: s, Corrupt: share, Seed: 3})
		require.NoError(t, err)
		for i := range 8 {
			require.NoError(t, r.Offer(uint64(i), i, (i+3)%8, 5000))
		}
		require.NoError(t, r.Run(t.Context(), 60_000))
		require.Zero(t, r.Pending())
		require.EqualValues(t, 8*5000, r.ArrivedCells())
		most := uint32(0)
		for i := range r.Nodes {
			most = max(most, r.Nodes[i].Counts.MaxQueue)
		}
		require.Equal(t, share > 0, most > 2, "share %v: %d cells", share, most)
	}
}

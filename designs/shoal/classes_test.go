package shoal

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A cell in a queue keeps of its header its source and destination, its place, and its packet's bounds.
func TestBareCell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := NewCell(
			rapid.IntRange(0, 1023).Draw(t, "source"), rapid.IntRange(0, 1023).Draw(t, "dest"),
			rapid.Uint32Range(0, sequenceMask).Draw(t, "sequence"), rapid.Bool().Draw(t, "start"),
			rapid.Bool().Draw(t, "end"),
		)
		require.Equal(t, c, c.withFeedback(rapid.IntRange(0, feedbackMask).Draw(t, "feedback")).withDropped().Seal().bare())
	})
}

// The two racks do the same with several classes and queues that are too short: the same cell with the same feedback on
// every link in every slot, and every word arrives.
func TestClassesOnBothLevels(t *testing.T) {
	for _, o := range []Options{{Classes: 2}, {Classes: 4, Limit: 2}, {Classes: 1, Limit: 1}} {
		s, err := Cyclic(8, 1)
		require.NoError(t, err)
		p, err := NewPrototype(PrototypeConfig{Schedule: s, Options: o, Log: true})
		require.NoError(t, err)
		r := newTestRack(t, s, p.Flight(), o)
		rng := rand.New(rand.NewPCG(8, uint64(o.Classes)))
		require.NoError(t, p.Clock.Run(p.Start))
		for slot := range 900 {
			if slot < 200 && slot%3 == 0 {
				from, to, class, cells := 1+rng.IntN(7), 0, rng.IntN(o.Classes), 1+rng.IntN(6)
				require.NoError(t, p.NICs[from].SendClass(to, class, packet(rng, cells, 8)))
				require.NoError(t, r.OfferClass(uint64(slot), from, to, class, uint32(cells)))
			}
			require.NoError(t, p.Run(1))
			r.Step()
			require.NoError(t, r.Broken())
			for i, nic := range p.NICs {
				require.Equal(t, r.sentIn(uint64(slot))[i], nic.Log[slot], "slot %d, node %d, %+v", slot, i, o)
			}
		}
		require.NoError(t, r.Conservation())
		require.Zero(t, r.Pending())
		dropped := uint64(0)
		for i, nic := range p.NICs {
			require.Equal(t, r.Nodes[i].Counts, nic.Node.Counts)
			require.Zero(t, nic.Node.Counts.Duplicate)
			for k, n := range nic.Node.Counts.Tail {
				dropped += n
				require.True(t, n == 0 || k < o.Classes)
			}
			for k, words := range nic.Host {
				class, to := k/8, k%8
				require.Equal(
					t, words, append([]uint64(nil), p.NICs[to].Arrived[class*8+i]...), "class %d from %d to %d", class, i,
					to,
				)
			}
		}
		require.Equal(t, o.Limit > 0, dropped > 0)
	}
}

// The feedback for a cell counts the cells that wait in its class and in earlier ones (Equation 6 with the sum of
// Appendix C).
func TestClassFeedback(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	f, err := newFabricTimes(s, 0, Options{Classes: 3})
	require.NoError(t, err)
	n := newNode(0, f, newLinks(1, f), 0)
	const dest = 5
	waiting := []int{2, 0, 1} // by class
	from := 1
	for class, k := range waiting {
		for range k {
			n.Receive(int(f.pair[from*8]), NewCell(from, dest, uint32(class)<<classShift, true, true), 0)
			from++
			if from == dest {
				from++
			}
		}
	}
	row := n.RowTo(dest)
	for class, want := range []int{2, 2, 3} {
		require.Equal(t, want, n.links.feedback(f, 0, 0, uint16(row+lastRows|class<<lastClass)).Feedback())
	}
	require.False(t, n.links.feedback(f, 0, 0, uint16(row+lastRows)).Dropped())
	require.True(t, n.links.feedback(f, 0, 0, uint16(row+lastRows|lastTail)).Dropped())
	for _, class := range []int{0, 0, 2} {
		require.Equal(t, class, f.classOf(n.Transmit(row, 1)), "the first class goes first")
	}
}

func TestClassesRefuse(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	for _, o := range []Options{{Classes: 5}, {Classes: -1}, {Limit: -1}, {Limit: 5000}, {Classes: 2, LessOne: true}} {
		_, err := NewRack(RackConfig{Schedule: s, Options: o})
		require.Error(t, err, "%+v", o)
	}
	r, err := NewRack(RackConfig{Schedule: s})
	require.NoError(t, err)
	require.ErrorContains(t, r.OfferClass(1, 0, 1, 1, 1), "class 1, want one of 0 to 0")
}

// Cells of several classes outlive wrong CRCs: all arrive. With a failed node nothing waits for it, in no class. Each
// cell is accounted for.
func TestClassesUnderFailures(t *testing.T) {
	for _, failed := range []bool{false, true} {
		s, err := HalfEpoch(8, 1)
		require.NoError(t, err)
		cfg := RackConfig{Schedule: s, Flight: 3, Options: Options{Classes: 3}, Seed: 5, Corrupt: 0.05}
		if failed {
			cfg.Corrupt, cfg.Failures = 0, &Failures{From: 300, Nodes: []int{7}}
		}
		r, err := NewRack(cfg)
		require.NoError(t, err)
		rng := rand.New(rand.NewPCG(3, 4))
		ids := map[uint64]bool{}
		for k := range uint64(300) {
			from, to := rng.IntN(7), rng.IntN(7)
			if from == to {
				continue
			}
			require.NoError(t, r.OfferClass(k, from, to, rng.IntN(3), uint32(1+rng.IntN(12))))
			ids[k] = true
			require.NoError(t, r.Run(t.Context(), 3))
		}
		require.NoError(t, r.Run(t.Context(), 20_000))
		require.NoError(t, r.Conservation())
		again, returned := uint64(0), uint64(0)
		for i := range r.Nodes {
			c := &r.Nodes[i].Counts
			again, returned = again+c.Again, returned+c.Returned
			require.Equal(t, incomplete(&r.Inboxes[i], 8), r.Incast[i], "node %d", i)
			for class := range 3 {
				if failed && i != 7 {
					q := r.Nodes[i].Link(class*r.Times.Rows + r.Nodes[i].RowTo(7))
					require.Equal(t, level{}, q.Level, "node %d, class %d: cells wait for a failed node", i, class)
				}
			}
		}
		for _, d := range r.Done() {
			require.True(t, ids[d.ID])
			delete(ids, d.ID)
		}
		require.Len(t, ids, r.Pending())
		if !failed {
			require.Empty(t, ids)
			require.Positive(t, again)
			continue
		}
		require.Positive(t, returned)
	}
}

// incomplete counts the sources that have an incomplete message of the first class.
func incomplete(b *inbox, nodes int) (n int32) {
	for _, h := range b.head[:nodes] {
		if h >= 0 {
			n++
		}
	}
	return n
}

// A queue with room for two cells takes two of others, and drops the third; each class has a queue of its own.
func TestFullQueueDrops(t *testing.T) {
	n := testNode(t, 0, 8, Options{Classes: 2, Limit: 2})
	const dest = 5
	receive := func(from, class int) int {
		return n.Receive(int(n.Times.pair[from*8]), NewCell(from, dest, uint32(class)<<classShift, true, true), 0).Queued
	}
	for class := range 2 {
		for from, want := range []int{1, 2, 0, 0} {
			require.Equal(t, want, receive(1+from, class), "class %d, cell %d", class, from)
			require.Equal(t, want == 0, n.Transmit(n.RowTo(1+from), 0).Dropped())
		}
		require.Equal(t, []uint64{2, uint64(2 * class)}, n.Counts.Tail[:2])
	}
	require.EqualValues(t, 4, n.Counts.Lost)
}

// A second cell of a subflow of a class behind others is dropped, since the NIC has one place for it.
func TestSecondCellOfASubflow(t *testing.T) {
	n := testNode(t, 0, 8, Options{Classes: 2})
	for k, want := range []int{1, 0} {
		came := n.Receive(int(n.Times.pair[8]), NewCell(1, 5, uint32(k)|1<<classShift, true, true), int32(k))
		require.Equal(t, want, came.Queued)
	}
	require.Equal(t, []uint64{0, 1}, n.Counts.Tail[:2])
}

// What a cell told of the link that it came by does not go out with it.
func TestForwardedCellIsBare(t *testing.T) {
	n := testNode(t, 0, 8, Options{})
	n.Receive(int(n.Times.pair[8]), NewCell(1, 5, 9, true, true).withFeedback(7).withDropped(), 0)
	require.Equal(t, NewCell(1, 5, 9, true, true).withFeedback(FeedbackNone), n.Transmit(n.RowTo(5), 0))
}

// For a class, Equation 2 takes the cells and the ready flows of the classes before it for local ones too: here a cell
// and a flow.
func TestReleaseCountsClassesBefore(t *testing.T) {
	for due, released := range map[int32]bool{22: true, 23: false} {
		n := testNode(t, 0, 8, Options{Classes: 2})
		n.OfferClass(5, 0, 1, 0)
		n.OfferClass(6, 0, 1, 0)
		n.OfferClass(5, 1, 1, 0)
		row := n.RowTo(3)
		n.due[2*n.Times.Rows+row] = due
		n.Release(row, 20)
		first, second := n.Link(row).Level, n.Link(n.Times.Rows+row).Level
		require.Equal(t, level{Length: 1, ready: 1}, first)
		require.Equal(t, released, second.Length == 1, "due in epoch %d", due)
	}
}

// A flow that stands in R leaves it in time for its class too: the cells of the classes before it drain first, as when
// it went into R.
func TestTurnInRCountsClassesBefore(t *testing.T) {
	n := testNode(t, 0, 8, Options{Classes: 2})
	row := n.RowTo(3)
	before := func(from int) { n.push(n.Link(row), NewCell(from, 3, 0, true, true)) }
	n.OfferClass(5, 1, 1, 0)
	n.OfferClass(6, 1, 1, 0)
	n.due[n.Times.Rows+row] = 21
	before(1)
	n.Release(row, 20)
	second := n.Link(n.Times.Rows + row)
	require.Equal(t, level{Length: 1, ready: 1}, second.Level)
	for range 2 { // the first class's cell, and flow 5's
		n.Transmit(row, 20)
	}
	before(2)
	n.Release(row, 20)
	require.Equal(t, level{Length: 1}, second.Level)
}

// A cell that is sent again after a wrong CRC waits in its own class.
func TestSentAgainInItsClass(t *testing.T) {
	n := testNode(t, 0, 8, Options{Classes: 2})
	n.OfferClass(5, 1, 1, 0)
	row := n.RowTo(3)
	n.Release(row, 0)
	require.Equal(t, 5, n.Transmit(row, 0).Dest())
	n.ReceiveCorrupt(int(n.Times.pair[3*8]), dummy(3), int32(n.heard(row).lag))
	require.Zero(t, n.Link(row).Level.Length)
	require.EqualValues(t, 1, n.Link(n.Times.Rows+row).Level.Length)
	require.Equal(t, 1, n.links.backlog(n.at(n.Times.Rows+row)), "feedback tells of it")
	require.Equal(t, 1, n.Times.classOf(n.Transmit(row, 1)))
}

// A flow whose last cell goes by another link leaves R at its turn, though no flow of the node has cells to send then.
func TestFlowWithoutCellsLeavesR(t *testing.T) {
	for classes := 1; classes <= 2; classes++ {
		n := testNode(t, 0, 8, Options{Classes: classes})
		row, other, lane := n.RowTo(3), n.RowTo(2), (classes-1)*n.Times.Rows+n.RowTo(3)
		for _, dest := range []int{4, 5} {
			n.OfferClass(dest, classes-1, 1, 0)
		}
		n.Release(row, 0)
		require.Equal(t, level{Length: 1, ready: 1}, n.Link(lane).Level, "one cell in Q, the other flow in R")
		n.Release(other, 0)
		require.Empty(t, n.active)
		require.Equal(t, 4, n.Transmit(row, 0).Dest())
		n.Release(row, 1)
		require.Equal(t, level{}, n.Link(lane).Level)
		require.Zero(t, n.links.backlog(n.at(lane)))
	}
}

// Flows of all classes that stand ready for a neighbour go other ways when it fails.
func TestReadyFlowsOfAFailedNeighbour(t *testing.T) {
	n := testNode(t, 0, 8, Options{Classes: 2})
	for class := range 2 {
		for _, dest := range []int{4, 5, 6} {
			n.OfferClass(dest, class, 1, 0)
		}
	}
	row := n.RowTo(3)
	n.Release(row, 20)
	n.Receive(int(n.Times.pair[3*8]), silence, 20)
	for class := range 2 {
		require.Equal(t, level{}, n.Link(class*n.Times.Rows+row).Level)
	}
	for i := range n.flows {
		require.Zero(t, n.flows[i].inReady+n.flows[i].waiting)
		require.EqualValues(t, 1, n.flows[i].unsent)
	}
}

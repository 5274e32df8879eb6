package shoal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A message of one cell to the node that its sender is connected with is complete at the end of that slot, or a flight
// later.
func TestOneCellTakesOneSlot(t *testing.T) {
	for flight := range 3 {
		r := newTestRack(t, halfEpoch(t, 9), flight, Options{})
		require.NoError(t, r.Offer(7, 0, r.Times.Schedule.To(0, 0), 1))
		require.NoError(t, r.Run(t.Context(), uint64(flight)))
		require.Empty(t, r.Done())
		r.Step()
		done := r.Done()
		require.Len(t, done, 1)
		require.EqualValues(t, flight+1, done[0].Slots())
	}
}

// A cell that was sent to a neighbour that fails before it has answered goes by another one, the same cell again; so
// does one in the queue (§3.5, iii).
func TestOwnCellsGoAnotherWay(t *testing.T) {
	for _, sent := range []bool{true, false} {
		n := testNode(t, 0, 8, Options{})
		n.Offer(5, 1, 0)
		row := (n.RowTo(5) + 1) % 3
		n.Release(row, 0)
		if sent {
			require.Equal(t, 5, n.Transmit(row, 0).Dest())
		}
		n.Receive(int(n.Times.pair[n.neighbour(row)*8]), silence, 0)
		require.Zero(t, n.Counts.Lost)
		other := (row + 1) % 3
		n.Release(other, 0)
		c := n.Transmit(other, 0)
		require.Equal(t, []int{0, 5, 0}, []int{c.Source(), c.Dest(), int(c.Sequence())})
		require.True(t, c.Start() && c.End())
	}
}

// A cell whose feedback is there is not given back when its neighbour fails later.
func TestAnsweredCellStaysGone(t *testing.T) {
	for _, answered := range []bool{true, false} {
		n := testNode(t, 0, 8, Options{})
		n.Offer(5, 1, 0)
		row := (n.RowTo(5) + 1) % 3
		n.Release(row, 0)
		require.Equal(t, 5, n.Transmit(row, 0).Dest())
		neighbour := n.neighbour(row)
		back := int(n.Times.pair[neighbour*8])
		if answered {
			n.Receive(back, dummy(neighbour).withFeedback(FeedbackMine), int32(n.heard(row).lag))
		}
		n.Receive(back, silence, int32(n.heard(row).lag)+1)
		require.Equal(t, answered, n.Counts.Returned == 0, "answered %v", answered)
	}
}

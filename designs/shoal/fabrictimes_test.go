package shoal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Times reckoned from shifts equal the tables', and only a schedule of shifts has them.
func TestShifts(t *testing.T) {
	for _, c := range []struct {
		name            string
		of              func(nodes, channels int) (*Schedule, error)
		nodes, channels int
		shifts          bool
	}{{"cyclic", Cyclic, 8, 1, true}, {"cyclic, idle rows", Cyclic, 9, 3, true},
		{"half-epoch, odd", HalfEpoch, 9, 1, true}, {"half-epoch, even", HalfEpoch, 8, 1, false}} {
		s, err := c.of(c.nodes, c.channels)
		require.NoError(t, err)
		f, err := newFabricTimes(s, 0, Options{})
		require.NoError(t, err)
		require.Equal(t, c.shifts, f.shifts != nil, c.name)
		for i := range c.nodes {
			for j := range c.nodes {
				if i == j {
					continue
				}
				row := f.row(i, j)
				require.Equal(t, j, s.To(row, i), c.name)
				require.Equal(t, i, s.To(f.replyRow(row, j), j), c.name)
			}
		}
	}
	same := [][]int16{{1, 2, 3, 0}, {2, 3, 0, 1}, {3, 0, 1, 2}}
	f, err := newFabricTimes(mustSchedule(t, same), 0, Options{})
	require.NoError(t, err)
	require.NotNil(t, f.shifts)
	same[0], same[2] = []int16{1, 0, 3, 2}, []int16{3, 2, 1, 0}
	f, err = newFabricTimes(mustSchedule(t, same), 0, Options{})
	require.NoError(t, err)
	require.Nil(t, f.shifts, "nodes 0 and 1 add different numbers")
}

func mustSchedule(t *testing.T, rows [][]int16) *Schedule {
	s, err := NewSchedule("rows", len(rows[0]), 1, rows)
	require.NoError(t, err)
	return s
}

// A header goes out with the feedback for the latest cell that had come before its slot, and a cell has come after its
// slot and flight: counted slot by slot.
func TestLag(t *testing.T) {
	for _, c := range []struct{ nodes, channels, flight int }{{8, 1, 0}, {8, 1, 21}, {9, 3, 0}, {9, 3, 2}, {10, 4, 7}} {
		s, err := Cyclic(c.nodes, c.channels)
		require.NoError(t, err)
		f, err := newFabricTimes(s, c.flight, Options{})
		require.NoError(t, err)
		for row := range s.Rows() {
			for i := range c.nodes {
				j := s.To(row, i)
				if j == Idle {
					continue
				}
				sends := func(slot int) bool { // node j to node i
					for channel := range c.channels {
						if s.To(slot%s.Epoch()*c.channels+channel, j) == i {
							return true
						}
					}
					return false
				}
				slot := row/c.channels + c.flight + 1
				for !sends(slot) {
					slot++
				}
				require.Equal(t, slot/s.Epoch(), f.lag(row, i, j), "%+v, row %d, node %d", c, row, i)
			}
		}
	}
}

// A ring has a place for each cell that is out: one where the reply comes before the row's next turn, two where both
// nodes send in the same slot, and more as the flight grows past an epoch.
func TestRings(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	for _, c := range []struct{ flight, row, cells int }{{0, 0, 1}, {0, 2, 1}, {0, 3, 2}, {0, 6, 1}, {3, 3, 2},
		{21, 3, 8}} {
		f, err := newFabricTimes(s, c.flight, Options{})
		require.NoError(t, err)
		require.EqualValues(t, c.cells, f.rings[c.row].mask+1, "flight %d, row %d", c.flight, c.row)
	}
}

// Feedback knows queues that are longer than a byte can tell.
func TestBacklog(t *testing.T) {
	s, err := Cyclic(512, 1)
	require.NoError(t, err)
	f, err := newFabricTimes(s, 0, Options{})
	require.NoError(t, err)
	n := newNode(0, f, newLinks(1, f), 0)
	const dest = 300
	row := n.RowTo(dest)
	for k := 1; k < dest; k++ {
		n.Receive(f.row(k, 0), NewCell(k, dest, 0, true, true), 0)
		require.Equal(t, k, n.links.backlog(row))
	}
	for k := dest - 1; k > 0; k-- {
		require.Equal(t, k, n.links.backlog(row))
		n.Transmit(row, 1)
	}
}

package shoal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The cells that have left nodes are the ones seen on the lines, slot by slot.
func TestCellsOut(t *testing.T) {
	r := newTestRack(t, halfEpoch(t, 9), 2, Options{})
	seen := uint64(0)
	for slot := range 400 {
		if slot < 100 {
			require.NoError(t, r.Offer(uint64(slot), slot%9, (slot%9+1+slot*5%8)%9, uint32(1+slot%7)))
		}
		r.Step()
		r.Sent(func(_, _, _ int, _ Cell) { seen++ })
		require.Equal(t, seen, r.CellsOut(), "slot %d", slot)
	}
	require.Zero(t, r.Pending())
	require.Greater(t, seen, r.ArrivedCells(), "some took two hops")
}

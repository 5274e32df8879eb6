package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
)

// The other nodes notice within a flight and an epoch that the time master has stopped, take the same new one, keep
// their counters equal, and lose no frame of each other. Cells are missing only where the stopped node had them.
func TestTimeMasterStops(t *testing.T) {
	r, err := runClockMaster(
		t.Context(), &experiment.Run{Seed: 1}, ClockMasterPoint{Lost: loseTime, Guard: 1, Cells: 10, Slots: 800},
	)
	require.NoError(t, err)
	require.Equal(t, []int{1, 1, 1, 1, 1, 1, 1}, r.Masters)
	const flight, epoch, slot = 244, 84, 12
	require.Greater(t, r.Detected, uint64(flight))
	require.LessOrEqual(t, r.TakenOver, uint64(flight+epoch+2*slot+slot/2))
	require.EqualValues(
		t, 6*slot, r.TakenOver-r.Detected, "the master told the seven nodes the time in slots one after the other",
	)
	require.Zero(t, r.Precision)
	require.Zero(t, r.Damaged+r.FirstLost)
	require.Positive(t, r.Missing)
	require.Less(t, r.Missing, 7*7, "node 0 had no more than a cell of each flow to each neighbour")
	require.Equal(
		t, r.Account.Copies, r.Account.Delivered+r.Account.Duplicate+r.Account.Lost+r.Account.Waiting+r.Account.OnLines,
	)
	require.GreaterOrEqual(t, int(r.Account.Delivered), 420-r.Missing)
}

// When the distributed clock stops, the slots of switches drift until frames are lost.
func TestHoldOverEnds(t *testing.T) {
	r, err := runClockMaster(
		t.Context(), &experiment.Run{Seed: 1},
		ClockMasterPoint{Lost: loseClock, PPM: 400, Guard: 1, Cells: 10, Slots: 150},
	)
	require.NoError(t, err)
	require.Positive(t, r.FirstLost)
}

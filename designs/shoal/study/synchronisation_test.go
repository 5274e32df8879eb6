package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/shoal"
)

// Nodes on the distributed clock agree to the cycle, with wires that differ by up to 25 ns too; those on clocks of
// their own that follow a master to one cycle. A guard band of one cycle is enough for both, and all cells arrive.
func TestSynchronised(t *testing.T) {
	for _, q := range []SynchronisationPoint{
		{Rule: "follow", Guard: 0, Slots: 300},
		{Rule: "follow", Guard: 1, Slots: 300, Wires: clock.Nanosecond.Times(25)},
		{Rule: "follow", Guard: 1, Slots: 800, PPM: 100, Clocks: "around"},
	} {
		seed := uint64(1)
		if q.Wires != (clock.Time{}) {
			seed = 3 // a rack that lost frames as long as probes went in the middle of slots
		}
		r, err := runSynchronisation(t.Context(), &experiment.Run{Seed: seed}, q)
		require.NoError(t, err)
		require.Zero(t, r.Damaged+r.Cut, "%+v", q)
		require.Greater(t, r.Aligned.Cells, uint64(8*4*200), "words that were looked at at 12 crossbar ports")
		require.LessOrEqual(t, r.Wanted, q.Guard)
		require.Equal(
			t,
			shoal.SyncAccount{
				Copies: r.Account.Copies, Delivered: r.Account.Delivered, Waiting: r.Account.Copies - r.Account.Delivered,
			},
			r.Account,
		)
		if q.Slots == 800 {
			require.EqualValues(t, 400, r.Account.Delivered)
		}
		require.Greater(t, r.Account.Delivered, uint64(200))
		if q.PPM == 0 {
			require.Zero(t, r.Cycles)
		} else {
			require.Equal(t, int64(1), r.Cycles)
			require.Less(t, r.Exact, 1.0)
			require.Greater(t, r.Exact, 0.5, "the counters were compared")
		}
	}
}

// With the guard band that the observed edges want nothing is lost, with one cycle less something is. The counters of
// DTP, which never go back, are no farther apart than DTP says of two nodes next to each other: 4 ticks.
func TestGuardBandBelow(t *testing.T) {
	q := SynchronisationPoint{Rule: "dtp", Alpha: 3, PPM: 100, Clocks: "below", Slots: 400}
	for guard := 3; guard <= 4; guard++ {
		q.Guard = guard
		r, err := runSynchronisation(t.Context(), &experiment.Run{Seed: 1}, q)
		require.NoError(t, err)
		require.Greater(t, r.Cycles, int64(1))
		require.LessOrEqual(t, r.Cycles, int64(4))
		require.Equal(t, guard == 3, guard < r.Wanted, "guard %d: %+v", guard, r.Aligned)
		require.Equal(
			t, guard < r.Wanted, r.Damaged > 0 && r.FirstLost > 0, "guard %d: %d of %d frames damaged, %d cut", guard,
			r.Damaged, r.Frames, r.Cut,
		)
		require.Less(t, r.FirstLost, r.Start, "it counts from the first cell")
		require.Equal(t, guard < r.Wanted, r.Account.OnLines+r.Account.Duplicate+r.Account.Lost > 0, "%+v", r.Account)
	}
}

//go:build soak

package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/experiment"
)

// Without a distributed clock the slots of the switches drift against the nodes', the sooner the larger the offsets
// are.
func TestDistributedClockStops(t *testing.T) {
	for _, c := range []struct {
		ppm  float64
		lost bool
	}{{20, false}, {200, true}} {
		r, err := runClockMaster(
			t.Context(), &experiment.Run{Seed: 1},
			ClockMasterPoint{Lost: loseClock, PPM: c.ppm, Guard: 4, Cells: 10, Slots: 300},
		)
		require.NoError(t, err)
		require.Equal(t, c.lost, r.FirstLost > 0, "%v ppm: after %d cycles", c.ppm, r.FirstLost)
	}
}

// One wire is longer by an amount that puts the ring's answer about the others off by more than half a slot.
func TestWiresTooUnequal(t *testing.T) {
	_, err := runSynchronisation(
		t.Context(), &experiment.Run{Seed: 1},
		SynchronisationPoint{Rule: "follow", Guard: 1, Slots: 100, Wires: clock.Nanosecond.Times(200)},
	)
	require.ErrorContains(t, err, "has not come to the common time")
}

// However much wires differ: a rack that starts has equal counters and loses no frame, and one whose probes do not come
// through says so.
func TestWiresEitherWay(t *testing.T) {
	started, refused := 0, 0
	for _, ns := range []int64{30, 40, 50} {
		for seed := uint64(1); seed <= 8; seed++ {
			r, err := runSynchronisation(
				t.Context(), &experiment.Run{Seed: seed},
				SynchronisationPoint{Rule: "follow", Guard: 1, Slots: 250, Wires: clock.Nanosecond.Times(ns)},
			)
			if err != nil {
				require.ErrorContains(t, err, "wires may differ by about a third of a slot")
				refused++
				continue
			}
			require.Zero(t, r.Cycles, "%d ns, seed %d", ns, seed)
			require.Zero(t, r.Damaged+r.Cut, "%d ns, seed %d", ns, seed)
			started++
		}
	}
	require.Positive(t, started)
	require.Positive(t, refused)
}

// Observers of every cycle of a synchronised rack go on too.
func TestSynchronisationGoesOnFromACheckpoint(t *testing.T) {
	designtest.CheckResume(t, synchronisation, 6000, map[string]string{"ppm": "100", "slots": "100"})
	designtest.CheckResume(t, clockMaster, 6000, map[string]string{"lost": "time,clock", "ppm": "20", "slots": "100"})
}

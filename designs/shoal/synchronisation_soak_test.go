//go:build soak

package shoal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
)

// Without a distributed clock the slots of the switches drift against those of the nodes, the sooner the larger the offsets are.
func TestDistributedClockStops(t *testing.T) {
	for _, c := range []struct {
		ppm  float64
		lost bool
	}{{20, false}, {200, true}} {
		r, err := runClockMaster(t.Context(), &experiment.Run{Seed: 1}, ClockMasterPoint{Lost: loseClock, PPM: c.ppm, Guard: 4, Cells: 10, Slots: 300})
		require.NoError(t, err)
		require.Equal(t, c.lost, r.FirstLost > 0, "%v ppm: after %d cycles", c.ppm, r.FirstLost)
	}
}

// One wire is so much longer that what the ring says of the others is off by more than half a slot.
func TestWiresTooUnequal(t *testing.T) {
	_, err := runSynchronisation(t.Context(), &experiment.Run{Seed: 1}, SynchronisationPoint{Rule: "follow", Guard: 1, Slots: 100, Wires: clock.Nanosecond.Times(200)})
	require.ErrorContains(t, err, "has not come to the common time")
}

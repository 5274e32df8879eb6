package edm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/edm"
	"github.com/goldwire/goldwire/rtl"
)

// A long and a short chunk start together; after the short one another waits for the same ports. By port it follows the short one, by
// slot it waits for the long one.
func TestRelease(t *testing.T) {
	const long, short = 40, 8 // cycles: 320 and 64 bytes
	starts := func(release edm.Release) []uint64 {
		clk, s, _ := rack(t, rtl.Strict, edm.SchedulerConfig{Ports: 6, Active: 3, Chunk: 512, Busy: cyclesOf, Release: release})
		s.next = func(source int) edm.Notification {
			switch {
			case source == 0 && s.now == 1:
				return edm.Notification{Valid: true, Source: 0, Dest: 3, Bytes: 320}
			case source == 1 && (s.now == 1 || s.now == 3):
				return edm.Notification{Valid: true, Source: 1, Dest: 4, Bytes: 64}
			}
			return edm.Notification{}
		}
		var at []uint64
		s.seen = func(source int, _ edm.Grant) {
			if source == 1 {
				at = append(at, s.now)
			}
		}
		require.NoError(t, clk.Run(200))
		require.Len(t, at, 2)
		return at
	}
	by := starts(edm.ReleaseByPort)
	require.EqualValues(t, short, by[1]-by[0])
	by = starts(edm.ReleaseBySlot)
	require.GreaterOrEqual(t, by[1]-by[0], uint64(long))
	require.LessOrEqual(t, by[1]-by[0], uint64(long+3), "an iteration later at most")
}

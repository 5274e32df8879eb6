package edm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/edm"
	"github.com/goldwire/goldwire/rtl"
)

// A long and a short chunk start together; after the short one another waits for the same ports. By port it follows the
// short one, by slot it waits for the long one.
func TestRelease(t *testing.T) {
	const long, short = 40, 8 // cycles: 320 and 64 bytes
	starts := func(release edm.Release) []uint64 {
		clk, s, _ := rack(
			t, rtl.Strict, edm.SchedulerConfig{Ports: 6, Active: 3, Chunk: 512, Busy: cyclesOf, Release: release},
		)
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

// Ports are busy for exactly as long as their chunk takes, however long that is: the second message of a pair is
// granted that many cycles after the first, or up to two later where an iteration for others is under way.
func TestPortsAreBusyForTheirChunk(t *testing.T) {
	busy := []int{5, 44, 127, 128, 129, 130, 131, 172, 300, 428, 1000}
	all := func(int) bool { return true }
	only := func(source int) func(int) bool { return func(i int) bool { return i == source } }
	for _, sources := range []func(int) bool{all, only(3), only(8), only(10)} {
		lone := !sources(0)
		clk, s, _ := rack(t, rtl.Strict, edm.SchedulerConfig{Ports: len(busy), Active: 3, Chunk: 64,
			Busy: func(bytes int, _ bool) int { return busy[(bytes-1)%len(busy)] }})
		s.next = func(source int) edm.Notification {
			if s.now > 2 || !sources(source) {
				return edm.Notification{}
			}
			return edm.Notification{
				Valid: true, Source: uint16(source), Dest: uint16(source), ID: uint8(s.now), Bytes: uint16(1 + source),
			}
		}
		granted := make([][]int, len(busy))
		s.seen = func(source int, _ edm.Grant) { granted[source] = append(granted[source], int(s.now)) }
		require.NoError(t, clk.Run(1200))
		for i, at := range granted {
			if !sources(i) {
				require.Empty(t, at)
				continue
			}
			require.Len(t, at, 2)
			if late := at[1] - at[0] - busy[i]; lone {
				require.Zero(t, late, busy[i])
			} else {
				require.GreaterOrEqual(t, late, 0, busy[i])
				require.LessOrEqual(t, late, 2, busy[i])
			}
		}
	}
}

// By slot a matching is formed whole before any of its ports is free, even if its first chunks have passed by then.
// All destinations prefer the same source, so that the matching takes six iterations of 3 cycles, and its chunks take
// 5 cycles: no port has two of the first six.
func TestSlotOfChunksThatPassBeforeItIsFormed(t *testing.T) {
	const ports, long, round = 6, 100, 7
	clk, s, _ := rack(t, rtl.Strict, edm.SchedulerConfig{Ports: ports, Active: 3, Chunk: 512, Release: edm.ReleaseBySlot,
		Busy: func(bytes int, _ bool) int {
			if bytes == long {
				return long
			}
			return 5
		}})
	s.next = func(source int) edm.Notification { // one that keeps all ports busy while the others come
		n := edm.Notification{
			Valid: s.now <= round, Source: uint16(source), Dest: uint16((source + int(s.now) - 1) % ports),
			ID: uint8(s.now), Bytes: uint16(1 + source),
		}
		if s.now == 1 {
			n.Bytes = long
		}
		return n
	}
	var sources, dests []int
	s.seen = func(source int, g edm.Grant) {
		if g.Bytes != long && len(sources) < ports {
			sources, dests = append(sources, source), append(dests, int(g.Dest))
		}
	}
	require.NoError(t, clk.Run(300))
	require.Equal(t, []int{0, 1, 2, 3, 4, 5}, sources, "the source with the shortest message first, one an iteration")
	require.ElementsMatch(t, []int{0, 1, 2, 3, 4, 5}, dests)
}

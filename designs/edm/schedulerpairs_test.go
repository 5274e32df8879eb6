package edm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/edm"
	"github.com/goldwire/goldwire/rtl"
)

// script gives a scheduler notifications at their cycles and returns the grants in their order.
func script(t *testing.T, cfg edm.SchedulerConfig, cycles uint64, sends map[uint64]edm.Notification) []edm.Grant {
	t.Helper()
	cfg.Busy = cyclesOf
	clk, s, x := rack(t, rtl.Strict, cfg)
	s.next = func(port int) edm.Notification {
		if n := sends[s.now]; port == 0 {
			return n
		}
		return edm.Notification{}
	}
	var grants []edm.Grant
	s.seen = func(_ int, g edm.Grant) { grants = append(grants, g) }
	require.NoError(t, clk.Run(cycles))
	require.Zero(t, x.Refused.Get())
	return grants
}

// Data from node 1 to node 0 belongs to two pairs of compute and memory node: writes of 1, and responses to 0's
// requests. SRPT ranks between them; within each the order is kept.
func TestPairsOfOneDirectionDoNotWaitForEachOther(t *testing.T) {
	grants := script(t, edm.SchedulerConfig{Ports: 2, Active: 3, Chunk: 64}, 300, map[uint64]edm.Notification{
		1:  {Valid: true, Source: 1, Dest: 0, ID: 1, Bytes: 640},
		20: {Valid: true, Source: 1, Dest: 0, ID: 2, Bytes: 64}, // after the write of its pair
		21: {Valid: true, Source: 1, Dest: 0, ID: 1, Bytes: 64, Read: true},
		22: {Valid: true, Source: 1, Dest: 0, ID: 2, Bytes: 64, Read: true},
	})
	var order []int // IDs, reads from 10 on
	for _, g := range grants {
		if g.Last {
			id := int(g.ID)
			if g.Read {
				id += 10
			}
			order = append(order, id)
		}
	}
	require.Equal(t, []int{11, 12, 1, 2}, order)
}

// SRPT ranks the whole rest of a message: one of 61,440 + 20,000 bytes comes after one of 61,440, whose first piece is
// as long.
func TestWholeMessagesAreRanked(t *testing.T) {
	units := func(bytes int) uint16 { return uint16((bytes + 255) / 256) }
	first := func(long edm.Notification) int {
		grants := script(t, edm.SchedulerConfig{Ports: 4, Active: 3, Chunk: 1024}, 9000, map[uint64]edm.Notification{
			1: {Valid: true, Source: 3, Dest: 2, ID: 9, Bytes: 1024}, // the destination is taken while the two come
			2: long,
			3: {Valid: true, Source: 1, Dest: 2, ID: 5, Bytes: 61_440},
		})
		require.Greater(t, len(grants), 62)
		for _, g := range grants[1:] {
			if g.Last {
				return int(g.ID)
			}
		}
		return -1
	}
	require.Equal(
		t, 4, first(edm.Notification{Valid: true, Source: 0, Dest: 2, ID: 4, Bytes: 61_440}), "equal ones go by age",
	)
	require.Equal(t, 5, first(edm.Notification{Valid: true, Source: 0, Dest: 2, ID: 4, Bytes: units(81_440), Long: true}))
}

// A list takes one operation a cycle. Notifications of one port's list that come at one edge are in it one after the
// other; a grant's two operations come before waiting ones.
func TestAListTakesOneOperationACycle(t *testing.T) {
	const ports = 8
	clk, s, _ := rack(
		t, rtl.Strict, edm.SchedulerConfig{Ports: ports, Active: 2, Chunk: 8, Busy: func(int, bool) int { return 5 }},
	)
	s.next = func(port int) edm.Notification { // all at once, the last port's the shortest
		return edm.Notification{Valid: s.now == 1, Source: uint16(port), Dest: 0, Bytes: uint16(ports - port)}
	}
	var order []int
	s.seen = func(source int, _ edm.Grant) { order = append(order, source) }
	require.NoError(t, clk.Run(200))
	// Port 0's is in the list first and is asked for at once. The messages of 1, 2 and 3 come into the list while it is
	// granted, then the list takes it out, then 4's comes: the shortest when the circuit of 5 cycles has ended. After its
	// grant all are there.
	require.Len(t, order, ports)
	require.Equal(t, 0, order[0])
	require.NotEqual(t, ports-1, order[1], "a list that takes all at once would serve the shortest second")
	require.Equal(t, []int{0, 4, 7, 6, 5, 3, 2, 1}, order)
}

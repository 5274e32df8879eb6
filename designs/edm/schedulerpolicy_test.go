package edm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/edm"
	"github.com/goldwire/goldwire/rtl"
)

// Three messages for one destination stand out while it is in a circuit: SRPT serves the message with the least bytes
// left first, FCFS the oldest one (§3.1.1).
func TestOrderOfPolicies(t *testing.T) {
	for _, c := range []struct {
		policy edm.Policy
		want   []int // sources in the order of their first grants; 0 has the destination at the start
	}{
		{edm.SRPT, []int{0, 2, 3, 1}},
		{edm.FCFS, []int{0, 1, 2, 3}},
	} {
		clk, s, _ := rack(
			t, rtl.Strict, edm.SchedulerConfig{Ports: 5, Active: 3, Chunk: 256, Busy: cyclesOf, Policy: c.policy},
		)
		bytes := []int{256, 256, 64, 128}
		s.next = func(source int) edm.Notification {
			if source < len(bytes) && s.now == uint64(1+2*source) {
				return edm.Notification{Valid: true, Source: uint16(source), Dest: 4, Bytes: uint16(bytes[source])}
			}
			return edm.Notification{}
		}
		var order []int
		s.seen = func(source int, g edm.Grant) {
			require.EqualValues(t, 4, g.Dest)
			order = append(order, source)
		}
		require.NoError(t, clk.Run(300))
		require.Equal(t, c.want, order, c.policy)
	}
}

package spfc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// crossing are uncontrolled flows between all racks of a pod, two hosts of each, as far as the ways go.
func crossing() []Flow {
	var flows []Flow
	for from := range PodHosts {
		to := (from + 16*(1+from%3)) % PodHosts
		flows = append(flows, Flow{from, to, 4_000_000, 0, Uncontrolled})
	}
	return flows
}

// A deadlock that is found is for ever: its ports send nothing more, however long the run. The ports of its circle
// stand in a line of links.
func TestDeadlockIsForEver(t *testing.T) {
	for _, pause := range []bool{false, true} {
		top := DeadlockPod()
		top.Buffer = 2_000_000
		sc := DefaultScenario(top)
		sc.Policy, sc.Flows, sc.PFC.UntilResumed = DT, crossing(), pause
		f := newFabric(t, sc)
		var d *Deadlock
		for at := 50 * Microsecond; d == nil; at += 50 * Microsecond {
			require.Less(t, at, 3*Millisecond, "no deadlock")
			require.NoError(t, f.Run(t.Context(), at))
			d = f.Deadlocked()
		}
		require.Subset(t, []string{"L0", "T1", "L1", "T2"}, d.Cycle)
		require.Len(t, d.Cycle, 4)
		sent := func() (bytes []int64) {
			for i := range d.Cycle {
				for s, name := range top.Names {
					for port, peer := range f.wires.peers[top.Hosts+s] {
						if name == d.Cycle[i] && top.NodeName(peer.node) == d.Cycle[(i+1)%len(d.Cycle)] {
							bytes = append(bytes, f.Net.Counts(top.Hosts+s, port).Bytes)
						}
					}
				}
			}
			return bytes
		}
		before := sent()
		require.Len(t, before, 4)
		require.NoError(t, f.Run(t.Context(), 20*Millisecond))
		require.Equal(t, before, sent())
		again := f.Deadlocked()
		require.NotNil(t, again)
		require.GreaterOrEqual(t, again.Ports, d.Ports)
		require.NotZero(t, f.Traffic.Unfinished)
	}
}

// The same flows in the whole pod have no circle to form: all finish, and at no time is there a deadlock.
func TestNoDeadlockWithoutFailures(t *testing.T) {
	top := Clos(1)
	top.Buffer = 2_000_000
	sc := DefaultScenario(top)
	sc.Policy, sc.Flows = DT, crossing()
	f := newFabric(t, sc)
	paused := int64(0)
	for at := 50 * Microsecond; at < 2*Millisecond; at += 50 * Microsecond {
		require.NoError(t, f.Run(t.Context(), at))
		require.Nil(t, f.Deadlocked())
	}
	for _, s := range f.Switches {
		paused += s.mmu.Counts.Pauses
	}
	require.Positive(t, paused)
	require.Zero(t, f.Traffic.Unfinished)
}

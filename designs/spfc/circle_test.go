package spfc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// circle is three switches in a circle, a host at each, and all traffic goes the same way round: the flows say how far.
func circle(t *testing.T, flows []Flow) *Fabric {
	top := &Topology{Name: "circle", Hosts: 3, Names: []string{"A", "B", "C"}, Buffer: 300_000, Ports: 3}
	for _, ab := range [][2]int{{0, 3}, {1, 4}, {2, 5}, {3, 4}, {4, 5}, {5, 3}} {
		top.Links = append(top.Links, TopologyLink{ab[0], ab[1], Gbps100, Microsecond})
	}
	sc := DefaultScenario(top)
	sc.Policy, sc.Static, sc.Arbitration, sc.Flows = ST, 20_000, FIFO, flows
	f := newFabric(t, sc)
	for s, onward := range []uint8{1, 2, 2} { // from A to B, B to C, C to A
		for h := range 3 {
			if h != s {
				f.Switches[s].cfg.Routes[h] = []uint8{onward}
			}
		}
	}
	return f
}

// Each host of the circle sends over two of its links: A's buffer waits for B's, B's for C's, C's for A's.
func TestDeadlockOfThree(t *testing.T) {
	f := circle(t, []Flow{{From: 0, To: 2, Bytes: 2_000_000}, {From: 1, To: 0, Bytes: 2_000_000},
		{From: 2, To: 1, Bytes: 2_000_000}})
	var d *Deadlock
	for at := 10 * Microsecond; d == nil; at += 10 * Microsecond {
		require.Less(t, at, Millisecond, "no deadlock")
		require.NoError(t, f.Run(t.Context(), at))
		d = f.Deadlocked()
	}
	require.Equal(t, "A -> B -> C -> A", d.String())
	require.Equal(t, 3, d.Ports)
	require.NoError(t, f.Run(t.Context(), 5*Millisecond))
	require.Equal(t, 3, f.Traffic.Unfinished)
}

// Without the third flow the circle is open: ports pause, none for ever.
func TestNoDeadlockInAnOpenCircle(t *testing.T) {
	f := circle(t, []Flow{{From: 0, To: 2, Bytes: 2_000_000}, {From: 1, To: 0, Bytes: 2_000_000}})
	for at := Time(0); at < Millisecond; at += Microsecond / 2 { // also while a RESUME is on its way, for 1 us
		require.NoError(t, f.Run(t.Context(), at))
		require.Nil(t, f.Deadlocked())
	}
	require.Zero(t, f.Traffic.Unfinished)
	require.Positive(t, f.Switches[2].mmu.Counts.Pauses+f.Switches[1].mmu.Counts.Pauses)
}

// Of 600 bytes 550 stay. Under DT with alpha 1 the threshold is then 450 of the pool's 1,000, for a pinned port all
// 1,000.
func TestAPinnedPortResumesWithTheWholePool(t *testing.T) {
	for policy, resumes := range map[Policy]bool{DT: false, Pinned: true} {
		cfg := DefaultBuffer(2, 1000, 0)
		cfg.Reserve, cfg.ResumeOffset, cfg.Policy, cfg.AlphaShift, cfg.Pinned = 0, 0, policy, 0, 1
		m, err := NewManager(cfg)
		require.NoError(t, err)
		for range 2 {
			m.Enqueue(0, 0, 3, 1, 300)
		}
		require.Equal(t, resumes, m.resumesWith(0, 3, map[int]int64{0: 550}), policy)
	}
}

// A port that is still closed while the buffer that closed it has sent its RESUME waits for nobody.
func TestNoDeadlockWhileAResumeIsOnItsWay(t *testing.T) {
	f := circle(t, nil)
	f.Net.ports[f.Net.portID(3, 1)].open &^= 1 << DataPriority // of A to B
	require.Nil(t, f.Deadlocked())
}

package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/edm"
)

type observer func(edges rtl.Edges)

func (o observer) Observe(edges rtl.Edges) { o(edges) }

// cells sums the steps by place.
func cells(steps []Step) map[string]clock.Time {
	m := map[string]clock.Time{}
	for _, s := range steps {
		m[s.Place] = m[s.Place].Add(s.Time())
	}
	return m
}

// At 100 Gb/s the stages last as long: the switch exactly, with the scheduler's crossings in, the whole way to within a
// block.
func TestStagesLastAsLongAt100G(t *testing.T) {
	for kind, at25 := range map[workload.MessageType]int64{workload.Read: 117, workload.Write: 116} {
		steps, err := Follow(t.Context(), edm.Config{Nodes: 2, Lanes: 4}, kind, 64)
		require.NoError(t, err)
		require.Equal(t, "28.16ns", cells(steps)[Switch].String())
		short := clock.Block25G.Period().Times(at25).Sub(steps[len(steps)-1].To.Sub(steps[0].From))
		require.GreaterOrEqual(t, short.Cmp(clock.Time{}), 0)
		require.LessOrEqual(t, short.Cmp(clock.MustTime("0.64ns")), 0)
	}
}

// Table 1, cell by cell, in cycles of 2.56 ns.
func TestTable1(t *testing.T) {
	for _, c := range []struct {
		kind                                      workload.MessageType
		compute, swtch, memory, pcs, wires, ofAll int64
	}{
		{workload.Read, 5, 11, 10, 16, 75, 117},
		{workload.Write, 11, 11, 3, 16, 75, 116},
	} {
		steps, err := Follow(t.Context(), aligned(), c.kind, 64)
		require.NoError(t, err)
		got := cells(steps)
		cycle := clock.Block25G.Period()
		for place, want := range map[string]int64{ComputeNode: c.compute, Switch: c.swtch, MemoryNode: c.memory, PCS: c.pcs,
			Wires: c.wires} {
			require.Equal(t, cycle.Times(want).String(), got[place].String(), "%v: %s", c.kind, place)
		}
		total := steps[len(steps)-1].To.Sub(steps[0].From)
		require.Equal(t, cycle.Times(c.ofAll).String(), total.String())
		// seen once more, without the steps between
		n, err := edm.NewNetwork(aligned())
		require.NoError(t, err)
		var asked, taken, delivered clock.Time
		n.Sim.Observe(observer(func(edges rtl.Edges) {
			now := instant(n, edges)
			if n.Hosts[0].App.Out.Get().Valid && asked.Cmp(clock.Time{}) == 0 {
				asked = now // stands at the input from here on; the next edge takes it
			}
			if w := n.Hosts[map[workload.MessageType]int{workload.Read: 0, workload.Write: 1}[c.kind]].Rx.Word.Get(); w.Valid &&
				delivered.Cmp(clock.Time{}) == 0 {
				delivered = now
			}
		}))
		require.NoError(t, n.Clock.Run(300))
		n.Hosts[0].App.Requests = []edm.Timed{{Request: edm.Request{Kind: edm.KindOf(c.kind), Dest: 1, Bytes: 64}}}
		require.NoError(t, n.Clock.Run(300))
		taken = asked.Add(cycle)
		require.Equal(t, cycle.Times(c.ofAll).String(), delivered.Sub(taken).String())
	}
}

// The network behind Table 1 has its monitor: a word that the memory node does not have by any message is an error.
func TestFollowedAccessIsChecked(t *testing.T) {
	spoil := func(w edm.Watched) error {
		w.Network.Hosts[1].Memory.Put(128, 7)
		return nil
	}
	_, err := follow(t.Context(), aligned(), workload.Read, 64, spoil)
	require.ErrorContains(t, err, "the memory of host 1 differs from the oracle")
}

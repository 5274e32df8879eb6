package shoal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// The nodes' own clocks are evenly spread over both sides of the switches' clock, or over the farther half of one side. Node 0 has the distributed one.
func TestOwnClocks(t *testing.T) {
	require.InDeltaSlice(t, []float64{0, -90, -60, -30, 0, 30, 60, 90}, ownClocks(8, 90, "around"), 1e-9)
	require.InDeltaSlice(t, []float64{0, -45, -52.5, -60, -67.5, -75, -82.5, -90}, ownClocks(8, 90, "below"), 1e-9)
	require.Equal(t, make([]float64, 8), ownClocks(8, 0, "around"))
}

// A node takes its hops of the way round the ring, all equally long, to the nearest cycle, and sets its counter two edges later.
func TestHopsOfTheRing(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	for _, c := range []struct {
		round uint16
		hops  uint64
		want  uint64
	}{{1952, 3, 732}, {1951, 3, 732}, {1950, 3, 731}, {1951, 7, 1707}, {1949, 4, 975}, {1, 1, 0}} { // 731.6, 731.25, 1707.1, 974.5, 0.1
		port := &TimePort{cfg: timeConfig{id: uint8(c.hops), schedule: s, hops: c.hops}}
		m := TimeMessage{Kind: timeBeacon, Count: 5000, Value: c.round}
		out, set := port.ring(0, m)
		require.Equal(t, m, out, "passed on as it is")
		require.Equal(t, TimeSet{Count: 5000 + c.want + 2, Valid: true}, set, "%+v", c)
	}
}

// hearing keeps what a TimePort tells its counter.
type hearing struct {
	In  rtl.In[TimeHeard]
	got []TimeHeard
}

func (h *hearing) Tick() {
	if v := h.In.Get(); v.Valid {
		h.got = append(h.got, v)
	}
}

// While delays are measured, what a probe tells counts only at the node that its slot connects its sender with: node 3 sends to node 5 in slot 1 of an epoch of
// 7. Afterwards, and in the right slot, its value is taken.
func TestProbeOfAnotherSlot(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	for _, c := range []struct{ slot, epochs, want int }{{1, 0, 77}, {0, 0, timeNone}, {2, 0, timeNone}, {8, 0, 77}, {9, 0, timeNone}, {9, probeEpochs, 77}} {
		sim := rtl.New(rtl.Config{})
		clk := sim.Clock("core", xgmiiClock)
		port, ear, line := &TimePort{cfg: timeConfig{id: 5, schedule: s, slot: 12, sum: sumEpochs, words: 8}}, &hearing{}, &poke[pcs.XGMII]{}
		top := sim.Scope("top").On(clk)
		top.Add("line", line)
		top.Add("dut", port)
		top.Add("ear", ear)
		rtl.Connect(&line.Out, &port.Line)
		rtl.Connect(&port.Heard, &ear.In)
		rtl.Tie(true, &port.Filled)
		rtl.Tie(uint64(1000+500+c.epochs*7*12), &port.Count)
		rtl.Tie(TimeSeen{}, &port.Seen)
		rtl.Tie(uint32(0), &port.Total)
		rtl.Tie(uint16(0), &port.Known)
		rtl.Tie(uint16(0), &port.Unreachable)
		require.NoError(t, sim.Elaborate())
		port.start = 1000
		count := uint32(1000 + c.slot*12 + 3) // probes go in the first quarter of a slot
		line.next = TimeMessage{Kind: timeProbe, From: 3, Value: 77, Count: count}.word()
		require.NoError(t, clk.Run(1))
		line.next = pcs.XGMII{}
		require.NoError(t, clk.Run(3))
		require.Equal(t, []TimeHeard{{Count: count, Value: uint16(c.want), From: 3, Valid: true}}, ear.got, "%+v", c)
	}
}

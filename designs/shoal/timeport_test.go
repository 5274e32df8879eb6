package shoal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// A node takes its hops of the way round the ring, all equally long, to the nearest cycle, and sets its counter two
// edges later.
func TestHopsOfTheRing(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	for _, c := range []struct {
		round uint16
		hops  uint64
		want  uint64
	}{{1952, 3, 732}, {1951, 3, 732}, {1950, 3, 731}, {1951, 7, 1707}, {1949, 4, 975}, {1, 1, 0}} {
		// unrounded: 732, 731.6, 731.25, 1707.1, 974.5, 0.1
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

// timePortBench has a TimePort alone, with its messages to its counter, whose count stands still.
func timePortBench(
	t *testing.T, cfg timeConfig, count uint64, known, gone uint16,
) (*TimePort, *rtl.Clock, *poke[pcs.XGMII], *hearing) {
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("core", XGMIIClock)
	port, ear, line := &TimePort{cfg: cfg}, &hearing{}, &poke[pcs.XGMII]{}
	top := sim.Scope("top").On(clk)
	top.Add("line", line)
	top.Add("dut", port)
	top.Add("ear", ear)
	rtl.Connect(&line.Out, &port.Line)
	rtl.Connect(&port.Heard, &ear.In)
	rtl.Tie(true, &port.Filled)
	rtl.Tie(count, &port.Count)
	rtl.Tie(TimeSeen{}, &port.Seen)
	rtl.Tie(uint32(0), &port.Total)
	rtl.Tie(known, &port.Known)
	rtl.Tie(gone, &port.Unreachable)
	require.NoError(t, sim.Elaborate())
	return port, clk, line, ear
}

// While delays are measured, what a probe tells counts only at the node that its slot connects its sender with: node 3
// sends to node 5 in slot 1 of an epoch of
// 7. Afterwards, and in the right slot, its value is taken.
func TestProbeOfAnotherSlot(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	for _, c := range []struct{ slot, epochs, want int }{{1, 0, 77}, {0, 0, timeNone}, {2, 0, timeNone}, {8, 0, 77},
		{9, 0, timeNone}, {9, probeEpochs, 77}} {
		port, clk, line, ear := timePortBench(
			t, timeConfig{id: 5, schedule: s, slot: 12, sum: sumEpochs, words: 8}, uint64(1000+500+c.epochs*7*12), 0, 0,
		)
		port.start = 1000
		count := uint32(1000 + c.slot*12 + 3) // probes go in the first quarter of a slot
		line.next = TimeMessage{Kind: timeProbe, From: 3, Value: 77, Count: count}.word()
		require.NoError(t, clk.Run(1))
		line.next = pcs.XGMII{}
		require.NoError(t, clk.Run(3))
		require.Equal(t, []TimeHeard{{Count: count, Value: uint16(c.want), From: 3, Valid: true}}, ear.got, "%+v", c)
	}
}

// A node follows probes in the first four epochs of each interval between corrections, counted from the first cells; up
// to them, and with an interval of no more than four epochs, it always does (§6.1: an epoch of 8 nodes has 7 slots of
// 12 cycles).
func TestCorrectionInterval(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	const epoch = 7 * 12
	for interval, at := range map[int]map[int64]bool{
		0: {-1: true, 4 * epoch: true, 9 * epoch: true},
		4: {3 * epoch: true, 4 * epoch: true, 5*epoch - 1: true},
		5: {4*epoch - 1: true, 4 * epoch: false, 5*epoch - 1: false, 5 * epoch: true},
		10: {-1: true, 0: true, 4*epoch - 1: true, 4 * epoch: false, 10*epoch - 1: false, 10 * epoch: true,
			14*epoch - 1: true, 14 * epoch: false},
	} {
		p, err := NewPrototype(PrototypeConfig{Schedule: s, Sync: &Sync{Guard: 1, Lead: 1, Interval: interval}})
		require.NoError(t, err)
		for cycle, follow := range at {
			port, clk, _, _ := timePortBench(t, p.Ports[5].cfg, uint64(1000+p.Ports[5].total()+cycle), 0, 0)
			port.start = 1000
			require.NoError(t, clk.Run(1))
			require.Equal(
				t, follow, port.Mode.Get().Follow, "interval of %d epochs, %d cycles after the first cells", interval,
				cycle,
			)
		}
	}
}

// A node is ready if it knows the delay to each other one and, unless it is the master, the master's sum. With N nodes
// its sum is larger than the master's by N - 2 times its wire's excess, so that its slots begin earlier by the nearest
// cycle to that part.
func TestAdvanceOfASum(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	for _, c := range []struct {
		id            uint8
		known         uint16
		summed, ready bool
		master        uint16 // its sum; the node's own is 0
		advance       int64
	}{
		{5, 0xdf, true, true, 600, -100}, {5, 0xdf, true, true, 8, -1}, {5, 0xdf, true, true, 10, -2},
		{5, 0xdf, true, true, 0, 0},
		{5, 0x5f, true, false, 0, 0}, {5, 0xde, true, false, 0, 0}, {5, 0xdf, false, false, 0, 0},
		{0, 0xfe, false, true, 0, 0}, {0, 0x7e, false, false, 0, 0},
	} {
		port, clk, _, _ := timePortBench(
			t, timeConfig{id: c.id, schedule: s, slot: 12, sum: sumEpochs, words: 8}, 1000+(probeEpochs+sumEpochs)*7*12,
			c.known, 0,
		)
		port.start, port.sum, port.summed = 1000, c.master, c.summed
		require.NoError(t, clk.Run(1))
		require.True(t, port.judged)
		require.Equal(t, c.ready, port.ready, "%+v", c)
		require.Equal(t, c.advance, port.advance, "%+v", c)
	}
}

// A node that cannot reach others tells that in every other epoch, and the time in the epochs between (§3.5).
func TestNoticesLeaveTheTimeItsTurn(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	cfg := timeConfig{id: 5, schedule: s, slot: 12, sum: sumEpochs, words: 8}
	for epoch := range 4 {
		for _, gone := range []uint16{0, 1 << 3} {
			want := uint8(timeProbe)
			if gone != 0 && epoch%2 == 1 {
				want = timeNotice
			}
			// preamble, cell, FCS
			port, clk, _, _ := timePortBench(t, cfg, uint64(1000+(probeEpochs+sumEpochs+alignEpochs+epoch)*7*12+10), 0, gone)
			port.start, port.signals = 1000, 2
			require.NoError(t, clk.Run(1))
			m := parseTimeMessage(port.Message.Get())
			require.Equal(t, want, m.Kind, "epoch %d, cannot reach %b", epoch, gone)
			if want == timeNotice {
				require.Equal(t, gone, m.Value)
			}
		}
	}
}

package shoal

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/clock"

	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// Each node advances its slots by the cycles by which its wire is longer than node 0's. The delay that two nodes
// measure is the delay of wires of 10 ns and of both their wires' excess. Cells come in where a node's slots, with
// their Base, have them.
func TestAdvanceIsTheWires(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	var wires []clock.Time
	for _, ns := range []int64{10, 10, 16, 22, 12, 10, 25, 10} {
		wires = append(wires, clock.Nanosecond.Times(ns))
	}
	p, err := NewPrototype(PrototypeConfig{Schedule: s, Sync: &Sync{Guard: 1, Lead: 1}, Wires: wires})
	require.NoError(t, err)
	require.NoError(t, p.Synchronise(t.Context()))
	for i, port := range p.Ports {
		longer := cyclesOf(wires[i].Sub(wires[0]))
		require.InDelta(t, longer, float64(port.advance), 1, "node %d", i)
		for j := range i {
			require.Equal(t, p.counters[i].delay[j], p.counters[j].delay[i])
			// 244 cycles with wires of 10 ns, as the experiment latency counts them
			require.InDelta(t, 244+longer+cyclesOf(wires[j].Sub(wires[0])), float64(p.counters[i].delay[j]), 2)
		}
	}
	cells := 0
	for range 40 * p.Slot {
		require.NoError(t, p.Clock.Run(1))
		for i, nic := range p.NICs {
			if slots := nic.Slots.Get(); slots.Valid && nic.Check.Get().Valid {
				cells++ // its preamble, itself and its FCS have passed
				require.Zero(
					t, (int64(slots.Now)-int64(slots.Start)-int64(slots.Base)-int64(nic.words)-2)%int64(p.Slot), "node %d",
					i,
				)
			}
		}
	}
	require.Greater(t, cells, 8*10)
}

// Racks whose wires are all longer give the master's sum the time that it takes. Where probes cannot be answered in
// theirs, a rack is refused.
func TestLongWires(t *testing.T) {
	for _, c := range []struct {
		nodes, ns int
		want      string
	}{
		{5, 200, ""},
		{6, 400, ""},
		{5, 400, "5 nodes: 7 epochs are 336 cycles, want the 384 that a message may take, or the nodes cannot come to a " +
			"common time"},
	} {
		s, err := Cyclic(c.nodes, 1)
		require.NoError(t, err)
		wires := slices.Repeat([]clock.Time{clock.Nanosecond.Times(int64(c.ns))}, c.nodes)
		p, err := NewPrototype(PrototypeConfig{Schedule: s, Sync: &Sync{Guard: 1, Lead: 1}, Wires: wires})
		if c.want != "" {
			require.EqualError(t, err, c.want)
			continue
		}
		require.NoError(t, err)
		require.NoError(t, p.Synchronise(t.Context()), "%+v", c)
		whole, _ := p.Spread(false)
		require.Zero(t, whole)
	}
}

func TestTimeMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := TimeMessage{
			Count: rapid.Uint32Range(0, timeCountMask).Draw(t, "count"), Value: rapid.Uint16().Draw(t, "value"),
			From: rapid.Uint8Range(0, 31).Draw(t, "from"), Kind: rapid.Uint8Range(1, 7).Draw(t, "kind"),
		}
		w := m.word()
		require.Equal(t, m, parseTimeMessage(w))
		for lane := range 8 {
			char, control := w.Lane(lane)
			require.Equal(t, lane%4 == 0, control)
			require.Equal(t, lane%4 == 0, control && char == pcs.CharSignal)
		}
	})
	for _, w := range []pcs.XGMII{pcs.IdleWord(), BootstrapWord(), realignWord(), pcs.ErrorWord(),
		{Data: startData, Ctrl: startControl, Valid: true}, {}} {
		require.Zero(t, parseTimeMessage(w).Kind)
	}
}

func TestSynchronisationRefuses(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	for _, c := range []struct {
		sync Sync
		want string
	}{{Sync{Guard: -1}, "guard band"}, {Sync{Guard: 1, Lead: 3}, "guard band"}, {Sync{Alpha: 17}, "guard band"}} {
		_, err := NewPrototype(PrototypeConfig{Schedule: s, Sync: &c.sync})
		require.ErrorContains(t, err, c.want)
	}
	pairs, err := NewSchedule("pairs", 4, 1, [][]int16{{1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}})
	require.NoError(t, err)
	_, err = NewPrototype(PrototypeConfig{Schedule: pairs, Sync: &Sync{}})
	require.ErrorContains(t, err, "several rings")
	for nodes := 3; nodes <= 5; nodes++ {
		s, err := Cyclic(nodes, 1)
		require.NoError(t, err)
		p, err := NewPrototype(PrototypeConfig{Schedule: s, Sync: &Sync{Guard: 1, Lead: 1}})
		if nodes < 5 {
			require.ErrorContains(t, err, "cannot come to a common time")
			continue
		}
		require.NoError(t, err)
		require.NoError(t, p.Synchronise(t.Context()))
	}
}

// A least guard band lets early and late cells pass that are half a guard band, and half and the gap's cycle, off.
func TestGuardBandWanted(t *testing.T) {
	for early := range 6 {
		for late := range 6 {
			a := Alignment{Early: early, Late: late}
			g := a.Wanted()
			require.GreaterOrEqual(t, g+1, early+late)
			require.LessOrEqual(t, float64(g), math.Max(2*float64(early), 2*float64(late)))
		}
	}
}

// The delay is half of the sum of both ways less α, rounded down, as in DTP's Algorithm 1. For a way of 240 and α of 3
// that is 238.
func TestAlphaIsTakenOffBothWays(t *testing.T) {
	for _, c := range []struct{ seen, value, alpha, delay int }{{240, 240, 0, 240}, {240, 240, 3, 238}, {241, 241, 3, 239},
		{140, 340, 3, 238}, {-60, 540, 2, 239}, {240, 241, 0, 240}, {240, 243, 3, 240}} {
		sim := rtl.New(rtl.Config{})
		n := &TimeCounter{nodes: timeNodes}
		sim.Scope("dut").On(sim.Clock("core", XGMIIClock)).Add("counter", n)
		rtl.Tie(TimeHeard{Count: uint32(-c.seen) & timeCountMask, Value: uint16(c.value), From: 3, Valid: true}, &n.Heard)
		rtl.Tie(TimeMode{Learn: true}, &n.Mode)
		rtl.Tie(TimeSet{}, &n.Set)
		rtl.Tie(uint8(c.alpha), &n.Alpha)
		require.NoError(t, sim.Elaborate())
		n.Tick()
		require.Equal(t, c.delay, int(n.delay[3]), "%+v", c)
	}
}

// A correction can pass over a count, or hold it for a cycle. An event due at that count comes once all the same.
func TestCountsPassedOver(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	for _, step := range []uint64{0, 1, 2} {
		p, err := NewPrototype(PrototypeConfig{Schedule: s, Sync: &Sync{Guard: 1, Lead: 1}})
		require.NoError(t, err)
		port := p.Ports[0]
		port.start = 1000
		var sent []pcs.XGMII
		for _, due := range []int64{-2, port.epochs(probeEpochs + port.cfg.sum), port.total() - 2} {
			for _, now := range []int64{due - 1, due - 1 + int64(step)/2*2, due, due + 1} {
				if step == 2 && now == due { // passed over
					continue
				}
				for range 2 - min(step, 1) { // 0: each count is there for two cycles
					if _, w := port.send(uint64(1000+now), TimeMessage{}); w.Valid {
						sent = append(sent, w)
					}
				}
			}
		}
		require.True(t, port.judged)
		require.Equal(t, []pcs.XGMII{BootstrapWord(), realignWord()}, sent, "steps of %d", step)
	}
}

package shoal

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// Nodes on the distributed clock agree to the cycle, with wires that differ by up to 25 ns too; those on clocks of their own that follow a master to one cycle. A guard band
// of one cycle is enough for both, and all cells arrive.
func TestSynchronised(t *testing.T) {
	for _, q := range []SynchronisationPoint{
		{Rule: "follow", Guard: 0, Slots: 300},
		{Rule: "follow", Guard: 1, Slots: 300, Wires: clock.Nanosecond.Times(25)},
		{Rule: "follow", Guard: 1, Slots: 800, PPM: 100, Clocks: "around"},
	} {
		seed := uint64(1)
		if q.Wires != (clock.Time{}) {
			seed = 3 // a rack that lost frames as long as probes went in the middle of slots
		}
		r, err := runSynchronisation(t.Context(), &experiment.Run{Seed: seed}, q)
		require.NoError(t, err)
		require.Zero(t, r.Damaged+r.Cut, "%+v", q)
		require.Greater(t, r.Aligned.Cells, uint64(8*4*200), "words that were looked at at 12 crossbar ports")
		require.LessOrEqual(t, r.Wanted, q.Guard)
		require.Equal(t, SyncAccount{Copies: r.Account.Copies, Delivered: r.Account.Delivered, Waiting: r.Account.Copies - r.Account.Delivered}, r.Account)
		if q.Slots == 800 {
			require.EqualValues(t, 400, r.Account.Delivered)
		}
		require.Greater(t, r.Account.Delivered, uint64(200))
		if q.PPM == 0 {
			require.Zero(t, r.Cycles)
		} else {
			require.Equal(t, int64(1), r.Cycles)
			require.Less(t, r.Exact, 1.0)
			require.Greater(t, r.Exact, 0.5, "the counters were compared")
		}
	}
}

// Each node advances its slots by the cycles by which its wire is longer than node 0's. The delay that two nodes measure is that of wires of
// 10 ns and what both their wires are longer. Cells come in where a node's slots, with their Base, have them.
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
	for i, port := range p.ports {
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
		for i, nic := range p.nics {
			if slots := nic.Slots.Get(); slots.Valid && nic.Check.Get().Valid {
				cells++ // its preamble, itself and its FCS have passed
				require.Zero(t, (int64(slots.Now)-int64(slots.Start)-int64(slots.Base)-int64(nic.words)-2)%int64(p.Slot), "node %d", i)
			}
		}
	}
	require.Greater(t, cells, 8*10)
}

// Racks whose wires are all longer give the master's sum the time that it takes. Where probes cannot be answered in theirs, a rack is refused.
func TestLongWires(t *testing.T) {
	for _, c := range []struct {
		nodes, ns int
		want      string
	}{
		{5, 200, ""},
		{6, 400, ""},
		{5, 400, "5 nodes: 7 epochs are 336 cycles, want the 384 that a message may take, or the nodes cannot come to a common time"},
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
		whole, _ := p.spread(false)
		require.Zero(t, whole)
	}
}

// With the guard band that the observed edges want nothing is lost, with one cycle less something is. The counters of DTP, which never go back, are
// no farther apart than DTP says of two nodes next to each other: 4 ticks.
func TestGuardBandBelow(t *testing.T) {
	q := SynchronisationPoint{Rule: "dtp", Alpha: 3, PPM: 100, Clocks: "below", Slots: 400}
	for guard := 3; guard <= 4; guard++ {
		q.Guard = guard
		r, err := runSynchronisation(t.Context(), &experiment.Run{Seed: 1}, q)
		require.NoError(t, err)
		require.Greater(t, r.Cycles, int64(1))
		require.LessOrEqual(t, r.Cycles, int64(4))
		require.Equal(t, guard == 3, guard < r.Wanted, "guard %d: %+v", guard, r.Aligned)
		require.Equal(t, guard < r.Wanted, r.Damaged > 0 && r.FirstLost > 0, "guard %d: %d of %d frames damaged, %d cut", guard, r.Damaged, r.Frames, r.Cut)
		require.Less(t, r.FirstLost, r.Start, "it counts from the first cell")
		require.Equal(t, guard < r.Wanted, r.Account.OnLines+r.Account.Duplicate+r.Account.Lost > 0, "%+v", r.Account)
	}
}

func TestTimeMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := TimeMessage{Count: rapid.Uint32Range(0, timeCountMask).Draw(t, "count"), Value: rapid.Uint16().Draw(t, "value"), From: rapid.Uint8Range(0, 31).Draw(t, "from"),
			Kind: rapid.Uint8Range(1, 7).Draw(t, "kind")}
		w := m.word()
		require.Equal(t, m, parseTimeMessage(w))
		for lane := range 8 {
			char, control := w.Lane(lane)
			require.Equal(t, lane%4 == 0, control)
			require.Equal(t, lane%4 == 0, control && char == pcs.CharSignal)
		}
	})
	for _, w := range []pcs.XGMII{pcs.IdleWord(), bootstrapWord(), realignWord(), pcs.ErrorWord(), {Data: startData, Ctrl: startControl, Valid: true}, {}} {
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
			a := alignment{Early: early, Late: late}
			g := a.wanted()
			require.GreaterOrEqual(t, g+1, early+late)
			require.LessOrEqual(t, float64(g), math.Max(2*float64(early), 2*float64(late)))
		}
	}
}

// The delay is half of the sum of both ways less α, rounded down, as in DTP's Algorithm 1. For a way of 240 and α of 3 that is 238.
func TestAlphaIsTakenOffBothWays(t *testing.T) {
	for _, c := range []struct{ seen, value, alpha, delay int }{{240, 240, 0, 240}, {240, 240, 3, 238}, {241, 241, 3, 239}, {140, 340, 3, 238}, {-60, 540, 2, 239}, {240, 241, 0, 240}, {240, 243, 3, 240}} {
		sim := rtl.New(rtl.Config{})
		n := &TimeCounter{nodes: timeNodes}
		sim.Scope("dut").On(sim.Clock("core", xgmiiClock)).Add("counter", n)
		rtl.Tie(TimeHeard{Count: uint32(-c.seen) & timeCountMask, Value: uint16(c.value), From: 3, Valid: true}, &n.Heard)
		rtl.Tie(TimeMode{Learn: true}, &n.Mode)
		rtl.Tie(TimeSet{}, &n.Set)
		rtl.Tie(uint8(c.alpha), &n.Alpha)
		require.NoError(t, sim.Elaborate())
		n.Tick()
		require.Equal(t, c.delay, int(n.delay[3]), "%+v", c)
	}
}

// A correction can pass over a count, or hold it for a cycle. What is due at that count comes once all the same.
func TestCountsPassedOver(t *testing.T) {
	s, err := Cyclic(8, 1)
	require.NoError(t, err)
	for _, step := range []uint64{0, 1, 2} {
		p, err := NewPrototype(PrototypeConfig{Schedule: s, Sync: &Sync{Guard: 1, Lead: 1}})
		require.NoError(t, err)
		port := p.ports[0]
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
		require.Equal(t, []pcs.XGMII{bootstrapWord(), realignWord()}, sent, "steps of %d", step)
	}
}

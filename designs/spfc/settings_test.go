package spfc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
)

// Every setting reaches switches and hosts. Headrooms by hand: 18 us of line at 12.5 GB/s are 225,000 bytes, three packets of 1,048 and a PFC
// frame of 64 make 228,208, and 28,208 with 2 us; three times rate by delay are 337,500 and 37,500.
func TestSettingsReachTheNetwork(t *testing.T) {
	type seen struct {
		timers                 DCQCN
		far, near, pool        int64
		k                      int64
		tc                     Time
		alpha                  int
		arrivals, untilResumed bool
		arbitration            Arbitration
	}
	const carved = 16_000_000 - 30*228_208 - 2*28_208 - 32*4096
	for name, c := range map[string]struct {
		change func(s *Settings)
		want   func(x *seen)
	}{
		"none":          {func(*Settings) {}, func(*seen) {}},
		"timers":        {func(s *Settings) { s.Timers = "paper" }, func(x *seen) { x.timers = PaperDCQCN(100 * gbps) }},
		"publication":   {func(s *Settings) { s.Timers = "publication" }, func(x *seen) { x.timers = PublicationDCQCN() }},
		"keep target":   {func(s *Settings) { s.KeepTarget = true }, func(x *seen) { x.timers.KeepTarget = true }},
		"first later":   {func(s *Settings) { s.FirstLater = true }, func(x *seen) { x.timers.FirstLater = true }},
		"apart":         {func(s *Settings) { s.Headroom = "apart" }, func(x *seen) { x.pool = 16_000_000 - 32*4096 }},
		"triple":        {func(s *Settings) { s.Headroom = "triple" }, func(x *seen) { x.far, x.near, x.pool = 337_500, 37_500, 16_000_000-30*337_500-2*37_500-32*4096 }},
		"fair":          {func(s *Settings) { s.Arbitration = "fair" }, func(x *seen) { x.arbitration = IngressFair }},
		"K":             {func(s *Settings) { s.K = 9 }, func(x *seen) { x.k = 9 }},
		"TC":            {func(s *Settings) { s.TC = clock.MustTime("320us") }, func(x *seen) { x.tc = 320 * Microsecond }},
		"alpha":         {func(s *Settings) { s.Alpha = 0.5 }, func(x *seen) { x.alpha = -1 }},
		"marks":         {func(s *Settings) { s.Mark = "arrival" }, func(x *seen) { x.arrivals = true }},
		"until resumed": {func(s *Settings) { s.Pause = "until-resumed" }, func(x *seen) { x.untilResumed = true }},
	} {
		want := seen{timers: CardDCQCN(100 * gbps), far: 228_208, near: 28_208, pool: carved, k: 5, tc: 80 * Microsecond, alpha: 1, arbitration: FIFO}
		c.want(&want)
		s := DefaultSettings()
		c.change(&s)
		sc, err := s.scenario(figure3a(), "spfc", 1)
		require.NoError(t, err)
		f := newFabric(t, sc)
		sw := f.Switches[0]
		b := sw.Manager().Config()
		require.Equal(t, want, seen{timers: f.Traffic.DCQCN, far: b.Ports[0].Headroom, near: b.Ports[31].Headroom, pool: sw.Manager().Pool(), k: b.K, tc: b.Window, alpha: b.AlphaShift,
			arrivals: b.MarkArrivals, untilResumed: f.Net.pfc.UntilResumed, arbitration: sw.cfg.Arbitration}, name)
	}
}

// TC is 4 RTT where it is not set (§V-B): 80 us with the 20 us of Figure 3a, 96 us with the 24 us of §VII-D, 160 us with 19 us to the senders.
func TestTCFollowsTheRTT(t *testing.T) {
	for want, top := range map[Time]*Topology{80 * Microsecond: figure3a(), 96 * Microsecond: DeadlockPod(), 160 * Microsecond: SingleSwitch(30, 19*Microsecond, Gbps100, 16_000_000)} {
		s := DefaultSettings()
		sc, err := s.scenario(top, "spfc", 1)
		require.NoError(t, err)
		require.Equal(t, want, sc.Window, top.Name)
		require.Equal(t, want, DefaultScenario(top).Window, top.Name)
		s.TC = clock.MustTime("5us")
		sc, err = s.scenario(top, "spfc", 1)
		require.NoError(t, err)
		require.Equal(t, 5*Microsecond, sc.Window, "what is set stands")
	}
	s := DefaultSettings()
	s.TC = clock.MustTime("10ns")
	require.EqualError(t, s.check("spfc"), "--tc 10ns: want 0 or at least 1us")
}

// Two flows of 1,000 packets meet at R1. At 120 us neither is through, so each has taken 120 us of the 93.92384 us that 1,001 packets and 10 us
// of wire are; half of what has left has come of each.
func TestSlowdownOfUnfinishedFlows(t *testing.T) {
	sc := DefaultScenario(figure3a())
	sc.Flows = []Flow{{From: 1, To: 30, Bytes: 1_000_000}, {From: 2, To: 30, Bytes: 1_000_000}}
	f := newFabric(t, sc)
	require.NoError(t, f.Run(t.Context(), 120*Microsecond))
	all := slowdowns(f, func(int) bool { return true })
	got := all[2] // 100 KB to 1 MB
	require.Equal(t, []int{2, 0}, []int{got.Flows, got.Finished})
	require.InDelta(t, 120/93.92384, got.Mean, 1e-9)
	// the line to R1 is busy from 9.08384 us on: in 109.9 us it brings 1,311 packets
	require.InDelta(t, 1311./2*8000/120_000, got.Gbps, 0.1)
	require.Zero(t, all[0].Flows+all[1].Flows+all[3].Flows)
}

// The share of the time that H0 is paused is that in which its NIC may not send, seen every microsecond; and where the bursts begin does not
// matter to when their ports pause.
func TestBurstCountsPausesAndOffsets(t *testing.T) {
	q := closedPoint("dt1", 12)
	q.Lasts = 300 * Microsecond
	r, err := Burst.Measure(t.Context(), q, 1)
	require.NoError(t, err)
	f, err := q.fabric(1)
	require.NoError(t, err)
	paused, begin := 0, Millisecond+9*Microsecond
	for at := begin; at < begin+q.Lasts; at += Microsecond {
		require.NoError(t, f.Net.Run(t.Context(), at))
		if f.Net.Open(0, 0)>>dataPriority&1 == 0 {
			paused++
		}
	}
	require.Greater(t, paused, 10)
	require.InDelta(t, float64(paused)/300, r.PausedShare, 0.02)

	q.Offset = 50 * Microsecond
	later, err := Burst.Measure(t.Context(), q, 1)
	require.NoError(t, err)
	require.Positive(t, r.BurstPause)
	require.InDelta(t, float64(r.BurstPause), float64(later.BurstPause), 2*packetBytes*80)
}

// Hosts H1 to H29 start together, each with a size of its own; H0 sends to both receivers.
func TestWorkloadBurstsAreSynchronous(t *testing.T) {
	q := WorkloadPoint{workloadSettings(), "dt1", 0.4, 0.2, 20 * Millisecond, true, "websearch"}
	flows, err := workloadFlows(&q, 1)
	require.NoError(t, err)
	to, bursts := map[int]int{}, map[Time]map[int]int64{}
	for _, f := range flows {
		if f.From == 0 {
			require.Equal(t, WithDCQCN, f.Control)
			to[f.To]++
			continue
		}
		require.Equal(t, []any{31, Uncontrolled}, []any{f.To, f.Control})
		if bursts[f.Start] == nil {
			bursts[f.Start] = map[int]int64{}
		}
		bursts[f.Start][f.From] = f.Bytes
	}
	require.Len(t, to, 2)
	require.NotEmpty(t, bursts)
	for at, b := range bursts {
		require.Len(t, b, 29, "at %d ps", at)
		sizes := map[int64]bool{}
		for _, bytes := range b {
			sizes[bytes] = true
		}
		require.Greater(t, len(sizes), 5, "at %d ps", at)
	}
}

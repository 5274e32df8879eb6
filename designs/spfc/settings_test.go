package spfc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
)

// Every setting reaches switches and hosts. Headrooms by hand: 18 us of line at 12.5 GB/s are 225,000 bytes, three
// packets of 1,048 and a PFC frame of 64 make 228,208, and 28,208 with 2 us; three times rate by delay are 337,500 and
// 37,500.
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
		want := seen{timers: CardDCQCN(100 * gbps), far: 228_208, near: 28_208, pool: carved, k: 5, tc: 80 * Microsecond,
			alpha: 1, arbitration: FIFO}
		c.want(&want)
		s := DefaultSettings()
		c.change(&s)
		sc, err := s.Build(figure3a(), "spfc", 1)
		require.NoError(t, err)
		f := newFabric(t, sc)
		sw := f.Switches[0]
		b := sw.Manager().Config()
		require.Equal(
			t,
			want,
			seen{
				timers: f.Traffic.DCQCN, far: b.Ports[0].Headroom, near: b.Ports[31].Headroom, pool: sw.Manager().Pool(),
				k: b.K, tc: b.Window, alpha: b.AlphaShift, arrivals: b.MarkArrivals, untilResumed: f.Net.pfc.UntilResumed,
				arbitration: sw.cfg.Arbitration,
			},
			name,
		)
	}
}

// TC is 4 RTT where it is not set (§V-B): 80 us with the 20 us of Figure 3a, 96 us with the 24 us of §VII-D, 160 us
// with 19 us to the senders.
func TestTCFollowsTheRTT(t *testing.T) {
	for want, top := range map[Time]*Topology{80 * Microsecond: figure3a(), 96 * Microsecond: DeadlockPod(),
		160 * Microsecond: SingleSwitch(30, 19*Microsecond, Gbps100, 16_000_000)} {
		s := DefaultSettings()
		sc, err := s.Build(top, "spfc", 1)
		require.NoError(t, err)
		require.Equal(t, want, sc.Window, top.Name)
		require.Equal(t, want, DefaultScenario(top).Window, top.Name)
		s.TC = clock.MustTime("5us")
		sc, err = s.Build(top, "spfc", 1)
		require.NoError(t, err)
		require.Equal(t, 5*Microsecond, sc.Window, "what is set stands")
	}
	s := DefaultSettings()
	s.TC = clock.MustTime("10ns")
	require.EqualError(t, s.Check("spfc"), "--tc 10ns: want 0 or at least 1us")
}

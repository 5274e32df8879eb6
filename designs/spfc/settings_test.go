package spfc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/peers/dcqcn"
)

// Every setting reaches switches and hosts. Headrooms by hand: 18 us of line at 12.5 GB/s are 225,000 bytes, three
// packets of 1,048 and a PFC frame of 64 make 228,208, and 28,208 with 2 us; three times rate by delay are 337,500 and
// 37,500.
func TestSettingsReachTheNetwork(t *testing.T) {
	type seen struct {
		timers                 dcqcn.Parameters
		far, near, pool        int64
		k                      int64
		tc                     Time
		alpha                  int
		arrivals, untilResumed bool
		arbitration            Arbitration
		ecn                    ECN
		static                 int64
		timely                 TIMELY
	}
	const carved = 16_000_000 - 30*228_208 - 2*28_208 - 32*4096
	for name, c := range map[string]struct {
		change func(s *Settings)
		want   func(x *seen)
	}{
		"none":        {func(*Settings) {}, func(*seen) {}},
		"timers":      {func(s *Settings) { s.Timers = "paper" }, func(x *seen) { x.timers = dcqcn.Paper(100 * gbps) }},
		"publication": {func(s *Settings) { s.Timers = "publication" }, func(x *seen) { x.timers = dcqcn.Publication() }},
		"keep target": {func(s *Settings) { s.KeepTarget = true }, func(x *seen) { x.timers.KeepTarget = true }},
		"first later": {func(s *Settings) { s.FirstLater = true }, func(x *seen) { x.timers.FirstLater = true }},
		"apart":       {func(s *Settings) { s.Headroom = "apart" }, func(x *seen) { x.pool = 16_000_000 - 32*4096 }},
		"triple": {func(s *Settings) { s.Headroom = "triple" }, func(x *seen) {
			x.far, x.near, x.pool = 337_500, 37_500, 16_000_000-30*337_500-2*37_500-32*4096
		}},
		"fair":   {func(s *Settings) { s.Arbitration = "fair" }, func(x *seen) { x.arbitration = IngressFair }},
		"K":      {func(s *Settings) { s.K = 9 }, func(x *seen) { x.k = 9 }},
		"TC":     {func(s *Settings) { s.TC = clock.MustTime("320us") }, func(x *seen) { x.tc = 320 * Microsecond }},
		"alpha":  {func(s *Settings) { s.Alpha = 0.5 }, func(x *seen) { x.alpha = -1 }},
		"marks":  {func(s *Settings) { s.Mark = "arrival" }, func(x *seen) { x.arrivals = true }},
		"ECN":    {func(s *Settings) { s.ECN = "10:20.5:25" }, func(x *seen) { x.ecn = ECN{10_000, 20_500, 0.25} }},
		"static": {func(s *Settings) { s.Static = 7 }, func(x *seen) { x.static = 7000 }},
		"DCQCN": {func(s *Settings) {
			s.DCQCNKnobs = "cnp=2us, alpha=3us,decrease=0s,increase=1ms,bytes=1.5,f=5,ai=40,hai=400,least=100"
		}, func(x *seen) {
			x.timers = dcqcn.Parameters{CNPInterval: 2_000_000, AlphaInterval: 3_000_000, IncreaseEvery: 1_000_000_000,
				ByteCounter: 1_500_000, FastRecovery: 5, Additive: 40_000_000, Hyper: 400_000_000, Least: 100_000_000}
		}},
		"TIMELY": {func(s *Settings) {
			s.TIMELYKnobs = "weight=0.5,beta=0.25,low=10us,high=20us,rtt=5us,delta=10,hyper=50,n=3,segment=8,least=20"
		}, func(x *seen) {
			x.timely = TIMELY{Weight: 500, Beta: 250, Low: 10 * Microsecond, High: 20 * Microsecond, LeastRTT: 5 * Microsecond,
				Additive: 10_000_000, Hyper: 50_000_000, HyperAfter: 3, Segment: 8, Least: 20_000_000}
		}},
		"until resumed": {func(s *Settings) { s.Pause = "until-resumed" }, func(x *seen) { x.untilResumed = true }},
	} {
		want := seen{timers: dcqcn.Card(100 * gbps), far: 228_208, near: 28_208, pool: carved, k: 5, tc: 80 * Microsecond,
			alpha: 1, arbitration: FIFO, ecn: ECN{400_000, 1_600_000, 0.2}, static: 500_000,
			timely: DefaultTIMELY(100 * gbps)}
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
				arbitration: sw.cfg.Arbitration, ecn: b.Ports[3].ECN, static: b.Static, timely: f.Traffic.TIMELY,
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

// Parameters of a user's own that mean nothing are refused, each by its flag.
func TestBadKnobs(t *testing.T) {
	for _, c := range []struct {
		set  func(s *Settings, text string)
		text string
		want string
	}{
		{func(s *Settings, x string) { s.ECN = x }, "10:5:1", `--ecn "10:5:1": want KMIN:KMAX:PERCENT, the thresholds in KB`},
		{func(s *Settings, x string) { s.ECN = x }, "1:2", `--ecn "1:2": want KMIN:KMAX:PERCENT`},
		{func(s *Settings, x string) { s.ECN = x }, "1:2:101", `--ecn "1:2:101": want KMIN:KMAX:PERCENT`},
		{func(s *Settings, x string) { s.ECN = x }, "0:0:1", `--ecn "0:0:1": want KMIN:KMAX:PERCENT`},
		{func(s *Settings, x string) { s.DCQCNKnobs = x }, "ai", `--dcqcn "ai": want NAME=VALUE with a NAME of cnp, alpha`},
		{func(s *Settings, x string) { s.DCQCNKnobs = x }, "ai=1,ai=2", `--dcqcn ai is there twice`},
		{func(s *Settings, x string) { s.DCQCNKnobs = x }, "ai=NaN", `--dcqcn ai=NaN: want a number from 0 to 1e+06`},
		{func(s *Settings, x string) { s.DCQCNKnobs = x }, "cnp=0s", `--dcqcn cnp=0s: want 0.001us to 10s`},
		{func(s *Settings, x string) { s.DCQCNKnobs = x }, "cnp=11s", `--dcqcn cnp=11s: want 0.001us to 10s`},
		{func(s *Settings, x string) { s.TIMELYKnobs = x }, "low=5s", `--timely: low is above high`},
		{func(s *Settings, x string) { s.TIMELYKnobs = x }, "beta=1.5", `--timely beta=1.5: want a number from 0 to 1`},
	} {
		s := DefaultSettings()
		c.set(&s, c.text)
		require.ErrorContains(t, s.Check("spfc"), c.want)
		_, err := s.Build(figure3a(), "spfc", 1)
		require.ErrorContains(t, err, c.want)
	}
	s := DefaultSettings()
	s.TIMELYKnobs = "low=100us"
	require.NoError(t, s.Check("spfc"))
}

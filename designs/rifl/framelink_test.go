package rifl_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"goldwire/designs/rifl"
)

func frameLink(t require.TestingT, cfg rifl.FrameLinkConfig) *rifl.FrameLink {
	l, err := rifl.NewFrameLink(cfg)
	require.NoError(t, err)
	return l
}

// What arrives is what was sent, once, in order, whatever bit errors, noise, pulled cables and stalls there are on the way:
// within the sizing rule for the safe profile, at the default cable for the core's.
func TestFrameLinkLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := rifl.FrameLinkConfig{Config: rifl.Default(), Seed: rapid.Uint64Range(0, 1<<40).Draw(t, "seed")}
		cfg.Profile = rapid.SampledFrom([]rifl.Profile{rifl.Core, rifl.Safe}).Draw(t, "profile")
		cfg.Lanes = rapid.IntRange(1, 4).Draw(t, "lanes")
		if cfg.Profile == rifl.Safe {
			cfg.Length = rapid.Float64Range(0, 60).Draw(t, "metres")
		}
		for d := range cfg.BER {
			cfg.BER[d] = rapid.SampledFrom([]float64{0, 1e-6, 1e-5, 3e-5}).Draw(t, "BER")
		}
		quiet := uint64(2000)
		for e := range 2 {
			if rapid.Bool().Draw(t, "stalls") && cfg.Profile == rifl.Safe {
				cfg.Stall[e] = phases(cfg.Seed+uint64(e), 300, quiet)
			}
			if rapid.Bool().Draw(t, "pauses") {
				cfg.Offer[e] = phases(cfg.Seed+uint64(e)+2, 100, 1<<40)
			}
		}
		l := frameLink(t, cfg)
		for range rapid.IntRange(0, 6).Draw(t, "pulls") {
			from := rapid.Uint64Range(0, quiet).Draw(t, "from")
			l.Damage(rifl.Damage{From: from, To: from + rapid.Uint64Range(1, 300).Draw(t, "for"),
				End: rapid.IntRange(0, 1).Draw(t, "end"), Lane: -1, Kind: rifl.Pulled})
		}
		l.Run(2*quiet + 3000)
		for e := range 2 {
			r := l.Report(e)
			require.True(t, r.Lossless(), "end %d: %d wrong, %d lost of %d", e, r.Wrong, r.Overflow, r.Delivered)
		}
	})
}

// phases returns a pattern of phases of up to so many cycles that holds until a cycle.
func phases(seed uint64, longest int, until uint64) func(uint64) bool {
	rng := rand.New(rand.NewPCG(seed, 3))
	on, next := false, uint64(0)
	return func(c uint64) bool {
		if c >= next {
			on, next = !on, c+1+uint64(rng.IntN(longest))
		}
		return on && c < until
	}
}

// Without errors a link delivers a frame a cycle from the moment it is up, one delay behind.
func TestFrameLinkAtRest(t *testing.T) {
	for _, p := range []rifl.Profile{rifl.Core, rifl.Paper, rifl.Safe} {
		cfg := rifl.FrameLinkConfig{Config: rifl.Default()}
		cfg.Profile = p
		l := frameLink(t, cfg)
		l.Run(1000)
		before := l.Report(0)
		delivered := before.Delivered
		l.Run(1000)
		r := l.Report(0)
		require.EqualValues(t, 1000, r.Delivered-delivered)
		require.True(t, r.Lossless())
		require.EqualValues(t, cfg.FrameDelay(), r.Latency.Max)
		require.Zero(t, r.Passes)
	}
}

// Skipping changes the speed and nothing else.
func TestSkippingIsExact(t *testing.T) {
	for seed := range uint64(4) {
		cfg := rifl.FrameLinkConfig{Config: rifl.Default(), BER: [2]float64{3e-7, 1e-7}, Seed: seed}
		cfg.Lanes = 1 + int(seed)
		slow := frameLink(t, cfg)
		cfg.Skip = true
		fast := frameLink(t, cfg)
		for _, l := range []*rifl.FrameLink{slow, fast} {
			l.Damage(rifl.Damage{From: 70_001, To: 70_100, End: 1, Lane: 0, Kind: rifl.Pulled})
			l.Run(200_000)
		}
		var passes uint64
		for e := range 2 {
			a, b := slow.Report(e), fast.Report(e)
			require.Empty(t, cmp.Diff(a, b, cmpopts.IgnoreUnexported(rifl.Histogram{})))
			for _, q := range []float64{0.01, 0.5, 0.99, 0.999, 1} {
				require.Equal(t, a.Latency.Quantile(q), b.Latency.Quantile(q))
			}
			require.True(t, a.Lossless())
			passes += a.Passes
		}
		require.NotZero(t, passes)
	}
}

// Stale frames are accepted as soon as the round trip is longer than the tail of a pass: then a pass that was not needed
// follows, and its first frame is the one that a receiver in step expects. In the core's profile an idle takes the request
// back at once; in the paper's only 17 data frames do, which makes the tail 16 frames shorter. A pass of the safe profile never
// begins with the frame expected.
func TestStaleFrames(t *testing.T) {
	run := func(p rifl.Profile, s, delay int) (wrong uint64) {
		var delivered uint64
		for seed := range uint64(12) {
			cfg := rifl.FrameLinkConfig{Config: rifl.Default(), Delay: delay, BER: [2]float64{2e-5, 2e-5}, Seed: seed}
			cfg.Profile, cfg.IDBits = p, s
			l := frameLink(t, cfg)
			l.Run(20_000)
			for e := range 2 {
				r := l.Report(e)
				delivered += r.Delivered
				wrong += r.Wrong
			}
		}
		require.NotZero(t, delivered)
		return wrong
	}
	for _, s := range []int{6, 7} {
		half := 1 << (s - 1)
		for p, loop := range map[rifl.Profile]int{rifl.Core: half, rifl.Paper: half - 16} {
			require.Zero(t, run(p, s, loop/2), "%v, S=%d, round trip %d", p, s, loop)
			require.NotZero(t, run(p, s, loop/2+1), "%v, S=%d, round trip %d", p, s, loop+2)
		}
		for _, loop := range []int{half, half + 2, 1<<s - 32} { // up to what the sizing rule allows
			require.Zero(t, run(rifl.Safe, s, loop/2), "S=%d, round trip %d", s, loop)
		}
	}
}

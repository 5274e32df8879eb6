package rifl_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/designs/rifl"
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
			cfg.Length = rapid.Float64Range(0, 100).Draw(t, "metres")
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

// Stale frames are accepted exactly where Sound says so: when the loop is longer than the tail of a pass. Lengths are such that
// the delay is the one wanted.
func TestStaleFrames(t *testing.T) {
	run := func(cfg rifl.Config) (wrong uint64) {
		var delivered uint64
		for seed := range uint64(12) {
			l := frameLink(t, rifl.FrameLinkConfig{Config: cfg, BER: [2]float64{2e-5, 2e-5}, Seed: seed})
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
	for _, c := range []struct {
		profile rifl.Profile
		s, last int // the longest delay that is sound
	}{
		{rifl.Core, 6, 15}, {rifl.Core, 7, 31},
		{rifl.Paper, 6, 7}, {rifl.Paper, 7, 23},
		{rifl.Safe, 6, 18}, {rifl.Safe, 7, 50},
	} {
		good, bad := delayed(t, c.profile, c.s, c.last), delayed(t, c.profile, c.s, c.last+1)
		require.NoError(t, good.Sound())
		require.Error(t, bad.Sound())
		require.Zero(t, run(good), "%v, S=%d, delay %d", c.profile, c.s, c.last)
		if c.profile != rifl.Safe { // there the buffer is what ends it: the link stalls and nothing is delivered twice
			require.NotZero(t, run(bad), "%v, S=%d, delay %d", c.profile, c.s, c.last+1)
		}
	}
	// the default is sound by the core's profile, not by the paper's
	cfg := rifl.Default()
	require.NoError(t, cfg.Sound())
	require.Equal(t, 6, cfg.S())
	cfg.Profile = rifl.Paper
	require.Error(t, cfg.Sound())
	require.Equal(t, 7, cfg.SizeSoundID())
	cfg.Profile = rifl.Safe
	for _, m := range []float64{0, 10, 20, 50, 107, 300, 500} { // the core's rule is enough for the safe profile
		cfg.Length = m
		require.NoError(t, cfg.Sound(), "%v m", m)
	}
}

// The hazard is the sender's: a safe one protects a receiver of the core's profile, and not the other way round.
func TestSafeSenderProtectsACoreReceiver(t *testing.T) {
	var wrong [2]uint64
	for seed := range uint64(10) {
		cfg := rifl.FrameLinkConfig{Config: rifl.Default(), BER: [2]float64{2e-5, 2e-5}, Seed: seed, Ends: &[2]rifl.Profile{rifl.Safe, rifl.Core}}
		cfg.Length = 80
		l := frameLink(t, cfg)
		l.Run(20_000)
		for e := range 2 {
			r := l.Report(e)
			wrong[e] += r.Wrong
			require.Zero(t, r.Overflow)
		}
	}
	require.Zero(t, wrong[1], "from the safe end to the core's")
	require.NotZero(t, wrong[0], "from the core's end to the safe one")
}

// Any pattern of stalls at both ends, on a line without errors: the buffers never overflow, and once the users read, the line
// is full after a round trip.
func TestFlowControlWithAnyPattern(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := rifl.FrameLinkConfig{Config: rifl.Default()}
		cfg.Profile = rapid.SampledFrom([]rifl.Profile{rifl.Core, rifl.Paper, rifl.Safe}).Draw(t, "profile")
		cfg.Lanes = rapid.IntRange(1, 3).Draw(t, "lanes")
		const from, to = 300, 3000
		for e := range 2 {
			runs := rapid.SliceOfN(rapid.IntRange(1, 250), 1, 30).Draw(t, "runs")
			stalled := make([]bool, to)
			at := from
			for k := 0; at < to; k++ {
				for range runs[k%len(runs)] {
					if at < to {
						stalled[at] = k%2 == 0
						at++
					}
				}
			}
			cfg.Stall[e] = func(c uint64) bool { return c < to && stalled[c] }
		}
		l := frameLink(t, cfg)
		l.Run(to + 200)
		before := [2]uint64{l.Report(0).Delivered, l.Report(1).Delivered}
		l.Run(200)
		for e := range 2 {
			r := l.Report(e)
			require.True(t, r.Lossless())
			require.EqualValues(t, 200*cfg.Lanes, r.Delivered-before[e], "the line is full")
		}
	})
}

// delayed returns a link whose verdicts come so many frames behind their frames.
func delayed(t *testing.T, p rifl.Profile, s, delay int) rifl.Config {
	cfg := rifl.Default()
	cfg.Profile, cfg.IDBits, cfg.Transceivers, cfg.Length = p, s, (float64(delay)-2.6)*cfg.FrameNs(), 0
	require.Equal(t, delay, cfg.FrameDelay())
	return cfg
}

// A user that stalls while the far end misses frames: the buffer overflows where HoldsStalls says so, and not before.
func TestStallsDuringRetransmissions(t *testing.T) {
	run := func(cfg rifl.Config) (overflow uint64) {
		rng := rand.New(rand.NewPCG(1, 1))
		for range 2500 {
			from := uint64(1000 + rng.IntN(400))
			c := rifl.FrameLinkConfig{Config: cfg}
			c.Stall[0] = func(cycle uint64) bool { return cycle >= from }
			l := frameLink(t, c)
			var flips []uint64
			at := 1000 + rng.IntN(200)
			for range 1 + rng.IntN(4) {
				flips = append(flips, uint64(at*cfg.FrameBits+100))
				at += 101 + rng.IntN(300)
			}
			require.NoError(t, l.Flip(1, 0, flips...))
			l.Run(2200)
			overflow += l.Report(0).Overflow
		}
		return overflow
	}
	last, beyond := delayed(t, rifl.Core, 6, 12), delayed(t, rifl.Core, 6, 13)
	require.NoError(t, last.HoldsStalls())
	require.Zero(t, run(last))
	require.Error(t, beyond.HoldsStalls())
	require.NoError(t, beyond.Sound())
	require.NotZero(t, run(beyond))

	require.NoError(t, rifl.Default().HoldsStalls())
	for _, m := range []float64{0, 10, 20, 21, 108, 109, 283, 500} { // the safe profile does, as far as the sizing rule goes
		cfg := rifl.Default()
		cfg.Profile, cfg.Length = rifl.Safe, m
		require.NoError(t, cfg.HoldsStalls(), "%v m", m)
	}
	require.Zero(t, run(delayed(t, rifl.Safe, 6, 16)))
	paper := rifl.Default()
	paper.Profile = rifl.Paper
	require.Error(t, paper.HoldsStalls())
}

// A link that is watched steps its controllers in every cycle; one that is not passes them over while they stream.
func TestStreamingIsStepping(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64Range(0, 1<<40).Draw(t, "seed")
		cfg := rifl.FrameLinkConfig{Config: rifl.Default(), Seed: seed}
		cfg.Profile = rapid.SampledFrom([]rifl.Profile{rifl.Core, rifl.Paper, rifl.Safe}).Draw(t, "profile")
		cfg.Lanes = rapid.IntRange(1, 3).Draw(t, "lanes")
		var stalls [2]bool
		for e := range 2 {
			cfg.BER[e] = rapid.SampledFrom([]float64{0, 1e-6, 1e-5}).Draw(t, "BER")
			stalls[e] = rapid.Bool().Draw(t, "stalls")
			if rapid.Bool().Draw(t, "pauses") {
				cfg.Offer[e] = func(cycle uint64) bool { return cycle/50%3 > 0 }
			}
		}
		build := func() *rifl.FrameLink { // phases have a state: each link has its own
			for e := range 2 {
				if stalls[e] {
					cfg.Stall[e] = phases(seed+uint64(e), 300, 4000)
				}
			}
			return frameLink(t, cfg)
		}
		plain := build()
		var sent [2]uint64
		cfg.Watch = func(_ uint64, end, _ int, m rifl.Emission) {
			if m.Source == rifl.FromUser {
				sent[end]++
			}
		}
		watched := build()
		for range 20 {
			plain.Run(400)
			watched.Run(400)
			for e := range 2 {
				require.Equal(t, watched.Report(e), plain.Report(e))
				require.Equal(t, sent[1-e], plain.Report(e).Offered)
			}
		}
	})
}

package rifl

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/workload/measure"
)

func frameLink(t require.TestingT, cfg FrameLinkConfig) *FrameLink {
	l, err := NewFrameLink(cfg)
	require.NoError(t, err)
	return l
}

// The frames sent arrive once, in order, whatever bit errors, noise, pulled cables and stalls there are on the way:
// within the sizing rule for the safe profile, at the default cable for the core's.
func TestFrameLinkLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := FrameLinkConfig{Config: Default(), Seed: rapid.Uint64Range(0, 1<<40).Draw(t, "seed")}
		cfg.UpBit = 8
		cfg.Profile = rapid.SampledFrom([]Profile{Core, Safe}).Draw(t, "profile")
		cfg.Lanes = rapid.IntRange(1, 4).Draw(t, "lanes")
		if cfg.Profile == Safe {
			cfg.Length = rapid.Float64Range(0, 100).Draw(t, "metres")
		}
		for d := range cfg.BER {
			cfg.BER[d] = rapid.SampledFrom([]float64{0, 1e-6, 1e-5, 3e-5}).Draw(t, "BER")
		}
		quiet := uint64(3000)
		for e := range 2 {
			if rapid.Bool().Draw(t, "stalls") && cfg.Profile == Safe {
				cfg.Stall[e] = phases(cfg.Seed+uint64(e), 300, quiet)
			}
			if rapid.Bool().Draw(t, "pauses") {
				cfg.Offer[e] = phases(cfg.Seed+uint64(e)+2, 100, 1<<40)
			}
		}
		l := frameLink(t, cfg)
		for range rapid.IntRange(0, 6).Draw(t, "pulls") {
			first := uint64(0)
			if cfg.Profile == Core { // TestErrorsAtTheStart covers the start
				first = cfg.Settle()
			}
			from := rapid.Uint64Range(first, quiet).Draw(t, "from")
			l.Damage(Damage{From: from, To: from + rapid.Uint64Range(1, 300).Draw(t, "for"),
				End: rapid.IntRange(0, 1).Draw(t, "end"), Lane: -1, Kind: Pulled})
		}
		l.Run(2*quiet + 3000)
		for e := range 2 {
			r := l.Report(e)
			require.True(t, r.Lossless(), "end %d: %d wrong, %d lost of %d", e, r.Wrong, r.Overflow, r.Delivered)
		}
	})
}

// phases returns a pattern of phases of up to longest cycles each that holds until a cycle.
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

// Without errors a link delivers a frame a cycle from the moment it is up, one delay late.
func TestFrameLinkAtRest(t *testing.T) {
	for _, p := range []Profile{Core, Paper, Safe} {
		cfg := FrameLinkConfig{Config: Default()}
		cfg.Profile = p
		l := frameLink(t, cfg)
		l.Run(cfg.Settle())
		before := l.Report(0)
		delivered := before.Delivered
		l.Run(1000)
		r := l.Report(0)
		require.EqualValues(t, 1000, r.Delivered-delivered)
		require.True(t, r.Lossless())
		require.EqualValues(t, cfg.LatencyFrames(), r.Latency.Max)
		require.Zero(t, r.Passes)
	}
}

// Skipping changes the speed and nothing else.
func TestSkippingIsExact(t *testing.T) {
	for seed := range uint64(4) {
		cfg := FrameLinkConfig{Config: Default(), BER: [2]float64{3e-7, 1e-7}, Seed: seed}
		cfg.Lanes, cfg.Packets = 1+int(seed), [2]int{1, 3000}
		slow := frameLink(t, cfg)
		cfg.Skip = true
		fast := frameLink(t, cfg)
		for _, l := range []*FrameLink{slow, fast} {
			l.Damage(Damage{From: 70_001, To: 70_100, End: 1, Lane: 0, Kind: Pulled})
			l.Run(200_000)
		}
		var passes uint64
		for e := range 2 {
			a, b := slow.Report(e), fast.Report(e)
			require.Empty(t, cmp.Diff(a, b, cmpopts.IgnoreUnexported(measure.Histogram{})))
			for _, q := range []float64{0.01, 0.5, 0.99, 0.999, 1} {
				require.Equal(t, a.Latency.Quantile(q), b.Latency.Quantile(q))
				require.Equal(t, a.Packets.Quantile(q), b.Packets.Quantile(q))
			}
			require.True(t, a.Lossless())
			require.Greater(t, a.Packets.N, a.Delivered/200)
			passes += a.Passes
		}
		require.NotZero(t, passes)
	}
}

// Stale frames are accepted exactly where Sound says so: when the loop is longer than the tail of a pass. D is in
// transceiver cycles; 51 and 115 are what the published core itself stands.
func TestStaleFrames(t *testing.T) {
	run := func(cfg Config) (wrong uint64) {
		var delivered uint64
		for seed := range uint64(12) {
			l := frameLink(t, FrameLinkConfig{Config: cfg, BER: [2]float64{2e-5, 2e-5}, Seed: seed})
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
		profile Profile
		s, last int // the longest D that is sound
	}{
		{Core, 6, 51}, {Core, 7, 115},
		{Paper, 6, 19}, {Paper, 7, 83},
		{Safe, 6, 61}, {Safe, 7, 189},
	} {
		good, bad := delayed(c.profile, c.s, c.last), delayed(c.profile, c.s, c.last+1)
		require.NoError(t, good.Sound(), "%v, S=%d", c.profile, c.s)
		require.Error(t, bad.Sound(), "%v, S=%d", c.profile, c.s)
		require.Zero(t, run(good), "%v, S=%d, D=%d", c.profile, c.s, c.last)
		if c.profile != Safe { // Safe is bounded by its buffer instead: the link stalls and nothing is delivered twice
			require.NotZero(t, run(bad), "%v, S=%d, D=%d", c.profile, c.s, c.last+1)
		}
	}
	// the default is sound by the core's profile, not by the paper's
	cfg := Default()
	require.NoError(t, cfg.Sound())
	require.Equal(t, 6, cfg.S())
	cfg.Profile = Paper
	require.Error(t, cfg.Sound())
	require.Equal(t, 7, cfg.SizeSoundID())
	cfg.Profile = Safe
	for _, m := range []float64{0, 10, 20, 50, 107, 300, 500} { // the core's rule is enough for the safe profile
		cfg.Length = m
		require.NoError(t, cfg.Sound(), "%v m", m)
	}
}

// The hazard is the sender's: a safe one protects a receiver of the core's profile, and not the other way round.
func TestSafeSenderProtectsACoreReceiver(t *testing.T) {
	var wrong [2]uint64
	for seed := range uint64(10) {
		cfg := FrameLinkConfig{Config: Default(), BER: [2]float64{2e-5, 2e-5}, Seed: seed, Ends: &[2]Profile{Safe, Core}}
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

// Any pattern of stalls at both ends, on a line without errors: the buffers never overflow, and once the users read,
// the line is full after a round trip.
func TestFlowControlWithAnyPattern(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := FrameLinkConfig{Config: Default()}
		cfg.Profile = rapid.SampledFrom([]Profile{Core, Paper, Safe}).Draw(t, "profile")
		cfg.Lanes = rapid.IntRange(1, 3).Draw(t, "lanes")
		const from, to = 1500, 4500
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

// delayed returns a link over a line of D transceiver cycles.
func delayed(p Profile, s, d int) Config {
	cfg := Default()
	cfg.Profile, cfg.IDBits, cfg.LineCycles = p, s, d
	return cfg
}

// A user that stalls while the far end misses frames: as many frames come above the threshold as HoldsStalls says, and
// the core's buffer has room for them wherever its loop is sound. The paper's has not.
func TestStallsDuringRetransmissions(t *testing.T) {
	run := func(cfg Config) (high int, overflow uint64) {
		rng := rand.New(rand.NewPCG(1, 1))
		settle := int(cfg.Settle())
		for range 700 {
			from := uint64(settle + rng.IntN(400))
			c := FrameLinkConfig{Config: cfg}
			c.Stall[0] = func(cycle uint64) bool { return cycle >= from }
			l := frameLink(t, c)
			var flips []uint64
			at := settle + rng.IntN(200)
			for range 1 + rng.IntN(4) {
				flips = append(flips, uint64(at*cfg.FrameBits+100))
				at += 101 + rng.IntN(300)
			}
			require.NoError(t, l.Flip(1, 0, flips...))
			l.Run(uint64(settle + 1300))
			high = max(high, l.Report(0).High)
			overflow += l.Report(0).Overflow
		}
		return high, overflow
	}
	for _, c := range []struct {
		profile Profile
		d, high int
	}{
		{Core, 20, 85 + 2*(20+8) + 1 + 33 - 64}, {Core, 51, 85 + 2*(35+8) + 1 + 33 - 64},
		{Safe, 51, 192 + 2*(35+8) + 1 + 64 - 64},
	} {
		cfg := delayed(c.profile, 6, c.d)
		cfg.UpBit = 4
		require.NoError(t, cfg.HoldsStalls())
		high, overflow := run(cfg)
		require.Zero(t, overflow)
		require.Equal(t, c.high, high, "%v, D = %d: one less above the threshold would do", c.profile, c.d)
	}
	for _, m := range []float64{0, 10, 20, 21, 67, 108, 109, 283, 500} {
		for _, p := range []Profile{Core, Safe} {
			cfg := Default()
			cfg.Profile, cfg.Length = p, m
			if cfg.Sound() == nil {
				require.NoError(t, cfg.HoldsStalls(), "%v, %v m", p, m)
			}
		}
	}
	paper := delayed(Paper, 6, 10)
	paper.UpBit = 4
	require.Error(t, paper.HoldsStalls())
	_, overflow := run(paper)
	require.NotZero(t, overflow)
}

// A link that is watched steps its controllers in every cycle; one that is not passes them over while they stream.
func TestStreamingIsStepping(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64Range(0, 1<<40).Draw(t, "seed")
		cfg := FrameLinkConfig{Config: Default(), Seed: seed}
		cfg.Profile = rapid.SampledFrom([]Profile{Core, Paper, Safe}).Draw(t, "profile")
		cfg.Lanes = rapid.IntRange(1, 3).Draw(t, "lanes")
		var stalls [2]bool
		for e := range 2 {
			cfg.BER[e] = rapid.SampledFrom([]float64{0, 1e-6, 1e-5}).Draw(t, "BER")
			stalls[e] = rapid.Bool().Draw(t, "stalls")
			if rapid.Bool().Draw(t, "pauses") {
				cfg.Offer[e] = func(cycle uint64) bool { return cycle/50%3 > 0 }
			}
		}
		build := func() *FrameLink { // phases have a state: each link has its own
			for e := range 2 {
				if stalls[e] {
					cfg.Stall[e] = phases(seed+uint64(e), 300, 4000)
				}
			}
			return frameLink(t, cfg)
		}
		plain := build()
		var sent [2]uint64
		cfg.Watch = func(_ uint64, end, _ int, m Emission) {
			if m.Source == FromUser {
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

// A frame that arrives changed is one wrong frame; those after it are right.
func TestASpoiltFrameIsOneWrongFrame(t *testing.T) {
	cfg := FrameLinkConfig{Config: Default()}
	l := frameLink(t, cfg)
	l.Run(cfg.Settle() + 100)
	l.Ends[1].shown[0].seq = spoilt
	l.Run(100)
	r := l.Report(1)
	require.EqualValues(t, 1, r.Wrong)
}

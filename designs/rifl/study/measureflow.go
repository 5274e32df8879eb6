package study

import (
	"math/rand/v2"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/clock"

	"github.com/goldwire/goldwire/designs/rifl"
)

// stalledUsers counts frames lost while both users stall at random and bits flip.
func stalledUsers(cfg rifl.Config, ber float64, seeds int) claims.Measure {
	return claims.Seeded(func(seed uint64) (m claims.Measurement, err error) {
		var lost, delivered uint64
		high := 0
		for s := range seeds {
			fc := rifl.FrameLinkConfig{Config: cfg, BER: [2]float64{ber, ber}, Seed: seed + uint64(s)}
			for e := range fc.Stall {
				fc.Stall[e] = stalls(seed+uint64(2*s+e), 1500)
			}
			l, err := rifl.NewFrameLink(fc)
			if err != nil {
				return m, err
			}
			l.Run(30_000)
			for e := range 2 {
				r := l.Report(e)
				lost += r.Overflow
				delivered += r.Delivered
				high = max(high, r.High)
			}
		}
		depth, _ := rifl.FlowSize(cfg.Profile, cfg.S())
		return claims.Count(
			lost, "frames",
			"of %d delivered, BER %g both ways; users stall for up to 1500 frames; buffers of %d held up to %d; %v "+
				"profile, %v m",
			delivered, ber, depth, high, cfg.Profile, cfg.Length,
		), nil
	})
}

// stalls returns a pattern of phases of up to longest cycles each.
func stalls(seed uint64, longest int) func(uint64) bool {
	rng := rand.New(rand.NewPCG(seed, 3))
	on, next := false, uint64(0)
	return func(c uint64) bool {
		if c >= next {
			on, next = !on, c+1+uint64(rng.IntN(longest))
		}
		return on
	}
}

// starvation counts cycles without a frame for a user that begins to read again, once its buffer had filled.
func starvation(seed uint64) (m claims.Measurement, err error) {
	fc := rifl.FrameLinkConfig{Config: rifl.Default(), Seed: seed}
	fc.Stall[1] = func(c uint64) bool { return c >= 1000 && c < 2000 }
	l, err := rifl.NewFrameLink(fc)
	if err != nil {
		return m, err
	}
	l.Run(2000)
	before := l.Report(1).Delivered
	const reads = 3000
	l.Run(reads)
	r := l.Report(1)
	return claims.Count(
		int64(reads-(r.Delivered-before)), "cycles",
		"the user of end 1 rests for 1000 frames, then takes one a cycle for %d; the buffer held up to %d, %d lost",
		reads, r.High, r.Overflow,
	), nil
}

// bufferBytes is the least retransmission buffer by Eq. 1 for the longest cable, or the length that IDs of whole bits
// make of it.
func bufferBytes(built bool) claims.Measure {
	return claims.Fixed(func() (m claims.Measurement, err error) {
		cfg := with(laneRate(clock.MHz(100_000)), metres(500))
		cfg.Transceivers = 55 // with 45 ns of logic, the paper's 100 ns of circuits
		if built {
			bytes := int64(cfg.FrameBits/8) << cfg.S()
			return claims.Count(bytes/1000, "KB", "2^%d entries of %d bits for 500 m at 100 Gb/s", cfg.S(), cfg.FrameBits), nil
		}
		rtt := 2 * (100 + rifl.NsPerMetre*cfg.Length)
		return claims.Figure(
			rtt*100/8/1000, "KB", "100 Gb/s x %.0f ns: 100 ns of circuits and %.2f ns/m each way", rtt, rifl.NsPerMetre,
		), nil
	})
}

package study

import (
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/claims"

	"github.com/goldwire/goldwire/designs/rifl"
)

// staleFrames counts frames that were delivered wrong under bit errors both ways.
func staleFrames(cfg rifl.Config, ber float64, cycles uint64, seeds int) claims.Measure {
	return claims.Seeded(func(seed uint64) (m claims.Measurement, err error) {
		var wrong, delivered, passes uint64
		for s := range seeds {
			l, err := rifl.NewFrameLink(
				rifl.FrameLinkConfig{Config: cfg, BER: [2]float64{ber, ber}, Seed: seed + uint64(s), Skip: true},
			)
			if err != nil {
				return m, err
			}
			l.Run(cycles)
			for e := range 2 {
				r := l.Report(e)
				wrong += r.Wrong
				delivered += r.Delivered
				passes += r.Passes
			}
		}
		if delivered == 0 || passes == 0 {
			return m, fmt.Errorf("%d frames delivered, %d retransmissions: nothing to judge", delivered, passes)
		}
		loop := cfg.Loop()
		return claims.Count(
			wrong, "frames",
			"of %d delivered, %d retransmissions, BER %g both ways; %v profile, S = %d, %v m, loop of %d frames",
			delivered, passes, ber, cfg.Profile, cfg.S(), cfg.Length, loop,
		), nil
	})
}

// pulledCables counts frames delivered wrong or lost while cables are pulled for up to 120 frames, again and again,
// with bit errors and stalling users.
func pulledCables(cfg rifl.Config, seeds int) claims.Measure {
	return claims.Seeded(func(seed uint64) (m claims.Measurement, err error) {
		var wrong, delivered uint64
		pulls := 0
		for s := range seeds {
			rng := rand.New(rand.NewPCG(seed, uint64(s)))
			fc := rifl.FrameLinkConfig{Config: cfg, BER: [2]float64{1e-5, 1e-6}, Seed: seed + uint64(s)}
			fc.Stall[s%2] = stalls(seed+uint64(s), 400)
			l, err := rifl.NewFrameLink(fc)
			if err != nil {
				return m, err
			}
			at := fc.Settle()
			for range 50 {
				at += uint64(rng.IntN(500))
				l.Damage(rifl.Damage{From: at, To: at + 1 + uint64(rng.IntN(120)), End: rng.IntN(2), Lane: -1, Kind: rifl.Pulled})
				pulls++
			}
			l.Run(at + 3000)
			for e := range 2 {
				r := l.Report(e)
				wrong += r.Wrong + r.Overflow
				delivered += r.Delivered
			}
		}
		return claims.Count(
			wrong, "frames", "of %d delivered; a cable was pulled %d times for up to 120 frames; %v profile", delivered,
			pulls, cfg.Profile,
		), nil
	})
}

// codeword sends one frame with an error that is a code word of the CRC and counts what the user gets wrong.
func codeword(cfg rifl.Config) claims.Measure {
	return claims.Seeded(func(seed uint64) (m claims.Measurement, err error) {
		l, err := rifl.NewFrameLink(rifl.FrameLinkConfig{Config: cfg, Seed: seed})
		if err != nil {
			return m, err
		}
		flips := undetectedQuad(cfg.FrameBits, rand.New(rand.NewPCG(seed, 6)))
		if cfg.FrameBits == 2048 {
			p := undetectedPairs(cfg.FrameBits)
			flips = p[len(p)/2][:]
		}
		const settle = 2000
		l.Run(settle)
		var at []uint64
		for _, bit := range flips { // bit F-1 stands first in the frame and last in its word on the line
			word := (cfg.FrameBits - 1 - bit) / 64
			at = append(at, (settle+20)*uint64(cfg.FrameBits)+uint64(64*word+bit%64))
		}
		if err := l.Flip(1, 0, at...); err != nil {
			return m, err
		}
		l.Run(1000)
		r := l.Report(1)
		return claims.Count(
			r.Wrong, "frames", "bits %v of one frame of %d flipped, %d retransmissions", flips, cfg.FrameBits, r.Passes,
		), nil
	})
}

// crystals counts frames lost in a stretch with crystals 100 ppm off.
func crystals(uncompensated bool) claims.Measure {
	return claims.Seeded(func(seed uint64) (m claims.Measurement, err error) {
		cfg := rifl.LinkConfig{Config: rifl.Default(), PPM: [2]float64{100, -100}, Uncompensated: uncompensated, Seed: seed}
		for e := range 2 {
			cfg.Send[e], cfg.Expect[1-e] = rifl.Packets(uint64(e), 1500, 1500), rifl.Packets(uint64(e), 1500, 1500)
		}
		l, err := rifl.NewLink(cfg)
		if err != nil {
			return m, err
		}
		const frames = 60_000 // 200 ppm of them are 12: more than the crossing holds
		if err := l.Ends[0].Frame.Run(frames); err != nil {
			return m, err
		}
		var words uint64
		broken := "all that arrived is what was sent"
		for _, e := range l.Ends {
			words += uint64(e.Lanes[0].Receiver.Overflow.Get())
			if err := e.Validator.Err(); err != nil {
				broken = "first difference: " + err.Error()
			}
		}
		return claims.Count(
			words, "words", "lost at clock crossings in %d frames with crystals at +100 and -100 ppm; %s", frames, broken,
		), nil
	})
}

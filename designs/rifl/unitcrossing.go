package rifl

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// crossingUnits are modules between clocks that have one clock themselves: their inputs may change at any edge. The
// test of a whole lane holds modules with two clocks to the model.
func crossingUnits() vectors.Catalogue {
	return vectors.Catalogue{{
		Name:  "rifl/serialiser",
		Valid: map[string]string{"out": "out_valid"},
		Doc:   "TX width converter: a frame of 256 bits as four words", Ref: "RIFL §5.B, Fig. 6",
		Bugs: []vectors.Bug{
			{Kind: "words in the wrong order", Field: "out_data", Edits: []string{"frame << {at, 6'd0}", "frame >> {at, 6'd0}"}},
		},
		Latency: 1, Clock: unitClock,
		Unmoved: map[string]string{"out_valid": "a word leaves in every cycle"},
		RTL:     serialiserRTL("rifl_serialiser", unitWords),
		Build: func(b *vectors.Bench) rtl.Module {
			s := newSerialiser(unitWords)
			for i := range s.Frame {
				vectors.Drive(b, &s.Frame[i], vectors.Uniform[uint64](b.Rand()))
			}
			vectors.Drive(b, &s.ID, vectors.Uniform[TransmitID](b.Rand()))
			return s
		},
	}, compensationUnit(true), {
		Name: "rifl/compensation_pulse", Doc: "clock compensation: frame cycles without data", Ref: "RIFL §4.E",
		Bugs: []vectors.Bug{
			{
				Kind: "one frame short", Field: "(active|done)",
				Edits: []string{"start ? request_frames", "start ? request_frames - 2'd1"},
			},
		},
		Latency: 1, Clock: frameClock(unitWords),
		RTL: Verilog("rifl_compensation_pulse"),
		Build: func(b *vectors.Bench) rtl.Module {
			p := &compensationPulse{}
			rng := b.Rand()
			r, until := compensationRequest{}, uint64(0)
			b.Keep(&r, &until)
			vectors.Drive(b, &p.Request, func(cycle uint64) compensationRequest {
				if cycle >= until {
					r = compensationRequest{Frames: uint8(1 + rng.IntN(compensationStep)), Toggle: !r.Toggle}
					until = cycle + 3 + uint64(rng.IntN(20))
				}
				return r
			})
			return p
		},
	}}
}

// countedFrames returns the Gray code of a count that rises by some frames in each cycle.
func countedFrames(b *vectors.Bench, rise func(cycle uint64) uint64) func(uint64) frameCount {
	n := uint64(0)
	b.Keep(&n)
	return func(cycle uint64) frameCount {
		n += rise(cycle)
		return frameCount{uint8(blocks.BinaryToGray(n & 15))}
	}
}

// compensationUnit is an end whose clock is the faster one, or the slower.
func compensationUnit(faster bool) vectors.Unit {
	return vectors.Unit{
		Name: "rifl/compensation", Doc: "clock compensation: how many frames one clock gains on the other",
		Ref: "RIFL §4.E, §5.B",
		Bugs: []vectors.Bug{
			{
				Kind: "four flip-flops", Field: "request_.*",
				Edits: []string{"now_ours = binary(ours[19:16])", "now_ours = binary(ours[15:12])"},
			},
			{Kind: "two frames at a time", Field: "request_frames", Edits: []string{"due > 3 ? 2'd3", "due > 2 ? 2'd2"}},
		},
		Latency: compensationSync + 1, From: "local", To: "request", Clock: clock.MHz(100),
		RTL: Verilog("rifl_compensation"),
		Build: func(b *vectors.Bench) rtl.Module {
			c := &compensation{}
			// one side gains a few frames at times, the other one rarely; the answer comes late
			steady, halting := &c.Local, &c.Remote
			if !faster {
				steady, halting = halting, steady
			}
			vectors.Drive(b, steady, countedFrames(b, func(cycle uint64) uint64 { return 1 + cycle%2 }))
			rng, still := b.Rand(), uint64(30)
			b.Keep(&still)
			vectors.Drive(b, halting, countedFrames(b, func(cycle uint64) uint64 {
				k := rng.IntN(120)
				switch {
				case cycle < 30:
				case k == 0:
					still = cycle + uint64(rng.IntN(4))
				case k == 1 && rng.IntN(4) == 0:
					return 4
				}
				if cycle >= 30 && cycle <= still { // the first difference decides which is the faster one
					return 0
				}
				return 1 + cycle%2
			}))
			answer, done := b.Rand(), false
			b.Keep(&done)
			vectors.Drive(b, &c.Done, func(uint64) bool {
				if answer.IntN(12) == 0 {
					done = !done
				}
				return done
			})
			return c
		},
	}
}

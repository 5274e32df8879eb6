package rifl

import (
	"fmt"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

const (
	unitWords = 4 // 256 bits a frame
	unitID    = 5 // S
	unitUpBit = 8 // a link is up after 256 aligned cycles: a set of vectors is too short for the core's 2^20
)

// unitClock is the transceiver clock of a lane of 28 Gb/s, frameClock the frame clock.
var unitClock = clock.MHz(437.5)

func frameClock(words int) clock.Freq { return unitClock.Times(1, int64(words)) }

// UnitCatalogue returns the modules of this package that have RTL, in the core's profile: for frames of 256 bits and
// IDs of 5, and those whose RTL depends on F for 512 too.
func UnitCatalogue() vectors.Catalogue {
	word := unitClock
	list := vectors.Catalogue{{
		Name:  "rifl/scrambler",
		Valid: map[string]string{"out": "out_valid"},
		Doc:   "self-synchronous scrambler 1 + x^13 + x^33 over all but SYN and code", Ref: "RIFL §5.B",
		Bugs: []vectors.Bug{{Kind: "wrong tap", Field: "out_data",
			Edits: []string{"{33'd0, t[63:33]}", "{32'd0, t[63:32]}"}}},
		Latency: 1, Clock: word,
		Build: func(b *vectors.Bench) rtl.Module {
			s := &Scrambler{}
			vectors.Drive(b, &s.In, randomFrames(b))
			return s
		},
	}, {
		Name:  "rifl/code_generator",
		Valid: map[string]string{"out": "out_valid"},
		Doc:   "verification code: CRC-12 of the frame, xor its ID", Ref: "RIFL §3.B",
		Bugs: []vectors.Bug{{Kind: "wrong polynomial", Field: "out_data",
			Edits: []string{"12'h02f", "12'h80f"}}},
		Latency: 1, Clock: word,
		Build: func(b *vectors.Bench) rtl.Module {
			c := &CodeGenerator{}
			vectors.Drive(b, &c.In, randomFrames(b))
			return c
		},
	}}
	for i := range list {
		if list[i].RTL == "" {
			list[i].RTL = Verilog(list[i].Module())
		}
	}
	list = append(vectors.Catalogue{metaEncoderUnit(), metaDecoderUnit()}, list...)
	list = append(list, userUnits()...)
	list = append(list, crossingUnits()...)
	return append(list,
		alignerUnit("rifl/aligner", unitWords), alignerUnit("rifl/aligner_512", 8).Fixed(),
		receiverUnit("rifl/receiver", unitWords, unitID), receiverUnit("rifl/receiver_512", 8, 7).Fixed(),
		transmitterUnit("rifl/transmitter", unitWords, unitID), transmitterUnit("rifl/transmitter_512", 8, unitID).Fixed(),
	)
}

func alignerUnit(name string, words int) vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "words", Default: uint64(words), Min: 4, Max: 16, Power: true, Help: "words of 64 bits a frame"},
		{Name: "up_bit", Default: unitUpBit, Min: 1, Max: 20, Help: "the link is up after 2^up_bit aligned cycles"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		words, upBit := p.Int("words"), p.Int("up_bit")
		u := vectors.Unit{
			Name: name, Doc: fmt.Sprintf("lane aligner: slides by bits until SYNs are legal; frames of %d bits", 64*words),
			Ref: "RIFL §5.B",
			Bugs: []vectors.Bug{{Kind: "aligned a frame early", Field: "(aligned|up|out_.*)",
				Edits: []string{"LEGAL = 5'd16", "LEGAL = 5'd15"}}},
			Latency: 3, Clock: unitClock, Invariant: alignerInvariant(words, upBit),
			Build: func(b *vectors.Bench) rtl.Module {
				a := newAligner(Core, words, upBit)
				vectors.Drive(b, &a.In, unalignedFrames(b, words, 2))
				return a
			},
		}
		if words > unitWords {
			u.NotCovered = "a search through all bits of a frame takes 20,000 cycles"
		}
		u.RTL = rtlWith("rifl_aligner", u.Module(), map[string]int{"WORDS": words, "UP_BIT": upBit})
		return u, nil
	})
}

func receiverUnit(name string, words, s int) vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "words", Default: uint64(words), Min: 4, Max: 16, Power: true, Help: "words of 64 bits a frame"},
		{Name: "s", Default: uint64(s), Min: 5, Max: 12, Help: "bits of a frame ID"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		words, s := p.Int("words"), p.Int("s")
		ids := fmt.Sprintf("IDs of %d bits", s)
		u := vectors.Unit{
			Name: name, Doc: fmt.Sprintf("verifier (Listing 1), descrambler, control event monitor; frames of %d bits, S = %d",
				64*words, s), Ref: "RIFL §4.B, §4.C",
			Bugs: []vectors.Bug{{Kind: "the error ends at the wrong frame", Field: "missing",
				Edits: []string{"due == id + {{(S-1){1'b0}}, 1'b1}", "due == id"}}},
			NotCovered: "bit 11 of the overflow falls after 4096 lost words",
			Latency:    1, Clock: unitClock,
			Unmoved: map[string]string{
				"overflow[31:12]":                  "more words than a set has",
				fmt.Sprintf("frame_id[15:%d]", s):  ids,
				fmt.Sprintf("threshold[15:%d]", s): ids,
			},
			Build: func(b *vectors.Bench) rtl.Module {
				r := newReceiver(words, s)
				far := newFarEnd(b.Rand(), words, s)
				b.Keep(far)
				vectors.Drive(b, &r.In, far.word)
				drops := func(quiet uint64) func(cycle uint64) bool {
					rng := b.Rand()
					on, until := true, quiet
					b.Keep(&on, &until)
					return func(cycle uint64) bool {
						if cycle >= until {
							on = !on
							until = cycle + 30 + uint64(rng.IntN(120))
							if on {
								until += 1500
							}
						}
						return on
					}
				}
				vectors.Drive(b, &r.Aligned, drops(900))
				vectors.Drive(b, &r.Up, drops(1600))
				full := b.Rand()
				vectors.Drive(b, &r.Ready, func(uint64) bool { return full.IntN(6) > 0 })
				return r
			},
		}
		u.RTL = rtlWith("rifl_receiver", u.Module(), map[string]int{"WORDS": words, "S": s})
		return u, nil
	})
}

func transmitterUnit(name string, words, s int) vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "words", Default: uint64(words), Min: 4, Max: 16, Power: true, Help: "words of 64 bits a frame"},
		{Name: "s", Default: uint64(s), Min: 5, Max: 8, Help: "bits of a frame ID"},
		{Name: "safe", Default: 0, Min: 0, Max: 1, Help: "0 is the core's profile, 1 the safe one"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		words, s, safe := p.Int("words"), p.Int("s"), p.Int("safe")
		profile := [...]Profile{Core, Safe}[safe]
		ids := fmt.Sprintf("IDs of %d bits", s)
		u := vectors.Unit{
			Name: name, Doc: fmt.Sprintf("TX controller with its six states and the retransmission buffer; frames of %d "+
				"bits, S = %d", 64*words, s), Ref: "RIFL §4.A, Fig. 4",
			Bugs: []vectors.Bug{{Kind: "a pass as long as the paper's", Field: "(state_.*|id_value|frame_[0-9]|ready)",
				Edits: []string{"5 * IDS / 2;", "5 * IDS / 2 - 1;"}}},
			Latency: 1, From: "segment_0", To: "frame_0", Clock: frameClock(words), Invariant: transmitterInvariant(s, safe),
			Unmoved: map[string]string{
				"segment_0[63:62]":                    "SYN is 01",
				fmt.Sprintf("id_value[11:%d]", s):     ids,
				fmt.Sprintf("state_pass[13:%d]", s+2): ids,
			},
			Build: func(b *vectors.Bench) rtl.Module {
				t, err := newTransmitter(profile, words, s, 1)
				if err != nil {
					panic(err) // the configuration is a constant
				}
				driveTransmitter(b, t, 1<<s)
				return t
			},
		}
		u.RTL = transmitterRTL(u.Module(), words, s, safe)
		return u, nil
	})
}

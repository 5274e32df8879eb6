package rifl

import (
	"embed"
	"math/rand/v2"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Verilog has the project's own RTL of this package's units: verilog/rifl_scrambler.v and so on, for frames of 256 bits.
//
//go:embed verilog/*.v
var Verilog embed.FS

const (
	unitWords = 4 // 256 bits a frame
	unitID    = 5 // S
)

// Units returns the modules of this package that have RTL, for frames of 256 bits, IDs of 5 and the core's profile.
func Units() vectors.Catalogue {
	word := clock.MHz(437.5)
	frame := word.Times(1, unitWords)
	const ids = "IDs of 5 bits"
	return vectors.Catalogue{{
		Name: "rifl/meta_encoder", Doc: "meta code encoding: a segment of up to 30 bytes as a data frame", Ref: "RIFL Table 1, Fig. 2",
		Bugs: []vectors.Bug{{Kind: "length off by one", Field: "frame_3",
			Edits: []string{"payload[7:0] = {3'b000, n}", "payload[7:0] = {3'b000, n - 5'd1}"}}},
		Latency: 1, Clock: frame,
		Unmoved: map[string]string{"frame_0[63:62]": "SYN is 01", "frame_3[11:0]": "the code's place"},
		Build: func(b *vectors.Bench) rtl.Module {
			m := NewMetaEncoder(unitWords)
			for i := range m.Data {
				vectors.Drive(b, &m.Data[i], vectors.Uniform[uint64](b.Rand()))
			}
			rng := b.Rand()
			vectors.Drive(b, &m.Control, func(uint64) BeatControl {
				c := BeatControl{Bytes: uint16(rng.IntN(34)), Last: rng.IntN(2) == 0, Valid: rng.IntN(8) > 0}
				if rng.IntN(20) == 0 {
					c.Bytes = uint16(rng.Uint32()) & 0xfff
				}
				return c
			})
			return m
		},
	}, {
		Name: "rifl/meta_decoder", Doc: "meta code decoding: a data frame as up to 30 bytes", Ref: "RIFL Table 1, Fig. 2",
		Bugs: []vectors.Bug{{Kind: "wrong limit of a count", Field: "(data_3|control_bytes)",
			Edits: []string{"format > 8'd29 ? 5'd29", "format > 8'd30 ? 5'd30"}}},
		Latency: 1, Clock: frame,
		Unmoved: map[string]string{"data_3[63:48]": "30 bytes", "control_bytes[11:5]": "30 bytes"},
		Build: func(b *vectors.Bench) rtl.Module {
			m := NewMetaDecoder(unitWords)
			rng := b.Rand()
			for i := range m.Frame[:unitWords-1] {
				vectors.Drive(b, &m.Frame[i], vectors.Uniform[uint64](b.Rand()))
			}
			vectors.Drive(b, &m.Frame[unitWords-1], func(uint64) uint64 { // mostly counts that are sent
				w := rng.Uint64()
				if rng.IntN(8) > 0 {
					w = w&^(0xff<<codeBits) | uint64(rng.IntN(30))<<codeBits
				}
				return w
			})
			return m
		},
	}, {
		Name: "rifl/scrambler", Doc: "self-synchronous scrambler 1 + x^13 + x^33 over all but SYN and code", Ref: "RIFL §5.B",
		Bugs: []vectors.Bug{{Kind: "wrong tap", Field: "out_data",
			Edits: []string{"{33'd0, t[63:33]}", "{32'd0, t[63:32]}"}}},
		Latency: 1, Clock: word,
		Build: func(b *vectors.Bench) rtl.Module {
			s := &Scrambler{}
			vectors.Drive(b, &s.In, randomFrames(b.Rand()))
			return s
		},
	}, {
		Name: "rifl/code_generator", Doc: "verification code: CRC-12 of the frame, xor its ID", Ref: "RIFL §3.B",
		Bugs: []vectors.Bug{{Kind: "wrong polynomial", Field: "out_data",
			Edits: []string{"12'h02f", "12'h80f"}}},
		Latency: 1, Clock: word,
		Build: func(b *vectors.Bench) rtl.Module {
			c := &CodeGenerator{}
			vectors.Drive(b, &c.In, randomFrames(b.Rand()))
			return c
		},
	}, {
		Name: "rifl/aligner", Doc: "lane aligner: slides by bits until SYNs are legal", Ref: "RIFL §5.B",
		Bugs: []vectors.Bug{{Kind: "aligned a frame early", Field: "(aligned|out_.*)",
			Edits: []string{"legal_row == 4'd15", "legal_row == 4'd14"}}},
		Latency: 3, Clock: word,
		Unmoved: map[string]string{"out_id[11:0]": "only a transmitter has it", "out_valid": "words come in every cycle"},
		Build: func(b *vectors.Bench) rtl.Module {
			a := NewAligner(Core, unitWords)
			vectors.Drive(b, &a.In, unalignedFrames(b.Rand()))
			return a
		},
	}, {
		Name: "rifl/receiver", Doc: "verifier (Listing 1), descrambler, control event and flow control monitors", Ref: "RIFL §4.B, §4.C",
		Bugs: []vectors.Bug{{Kind: "the error ends at the wrong frame", Field: "missing",
			Edits: []string{"threshold == frame_id + {{(S-1){1'b0}}, 1'b1}", "threshold == frame_id"}}},
		NotCovered: "bit 11 of the overflow falls after 4096 lost words",
		Latency:    1, Clock: word,
		Unmoved: map[string]string{
			"in_id[11:0]": "only a transmitter has it", "overflow[31:12]": "more words than a set has",
		},
		Build: func(b *vectors.Bench) rtl.Module {
			r := NewReceiver(unitID)
			s := &receiverStimulus{rng: b.Rand()}
			vectors.Drive(b, &r.In, s.word)
			aligned := b.Rand()
			up, until := true, uint64(900)
			vectors.Drive(b, &r.Aligned, func(cycle uint64) bool {
				if cycle >= until {
					up = !up
					until = cycle + 70 + uint64(aligned.IntN(120))
					if up {
						until += 1500
					}
				}
				return up
			})
			full := b.Rand()
			vectors.Drive(b, &r.Ready, func(uint64) bool { return full.IntN(6) > 0 })
			return r
		},
	}, {
		Name: "rifl/transmitter", Doc: "TX controller with its six states and the retransmission buffer", Ref: "RIFL §4.A, Fig. 4",
		Bugs: []vectors.Bug{{Kind: "a pass as long as the paper's", Field: "(state_value|id_value|frame_[0-3]|ready)",
			Edits: []string{"pass == 5 * IDS / 2 ?", "pass == 5 * IDS / 2 - 1 ?"}}},
		NotCovered: "bit 9 of the Gray code falls after 1536 requests, one in 25 cycles",
		Latency:    1, From: "segment_0", To: "frame_0", Clock: frame,
		Unmoved: map[string]string{"segment_0[63:62]": "SYN is 01", "compensate[15:10]": "asks in one of 25 cycles: more than a set has", "id_value[11:5]": ids},
		Build: func(b *vectors.Bench) rtl.Module {
			t, err := NewTransmitter(Core, unitWords, unitID)
			if err != nil {
				panic(err) // the configuration is a constant
			}
			for i := range t.Segment {
				rng := b.Rand()
				first := i == 0
				vectors.Drive(b, &t.Segment[i], func(uint64) uint64 {
					w := rng.Uint64()
					if first {
						w = w&^(3<<synShift) | SynData<<synShift
					}
					return w
				})
			}
			const quiet = 100 // the user's first frames come early
			chance := func(in rtl.Sink[bool], on bool, rise, fall int) {
				rng := b.Rand()
				vectors.Drive(b, in, func(cycle uint64) bool {
					if cycle < quiet {
						return on
					}
					if on && rng.IntN(fall) == 0 || !on && rng.IntN(rise) == 0 {
						on = !on
					}
					return on
				})
			}
			chance(&t.Valid, true, 2, 6)
			chance(&t.Up, true, 10, 700)
			chance(&t.PauseRequest, false, 400, 8)
			chance(&t.Retransmit, false, 500, 30)
			chance(&t.Missing, false, 400, 40)
			chance(&t.RemotePaused, false, 100, 20)
			chance(&t.LocalFull, false, 40, 40)
			rng := b.Rand()
			var asked uint16
			vectors.Drive(b, &t.Compensate, func(uint64) uint16 {
				if rng.IntN(25) == 0 {
					asked++
				}
				return asked ^ asked>>1
			})
			return t
		},
	}}.WithRTL(Verilog)
}

// randomFrames returns words of frames of four words, with pauses.
func randomFrames(rng *rand.Rand) func(uint64) Word {
	at := 0
	id := uint16(0)
	return func(uint64) Word {
		w := Word{Data: rng.Uint64(), ID: id, First: at == 0, Last: at == unitWords-1, Valid: rng.IntN(10) > 0}
		if w.Valid {
			if at++; at == unitWords {
				at, id = 0, uint16(rng.IntN(1<<codeBits))
			}
		}
		return w
	}
}

// unalignedFrames returns words of random frames with legal SYNs at an offset that changes at times, and with a few errors.
func unalignedFrames(rng *rand.Rand) func(uint64) uint64 {
	at, offset := 0, 62
	var last uint64
	return func(uint64) uint64 {
		w := rng.Uint64()
		if at == 0 {
			w = w&^(3<<synShift) | uint64(1+rng.IntN(2))<<synShift
			if rng.IntN(200) == 0 {
				w ^= 1 << synShift
			}
		}
		at = (at + 1) % unitWords
		if rng.IntN(6000) == 0 {
			offset, at = rng.IntN(64), rng.IntN(unitWords)
		}
		out := last>>(64-offset) | w<<offset
		last = w
		return out
	}
}

// receiverStimulus is a far end as a receiver meets it: data frames in order, requests and idles in rows, notifications of
// flow control, errors, and retransmissions that go back far enough.
type receiverStimulus struct {
	rng   *rand.Rand
	frame [unitWords]uint64
	at    int
	state uint64
	id    uint16
	row   int // control frames still to come, all of one key
	key   uint16
	back  int // frames until the retransmission of an error begins; 0: none is due
}

func (s *receiverStimulus) word(uint64) Word {
	if s.at == 0 {
		s.next()
	}
	w := Word{Data: s.frame[s.at], First: s.at == 0, Last: s.at == unitWords-1, Valid: s.rng.IntN(40) > 0}
	if w.Valid {
		s.at = (s.at + 1) % unitWords
	}
	return w
}

// next makes a frame.
func (s *receiverStimulus) next() {
	const mask = 1<<unitID - 1
	if s.back > 0 {
		if s.back--; s.back == 0 {
			s.id = (s.id - lookback - 6) & mask // at least 16 before the one with the error
		}
	}
	id := s.id
	switch k := s.rng.IntN(60); {
	case s.row > 0:
		s.row--
		Control(s.frame[:], s.key)
	case k == 0:
		s.row, s.key = s.rng.IntN(14), []uint16{KeyIdle, KeyPause, KeyRetrans, 0x4001}[s.rng.IntN(4)]
		Control(s.frame[:], s.key)
	default:
		for i := range s.frame {
			s.frame[i] = s.rng.Uint64()
		}
		s.frame[0] = s.frame[0]&^(3<<synShift) | SynData<<synShift
		s.frame[unitWords-1] &^= codeMask
		if k < 6 {
			Invalid(s.frame[:], uint8(s.rng.IntN(4)))
		}
		s.id = (s.id + 1) & mask
	}
	s.state = ScrambleFrame(s.frame[:], s.state)
	Seal(s.frame[:], id)
	if s.back == 0 && s.rng.IntN(70) == 0 {
		s.back = 1 + s.rng.IntN(5)
		bit := s.rng.IntN(64 * unitWords)
		if s.rng.IntN(4) == 0 {
			bit = 62 + s.rng.IntN(2) // in the SYN
		}
		s.frame[bit/64] ^= 1 << (bit % 64)
	}
}

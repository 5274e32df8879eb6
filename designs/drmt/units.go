package drmt

import (
	"embed"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Verilog has the project's own RTL of this package's units: verilog/drmt_alu.v and so on. That of the crossbar is in package xbar.
//
//go:embed verilog/*.v
var Verilog embed.FS

// The units' sizes: a vector of 64 bytes and two segments for key generation, four slices of 32 entries for the instruction memory.
const (
	unitWords    = 8
	unitSegments = 2
	unitSlices   = 4
	unitEntries  = 32
)

// Units returns the boxes of a processor that have RTL.
func Units() vectors.Catalogue {
	return vectors.Catalogue{{
		Name: "drmt/alu", Doc: "action ALU of 32 bits", Ref: "dRMT §5.1", Latency: 1, Clock: Chip,
		Bugs: []vectors.Bug{{Kind: "less is not less or equal", Field: `out_value`, Edits: []string{"5'd13:   value = {31'd0, in_a <= in_b};", "5'd13:   value = {31'd0, in_a < in_b};"}}},
		Build: func(b *vectors.Bench) rtl.Module {
			u := &ALU{}
			rng := b.Rand()
			vectors.Drive(b, &u.In, func(uint64) ALUInput {
				in := ALUInput{A: uint32(rng.Uint64() >> (32 + rng.IntN(32))), B: uint32(rng.Uint64() >> (32 + rng.IntN(32))), Op: Opcode(rng.IntN(int(opcodes)))}
				switch rng.IntN(8) {
				case 0:
					in.B = in.A
				case 1:
					in.B = uint32(rng.IntN(40)) // shifts
				case 2:
					in.Op = Opcode(rng.IntN(32)) // codes that are none, too
				}
				return in
			})
			return u
		},
	}, {
		Name: "drmt/scratch_pad", Doc: "scratch pad: 64 results, 8 write and 8 read ports", Ref: "dRMT §5.1", Latency: 1, Clock: Chip,
		Bugs: []vectors.Bug{{Kind: "the last write port is not joined", Field: `out_\d_.*`, Edits: []string{"if (valid[k]) entry", "if (valid[k] && k != 7) entry"}}},
		Build: func(b *vectors.Bench) rtl.Module {
			s := &ScratchPadModule{}
			for i := range s.Write {
				w, r := b.Rand(), b.Rand()
				random := vectors.Uniform[ScratchWrite](w)
				vectors.Drive(b, &s.Write[i], func(c uint64) ScratchWrite {
					x := random(c)
					if w.IntN(8) > 0 {
						x.Entry = x.Entry&7 | uint8(i)<<3 // ports mostly keep out of each other's way
					}
					return x
				})
				vectors.Drive(b, &s.Read[i], vectors.Uniform[ScratchRead](r))
			}
			return s
		},
	}, {
		Name: "drmt/vliw_fetch", Doc: "VLIW instruction memory: 4 slices of 32 entries with 8:1 selects and their table", Ref: "dRMT §5.1, Fig. 11",
		Latency: 1, Clock: Chip,
		Bugs: []vectors.Bug{{Kind: "the last entry is not there", Field: `out_\d_bits`, Edits: []string{"p < 10'd32", "p < 10'd31"}}},
		Build: func(b *vectors.Bench) rtl.Module {
			v := NewVLIWFetch(unitSlices, unitEntries)
			vectors.Drive(b, &v.Counter, vectors.Uniform[Counter](b.Rand()))
			for i := range v.Pointer {
				rng := b.Rand()
				vectors.Drive(b, &v.Pointer[i], func(uint64) Pointer {
					if rng.IntN(8) == 0 {
						return Pointer{uint16(rng.IntN(Pointers))}
					}
					return Pointer{uint16(rng.IntN(unitEntries))}
				})
			}
			rng := b.Rand()
			random := vectors.Uniform[Load](rng)
			vectors.Drive(b, &v.Load, func(c uint64) Load {
				l := random(c)
				if rng.IntN(8) > 0 {
					l.Entry, l.Slice = uint16(rng.IntN(unitEntries)), uint8(rng.IntN(unitSlices))
				}
				return l
			})
			return v
		},
	}, {
		Name: "drmt/key_generator", Doc: "key generation: 2 segments of 80 bits from the vectors, here of 64 bytes, of two packets", Ref: "dRMT §5.1",
		Latency: 1, Clock: Chip,
		Bugs: []vectors.Bug{{Kind: "one packet for all segments", Field: `key_1_data_(lo|hi)`, Edits: []string{"packet[s] ? second", "packet[0] ? second"}}},
		Build: func(b *vectors.Bench) rtl.Module {
			g := NewKeyGenerator(unitWords, unitSegments)
			for i := range g.First {
				vectors.Drive(b, &g.First[i], vectors.Uniform[uint64](b.Rand()))
				vectors.Drive(b, &g.Second[i], vectors.Uniform[uint64](b.Rand()))
			}
			for i := range g.Config {
				rng := b.Rand()
				vectors.Drive(b, &g.Config[i], func(uint64) SegmentConfig {
					c := SegmentConfig{Second: rng.IntN(2) == 0, Enable: rng.IntN(5) > 0}
					for k := range SegmentBytes {
						at := rng.IntN(8 * unitWords)
						if rng.IntN(16) == 0 {
							at = rng.IntN(1 << selectBits) // beyond the vector
						}
						c.SetByte(k, at)
					}
					return c
				})
			}
			return g
		},
	}}.WithRTL(Verilog)
}

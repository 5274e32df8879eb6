package drmt

import (
	"embed"
	"fmt"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// verilog has the project's own RTL of this package's units: verilog/drmt_alu.v and so on. The crossbar's is in package
// xbar.
//
//go:embed verilog/*.v
var verilog embed.FS

// Units returns the boxes of a processor that have RTL. Instruction memory and key generation are by default smaller
// than the paper's: a vector of 64 bytes and two segments, four slices of 32 entries.
func Units() vectors.Catalogue {
	return vectors.Catalogue{aluUnit(), scratchPadUnit(), vliwFetchUnit(), keyGeneratorUnit()}.WithRTL(verilog)
}

// rtlFile returns a module's RTL.
func rtlFile(module string) string {
	text, err := verilog.ReadFile("verilog/" + module + ".v")
	if err != nil {
		panic(err) // the file is embedded
	}
	return string(text)
}

func aluUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "width", Default: aluBits, Min: 1, Max: aluBits, Help: "bits of operands and result", RTL: "WIDTH"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		return vectors.Unit{
			Name: "drmt/alu", Doc: fmt.Sprintf("action ALU of %d bits", p.Int("width")), Ref: "dRMT §5.1", Latency: 1,
			Clock:   Chip,
			Unmoved: vectors.NotAbove(p.Int("width"), "a result has none", map[string]int{"out_value": aluBits}),
			Bugs: []vectors.Bug{
				{
					Kind:  "less is not less or equal",
					Field: `out_value`,
					Edits: []string{"5'd13:   value = {31'd0, a <= b};", "5'd13:   value = {31'd0, a < b};"},
				},
			},
			Build: func(b *vectors.Bench) rtl.Module {
				u, err := NewALU(p.Int("width"))
				if err != nil {
					panic(err) // the parameters are within its bounds
				}
				rng := b.Rand()
				vectors.Drive(b, &u.In, func(uint64) ALUInput {
					in := ALUInput{
						A: uint32(rng.Uint64() >> (32 + rng.IntN(32))), B: uint32(rng.Uint64() >> (32 + rng.IntN(32))),
						Op: Opcode(rng.IntN(int(opcodes))),
					}
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
		}, nil
	})
}

func scratchPadUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{
			Name: "ports", Default: ScratchPorts, Min: 1, Max: ScratchPorts, Help: "write ports, and as many read ports",
			RTL: "PORTS",
		},
		{
			Name: "entries", Default: ScratchEntries, Min: 2, Max: ScratchEntries, Power: true,
			Help: "results that it holds", RTL: "ENTRIES",
		},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		ports, entries := p.Int("ports"), p.Int("entries")
		return vectors.Unit{
			Name: "drmt/scratch_pad",
			Doc:  fmt.Sprintf("scratch pad: %d results, %d write and %d read ports", entries, ports, ports), Ref: "dRMT §5.1",
			Latency: 1, Clock: Chip,
			Bugs: []vectors.Bug{
				{
					Kind:  "the last write port is not joined",
					Field: `out_\d_.*`,
					Edits: []string{"if (valid[k]) entry", "if (valid[k] && k != 7) entry"},
				},
			},
			RTL: vectors.RepeatPorts(rtlFile("drmt_scratch_pad"), ports, "write", "read", "out"),
			Build: func(b *vectors.Bench) rtl.Module {
				s, err := NewScratchPadModule(ports, entries)
				if err != nil {
					panic(err) // the parameters are within its bounds
				}
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
		}, nil
	})
}

func vliwFetchUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "slices", Default: 4, Min: 1, Max: ALUs, Help: "slices, one an ALU", RTL: "SLICES"},
		{Name: "entries", Default: 32, Min: 1, Max: Pointers, Help: "instructions of a slice", RTL: "ENTRIES"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		slices, entries := p.Int("slices"), p.Int("entries")
		return vectors.Unit{
			Name: "drmt/vliw_fetch", Doc: fmt.Sprintf("VLIW instruction memory: %d slices of %d entries with 8:1 selects and "+
				"their table", slices, entries), Ref: "dRMT §5.1, Fig. 11",
			Latency: 1, Clock: Chip,
			Bugs: []vectors.Bug{
				{
					Kind:  "the last entry is not there",
					Field: `out_\d_bits`,
					Edits: []string{"{1'b0, p} < ENTRIES", "{1'b0, p} < ENTRIES - 1"},
				},
			},
			RTL: vectors.RepeatPorts(rtlFile("drmt_vliw_fetch"), slices, "out"),
			Build: func(b *vectors.Bench) rtl.Module {
				v, err := NewVLIWFetch(slices, entries)
				if err != nil {
					panic(err) // the parameters are within its bounds
				}
				vectors.Drive(b, &v.Counter, vectors.Uniform[Counter](b.Rand()))
				for i := range v.Pointer {
					rng := b.Rand()
					vectors.Drive(b, &v.Pointer[i], func(uint64) Pointer {
						if rng.IntN(8) == 0 {
							return Pointer{uint16(rng.IntN(Pointers))}
						}
						return Pointer{uint16(rng.IntN(entries))}
					})
				}
				rng := b.Rand()
				random := vectors.Uniform[Load](rng)
				vectors.Drive(b, &v.Load, func(c uint64) Load {
					l := random(c)
					if rng.IntN(8) > 0 {
						l.Entry, l.Slice = uint16(rng.IntN(entries)), uint8(rng.IntN(slices))
					}
					return l
				})
				return v
			},
		}, nil
	})
}

func keyGeneratorUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "words", Default: 8, Min: 1, Max: vectorWords, Help: "words of 8 bytes of a header vector", RTL: "WORDS"},
		{Name: "segments", Default: 2, Min: 1, Max: Segments, Help: "segments of a key, of 80 bits each", RTL: "SEGMENTS"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		words, segments := p.Int("words"), p.Int("segments")
		return vectors.Unit{
			Name:  "drmt/key_generator",
			Valid: vectors.ValidEach("key", segments),
			Doc: fmt.Sprintf("key generation: %d segments of 80 bits from the vectors, here of %d bytes, of two packets",
				segments, 8*words), Ref: "dRMT §5.1",
			Latency: 1, Clock: Chip,
			Bugs: []vectors.Bug{
				{
					Kind:  "one packet for all segments",
					Field: `key_1_data_(lo|hi)`,
					Edits: []string{"packet[s] ? second", "packet[0] ? second"},
				},
			},
			RTL: vectors.RepeatPorts(
				vectors.RepeatPorts(rtlFile("drmt_key_generator"), words, "first", "second"), segments, "config", "key",
			),
			Build: func(b *vectors.Bench) rtl.Module {
				g, err := NewKeyGenerator(words, segments)
				if err != nil {
					panic(err) // the parameters are within its bounds
				}
				for i := range g.First {
					vectors.Drive(b, &g.First[i], vectors.Uniform[uint64](b.Rand()))
					vectors.Drive(b, &g.Second[i], vectors.Uniform[uint64](b.Rand()))
				}
				for i := range g.Config {
					rng := b.Rand()
					vectors.Drive(b, &g.Config[i], func(uint64) SegmentConfig {
						c := SegmentConfig{Second: rng.IntN(2) == 0, Enable: rng.IntN(5) > 0}
						for k := range SegmentBytes {
							at := rng.IntN(8 * words)
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
		}, nil
	})
}

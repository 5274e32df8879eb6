package pcs

import (
	"fmt"
	"maps"
	"math/bits"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// The units of this package that have parameters.

// blockSyncUnit has the blocks that it ignores after a slip.
func blockSyncUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "settle", Default: 1, Max: 255, Help: "blocks that are not looked at after a slip", RTL: "SETTLE"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		return vectors.Unit{
			Name: "pcs/block_sync", Doc: "block lock by sync headers, slipping bit by bit", Ref: "IEEE 802.3 Figure 49-14",
			Bugs: []vectors.Bug{{Kind: "wrong limit", Field: "slip",
				Edits: []string{"sh_invalid_cnt == 5'd15", "sh_invalid_cnt == 5'd14"}}},
			Latency: 1, Clock: clock.Block25G,
			Unmoved: map[string]string{
				"headers[6]": "the 64th header starts the count anew", "invalid[4]": "so does the 16th invalid one",
			},
			Build: func(b *vectors.Bench) rtl.Module {
				s := &BlockSync{Settle: p.Int("settle")}
				vectors.Drive(b, &s.In, headers(b))
				return s
			},
		}, nil
	})
}

// berMonitorUnit has a window short enough for a set of vectors; the standard's are longer.
func berMonitorUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{
			Name: "limit", Default: 8, Min: 1, Max: 1 << 20, Help: "invalid sync headers in a window that make it bad",
			RTL: "LIMIT",
		},
		{Name: "window", Default: 128, Min: 1, Max: 1 << 20, Help: "blocks of a window", RTL: "WINDOW"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		if p.Get("limit") > p.Get("window") {
			return vectors.Unit{}, fmt.Errorf("a limit that no window reaches, want at most window")
		}
		return vectors.Unit{
			Name: "pcs/ber_monitor", Doc: "high bit error rate by sync headers, " +
				"window " + fmt.Sprint(p.Get("window")) + " blocks, limit " + fmt.Sprint(p.Get("limit")),
			Ref: "IEEE 802.3 Figure 49-15",
			Bugs: []vectors.Bug{{Kind: "missed reset", Field: "hi_ber",
				Edits: []string{"if (rst || !lock) begin", "if (rst) begin"}}},
			Latency: 1, Clock: clock.Block25G,
			Unmoved: berMonitorUnmoved(p.Get("window"), p.Get("limit")),
			Build: func(b *vectors.Bench) rtl.Module {
				m := &BERMonitor{Window: uint32(p.Get("window")), Limit: uint32(p.Get("limit"))}
				lock := b.Rand()
				vectors.Drive(b, &m.In, headers(b))
				vectors.Drive(b, &m.Lock, func(uint64) bool { return lock.IntN(500) > 0 })
				return m
			},
		}, nil
	})
}

// txGearboxUnit is a gearbox to line words of a power of two.
func txGearboxUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "width", Default: 64, Min: 16, Max: 64, Power: true, Help: "bits of a line word", RTL: "WIDTH"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		width := p.Int("width")
		return vectors.Unit{
			Name:  "pcs/tx_gearbox",
			Valid: map[string]string{"out": "out_valid"},
			Doc:   "gearbox 66:" + fmt.Sprint(width), Ref: "IEEE 802.3 49.2.7",
			Bugs: []vectors.Bug{{Kind: "too early", Field: "out_valid",
				Edits: []string{"n >= WIDTH + 65", "n >= WIDTH"}}},
			Profiles: true, Latency: 2, From: "in", To: "out", Clock: clock.Block25G.Times(BlockBits, int64(width)),
			Unmoved:     narrow("out", width, map[string]string{"out_valid": "words flow without a gap once they do"}),
			Environment: pacedInVerilog,
			Build: func(b *vectors.Bench) rtl.Module {
				g := NewTxGearbox(width)
				d := &pacedBlocks{next: newNoise(b).always()}
				b.Add("blocks", d)
				rtl.Connect(&g.Enable, &d.Enable)
				rtl.Connect(&d.Out, &g.In)
				return g
			},
		}, nil
	})
}

// rxGearboxUnit is a gearbox from line words of a power of two.
func rxGearboxUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "width", Default: 64, Min: 16, Max: 64, Power: true, Help: "bits of a line word", RTL: "WIDTH"},
		{Name: "skew", Max: BlockBits - 1, Help: "bits of the line that are dropped at the start", RTL: "SKEW"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		width := p.Int("width")
		return vectors.Unit{
			Name:  "pcs/rx_gearbox",
			Valid: map[string]string{"out": "out_valid"},
			Doc:   "gearbox " + fmt.Sprint(width) + ":66 with slip", Ref: "IEEE 802.3 49.2.9",
			Bugs: []vectors.Bug{{Kind: "slip ignored", Field: "out_payload",
				Edits: []string{"o = owed + {8'd0, slip};", "o = owed;"}}},
			Latency: 1, Clock: clock.Block25G.Times(BlockBits, int64(width)),
			Unmoved: narrow("in", width, nil), Invariant: gearboxInvariant,
			Build: func(b *vectors.Bench) rtl.Module {
				g := NewRxGearbox(width, p.Int("skew"))
				words, slips := b.Rand(), b.Rand()
				vectors.Drive(
					b, &g.In, func(uint64) Line { return Line{Lo: words.Uint64() & low(width), Valid: words.IntN(8) > 0} },
				)
				vectors.Drive(b, &g.Slip, func(uint64) bool { return slips.IntN(40) == 0 })
				return g
			},
		}, nil
	})
}

// linePatternUnit starts with ones.
func linePatternUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "width", Default: 64, Min: 16, Max: 64, Power: true, Help: "bits of a line word", RTL: "WIDTH"},
		{Name: "seed", Default: 1<<31 - 1, Min: 1, Max: 1<<31 - 1, Help: "first bits, before inversion", RTL: "SEED"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		width := p.Int("width")
		return vectors.Unit{
			Name:  "pcs/line_pattern",
			Valid: map[string]string{"out": "out_valid"},
			Doc:   "PRBS31 on the line, " + fmt.Sprint(width) + " bits a cycle", Ref: "IEEE 802.3 49.2.8",
			Bugs: []vectors.Bug{{Kind: "wrong polynomial", Field: "out_lo",
				Edits: []string{"{a[0] ^ a[3], a[30:1]}", "{a[0] ^ a[2], a[30:1]}"}}},
			Latency: 1, Clock: clock.Block25G.Times(BlockBits, int64(width)), Unmoved: narrow("out", width, nil),
			Build: func(b *vectors.Bench) rtl.Module {
				g := mustPRBS31(width, p.Get("seed"))
				rng := b.Rand()
				vectors.Drive(b, &g.Enable, func(uint64) bool { return rng.IntN(33) > 0 })
				return g
			},
		}, nil
	})
}

// lineCheckerUnit gets a pattern with errors and pauses.
func lineCheckerUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "width", Default: 64, Min: 16, Max: 64, Power: true, Help: "bits of a line word", RTL: "WIDTH"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		width := p.Int("width")
		return vectors.Unit{
			Name: "pcs/line_checker", Doc: "checker of PRBS31 on the line, " + fmt.Sprint(width) + " bits a cycle",
			Ref: "IEEE 802.3 49.2.12",
			Bugs: []vectors.Bug{{Kind: "counts before it is in step", Field: "errors",
				Edits: []string{"if (b != 5'd0) b = b - 5'd1;\n            else if", "if"}}},
			NotCovered: "bit 15 of the count falls after 65536 errors",
			Latency:    1, Clock: clock.Block25G.Times(BlockBits, int64(width)),
			Unmoved:   narrow("in", width, map[string]string{"errors[31:16]": "more errors than a vector set has cycles"}),
			Invariant: lineCheckerInvariant(width),
			Build: func(b *vectors.Bench) rtl.Module {
				c, err := NewLineChecker(width, blocks.PRBS31)
				if err != nil {
					panic(err) // the pattern is a constant
				}
				source, rng := mustPRBS31(width, 1<<31-1), b.Rand()
				b.Keep(source)
				vectors.Drive(b, &c.In, func(uint64) Line {
					if rng.IntN(33) == 0 {
						return Line{Lo: rng.Uint64() & low(width)}
					}
					w := Line{Lo: source.next.Bits(width), Valid: true}
					if rng.IntN(20) == 0 {
						w.Lo ^= 1 << rng.IntN(width)
					}
					return w
				})
				return c
			},
		}, nil
	})
}

// testPatternUnit has the seeds of 52.9.1.1.
func testPatternUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{Name: "seed_a", Default: SeedA52, Max: 1<<58 - 1, Help: "seed A, 58 bits", RTL: "SEED_A"},
		{Name: "seed_b", Default: SeedB52, Max: 1<<58 - 1, Help: "seed B, 58 bits", RTL: "SEED_B"},
		{
			Name: "local_fault", Max: 1, Help: "1: the pattern is two local fault ordered sets instead of zeros",
			RTL: "LOCAL_FAULT",
		},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		return vectors.Unit{
			Name:  "pcs/test_pattern",
			Valid: map[string]string{"out": "out_valid"},
			Doc:   "pseudo-random test pattern generator", Ref: "IEEE 802.3 49.2.8",
			Bugs: []vectors.Bug{{Kind: "seed not inverted", Field: "out_payload",
				Edits: []string{"^ {58{after[7]}}", "^ {58{1'b0}}"}}},
			Latency: 1, Clock: clock.Block25G, Unmoved: map[string]string{"out_header[1]": "all blocks are control blocks"},
			Build: func(b *vectors.Bench) rtl.Module {
				t := &TestPattern{SeedA: p.Get("seed_a"), SeedB: p.Get("seed_b"), LocalFault: p.Get("local_fault") == 1}
				rng := b.Rand()
				vectors.Drive(b, &t.Enable, func(uint64) bool { return rng.IntN(33) > 0 })
				return t
			},
		}, nil
	})
}

// patternCheckerUnit looks for zeros, or for local fault ordered sets.
func patternCheckerUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{
			Name: "local_fault", Max: 1, Help: "1: the pattern is two local fault ordered sets instead of zeros",
			RTL: "LOCAL_FAULT",
		},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		return vectors.Unit{
			Name: "pcs/pattern_checker", Doc: "pseudo-random test pattern checker", Ref: "IEEE 802.3 49.2.12",
			Bugs: []vectors.Bug{{Kind: "window too short", Field: "errors",
				Edits: []string{"left <= 7'd127", "left <= 7'd126"}}},
			NotCovered: "bit 14 of the count falls after 32768 errors",
			Latency:    1, Clock: clock.Block25G,
			Unmoved: map[string]string{
				"in_header": "the payload alone is looked at", "errors[15]": "rises once: the count stops at its maximum",
			},
			Build: func(b *vectors.Bench) rtl.Module {
				c := &PatternChecker{LocalFault: p.Get("local_fault") == 1}
				rng, lock := b.Rand(), b.Rand()
				vectors.Drive(b, &c.In, func(uint64) Block {
					x := Block{Header: HeaderControl, Valid: rng.IntN(33) > 0}
					switch rng.IntN(10) {
					case 0:
						x.Payload = 1 << rng.IntN(64)
					case 1:
						x.Payload = ^uint64(0)
					}
					return x
				})
				vectors.Drive(b, &c.Lock, func(uint64) bool { return lock.IntN(300) > 0 })
				return c
			},
		}, nil
	})
}

// berMonitorUnmoved says which bits of the counts a window and a limit leave alone.
func berMonitorUnmoved(window, limit uint64) map[string]string {
	return map[string]string{
		fmt.Sprintf("timer[31:%d]", bits.Len64(window-1)): fmt.Sprintf("a window of %d blocks", window),
		fmt.Sprintf("count[31:%d]", bits.Len64(limit)):    fmt.Sprintf("stops at the limit of %d", limit),
	}
}

// low are the bits of a line word.
func low(width int) uint64 { return ^uint64(0) >> (64 - width) }

// narrow adds what a line word of at most 64 bits leaves alone at a port.
func narrow(port string, width int, unmoved map[string]string) map[string]string {
	if unmoved == nil {
		unmoved = map[string]string{}
	}
	why := fmt.Sprintf("a line of %d bits has none", width)
	unmoved[port+"_hi"] = why
	maps.Copy(unmoved, vectors.NotAbove(width, why, map[string]int{port + "_lo": 64}))
	return unmoved
}

// mustPRBS31 returns a generator. The seed is not 0.
func mustPRBS31(width int, seed uint64) *LinePattern {
	p, err := NewPRBSPattern(width, blocks.PRBS31, seed)
	if err != nil {
		panic(err) // the unit bounds the seed
	}
	return p
}

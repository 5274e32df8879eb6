package pcs

import (
	"slices"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Units returns the modules of this package with stimuli that reach their rare cases: all block formats, illegal sequences,
// bad headers, pauses, frames of every remainder.
func Units() vectors.Catalogue {
	return withFrames(vectors.Catalogue{
		{
			Name: "pcs/framer", Doc: "MAC transmit: preamble, padding, FCS, inter-frame gap with deficit idle count", Ref: "IEEE 802.3 4.2.3, 46.3.1",
			Bugs: []vectors.Bug{{Kind: "gap too long after a deficit", Field: "out_ctrl",
				Edits: []string{"gap     = gap + 4;", "gap     = gap + 8;"}}},
			Profiles: true, Latency: 1, From: "in", To: "out", Clock: clock.Block25G, Build: buildFramer, Ready: map[string]string{"in": "ready"},
			Unmoved: map[string]string{"in_fault": "only received frames have it", "state[2]": "four states"},
		},
		{
			Name: "pcs/encoder", Doc: "64b/66b encoder with the transmit state machine", Ref: "IEEE 802.3 49.2.4, Figure 49-16",
			Bugs: []vectors.Bug{{Kind: "wrong terminate lane", Field: "out_payload",
				Edits: []string{"4: term_type = 8'hcc;", "4: term_type = 8'hd2;"}}},
			Profiles: true, Latency: 1, Clock: clock.Block25G, Machines: []vectors.Machine{txMachine()},
			Unmoved: map[string]string{"TX_INIT → TX_E": leftOnce, "TX_INIT → TX_C": leftOnce, "TX_INIT → TX_D": leftOnce},
			Build: func(b *vectors.Bench) rtl.Module {
				e := &Encoder{}
				vectors.Drive(b, &e.In, newNoise(b).word)
				return e
			},
		},
		{
			Name: "pcs/scrambler", Doc: "self-synchronous scrambler 1 + x^39 + x^58", Ref: "IEEE 802.3 49.2.6",
			Bugs: []vectors.Bug{{Kind: "wrong tap", Field: "out_payload",
				Edits: []string{"{25'h0, state[57:19]}", "{26'h0, state[57:20]}"}}},
			Profiles: true, Latency: 1, Clock: clock.Block25G,
			Build: func(b *vectors.Bench) rtl.Module {
				s := &Scrambler{}
				vectors.Drive(b, &s.In, newNoise(b).block)
				return s
			},
		},
		{
			Name: "pcs/tx_gearbox", Doc: "gearbox 66:64", Ref: "IEEE 802.3 49.2.7",
			Bugs: []vectors.Bug{{Kind: "too early", Field: "out_valid",
				Edits: []string{"n >= WIDTH + 65", "n >= WIDTH"}}},
			Profiles: true, Latency: 2, From: "in", To: "out", Clock: clock.Block25G.Times(BlockBits, 64),
			Unmoved: map[string]string{"out_hi": narrowLine, "out_valid": "words flow without a gap once they do"},
			Build: func(b *vectors.Bench) rtl.Module {
				g := NewTxGearbox(64)
				d := &pacedBlocks{next: newNoise(b).always().block}
				b.Add("blocks", d)
				rtl.Connect(&g.Enable, &d.Enable)
				rtl.Connect(&d.Out, &g.In)
				return g
			},
		},
		{
			Name: "pcs/rx_gearbox", Doc: "gearbox 64:66 with slip", Ref: "IEEE 802.3 49.2.9",
			Bugs: []vectors.Bug{{Kind: "slip ignored", Field: "out_payload",
				Edits: []string{"o = owed + {8'd0, slip};", "o = owed;"}}},
			Latency: 1, Clock: clock.Block25G.Times(BlockBits, 64),
			Unmoved: map[string]string{"in_hi": narrowLine},
			Build: func(b *vectors.Bench) rtl.Module {
				g := NewRxGearbox(64, 0)
				words, slips := b.Rand(), b.Rand()
				vectors.Drive(b, &g.In, func(uint64) Line { return Line{Lo: words.Uint64(), Valid: words.IntN(8) > 0} })
				vectors.Drive(b, &g.Slip, func(uint64) bool { return slips.IntN(40) == 0 })
				return g
			},
		},
		{
			Name: "pcs/block_sync", Doc: "block lock by sync headers, slipping bit by bit", Ref: "IEEE 802.3 Figure 49-14",
			Bugs: []vectors.Bug{{Kind: "wrong limit", Field: "slip",
				Edits: []string{"sh_invalid_cnt == 5'd15", "sh_invalid_cnt == 5'd14"}}},
			Latency: 1, Clock: clock.Block25G,
			Unmoved: map[string]string{"headers[6]": "the 64th header starts the count anew", "invalid[4]": "so does the 16th invalid one"},
			Build: func(b *vectors.Bench) rtl.Module {
				s := &BlockSync{Settle: 1}
				vectors.Drive(b, &s.In, headers(b.Rand()))
				return s
			},
		},
		{
			Name: "pcs/ber_monitor", Doc: "high bit error rate by sync headers, window 128 blocks, limit 8", Ref: "IEEE 802.3 Figure 49-15",
			Bugs: []vectors.Bug{{Kind: "missed reset", Field: "hi_ber",
				Edits: []string{"if (rst || !lock) begin", "if (rst) begin"}}},
			Latency: 1, Clock: clock.Block25G,
			Unmoved: map[string]string{"timer[31:7]": "a window of 128 blocks", "count[31:4]": "stops at the limit of 8"},
			Build: func(b *vectors.Bench) rtl.Module {
				m := &BERMonitor{Window: 128, Limit: 8}
				lock := b.Rand()
				vectors.Drive(b, &m.In, headers(b.Rand()))
				vectors.Drive(b, &m.Lock, func(uint64) bool { return lock.IntN(500) > 0 })
				return m
			},
		},
		{
			Name: "pcs/descrambler", Doc: "descrambler, with a look at the block on its way in", Ref: "IEEE 802.3 49.2.10",
			Bugs: []vectors.Bug{{Kind: "clock enable ignored", Field: "out_payload",
				Edits: []string{"if (in_valid) begin\n            state ", "if (1'b1) begin\n            state "}}},
			Profiles: true, Latency: 1, From: "in", To: "out", Clock: clock.Block25G,
			Unmoved: map[string]string{"out_valid": "a block stands until its successor comes"},
			Build: func(b *vectors.Bench) rtl.Module {
				d := &Descrambler{}
				vectors.Drive(b, &d.In, newNoise(b).block)
				return d
			},
		},
		{
			Name: "pcs/decoder", Doc: "64b/66b decoder with the receive state machine", Ref: "IEEE 802.3 49.2.11, Figure 49-17",
			Bugs: []vectors.Bug{{Kind: "swapped bytes in a rare block type", Field: "out_data",
				Edits: []string{"8'h66: begin d = {p[63:40], 8'hfb, p[31:8], o_char(p[35:32])}", "8'h66: begin d = {p[63:40], 8'hfb, p[15:8], p[23:16], p[31:24], o_char(p[35:32])}"}}},
			Profiles: true, Latency: 1, Clock: clock.Block25G, Repair: nextIsIn, Machines: []vectors.Machine{rxMachine()},
			Unmoved: map[string]string{
				"in_valid":    "a block stands until its successor comes",
				"RX_T → RX_E": "RX_T is entered only if a control or start block follows",
			},
			Build: func(b *vectors.Bench) rtl.Module {
				d, line := &Decoder{}, &Descrambler{}
				noise, state := newNoise(b), uint64(scramblerReset)
				lock, ber := b.Rand(), b.Rand()
				vectors.Drive(b, &line.In, func(cycle uint64) Block {
					x := noise.block(cycle)
					if x.Valid {
						x.Payload, state = Scramble(x.Payload, state)
					}
					return x
				})
				b.Add("descrambler", line)
				rtl.Connect(&line.Out, &d.In)
				rtl.Connect(&line.Next, &d.Next)
				calm := func(cycle uint64) bool { // long frames pass whole
					return b.Profile() == vectors.Legal || b.Profile() == vectors.Mixed && cycle>>12&1 == 1
				}
				vectors.Drive(b, &d.Lock, func(cycle uint64) bool { return lock.IntN(200) > 0 || calm(cycle) })
				vectors.Drive(b, &d.HiBER, func(cycle uint64) bool { return ber.IntN(200) == 0 && !calm(cycle) })
				return d
			},
		},
		{
			Name: "pcs/deframer", Doc: "MAC receive: frames out of XGMII characters, FCS checked and stripped", Ref: "IEEE 802.3 4.2.4, 46.3.2",
			Bugs: []vectors.Bug{{Kind: "off-by-one length", Field: "out_fault",
				Edits: []string{"got < 7'd64 ? 3'd3", "got < 7'd63 ? 3'd3"}}},
			Profiles: true, Latency: 1, Clock: clock.Block25G, Build: buildDeframer, Machines: []vectors.Machine{{
				Probe: "state", States: []string{"idle", "half", "data"},
				Arcs: [][2]int{{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}},
			}},
		},
		{
			Name: "pcs/test_pattern", Doc: "pseudo-random test pattern generator", Ref: "IEEE 802.3 49.2.8",
			Bugs: []vectors.Bug{{Kind: "seed not inverted", Field: "out_payload",
				Edits: []string{"^ {58{after[7]}}", "^ {58{1'b0}}"}}},
			Latency: 1, Clock: clock.Block25G, Unmoved: map[string]string{"out_header[1]": "all blocks are control blocks"},
			Build: func(b *vectors.Bench) rtl.Module {
				t := &TestPattern{SeedA: SeedA52, SeedB: SeedB52}
				rng := b.Rand()
				vectors.Drive(b, &t.Enable, func(uint64) bool { return rng.IntN(33) > 0 })
				return t
			},
		},
		{
			Name: "pcs/pattern_checker", Doc: "pseudo-random test pattern checker", Ref: "IEEE 802.3 49.2.12",
			Bugs: []vectors.Bug{{Kind: "window too short", Field: "errors",
				Edits: []string{"left <= 7'd127", "left <= 7'd126"}}},
			NotCovered: "bit 14 of the count falls after 32768 errors",
			Latency:    1, Clock: clock.Block25G,
			Unmoved: map[string]string{"in_header": "the payload alone is looked at", "errors[15]": "rises once: the count stops at its maximum"},
			Build: func(b *vectors.Bench) rtl.Module {
				c := &PatternChecker{}
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
		},
		{
			Name: "pcs/line_pattern", Doc: "PRBS31 on the line, 64 bits a cycle", Ref: "IEEE 802.3 49.2.8",
			Bugs: []vectors.Bug{{Kind: "wrong polynomial", Field: "out_lo",
				Edits: []string{"{a[0] ^ a[3], a[30:1]}", "{a[0] ^ a[2], a[30:1]}"}}},
			Latency: 1, Clock: clock.Block25G.Times(BlockBits, 64), Unmoved: map[string]string{"out_hi": narrowLine},
			Build: func(b *vectors.Bench) rtl.Module {
				p := mustPRBS31()
				rng := b.Rand()
				vectors.Drive(b, &p.Enable, func(uint64) bool { return rng.IntN(33) > 0 })
				return p
			},
		},
		{
			Name: "pcs/line_checker", Doc: "checker of PRBS31 on the line, 64 bits a cycle", Ref: "IEEE 802.3 49.2.12",
			Bugs: []vectors.Bug{{Kind: "counts before it is in step", Field: "errors",
				Edits: []string{"if (b != 5'd0) b = b - 5'd1;\n            else if", "if"}}},
			NotCovered: "bit 15 of the count falls after 65536 errors",
			Latency:    1, Clock: clock.Block25G.Times(BlockBits, 64),
			Unmoved: map[string]string{"in_hi": narrowLine, "errors[31:16]": "more errors than a vector set has cycles"},
			Build: func(b *vectors.Bench) rtl.Module {
				c, err := NewLineChecker(64, blocks.PRBS31)
				if err != nil {
					panic(err) // the pattern is a constant
				}
				source, rng := mustPRBS31(), b.Rand()
				vectors.Drive(b, &c.In, func(uint64) Line {
					if rng.IntN(33) == 0 {
						return Line{Lo: rng.Uint64()}
					}
					w := Line{Lo: source.next(64), Valid: true}
					if rng.IntN(20) == 0 {
						w.Lo ^= 1 << rng.IntN(64)
					}
					return w
				})
				return c
			},
		},
	}.WithRTL(Verilog))
}

// Reasons why a unit does not show something.
const (
	leftOnce   = "a run leaves TX_INIT once, by one of three ways"
	narrowLine = "a line of 64 bits has none"
)

// txMachine is the transmit state machine, with the transitions of Figure 49-16.
func txMachine() vectors.Machine {
	m := vectors.Machine{Probe: "state", States: []string{"TX_INIT", "TX_C", "TX_D", "TX_T", "TX_E"}}
	for s := TxInit; s <= TxE; s++ {
		for k := KindE; k <= KindD; k++ {
			m.Arcs = appendArc(m.Arcs, int(s), int(s.Next(k)))
		}
	}
	return m
}

// rxMachine is the receive state machine, with the transitions of Figure 49-17.
func rxMachine() vectors.Machine {
	m := vectors.Machine{Probe: "state", States: []string{"RX_INIT", "RX_C", "RX_D", "RX_T", "RX_E"}}
	for s := RxInit; s <= RxE; s++ {
		for k := KindE; k <= KindD; k++ {
			m.Arcs = appendArc(m.Arcs, int(s), int(s.Next(k, KindC)))
		}
		m.Arcs = appendArc(m.Arcs, int(s), int(RxInit)) // block_lock lost or hi_ber
	}
	return m
}

func appendArc(arcs [][2]int, from, to int) [][2]int {
	if slices.Contains(arcs, [2]int{from, to}) {
		return arcs
	}
	return append(arcs, [2]int{from, to})
}

// nextIsIn makes a decoder's In what its Next was, as the descrambler's register does.
func nextIsIn(last, row *vectors.Values) {
	for _, leaf := range []string{"payload", "header", "valid"} {
		switch {
		case last == nil:
			row.Set("in_"+leaf, 0)
		case last.Get("next_valid") == 1:
			row.Set("in_"+leaf, last.Get("next_"+leaf))
		default:
			row.Set("in_"+leaf, last.Get("in_"+leaf))
		}
	}
}

// mustPRBS31 returns a generator that starts with ones.
func mustPRBS31() *LinePattern {
	p, err := NewPRBSPattern(64, blocks.PRBS31, 1<<31-1)
	if err != nil {
		panic(err) // pattern and seed are constants
	}
	return p
}

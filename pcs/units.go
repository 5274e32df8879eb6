package pcs

import (
	"slices"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Units returns the modules of this package with stimuli that reach their rare cases: all block formats, illegal
// sequences, bad headers, pauses, frames of every remainder.
func Units() vectors.Catalogue {
	return withFrames(vectors.Catalogue{
		{
			Name:  "pcs/framer",
			Valid: map[string]string{"out": "out_valid"},
			Doc:   "MAC transmit: preamble, padding, FCS, inter-frame gap with deficit idle count",
			Ref:   "IEEE 802.3 4.2.3, 46.3.1",
			Bugs: []vectors.Bug{{Kind: "gap too long after a deficit", Field: "out_ctrl",
				Edits: []string{"gap     = gap + 4;", "gap     = gap + 8;"}}},
			Profiles: true, Latency: 1, From: "in", To: "out", Clock: clock.Block25G, Build: buildFramer,
			Ready:   map[string]string{"in": "ready"},
			Unmoved: map[string]string{"in_fault": "only received frames have it", "state[2]": "four states"},
		},
		{
			Name:  "pcs/encoder",
			Valid: map[string]string{"out": "out_valid"},
			Doc:   "64b/66b encoder with the transmit state machine", Ref: "IEEE 802.3 49.2.4, Figure 49-16",
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
		scramblerUnit(),
		txGearboxUnit(),
		rxGearboxUnit(),
		blockSyncUnit(),
		berMonitorUnit(),
		descramblerUnit(),
		{
			Name:  "pcs/decoder",
			Valid: map[string]string{"out": "out_valid"},
			Doc:   "64b/66b decoder with the receive state machine", Ref: "IEEE 802.3 49.2.11, Figure 49-17",
			Bugs: []vectors.Bug{{Kind: "swapped bytes in a rare block type", Field: "out_data",
				Edits: []string{
					"8'h66: begin d = {p[63:40], 8'hfb, p[31:8], o_char(p[35:32])}",
					"8'h66: begin d = {p[63:40], 8'hfb, p[15:8], p[23:16], p[31:24], o_char(p[35:32])}",
				}}},
			Profiles: true, Latency: 1, Clock: clock.Block25G, Repair: nextIsIn, Environment: nextIsInVerilog,
			Machines: []vectors.Machine{rxMachine()},
			Unmoved: map[string]string{
				"in_valid":    "a block stands until its successor comes",
				"RX_T → RX_E": "RX_T is entered only if a control or start block follows",
			},
			Build: func(b *vectors.Bench) rtl.Module {
				d, line := &Decoder{}, &Descrambler{}
				noise, state := newNoise(b), uint64(scramblerReset)
				lock, ber := b.Rand(), b.Rand()
				b.Keep(&state)
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
			Name:  "pcs/deframer",
			Valid: map[string]string{"out": "out_valid"},
			Doc:   "MAC receive: frames out of XGMII characters, FCS checked and stripped", Ref: "IEEE 802.3 4.2.4, 46.3.2",
			Bugs: []vectors.Bug{{Kind: "off-by-one length", Field: "out_fault",
				Edits: []string{"got < 7'd64 ? 3'd3", "got < 7'd63 ? 3'd3"}}},
			Profiles: true, Latency: 1, Clock: clock.Block25G, Build: buildDeframer, Invariant: deframerInvariant,
			Machines: []vectors.Machine{{
				Probe: "state", States: []string{"idle", "half", "data"},
				Arcs: [][2]int{{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}},
			}},
		},
		testPatternUnit(),
		patternCheckerUnit(),
		linePatternUnit(),
		lineCheckerUnit(),
	}.WithRTL(Verilog))
}

// Reasons why a unit does not show something.
const (
	leftOnce = "a run leaves TX_INIT once, by one of three ways"
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

// nextIsIn sets a decoder's In to the Next of the row before, as the descrambler's register does.
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

// nextIsInVerilog is nextIsIn for proofs.
const nextIsInVerilog = `  reg [66:0] goldwire_last;
  always @(posedge clk)
    if (rst) goldwire_last <= 0;
    else if (next_valid) goldwire_last <= {next_payload, next_header, next_valid};
  always @* assume ({in_payload, in_header, in_valid} == goldwire_last);`

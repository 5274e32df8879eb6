package shoal

import (
	"embed"
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Verilog has the project's own RTL of this package's units: verilog/shoal_circuit_switch.v and so on.
//
//go:embed verilog/*.v
var Verilog embed.FS

// xgmiiClock is that of the prototype (§4): 156.25 MHz, 6.4 ns.
var xgmiiClock = clock.MHz(156.25)

// A cycle of xgmiiClock, in which counted cycles are printed as times.
var (
	cycleNs = cycleIn(clock.Nanosecond)
	cycleUs = cycleIn(clock.Nanosecond.Times(1000))
)

func cycleIn(unit clock.Time) float64 {
	f, _ := xgmiiClock.Period().In(unit).Float64()
	return f
}

// unitSwitch returns a leaf of a fabric of 4-port switches, whose circuits all move: the schedule is random.
func unitSwitch() *CircuitSwitch {
	rng := rand.New(rand.NewPCG(8, 4))
	var rows [][]int16
	for range 8 {
		row := idleRow(8)
		for i, j := range rng.Perm(8) {
			if i != j {
				row[i] = int16(j)
			}
		}
		rows = append(rows, row)
	}
	s, err := NewSchedule("random", 8, 1, rows)
	if err != nil {
		panic(err) // all is constant
	}
	c, err := Decompose(s, 4)
	if err != nil {
		panic(err)
	}
	return NewCircuitSwitch(c, 1, 0, 12)
}

// Units returns the modules of this package that have RTL.
func Units() vectors.Catalogue {
	unmoved := map[string]string{}
	for p := range 4 {
		unmoved[fmt.Sprintf("in_%d_valid", p)] = "words come in every cycle; an empty FIFO shows at filled"
		unmoved[fmt.Sprintf("out_%d_valid", p)] = "words go out in every cycle"
	}
	return vectors.Catalogue{{
		Name: "shoal/header_encoder", Doc: "cell header of 8 bytes: fields and CRC-8", Ref: "Shoal Fig. 5",
		Bugs: []vectors.Bug{{Kind: "wrong polynomial", Field: "out_bits",
			Edits: []string{"? 8'h07 :", "? 8'h05 :"}}},
		Latency: 1, Clock: xgmiiClock,
		Build: func(b *vectors.Bench) rtl.Module {
			e := &HeaderEncoder{}
			vectors.Drive(b, &e.In, vectors.Uniform[Header](b.Rand()))
			return e
		},
	}, {
		Name: "shoal/header_decoder", Doc: "cell header taken apart, its CRC-8 checked", Ref: "Shoal Fig. 5, Appendix D",
		Bugs: []vectors.Bug{{Kind: "reports where there is no header", Field: "corrupt",
			Edits: []string{"in_valid && crc8", "crc8"}}},
		Latency: 1, Clock: xgmiiClock,
		Build: func(b *vectors.Bench) rtl.Module {
			d := &HeaderDecoder{}
			rng := b.Rand()
			vectors.Drive(b, &d.In, func(uint64) HeaderWord {
				w := HeaderWord{Bits: uint64(Cell(rng.Uint64()).Seal()), Valid: rng.IntN(8) > 0}
				for range rng.IntN(3) { // bit errors
					w.Bits ^= 1 << rng.IntN(64)
				}
				return w
			})
			return d
		},
	}, {
		Name: "shoal/circuit_switch", Doc: "crossbar of a 4-port circuit switch with its schedule: a leaf with two nodes", Ref: "Shoal §4.1, Fig. 6",
		Bugs: []vectors.Bug{{Kind: "slots of thirteen cycles", Field: "out_.*",
			Edits: []string{"up_cycle + 12'd1 >= CYCLES", "up_cycle >= CYCLES"}}},
		Latency: 1, Clock: xgmiiClock, Unmoved: unmoved,
		Build: func(b *vectors.Bench) rtl.Module {
			x := unitSwitch()
			rng := b.Rand()
			up, down := uint64(3+rng.IntN(40)), uint64(3+rng.IntN(40)) // when the directions start
			for p := range x.In {
				rng, at := b.Rand(), up
				if p >= x.low {
					at = down
				}
				vectors.Drive(b, &x.In[p], func(cycle uint64) pcs.XGMII {
					w := pcs.XGMII{Data: rng.Uint64(), Ctrl: uint8(rng.Uint32()), Valid: true}
					if cycle == at || rng.IntN(200) == 0 && cycle > at {
						w = bootstrapWord()
						if cycle > at && rng.IntN(2) == 0 {
							w = realignWord()
						}
					}
					return w
				})
				fill := b.Rand()
				vectors.Drive(b, &x.Filled[p], func(uint64) bool { return fill.IntN(10) > 0 })
			}
			return x
		},
	}, {
		Name: "shoal/release_logic", Doc: "feedback matrix of 8 nodes with Equation 2 and the 2^age rule", Ref: "Shoal §3.3.2, §3.3.3, §4.2",
		Bugs: []vectors.Bug{{Kind: "a drain too many", Field: "eligible_flows",
			Edits: []string{"{14'd0, feedback_drains} - 16'd1", "{14'd0, feedback_drains}"}}},
		Latency: 1, Clock: xgmiiClock,
		Build: buildReleaseLogic,
	}, {
		Name: "shoal/cell_scheduler", Doc: "ready queue of one neighbour, 8 local flows", Ref: "Shoal §3.3.3, §4.2",
		Bugs: []vectors.Bug{{Kind: "two local cells in Q", Field: "(out_.*|ready)",
			Edits: []string{"&& !busy && !held", "&& !busy"}}},
		Latency: 1, Clock: xgmiiClock,
		Unmoved: map[string]string{"ready[7:4]": "eight flows"},
		Build: func(b *vectors.Bench) rtl.Module {
			s := &CellScheduler{}
			rng := b.Rand()
			vectors.Drive(b, &s.In, func(uint64) Eligible {
				e := Eligible{Flows: uint8(rng.Uint32()), Row: uint8(rng.IntN(8)), Valid: rng.IntN(6) == 0}
				if rng.IntN(2) == 0 {
					e.Flows &= uint8(rng.Uint32()) & uint8(rng.Uint32())
				}
				return e
			})
			cells := b.Rand()
			vectors.Drive(b, &s.Unsent, func(uint64) uint8 { return uint8(cells.Uint32() | cells.Uint32()) })
			busy := b.Rand()
			vectors.Drive(b, &s.Busy, func(uint64) bool { return busy.IntN(3) == 0 })
			return s
		},
	}, {
		Name: "shoal/time_counter", Doc: "counter of a DTP port with the delays to up to 16 nodes", Ref: "Shoal §3.4; DTP (SIGCOMM 2016), Algorithm 1",
		Bugs: []vectors.Bug{{Kind: "both ways for one", Field: "(count|total|seen_.*)",
			Edits: []string{"<= {1'b0, both[15:1]}", "<= both"}}},
		Latency: 1, Clock: xgmiiClock,
		Unmoved: map[string]string{"total[31:19]": "sixteen delays of less than 2^15", "known": "what is known stays known"},
		Build:   buildTimeCounter,
	}}.WithRTL(Verilog)
}

// buildTimeCounter drives probes that left about 244 cycles ago by the cycle's number, which the counter has in its low bits, so that it is early and
// late about as often.
func buildTimeCounter(b *vectors.Bench) rtl.Module {
	c := &TimeCounter{}
	h := b.Rand()
	vectors.Drive(b, &c.Heard, func(cycle uint64) TimeHeard {
		t := TimeHeard{Count: uint32(cycle-240-uint64(h.IntN(8))) & timeCountMask, Value: uint16(240 + h.IntN(8)), From: uint8(h.IntN(timeNodes)), Valid: h.IntN(3) > 0}
		switch k := h.IntN(16); {
		case k == 0:
			t.Value = timeNone
		case k == 1 || cycle/512%4 == 3:
			t.Value, t.Count = uint16(h.Uint32()), h.Uint32()&timeCountMask
		}
		return t
	})
	m := b.Rand()
	vectors.Drive(b, &c.Mode, func(uint64) TimeMode {
		return TimeMode{Learn: m.IntN(4) == 0, Follow: m.IntN(4) > 0, Max: m.IntN(4) == 0, Master: uint8(m.IntN(timeNodes))}
	})
	s := b.Rand()
	vectors.Drive(b, &c.Set, func(cycle uint64) TimeSet {
		t := TimeSet{Count: s.Uint64(), Valid: s.IntN(64) == 0}
		if s.IntN(4) > 0 {
			t.Count = t.Count&^0xffff | (cycle+1)&0xffff
		}
		return t
	})
	a := b.Rand()
	vectors.Drive(b, &c.Alpha, func(uint64) uint8 { return uint8(a.IntN(1 << a.IntN(9))) })
	return c
}

// buildReleaseLogic drives feedback and queries whose epochs advance together, so that Equation 2 is met and not met about as often.
func buildReleaseLogic(b *vectors.Bench) rtl.Module {
	l := &ReleaseLogic{}
	epoch := func(rng *rand.Rand) func(cycle uint64) uint16 {
		return func(cycle uint64) uint16 { return uint16(cycle*5) + uint16(rng.IntN(3))<<6 }
	}
	lengths := func(rng *rand.Rand) uint16 { return uint16(rng.IntN(1<<rng.IntN(12))) & feedbackMask }
	f := b.Rand()
	fe := epoch(f)
	vectors.Drive(b, &l.Feedback, func(cycle uint64) FeedbackWrite {
		w := FeedbackWrite{Row: uint8(f.IntN(8)), Dest: uint8(f.IntN(8)), Length: lengths(f), Epoch: fe(cycle), Drains: uint8(f.IntN(3)), Valid: f.IntN(2) == 0}
		if f.IntN(8) == 0 {
			w.Length = FeedbackMax + uint16(f.IntN(4))
		}
		return w
	})
	q := b.Rand()
	qe := epoch(q)
	vectors.Drive(b, &l.Query, func(cycle uint64) ReleaseQuery {
		return ReleaseQuery{Row: uint8(q.IntN(8)), Length: lengths(q), Epoch: qe(cycle), Unsent: uint8(q.Uint32()), Valid: q.IntN(8) > 0}
	})
	s := b.Rand()
	vectors.Drive(b, &l.Sent, func(uint64) Sending {
		return Sending{Row: uint8(s.IntN(8)), Dest: uint8(s.IntN(8)), Valid: s.IntN(4) == 0}
	})
	st := b.Rand()
	se := epoch(st)
	vectors.Drive(b, &l.Started, func(cycle uint64) FlowStart {
		return FlowStart{Dest: uint8(st.IntN(8)), Epoch: se(cycle), Valid: st.IntN(6) == 0}
	})
	return l
}

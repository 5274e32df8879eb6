package shoal

import (
	"embed"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"regexp"
	"strings"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Verilog has the project's own RTL of this package's units: verilog/shoal_circuit_switch.v and so on.
//
//go:embed verilog/*.v
var Verilog embed.FS

// XGMIIClock is the prototype's clock (§4): 156.25 MHz, 6.4 ns.
var XGMIIClock = clock.MHz(156.25)

// A cycle of xgmiiClock, in which counted cycles are printed as times.
var (
	CycleNs = cycleIn(clock.Nanosecond)
	CycleUs = cycleIn(clock.Nanosecond.Times(1000))
)

func cycleIn(unit clock.Time) float64 {
	f, _ := XGMIIClock.Period().In(unit).Float64()
	return f
}

// Units returns the modules of this package that have RTL.
func Units() vectors.Catalogue {
	return vectors.Catalogue{
		headerEncoderUnit(), headerDecoderUnit(), circuitSwitchUnit(), releaseLogicUnit(), cellSchedulerUnit(),
		timeCounterUnit(),
	}.WithRTL(Verilog)
}

// polynomialParam is of the header's codec. Figure 5 gives the fields and their widths, so nothing else is free.
func polynomialParam() []vectors.Param {
	return []vectors.Param{
		{
			Name: "polynomial", Default: headerPolynomial, Min: 1, Max: 0xff, Help: "of the CRC, without x^8; odd",
			RTL: "POLYNOMIAL",
		},
	}
}

func headerEncoderUnit() vectors.Unit {
	return vectors.Parametric(polynomialParam(), func(p vectors.Settings) (vectors.Unit, error) {
		return vectors.Unit{
			Name:  "shoal/header_encoder",
			Valid: map[string]string{"out": "out_valid"},
			Doc:   "cell header of 8 bytes: fields and CRC-8", Ref: "Shoal Fig. 5",
			Bugs: []vectors.Bug{{Kind: "wrong polynomial", Field: "out_bits",
				Edits: []string{"? POLYNOMIAL :", "? 8'h05 :"}}},
			Latency: 1, Clock: XGMIIClock,
			Build: func(b *vectors.Bench) rtl.Module {
				e, err := NewHeaderEncoder(p.Int("polynomial"))
				if err != nil {
					panic(err) // checked below
				}
				vectors.Drive(b, &e.In, vectors.Uniform[Header](b.Rand()))
				return e
			},
		}, checkPolynomial(p.Int("polynomial"))
	})
}

func headerDecoderUnit() vectors.Unit {
	return vectors.Parametric(polynomialParam(), func(p vectors.Settings) (vectors.Unit, error) {
		return vectors.Unit{
			Name:  "shoal/header_decoder",
			Valid: map[string]string{"out": "out_valid"},
			Doc:   "cell header taken apart, its CRC-8 checked", Ref: "Shoal Fig. 5, Appendix D",
			Bugs: []vectors.Bug{{Kind: "reports where there is no header", Field: "corrupt",
				Edits: []string{"in_valid && crc8", "crc8"}}},
			Latency: 1, Clock: XGMIIClock,
			Build: func(b *vectors.Bench) rtl.Module {
				d, err := NewHeaderDecoder(p.Int("polynomial"))
				if err != nil {
					panic(err) // checked below
				}
				rng := b.Rand()
				vectors.Drive(b, &d.In, func(uint64) HeaderWord {
					w := HeaderWord{Bits: sealBy(Cell(rng.Uint64()), d.polynomial), Valid: rng.IntN(8) > 0}
					for range rng.IntN(3) { // bit errors
						w.Bits ^= 1 << rng.IntN(64)
					}
					return w
				})
				return d
			},
		}, checkPolynomial(p.Int("polynomial"))
	})
}

// unitSwitch returns the second leaf of a full fabric of switches, or its first spine, whose circuits all move: the
// schedule is random.
func unitSwitch(ports, slots, cycles int, spine bool) *CircuitSwitch {
	nodes := ports * ports / 2
	rng := rand.New(rand.NewPCG(8, 4))
	var rows [][]int16
	for range slots {
		row := idleRow(nodes)
		for i, j := range rng.Perm(nodes) {
			if i != j {
				row[i] = int16(j)
			}
		}
		rows = append(rows, row)
	}
	s, err := NewSchedule("random", nodes, 1, rows)
	if err != nil {
		panic(err) // the parameters are within its bounds
	}
	c, err := Decompose(s, ports)
	if err != nil {
		panic(err)
	}
	sw := 1
	if spine {
		sw = c.Leaves
	}
	return NewCircuitSwitch(c, sw, 0, cycles)
}

var (
	lowParameter   = regexp.MustCompile(`LOW    = \d+`)
	imageParameter = regexp.MustCompile(`IMAGE = \{[^}]*\}`)
)

// circuitSwitchRTL returns the RTL for a switch: its ports, the directions and the image of its slots.
func circuitSwitchRTL(x *CircuitSwitch) string {
	text, err := Verilog.ReadFile("verilog/shoal_circuit_switch.v")
	if err != nil {
		panic(err) // the file is embedded
	}
	ports := len(x.In)
	width := 1 + bits.Len(uint(ports-1))
	var slots []string
	for _, slot := range x.image {
		image := uint64(0)
		for e, in := range slot {
			if in != noCircuit {
				image |= (1<<(width-1) | uint64(in)) << (width * e)
			}
		}
		slots = append([]string{fmt.Sprintf("%d'h%0*x", width*ports, (width*ports+3)/4, image)}, slots...)
	}
	rtl := lowParameter.ReplaceAllLiteralString(string(text), fmt.Sprintf("LOW    = %d", x.low))
	rtl = imageParameter.ReplaceAllLiteralString(rtl, "IMAGE = {"+strings.Join(slots, ", ")+"}")
	return vectors.RepeatPorts(rtl, ports, "in", "filled", "out")
}

func circuitSwitchUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		{
			Name: "ports", Default: 4, Min: 2, Max: 8, Power: true,
			Help: "ports of the switch, half of them a leaf's nodes", RTL: "PORTS",
		},
		{Name: "slots", Default: 8, Min: 1, Max: 64, Help: "slots of an epoch", RTL: "SLOTS"},
		{Name: "cycles", Default: 12, Min: 1, Max: 4095, Help: "cycles of a slot", RTL: "CYCLES"},
		{Name: "spine", Max: 1, Help: "0: a leaf, with two directions; 1: a spine"},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		ports := p.Int("ports")
		x := func() *CircuitSwitch { return unitSwitch(ports, p.Int("slots"), p.Int("cycles"), p.Int("spine") == 1) }
		kind := fmt.Sprintf("a leaf with %s", map[int]string{2: "one node", 4: "two nodes", 8: "four nodes"}[ports])
		if p.Int("spine") == 1 {
			kind = "a spine"
		}
		unmoved := map[string]string{}
		for p := range ports {
			unmoved[fmt.Sprintf("in_%d_valid", p)] = "words come in every cycle; an empty FIFO shows at filled"
			unmoved[fmt.Sprintf("out_%d_valid", p)] = "words go out in every cycle"
		}
		return vectors.Unit{
			Name:  "shoal/circuit_switch",
			Valid: vectors.ValidEach("out", ports),
			Doc:   fmt.Sprintf("crossbar of a %d-port circuit switch with its schedule: %s", ports, kind),
			Ref:   "Shoal §4.1, Fig. 6",
			Bugs: []vectors.Bug{{Kind: "slots of thirteen cycles", Field: "out_.*",
				Edits: []string{"up_cycle + 12'd1 >= CYCLES", "up_cycle >= CYCLES"}}},
			Latency: 1, Clock: XGMIIClock, Unmoved: unmoved, RTL: circuitSwitchRTL(x()),
			Build: func(b *vectors.Bench) rtl.Module { return driveSwitch(b, x()) },
		}, nil
	})
}

// driveSwitch drives words among which the bootstrap word comes once each way, and others of its kind seldom.
func driveSwitch(b *vectors.Bench, x *CircuitSwitch) rtl.Module {
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
				w = BootstrapWord()
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
}

// nodesParam is the size of the rack.
func nodesParam(nodes uint64) vectors.Param {
	return vectors.Param{Name: "nodes", Default: nodes, Min: 2, Max: nodes, Help: "nodes of the rack", RTL: "NODES"}
}

func releaseLogicUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{
		nodesParam(ReleaseNodes),
		{
			Name: "ages", Default: ReleaseAges, Max: ReleaseAges,
			Help: "epochs of a flow in which 2^age bounds the queue; 0: never", RTL: "AGES",
		},
	}, func(p vectors.Settings) (vectors.Unit, error) {
		return vectors.Unit{
			Name:  "shoal/release_logic",
			Valid: map[string]string{"eligible": "eligible_valid"},
			Doc:   fmt.Sprintf("feedback matrix of %d nodes with Equation 2 and the 2^age rule", p.Int("nodes")),
			Ref:   "Shoal §3.3.2, §3.3.3, §4.2",
			Bugs: []vectors.Bug{{Kind: "a drain too many", Field: "eligible_flows",
				Edits: []string{"{14'd0, feedback_drains} - 16'd1", "{14'd0, feedback_drains}"}}},
			Latency: 1, Clock: XGMIIClock,
			Build: func(b *vectors.Bench) rtl.Module {
				l, err := NewReleaseLogic(p.Int("nodes"), p.Int("ages"))
				if err != nil {
					panic(err) // the parameters are within its bounds
				}
				return driveReleaseLogic(b, l)
			},
		}, nil
	})
}

func cellSchedulerUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{nodesParam(ReleaseNodes)}, func(p vectors.Settings) (vectors.Unit, error) {
		nodes := p.Int("nodes")
		return vectors.Unit{
			Name:  "shoal/cell_scheduler",
			Valid: map[string]string{"out": "out_valid"},
			Doc:   fmt.Sprintf("ready queue of one neighbour, %d local flows", nodes), Ref: "Shoal §3.3.3, §4.2",
			Bugs: []vectors.Bug{{Kind: "two local cells in Q", Field: "(out_.*|ready)",
				Edits: []string{"&& !busy && !held", "&& !busy"}}},
			Latency: 1, Clock: XGMIIClock,
			Unmoved: map[string]string{fmt.Sprintf("ready[7:%d]", bits.Len(uint(nodes))): "no more flows"},
			Build: func(b *vectors.Bench) rtl.Module {
				s, err := NewCellScheduler(nodes)
				if err != nil {
					panic(err) // the parameters are within its bounds
				}
				rng := b.Rand()
				vectors.Drive(b, &s.In, func(uint64) Eligible {
					e := Eligible{Flows: uint8(rng.Uint32()), Row: uint8(rng.IntN(8)), Valid: rng.IntN(6) == 0}
					if rng.IntN(2) == 0 {
						few, fewer := uint8(rng.Uint32()), uint8(rng.Uint32())
						e.Flows &= few & fewer
					}
					return e
				})
				cells := b.Rand()
				vectors.Drive(b, &s.Unsent, func(uint64) uint8 { return uint8(cells.Uint32() | cells.Uint32()) })
				busy := b.Rand()
				vectors.Drive(b, &s.Busy, func(uint64) bool { return busy.IntN(3) == 0 })
				return s
			},
		}, nil
	})
}

func timeCounterUnit() vectors.Unit {
	return vectors.Parametric([]vectors.Param{nodesParam(timeNodes)}, func(p vectors.Settings) (vectors.Unit, error) {
		nodes := p.Int("nodes")
		unmoved := map[string]string{"known": "what is known stays known"}
		unmoved[fmt.Sprintf("total[31:%d]", bits.Len(uint(nodes*(1<<15-1))))] = fmt.Sprintf(
			"%d delays of less than 2^15", nodes,
		)
		return vectors.Unit{
			Name:  "shoal/time_counter",
			Valid: map[string]string{"seen": "seen_valid"},
			Doc:   fmt.Sprintf("counter of a DTP port with the delays to up to %d nodes", nodes),
			Ref:   "Shoal §3.4; DTP (SIGCOMM 2016), Algorithm 1",
			Bugs: []vectors.Bug{{Kind: "both ways for one", Field: "(count|total|seen_.*)",
				Edits: []string{"<= {1'b0, both[15:1]}", "<= both"}}},
			Latency: 1, Clock: XGMIIClock, Unmoved: unmoved,
			Build: func(b *vectors.Bench) rtl.Module {
				c, err := NewTimeCounter(nodes)
				if err != nil {
					panic(err) // the parameters are within its bounds
				}
				return driveTimeCounter(b, c)
			},
		}, nil
	})
}

// driveTimeCounter drives probes that left about 244 cycles ago by the cycle's number, which the counter has in its low
// bits, so that it is early and late about as often.
func driveTimeCounter(b *vectors.Bench, c *TimeCounter) rtl.Module {
	h := b.Rand()
	vectors.Drive(b, &c.Heard, func(cycle uint64) TimeHeard {
		t := TimeHeard{
			Count: uint32(cycle-240-uint64(h.IntN(8))) & timeCountMask, Value: uint16(240 + h.IntN(8)),
			From: uint8(h.IntN(timeNodes)), Valid: h.IntN(3) > 0,
		}
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

// driveReleaseLogic drives feedback and queries whose epochs advance together, so that Equation 2 is met and not met
// about as often.
func driveReleaseLogic(b *vectors.Bench, l *ReleaseLogic) rtl.Module {
	epoch := func(rng *rand.Rand) func(cycle uint64) uint16 {
		return func(cycle uint64) uint16 { return uint16(cycle*5) + uint16(rng.IntN(3))<<6 }
	}
	lengths := func(rng *rand.Rand) uint16 { return uint16(rng.IntN(1<<rng.IntN(12))) & feedbackMask }
	f := b.Rand()
	fe := epoch(f)
	vectors.Drive(b, &l.Feedback, func(cycle uint64) FeedbackWrite {
		w := FeedbackWrite{
			Row: uint8(f.IntN(8)), Dest: uint8(f.IntN(8)), Length: lengths(f), Epoch: fe(cycle), Drains: uint8(f.IntN(3)),
			Valid: f.IntN(2) == 0,
		}
		if f.IntN(8) == 0 {
			w.Length = FeedbackMax + uint16(f.IntN(4))
		}
		return w
	})
	q := b.Rand()
	qe := epoch(q)
	vectors.Drive(b, &l.Query, func(cycle uint64) ReleaseQuery {
		return ReleaseQuery{
			Row: uint8(q.IntN(8)), Length: lengths(q), Epoch: qe(cycle), Unsent: uint8(q.Uint32()), Valid: q.IntN(8) > 0,
		}
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

package study

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"

	"github.com/goldwire/goldwire/designs/shoal"
)

// switchClaims are of the reconfiguration of a circuit switch (§4.1).
func switchClaims() []claims.Claim {
	const source = paper + "§4.1"
	const note = "A leaf and a spine of the prototype's rack of 8 nodes, a numbered word in every cycle at every port: " +
		"from the last word by the old circuit to the first by the new, the longest of all ports and slots. All ports of a " +
		"direction change at the same edge, or the measurement fails."
	return []claims.Claim{
		{ID: "shoal/4.1/reconfiguration/cycles", Source: source, Printed: "one clock cycle",
			Text:  "A circuit switch changes its circuits in one clock cycle.",
			Judge: claims.Exactly("1", "cycles"), Expect: claims.Holds, Note: note,
			Measure: reconfigured(shoal.XGMIIClock, func(cycles int64, _ *big.Rat) *big.Rat {
				return new(big.Rat).SetInt64(cycles)
			}, "cycles")},
		{ID: "shoal/4.1/reconfiguration/10g", Source: source, Printed: "6.4 ns",
			Text:  "That is 6.4 ns with the 156.25 MHz of XGMII.",
			Judge: claims.Exactly("6.4", "ns"), Expect: claims.Holds, Note: note,
			Measure: reconfigured(shoal.XGMIIClock, inNanoseconds, "ns")},
		{ID: "shoal/4.1/reconfiguration/50g", Source: source, Printed: "2.5 ns",
			Text: "And 2.5 ns with the 390.625 MHz of LGMII.",
			Judge: claims.Within(
				"2.5", "0.05", "ns",
			), Expect: claims.Deviates, Recorded: claims.Exactly("2.56", "ns"), Note: note,
			Reason:  "A cycle of the printed 390.625 MHz is 2.56 ns; the printed figure is cut off, not rounded.",
			Measure: reconfigured(clock.MHz(390.625), inNanoseconds, "ns")},
	}
}

func inNanoseconds(cycles int64, period *big.Rat) *big.Rat {
	return period.Mul(period, new(big.Rat).SetInt64(cycles))
}

// numbered drives a word a cycle, with its port in the upper half: the bootstrap signal in the third.
type numbered struct {
	Out    rtl.Out[pcs.XGMII]
	Filled rtl.Out[bool]

	port, cycle uint64
}

// Reset sets an idle word.
func (x *numbered) Reset() {
	x.cycle = 0
	x.Out.Set(pcs.IdleWord())
	x.Filled.Set(true)
}

// Tick sends the next word.
func (x *numbered) Tick() {
	x.cycle++
	w := pcs.XGMII{Data: (x.port+1)<<32 | x.cycle, Valid: true}
	if x.cycle == 3 {
		w = shoal.BootstrapWord()
	}
	x.Out.Set(w)
	x.Filled.Set(true)
}

// switchSlot is how many cycles a slot has (§6.1).
const switchSlot = 12

// reconfigured measures how long switches are between two circuits.
func reconfigured(freq clock.Freq, as func(cycles int64, period *big.Rat) *big.Rat, unit string) measure {
	return func(ctx context.Context, _ *claims.Run) (claims.Measurement, error) {
		s, err := shoal.Cyclic(8, 1)
		if err != nil {
			return claims.Measurement{}, err
		}
		c, err := shoal.Decompose(s, 4)
		if err != nil {
			return claims.Measurement{}, err
		}
		most, changes := int64(0), 0
		var period *big.Rat
		for _, sw := range []int{0, c.Leaves} {
			sim := rtl.New(rtl.Config{})
			clk := sim.Clock("clk", freq)
			period = clk.Freq().Period().In(clock.Nanosecond)
			x := shoal.NewCircuitSwitch(c, sw, 0, switchSlot)
			driveNumbered(sim.Scope("top").On(clk), x)
			if err := sim.Elaborate(); err != nil {
				return claims.Measurement{}, err
			}
			w := &switchWatch{ports: make([]watchedPort, len(x.Out))}
			for range 3 * s.Epoch() * switchSlot {
				if err := clk.Run(1); err != nil {
					return claims.Measurement{}, err
				}
				w.edge++
				for e := range x.Out {
					w.see(e, x.Out[e].Get())
				}
			}
			low := 0 // ports to nodes are a direction of their own
			if sw < c.Leaves {
				low = c.Spines
			}
			n, gap, err := w.result(low)
			if err != nil {
				return claims.Measurement{}, err
			}
			most, changes = max(most, gap), changes+n
		}
		return claims.Exact(as(most, period), unit, "the longest of %d changes of a port's circuit", changes), nil
	}
}

// driveNumbered connects each port of a switch with a driver of its own.
func driveNumbered(scope *rtl.Scope, x *shoal.CircuitSwitch) {
	scope.Add("switch", x)
	for p := range x.In {
		n := &numbered{port: uint64(p)}
		scope.Add(fmt.Sprintf("in%d", p), n)
		rtl.Connect(&n.Out, &x.In[p])
		rtl.Connect(&n.Filled, &x.Filled[p])
	}
}

// switchWatch sees from which ingress each egress has its words.
type switchWatch struct {
	edge  int64
	ports []watchedPort
}

type watchedPort struct {
	from    uint64 // ingress and 1; 0: no word yet
	last    int64  // edge of its last word
	longest int64  // from the last word by a circuit to the first by the next
	changes []int64
}

// see takes the word at an egress.
func (w *switchWatch) see(egress int, word pcs.XGMII) {
	from, p := word.Data>>32, &w.ports[egress]
	if word.Ctrl != 0 || !word.Valid {
		return
	}
	if p.from != 0 && from != p.from {
		p.longest = max(p.longest, w.edge-p.last)
		p.changes = append(p.changes, w.edge)
	}
	p.from, p.last = from, w.edge
}

// result is the number of changes and the longest one. Ports below low and those from there on are a direction each,
// whose circuits change at the same edge of a slot.
func (w *switchWatch) result(low int) (changes int, longest int64, err error) {
	phase := [2]int64{-1, -1}
	for e := range w.ports {
		p, direction := &w.ports[e], 0
		if e >= low {
			direction = 1
		}
		changes, longest = changes+len(p.changes), max(longest, p.longest)
		for _, at := range p.changes {
			if at %= switchSlot; phase[direction] < 0 {
				phase[direction] = at
			} else if at != phase[direction] {
				return 0, 0, fmt.Errorf("egress %d changes at cycle %d of a slot, others at %d", e, at, phase[direction])
			}
		}
	}
	if changes == 0 {
		return 0, 0, errors.New("no circuit changed")
	}
	return changes, longest, nil
}

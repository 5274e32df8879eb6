package study

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/workload/journey"

	"github.com/goldwire/goldwire/designs/shoal"
)

// latencyPoint is one measurement.
type latencyPoint struct {
	Wire  clock.Time `flag:"wire" min:"10ns" max:"1us" help:"each of the four links; whole cycles are of 6.4 ns"`
	Bytes int        `flag:"cell" min:"16" max:"4096" unit:"bytes" help:"of a cell, a multiple of 8"`
}

// crossing is when a word passed a place.
type crossing struct {
	Place string
	At    clock.Time
}

// latencyResult says when a word passed each place of the prototype.
type latencyResult struct {
	Places []crossing
	Tx     int // cycles of the NIC from its decision to the MAC's input
	Rx     int // cycles from the MAC's verdict to the NIC's memory
	Slot   int // cycles between the first words of two cells of a node
	Epoch  int // cycles between two cells of a node to the same neighbour
}

// Cycles returns the time between two places in cycles of 6.4 ns.
func (r *latencyResult) Cycles(from, to string) (*big.Rat, error) {
	var a, b *clock.Time
	for i := range r.Places {
		if r.Places[i].Place == from {
			a = &r.Places[i].At
		}
		if r.Places[i].Place == to {
			b = &r.Places[i].At
		}
	}
	if a == nil || b == nil {
		return nil, fmt.Errorf("the word was not seen at %s and %s", from, to)
	}
	return b.Sub(*a).In(shoal.XGMIIClock.Period()), nil
}

// Places that a word passes.
const (
	placeMAC      = "sending MAC"
	placeLeafIn   = "leaf, ingress line"
	placeLeafOut  = "leaf, egress line"
	placeSpineIn  = "spine, ingress line"
	placeSpineOut = "spine, egress line"
	placeDownIn   = "leaf again, ingress line"
	placeDownOut  = "leaf again, egress line"
	placeNode     = "receiving node, line"
	placeArrived  = "receiving MAC"
	placeHost     = "in the NIC's memory"
)

// tap is a register that is read in both racks, of which one carries another word than the other.
type tap struct {
	name string
	at   func() (uint64, bool) // of a rack's register: its value
}

// runLatency runs two racks side by side. Their only difference is one bit of one payload word, which node 0 sends to
// node 5. The cycle in which a register first differs between them is the cycle in which the word is there. No counter
// and no constant takes part.
func runLatency(ctx context.Context, run *experiment.Run, q latencyPoint) (latencyResult, error) {
	var racks [2]*shoal.Prototype
	var taps [2][]tap
	s, err := shoal.Cyclic(8, 1)
	if err != nil {
		return latencyResult{}, err
	}
	const from, to = 0, 5
	for k := range racks {
		p, err := shoal.NewPrototype(shoal.PrototypeConfig{Schedule: s, CellBytes: q.Bytes, Wire: q.Wire, Log: true})
		if err != nil {
			return latencyResult{}, err
		}
		if k == 0 { // the other one differs by a bit of its data
			if err := run.Watch(p.Sim, p.Clock, nil); err != nil {
				return latencyResult{}, err
			}
		}
		rng := rand.New(rand.NewPCG(1, 1))
		data := make([]uint64, q.Bytes/8-1)
		for i := range data {
			data[i] = rng.Uint64()
		}
		data[0] ^= uint64(k) // the word after the header
		// so that the first cell goes straight to its destination
		if err := p.Clock.Run(p.Start + uint64((to-from-1)*p.Slot)); err != nil {
			return latencyResult{}, err
		}
		if err := p.NICs[from].Send(to, data); err != nil {
			return latencyResult{}, err
		}
		racks[k], taps[k] = p, tapsOf(p, from, to)
	}
	var res latencyResult
	seen := make(map[string]bool)
	for range 4 * 1000 {
		if err := ctx.Err(); err != nil {
			return res, err
		}
		for _, p := range racks {
			if err := p.Sim.Step(); err != nil {
				return res, err
			}
		}
		now := prototypeTime(racks[0])
		for i := range taps[0] {
			a, okA := taps[0][i].at()
			b, okB := taps[1][i].at()
			if name := taps[0][i].name; !seen[name] && okA && okB && a != b {
				seen[name] = true
				res.Places = append(res.Places, crossing{name, now})
			}
		}
		if len(seen) == len(taps[0]) {
			break
		}
	}
	if len(seen) != len(taps[0]) {
		return res, fmt.Errorf("the word passed %d of %d places", len(seen), len(taps[0]))
	}
	run.Journeys.Describe(
		fmt.Sprintf("Shoal: a word from node %d to node %d of the prototype", from, to), shoal.XGMIIClock.Period(),
	)
	run.Journeys.Add(res.way(fmt.Sprintf("word of a cell of %d bytes", q.Bytes)))
	return res, res.countSlots(racks[0], from)
}

// legOf says what a word is in before it is seen at a place.
var legOf = map[string]string{
	placeLeafIn: "node's PHY and wire", placeLeafOut: "leaf", placeSpineIn: "wire", placeSpineOut: "spine",
	placeDownIn: "wire", placeDownOut: "leaf",
	placeNode: "wire", placeArrived: "node's PHY and MAC", placeHost: "NIC",
}

// way is the word's way, to be drawn: a stage ends where the word was seen.
func (r *latencyResult) way(name string) journey.Journey {
	j := journey.Journey{Name: name}
	for i, c := range r.Places[1:] {
		j.Stages = append(
			j.Stages, journey.Stage{Place: legOf[c.Place], What: "to " + c.Place, From: r.Places[i].At, To: c.At},
		)
	}
	return j
}

// countSlots watches a node: its decisions, the first words of its cells, the verdicts on arriving cells, and its
// memory. The cycle of a decision is the first cycle that it takes.
func (r *latencyResult) countSlots(p *shoal.Prototype, node int) error {
	var starts []uint64
	nic := p.NICs[node]
	decisions, taken := len(nic.Log), nic.Taken
	var decided, checked uint64
	for len(starts) < 2*p.NICs[node].Node.Times.Epoch+1 {
		if err := p.Clock.Run(1); err != nil {
			return err
		}
		now := p.Clock.Cycle()
		if len(nic.Log) > decisions {
			decisions, decided = len(nic.Log), now
		}
		if nic.Out.Get().First {
			starts = append(starts, now)
			if decided > 0 {
				r.Tx = int(now - decided + 1)
			}
		}
		if p.MACs[node].Check.Get().Valid {
			checked, taken = now, nic.Taken
		}
		if nic.Taken > taken && checked > 0 {
			r.Rx, taken = int(now-checked), nic.Taken
		}
	}
	r.Slot = int(starts[1] - starts[0])
	r.Epoch = int(starts[p.NICs[node].Node.Times.Epoch] - starts[0])
	for i := 1; i < len(starts); i++ {
		if int(starts[i]-starts[i-1]) != r.Slot {
			return fmt.Errorf("slots of %d and of %d cycles", r.Slot, starts[i]-starts[i-1])
		}
	}
	return nil
}

// prototypeTime is the time of the latest edge of any clock.
func prototypeTime(p *shoal.Prototype) clock.Time {
	latest := clock.Time{}
	for _, c := range p.Sim.Clocks() {
		if t := c.Time(); c.Cycle() > 0 && t.Cmp(latest) > 0 {
			latest = t
		}
	}
	return latest
}

// tapsOf are the places on the way from one node to another, by the spine of the slot in which they are connected.
func tapsOf(p *shoal.Prototype, from, to int) []tap {
	c := p.Clos
	row := p.NICs[from].Node.RowTo(to)
	spine, a, b := c.Spine(row, from), from/c.Spines, to/c.Spines
	word := func(o *rtl.Out[shoal.CellWord]) func() (uint64, bool) {
		return func() (uint64, bool) { w := o.Get(); return w.Data, w.Valid }
	}
	line := func(name string, out bool) func() (uint64, bool) {
		w := p.Wires[name]
		if out {
			return func() (uint64, bool) { return w.Out.Get().Payload, true }
		}
		return func() (uint64, bool) { return p.Egress[name].Out.Get().Payload, true }
	}
	up, down := fmt.Sprintf("leaf_%d_up_%d", a, spine), fmt.Sprintf("leaf_%d_down_%d", b, spine)
	first, last := fmt.Sprintf("node_%d_up", from), fmt.Sprintf("node_%d_down", to)
	at := func() (uint64, bool) {
		if w := p.NICs[to].Arrived[from]; len(w) > 0 {
			return w[0], true
		}
		return 0, false
	}
	return []tap{
		{placeMAC, word(&p.NICs[from].Out)},
		{placeLeafIn, line(first, true)}, {placeLeafOut, line(up, false)},
		{placeSpineIn, line(up, true)}, {placeSpineOut, line(down, false)},
		{placeDownIn, line(down, true)}, {placeDownOut, line(last, false)},
		{placeNode, line(last, true)}, {placeArrived, word(&p.MACs[to].Out)}, {placeHost, at},
	}
}

// latency measures a word's way through the prototype.
var latency = experiment.Define(experiment.Spec[latencyPoint, latencyPoint, latencyResult]{
	Name: "latency", Waves: true, Journeys: true, Short: "A word's way through the bit-level prototype, place by place",
	Source: "Shoal §4.1, §6.2",
	Long: "Eight nodes and six switches, bit by bit. Two racks run side by side that differ in one bit of one word; " +
		"where a register first differs, the word is.",
	Defaults: latencyPoint{Wire: clock.Nanosecond.Times(10), Bytes: shoal.CellBytes},
	Check: func(p *latencyPoint) error {
		if p.Bytes%8 != 0 {
			return fmt.Errorf("--cell %d, want a multiple of 8", p.Bytes)
		}
		return nil
	},
	Run: runLatency,
	Report: func(p *latencyPoint, done []experiment.Result[latencyPoint, latencyResult]) (*experiment.Report, error) {
		r := &experiment.Report{}
		t := &experiment.Table{Name: "places", Columns: experiment.Columns("Place", "", "After cycles", "%.4f", "ns", "%.2f")}
		v := done[0].Value
		for _, c := range v.Places {
			n, err := v.Cycles(placeMAC, c.Place)
			if err != nil {
				return nil, err
			}
			f, _ := n.Float64()
			t.Row(c.Place, f, f*shoal.CycleNs)
		}
		r.Table(t)
		r.Linef("The NIC takes %d cycles to transmit and %d to receive.", v.Tx, v.Rx)
		r.Linef("A slot is %d cycles, an epoch %d.", v.Slot, v.Epoch)
		return r, nil
	},
})

package rtl

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/goldwire/goldwire/internal/engine"
	"github.com/goldwire/goldwire/rtl/layout"
)

// SignalKind tells registers from wires and probes.
type SignalKind int

// The kinds of signal.
const (
	Register      SignalKind = iota // an Out: changes at its clock's rising edge
	Combinational                   // a Wire: settles after the edge
	Probe                           // a private field with a bits tag
	Constant                        // the source of tied inputs: of no module and no clock, without a name, see Inputs
)

// Signal is something that can be traced.
type Signal struct {
	Path   string // "tx.scrambler.out"
	Module string // "tx.scrambler"
	Name   string // "out"
	Kind   SignalKind
	Clock  *Clock
	Leaves []layout.Leaf

	p      unsafe.Pointer // the settled value
	output *engine.Output // nil if it is none
}

// Value returns the settled value of a leaf.
func (s *Signal) Value(leaf int) uint64 { return s.Leaves[leaf].Load(s.p) }

// Tap returns where the settled value of a leaf lies.
func (s *Signal) Tap(leaf int) layout.Tap { return s.Leaves[leaf].Tap(s.p) }

// Signals returns all outputs, wires and probes, in the order in which their modules were added. Elaborate comes first.
func (s *Sim) Signals() []*Signal { return s.signals }

// InputInfo is an input of a module. It has no value of its own: it reads its source, whose leaves are the input's too.
type InputInfo struct {
	Path   string  // "tx.scrambler.in"
	Module string  // "tx.scrambler"
	Name   string  // "in"
	Source *Signal // an output or a wire, or a constant
}

// Inputs returns the inputs of all modules, in the order in which their modules were added. Elaborate comes first. An
// Async that jitter may hold back is left out: it reads its source's value now, or the one before.
func (s *Sim) Inputs() []InputInfo {
	var list []InputInfo
	signals := make(map[*engine.Output]*Signal, len(s.signals))
	for _, sig := range s.signals {
		signals[sig.output] = sig
	}
	constants := map[unsafe.Pointer]*Signal{} // one Tie may go to several inputs
	for _, n := range s.nodes {
		for _, in := range n.Ins {
			i := InputInfo{Path: in.Path(), Module: n.Path, Name: in.Name, Source: signals[in.From]}
			switch {
			case in.From == nil:
				if constants[in.Constant] == nil {
					constants[in.Constant] = &Signal{Kind: Constant, Leaves: s.layouts[in.Kind.Type()], p: in.Constant}
				}
				i.Source = constants[in.Constant]
			case s.cfg.Jitter && s.cfg.Mode == Strict && in.IsAsync:
				continue
			}
			list = append(list, i)
		}
	}
	return list
}

// Edges are the clocks that had an edge at one instant, by their index and in ascending order. They are overwritten at
// the next instant.
type Edges []int

// Has tells whether the clock had an edge.
func (e Edges) Has(c *Clock) bool {
	return slices.Contains(e, c.index) // mostly one or two
}

// Observer is called after each instant, when all registers have their new values and all wires have settled.
type Observer interface{ Observe(Edges) }

// Observe adds an observer of the whole design, which is run in lockstep then.
func (s *Sim) Observe(o Observer) { s.engine.Observe(observer{o}) }

// observer is an Observer as the engine calls it.
type observer struct{ Observer }

func (o observer) Observe(edges []int) { o.Observer.Observe(edges) }

// Watch adds an observer that looks at nothing but these modules of an elaborated simulation, and at its own state. It
// is called after each instant at which a clock of theirs has an edge. If they are of one island, the island may run
// ahead of the others: clocks, other modules and other observers are not at the same instant then, and may be used by
// another goroutine meanwhile. In parallel mode the observer is called by one goroutine after another, so its own state
// needs no lock. Modules of several islands force lockstep, as Observe does.
func (s *Sim) Watch(o Observer, modules ...Module) {
	s.mustBe(running, "Watch")
	if s.byModule == nil {
		s.byModule = map[Module]*node{}
		for _, n := range s.nodes {
			s.byModule[n.Module] = n
		}
	}
	var nodes []*engine.Node
	for _, m := range modules {
		n := s.byModule[m]
		if n == nil {
			panic(fmt.Sprintf("rtl: Watch of a %T that is not in the simulation", m))
		}
		nodes = append(nodes, &n.Node)
	}
	s.engine.Watch(observer{o}, nodes)
}

// Unobserve takes an observer away, between runs.
func (s *Sim) Unobserve(o Observer) { s.engine.Unobserve(observer{o}) }

// TraceHash is an observer that condenses every value of every output and wire at every instant into 64 bits, so that
// two runs can be compared bit for bit without keeping their traces. Probes are left out: a module's outputs count.
type TraceHash struct {
	signals []*Signal
	clocks  int
	sum     uint64
}

// NewTraceHash hashes an elaborated simulation from now on.
func NewTraceHash(s *Sim) *TraceHash {
	h := &TraceHash{clocks: len(s.clocks)}
	for _, sig := range s.signals {
		if sig.Kind != Probe {
			h.signals = append(h.signals, sig)
		}
	}
	s.Observe(h)
	return h
}

// Observe takes the values of one instant.
func (h *TraceHash) Observe(edges Edges) {
	// FNV-1a's prime over 64-bit words, with a shift so that high bits reach low ones
	const prime = 0x100000001b3
	sum := h.sum
	for first := 0; first < h.clocks; first += 64 { // the edges as words of 64 bits, clock i as bit i
		var word uint64
		for _, c := range edges {
			if c >= first && c < first+64 {
				word |= 1 << (c - first)
			}
		}
		sum = (sum ^ word) * prime
	}
	for _, s := range h.signals {
		for i := range s.Leaves {
			sum = (sum ^ s.Leaves[i].Load(s.p)) * prime
			sum ^= sum >> 29
		}
	}
	h.sum = sum
}

// Sum returns the hash of all values observed so far.
func (h *TraceHash) Sum() uint64 { return h.sum }

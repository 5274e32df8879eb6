package rtl

import (
	"fmt"
	"slices"
	"unsafe"

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

	p    unsafe.Pointer // the settled value
	next unsafe.Pointer // of a register, its value to come
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
	constants := map[tied]*Signal{} // one Tie may go to several inputs
	for _, n := range s.nodes {
		for _, in := range n.ins {
			i := InputInfo{Path: in.path(), Module: n.path, Name: in.name}
			switch src := in.src.(type) {
			case *outPort:
				if s.strict != nil && s.cfg.Jitter && in.port.async() {
					continue
				}
				i.Source = src.signal
			case *wirePort:
				i.Source = src.signal
			case tied:
				if constants[src] == nil {
					constants[src] = &Signal{Kind: Constant, Leaves: s.layouts[in.port.elem()], p: src.cell()}
				}
				i.Source = constants[src]
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
func (s *Sim) Observe(o Observer) { s.addWatcher(watcher{Observer: o}) }

// Watch adds an observer that looks at nothing but these modules of an elaborated simulation, and at its own state. It
// is called after each instant at which a clock of theirs has an edge. If they are of one island, the island may run
// ahead of the others: clocks, other modules and other observers are not at the same instant then, and may be used by
// another goroutine meanwhile. In parallel mode the observer is called by one goroutine after another, so its own state
// needs no lock. Modules of several islands force lockstep, as Observe does.
func (s *Sim) Watch(o Observer, modules ...Module) {
	s.mustBe(running, "Watch")
	w := watcher{Observer: o, clocks: []int{}}
	if s.byModule == nil {
		s.byModule = map[Module]*node{}
		for _, n := range s.nodes {
			s.byModule[n.module] = n
		}
	}
	for _, m := range modules {
		n := s.byModule[m]
		if n == nil {
			panic(fmt.Sprintf("rtl: Watch of a %T that is not in the simulation", m))
		}
		if w.part == nil && len(w.clocks) == 0 {
			w.part = n.shard.part
		} else if w.part != n.shard.part {
			w.part = nil
		}
		if !slices.Contains(w.clocks, n.clock.index) {
			w.clocks = append(w.clocks, n.clock.index)
		}
	}
	s.addWatcher(w)
}

func (s *Sim) addWatcher(w watcher) {
	s.observers = append(s.observers, w)
	s.planned = false // the islands' tables are made anew
}

// watcher is an observer and its modules.
type watcher struct {
	Observer
	part   *part // nil if it looks at several, or all
	clocks []int // nil for all
}

// due tells whether the observer is called after an instant.
func (w *watcher) due(edges []int) bool {
	return w.clocks == nil || slices.ContainsFunc(edges, func(c int) bool { return slices.Contains(w.clocks, c) })
}

// Unobserve takes an observer away, between runs.
func (s *Sim) Unobserve(o Observer) {
	s.observers = slices.DeleteFunc(s.observers, func(w watcher) bool { return w.Observer == o })
	s.planned = false
}

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

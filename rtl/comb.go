package rtl

import (
	"slices"
	"strings"

	"github.com/goldwire/goldwire/layout"
)

// orderCombs returns the order in which to call the Combs so that each wire ends with its settled value. A module whose
// wires lie on both sides of another's is called twice. A circle of wires is a fault that prints the circle.
func (s *Sim) orderCombs() []*node {
	o := combOrder{sim: s, state: map[*wirePort]visit{}, settled: map[*wirePort]int{}, last: map[*node]int{}}
	for _, n := range s.nodes {
		for _, w := range n.wires {
			o.visit(w)
		}
		if n.comber != nil && len(n.wires) == 0 {
			o.calls = append(o.calls, n) // drives nothing, but strict mode can watch it
		}
	}
	return o.calls
}

type visit int

const (
	unseen visit = iota
	open
	closed
)

type combOrder struct {
	sim     *Sim
	state   map[*wirePort]visit
	stack   []*wirePort
	calls   []*node
	settled map[*wirePort]int // the call, counted from 1, after which the wire is settled
	last    map[*node]int     // the latest call of the module
}

func (o *combOrder) visit(w *wirePort) {
	o.state[w] = open
	o.stack = append(o.stack, w)
	after := 0
	for _, in := range o.sim.combInputs(w) {
		dep, ok := in.src.(*wirePort)
		if !ok {
			continue
		}
		switch o.state[dep] {
		case open:
			o.loop(dep)
		case unseen:
			o.visit(dep)
		}
		after = max(after, o.settled[dep])
	}
	if o.last[w.node] <= after {
		o.calls = append(o.calls, w.node)
		o.last[w.node] = len(o.calls)
	}
	o.settled[w] = o.last[w.node]
	o.stack = o.stack[:len(o.stack)-1]
	o.state[w] = closed
}

// loop reports the circle from the wire, which is on the stack, back to it. The circle is turned so that its first path in
// alphabetical order leads.
func (o *combOrder) loop(from *wirePort) {
	var paths []string
	for _, w := range o.stack[slices.Index(o.stack, from):] {
		paths = append(paths, w.path())
	}
	least := slices.Index(paths, slices.Min(paths))
	paths = slices.Concat(paths[least:], paths[:least])
	o.sim.fault(CombLoop, paths[0], "depends on itself: %s → %s", strings.Join(paths, " → "), paths[0])
}

// combInputs returns the inputs that a wire depends on: those of its comb tag, or all of its module.
func (s *Sim) combInputs(w *wirePort) []*inPort {
	if w.comb == nil {
		return w.node.ins
	}
	var list []*inPort
	for _, name := range w.comb {
		if name == "none" && len(w.comb) == 1 {
			return nil
		}
		found := false
		snake := layout.SnakeCase(strings.TrimSpace(name))
		for _, in := range w.node.ins {
			if in.name == snake || strings.HasPrefix(in.name, snake+"_") { // an array of ports goes by its field's name
				list, found = append(list, in), true
			}
		}
		if !found {
			s.fault(BadTag, w.path(), "has %q in its comb tag, which is no input of the module", name)
		}
	}
	return list
}

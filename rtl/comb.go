package rtl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/internal/graph"
	"github.com/goldwire/goldwire/rtl/layout"
)

// orderCombs returns the order in which to call the Combs so that each wire ends with its settled value. A module whose
// wires lie on both sides of another's is called twice. A circle of wires is a fault that prints the circle.
func (s *Sim) orderCombs() []*node {
	var wires []*wirePort
	var calls []*node
	for _, n := range s.nodes {
		wires = append(wires, n.wires...)
		if n.comber != nil && len(n.wires) == 0 {
			calls = append(calls, n) // drives nothing, but strict mode can watch it
		}
	}
	needs := map[*wirePort][]*wirePort{}
	for _, w := range wires {
		for _, in := range s.combInputs(w) {
			if dep, ok := in.src.(*wirePort); ok {
				needs[w] = append(needs[w], dep)
			}
		}
	}
	settled := map[*wirePort]int{} // the call, counted from 1, after which the wire is settled
	last := map[*node]int{}        // the latest call of the module
	for _, w := range graph.Order(wires, func(w *wirePort) []*wirePort { return needs[w] }, s.combLoop) {
		after := 0
		for _, dep := range needs[w] {
			after = max(after, settled[dep])
		}
		if last[w.node] <= after {
			calls = append(calls, w.node)
			last[w.node] = len(calls)
		}
		settled[w] = last[w.node]
	}
	return calls
}

// combLoop reports a circle of wires. It is turned so that its first path in alphabetical order leads.
func (s *Sim) combLoop(circle []*wirePort) {
	var paths []string
	for _, w := range circle {
		paths = append(paths, w.path())
	}
	least := slices.Index(paths, slices.Min(paths))
	paths = slices.Concat(paths[least:], paths[:least])
	detail := fmt.Sprintf("depends on itself: %s → %s", strings.Join(paths, " → "), paths[0])
	for _, w := range circle {
		if w.comb == nil {
			detail += fmt.Sprintf(
				"; %s counts as depending on all inputs of its module: if it does not, a tag on it names those that it does, "+
					"`comb:\"Valid,Data\"`, or none, `comb:\"none\"`",
				w.path(),
			)
			break
		}
	}
	s.fault(CombLoop, paths[0], "%s", detail)
}

// combInputs returns the inputs that a wire depends on: the inputs in its comb tag, or all inputs of its module.
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

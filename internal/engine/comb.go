package engine

import (
	"strings"

	"github.com/goldwire/goldwire/internal/graph"
	"github.com/goldwire/goldwire/rtl/layout"
)

// OrderCombs returns the order in which to call the Combs so that each wire ends with its settled value. A module whose
// wires lie on both sides of another's is called twice. It calls circle with each circle of wires, and unknown with
// each name in a comb tag that is no input.
func OrderCombs(nodes []*Node, circle func([]*Output), unknown func(w *Output, name string)) (calls []*Node) {
	var wires []*Output
	for _, n := range nodes {
		wires = append(wires, n.Wires...)
		if n.Comber != nil && len(n.Wires) == 0 {
			calls = append(calls, n) // drives nothing, but strict mode can watch it
		}
	}
	needs := map[*Output][]*Output{}
	for _, w := range wires {
		for _, in := range w.combInputs(unknown) {
			if in.From != nil && in.From.IsWire {
				needs[w] = append(needs[w], in.From)
			}
		}
	}
	settled := map[*Output]int{} // the call, counted from 1, after which the wire is settled
	last := map[*Node]int{}      // the latest call of the module
	for _, w := range graph.Order(wires, func(w *Output) []*Output { return needs[w] }, circle) {
		after := 0
		for _, dep := range needs[w] {
			after = max(after, settled[dep])
		}
		if last[w.Node] <= after {
			calls = append(calls, w.Node)
			last[w.Node] = len(calls)
		}
		settled[w] = last[w.Node]
	}
	return calls
}

// combInputs returns the inputs that a wire depends on: the inputs in its comb tag, or all inputs of its module.
func (p *Output) combInputs(unknown func(w *Output, name string)) (list []*Input) {
	if p.Comb == nil {
		return p.Node.Ins
	}
	if *p.Comb == "none" {
		return nil
	}
	for name := range strings.SplitSeq(*p.Comb, ",") {
		found := false
		snake := layout.SnakeCase(strings.TrimSpace(name))
		for _, in := range p.Node.Ins {
			if in.Name == snake || strings.HasPrefix(in.Name, snake+"_") { // an array of ports goes by its field's name
				list, found = append(list, in), true
			}
		}
		if !found {
			unknown(p, name)
		}
	}
	return list
}

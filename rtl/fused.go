package rtl

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"github.com/goldwire/goldwire/internal/fusedcode"
	"github.com/goldwire/goldwire/internal/reach"
	"github.com/goldwire/goldwire/rtl/layout"
)

// Generated code can stand in for the modules of an island. It is made of the modules' own source by package fuse, and
// knows the islands that it can run by their shape: see package internal/fuse. Strict mode never uses it, nor does a
// run that somebody observes whole.

// findFused looks for generated code for each part.
func (s *Sim) findFused() {
	if s.cfg.Mode == Strict || s.cfg.Plain || !fusedcode.Any() || len(s.parts) > 1 && s.parts[0].team == nil {
		return
	}
	var text bytes.Buffer // one for all: a large network has megabytes of them
	for _, nodes := range s.byPart() {
		text.Reset()
		s.writeShape(&text, nodes)
		p := nodes[0].shard.part
		p.newDomains = fusedcode.Of(text.Bytes())
	}
}

// makeFused makes the code that was found. All ports are bound.
func (s *Sim) makeFused() {
	s.openPassages(true) // code reads where islands do that run by themselves
	defer s.openPassages(false)
	for _, nodes := range s.byPart() {
		var modules []fusedcode.Module
		for _, n := range nodes {
			modules = append(modules, n.module)
		}
		if p := nodes[0].shard.part; p.newDomains != nil {
			d := p.newDomains(modules)
			if d.Run != nil {
				d.Border(p.crossings())
			}
			p.domains, p.clocks, p.sight = &d, clocksOf(nodes), reach.New(isPort)
		}
		nodes[0].shard.part.border = border{} // nobody else asks
	}
}

// clocksOf returns the clocks of a part in the order in which its shape numbers them.
func clocksOf(nodes []*node) (clocks []int) {
	for _, n := range nodes {
		if !slices.Contains(clocks, n.clock.index) {
			clocks = append(clocks, n.clock.index)
		}
	}
	return clocks
}

// canFuse tells whether generated code can run now. The code does not note which outputs were driven, as checkpoints
// do, so all have to be. What a module calls unseen could look at a register that is set in place, if the module's
// fields lead there.
func (p *part) canFuse() bool {
	p.driven = p.driven || p.allDriven()
	if !p.driven || !p.atRest() {
		return false
	}
	return !slices.ContainsFunc(p.domains.Unseen, func(m fusedcode.Module) bool { return !p.sight.Confined(m) })
}

// allDriven tells whether all outputs have been driven.
func (p *part) allDriven() bool {
	for _, sh := range p.shards {
		for _, n := range sh.nodes {
			if slices.ContainsFunc(n.outs, func(o *outPort) bool { return !o.driven && !*o.port.driven() }) {
				return false
			}
		}
	}
	return true
}

// atRest tells whether no register has been set since the last edge. One that was set between runs changes at the next
// edge, and the code knows one value of a register.
func (p *part) atRest() bool {
	for _, sh := range p.shards {
		if !slices.Equal(sh.slab.cur[sh.lo:sh.hi], sh.slab.next[sh.lo:sh.hi]) {
			return false
		}
	}
	return true
}

// clock returns the index of the first clock that a part has.
func (p *part) clock() int {
	return slices.IndexFunc(p.shards, func(sh *shard) bool { return len(sh.nodes) > 0 })
}

// Shape is an island, or a design that is not cut into any, as generated code goes by it.
type Shape struct {
	// Text has a line a module: its type, its clock if there are several, whether it is a delay ("pipe"), the lengths of
	// its slices of ports, and what each input reads. That is an output of a module by its number from 0, a constant, or
	// something outside. Then it has a line for each delay that takes something out ("leaves"), for each output that
	// another island reads at once ("gives"), and for each call of a Comb, in their order.
	Text    string
	Modules []Module
	Paths   []string
	Rates   []float64 // of its clocks in Hz: code is right at any rates, and orders the clocks' ticks as costs least at these
	Fused   bool      // there is generated code for it, and the simulation uses it
	Ran     bool      // that code has run: see [Clock.Run]
}

// Shapes returns the shapes of an elaborated simulation's islands, in the order of their first modules.
func (s *Sim) Shapes() []Shape {
	s.mustBe(running, "Shapes")
	var shapes []Shape
	for _, nodes := range s.byPart() {
		p := nodes[0].shard.part
		var text bytes.Buffer
		s.writeShape(&text, nodes)
		shape := Shape{Text: text.String(), Fused: p.domains != nil, Ran: p.fusedRan}
		for _, index := range clocksOf(nodes) {
			shape.Rates = append(shape.Rates, s.clocks[index].hz)
		}
		for _, n := range nodes {
			shape.Modules, shape.Paths = append(shape.Modules, n.module), append(shape.Paths, n.path)
		}
		shapes = append(shapes, shape)
	}
	return shapes
}

// writeShape describes a part by its nodes: see [Shape].
func (s *Sim) writeShape(b *bytes.Buffer, nodes []*node) {
	p := nodes[0].shard.part
	place, clocks := map[Module]int{}, clocksOf(nodes)
	for i, n := range nodes {
		place[n.module] = i
	}
	port := func(src any) string {
		var n *node
		var name string
		switch src := src.(type) {
		case *outPort:
			n, name = src.node, src.name
		case *wirePort:
			n, name = src.node, src.name
		case tied:
			if v := reflect.ValueOf(src).Elem().Field(0); v.Type() == reflect.TypeFor[bool]() {
				return fmt.Sprint(v)
			}
			return "constant"
		}
		if i, inside := place[n.module]; inside {
			return fmt.Sprintf("%d.%s", i, name)
		}
		return "outside"
	}
	for _, n := range nodes {
		t := reflect.TypeOf(n.module).Elem()
		fmt.Fprintf(b, "%s.%s", t.PkgPath(), t.Name())
		if len(clocks) > 1 {
			fmt.Fprintf(b, " clock=%d", slices.Index(clocks, n.clock.index))
		}
		if n.delay != nil {
			b.WriteString(" pipe") // of any length: its values are the kernel's
		}
		for f, v := range reflect.ValueOf(n.module).Elem().Fields() {
			if f.Type.Kind() == reflect.Slice && isPort(f.Type.Elem()) {
				fmt.Fprintf(b, " %s[]=%d", layout.SnakeCase(f.Name), v.Len())
			}
		}
		for _, in := range n.ins {
			fmt.Fprintf(b, " %s<%s", in.name, port(in.src))
		}
		b.WriteByte('\n')
	}
	for _, n := range p.leaves {
		fmt.Fprintf(b, "leaves %s\n", port(n.ins[0].src))
	}
	for _, src := range p.gives {
		fmt.Fprintf(b, "gives %s\n", port(src))
	}
	for _, sh := range p.shards {
		for _, c := range sh.combs {
			fmt.Fprintf(b, "comb %d\n", place[c.(Module)])
		}
	}
}

package engine

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"github.com/goldwire/goldwire/internal/edgecalls"
	"github.com/goldwire/goldwire/internal/fusedcode"
	"github.com/goldwire/goldwire/internal/reach"
	"github.com/goldwire/goldwire/rtl/layout"
)

// Generated code can stand in for the modules of an island. It is made of the modules' own source by package fuse, and
// knows the islands that it can run by their shape: see package internal/fuse. Strict mode never uses it, nor does a
// run that somebody observes whole.

// generated is the code of a part.
type generated struct {
	running bool   // for the rest of the run
	driven  bool   // all outputs of the part were driven: see canFuse
	ran     bool   // since elaboration
	runner  runner // nil if there is no code, or its instants do not repeat
	island  *fusedcode.Island
	make    func([]fusedcode.Module) fusedcode.Island // makes island; nil if the program has no code for the shape
	clocks  []int                                     // by number in the shape: the index of a clock
	sight   *reach.Search                             // of the island's plain modules
	border  border
}

// findFused looks for generated code for each part.
func (e *Engine) findFused() {
	if e.cfg.Strict || e.cfg.Plain || !fusedcode.Any() || len(e.parts) > 1 && e.parts[0].team == nil {
		return
	}
	var text bytes.Buffer // one for all: a large network has megabytes of them
	for _, nodes := range e.byPart() {
		text.Reset()
		e.writeShape(&text, nodes)
		p := nodes[0].shard.part
		p.code.make = fusedcode.Of(text.Bytes())
	}
}

// makeFused makes the code that was found. All ports are bound.
func (e *Engine) makeFused() {
	e.openPassages(true) // code reads where islands do that run by themselves
	defer e.openPassages(false)
	for _, nodes := range e.byPart() {
		var modules []fusedcode.Module
		for _, n := range nodes {
			modules = append(modules, n.Module)
		}
		if p := nodes[0].shard.part; p.code.make != nil {
			d := p.code.make(modules)
			if d.Run != nil {
				d.Border(p.crossings())
			}
			p.code.island, p.code.clocks, p.code.sight = &d, clocksOf(nodes), reach.New(e.cfg.IsPort)
		}
		nodes[0].shard.part.code.border = border{} // nobody else asks
	}
}

// clocksOf returns the clocks of a part in the order in which its shape numbers them.
func clocksOf(nodes []*Node) (clocks []int) {
	for _, n := range nodes {
		if !slices.Contains(clocks, n.Clock) {
			clocks = append(clocks, n.Clock)
		}
	}
	return clocks
}

// canFuse tells whether generated code can run now. The code does not note which outputs were driven, as checkpoints
// do, so all have to be. What a module calls unseen could look at a register that is set in place, if the module's
// fields lead there.
func (p *part) canFuse() bool {
	p.code.driven = p.code.driven || p.allDriven()
	if !p.code.driven || !p.atRest() {
		return false
	}
	return !slices.ContainsFunc(p.code.island.Unseen, func(m fusedcode.Module) bool { return !p.code.sight.Confined(m) })
}

// allDriven tells whether all outputs have been driven.
func (p *part) allDriven() bool {
	for _, sh := range p.shards {
		for _, n := range sh.nodes {
			if slices.ContainsFunc(n.Outs, func(o *Output) bool { return !o.WasDriven() }) {
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

// Shapes returns the shapes of the islands, in the order of their first modules.
func (e *Engine) Shapes() (shapes []fusedcode.Shape) {
	for _, nodes := range e.byPart() {
		p := nodes[0].shard.part
		var text bytes.Buffer
		e.writeShape(&text, nodes)
		shape := fusedcode.Shape{Text: text.String(), Fused: p.code.island != nil, Ran: p.code.ran}
		for _, index := range clocksOf(nodes) {
			shape.Rates = append(shape.Rates, e.hz[index])
		}
		for _, n := range nodes {
			shape.Modules, shape.Paths = append(shape.Modules, n.Module), append(shape.Paths, n.Path)
		}
		shapes = append(shapes, shape)
	}
	return shapes
}

// writeShape describes a part by its nodes: see [fusedcode.Shape].
func (e *Engine) writeShape(b *bytes.Buffer, nodes []*Node) {
	p := nodes[0].shard.part
	place, clocks := make(map[edgecalls.Ticker]int, len(nodes)), clocksOf(nodes)
	for i, n := range nodes {
		place[n.Module] = i
	}
	output := func(o *Output) string {
		if i, inside := place[o.Node.Module]; inside {
			return fmt.Sprintf("%d.%s", i, o.Name)
		}
		return "outside"
	}
	source := func(in *Input) string {
		switch {
		case in.From != nil:
			return output(in.From)
		case in.Kind == KindOf[bool]():
			return fmt.Sprint(*(*bool)(in.Constant))
		}
		return "constant"
	}
	for _, n := range nodes {
		t := reflect.TypeOf(n.Module).Elem()
		fmt.Fprintf(b, "%s.%s", t.PkgPath(), t.Name())
		if len(clocks) > 1 {
			fmt.Fprintf(b, " clock=%d", slices.Index(clocks, n.Clock))
		}
		if n.Length != nil {
			b.WriteString(" pipe") // of any length: its values are the kernel's
		}
		for f, v := range reflect.ValueOf(n.Module).Elem().Fields() {
			if f.Type.Kind() == reflect.Slice && e.cfg.IsPort(f.Type.Elem()) {
				fmt.Fprintf(b, " %s[]=%d", layout.SnakeCase(f.Name), v.Len())
			}
		}
		for _, in := range n.Ins {
			fmt.Fprintf(b, " %s<%s", in.Name, source(in))
		}
		b.WriteByte('\n')
	}
	for _, n := range p.leaves {
		fmt.Fprintf(b, "leaves %s\n", source(n.Ins[0]))
	}
	for _, src := range p.gives {
		fmt.Fprintf(b, "gives %s\n", output(src))
	}
	for _, sh := range p.shards {
		for _, c := range sh.combs {
			fmt.Fprintf(b, "comb %d\n", place[c.(edgecalls.Ticker)])
		}
	}
}

package fuse

import (
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/layout"
)

// fused is an island whose code can be written.
type fused struct {
	*graph
	ranks []*box // in the order of their ticks
	src   *source
	home  string
}

func readIsland(src *source, home string, shape rtl.Shape, names packageNames) (*fused, error) {
	g, err := readShape(src, home, shape, false)
	if err != nil {
		return nil, err
	}
	for i, b := range g.boxes {
		if slices.ContainsFunc(g.refused, func(r *Refusal) bool { return r.Module == b.path }) {
			continue
		}
		if b.tick, err = readBody(src, home, b, "Tick"); g.refuse(err) != nil {
			return nil, err
		}
		if slices.Contains(g.combs, i) {
			if b.comb, err = readBody(src, home, b, "Comb"); g.refuse(err) != nil {
				return nil, err
			}
		}
	}
	if len(g.refused) > 0 {
		return nil, g.refused
	}
	if err := g.checkSources(); err != nil {
		return nil, err
	}
	f := &fused{graph: g, src: src, home: home}
	f.rank()
	own := maps.Clone(names)
	if f.checkNames(own); len(g.refused) > 0 {
		return nil, g.refused
	}
	maps.Copy(names, own)
	return f, nil
}

// rank orders the ticks so that a register's readers come before its writer, and finds the registers that need a second variable: those in
// circles, and those that their own module may read after it has set them.
func (f *fused) rank() {
	ranked := map[*box]bool{}
	for len(f.ranks) < len(f.boxes) {
		best, fewest := -1, 0
		for i := len(f.boxes) - 1; i >= 0; i-- { // data mostly goes in the order of adding
			if ranked[f.boxes[i]] {
				continue
			}
			n := len(f.late(i, ranked))
			if best < 0 || n < fewest {
				best, fewest = i, n
			}
		}
		b := f.boxes[best]
		for _, port := range f.late(best, ranked) {
			b.phases[port] = true
		}
		for port, set := range b.tick.sets {
			get := max(b.tick.gets[port], b.tick.reads[f.output(best, port)]) // it may read itself by an input
			if get != token.NoPos && (b.tick.loops || get > set) {
				b.phases[port] = true
			}
		}
		ranked[b] = true
		f.ranks = append(f.ranks, b)
	}
}

// late returns the registers of a box that another one reads whose tick has no rank yet.
func (f *fused) late(box int, ranked map[*box]bool) (ports []string) {
	b := f.boxes[box]
	for _, port := range b.order {
		for i, reader := range f.boxes {
			if b.ports[port] == "Out" && i != box && !ranked[reader] && reader.tick.reads[f.output(box, port)] != token.NoPos {
				ports = append(ports, port)
				break
			}
		}
	}
	return ports
}

// checkNames refuses names that would hide each other.
func (f *fused) checkNames(names packageNames) {
	taken := map[string]bool{}
	for _, b := range f.boxes {
		f.nameTypes(names, f.home, b, b.named)
		for _, x := range b.fields {
			if x.foreign {
				f.nameTypes(names, f.home, b, x.typ)
			}
		}
		for x := range b.bodies() {
			f.nameImports(names, b, x)
			for _, name := range x.imports {
				taken[name] = true
			}
		}
	}
	f.checkVariables(maps.Clone(taken))
	for _, b := range f.boxes {
		taken[b.name] = true
		for _, port := range b.order {
			taken[b.name+port], taken[b.name+port+"Next"] = true, true
		}
		for _, field := range b.fields {
			taken[b.variable(field)] = true
		}
	}
	for _, b := range f.boxes {
		for x := range b.bodies() {
			for local := range x.locals {
				if taken[local] {
					_ = f.refuse(&Refusal{Module: b.path, Reason: "has a local variable " + local + ", which the code needs as a name: rename one of them"})
				}
			}
			for name := range x.outer {
				if taken[name] || name == "f" || name == "n" {
					_ = f.refuse(&Refusal{Module: b.path, Reason: "uses " + name + " of its package, which the code needs as a name: rename one of them"})
				}
			}
		}
	}
}

// checkVariables refuses two variables of one name, or of a name that has been seen: of a package.
func (f *fused) checkVariables(seen map[string]bool) {
	seen["f"], seen["n"], seen["rtl"] = true, true, true
	for _, b := range f.boxes {
		declare := func(name string) {
			if seen[name] {
				_ = f.refuse(&Refusal{Module: b.path, Reason: "needs a variable " + name + ", which is the name of something else in the code"})
			}
			seen[name] = true
		}
		declare(b.name)
		for _, port := range b.order {
			if own := b.ports[port] == "Out" || b.ports[port] == "Wire"; own || b.hears(port) {
				declare(b.name + port)
			}
			if b.phases[port] {
				declare(b.name + port + "Next")
			}
		}
		for _, field := range b.fields {
			declare(b.variable(field))
		}
	}
}

// hears tells whether an input is read.
func (b *box) hears(port string) bool {
	for x := range b.bodies() {
		if x.inputs[port] {
			return true
		}
	}
	return false
}

// bodies passes on the Comb, if there is one, and the Tick.
func (b *box) bodies() func(func(*body) bool) {
	return func(yield func(*body) bool) {
		if b.comb == nil || yield(b.comb) {
			yield(b.tick)
		}
	}
}

// variable is that of a field, or of the pointer to it.
func (b *box) variable(f *field) string {
	if name := title(f.name); b.ports[name] == "" && name != f.name {
		return b.name + name
	}
	return b.name + title(f.name) + "Field" // the module has a port of that name, or may have a field
}

// cached tells whether a field is in a variable during a run.
func (b *box) cached(f *field) bool { return f.cached && !b.memory }

// output is how a shape names an output.
func (f *fused) output(box int, port string) string {
	return strconv.Itoa(box) + "." + layout.SnakeCase(port)
}

// source returns the variable that an input reads.
func (f *fused) source(b *box, from, port string) string {
	if !strings.Contains(from, ".") {
		return b.name + port // a constant
	}
	for i, src := range f.boxes {
		for _, p := range src.order {
			if f.output(i, p) == from {
				return src.name + p
			}
		}
	}
	panic("fuse: " + from + " is no output of the shape")
}

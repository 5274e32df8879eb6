package fuse

import (
	"bytes"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// write writes the twins of the modules' types, the type of the island and its functions.
func (d *domains) write(p *printer, out *bytes.Buffer, name, shape string) error {
	w := func(format string, args ...any) { fmt.Fprintf(out, format, args...) }
	w(
		"\n// %sShape is what the code below runs: modules with what their inputs read, by number, then the order of the "+
			"Combs.\n",
		name,
	)
	w("const %sShape = `%s`\n", name, shape)
	d.classify(p)
	d.gather(p)
	if err := d.layRegisters(p); err != nil {
		return err
	}
	d.layCalls()
	clocks := "several clocks"
	if len(d.order) == 1 {
		clocks = "one clock"
	}
	w("\n// %s is an island of %s. Its modules stand in the order of their ticks.\ntype %s struct {\n", name, clocks, name)
	d.eachGroup(func(_ int, g *group) {
		if g.name != "" {
			w("%s fused.Group[%s] // %s\n", g.name, g.kind.name, g.path)
			return
		}
		for _, b := range g.members {
			w("%s %s // %s\n", b.name, b.class.name, b.path)
		}
		if g.kind.registers != nil {
			w("%s *%s\n", g.variable, g.kind.registers.name)
		}
	})
	for _, b := range d.delays(func(*domainBox) bool { return true }) {
		w("%s fused.Pipe[%s] // %s\n", b.name, p.typeName(b.named.TypeArgs().At(0)), b.path)
	}
	for _, c := range d.crossings() {
		w("%s fused.%s[%s] // %s\n", c.name, c.kind, p.typeName(c.typ), c.path)
	}
	w("}\n\nfunc new%s(m []fused.Module) fused.Island {\nf := &%s{\n", title(name), name)
	d.eachGroup(func(_ int, g *group) {
		if g.name != "" {
			w("%s: fused.Group[%s]{Modules: %s{\n", g.name, g.kind.name, g.kind.name)
		}
		for _, b := range g.members {
			field := b.name
			if g.name != "" {
				field = b.within()
			}
			w("%s: new%s(m[%d].(*%s)),\n", field, title(b.class.name), b.number, p.typeName(b.named))
		}
		if g.kind.registers != nil {
			w("%s: %s,\n", g.variable, g.view())
		}
		if g.name != "" {
			w("}},\n")
		}
	})
	for _, b := range d.delays(func(*domainBox) bool { return true }) {
		w("%s: fused.PipeOf[%s](m[%d]),\n", b.name, p.typeName(b.named.TypeArgs().At(0)), b.number)
	}
	if d.runs() {
		w("}\nreturn fused.Island{\nRun: f.run,\nBorder: f.border,\n")
	} else {
		w("}\nreturn fused.Island{\nDomains: f.domains(),\n")
	}
	if len(d.kept)+len(d.unseen) > 0 {
		w("Unseen: []fused.Module{")
		for _, b := range d.boxes {
			if !b.delay && b.code.opaque() {
				w("m[%d], ", b.number)
			}
		}
		w("},\n")
	}
	w("}\n}\n")
	var err error
	if d.runs() {
		err = d.writeRun(p, w, name)
	} else {
		err = d.writeDomains(w, name)
	}
	if err != nil {
		return err
	}
	written := map[*groupKind]bool{}
	var failed error
	d.eachGroup(func(_ int, g *group) {
		if written[g.kind] || failed != nil {
			return
		}
		written[g.kind] = true
		if g.name != "" {
			failed = g.kind.write(d, w)
		}
		if r := g.kind.registers; r != nil {
			r.write(p, g, w)
		}
	})
	return failed
}

// writeDomains writes the functions of an island that the kernel calls clock by clock.
func (d *domains) writeDomains(w func(string, ...any), name string) error {
	w("\n// domains lists what each clock calls.\nfunc (f *%s) domains() []fused.Domain {\nreturn []fused.Domain{\n", name)
	var functions strings.Builder
	for _, clock := range d.order {
		w("{Clock: %d", clock)
		steps, err := d.steps(clock)
		if err != nil {
			return err
		}
		for _, step := range steps {
			var calls []string
			for i, piece := range step.pieces() {
				if len(piece.groups) > 0 {
					calls = append(calls, piece.call())
					continue
				}
				function := fmt.Sprint(step.name, clock)
				if i > 0 {
					function += fmt.Sprint("Part", i+1)
				}
				calls = append(calls, "fused.Alone(f."+function+"())")
				// function literals: a method as a value would be called by way of another function
				fmt.Fprintf(
					&functions,
					"\n// %s returns what %s. In a longer function Go's compiler would inline nothing into it.\n//\n//go:noinline\n"+
						"func (f *%s) %s() func() {\n%sreturn func() {\n%s}\n}\n",
					function,
					step.what,
					name,
					function,
					piece.head,
					piece.text,
				)
			}
			w(", %s: []fused.Call{%s}", title(step.name), strings.Join(calls, ", "))
		}
		if readers := d.apart(clock); len(readers) > 0 {
			w(
				", InPlace: f.inPlace%d, Readers: []int{%s}", clock,
				strings.ReplaceAll(strings.Trim(fmt.Sprint(readers), "[]"), " ", ", "),
			)
			fmt.Fprintf(
				&functions,
				"\n// inPlace%d makes registers be set in place that are else set aside.\nfunc (f *%s) inPlace%d() {\n",
				clock,
				name,
				clock,
			)
			for _, b := range d.settledLate(clock) {
				for _, port := range b.order {
					if b.aside[port] {
						fmt.Fprintf(&functions, "%s.%sNext = %s.%s\n", b.at(), port, b.at(), port)
					}
				}
			}
			functions.WriteString("}\n")
		}
		w("},\n")
	}
	w("}\n}\n%s", functions.String())
	return nil
}

// classify finds the modules whose code is the same, in all islands of the file.
func (d *domains) classify(p *printer) {
	for _, b := range d.ranks {
		key := types.TypeString(b.named, nil) + fmt.Sprint(b.lengths, b.rows, slices.Sorted(maps.Keys(b.aside)))
		if b.code.refuse != nil {
			key += b.code.refuse.Reason
		}
		if p.classes[key] == nil {
			p.classes[key] = &class{
				of: b, name: p.typeNamed(b.named.Obj().Name()), pointers: map[string]bool{}, called: map[string]bool{},
			}
			p.classOrder = append(p.classOrder, p.classes[key])
		}
		b.class = p.classes[key]
	}
}

// typeNamed returns a name for a type of the file, which no other one has.
func (p *printer) typeNamed(name string) string {
	name = p.prefix() + title(name)
	if p.taken[name]++; p.taken[name] > 1 {
		name += fmt.Sprint("As", p.taken[name])
	}
	return name
}

// step is what a clock does at a time: code of the island, and groups.
type step struct {
	name, what string
	parts      []piece
}

// piece is a call of a group's function, or of several that are alike, or code of the island.
type piece struct {
	groups   []*group
	function string // of the groups: "tick"
	head     string // the work done once, before all edges
	text     string
}

// pieces returns the step's pieces, with the island's own code joined, and groups that are alike.
func (s *step) pieces() (joined []piece) {
	for _, p := range s.parts {
		if n := len(joined); n > 0 {
			last := &joined[n-1]
			if p.kind() == last.kind() && p.function == last.function {
				last.groups = append(last.groups, p.groups...)
				last.head += p.head
				last.text += p.text
				continue
			}
		}
		joined = append(joined, p)
	}
	return joined
}

// kind is the groups' kind, nil if there are none.
func (p piece) kind() *groupKind {
	if len(p.groups) == 0 {
		return nil
	}
	return p.groups[0].kind
}

// call is the call of the groups' function.
func (p piece) call() string {
	of := []string{p.function + title(p.kind().name)}
	for _, g := range p.groups {
		of = append(of, "&f."+g.name)
	}
	return "fused.InTurn(" + strings.Join(of, ", ") + ")"
}

func (s *step) add(format string, args ...any) {
	s.parts = append(s.parts, piece{text: fmt.Sprintf(format, args...)})
}

// steps returns what a clock does: one step for all if there is no other clock, unless its Combs wait for signals that
// the kernel brings from another part of the island after the commit. Code that runs all edges by itself has all steps.
func (d *domains) steps(clock int) ([]step, error) {
	take, tick := step{"take", "lets the delays read", nil}, step{"tick", "ticks modules", nil}
	commit, comb := step{"commit", "gives registers that were set aside their values", nil},
		step{"comb", "settles the wires", nil}
	ours := func(b *domainBox) bool { return b.clock == clock }
	for _, b := range d.delays(ours) {
		if b.ins["in"] == "outside" { // the kernel reads for it, in the other island
			commit.add("f.%s.Arrive()\n", b.name)
			continue
		}
		take.add("f.%s.Take()\n", b.name)
		commit.add("f.%s.Give()\n", b.name)
	}
	for _, g := range d.groups[clock] {
		if g.name != "" {
			tick.parts = append(tick.parts, piece{groups: []*group{g}, function: "tick"})
			continue
		}
		if g.kind.registers != nil {
			tick.parts = append(tick.parts, piece{head: fmt.Sprintf("%s := f.%s\n", g.variable, g.variable)})
		}
		olds := map[string]string{}
		var ticks []string
		for i, b := range g.members {
			text, err := g.tick(i, b.at(), olds)
			if err != nil {
				return nil, err
			}
			ticks = append(ticks, text)
		}
		for _, local := range slices.Sorted(maps.Keys(olds)) {
			tick.add("%s := %s\n", local, olds[local])
		}
		tick.add("%s", strings.Join(ticks, ""))
	}
	late := d.settledLate(clock)
	for _, g := range d.groups[clock] {
		if len(g.kind.commits) > 0 {
			commit.parts = append(commit.parts, piece{groups: []*group{g}, function: "commit"})
		}
		for i, b := range g.members {
			switch {
			case slices.Contains(g.kind.commits, i), g.name == "" && g.local(i):
			case slices.Contains(late, b):
				commit.add("%s\n", b.commit(b.at()))
			case len(b.aside) > 0 && !(g.name != "" && g.settles(d, b)):
				tick.add("%s\n", b.commit(b.at()))
			}
		}
	}
	for _, i := range d.combs {
		switch b := d.boxes[i]; {
		case !ours(b):
		case b.delay:
			comb.add("f.%s.comb()\n", b.name)
		case b.code.refuse != nil:
			comb.add("%s.m.Comb()\n", b.at())
		case b.group != nil && len(b.group.kind.combs) > 0:
			comb.parts = []piece{{groups: []*group{b.group}, function: "comb"}}
		default:
			b.class.called[b.code.comb().methodName()] = true
			comb.add("%s.comb()\n", b.at())
		}
	}
	if d.runs() {
		return []step{take, tick, commit, comb}, nil
	}
	if len(d.order) == 1 && (len(comb.parts) == 0 || !d.takes()) {
		return []step{{"tick", "does all of an edge", slices.Concat(take.parts, tick.parts, commit.parts, comb.parts)}}, nil
	}
	return slices.DeleteFunc([]step{take, tick, commit, comb}, func(s step) bool { return len(s.parts) == 0 }), nil
}

// eachGroup passes on the groups of all clocks.
func (d *domains) eachGroup(do func(clock int, g *group)) {
	for _, clock := range d.order {
		for _, g := range d.groups[clock] {
			do(clock, g)
		}
	}
}

// takes tells whether a module reads another part of the island. A delay that does is the kernel's, which reads for it
// there.
func (d *domains) takes() bool {
	return slices.ContainsFunc(d.boxes, func(b *domainBox) bool {
		return !b.delay && slices.Contains(slices.Collect(maps.Values(b.ins)), "outside")
	})
}

// delays returns the wanted delays of the island.
func (d *domains) delays(wanted func(*domainBox) bool) []*domainBox {
	return slices.DeleteFunc(slices.Clone(d.boxes), func(b *domainBox) bool { return !b.delay || !wanted(b) })
}

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
	w("\n// %sShape is what the code below runs: modules with what their inputs read, by number, then the order of the Combs.\n", name)
	w("const %sShape = `%s`\n", name, shape)
	d.classify(p)
	clocks := "several clocks"
	if len(d.order) == 1 {
		clocks = "one clock, with delays"
	}
	w("\n// %s is an island of %s. Its modules stand in the order of their ticks.\ntype %s struct {\n", name, clocks, name)
	for _, b := range d.ranks {
		w("%s %s // %s\n", b.name, b.class.name, b.path)
	}
	for _, b := range d.delays(func(*domainBox) bool { return true }) {
		w("%s rtl.Pipe[%s] // %s\n", b.name, p.typeName(b.named.TypeArgs().At(0)), b.path)
	}
	w("}\n\nfunc new%s(m []rtl.Module) rtl.FusedDomains {\nf := &%s{\n", title(name), name)
	for _, b := range d.ranks {
		w("%s: new%s(m[%d].(*%s)),\n", b.name, title(b.class.name), b.number, p.typeName(b.named))
	}
	for _, b := range d.delays(func(*domainBox) bool { return true }) {
		w("%s: m[%d].(*%s).Pipe(),\n", b.name, b.number, p.typeName(b.named))
	}
	w("}\nreturn rtl.FusedDomains{\nDomains: f.domains(),\n")
	if len(d.kept) > 0 {
		w("Plain: []rtl.Module{")
		for _, b := range d.boxes {
			if !b.delay && b.code.refuse != nil {
				w("m[%d], ", b.number)
			}
		}
		w("},\n")
	}
	w("}\n}\n")
	w("\n// domains lists what each clock calls.\nfunc (f *%s) domains() []rtl.FusedDomain {\nreturn []rtl.FusedDomain{\n", name)
	for _, clock := range d.order {
		w("{Clock: %d", clock)
		for _, step := range d.steps(clock) {
			w(", %s: f.%s%d()", title(step.name), step.name, clock)
		}
		w("},\n")
	}
	w("}\n}\n")
	for _, clock := range d.order {
		for _, step := range d.steps(clock) { // function literals: a method as a value would be called by way of another function
			w("\n// %s%d returns what %s. In a longer function Go's compiler would inline nothing into it.\n//\n//go:noinline\nfunc (f *%s) %s%d() func() {\nreturn func() {\n%s}\n}\n", step.name, clock, step.what, name, step.name, clock, strings.Join(step.calls, ""))
		}
	}
	for _, c := range d.classes {
		if err := c.write(p, w); err != nil {
			return err
		}
	}
	return nil
}

// classify finds the modules whose code is the same, in all islands of the file. It is written with the first of them.
func (d *domains) classify(p *printer) {
	for _, b := range d.ranks {
		key := types.TypeString(b.named, nil) + fmt.Sprint(b.lengths, b.rows, slices.Sorted(maps.Keys(b.aside)))
		if b.code.refuse != nil {
			key += b.code.refuse.Reason
		}
		if p.classes[key] == nil {
			c := &class{of: b, name: p.prefix() + title(b.named.Obj().Name())}
			if p.taken[c.name]++; p.taken[c.name] > 1 {
				c.name += fmt.Sprint("As", p.taken[c.name])
			}
			p.classes[key] = c
			d.classes = append(d.classes, c)
		}
		b.class = p.classes[key]
	}
}

// step is a function of a clock.
type step struct {
	name, what string
	calls      []string
}

// steps returns the functions of a clock that do something: one for all if there is no other clock, unless its Combs wait for what the kernel
// brings from another part of the island after the commit.
func (d *domains) steps(clock int) []step {
	take, tick := step{"take", "lets the delays read", nil}, step{"tick", "ticks all modules", nil}
	commit, comb := step{"commit", "gives registers that were set aside their values", nil}, step{"comb", "settles the wires", nil}
	call := func(to *step, b *domainBox, method string) {
		to.calls = append(to.calls, fmt.Sprintf("f.%s.%s()\n", b.name, method))
	}
	plain := func(b *domainBox, method string) string {
		if b.code.refuse != nil {
			return "m." + title(method)
		}
		return method
	}
	ours := func(b *domainBox) bool { return b.clock == clock }
	for _, b := range d.delays(ours) {
		if b.ins["in"] != "outside" { // then the kernel reads for it, in the other island
			call(&take, b, "Take")
		}
		call(&commit, b, "Give")
	}
	for _, b := range d.ranks {
		if ours(b) {
			call(&tick, b, plain(b, "tick"))
		}
	}
	for _, b := range d.ranks {
		switch {
		case !ours(b) || len(b.aside) == 0:
		case len(d.order) > 1 && b.settles():
			call(&tick, b, "commit")
		default:
			call(&commit, b, "commit")
		}
	}
	for _, i := range d.combs {
		if b := d.boxes[i]; ours(b) {
			call(&comb, b, plain(b, "comb"))
		}
	}
	if len(d.order) == 1 && (len(comb.calls) == 0 || !d.takes()) {
		return []step{{"tick", "does all of an edge", slices.Concat(take.calls, tick.calls, commit.calls, comb.calls)}}
	}
	return slices.DeleteFunc([]step{take, tick, commit, comb}, func(s step) bool { return len(s.calls) == 0 })
}

// takes tells whether a module reads another part of the island. A delay that does is the kernel's, which reads for it there.
func (d *domains) takes() bool {
	return slices.ContainsFunc(d.boxes, func(b *domainBox) bool {
		return !b.delay && slices.Contains(slices.Collect(maps.Values(b.ins)), "outside")
	})
}

// delays returns those of the island's delays that are wanted.
func (d *domains) delays(wanted func(*domainBox) bool) []*domainBox {
	return slices.DeleteFunc(slices.Clone(d.boxes), func(b *domainBox) bool { return !b.delay || !wanted(b) })
}

// write writes a class: its type and its methods.
func (c *class) write(p *printer, w func(string, ...any)) error {
	b := c.of
	typ := p.typeName(b.named)
	for _, x := range b.code.bodies {
		if b.code.refuse == nil {
			maps.Copy(p.imports, x.imports)
		}
	}
	if b.code.refuse == nil {
		w("\n// %s has a %s: where the values of its ports lie.\n", c.name, b.typ)
	} else {
		w("\n// %s has a %s, which is run as it is: it %s.\n", c.name, b.typ, b.code.refuse.Reason)
	}
	w("type %s struct {\nm *%s\n", c.name, typ)
	var makes strings.Builder
	for _, port := range b.order {
		if b.placed(port) {
			c.writePort(p, w, &makes, port)
		}
	}
	for _, f := range b.code.fields {
		if b.code.refuse == nil {
			t := p.typeName(f.typ)
			w("%s *%s\n", f.name, t)
			fmt.Fprintf(&makes, "%s: rtl.Field[%s](m, %q),\n", f.name, t, f.name)
		}
	}
	w("}\n\nfunc new%s(m *%s) %s {\nreturn %s{\nm: m,\n%s}\n}\n", title(c.name), typ, c.name, c.name, makes.String())
	if b.code.refuse == nil {
		for _, x := range b.code.bodies {
			if err := c.writeBody(w, x); err != nil {
				return err
			}
		}
	}
	if len(b.aside) > 0 {
		w("\nfunc (t *%s) commit() {\n", c.name)
		for _, port := range b.order {
			if b.aside[port] {
				w("*t.%s = *t.%sNext\n", port, port)
			}
		}
		w("}\n")
	}
	return nil
}

// writePort writes the places of a port's value.
func (c *class) writePort(p *printer, w func(string, ...any), makes *strings.Builder, port string) {
	b := c.of
	t := p.typeName(b.signalType(port))
	n, several := b.lengths[port]
	own := b.ports[port] == "Out" || b.ports[port] == "Wire"
	slice := "m." + port
	if several && b.isArray(port) {
		slice += "[:]"
	}
	switch {
	case !several:
		w("%s *%s\n", port, t)
		fmt.Fprintf(makes, "%s: rtl.Place(&m.%s),\n", port, port)
	case own || b.rows[port]:
		w("%s *[%d]%s\n", port, n, t)
		fmt.Fprintf(makes, "%s: (*[%d]%s)(rtl.Row[%s](%s)),\n", port, n, t, t, slice)
	default:
		w("%s [%d]*%s\n", port, n, t)
		fmt.Fprintf(makes, "%s: [%d]*%s(rtl.Places[%s](%s)),\n", port, n, t, t, slice)
	}
	switch {
	case !b.aside[port]:
	case several:
		w("%sNext *[%d]%s\n", port, n, t)
		fmt.Fprintf(makes, "%sNext: (*[%d]%s)(rtl.NextRow(%s)),\n", port, n, t, slice)
	default:
		w("%sNext *%s\n", port, t)
		fmt.Fprintf(makes, "%sNext: rtl.NextPlace(&m.%s),\n", port, port)
	}
}

// writeBody writes a method.
func (c *class) writeBody(w func(string, ...any), x *body) error {
	loads := x.loads()
	resolve := func(kind byte, words []string) string {
		switch {
		case kind == markModule && loads:
			return "m"
		case kind == markModule:
			return x.recv.Name() + ".m"
		case kind == markOut && c.of.aside[words[0]]:
			return "Next"
		}
		return ""
	}
	head, err := x.between(x.decl.Type.Params.Pos(), x.decl.Type.End(), resolve)
	if err != nil {
		return err
	}
	text, err := x.text(resolve)
	if err != nil {
		return err
	}
	recv := ""
	if x.recv != nil {
		recv = x.recv.Name() + " "
	}
	w("\nfunc (%s*%s) %s%s {\n", recv, c.name, x.methodName(), head)
	if loads {
		w("m := %s.m\n", x.recv.Name())
	}
	w("%s\n}\n", strings.Trim(text, "\n"))
	return nil
}

package fuse

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// registers are a group's registers as one struct. The kernel lays them out by the same rule as Go does the fields of a
// struct: each at the next place that suits its type. So code that knows where the first one lies loads no pointers to
// the others. See fused.View.
type registers struct {
	name   string // of the struct's type
	fields []registerField
	// the field that a port of a member reads or sets, by the member's number in the group and the port
	places map[string]string
	// the members whose registers' old values local variables of the group's function keep, so that nothing is set aside
	locals map[int]bool
	used   bool // by the code written last
}

type registerField struct {
	name  string
	array string // "[4]" of several ports
	typ   types.Type
}

// inOrder returns the members of a group in the order in which the kernel lays out their registers.
func (g *group) inOrder() []*domainBox {
	return slices.SortedFunc(
		slices.Values(g.members), func(a, b *domainBox) int { return cmp.Compare(a.number, b.number) },
	)
}

// layRegisters finds the groups whose registers the code knows as one struct.
func (d *domains) layRegisters(p *printer) error {
	alike := map[*groupKind][]*group{}
	var kinds []*groupKind
	d.eachGroup(func(clock int, g *group) {
		if len(alike[g.kind]) == 0 {
			kinds = append(kinds, g.kind)
		}
		alike[g.kind] = append(alike[g.kind], g)
		g.variable = "registers"
		if g.name == "" {
			g.variable += strconv.Itoa(clock)
			if i := slices.Index(d.groups[clock], g); i > 0 {
				g.variable += fmt.Sprint("Row", i+1)
			}
		}
	})
	for _, k := range kinds {
		r := d.registersOf(alike[k])
		if k.registers = r; r == nil {
			continue
		}
		r.locals = map[int]bool{}
		for i := range k.of.members {
			r.locals[i] = (k.of.name != "" || d.runs()) && d.keeps(alike[k], i)
		}
		for i, b := range k.of.members { // a variable that is not used would not compile
			if _, err := k.of.tick(i, b.at(), map[string]string{}); err != nil {
				return err
			}
		}
		if !r.used {
			k.registers = nil
			continue
		}
		name := k.of.name
		if name == "" {
			name = k.of.variable
		} else {
			name += "Registers"
		}
		r.name = p.typeNamed(name)
	}
	return nil
}

// registersOf returns the registers of groups of one kind, nil if they lie in different ways, or not beside each other.
func (d *domains) registersOf(alike []*group) *registers {
	of := alike[0]
	r := &registers{places: map[string]string{}}
	taken := map[string]bool{}
	for _, name := range of.kind.names {
		taken[name] = true
	}
	for _, b := range d.boxes {
		taken[b.name] = true
	}
	if taken[of.variable] {
		return nil
	}
	clear(taken)
	for _, b := range of.inOrder() {
		i := slices.Index(of.members, b)
		for _, port := range b.order {
			n, several := b.lengths[port]
			if b.ports[port] != "Out" || several && n == 0 {
				continue
			}
			f := registerField{name: of.kind.names[i] + title(port), typ: b.signalType(port)}
			if several {
				f.array = fmt.Sprintf("[%d]", n)
			}
			if taken[f.name] {
				return nil
			}
			taken[f.name] = true
			r.fields = append(r.fields, f)
			r.places[fmt.Sprint(i, port)] = f.name
		}
	}
	if len(r.fields) < 2 {
		return nil // one pointer does as well
	}
	for _, g := range alike {
		for j, b := range g.inOrder() {
			if slices.Index(g.members, b) != slices.Index(of.members, of.inOrder()[j]) {
				return nil
			}
		}
		if !d.beside(g) {
			return nil
		}
		for _, b := range g.members {
			if b.code.refuse == nil && slices.ContainsFunc(b.code.bodies, func(x *body) bool { return x.knows(g.variable) }) {
				return nil
			}
		}
	}
	for i, b := range of.members {
		for _, port := range b.order {
			if kind := b.ports[port]; kind != "In" && kind != "Async" {
				continue
			}
			from := alike[0].reads(i, port)
			if r.places[from] != "" && !slices.ContainsFunc(alike, func(g *group) bool { return g.reads(i, port) != from }) {
				r.places[fmt.Sprint(i, port)] = r.places[from]
			}
		}
	}
	return r
}

// reads returns the register of the group that an input of a member reads, or all the registers that several of its
// inputs read: the member's number in the group and the port; nothing if there is none.
func (g *group) reads(i int, port string) string {
	b := g.members[i]
	_, several := b.lengths[port]
	var from []string
	for _, name := range b.signals(port) {
		from = append(from, b.ins[name])
	}
	for j, src := range g.members {
		for _, out := range src.order {
			if _, of := src.lengths[out]; of != several || src.ports[out] != "Out" {
				continue
			}
			var all []string
			for _, name := range src.signals(out) {
				all = append(all, fmt.Sprint(src.number, ".", name))
			}
			if len(all) > 0 && slices.Equal(all, from) {
				return fmt.Sprint(j, out)
			}
		}
	}
	return ""
}

// beside tells whether the registers of a group lie beside each other, from a place where Go would have a struct of
// them begin: where an int has 64 bits and where it has 32, since a uint64 has another alignment there.
func (d *domains) beside(g *group) bool {
	members := g.inOrder()
	for _, arch := range []string{"amd64", "386"} {
		sizes := types.SizesFor("gc", arch)
		var at, align int64
		begin := int64(-1)
		for _, b := range d.boxes {
			if b.clock != g.members[0].clock || b.delay {
				continue // registers of delays come after all others
			}
			for _, port := range b.order {
				if b.ports[port] != "Out" || len(b.signals(port)) == 0 {
					continue
				}
				t := b.signalType(port)
				a := sizes.Alignof(t)
				at = (at + a - 1) / a * a
				inside := b.number >= members[0].number && b.number <= members[len(members)-1].number
				if inside && !slices.Contains(members, b) {
					return false
				}
				if inside {
					align = max(align, a)
					if begin < 0 {
						begin = at
					}
				}
				at += sizes.Sizeof(t) * int64(len(b.signals(port)))
			}
		}
		if begin < 0 || begin%align != 0 {
			return false
		}
	}
	return true
}

// knows tells whether a name means something in a body.
func (x *body) knows(name string) bool {
	return x.locals[name] || x.means(name) || x.recv != nil && x.recv.Name() == name
}

// keeps tells whether local variables of the function of groups that are alike can keep what a member's registers were
// before the edge, and its Tick sets them in place: only the group's modules still read them, each register is one, and
// all their uses stand in the function.
func (d *domains) keeps(alike []*group, i int) bool {
	for _, g := range alike {
		b := g.members[i]
		if len(b.aside) == 0 || !g.settles(d, b) && !d.runs() {
			return false
		}
		for port := range b.aside {
			if _, several := b.lengths[port]; several || !b.usesInTick(port) {
				return false
			}
			for j, m := range g.members {
				if m.code.refuse == nil &&
					slices.ContainsFunc(m.code.bodies, func(x *body) bool { return x.knows(g.old(i, port)) }) {
					return false
				}
				if slices.ContainsFunc(
					m.order, func(in string) bool { return m.readsFrom(in, b, port) && !g.seesOld(j, in, i, port) },
				) {
					return false
				}
			}
		}
	}
	return true
}

// readsFrom tells whether an input of a module, or one of several, reads a register of another one.
func (b *domainBox) readsFrom(in string, of *domainBox, port string) bool {
	if kind := b.ports[in]; kind != "In" && kind != "Async" {
		return false
	}
	return slices.ContainsFunc(
		b.signals(in), func(name string) bool { return b.ins[name] == fmt.Sprint(of.number, ".", of.signals(port)[0]) },
	)
}

// seesOld tells whether an input of a member gets what a register of a member was, where the group's function keeps it.
func (g *group) seesOld(member int, in string, of int, port string) bool {
	places := g.kind.registers.places
	return g.members[member].usesInTick(in) && places[fmt.Sprint(member, in)] == places[fmt.Sprint(of, port)]
}

// usesInTick tells whether all of a module's code that uses a port, but for its Comb, stands where its Tick is pasted.
func (b *domainBox) usesInTick(port string) bool {
	if !b.pasted() {
		return false
	}
	there := []*body{b.code.tick()}
	for i := 0; i < len(there); i++ {
		for _, h := range there[i].helpers {
			if y := there[i].pasted(h); y != nil {
				there = append(there, y)
			}
		}
	}
	return !slices.ContainsFunc(b.code.bodies, func(x *body) bool {
		return x.inputs[port] && x != b.code.comb() && !slices.Contains(there, x)
	})
}

// old is the name of the local variable for the value of a member's register before the edge.
func (g *group) old(i int, port string) string { return g.kind.names[i] + title(port) + "Old" }

// local tells whether local variables keep what the registers of a member were.
func (g *group) local(i int) bool { return g.kind.registers != nil && g.kind.registers.locals[i] }

// place is the placer of a member. In a Tick it takes old values from local variables, where these keep them, and notes
// which; in a Comb there is no list for that.
func (g *group) place(i int, port string, next bool, olds map[string]string) string {
	r := g.kind.registers
	if r == nil || r.places[fmt.Sprint(i, port)] == "" || next && !g.local(i) {
		return ""
	}
	field := r.places[fmt.Sprint(i, port)]
	r.used = true
	if olds != nil && !next {
		for j, b := range g.members {
			for out := range b.aside {
				if g.local(j) && r.places[fmt.Sprint(j, out)] == field {
					olds[g.old(j, out)] = g.variable + "." + field
					return g.old(j, out)
				}
			}
		}
	}
	return g.variable + "." + field
}

// view returns the code that finds the registers among the modules of the island.
func (g *group) view() string {
	var modules []string
	for _, b := range g.inOrder() {
		modules = append(modules, fmt.Sprintf("m[%d]", b.number))
	}
	return fmt.Sprintf("fused.View[%s](%s)", g.kind.registers.name, strings.Join(modules, ", "))
}

// write writes the type.
func (r *registers) write(p *printer, g *group, w func(string, ...any)) {
	of := "modules of " + g.path
	if g.path == "" {
		of = "modules"
	}
	w("\n// %s are registers of %s as the kernel lays them out.\ntype %s struct {\n", r.name, of, r.name)
	for _, f := range r.fields {
		w("%s %s%s\n", f.name, f.array, p.typeName(f.typ))
	}
	w("}\n")
}

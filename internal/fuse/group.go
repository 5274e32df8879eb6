package fuse

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// group is a row of modules of one scope that tick one after another at the edges of one clock. Where the same row
// comes again, in another lane or at the other end of a link, both have one function with the bodies of the modules'
// Ticks in it.
type group struct {
	kind     *groupKind
	name     string // in the island's type; empty if the row comes once: then its modules stand there themselves
	path     string // of the scope
	members  []*domainBox
	variable string // of its registers
}

// groupKind is what equal groups have in common.
type groupKind struct {
	name      string     // of its type
	names     []string   // of the modules in it
	of        *group     // the first
	count     int        // in the island
	registers *registers // nil if their places are known one by one
	combs     []int      // the modules whose Combs stand in a function of the group, in their order
	commits   []int      // the modules that set aside what a function of the group gives them once all clocks have ticked
}

// longestPaste bounds a body that is pasted, by the nodes of its source. What a longer one does takes more time than
// its call.
const longestPaste = 600

// gather makes the groups of all clocks.
func (d *domains) gather(p *printer) {
	kinds, names := map[string]*groupKind{}, map[string]int{}
	d.groups = map[int][]*group{}
	for _, clock := range d.order {
		for _, row := range d.rows(clock) {
			g := &group{path: scopeOf(row), members: row}
			key := d.key(g)
			if kinds[key] == nil {
				kinds[key] = &groupKind{of: g, names: nameMembers(g)}
			}
			kinds[key].count++
			g.kind = kinds[key]
			d.groups[clock] = append(d.groups[clock], g)
		}
	}
	for _, b := range d.boxes {
		names[b.name]++
	}
	d.eachGroup(func(clock int, g *group) {
		if g.kind.count == 1 {
			return
		}
		g.name = fmt.Sprint(camel(strings.Split(g.path, ".")), "On", clock)
		if names[g.name]++; names[g.name] > 1 {
			g.name += fmt.Sprint("Row", names[g.name])
		}
		if g.kind.name == "" {
			g.kind.name = p.typeNamed(g.name)
		}
		for _, b := range g.members {
			b.group = g
		}
	})
}

// rows splits the modules of a clock, in the order of their ticks, where the scope changes, if some of these rows are
// alike.
func (d *domains) rows(clock int) (rows [][]*domainBox) {
	var all []*domainBox
	for _, b := range d.ranks {
		if b.clock != clock {
			continue
		}
		if len(all) == 0 || scopeOf([]*domainBox{b}) != scopeOf(all[len(all)-1:]) {
			rows = append(rows, nil)
		}
		all, rows[len(rows)-1] = append(all, b), append(rows[len(rows)-1], b)
	}
	seen := map[string]bool{}
	for _, row := range rows {
		key := d.key(&group{path: scopeOf(row), members: row})
		if seen[key] {
			return rows
		}
		seen[key] = true
	}
	return [][]*domainBox{all}
}

// key is what equal groups have in common: where their modules stand in the scope, what these are, and when their
// registers change.
func (d *domains) key(g *group) (key string) {
	for i, path := range g.within() {
		key += fmt.Sprintln(g.members[i].class.name, path, g.settles(d, g.members[i]))
	}
	return key
}

// scopeOf is the path of the scope that modules have in common, empty if there is none.
func scopeOf(row []*domainBox) string {
	var scope []string
	for i, b := range row {
		words := strings.Split(b.path, ".")
		words = words[:len(words)-1]
		if i == 0 {
			scope = words
		}
		same := 0
		for same < min(len(scope), len(words)) && scope[same] == words[same] {
			same++
		}
		scope = scope[:same]
	}
	return strings.Join(scope, ".")
}

// settles tells whether the registers that a module of the group sets aside have no reader left once the group has
// ticked.
func (g *group) settles(d *domains, b *domainBox) bool {
	if len(b.aside) == 0 || len(d.order) == 1 {
		return false
	}
	last := slices.Index(d.ranks, g.members[len(g.members)-1])
	for port := range b.aside {
		if slices.ContainsFunc(b.readers[port], func(r *domainBox) bool { return slices.Index(d.ranks, r) > last }) {
			return false
		}
	}
	return true
}

// at is how the island's code names a module.
func (b *domainBox) at() string {
	if b.group == nil {
		return "f." + b.name
	}
	return "f." + b.group.name + ".Modules." + b.within()
}

// within is the name of a module in its group.
func (b *domainBox) within() string { return b.group.kind.names[slices.Index(b.group.members, b)] }

// within returns the paths of the modules in their scope.
func (g *group) within() (paths []string) {
	for _, b := range g.members {
		paths = append(paths, strings.TrimPrefix(b.path[len(g.path):], "."))
	}
	return paths
}

// nameMembers names the modules in the type of a group, which has these functions.
func nameMembers(g *group) []string { return nameBoxes(g.within(), "tick", "comb") }

// around are the names of receivers, parameters and rows in the functions that bodies are pasted into.
var around = []string{"f", "g", "first", "group", "edges", "watch"}

// pasted tells whether a module's Tick is pasted where it is called: into a function of the island or of a group, which
// have names of their own.
func (b *domainBox) pasted() bool { return b.code.refuse == nil && b.code.tick().short() }

// short tells whether a body can be pasted into a function of the island or of a group.
func (x *body) short() bool {
	return nodes(x.decl.Body) <= longestPaste && !slices.ContainsFunc(around, x.means)
}

func nodes(root ast.Node) (n int) {
	ast.Inspect(root, func(ast.Node) bool {
		n++
		return true
	})
	return n
}

// tick returns the Tick of a member that lies at a place: its body under its path, or a call. It notes the registers
// whose old values it takes from local variables, by the names of these.
func (g *group) tick(i int, at string, olds map[string]string) (string, error) {
	b, path := g.members[i], g.members[i].path
	if g.name != "" {
		path = g.within()[i]
	}
	switch {
	case b.code.refuse != nil:
		return at + ".m.Tick()\n", nil
	case !b.pasted():
		return at + ".tick()\n", nil
	}
	return g.paste(b.code.tick(), i, at, path, olds)
}

// paste returns the Tick or the Comb of a member that lies at a place, as it stands in a function of the group.
func (g *group) paste(x *body, i int, at, path string, olds map[string]string) (string, error) {
	b := g.members[i]
	label := x.methodName() + title(b.name)
	pointers := false // the text has
	place := func(port string, next bool) string {
		at := g.place(i, port, next, olds)
		pointers = pointers || at == ""
		return at
	}
	text, err := b.class.bodyText(x, label, place)
	if err != nil {
		return "", err
	}
	if x.recv != nil && (pointers || x.needsReceiver()) {
		text = fmt.Sprintf("%s := &%s\n%s", x.recv.Name(), at, text)
	}
	return x.block(label, path, text) + "\n", nil
}

// layCalls finds the groups whose Combs stand in one function, and the groups that have one for registers that were set
// aside, where their clocks call nothing else for that.
func (d *domains) layCalls() {
	d.alike(d.combsOf, func(k *groupKind, combs []int) { k.combs = combs })
	d.alike(d.commitsOf, func(k *groupKind, commits []int) { k.commits = commits })
}

// alike passes on the common text of all groups of a kind.
func (d *domains) alike(of func(clock int, g *group) []int, do func(*groupKind, []int)) {
	alike := map[*groupKind][][]int{}
	d.eachGroup(func(clock int, g *group) {
		if g.name != "" {
			alike[g.kind] = append(alike[g.kind], of(clock, g))
		}
	})
	for k, all := range alike {
		if !slices.ContainsFunc(all, func(one []int) bool { return !slices.Equal(one, all[0]) }) {
			do(k, all[0])
		}
	}
}

// combsOf returns the members of a group whose Combs a clock calls, each once; nil if they cannot stand in one
// function.
func (d *domains) combsOf(clock int, g *group) (combs []int) {
	for _, n := range d.combs {
		b := d.boxes[n]
		i := slices.Index(g.members, b)
		switch {
		case b.clock != clock:
		case i < 0 || b.code.refuse != nil || !b.code.comb().short() || slices.Contains(combs, i):
			return nil
		default:
			combs = append(combs, i)
		}
	}
	return combs
}

// commitsOf returns the members of a group whose registers have their values once all clocks have ticked; nil if groups
// of other kinds have such members, too.
func (d *domains) commitsOf(clock int, g *group) (commits []int) {
	for _, b := range d.settledLate(clock) {
		switch {
		case b.group == g:
			commits = append(commits, slices.Index(g.members, b))
		case b.group == nil || b.group.kind != g.kind:
			return nil
		}
	}
	return commits
}

// write writes a group's type and its function.
func (k *groupKind) write(d *domains, w func(string, ...any)) error {
	g := k.of
	w(
		"\n// %s has modules of %s, and of other scopes like it, in the order of their ticks.\ntype %s struct {\n",
		k.name,
		g.path,
		k.name,
	)
	for _, b := range g.members {
		w("%s %s\n", b.within(), b.class.name)
	}
	registers := ""
	if k.registers != nil {
		w("%s *%s\n", g.variable, k.registers.name)
		registers = fmt.Sprintf("%s := g.%s\n", g.variable, g.variable)
	}
	w("}\n")
	k.begin(w, "tick", "ticks them", registers)
	var text string
	olds := map[string]string{}
	for i, b := range g.members {
		tick, err := g.tick(i, "g."+b.within(), olds)
		if err != nil {
			return err
		}
		text += tick
	}
	for _, local := range slices.Sorted(maps.Keys(olds)) {
		w("%s := %s\n", local, olds[local])
	}
	w("%s", text)
	for i, b := range g.members {
		if g.settles(d, b) && !g.local(i) {
			w("%s\n", b.commit("g."+b.within()))
		}
	}
	w("}\n}\n}\n")
	if len(k.commits) > 0 {
		k.begin(w, "commit", "gives registers that were set aside their values", "")
		for _, i := range k.commits {
			w("%s\n", g.members[i].commit("g."+g.members[i].within()))
		}
		w("}\n}\n}\n")
	}
	return k.writeComb(w, registers)
}

// begin begins a function of the group. It has a loop, which costs less than calls, and which a processor foresees
// better: see fused.InTurn.
func (k *groupKind) begin(w func(string, ...any), function, what, registers string) {
	w(
		"\n// %s%s returns what %s, group by group.\n//\n//go:noinline\n"+
			"func %[1]s%[2]s(first *fused.Group[%[4]s]) func() {\nreturn func() {\n"+
			"for group := first; group != nil; group = group.Next {\ng := &group.Modules\n%[5]s",
		function,
		title(k.name),
		what,
		k.name,
		registers,
	)
}

// writeComb writes the function of a group's Combs, if it has one.
func (k *groupKind) writeComb(w func(string, ...any), registers string) error {
	if len(k.combs) == 0 {
		return nil
	}
	g := k.of
	var text string
	if k.registers != nil {
		k.registers.used = false
	}
	for _, i := range k.combs {
		comb, err := g.paste(g.members[i].code.comb(), i, "g."+g.members[i].within(), g.within()[i], nil)
		if err != nil {
			return err
		}
		text += comb
	}
	if k.registers != nil && !k.registers.used {
		registers = ""
	}
	k.begin(w, "comb", "settles their wires", registers)
	w("%s}\n}\n}\n", text)
	return nil
}

// commit returns the call that gives a module's registers the values set aside.
func (b *domainBox) commit(at string) string {
	b.class.commits = true
	return at + ".commit()"
}

// means tells whether a body uses a name of its package or an import.
func (x *body) means(name string) bool {
	if x.outer[name] {
		return true
	}
	for _, imported := range x.imports {
		if imported == name {
			return true
		}
	}
	return false
}

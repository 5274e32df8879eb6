package fuse

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
)

// twin is what the code for islands of several clocks has of a module's type: its Tick, its Comb and its methods that
// use ports, as methods of a type that knows where the ports' values lie. All other methods are called as they are.
type twin struct {
	box    *box // the first of the type
	bodies []*body
	known  map[*types.Func]*body
	refuse *Refusal // why it stays a module, or nil
	unseen *Refusal // an unknown call, or nil
	hard   error    // why nothing can be done with it
	fields []*field // private fields of another package that the bodies use
	used   map[string]bool
}

// event is a use of an output by its own module, with the part of the source in which it may happen: a loop if it is in
// one.
type event struct {
	port     string
	set      bool
	from, to token.Pos
}

// helper is a call of a method that uses ports.
type helper struct {
	fn       *types.Func
	from, to token.Pos
	alone    *ast.CallExpr // if the call is a statement of a block, in no loop but unrolled ones
	times    int           // it stands in the code then
}

// readTwin reads the methods of a module's type. What cannot be seen makes it stay a module; what could break the rules
// of modules is hard.
func readTwin(src *source, home string, b *box, withComb bool) *twin {
	t := &twin{box: b, known: map[*types.Func]*body{}, used: map[string]bool{}}
	names := []string{"Tick"}
	if withComb {
		names = append(names, "Comb")
	}
	var common error
	for _, name := range names {
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(b.named), true, b.named.Obj().Pkg(), name)
		fn, _ := obj.(*types.Func)
		if fn == nil {
			t.hard = b.older()
			return t
		}
		m := src.function(fn)
		if m == nil {
			t.hard = &Refusal{Module: b.path, Reason: "has its " + name + " from where its source is not known"}
			return t
		}
		c := &calls{src: src, box: b, seen: map[*types.Func]bool{m.obj: true}}
		if err := c.walk(m, isRecv(recvOf(fn), b)); err != nil {
			t.hard = err
			return t
		}
		if r, is := c.unknown.(*Refusal); is && t.unseen == nil {
			t.unseen = r
		}
		common = first(common, c.common)
		if !isRecv(recvOf(fn), b) {
			t.stay(&Refusal{Module: b.path, Reason: "has its " + name + " from another type"})
		} else if t.refuse == nil {
			t.read(src, home, fn)
		}
	}
	if t.unseen != nil && common != nil { // before a run fields are searched, not packages' variables
		t.hard = common
		return t
	}
	if t.refuse == nil {
		t.checkNames()
	}
	return t
}

// opaque tells whether a module does something that is not known: before each run its fields are searched for ports.
func (t *twin) opaque() bool { return t.refuse != nil || t.unseen != nil }

// stay notes the first reason why the module runs as it is.
func (t *twin) stay(err error) {
	if r, is := err.(*Refusal); is && t.refuse == nil {
		t.refuse = r
	}
}

// read prepares a method, and those with ports that it calls.
func (t *twin) read(src *source, home string, fn *types.Func) {
	fn = fn.Origin()
	if t.known[fn] != nil || t.refuse != nil {
		return
	}
	m := src.function(fn)
	if _, byPointer := fn.Signature().Recv().Type().(*types.Pointer); !byPointer {
		t.stay(&Refusal{Module: t.box.path, Reason: "has a " + fn.Name() + " that works on a copy of it"})
		return
	}
	x := &body{method: m, box: t.box, home: home, src: src, twin: t,
		inputs: map[string]bool{}, imports: map[string]string{}, locals: map[string]bool{}, outer: map[string]bool{},
		foreigns: map[string]int{}, hoisted: map[string]bool{}, rows: map[string]int{}}
	if names := m.decl.Recv.List[0].Names; len(names) > 0 {
		x.recv = m.pkg.TypesInfo.Defs[names[0]]
	}
	t.known[fn] = x
	t.bodies = append(t.bodies, x)
	x.inspect(m.decl.Type)
	x.inspect(m.decl.Body)
	x.hoist()
	if fn.Name() == "Tick" || fn.Signature().Results().Len() == 0 {
		own := x.edits
		x.edits = nil
		x.embed()
		x.edits, x.unreturns = own, x.edits
	}
	t.stay(x.err)
	for _, h := range x.helpers {
		t.read(src, home, h.fn)
	}
}

// checkNames makes a module stay one if its twin would have a name twice, or a local variable hide a package.
func (t *twin) checkNames() {
	taken := map[string]bool{"m": true}
	declare := func(name string) {
		if taken[name] {
			t.stay(&Refusal{Module: t.box.path, Reason: "needs the name " + name + " twice in its code"})
		}
		taken[name] = true
	}
	for _, port := range t.box.order {
		declare(port)
		declare(port + "Next")
	}
	for _, f := range t.fields {
		declare(f.name)
	}
	declare("commit")
	for _, x := range t.bodies {
		declare(x.methodName())
		for _, name := range x.imports {
			if x.locals[name] || x.recv != nil && x.recv.Name() == name {
				t.stay(
					&Refusal{
						Module: t.box.path,
						Reason: "has a local variable " + name + ", which is the name of a package that the code needs",
					},
				)
			}
		}
	}
}

// methodName is the twin's method name.
func (x *body) methodName() string {
	switch name := x.obj.Name(); name {
	case "Tick", "Comb":
		return lower(name)
	default:
		return name
	}
}

// receiver looks at a use of the module itself.
func (x *body) receiver(id *ast.Ident, parents []ast.Node) {
	sel, ok := above(parents, 1).(*ast.SelectorExpr)
	if !ok {
		x.refuse(id, "hands its receiver on")
		return
	}
	info := x.pkg.TypesInfo.Selections[sel]
	name := sel.Sel.Name
	switch {
	case len(info.Index()) != 1:
		x.refuse(id, "uses %s of an embedded field", name)
	case info.Kind() == types.MethodVal && (name == "Tick" || name == "Comb"):
		x.refuse(id, "calls its own %s", name)
	case info.Kind() == types.MethodVal:
		call, isCall := above(parents, 2).(*ast.CallExpr)
		fn := info.Obj().(*types.Func)
		switch {
		case !isCall || call.Fun != sel:
			x.refuse(id, "uses its method %s as a value", name)
		case x.box.usesPorts(x.src, fn):
			from, to := reach(call, parents)
			h := helper{fn: fn.Origin(), from: from, to: to}
			if n := x.times(parents); n > 0 && inBlock(above(parents, 4), above(parents, 3)) {
				h.alone, h.times = call, n
				x.replace(call.Pos(), call.End(), mark(markCall, strconv.Itoa(len(x.helpers))))
			}
			x.helpers = append(x.helpers, h)
		case x.foreign(fn):
			x.refuse(id, "calls its method %s, which is private to another package", name)
		default:
			x.module(id)
		}
	case x.box.ports[name] != "":
		x.twin.used[name], x.inputs[name] = true, true
		x.port(sel, name, parents[:len(parents)-1])
	case x.foreign(info.Obj()):
		f := x.twin.field(name)
		if f == nil || !nameable(f.typ, x.home) {
			x.refuse(sel, "has the field %s of a type that cannot be named outside of its package", name)
			return
		}
		x.usesRecv = true
		x.foreigns[name]++
		x.replace(sel.Pos(), sel.End(), mark(markForeign, name))
	default:
		x.module(id)
	}
}

// times returns how many times the code below nodes is printed, by the loops that are unrolled; 0 if it is in another
// loop.
func (x *body) times(parents []ast.Node) int {
	n := 1
	for _, p := range parents {
		switch p.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			i := slices.IndexFunc(x.edits, func(e edit) bool { return e.turns != nil && e.from == p.Pos() })
			if i < 0 {
				return 0
			}
			n *= x.edits[i].turns.count
		}
	}
	return n
}

// inBlock tells whether a node is an expression that is a statement, and others may stand in its place: not before a
// condition.
func inBlock(parent, n ast.Node) bool {
	if _, is := n.(*ast.ExprStmt); !is {
		return false
	}
	switch parent.(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		return true
	}
	return false
}

// module replaces a use of the module itself.
func (x *body) module(id *ast.Ident) {
	x.modules++
	x.replace(id.Pos(), id.End(), mark(markModule))
}

// field returns a private field of another package, with the type that it has in this module.
func (t *twin) field(name string) *field {
	if i := slices.IndexFunc(t.fields, func(f *field) bool { return f.name == name }); i >= 0 {
		return t.fields[i]
	}
	s := t.box.named.Underlying().(*types.Struct)
	for i := range s.NumFields() {
		if f := s.Field(i); f.Name() == name {
			t.fields = append(t.fields, &field{name: name, typ: f.Type()})
			return t.fields[len(t.fields)-1]
		}
	}
	return nil
}

// expand returns the events of a body and of the methods that it calls.
func (t *twin) expand(x *body, seen map[*body]bool) []event {
	all := slices.Clone(x.events)
	seen[x] = true
	for _, h := range x.helpers {
		if y := t.known[h.fn]; y != nil && !seen[y] {
			for _, e := range t.expand(y, seen) {
				all = append(all, event{e.port, e.set, h.from, h.to})
			}
		}
	}
	delete(seen, x)
	return all
}

// tick and comb are the bodies of that name, nil if there is none.
func (t *twin) tick() *body { return t.named("Tick") }
func (t *twin) comb() *body { return t.named("Comb") }

func (t *twin) named(name string) *body {
	for _, x := range t.bodies {
		if x.obj.Name() == name {
			return x
		}
	}
	return nil
}

// checkSets makes a module stay one if its Tick sets a wire or its Comb a register.
func (t *twin) checkSets() {
	for _, x := range []*body{t.tick(), t.comb()} {
		if x == nil {
			continue
		}
		want := "Out"
		if x == t.comb() {
			want = "Wire"
		}
		for _, e := range t.expand(x, map[*body]bool{}) {
			if e.set && t.box.ports[e.port] != want {
				t.stay(
					&Refusal{Module: t.box.path, Reason: "sets its " + t.box.ports[e.port] + " " + e.port + " in " + x.obj.Name()},
				)
			}
		}
	}
}

// rereads tells whether a Tick may get one of its registers after it has set it.
func (t *twin) rereads(port string) bool {
	var got, set token.Pos
	for _, e := range t.expand(t.tick(), map[*body]bool{}) {
		switch {
		case e.port != port:
		case !e.set:
			got = max(got, e.to)
		case set == token.NoPos || e.from < set:
			set = e.from
		}
	}
	return got != token.NoPos && set != token.NoPos && got > set
}

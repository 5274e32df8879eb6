package fuse

import (
	"go/ast"
	"go/constant"
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
		inputs: map[string]bool{}, imports: map[string]string{}, locals: map[string]bool{}, outer: map[string]bool{}, foreigns: map[string]int{}, hoisted: map[string]bool{}, rows: map[string]int{}}
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

// loads tells whether a twin's method keeps the module in a variable m. Go would fetch it again after each assignment
// to a port.
func (x *body) loads() bool {
	if x.modules < 2 || x.locals["m"] || x.outer["m"] || x.recv.Name() == "m" {
		return false
	}
	for _, name := range x.imports {
		if name == "m" {
			return false
		}
	}
	return true
}

// hoist finds the private fields of another package whose pointers a body keeps in variables: names that it uses more
// than once. Go would fetch the pointer again after each assignment. So it is with ports that lie in a row and are used
// one after another.
func (x *body) hoist() {
	const many = 4 // in several turns of a loop, mostly
	for port, uses := range x.rows {
		if uses >= many && !x.knows(port) && !x.knows(port+"Next") {
			x.hoisted[port], x.locals[port+"Next"] = true, true
		}
	}
	for name, uses := range x.foreigns {
		if uses > 1 && name != "m" && !x.knows(name) && !slices.Contains(around, name) {
			x.hoisted[name] = true
		}
	}
	for name := range x.hoisted {
		x.locals[name] = true
	}
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

// port replaces a Get and a Set by a read and a write of the value's place.
func (x *body) port(sel *ast.SelectorExpr, name string, parents []ast.Node) {
	parent := func() ast.Node { return above(parents, 1) }
	up := func() { parents = parents[:len(parents)-1] }
	var port ast.Expr = sel
	_, several := x.box.lengths[name]
	if several {
		switch p := parent().(type) {
		case *ast.CallExpr:
			if f, is := p.Fun.(*ast.Ident); is && x.pkg.TypesInfo.Uses[f] == types.Universe.Lookup("len") {
				x.replace(sel.Pos(), sel.End(), mark(markGet, name))
				if !x.box.isArray(name) { // the length of a slice is no constant, with which Go would not compile some expressions
					x.replace(sel.End(), sel.End(), "[:]")
				}
				return
			}
		case *ast.RangeStmt:
			if p.X == port && p.Value == nil {
				x.replace(sel.Pos(), sel.End(), mark(markGet, name))
				return
			}
		case *ast.IndexExpr:
			if p.X == port {
				port = p
			}
			if v := x.pkg.TypesInfo.Types[p.Index].Value; v != nil {
				if i, exact := constant.Int64Val(v); !exact || i >= int64(x.box.lengths[name]) {
					x.refuse(p, "uses %s[%s], and has %d of them", name, v, x.box.lengths[name])
				}
			}
		}
		if port == sel {
			x.refuse(sel, "uses its ports %s in another way than by their index", name)
			return
		}
		up()
	}
	method, isSel := parent().(*ast.SelectorExpr)
	if !isSel {
		x.refuse(sel, "uses its port %s in another way than Get and Set", name)
		return
	}
	up()
	call, isCall := parent().(*ast.CallExpr)
	if !isCall || call.Fun != method {
		x.refuse(sel, "uses its port %s in another way than Get and Set", name)
		return
	}
	up()
	kind := x.box.ports[name]
	own := kind == "Out" || kind == "Wire"
	row := several && (own || x.box.rows[name])
	if n := x.times(parents); row && n == 0 {
		x.rows[name] += mostTurns
	} else if row {
		x.rows[name] += n
	}
	from, to := reach(call, parents)
	switch method.Sel.Name {
	case "Get":
		if own {
			x.events = append(x.events, event{name, false, from, to})
		}
		if _, alone := parent().(*ast.ExprStmt); alone {
			x.refuse(call, "gets %s for nothing", name)
			return
		}
		if x.overtaken(call, parents) {
			load := "fused.Load("
			if row {
				load += "&"
			}
			x.imports[fusedPath] = "fused"
			x.replace(call.Pos(), call.Pos(), load)
			if several {
				x.replace(sel.Pos(), sel.End(), mark(markGet, name))
			} else {
				x.replace(sel.Pos(), sel.End(), mark(markGet, name, "&"))
			}
			x.replace(port.End(), call.End(), ")")
			return
		}
		star, end := "(*", ")"
		switch parent().(type) {
		case *ast.AssignStmt, *ast.CallExpr, *ast.CompositeLit, *ast.KeyValueExpr, *ast.ReturnStmt, *ast.IfStmt, *ast.UnaryExpr:
			star, end = "*", ""
		}
		switch {
		case !several:
			x.replace(call.Pos(), call.End(), mark(markGet, name, star))
			return
		case row: // an element of an array
			star, end = "", ""
		}
		x.replace(call.Pos(), call.Pos(), star)
		x.replace(sel.Pos(), sel.End(), mark(markGet, name))
		x.replace(port.End(), call.End(), end)
	case "Set":
		if _, isStmt := parent().(*ast.ExprStmt); !isStmt || !own {
			x.refuse(call, "sets %s in a way that is not understood", name)
			return
		}
		if from == call.Pos() {
			from = call.End() // its argument comes before it
		}
		x.events = append(x.events, event{name, true, from, to})
		if several {
			x.replace(sel.Pos(), sel.End(), mark(markSet, name))
		} else {
			x.replace(sel.Pos(), sel.End(), mark(markSet, name, "*"))
		}
		x.replace(port.End(), call.Args[0].Pos(), " = ")
		x.replace(call.Args[0].End(), call.End(), "") // there may be a comma and a line's end
	default:
		x.refuse(call, "calls %s of its port %s", method.Sel.Name, name)
	}
}

// overtaken tells whether a call comes after a Get in one evaluation of Go. Calls keep their order there, but the
// target of a pointer may be read after them.
func (x *body) overtaken(get ast.Node, parents []ast.Node) (is bool) {
	root := get
whole:
	for _, p := range slices.Backward(parents) {
		switch p.(type) {
		case *ast.AssignStmt, *ast.ExprStmt, *ast.ReturnStmt, *ast.DeclStmt:
			root = p
			break whole
		case ast.Stmt:
			break whole
		}
		root = p
	}
	ast.Inspect(root, func(n ast.Node) bool {
		call, isCall := n.(*ast.CallExpr)
		if !isCall || call.Pos() < get.End() {
			return true
		}
		fun := x.pkg.TypesInfo.Types[call.Fun]
		sel, _ := call.Fun.(*ast.SelectorExpr)
		port := sel != nil && x.pkg.TypesInfo.Selections[sel] != nil &&
			portKind(deref(x.pkg.TypesInfo.Selections[sel].Recv())) != ""
		is = is || !fun.IsType() && !fun.IsBuiltin() && !port
		return true
	})
	return is
}

// reach returns the part of the source in which a call may happen: itself, or the outermost loop around it.
func reach(call ast.Node, parents []ast.Node) (from, to token.Pos) {
	for _, p := range parents {
		switch p.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return p.Pos(), p.End()
		}
	}
	return call.Pos(), call.End()
}

// usesPorts tells whether a function is a method of the module that uses ports, or calls one that does, by its
// receiver.
func (b *box) usesPorts(src *source, f *types.Func) bool {
	f = f.Origin()
	if known, there := b.porty[f]; there {
		return known
	}
	found := false
	reached := []*types.Func{f}
	for i := 0; i < len(reached) && !found; i++ {
		m := src.function(reached[i])
		if r := reached[i].Signature().Recv(); m == nil || r == nil || !isRecv(r.Type(), b) ||
			len(m.decl.Recv.List[0].Names) == 0 {
			continue
		}
		recv := m.pkg.TypesInfo.Defs[m.decl.Recv.List[0].Names[0]]
		ast.Inspect(m.decl.Body, func(n ast.Node) bool {
			sel, is := n.(*ast.SelectorExpr)
			if !is {
				return true
			}
			if id, is := sel.X.(*ast.Ident); is && recv != nil && m.pkg.TypesInfo.Uses[id] == recv {
				found = found || b.ports[sel.Sel.Name] != ""
				if g, is := m.pkg.TypesInfo.Uses[sel.Sel].(*types.Func); is && !slices.Contains(reached, g.Origin()) {
					reached = append(reached, g.Origin())
				}
			}
			return true
		})
	}
	b.porty[f] = found
	return found
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

package fuse

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

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
		case *ast.AssignStmt, *ast.CallExpr, *ast.CompositeLit, *ast.KeyValueExpr, *ast.ReturnStmt, *ast.IfStmt,
			*ast.UnaryExpr:
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

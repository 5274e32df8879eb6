package fuse

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
)

// calls walks a body and its callees, and refuses code that could see a port or another module, or leave something
// behind that is not a field of the module.
type calls struct {
	src  *source
	box  *box
	seen map[*types.Func]bool

	unknown error // the first unknown call
	common  error // the first use of a package's variable that could lead to a called function
}

// unseen notes an unknown call.
func (c *calls) unseen(at ast.Node, format string, args ...any) {
	c.unknown = first(c.unknown, c.refuse(at, format, args...))
}

func (c *calls) refuse(at ast.Node, format string, args ...any) error {
	return c.src.refusal(c.box, at, format, args...)
}

// walk looks at a function. Own tells whether it is a Comb or Tick of the module itself, which may use its ports.
func (c *calls) walk(m *method, own bool) (err error) {
	info := m.pkg.TypesInfo
	self := func(e ast.Expr) bool {
		id, is := ast.Unparen(e).(*ast.Ident)
		r := m.obj.Signature().Recv()
		return is && r != nil && info.Uses[id] == r && isRecv(r.Type(), c.box)
	}
	selected := map[ast.Node]bool{} // names after a dot: the selected value has been looked at
	ast.Inspect(m.decl.Body, func(n ast.Node) bool {
		if err != nil {
			return false
		}
		switch n := n.(type) {
		case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt:
			err = c.refuse(n, "uses goroutines")
		case *ast.UnaryExpr:
			switch n.Op {
			case token.ARROW:
				err = c.refuse(n, "uses goroutines")
			case token.AND:
				err = c.assigned(info, n.X)
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				err = first(err, c.assigned(info, e))
			}
		case *ast.IncDecStmt:
			err = c.assigned(info, n.X)
		case *ast.RangeStmt:
			if _, isFunc := info.TypeOf(n.X).Underlying().(*types.Signature); isFunc {
				c.unseen(n, "ranges over the function value %s, which could do anything", types.ExprString(n.X))
			} else if n.Tok == token.ASSIGN {
				err = first(c.assigned(info, n.Key), c.assigned(info, n.Value))
			}
		case *ast.CallExpr:
			err = c.call(info, n, own)
		case *ast.SliceExpr:
			if _, isArray := info.TypeOf(n.X).Underlying().(*types.Array); isArray {
				err = c.assigned(info, n.X)
			}
		case *ast.Ident:
			switch o := info.Uses[n].(type) {
			case *types.Func:
				if !isPortMethod(o) { // it need not be called here
					err = c.callee(n, o)
				}
			case *types.Var:
				if isCommon(o) && leads(o.Type(), nil) {
					c.common = first(c.common,
						c.refuse(n, "uses the package's variable %s beside calls of what is not known", o.Name()))
				}
			}
		case *ast.SelectorExpr:
			selected[n.Sel] = true
			if t := info.TypeOf(n); !own && t != nil && portKind(t) != "" {
				err = c.refuse(n, "uses its port %s in %s: only Comb and Tick are understood", n.Sel.Name, m.obj.Name())
			}
		}
		e, is := n.(ast.Expr)
		if !is || err != nil || selected[n] || info.TypeOf(e) == nil || info.Types[e].IsType() || self(e) {
			return err == nil
		}
		t := info.TypeOf(e)
		if index, is := e.(*ast.IndexExpr); is && own && isOwnPort(c.box, index.X, self) {
			return true
		}
		if sel, is := e.(*ast.SelectorExpr); is && own && (portKind(t) != "" || isOwnPort(c.box, sel, self)) {
			if self(sel.X) {
				return true
			}
			if isModule(info.TypeOf(sel.X)) {
				e, t = sel.X, info.TypeOf(sel.X)
			}
		}
		switch {
		case isModule(t):
			err = c.refuse(e, "has to do with another module, %s", types.ExprString(e))
		case holdsPorts(t, 0) && own:
			err = c.refuse(e, "has to do with ports that are not its own, %s", types.ExprString(e))
		case holdsPorts(t, 0):
			err = c.refuse(e, "calls %s, which has to do with ports", m.obj.Name())
		}
		return err == nil
	})
	return err
}

// isCommon tells whether a variable is a package's.
func isCommon(v *types.Var) bool { return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }

// leads tells whether a value of a type could lead to a port, or to a function or an interface, which may be anything.
func leads(t types.Type, above []types.Type) bool {
	if slices.Contains(above, t) {
		return false // as the rest of it
	}
	if portKind(t) != "" {
		return true
	}
	above = append(above, t)
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() == types.UnsafePointer
	case *types.Pointer:
		return leads(t.Elem(), above)
	case *types.Slice:
		return leads(t.Elem(), above)
	case *types.Array:
		return leads(t.Elem(), above)
	case *types.Map:
		return leads(t.Key(), above) || leads(t.Elem(), above)
	case *types.Struct:
		for f := range t.Fields() {
			if leads(f.Type(), above) {
				return true
			}
		}
		return false
	}
	return true // a function, an interface, a channel, a parameter
}

// isOwnPort tells whether an expression is a port, or several, of the module itself.
func isOwnPort(b *box, e ast.Expr, self func(ast.Expr) bool) bool {
	sel, is := e.(*ast.SelectorExpr)
	return is && self(sel.X) && b.ports[sel.Sel.Name] != ""
}

func first(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// isPortMethod tells whether a function is Get or Set of a port.
func isPortMethod(f *types.Func) bool {
	r := f.Signature().Recv()
	return r != nil && portKind(deref(r.Type())) != ""
}

// assigned refuses an assignment to a package's variable, and to anything that one leads to.
func (c *calls) assigned(info *types.Info, whole ast.Expr) error {
	for e := ast.Unparen(whole); ; {
		var of ast.Expr // what e is a part of, or leads to e
		switch x := e.(type) {
		case *ast.IndexExpr:
			of = x.X
		case *ast.SliceExpr:
			of = x.X
		case *ast.StarExpr:
			of = x.X
		case *ast.SelectorExpr:
			if info.Selections[x] == nil { // package.Name
				e = x.Sel
				continue
			}
			of = x.X
		case *ast.Ident:
			if v, is := info.Uses[x].(*types.Var); is && isCommon(v) {
				return c.refuse(x, "sets the package's variable %s", v.Name())
			}
			return nil
		default:
			return nil
		}
		e = ast.Unparen(of)
	}
}

// call looks at a call and, if it is of a function whose source is there, at that.
func (c *calls) call(info *types.Info, n *ast.CallExpr, own bool) error {
	fun := ast.Unparen(n.Fun)
	if info.Types[fun].IsType() {
		return nil // a conversion
	}
	if index, is := fun.(*ast.IndexExpr); is {
		fun = index.X // of a generic function
	}
	var obj types.Object
	switch f := fun.(type) {
	case *ast.Ident:
		obj = info.Uses[f]
	case *ast.SelectorExpr:
		obj = info.Uses[f.Sel]
		if s := info.Selections[f]; s != nil && portKind(deref(s.Recv())) != "" {
			if own {
				return nil
			}
			return c.refuse(n, "uses a port in a function that it calls: only Comb and Tick are understood")
		}
	}
	switch f := obj.(type) {
	case *types.Builtin:
		switch f.Name() {
		case "copy", "clear", "delete":
			return c.assigned(info, n.Args[0])
		}
		return nil
	case *types.Func:
		if sel, is := fun.(*ast.SelectorExpr); is && info.Selections[sel] != nil {
			_, byPointer := f.Signature().Recv().Type().(*types.Pointer)
			if _, isPointer := info.TypeOf(sel.X).Underlying().(*types.Pointer); byPointer && !isPointer {
				if err := c.assigned(info, sel.X); err != nil { // it could
					return err
				}
			}
		}
		if with := c.callsBack(info, n, fun, f); with != nil {
			c.unseen(n, "hands %s to %s, which may call it", types.ExprString(with), f.FullName())
			return nil
		}
		return c.callee(n, f)
	}
	if sel, is := fun.(*ast.SelectorExpr); is && promised(info.Selections[sel]) {
		return nil
	}
	c.unseen(n, "calls the function value %s, which could do anything", types.ExprString(n.Fun))
	return nil
}

// callsBack returns the receiver or the argument of a function of Go's own library that leads to something which that
// may call and cannot be seen here, as a rand.Rand leads to its Source; nil if there is none. Functions that are named
// or written in the call are looked at, and the promise of a field is believed.
func (c *calls) callsBack(info *types.Info, n *ast.CallExpr, fun ast.Expr, f *types.Func) ast.Expr {
	if f.Pkg() == nil || !c.src.standard(f.Pkg().Path()) {
		return nil
	}
	handed := n.Args
	if sel, is := fun.(*ast.SelectorExpr); is && info.Selections[sel] != nil && !types.IsInterface(info.TypeOf(sel.X)) {
		handed = append([]ast.Expr{sel.X}, handed...)
	}
	for _, e := range handed {
		switch x := ast.Unparen(e).(type) {
		case *ast.FuncLit:
			continue
		case *ast.Ident:
			if _, named := info.Uses[x].(*types.Func); named || info.Types[x].IsNil() {
				continue
			}
		case *ast.SelectorExpr:
			if _, named := info.Uses[x.Sel].(*types.Func); named || promised(info.Selections[x]) {
				continue
			}
		}
		if leads(info.TypeOf(e), nil) {
			return e
		}
	}
	return nil
}

// promised tells whether a field's tag says that its functions look at no port.
func promised(s *types.Selection) bool {
	if s == nil || s.Kind() != types.FieldVal || len(s.Index()) != 1 {
		return false
	}
	of, is := deref(s.Recv()).Underlying().(*types.Struct)
	return is && reflect.StructTag(of.Tag(s.Index()[0])).Get("ports") == "none"
}

func deref(t types.Type) types.Type {
	if p, is := types.Unalias(t).(*types.Pointer); is {
		return p.Elem()
	}
	return t
}

// callee looks at a function that is called.
func (c *calls) callee(n ast.Node, f *types.Func) error {
	f = f.Origin()
	if r := f.Signature().Recv(); r != nil {
		if types.IsInterface(deref(r.Type())) {
			c.unseen(n, "calls %s of an interface, which could do anything", f.Name())
			return nil
		}
	}
	if f.Pkg() == nil || c.src.standard(f.Pkg().Path()) {
		return nil
	}
	if f.Pkg().Path() == rtlPath {
		return c.refuse(n, "calls %s of the kernel", f.Name())
	}
	if c.seen[f] {
		return nil
	}
	c.seen[f] = true
	m := c.src.function(f)
	if m == nil {
		if c.src.pkgs[f.Pkg().Path()] == nil {
			return &missing{f.Pkg().Path()}
		}
		return c.refuse(n, "calls %s, whose source is not Go", f.Name())
	}
	return c.walk(m, c.box.usesPorts(c.src, f))
}

// missing is a package whose source has to be loaded first.
type missing struct{ path string }

func (m *missing) Error() string { return "package " + m.path + " is not loaded" }

// isModule tells whether a type is a module, or a pointer to one.
func isModule(t types.Type) bool {
	n, is := types.Unalias(deref(t)).(*types.Named)
	if !is || types.IsInterface(n) {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, n.Obj().Pkg(), "Tick")
	f, is := obj.(*types.Func)
	return is && f.Signature().Params().Len() == 0 && holdsPorts(n, 0)
}

// isRecv tells whether a type is the box's own.
func isRecv(t types.Type, b *box) bool {
	n, is := types.Unalias(deref(t)).(*types.Named)
	return is && n.Obj() == b.named.Obj()
}

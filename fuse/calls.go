package fuse

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
)

// calls walks a body and all that it calls, and refuses what could see a port or another module, or leave something behind that is not a
// field of the module.
type calls struct {
	src  *source
	box  *box
	seen map[*types.Func]bool
}

func checkCalls(src *source, b *box, m *method) error {
	c := &calls{src, b, map[*types.Func]bool{m.obj: true}}
	return c.walk(m, true)
}

func (c *calls) refuse(at ast.Node, format string, args ...any) error {
	p := c.src.fset.Position(at.Pos())
	return &Refusal{c.box.path, fmt.Sprintf("%s (%s:%d)", fmt.Sprintf(format, args...), filepath.Base(p.Filename), p.Line)}
}

// walk looks at a function. Own tells whether it is a Comb or Tick of the module itself, which may use its ports.
func (c *calls) walk(m *method, own bool) (err error) {
	info := m.pkg.TypesInfo
	ast.Inspect(m.decl.Body, func(n ast.Node) bool {
		if err != nil {
			return false
		}
		switch n := n.(type) {
		case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt:
			err = c.refuse(n, "uses goroutines")
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				err = c.refuse(n, "uses goroutines")
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				err = first(err, c.assigned(info, e))
			}
		case *ast.IncDecStmt:
			err = c.assigned(info, n.X)
		case *ast.CallExpr:
			err = c.call(info, n, own)
		case ast.Expr:
			if t := info.TypeOf(n); t != nil && !own && holdsPorts(t, 0) && !isRecv(t, c.box) {
				err = c.refuse(n, "calls %s, which has to do with ports", m.obj.Name())
			} else if t != nil && isModule(t) && !isRecv(t, c.box) && !info.Types[n].IsType() {
				err = c.refuse(n, "has to do with another module, %s", types.ExprString(n))
			}
			if sel, is := n.(*ast.SelectorExpr); is && !own && err == nil {
				if t := info.TypeOf(sel); t != nil && portKind(t) != "" {
					err = c.refuse(n, "uses its port %s in %s: only Comb and Tick are understood", sel.Sel.Name, m.obj.Name())
				}
			}
		}
		return err == nil
	})
	return err
}

func first(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// assigned refuses an assignment to a package's variable.
func (c *calls) assigned(info *types.Info, e ast.Expr) error {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.SelectorExpr:
			if info.Selections[x] == nil { // package.Name
				e = x.Sel
				continue
			}
			e = x.X
		case *ast.Ident:
			if v, is := info.Uses[x].(*types.Var); is && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
				return c.refuse(x, "sets the package's variable %s", v.Name())
			}
			return nil
		default:
			return nil
		}
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
		return nil
	case *types.Func:
		return c.callee(n, f)
	}
	return c.refuse(n, "calls the function value %s, which could do anything", types.ExprString(n.Fun))
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
			return c.refuse(n, "calls %s of an interface, which could do anything", f.Name())
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
	return c.walk(m, false)
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

// isRecv tells whether a type is that of the box itself.
func isRecv(t types.Type, b *box) bool {
	n, is := types.Unalias(deref(t)).(*types.Named)
	return is && n.Obj() == b.named.Obj()
}

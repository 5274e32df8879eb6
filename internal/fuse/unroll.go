package fuse

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// turns are the turns of a loop whose number is known, as over ports, written one after another: Go's compiler unrolls
// no loops.
type turns struct {
	key   string // the variable that counts them, or empty
	count int
	body  *ast.BlockStmt
}

const (
	// mostTurns and longestUnrolled bound the loops that are unrolled, by their turns and by the nodes of the source that
	// these have: 16 words that are copied, or four of a frame, take less time in one piece.
	mostTurns       = 16
	longestUnrolled = 1200
)

// head is what a turn begins with.
func (t *turns) head(i int) string {
	if t.key == "" {
		return ""
	}
	return fmt.Sprintf("%s := %d\n", t.key, i)
}

// unroll writes the turns of a loop one after another, if they are few and short, and none leaves the loop or goes on
// to the next.
func (x *body) unroll(n *ast.RangeStmt) {
	if n.Value != nil || n.Tok == token.ASSIGN {
		return
	}
	count, known := x.several(n.X)
	if !known {
		count, known = x.integer(n.X)
	}
	if !known || count <= 0 || count > mostTurns || count*nodes(n.Body) > longestUnrolled || leaves(n.Body) ||
		x.onlyUse(n.X) {
		return
	}
	t := &turns{count: count, body: n.Body}
	if key, isName := n.Key.(*ast.Ident); isName && key.Name != "_" {
		if x.pkg.TypesInfo.Scopes[n.Body].Lookup(key.Name) != nil {
			return // the body has a variable of that name, which in a turn would be the same one
		}
		t.key = key.Name
	}
	x.edits = append(x.edits, edit{from: n.Pos(), to: n.End(), turns: t})
}

// several returns how many ports an expression stands for.
func (x *body) several(e ast.Expr) (n int, known bool) {
	sel, isSel := e.(*ast.SelectorExpr)
	if !isSel {
		return 0, false
	}
	if of, isName := sel.X.(*ast.Ident); !isName || x.recv == nil || x.pkg.TypesInfo.Uses[of] != x.recv {
		return 0, false
	}
	n, known = x.box.lengths[sel.Sel.Name]
	return n, known
}

// integer returns the value of an int that is known where the numbers of ports are.
func (x *body) integer(e ast.Expr) (n int, known bool) {
	info := x.pkg.TypesInfo.Types[e]
	if info.Type == nil || !types.Identical(types.Default(info.Type), types.Typ[types.Int]) {
		return 0, false
	}
	if info.Value != nil {
		v, exact := constant.Int64Val(info.Value)
		return int(v), exact
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return x.integer(e.X)
	case *ast.CallExpr:
		if f, isName := e.Fun.(*ast.Ident); isName && x.pkg.TypesInfo.Uses[f] == types.Universe.Lookup("len") {
			return x.several(e.Args[0])
		}
	case *ast.BinaryExpr:
		a, knowA := x.integer(e.X)
		b, knowB := x.integer(e.Y)
		switch {
		case !knowA || !knowB:
		case e.Op == token.MUL:
			return a * b, true
		case e.Op == token.QUO && b != 0:
			return a / b, true
		}
	case *ast.Ident:
		if v := x.onlyValue(x.pkg.TypesInfo.Uses[e]); v != nil {
			return x.integer(v)
		}
	}
	return 0, false
}

// onlyUse tells whether an expression may be the only one that needs something in the code: a package, or the module
// for a field that is no port. Go would not compile the import or the variable without it.
func (x *body) onlyUse(e ast.Expr) (may bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		id, isName := n.(*ast.Ident)
		if !isName {
			return true
		}
		switch obj := x.pkg.TypesInfo.Uses[id].(type) {
		case *types.PkgName:
			may = true
		case *types.Var:
			may = may || obj.IsField() && x.box.ports[obj.Name()] == ""
		case *types.Const:
			may = may || obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() && obj.Pkg().Path() != x.home
		}
		return true
	})
	return may
}

// onlyValue returns what a local variable is defined to be, if nothing sets it again, and not all its uses are in
// ranges: it would have none where these are unrolled.
func (x *body) onlyValue(v types.Object) (value ast.Expr) {
	info := x.pkg.TypesInfo
	is := func(e ast.Expr) bool {
		id, isName := ast.Unparen(e).(*ast.Ident)
		return isName && info.ObjectOf(id) == v
	}
	uses, again := 0, false
	ast.Inspect(x.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, e := range n.Lhs {
				switch {
				case !is(e):
				case info.Uses[ast.Unparen(e).(*ast.Ident)] == nil && len(n.Lhs) == len(n.Rhs):
					value = n.Rhs[i]
				default:
					again = true
				}
			}
		case *ast.IncDecStmt:
			again = again || is(n.X)
		case *ast.UnaryExpr:
			again = again || n.Op == token.AND && is(n.X)
		case *ast.RangeStmt:
			again = again || n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)
			ast.Inspect(n.X, func(n ast.Node) bool {
				if id, isName := n.(*ast.Ident); isName && info.Uses[id] == v {
					uses--
				}
				return true
			})
		case *ast.Ident:
			if info.Uses[n] == v {
				uses++
			}
		}
		return true
	})
	if v == nil || again || uses < 1 {
		return nil
	}
	return value
}

// leaves tells whether a statement of a loop's body may leave the loop or go on to its next turn.
func leaves(body ast.Node) (does bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		_, is := n.(*ast.BranchStmt)
		does = does || is
		return true
	})
	return does
}

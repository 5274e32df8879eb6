package fuse

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
)

// turns are the turns of a loop over ports, written one after another: their number is known, and Go's compiler unrolls no loops.
type turns struct {
	key   string // the variable that counts them; empty if the body does not use it
	count int
	body  *ast.BlockStmt
}

const (
	// mostTurns and longestUnrolled bound the loops that are unrolled, by their turns and by the nodes of the source that these have.
	mostTurns       = 16
	longestUnrolled = 400
)

// head is what a turn begins with.
func (t *turns) head(i int) string {
	if t.key == "" {
		return ""
	}
	return fmt.Sprintf("%s := %d\n", t.key, i)
}

// unroll writes the turns of a loop over ports one after another, if they are few and short, and none leaves the loop or goes on to the next.
func (x *body) unroll(n *ast.RangeStmt) {
	if x.twin == nil {
		return
	}
	sel, isSel := n.X.(*ast.SelectorExpr)
	if !isSel {
		return
	}
	of, isName := sel.X.(*ast.Ident)
	if !isName || x.recv == nil || x.pkg.TypesInfo.Uses[of] != x.recv {
		return
	}
	count, several := x.box.lengths[sel.Sel.Name]
	if !several || n.Value != nil || count == 0 || count > mostTurns || count*nodes(n.Body) > longestUnrolled || leaves(n.Body) {
		return
	}
	t := &turns{count: count, body: n.Body}
	if n.Key != nil {
		key, isName := n.Key.(*ast.Ident)
		if !isName || n.Tok != token.DEFINE {
			return
		}
		used, set := x.uses(n.Body, key)
		if set {
			return
		}
		if used {
			t.key = key.Name
		}
	}
	x.edits = append(x.edits, edit{from: n.Pos(), to: n.End(), turns: t})
}

// uses tells whether a variable is used in a body, and whether it may be set there.
func (x *body) uses(in *ast.BlockStmt, key *ast.Ident) (used, set bool) {
	v := x.pkg.TypesInfo.Defs[key]
	is := func(e ast.Expr) bool {
		id, isName := ast.Unparen(e).(*ast.Ident)
		return isName && v != nil && x.pkg.TypesInfo.Uses[id] == v
	}
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			used = used || is(n)
		case *ast.AssignStmt:
			set = set || slices.ContainsFunc(n.Lhs, is)
		case *ast.IncDecStmt:
			set = set || is(n.X)
		case *ast.UnaryExpr:
			set = set || n.Op == token.AND && is(n.X)
		case *ast.RangeStmt:
			set = set || n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)
		}
		return true
	})
	return used, set
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

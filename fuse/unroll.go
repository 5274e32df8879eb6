package fuse

import (
	"fmt"
	"go/ast"
	"go/token"
)

// turns are the turns of a loop over ports, written one after another: their number is known, and Go's compiler unrolls no loops.
type turns struct {
	key   string // the variable that counts them, or empty
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
	if !several || n.Value != nil || n.Tok == token.ASSIGN || count == 0 || count > mostTurns || count*nodes(n.Body) > longestUnrolled || leaves(n.Body) {
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

// leaves tells whether a statement of a loop's body may leave the loop or go on to its next turn.
func leaves(body ast.Node) (does bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		_, is := n.(*ast.BranchStmt)
		does = does || is
		return true
	})
	return does
}

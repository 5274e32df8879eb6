package fuse

import (
	"go/ast"
	"go/token"
)

// embed lets a body stand in another function: its returns become something else.
func (x *body) embed() {
	if before := len(x.edits); !x.unreturn(x.decl.Body.List, x.decl.Body.Rbrace, true) {
		x.edits = x.edits[:before]
		x.label = true
		x.jump()
	}
}

// unreturn makes a body fall off its end where it returned: the statements after an if that returns become its else. It
// returns false if that is not enough.
func (x *body) unreturn(list []ast.Stmt, end token.Pos, last bool) bool {
	for i, s := range list {
		final := last && i == len(list)-1
		switch s := s.(type) {
		case *ast.ReturnStmt:
			x.replace(s.Pos(), s.End(), "")
			return final
		case *ast.IfStmt:
			if last && !final && s.Else == nil && returns(s.Body) && !falls(list) {
				if s.Init != nil && declares(s.Init) && !allFresh(s.Init, list[i+1:]) {
					return false // the else would see the variables of the if
				}
				ok := x.unreturn(s.Body.List, s.Body.Rbrace, true)
				x.replace(s.End(), s.End(), " else {")
				x.replace(end, end, "\n}\n")
				return ok && x.unreturn(list[i+1:], end, true)
			}
			if final {
				ok := x.unreturn(s.Body.List, s.Body.Rbrace, true)
				return ok && (s.Else == nil || x.unreturn([]ast.Stmt{s.Else}, s.Else.End(), true))
			}
		case *ast.BlockStmt:
			if final {
				return x.unreturn(s.List, s.Rbrace, true)
			}
		case *ast.SwitchStmt:
			if final {
				ok := true
				for j, c := range s.Body.List {
					to := s.Body.Rbrace
					if j+1 < len(s.Body.List) {
						to = s.Body.List[j+1].Pos()
					}
					ok = ok && x.unreturn(c.(*ast.CaseClause).Body, to, true)
				}
				return ok
			}
		}
		if hasReturn(s) {
			return false
		}
	}
	return true
}

// jump makes returns break out of a switch around the body.
func (x *body) jump() {
	ast.Inspect(x.decl.Body, func(n ast.Node) bool {
		if r, is := n.(*ast.ReturnStmt); is {
			x.replace(r.Pos(), r.End(), "break "+mark(markLabel))
		}
		return true
	})
}

// returns tells whether a block ends in a return.
func returns(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	_, is := b.List[len(b.List)-1].(*ast.ReturnStmt)
	return is
}

// falls tells whether statements end in a fallthrough, which has to stay the last of its case.
func falls(list []ast.Stmt) bool {
	b, is := list[len(list)-1].(*ast.BranchStmt)
	return is && b.Tok == token.FALLTHROUGH
}

func hasReturn(n ast.Node) (has bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		_, is := n.(*ast.ReturnStmt)
		has = has || is
		return true
	})
	return has
}

func declares(s ast.Stmt) bool {
	a, is := s.(*ast.AssignStmt)
	return is && a.Tok == token.DEFINE
}

// allFresh tells whether no name that init declares is used later.
func allFresh(init ast.Stmt, list []ast.Stmt) bool {
	names := map[string]bool{}
	for _, e := range init.(*ast.AssignStmt).Lhs {
		names[e.(*ast.Ident).Name] = true
	}
	fresh := true
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			if id, is := n.(*ast.Ident); is && names[id.Name] {
				fresh = false
			}
			return true
		})
	}
	return fresh
}

package fuse

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// longestInTurns bounds a helper that is pasted into each turn of a loop, by the nodes of the source in all turns.
// There Go's compiler knows the number of the turn, and with it the places of ports and that they are there.
const longestInTurns = 2400

// pasted returns the helper of a call if its body can stand there: it returns nothing, nobody else calls it, the call
// is a statement of a block, and no name in the body means another thing there. So a short path through a module needs
// no calls, and knows the registers that its group knows.
func (x *body) pasted(h helper) *body {
	y := x.twin.known[h.fn]
	if h.alone == nil || y == nil || h.fn.Signature().Results().Len() > 0 || nodes(y.decl.Body) > longestPaste ||
		y.recv.Name() != x.recv.Name() {
		return nil
	}
	if y.means("m") || slices.ContainsFunc(around, y.means) { // a caller may keep its module in m
		return nil
	}
	calls := 0
	for _, z := range x.twin.bodies {
		for _, other := range z.helpers {
			if other.fn == h.fn {
				calls++
			}
		}
		if z.locals[x.recv.Name()] {
			return nil
		}
		for name := range z.locals {
			if z != y && y.means(name) {
				return nil
			}
		}
	}
	if calls > 1 || !x.hands(h.alone, y) || h.times > 1 && (h.times*y.size() > longestInTurns || y.labelled()) {
		return nil
	}
	return y
}

// size returns the nodes of the source of a body and of the helpers that are pasted into it, as often as they are.
func (x *body) size() int {
	n := nodes(x.decl.Body)
	for _, h := range x.helpers {
		if y := x.pasted(h); y != nil {
			n += h.times * y.size()
		}
	}
	return n
}

// labelled tells whether a body has a label where it is pasted, or a helper that is pasted into it: a function has a
// label once.
func (x *body) labelled() bool {
	return x.label || slices.ContainsFunc(x.helpers, func(h helper) bool {
		y := x.pasted(h)
		return y != nil && y.labelled()
	})
}

// hands tells whether a variable for each parameter of a helper can have the value that is handed to it.
func (x *body) hands(call *ast.CallExpr, y *body) bool {
	params := y.obj.Signature().Params()
	if params.Len() != len(call.Args) || y.obj.Signature().Variadic() {
		return false
	}
	for i, arg := range call.Args {
		v := x.pkg.TypesInfo.Types[arg]
		if v.Value != nil || !types.Identical(v.Type, params.At(i).Type()) || x.untyped(arg, v.Type) ||
			!y.needs(params.At(i)) {
			return false
		}
	}
	return true
}

// untyped tells whether an expression may have its type only from where it is handed to: a comparison, or a shifted
// constant.
func (x *body) untyped(e ast.Expr, t types.Type) bool {
	if b, is := t.Underlying().(*types.Basic); is && b.Kind() == types.Bool {
		return !types.Identical(t, b)
	}
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		b, is := n.(*ast.BinaryExpr)
		found = found || is && (b.Op == token.SHL || b.Op == token.SHR) && x.pkg.TypesInfo.Types[b.X].Value != nil
		return true
	})
	return found
}

// needs tells whether a body uses a parameter in another way than to assign to it. Go does not compile a variable that
// is not read.
func (x *body) needs(param types.Object) bool {
	reads := 0
	ast.Inspect(x.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if x.pkg.TypesInfo.Uses[n] == param {
				reads++
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if id, is := e.(*ast.Ident); is && n.Tok == token.ASSIGN && x.pkg.TypesInfo.Uses[id] == param {
					reads--
				}
			}
		}
		return true
	})
	return reads > 0
}

// needsReceiver tells whether the text of a pasted body, with its helpers' text, names the module's twin for more than
// its ports.
func (x *body) needsReceiver() bool {
	if x.usesRecv || x.modules > 0 {
		return true
	}
	for _, h := range x.helpers {
		if y := x.pasted(h); y == nil || y.needsReceiver() {
			return true
		}
	}
	return false
}

// callTexts returns the statements that a body's calls of helpers become, by their numbers; nothing for one that is no
// statement.
func (c *class) callTexts(x *body, label string, place placer) (map[string]string, error) {
	texts := map[string]string{}
	for i, h := range x.helpers {
		y := x.twin.known[h.fn]
		if x.pasted(h) == nil ||
			label == "" && h.times == 1 { // in a method a call is as good, but where a loop's variable becomes a constant
			c.called[y.methodName()] = true
		}
		if h.alone == nil {
			continue
		}
		args := ""
		if n := len(h.alone.Args); n > 0 {
			end := h.alone.Args[n-1].End()
			if dots := h.alone.Ellipsis; dots.IsValid() {
				end = dots + token.Pos(len("..."))
			}
			var err error
			if args, err = x.between(h.alone.Args[0].Pos(), end, c.resolve(x, label, place, nil)); err != nil {
				return nil, err
			}
		}
		if c.called[y.methodName()] {
			texts[fmt.Sprint(i)] = fmt.Sprintf("%s.%s(%s)", x.recv.Name(), y.methodName(), args)
			continue
		}
		module, _, _ := strings.Cut(label, "_")
		// a module's methods are pasted once each, and a module's name has no underscore
		inner := module + "_" + y.methodName()
		text, err := c.bodyText(y, inner, place)
		if err != nil {
			return nil, err
		}
		if args != "" {
			var names []string
			for p := range h.fn.Signature().Params().Variables() {
				names = append(names, p.Name())
			}
			text = fmt.Sprintf("%s := %s\n%s", strings.Join(names, ", "), args, text)
		}
		texts[fmt.Sprint(i)] = y.block(inner, y.methodName(), text)
	}
	return texts, nil
}

// block is a pasted body under its comment.
func (x *body) block(label, what, text string) string {
	if x.label {
		return fmt.Sprintf("%s:\nswitch { // %s\ndefault:\n%s\n}", label, what, text)
	}
	return fmt.Sprintf("{ // %s\n%s\n}", what, text)
}

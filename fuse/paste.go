package fuse

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// pasted returns the helper of a call if its body can stand there: it returns nothing, nobody else calls it, the call is a statement by
// itself, and no name in the body means another thing there. So a short path through a module needs no calls, and knows the registers that
// its group knows.
func (x *body) pasted(h helper) *body {
	y := x.twin.known[h.fn]
	if h.alone == nil || y == nil || h.fn.Signature().Results().Len() > 0 || nodes(y.decl.Body) > longestPaste || y.recv.Name() != x.recv.Name() {
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
	if calls > 1 || !x.hands(h.alone, y) {
		return nil
	}
	return y
}

// hands tells whether a variable for each parameter of a helper can have the value that is handed to it.
func (x *body) hands(call *ast.CallExpr, y *body) bool {
	params := y.obj.Signature().Params()
	if params.Len() != len(call.Args) || y.obj.Signature().Variadic() {
		return false
	}
	for i, arg := range call.Args {
		v := x.pkg.TypesInfo.Types[arg]
		if v.Value != nil || !types.Identical(v.Type, params.At(i).Type()) {
			return false
		}
		used := false // else it would not compile
		ast.Inspect(y.decl.Body, func(n ast.Node) bool {
			id, is := n.(*ast.Ident)
			used = used || is && y.pkg.TypesInfo.Uses[id] == params.At(i)
			return true
		})
		if !used {
			return false
		}
	}
	return true
}

// needsReceiver tells whether the text of a body that is pasted, with that of its helpers, names the module's twin for more than its ports.
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

// callTexts returns the statements that a body's calls of helpers become, by their numbers; nothing for one that is no statement.
func (c *class) callTexts(x *body, label string, place placer) (map[string]string, error) {
	texts := map[string]string{}
	for i, h := range x.helpers {
		y := x.twin.known[h.fn]
		if label == "" || x.pasted(h) == nil {
			c.called[y] = true
		}
		if h.alone == nil {
			continue
		}
		args := ""
		if n := len(h.alone.Args); n > 0 {
			var err error
			if args, err = x.between(h.alone.Args[0].Pos(), h.alone.Args[n-1].End(), c.resolve(x, label, place, nil)); err != nil {
				return nil, err
			}
		}
		if c.called[y] {
			texts[fmt.Sprint(i)] = fmt.Sprintf("%s.%s(%s)", x.recv.Name(), y.methodName(), args)
			continue
		}
		inner := y.methodName() + title(label)
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

// block is a pasted body under what it is.
func (x *body) block(label, what, text string) string {
	if x.label {
		return fmt.Sprintf("%s:\nswitch { // %s\ndefault:\n%s\n}", label, what, text)
	}
	return fmt.Sprintf("{ // %s\n%s\n}", what, text)
}

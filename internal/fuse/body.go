package fuse

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// body is a Comb or Tick on its way into the fused function: its text, and the replacements in it.
type body struct {
	*method
	box  *box
	home string // the package that it goes to
	src  *source
	recv types.Object

	edits     []edit
	inputs    map[string]bool   // ports that it uses
	imports   map[string]string // name by path
	locals    map[string]bool   // names that the body declares
	outer     map[string]bool   // names of the package that the code goes to, and of the language, that it uses
	label     bool              // its returns break out of a switch around it
	twin      *twin
	events    []event
	helpers   []helper
	modules   int             // uses of the module itself
	usesRecv  bool            // in another way than for its ports and the module
	foreigns  map[string]int  // uses of private fields of another package
	hoisted   map[string]bool // those fields, and those rows of ports, whose pointers it keeps in variables of their names
	rows      map[string]int  // uses of rows of ports, each as often as it is in the code
	variables map[string]bool // the hoisted rows in the text made last
	unreturns []edit          // the calls that let its Tick stand in another function
	err       error
}

// edit replaces the text between two places of a file.
type edit struct {
	from, to token.Pos
	text     string
	turns    *turns // instead of a text
}

// recvOf returns the type that a method is declared on.
func recvOf(f *types.Func) *types.Named {
	n, _ := deref(f.Signature().Recv().Type()).(*types.Named)
	return n
}

// refuse keeps the first reason.
func (x *body) refuse(at ast.Node, format string, args ...any) {
	if x.err == nil {
		x.err = x.src.refusal(x.box, at, format, args...)
	}
}

func (x *body) replace(from, to token.Pos, text string) {
	x.edits = append(x.edits, edit{from: from, to: to, text: text})
}

// inspect looks at a part of the declaration.
func (x *body) inspect(root ast.Node) {
	var parents []ast.Node
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			parents = parents[:len(parents)-1]
			return false
		}
		if len(parents) > 0 { // a body's root is a block, a signature's its type
			x.node(n, parents)
		}
		parents = append(parents, n)
		return true
	})
}

// above returns the node that is n levels above another one, nil if there is none.
func above(parents []ast.Node, n int) ast.Node {
	if n > len(parents) {
		return nil
	}
	return parents[len(parents)-n]
}

// node looks at one node of the body.
func (x *body) node(n ast.Node, parents []ast.Node) {
	switch n := n.(type) {
	case *ast.Ident:
		x.ident(n, parents)
	case *ast.CompositeLit:
		x.literal(n)
	case *ast.RangeStmt:
		x.unroll(n)
	case *ast.LabeledStmt:
		x.refuse(n, "has a label")
	case *ast.BranchStmt:
		if n.Tok == token.GOTO || n.Label != nil {
			x.refuse(n, "jumps to a label")
		}
	case *ast.FuncLit:
		x.refuse(n, "has a function literal")
	case *ast.BasicLit:
		if n.Kind == token.STRING && strings.Contains(n.Value, "\n") {
			x.refuse(n, "has a string of several lines")
		}
	case *ast.DeferStmt:
		x.refuse(n, "defers a call")
	}
}

// ident looks at a name: the receiver, something of a package, a local variable.
func (x *body) ident(id *ast.Ident, parents []ast.Node) {
	info := x.pkg.TypesInfo
	if _, defines := info.Defs[id]; defines { // nothing is defined by the name of a type switch: each case has its own
		x.locals[id.Name] = true
		return
	}
	obj := info.Uses[id]
	switch {
	case obj == nil:
		return
	case isTypeParameter(obj):
		x.refuse(id, "names its type's parameter %s", id.Name)
	case obj == x.recv:
		x.receiver(id, parents)
	case obj.Pkg() == nil: // of the language
		if home := x.src.pkgs[x.home]; home != nil && x.pkg != home && home.Types.Scope().Lookup(id.Name) != nil {
			x.refuse(id, "uses Go's %s, which is another thing in the package that the code goes to", id.Name)
		}
		x.outer[id.Name] = true
	case isPackage(obj):
		p := obj.(*types.PkgName).Imported()
		if id.Name != p.Name() {
			x.replace(id.Pos(), id.End(), p.Name())
		}
		if p.Path() == x.home {
			x.refuse(id, "names the package that the code goes to")
		}
		x.imports[p.Path()] = p.Name()
	case x.foreign(obj) && isMember(obj) && !x.ofReceiver(id, parents):
		x.refuse(id, "uses %s, which is private to package %s", id.Name, obj.Pkg().Name())
	case obj.Parent() == obj.Pkg().Scope() && obj.Pkg().Path() != x.home:
		if sel, isSel := parents[len(parents)-1].(*ast.SelectorExpr); isSel && sel.Sel == id {
			return // named with its package already
		}
		if !obj.Exported() {
			x.refuse(id, "uses %s.%s, which is not exported", obj.Pkg().Name(), id.Name)
		}
		x.replace(id.Pos(), id.Pos(), obj.Pkg().Name()+".")
		x.imports[obj.Pkg().Path()] = obj.Pkg().Name()
	case obj.Parent() == obj.Pkg().Scope():
		x.outer[id.Name] = true
	}
}

func isTypeParameter(o types.Object) bool {
	t, is := o.(*types.TypeName)
	if !is {
		return false
	}
	_, is = t.Type().(*types.TypeParam)
	return is
}

// isMember tells whether an object is a field or a method.
func isMember(o types.Object) bool {
	switch o := o.(type) {
	case *types.Var:
		return o.IsField()
	case *types.Func:
		return o.Signature().Recv() != nil
	}
	return false
}

// ofReceiver tells whether a name is selected from the receiver itself.
func (x *body) ofReceiver(id *ast.Ident, parents []ast.Node) bool {
	sel, is := parents[len(parents)-1].(*ast.SelectorExpr)
	if !is || sel.Sel != id {
		return false
	}
	of, is := sel.X.(*ast.Ident)
	return is && x.recv != nil && x.pkg.TypesInfo.Uses[of] == x.recv
}

func isPackage(o types.Object) bool { _, is := o.(*types.PkgName); return is }

func (x *body) foreign(obj types.Object) bool { return !obj.Exported() && obj.Pkg().Path() != x.home }

// nameable tells whether a type can be written down in a package.
func nameable(t types.Type, home string) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return true
	case *types.Named:
		return t.TypeArgs().Len() == 0 && (t.Obj().Exported() || t.Obj().Pkg() == nil || t.Obj().Pkg().Path() == home)
	case *types.Pointer:
		return nameable(t.Elem(), home)
	case *types.Slice:
		return nameable(t.Elem(), home)
	case *types.Array:
		return nameable(t.Elem(), home)
	}
	return false
}

// literal gives the values of a struct of another package their names, as Go's vet wants it.
func (x *body) literal(l *ast.CompositeLit) {
	t := x.pkg.TypesInfo.TypeOf(l)
	named, isNamed := types.Unalias(t).(*types.Named)
	s, isStruct := t.Underlying().(*types.Struct)
	if !isStruct || !isNamed || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() == x.home || len(l.Elts) == 0 {
		return
	}
	if _, keyed := l.Elts[0].(*ast.KeyValueExpr); keyed {
		return
	}
	for i, e := range l.Elts {
		if x.foreign(s.Field(i)) {
			x.refuse(e, "sets %s, which is private to package %s", s.Field(i).Name(), named.Obj().Pkg().Name())
		}
		x.replace(e.Pos(), e.Pos(), s.Field(i).Name()+": ")
	}
}

// text returns the body with its replacements, the marks in them resolved by a function of their kind and words.
func (x *body) text(resolve func(kind byte, words []string) string) (string, error) {
	text, err := x.between(x.decl.Body.Lbrace+1, x.decl.Body.Rbrace, resolve)
	return blankEnd.ReplaceAllString(text, "\n$1}"), err
}

// between returns a part of the declaration with its replacements.
func (x *body) between(at, end token.Pos, resolve func(kind byte, words []string) string) (string, error) {
	file := x.src.fset.File(x.decl.Pos())
	text, err := x.src.text(file.Name())
	if err != nil {
		return "", err
	}
	edits := slices.Clone(x.edits)
	slices.SortStableFunc(edits, func(a, b edit) int {
		if a.from == b.from && (a.to == a.from) != (b.to == b.from) { // an insertion comes before a deletion
			return cmp.Compare(a.to, b.to)
		}
		return cmp.Compare(a.from, b.from)
	})
	return resolveMarks(replaced(file, text, edits, at, end), resolve), nil
}

// replaced returns a part of a file with its replacements.
func replaced(file *token.File, text []byte, edits []edit, at, end token.Pos) string {
	var out strings.Builder
	for _, e := range edits {
		if e.from < at || e.to > end {
			continue // inside of replaced text
		}
		out.Write(text[file.Offset(at):file.Offset(e.from)])
		out.WriteString(e.text)
		if t := e.turns; t != nil {
			body := strings.Trim(replaced(file, text, edits, t.body.Lbrace+1, t.body.Rbrace), "\n")
			for i := range t.count {
				if i > 0 {
					out.WriteByte('\n')
				}
				fmt.Fprintf(&out, "{\n%s%s\n}", t.head(i), body)
			}
		}
		at = e.to
	}
	out.Write(text[file.Offset(at):file.Offset(end)])
	return out.String()
}

// blankEnd is what a return leaves.
var blankEnd = regexp.MustCompile(`\n\s*\n([ \t]*)}`)

// Marks stand for variables that are known only when all bodies have been read.
const (
	markModule = 4 + iota // the module
	markLabel             // of the switch around a pasted body
	markGet               // the port, of a twin, whose value is read, and how its pointer is written
	markSet               // and set
	markCall              // the number of a helper in its caller

	markEnd     = '\x0e' // the next one, 9, would be a tab, which code has
	markForeign = '\x0f' // a private field of another package, of a twin
)

func mark(kind byte, words ...string) string {
	return string(rune(kind)) + strings.Join(words, " ") + string(rune(markEnd))
}

// resolveMarks replaces the marks of a text.
func resolveMarks(s string, resolve func(kind byte, words []string) string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(s, string(rune(markEnd)))
		i := strings.IndexAny(before, "\x01\x02\x03\x04\x05\x06\x07\x08\x0f")
		if !found {
			out.WriteString(s)
			return out.String()
		}
		out.WriteString(before[:i])
		out.WriteString(resolve(before[i], strings.Fields(before[i+1:])))
		s = rest
	}
}

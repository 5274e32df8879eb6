package fuse

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/rtl"
)

// box is a module of an island.
type box struct {
	path  string
	name  string // in the code: "txGearbox"
	named *types.Named
	typ   string // as the code names it

	ins   map[string]string // what an input reads, by its field: "3.next", "true", "constant"
	ports map[string]string // what kind of port a field is: "In", "Out", "Wire", "Async"
	order []string          // the ports in the order of their declaration

	// in an island of several clocks
	twin    bool
	clock   int                  // by its number in the shape
	lengths map[string]int       // of the ports that are slices or arrays
	porty   map[*types.Func]bool // methods that use ports: see usesPorts

	tick, comb *body // comb is nil without wires
	memory     bool  // its own methods are called on it: all fields stay where they are
	fields     []*field
	phases     map[string]bool // outputs that need a second variable
}

// field is a private field, or a parameter, that the bodies use.
type field struct {
	name    string
	typ     types.Type
	cached  bool // in a variable of its own during a run
	written bool
	foreign bool // private to another package
}

// graph is an island as its shape says it.
type graph struct {
	boxes []*box
	combs []int // calls of Comb in their order

	refused Refusals
}

// refuse notes a refusal. It returns any other error.
func (g *graph) refuse(err error) error {
	r, refused := err.(*Refusal)
	if !refused {
		return err
	}
	for _, other := range g.refused {
		if other.Module == r.Module && (r.Module != "" || other.Reason == r.Reason) {
			return nil
		}
	}
	g.refused = append(g.refused, r)
	return nil
}

// readShape finds the modules' types and connections.
func readShape(src *source, home string, shape rtl.Shape) (*graph, error) {
	g := &graph{}
	lines := strings.Split(strings.TrimSuffix(shape.Text, "\n"), "\n")
	names := nameBoxes(shape.Paths)
	for i, n := range names {
		if !token.IsIdentifier(n) || types.Universe.Lookup(n) != nil || n == "n" || n == "f" {
			names[i] = n + "Module"
		}
	}
	var all []string
	for _, m := range shape.Modules {
		all = append(all, reflect.TypeOf(m).Elem().PkgPath())
	}
	if err := src.load(all...); err != nil {
		return nil, err
	}
	for _, line := range lines {
		words := strings.Fields(line)
		switch words[0] {
		case "leaves":
			_ = g.refuse(&Refusal{"", "delays lead from it to other islands"})
			continue
		case "comb":
			n, err := strconv.Atoi(words[1])
			if err != nil {
				return nil, err
			}
			g.combs = append(g.combs, n)
			continue
		}
		i := len(g.boxes)
		b := &box{path: shape.Paths[i], name: names[i], ins: map[string]string{}, ports: map[string]string{}, phases: map[string]bool{}}
		for _, w := range words[1:] {
			name, from, connected := strings.Cut(w, "<")
			switch {
			case strings.HasPrefix(w, "clock="):
				_ = g.refuse(&Refusal{"", "it has several clocks"})
			case strings.HasPrefix(w, "edges="):
				_ = g.refuse(&Refusal{b.path, "is a delay, which the kernel moves"})
			case strings.Contains(w, "=") && !connected: // a slice of ports, which is refused by its field
			case !connected:
				return nil, fmt.Errorf("shape of %s: %s", b.path, w)
			case from == "outside":
				_ = g.refuse(&Refusal{b.path, "reads another island at " + name})
			}
			if connected {
				b.ins[name] = from
			}
		}
		if err := g.refuse(b.find(src, home, reflect.TypeOf(shape.Modules[i]).Elem())); err != nil {
			return nil, err
		}
		g.boxes = append(g.boxes, b)
	}
	return g, nil
}

// find finds the module's type and its ports.
func (b *box) find(src *source, home string, t reflect.Type) error {
	if strings.Contains(t.Name(), "[") {
		return &Refusal{b.path, "is of a generic type, " + t.String()}
	}
	obj, ok := src.pkgs[t.PkgPath()].Types.Scope().Lookup(t.Name()).(*types.TypeName)
	if !ok {
		return &Refusal{b.path, "is of type " + t.String() + ", which is not declared in its package's source"}
	}
	b.named = obj.Type().(*types.Named)
	b.typ = t.Name()
	if t.PkgPath() != home {
		if b.typ = obj.Pkg().Name() + "." + t.Name(); !obj.Exported() {
			return &Refusal{b.path, "is of type " + b.typ + ", which is not exported"}
		}
	}
	s := b.named.Underlying().(*types.Struct)
	for i := range s.NumFields() {
		f := s.Field(i)
		if kind := portKind(f.Type()); kind != "" {
			b.ports[f.Name()] = kind
			b.order = append(b.order, f.Name())
		} else if holdsPorts(f.Type(), 0) {
			return &Refusal{b.path, "has ports inside of its field " + f.Name()}
		}
	}
	inputs := 0
	for _, port := range b.order {
		if kind := b.ports[port]; kind == "In" || kind == "Async" {
			if inputs++; b.input(port) == "" {
				return b.older()
			}
		}
	}
	if inputs != len(b.ins) {
		return b.older()
	}
	return nil
}

// older is the error of a module whose ports in the program are not those in its source.
func (b *box) older() error {
	return fmt.Errorf("%s: the ports of %s have changed since this program was built: build it again", b.path, b.typ)
}

// checkSources looks for the outputs that inputs read in the source.
func (g *graph) checkSources() error {
	for _, b := range g.boxes {
		for _, from := range b.ins {
			number, name, isOutput := strings.Cut(from, ".")
			if i, err := strconv.Atoi(number); isOutput && err == nil {
				src := g.boxes[i]
				if !slices.ContainsFunc(src.order, func(p string) bool { return rtl.SnakeCase(p) == name }) {
					return src.older()
				}
			}
		}
	}
	return nil
}

// input returns what an input reads.
func (b *box) input(port string) string { return b.ins[rtl.SnakeCase(port)] }

// portKind returns "In", "Out", "Wire" or "Async", or nothing for what is no port.
func portKind(t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != rtlPath {
		return ""
	}
	switch name := n.Obj().Name(); name {
	case "In", "Out", "Wire", "Async":
		return name
	}
	return ""
}

var rtlPath = reflect.TypeFor[rtl.Sim]().PkgPath()

// holdsPorts tells whether there are ports inside of a type.
func holdsPorts(t types.Type, depth int) bool {
	if portKind(t) != "" {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for i := range t.NumFields() {
			if holdsPorts(t.Field(i).Type(), depth) {
				return true
			}
		}
	case *types.Array:
		return holdsPorts(t.Elem(), depth)
	case *types.Slice:
		return depth < 3 && holdsPorts(t.Elem(), depth+1)
	case *types.Pointer:
		return portKind(t.Elem()) != ""
	}
	return false
}

// nameBoxes makes a variable's name of each path: its last word, or as many as tell the modules apart.
func nameBoxes(paths []string) []string {
	names := make([]string, len(paths))
	for i, p := range paths {
		words := strings.Split(p, ".")
		for n := 1; n <= len(words); n++ {
			names[i] = camel(words[len(words)-n:])
			twice := false
			for j, q := range paths {
				w := strings.Split(q, ".")
				twice = twice || i != j && camel(w[max(len(w)-n, 0):]) == names[i]
			}
			if !twice {
				break
			}
		}
	}
	return names
}

// camel joins words as a Go name.
func camel(words []string) string {
	var b strings.Builder
	for _, w := range words {
		for _, part := range strings.Split(w, "_") {
			b.WriteString(title(part))
		}
	}
	return lower(b.String())
}

func title(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

func lower(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToLower(s[:1]) + s[1:]
}

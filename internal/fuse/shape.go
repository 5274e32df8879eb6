package fuse

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/rtl/fused"
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

	delay   bool                 // the kernel moves it
	clock   int                  // by its number in the shape
	lengths map[string]int       // of the ports that are slices or arrays
	rows    map[string]bool      // of these the inputs whose values lie beside each other: see isRow
	porty   map[*types.Func]bool // methods that use ports: see usesPorts
}

// field is a private field of another package that the bodies use.
type field struct {
	name string
	typ  types.Type
}

// graph is an island as its shape says it.
type graph struct {
	boxes []*box
	combs []int // calls of Comb in their order

	// outputs that delays of other islands read, and the outputs that other islands read at once: "3.next"
	leaves, gives []string

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

// readShape reads a shape's text, and finds the modules' types and ports in their source.
func readShape(src *source, home string, shape fused.Shape) (*graph, error) {
	g := &graph{}
	names := nameBoxes(shape.Paths)
	var all []string
	for _, m := range shape.Modules {
		all = append(all, reflect.TypeOf(m).Elem().PkgPath())
	}
	if err := src.load(all...); err != nil {
		return nil, err
	}
	for line := range strings.Lines(shape.Text) {
		words := strings.Fields(line)
		switch words[0] {
		case "leaves":
			g.leaves = append(g.leaves, words[1])
			continue
		case "gives":
			g.gives = append(g.gives, words[1])
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
		b := &box{path: shape.Paths[i], name: names[i], ins: map[string]string{}, ports: map[string]string{},
			lengths: map[string]int{}, porty: map[*types.Func]bool{}}
		v := reflect.ValueOf(shape.Modules[i]).Elem()
		// the name of a type may have blanks
		for _, w := range strings.Fields(strings.TrimPrefix(line, v.Type().PkgPath()+"."+v.Type().Name())) {
			name, from, connected := strings.Cut(w, "<")
			number, isClock := strings.CutPrefix(w, "clock=")
			switch {
			case connected:
				b.ins[name] = from
			case isClock:
				var err error
				if b.clock, err = strconv.Atoi(number); err != nil {
					return nil, err
				}
			case w == "pipe":
				b.delay = true
			case !strings.Contains(w, "[]="): // how many ports a slice has is seen in the module itself
				return nil, fmt.Errorf("shape of %s: %s", b.path, w)
			}
		}
		if err := g.refuse(b.find(src, home, v)); err != nil {
			return nil, err
		}
		g.boxes = append(g.boxes, b)
	}
	for _, b := range g.boxes {
		b.rows = map[string]bool{}
		for port := range b.lengths {
			b.rows[port] = g.isRow(b, port)
		}
	}
	return g, nil
}

// isRow tells whether several inputs read outputs of one module that stand beside each other in one of its slices, in
// their order.
func (g *graph) isRow(b *box, port string) bool {
	var from []string
	for _, name := range b.signals(port) {
		from = append(from, b.ins[name])
	}
	if len(from) == 0 {
		return false
	}
	number, _, _ := strings.Cut(from[0], ".")
	i, err := strconv.Atoi(number)
	if err != nil {
		return false // a constant, or something outside; outputs have no inputs
	}
	for other := range g.boxes[i].lengths {
		var all []string
		for _, name := range g.boxes[i].signals(other) {
			all = append(all, number+"."+name)
		}
		if at := slices.Index(all, from[0]); at >= 0 && at+len(from) <= len(all) && slices.Equal(all[at:at+len(from)], from) {
			return true
		}
	}
	return false
}

// moved refuses a delay.
func (b *box) moved() *Refusal {
	return &Refusal{Module: b.path, Reason: "is a delay, which the kernel moves"}
}

// find finds the module's type and its ports.
func (b *box) find(src *source, home string, v reflect.Value) error {
	t := v.Type()
	name, args, generic := strings.Cut(strings.TrimSuffix(t.Name(), "]"), "[")
	obj, ok := src.pkgs[t.PkgPath()].Types.Scope().Lookup(name).(*types.TypeName)
	if !ok {
		return &Refusal{
			Module: b.path, Reason: "is of type " + t.String() + ", which is not declared in its package's source",
		}
	}
	if t.PkgPath() != home && !obj.Exported() {
		return &Refusal{Module: b.path, Reason: "is of type " + t.String() + ", which is not exported"}
	}
	b.named = obj.Type().(*types.Named)
	if generic {
		of, err := src.argument(args)
		if err != nil {
			return err
		}
		if of == nil || !nameable(of, home) || b.named.TypeParams().Len() != 1 {
			return &Refusal{Module: b.path, Reason: "is of type " + t.String() + ", whose parameter is not understood"}
		}
		inst, err := types.Instantiate(nil, b.named, []types.Type{of}, true)
		if err != nil {
			return err
		}
		b.named = inst.(*types.Named)
	}
	b.typ = types.TypeString(b.named, func(p *types.Package) string {
		if p.Path() == home {
			return ""
		}
		return p.Name()
	})
	s := b.named.Underlying().(*types.Struct)
	for i := range s.NumFields() {
		f := s.Field(i)
		kind := portKind(f.Type())
		if kind == "" {
			switch t := f.Type().Underlying().(type) {
			case *types.Slice:
				kind = portKind(t.Elem())
			case *types.Array:
				kind = portKind(t.Elem())
			}
			if kind != "" {
				b.lengths[f.Name()] = v.Field(i).Len()
			}
		}
		switch {
		case kind == "" && holdsPorts(f.Type(), 0):
			return &Refusal{Module: b.path, Reason: "has ports inside of its field " + f.Name()}
		case kind == "":
			continue
		case !f.Exported() && t.PkgPath() != home:
			return &Refusal{Module: b.path, Reason: "has the port " + f.Name() + ", which is not exported"}
		case !nameable(b.element(f.Type()), home):
			return &Refusal{
				Module: b.path,
				Reason: "has the port " + f.Name() + " of a type that cannot be named outside of its package",
			}
		}
		b.ports[f.Name()] = kind
		b.order = append(b.order, f.Name())
	}
	inputs := 0
	for _, port := range b.order {
		if kind := b.ports[port]; kind == "In" || kind == "Async" {
			for _, name := range b.signals(port) {
				if inputs++; b.ins[name] == "" {
					return b.older()
				}
			}
		}
	}
	if inputs != len(b.ins) {
		return b.older()
	}
	return nil
}

// argument returns the type of a type's argument as package reflect writes it, nil if it is not one of the language or
// a plain one of a package.
func (s *source) argument(text string) (types.Type, error) {
	dot := strings.LastIndex(text, ".")
	if dot < 0 {
		if obj, is := types.Universe.Lookup(text).(*types.TypeName); is {
			return obj.Type(), nil
		}
		return nil, nil
	}
	path, name := text[:dot], text[dot+1:]
	if strings.ContainsAny(path, "[]*, ") {
		return nil, nil
	}
	if s.pkgs[path] == nil {
		return nil, &missing{path}
	}
	if obj, is := s.pkgs[path].Types.Scope().Lookup(name).(*types.TypeName); is {
		return obj.Type(), nil
	}
	return nil, nil
}

// older is the error of a module whose ports in the program are not those in its source.
func (b *box) older() error {
	return fmt.Errorf("%s: the ports of %s have changed since this program was built: build it again", b.path, b.typ)
}

package fuse

import (
	"go/types"
	"reflect"
	"strconv"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/layout"
)

// portKind returns "In", "Out", "Wire" or "Async", or nothing for another type.
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

// fusedPath is the package that generated code calls.
var fusedPath = rtlPath + "/fused"

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

// signals returns how a shape names a port, or each of several.
func (b *box) signals(port string) []string {
	n, several := b.lengths[port]
	if !several {
		return []string{layout.SnakeCase(port)}
	}
	var names []string
	for i := range n {
		names = append(names, layout.SnakeCase(port)+"_"+strconv.Itoa(i))
	}
	return names
}

// element returns the type of a port's signal.
func (b *box) element(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		t = u.Elem()
	case *types.Array:
		t = u.Elem()
	}
	return types.Unalias(t).(*types.Named).TypeArgs().At(0)
}

// signalType is the type of a port's signal.
func (b *box) signalType(port string) types.Type { return b.element(b.portType(port)) }

func (b *box) isArray(port string) bool {
	_, is := b.portType(port).Underlying().(*types.Array)
	return is
}

func (b *box) portType(port string) types.Type {
	s := b.named.Underlying().(*types.Struct)
	for i := range s.NumFields() {
		if s.Field(i).Name() == port {
			return s.Field(i).Type()
		}
	}
	panic("fuse: " + b.typ + " has no port " + port)
}

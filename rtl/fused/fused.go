// Package fused is for generated code alone: what `goldwire fuse` writes calls it to reach the registers of the kernel.
// It may change with the generator; nobody else should use it. Package internal/fuse explains the code.
//
// The kernel keeps the registers of an island's clock beside each other in two slabs of memory, cur and next, in the
// order in which the modules were added; wires have a slab of their own. [Place] leads into cur, [NextPlace] into next,
// [View] takes the registers of several modules as one struct:
//
//	           module a        module b      module c
//	cur   ┌───────┬─────────┬───────────┬───────────────┐
//	      │ a.Out │ a.Valid │ b.Row ... │ c.Out         │   everybody reads here
//	next  ├───────┼─────────┼───────────┼───────────────┤
//	      │ a.Out │ a.Valid │ b.Row ... │ c.Out         │   Set writes here; a commit copies next to cur
//	      └───────┴─────────┴───────────┴───────────────┘
package fused

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/goldwire/goldwire/internal/fusedcode"
	"github.com/goldwire/goldwire/rtl"
)

// The code of an island; see their own comments.
type (
	Module = fusedcode.Module // as rtl.Module
	Island = fusedcode.Island
	Domain = fusedcode.Domain
	Call   = fusedcode.Call
	Watch  = fusedcode.Watch
	Border = fusedcode.Border
	Shape  = fusedcode.Shape
)

// The compiler hands a function of another package on to importers of this one only if it is inlined here. Generated
// code observes in its inner loop.
var _ = func(w *Watch) { w.Observe() }

// Group is a group of modules that are alike, see [InTurn].
type Group[M any] = fusedcode.Group[M]

// Shapes returns the shapes of an elaborated simulation's islands, in the order of their first modules.
func Shapes(sim *rtl.Sim) []Shape { return fusedcode.Kernel.Shapes(sim) }

// Register makes code known for islands of a shape. Two packages may have code for one shape, made of the same source:
// the first is kept.
func Register(shape string, make func(modules []Module) Island) { fusedcode.Register(shape, make) }

// Alone is a call of a function without arguments.
func Alone(call func()) Call { return fusedcode.Alone(call) }

// InTurn is a call of a function that works on groups of modules, one after another; of returns it, and is no function
// literal. Where calls of one function stand beside each other, one call does for all.
func InTurn[M any](of func(first *Group[M]) func(), groups ...*Group[M]) Call {
	return fusedcode.InTurn(of, groups...)
}

// Field returns where a private field of a module lies. It is for generated code in another package than the module's.
// It panics if the module has no such field of type T: the code is older than the module.
func Field[T any](m Module, name string) *T {
	f := reflect.ValueOf(m).Elem().FieldByName(name)
	if !f.IsValid() || f.Type() != reflect.TypeFor[T]() {
		panic(
			fmt.Sprintf(
				"fused: generated code wants a field %s of type %v in a %T: run goldwire fuse", name, reflect.TypeFor[T](),
				m,
			),
		)
	}
	return (*T)(unsafe.Pointer(f.UnsafeAddr()))
}

// Place returns where the value of a port lies: of an input, where it reads.
func Place[T any](port interface{ Get() T }) *T { return (*T)(*fusedcode.Kernel.Place(port)) }

// NextPlace returns where the value lies that a register has after the edge.
func NextPlace[T any](o *rtl.Out[T]) *T { return (*T)(fusedcode.Kernel.NextPlace(o)) }

// Load returns the value at a place. Generated code calls it where other calls come after it in one expression: Go
// keeps the order of calls, but a variable may be read after them.
func Load[T any](place *T) T { return *place }

// Places returns where the values of several ports lie.
func Places[T, P any, Port interface {
	*P
	interface{ Get() T }
}](ports []P) []*T {
	all := make([]*T, len(ports))
	for i := range ports {
		all[i] = (*T)(*fusedcode.Kernel.Place(Port(&ports[i])))
	}
	return all
}

// Row returns the values of several outputs of a module, which lie beside each other.
func Row[T, P any, Port interface {
	*P
	interface{ Get() T }
}](ports []P) []T {
	return row(Places[T, P, Port](ports))
}

// NextRow returns the values that several registers of a module have after the edge.
func NextRow[T any](ports []rtl.Out[T]) []T {
	all := make([]*T, len(ports))
	for i := range ports {
		all[i] = NextPlace(&ports[i])
	}
	return row(all)
}

// row has neighbouring pointers' targets.
func row[T any](all []*T) []T {
	if len(all) == 0 {
		return []T{}
	}
	values := unsafe.Slice(all[0], len(all))
	for i, p := range all {
		if p != &values[i] {
			panic("fused: outputs of one module do not lie beside each other")
		}
	}
	return values
}

// View returns the registers of modules, which lie beside each other, as one struct: a field for each, an array for
// several in a slice or an array. It panics if the struct has others, or has them at other places: the code is older
// than the modules.
func View[V any](modules ...Module) *V {
	var places []unsafe.Pointer
	var elems []reflect.Type
	for _, m := range modules {
		fusedcode.Kernel.Registers(m, func(place unsafe.Pointer, elem reflect.Type) {
			places, elems = append(places, place), append(elems, elem)
		})
	}
	var want []uintptr
	view := reflect.TypeFor[V]()
	for f := range view.Fields() {
		n, elem := 1, f.Type
		if i := len(want); i < len(elems) && elems[i] != elem && elem.Kind() == reflect.Array {
			n, elem = elem.Len(), elem.Elem()
		}
		for j := range n {
			i := len(want)
			want = append(want, f.Offset+uintptr(j)*elem.Size())
			if i >= len(elems) || elems[i] != elem || places[i] != unsafe.Add(places[0], want[i]) {
				panic(fmt.Sprintf("fused: generated code wants another register as %s of %v: run goldwire fuse", f.Name, view))
			}
		}
	}
	if len(want) != len(elems) {
		panic(fmt.Sprintf("fused: generated code has no field for some registers in %v: run goldwire fuse", view))
	}
	return (*V)(places[0])
}

package rtl

import (
	"reflect"
	"unsafe"

	"github.com/goldwire/goldwire/internal/fusedcode"
)

// border lists the signals that cross the border of an island, for its generated code. Delays of the island's own are
// not among it.
type border struct {
	leaves map[*node]mover // by the delay outside that reads
	gives  map[any]mover   // by output
	comes  map[sink]mover  // by input
}

// alone tells whether generated code moves each value that crosses the part's border by itself.
func (p *part) alone() bool { return p.newDomains != nil }

// crossings are the border's as generated code numbers them: by the lines of the shape.
func (p *part) crossings() *fusedcode.Border {
	b := &fusedcode.Border{Comes: func(in any) any { return p.border.comes[in.(sink)] }}
	for _, n := range p.leaves {
		b.Leaves = append(b.Leaves, p.border.leaves[n])
	}
	for _, src := range p.gives {
		b.Gives = append(b.Gives, p.border.gives[src])
	}
	return b
}

func init() {
	k := &fusedcode.Kernel
	k.Place = func(port any) unsafe.Pointer { return port.(reader).pointer() }
	k.NextPlace = func(register any) unsafe.Pointer {
		return register.(interface{ nextPointer() unsafe.Pointer }).nextPointer()
	}
	k.Line = func(m fusedcode.Module) (start, end any, register unsafe.Pointer) { return m.(delay).moved() }
	k.Registers = func(m fusedcode.Module, each func(unsafe.Pointer, reflect.Type)) {
		portsOf.Find(reflect.ValueOf(m).Elem(), func(_ string, v reflect.Value, _ reflect.StructTag) {
			if o, is := reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Interface().(register); is {
				each(o.(reader).pointer(), o.elem())
			}
		}, func(string, reflect.Value, reflect.StructTag) {})
	}
}

func (o *Out[T]) nextPointer() unsafe.Pointer { return unsafe.Pointer(o.next) }

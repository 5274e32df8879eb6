package rtl

import (
	"fmt"
	"reflect"
	"unsafe"
)

// SetLeaf stores x, cut to the leaf's width, in v. The leaf is one of Layout's for T.
func SetLeaf[T any](v *T, leaf *Leaf, x uint64) { leaf.store(unsafe.Pointer(v), x) }

// Feed is an Out whose type is known only at run time: that of the input it feeds. Replaying recorded values into any
// module takes one Feed an input. It starts at zero unless its module's Reset drives it.
type Feed struct {
	input     *PortInfo
	next, cur unsafe.Pointer
	set       bool // driven since strict mode last looked
}

// Replace makes an input read this Feed and nothing that it was connected to before. Like Connect it comes before
// elaboration; it panics if the port is an output.
func (f *Feed) Replace(input *PortInfo) {
	in, ok := input.port.(interface{ reconnect(source) })
	if !ok {
		panic(fmt.Sprintf("rtl: Feed.Replace: port %s is an output", input.Name))
	}
	f.input = input
	in.reconnect(f)
}

// SetLeaf gives a leaf of the register its value after this edge, cut to the leaf's width.
func (f *Feed) SetLeaf(leaf int, x uint64) {
	f.input.Leaves[leaf].store(f.next, x)
	f.set = true
}

// Poke gives a leaf its value at once, cut to the leaf's width, as a wire from outside of the simulation would. It is for
// between runs of an elaborated simulation, never for a tick.
func (f *Feed) Poke(leaf int, x uint64) {
	f.input.Leaves[leaf].store(f.cur, x)
	f.input.Leaves[leaf].store(f.next, x)
}

func (i *In[T]) reconnect(s source)    { i.src = s }
func (a *Async[T]) reconnect(s source) { a.src = s }

func (f *Feed) isSource()                     {}
func (f *Feed) elem() reflect.Type            { return f.input.Type }
func (f *Feed) bind(cur, next unsafe.Pointer) { f.cur, f.next = cur, next }
func (f *Feed) driven() *bool                 { return &f.set }
func (f *Feed) pointer() unsafe.Pointer       { return f.cur }

func (l *Leaf) store(base unsafe.Pointer, x uint64) {
	x &= ^uint64(0) >> (64 - l.Width)
	p := unsafe.Add(base, l.offset)
	switch l.kind {
	case reflect.Bool:
		*(*bool)(p) = x == 1
	case reflect.Uint8:
		*(*uint8)(p) = uint8(x)
	case reflect.Uint16:
		*(*uint16)(p) = uint16(x)
	case reflect.Uint32:
		*(*uint32)(p) = uint32(x)
	default:
		*(*uint64)(p) = x
	}
}

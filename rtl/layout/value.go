package layout

import (
	"reflect"
	"unsafe"
)

// Load returns the leaf of the value that lies at base.
func (l *Leaf) Load(base unsafe.Pointer) uint64 { return l.Tap(base).Value() }

// Store gives the leaf of the value that lies at base what x is, cut to the leaf's width.
func (l *Leaf) Store(base unsafe.Pointer, x uint64) {
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

// Set stores x, cut to the leaf's width, in v. The leaf is one of T.
func Set[T any](v *T, leaf *Leaf, x uint64) { leaf.Store(unsafe.Pointer(v), x) }

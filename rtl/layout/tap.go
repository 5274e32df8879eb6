package layout

import (
	"reflect"
	"unsafe"
)

// Tap is where a leaf's value lies. Reading it is one load.
type Tap struct {
	p    unsafe.Pointer
	kind reflect.Kind
}

// Tap returns the tap of the leaf of the value that lies at base.
func (l *Leaf) Tap(base unsafe.Pointer) Tap { return Tap{unsafe.Add(base, l.offset), l.kind} }

// Value returns the value.
func (t Tap) Value() uint64 {
	switch t.kind {
	case reflect.Bool:
		if *(*bool)(t.p) {
			return 1
		}
		return 0
	case reflect.Uint8:
		return uint64(*(*uint8)(t.p))
	case reflect.Uint16:
		return uint64(*(*uint16)(t.p))
	case reflect.Uint32:
		return uint64(*(*uint32)(t.p))
	default:
		return *(*uint64)(t.p)
	}
}

// Taps are taps that are read together. Their values go into consecutive places, in the order of the taps.
type Taps struct {
	bytes, halves, words, longs []placedTap // by the size of the value there; a bool is a byte of 0 or 1
	count                       int
}

type placedTap struct {
	p  unsafe.Pointer
	at uintptr // in bytes, of the value's place
}

// Join makes taps that are read together.
func Join(taps []Tap) Taps {
	t := Taps{count: len(taps)}
	for i, one := range taps {
		group := &t.longs
		switch one.kind {
		case reflect.Bool, reflect.Uint8:
			group = &t.bytes
		case reflect.Uint16:
			group = &t.halves
		case reflect.Uint32:
			group = &t.words
		}
		*group = append(*group, placedTap{one.p, uintptr(i) * unsafe.Sizeof(uint64(0))})
	}
	return t
}

// Read reads the values: one load and one store each, no case to distinguish and one length to check.
func (t *Taps) Read(dst []uint64) {
	to := unsafe.Pointer(unsafe.SliceData(dst[:t.count]))
	for _, x := range t.bytes {
		*(*uint64)(unsafe.Add(to, x.at)) = uint64(*(*uint8)(x.p))
	}
	for _, x := range t.halves {
		*(*uint64)(unsafe.Add(to, x.at)) = uint64(*(*uint16)(x.p))
	}
	for _, x := range t.words {
		*(*uint64)(unsafe.Add(to, x.at)) = uint64(*(*uint32)(x.p))
	}
	for _, x := range t.longs {
		*(*uint64)(unsafe.Add(to, x.at)) = *(*uint64)(x.p)
	}
}

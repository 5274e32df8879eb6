package state

import (
	"errors"
	"unsafe"
)

var errElsewhere = errors.New("points to another place inside of an object than as built: keep an index instead")

// Built is where the references in objects led into objects when a simulation began. A reference that leads to another
// place since cannot be read back, as [Decoder] takes places in objects from the built ones.
type Built struct {
	objects int                       // how many were registered
	leads   map[unsafe.Pointer]header // by where the reference lies; of a pointer with a capacity of 0
}

// Built looks at the references that are part of the objects registered so far, the encoder has written nothing yet.
func (e *Encoder) Built() *Built {
	b := &Built{len(e.ids), map[unsafe.Pointer]header{}}
	for k := range e.ids {
		b.note(e, k.plan, k.p)
	}
	return b
}

// note keeps where the references of a value lead, if that is in an object.
func (b *Built) note(e *Encoder, q *plan, p unsafe.Pointer) {
	for i := range q.ops {
		o := &q.ops[i]
		at := unsafe.Add(p, o.at)
		switch o.kind {
		case pointer:
			if to := *(*unsafe.Pointer)(at); to != nil && e.objects.around(to, o.elem.size) != nil {
				b.leads[at] = header{data: to}
			}
		case list:
			if h := (*header)(at); h.data != nil && e.objects.around(h.data, uintptr(h.cap)*o.elem.size) != nil {
				b.leads[at] = *h
			}
		case array:
			if len(o.elem.ops) > 0 {
				for j := range o.len {
					b.note(e, o.elem, unsafe.Add(at, uintptr(j)*o.elem.size))
				}
			}
		case object:
			b.note(e, o.elem, at)
		}
	}
}

// AsBuilt makes the encoder refuse a reference that leads to another place in an object than it did as built. The
// objects of then are registered first.
func (e *Encoder) AsBuilt(b *Built) { e.built = b }

// moved tells whether the reference at a place leads into the object o, and did not when the simulation began. It knows
// only references in objects that were there then, and places in those.
func (e *Encoder) moved(at unsafe.Pointer, o *objectExtent, h header) bool {
	if e.built == nil || o.id >= e.built.objects {
		return false
	}
	if owner := e.objects.around(at, 1); owner == nil || owner.id >= e.built.objects {
		return false
	}
	was := e.built.leads[at] // nowhere, if it is not there
	return was.data != h.data || was.cap != h.cap
}

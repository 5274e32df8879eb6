package state

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// Encoder writes state. Objects are registered first, all of them, then written in any order; the decoder is told the
// same.
type Encoder struct {
	plans   *Plans
	buf     []byte
	ids     map[key]known
	types   map[reflect.Type]uint64
	objects objects
	extents []extent       // of pointers' targets and of slices
	built   *Built         // nil if nobody knows
	wanted  unsafe.Pointer // whose path is looked for
	words   []uint64       // to be packed
	depth   int
}

// key is a thing's identity: a struct and its first field lie at one place.
type key struct {
	p    unsafe.Pointer
	plan *plan
	kind kind // pointer, list or table
}

type known struct {
	id       uint64
	len, cap int
}

// NewEncoder returns an encoder.
func NewEncoder(p *Plans) *Encoder {
	return &Encoder{plans: p, ids: map[key]known{}, types: map[reflect.Type]uint64{}, words: make([]uint64, 0, block)}
}

// Expect makes room for a state of about the size of another's, which [Encoder.Size] tells.
func (e *Encoder) Expect(bytes, things int) {
	e.buf, e.ids = make([]byte, 0, bytes+bytes/8), make(map[key]known, things)
}

// Size tells how many bytes were written, and how many things references may lead to.
func (e *Encoder) Size() (bytes, things int) { return len(e.buf), len(e.ids) }

// Register makes the target of a pointer known, so that pointers to it are not followed. It panics if v is no pointer.
func (e *Encoder) Register(v any) {
	p, q := e.plans.target(v)
	k := key{p, q, pointer}
	if _, ok := e.ids[k]; ok {
		return
	}
	id := len(e.ids)
	e.ids[k] = known{id: uint64(id)}
	e.objects.add(p, q.size, id)
}

// target returns a pointer's target, and the plan of its type.
func (p *Plans) target(v any) (unsafe.Pointer, *plan) {
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Pointer || r.IsNil() {
		panic(fmt.Sprintf("state: a %T, want a pointer to something", v))
	}
	return r.UnsafePointer(), p.of(r.Type().Elem())
}

// Object writes the target of a pointer. The error names the field that cannot be written.
func (e *Encoder) Object(name string, v any) error {
	p, q := e.plans.target(v)
	if err := e.value(q, p); err != nil {
		return at(name, err)
	}
	return nil
}

// Uint writes a number.
func (e *Encoder) Uint(x uint64) { e.buf = binary.AppendUvarint(e.buf, x) }

// Bytes returns the written bytes.
func (e *Encoder) Bytes() []byte { return e.buf }

// Overlap returns the place of a slice or target that overlaps with another, nil if none does. Only after all has been
// written is it known.
func (e *Encoder) Overlap() unsafe.Pointer {
	i, found := overlap(e.extents)
	if !found {
		return nil
	}
	for k := range e.ids {
		if uintptr(k.p) == e.extents[i].lo {
			return k.p
		}
	}
	return nil
}

// Find makes the encoder fail at the path that leads to a place, of which Overlap told.
func (e *Encoder) Find(p unsafe.Pointer) { e.wanted = p }

var errShared = errors.New("shares its memory with another slice or pointer in part: keep an index instead")

// meet takes note of memory that is walked.
func (e *Encoder) meet(p unsafe.Pointer, size uintptr) error {
	if p == e.wanted {
		return errShared
	}
	if size > 0 {
		e.extents = append(e.extents, extent{lo: uintptr(p), hi: uintptr(p) + size})
	}
	return nil
}

func (e *Encoder) value(q *plan, p unsafe.Pointer) error {
	if e.depth++; e.depth > deepest {
		return errDeep
	}
	e.pattern(&q.own, p, 1, 0)
	for i := range q.ops {
		o := &q.ops[i]
		if err := e.step(o, unsafe.Add(p, o.at)); err != nil {
			return at(o.name, err)
		}
	}
	e.depth--
	return nil
}

func (e *Encoder) step(o *op, p unsafe.Pointer) error {
	switch o.kind {
	case text:
		e.text(*(*string)(p))
	case list:
		return e.list(o.elem, (*header)(p))
	case pointer:
		return e.pointer(o.elem, (*unsafe.Pointer)(p))
	case failure:
		text := ""
		if err := *(*error)(p); err != nil {
			text = "!" + err.Error()
		}
		e.text(text)
	case dynamic:
		return e.dynamic(reflect.NewAt(o.typ, p).Elem())
	case table:
		return e.table(o, reflect.NewAt(o.typ, p).Elem())
	case array:
		return e.elements(o.elem, p, o.len)
	case object:
		if _, registered := e.ids[key{p, o.elem, pointer}]; !registered {
			return e.value(o.elem, p)
		}
	case absent:
		if *(*unsafe.Pointer)(p) != nil {
			return o.refusal()
		}
	}
	return nil
}

func (e *Encoder) text(s string) {
	e.Uint(uint64(len(s)))
	e.buf = append(e.buf, s...)
}

func (e *Encoder) elements(q *plan, p unsafe.Pointer, n int) error {
	if len(q.ops) == 0 {
		if q.plain {
			e.Memory(unsafe.Slice((*byte)(p), uintptr(n)*q.size))
			return nil
		}
		most := n / q.group
		e.pattern(&q.few, p, most, uintptr(q.group)*q.size)
		if most *= q.group; most < n {
			e.pattern(&q.own, unsafe.Add(p, uintptr(most)*q.size), n-most, q.size)
		}
		return nil
	}
	for i := range n {
		x := unsafe.Add(p, uintptr(i)*q.size)
		if q.object {
			if _, registered := e.ids[key{x, q, pointer}]; registered {
				continue
			}
		}
		if err := e.value(q, x); err != nil {
			return at(element(i), err)
		}
	}
	return nil
}

// A reference is written as a number: nil, a place inside of an object, or the thing of an id. New things have the next
// id, and their content follows.
const (
	isNil uint64 = iota
	isInside
	firstID
)

// header is a slice as the language keeps it.
type header struct {
	data     unsafe.Pointer
	len, cap int
}

// inside writes a target's place in an object and reports whether it lies in one. The reference to it is at a place,
// and leads to h.
func (e *Encoder) inside(at unsafe.Pointer, h header, size uintptr) (bool, error) {
	o := e.objects.around(h.data, size)
	if o == nil {
		return false, nil
	}
	if e.moved(at, o, h) {
		return true, errElsewhere
	}
	e.Uint(isInside)
	e.Uint(uint64(o.id))
	e.Uint(uint64(uintptr(h.data) - o.lo))
	return true, nil
}

func (e *Encoder) list(q *plan, h *header) error {
	switch {
	case h.data == nil:
		e.Uint(isNil)
		return nil
	case h.cap > 0 && q.size > 0:
		k := key{h.data, q, list}
		if old, ok := e.ids[k]; ok {
			if old.len != h.len || old.cap != h.cap {
				return errShared
			}
			e.Uint(firstID + old.id)
			return nil
		}
		if is, err := e.inside(unsafe.Pointer(h), *h, uintptr(h.cap)*q.size); err != nil {
			return err
		} else if is {
			e.Uint(uint64(h.len))
			e.Uint(uint64(h.cap))
			return nil
		}
		if err := e.meet(h.data, uintptr(h.len)*q.size); err != nil {
			return err
		}
		e.Uint(firstID + uint64(len(e.ids)))
		e.ids[k] = known{uint64(len(e.ids)), h.len, h.cap}
	default: // nothing that could be shared: each is a new one
		e.Uint(firstID + uint64(len(e.ids)))
		e.ids[key{unsafe.Pointer(h), q, list}] = known{uint64(len(e.ids)), h.len, h.cap}
	}
	e.Uint(uint64(h.len))
	e.Uint(uint64(h.cap - h.len))
	return e.elements(q, h.data, h.len)
}

func (e *Encoder) pointer(q *plan, at *unsafe.Pointer) error {
	p := *at
	if p == nil {
		e.Uint(isNil)
		return nil
	}
	k := key{p, q, pointer}
	if old, ok := e.ids[k]; ok {
		e.Uint(firstID + old.id)
		return nil
	}
	if is, err := e.inside(unsafe.Pointer(at), header{data: p}, q.size); is {
		return err
	}
	if err := e.meet(p, q.size); err != nil {
		return err
	}
	e.Uint(firstID + uint64(len(e.ids)))
	e.ids[k] = known{id: uint64(len(e.ids))}
	return e.value(q, p)
}

// dynamic writes an interface: a number for its type, with the type's name the first time, then its contents.
func (e *Encoder) dynamic(v reflect.Value) error {
	if v.IsNil() {
		e.Uint(0)
		return nil
	}
	t := v.Elem().Type()
	id, met := e.types[t]
	if !met {
		id = uint64(len(e.types) + 1)
		e.types[t] = id
	}
	e.Uint(id)
	if !met {
		e.text(typeName(t))
	}
	box := reflect.New(t)
	box.Elem().Set(v.Elem())
	return e.value(e.plans.of(t), box.UnsafePointer())
}

func typeName(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		return "*" + typeName(t.Elem())
	}
	if t.Name() == "" {
		return t.String()
	}
	return t.PkgPath() + "." + t.Name()
}

func (e *Encoder) table(o *op, v reflect.Value) error {
	if v.IsNil() {
		e.Uint(isNil)
		return nil
	}
	k := key{v.UnsafePointer(), o.elem, table}
	if old, ok := e.ids[k]; ok {
		e.Uint(firstID + old.id)
		return nil
	}
	if !o.keys.sortable() {
		return fmt.Errorf("a %v cannot be saved: its keys have no order", o.typ)
	}
	e.Uint(firstID + uint64(len(e.ids)))
	e.ids[k] = known{id: uint64(len(e.ids))}
	e.Uint(uint64(v.Len()))
	type entry struct {
		key   []byte
		value reflect.Value
	}
	var all []entry
	for it := v.MapRange(); it.Next(); {
		box, value := reflect.New(o.typ.Key()), reflect.New(o.typ.Elem())
		box.Elem().Set(it.Key())
		value.Elem().Set(it.Value())
		sub := NewEncoder(e.plans)
		if err := sub.value(o.keys, box.UnsafePointer()); err != nil {
			return err
		}
		all = append(all, entry{sub.buf, value})
	}
	slices.SortFunc(all, func(a, b entry) int { return bytes.Compare(a.key, b.key) })
	for _, x := range all {
		e.buf = append(e.buf, x.key...)
		if err := e.value(o.elem, x.value.UnsafePointer()); err != nil {
			return at("{}", err)
		}
	}
	return nil
}

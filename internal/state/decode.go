package state

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"unsafe"
)

// Decoder reads what an [Encoder] wrote into values that were built alike. Built values are kept where they can be: an
// object's memory stays its own. After an error the values are good for nothing.
type Decoder struct {
	plans   *Plans
	data    []byte
	words   []uint64 // that were unpacked
	things  []thing  // by id
	objects objects
	taken   map[key]bool // things with an id
	types   []string
	extents []extent
	room    uint64 // bytes that may still be allocated
	depth   int
}

// thing is the target of references.
type thing struct {
	key
	len, cap int
}

// Most that reading may allocate: what the state can need, and not what a damaged length says.
const (
	leastRoom   = 1 << 30
	roomForByte = 256
)

// NewDecoder returns a decoder of an encoder's bytes.
func NewDecoder(p *Plans, data []byte) *Decoder {
	return &Decoder{
		plans: p, data: data, words: make([]uint64, block), taken: map[key]bool{},
		room: leastRoom + roomForByte*uint64(len(data)),
	}
}

// Register tells of an object in the order of [Encoder.Register].
func (d *Decoder) Register(v any) {
	p, q := d.plans.target(v)
	if k := (key{p, q, pointer}); !d.taken[k] {
		d.objects.add(p, q.size, len(d.things))
		d.add(thing{key: k})
	}
}

func (d *Decoder) add(t thing) {
	d.things = append(d.things, t)
	d.taken[t.key] = true
}

// Object reads the target of a pointer.
func (d *Decoder) Object(name string, v any) error {
	p, q := d.plans.target(v)
	if err := d.value(q, p); err != nil {
		return at(name, err)
	}
	return nil
}

// Uint reads a number.
func (d *Decoder) Uint() (uint64, error) {
	x, n := binary.Uvarint(d.data)
	if n <= 0 {
		return 0, errDamaged
	}
	d.data = d.data[n:]
	return x, nil
}

// Close wants all to be read, and nothing to have been read into memory that two share.
func (d *Decoder) Close() error {
	if len(d.data) > 0 {
		return errDamaged
	}
	if _, found := overlap(d.extents); found {
		return errors.New("two slices or pointers share their memory as built, but not in the state")
	}
	return nil
}

func (d *Decoder) take(n int) ([]byte, error) {
	if n < 0 || n > len(d.data) {
		return nil, errDamaged
	}
	b := d.data[:n]
	d.data = d.data[n:]
	return b, nil
}

// length reads a number of things of a size, and takes their memory from the allowance.
func (d *Decoder) length(size uintptr) (int, error) {
	n, err := d.Uint()
	if err != nil {
		return 0, err
	}
	size = max(size, 1)
	if n > d.room/uint64(size) {
		return 0, errDamaged
	}
	d.room -= n * uint64(size)
	return int(n), nil
}

func (d *Decoder) value(q *plan, p unsafe.Pointer) error {
	if d.depth++; d.depth > deepest {
		return errDeep
	}
	if err := d.pattern(&q.own, p, 1, 0); err != nil {
		return err
	}
	for i := range q.ops {
		o := &q.ops[i]
		if err := d.step(o, unsafe.Add(p, o.at)); err != nil {
			return at(o.name, err)
		}
	}
	d.depth--
	return nil
}

func (d *Decoder) step(o *op, p unsafe.Pointer) error {
	switch o.kind {
	case text:
		s, err := d.text()
		if err == nil && *(*string)(p) != string(s) {
			*(*string)(p) = string(s)
		}
		return err
	case list:
		return d.list(o.elem, reflect.NewAt(o.typ, p).Elem(), (*header)(p))
	case pointer:
		return d.pointer(o.elem, (*unsafe.Pointer)(p))
	case failure:
		return d.failure((*error)(p))
	case dynamic:
		return d.dynamic(reflect.NewAt(o.typ, p).Elem())
	case table:
		return d.table(o, reflect.NewAt(o.typ, p).Elem())
	case array:
		return d.elements(o.elem, p, o.len)
	case object:
		if !d.taken[key{p, o.elem, pointer}] {
			return d.value(o.elem, p)
		}
	case absent:
		if *(*unsafe.Pointer)(p) != nil {
			return o.refusal()
		}
	}
	return nil
}

func (d *Decoder) text() ([]byte, error) {
	n, err := d.length(1)
	if err != nil {
		return nil, err
	}
	return d.take(n)
}

// failure reads an error. It is the built one, if that has the same text.
func (d *Decoder) failure(err *error) error {
	text, fault := d.text()
	switch {
	case fault != nil:
		return fault
	case len(text) == 0:
		*err = nil
	case *err == nil || (*err).Error() != string(text[1:]):
		*err = errors.New(string(text[1:]))
	}
	return nil
}

func (d *Decoder) elements(q *plan, p unsafe.Pointer, n int) error {
	if len(q.ops) == 0 {
		if q.plain {
			return d.Memory(unsafe.Slice((*byte)(p), uintptr(n)*q.size))
		}
		most := n / q.group
		if err := d.pattern(&q.few, p, most, uintptr(q.group)*q.size); err != nil {
			return err
		}
		if most *= q.group; most < n {
			return d.pattern(&q.own, unsafe.Add(p, uintptr(most)*q.size), n-most, q.size)
		}
		return nil
	}
	for i := range n {
		x := unsafe.Add(p, uintptr(i)*q.size)
		if q.object && d.taken[key{x, q, pointer}] {
			continue
		}
		if err := d.value(q, x); err != nil {
			return at(element(i), err)
		}
	}
	return nil
}

// reference reads what a reference leads to: nothing (nil), a thing that is known, or a new one. Inside, if not nil, is
// where in an object it lies.
func (d *Decoder) reference(q *plan, k kind) (t *thing, inside unsafe.Pointer, isNew bool, err error) {
	x, err := d.Uint()
	switch {
	case err != nil || x == isNil:
		return nil, nil, false, err
	case x == isInside:
		id, err := d.Uint()
		if err != nil {
			return nil, nil, false, err
		}
		offset, err := d.Uint()
		if err != nil || id >= uint64(len(d.things)) || d.things[id].kind != pointer ||
			offset >= uint64(d.things[id].plan.size) {
			return nil, nil, false, errDamaged
		}
		return nil, unsafe.Add(d.things[id].p, offset), false, nil
	case x-firstID == uint64(len(d.things)):
		return nil, nil, true, nil
	case x-firstID > uint64(len(d.things)):
		return nil, nil, false, errDamaged
	}
	t = &d.things[x-firstID]
	if t.plan != q || t.kind != k {
		return nil, nil, false, errDamaged
	}
	return t, nil, false, nil
}

// free tells whether a new thing may have the memory that was built for it: no other thing has it, and it is no part of
// an object.
func (d *Decoder) free(p unsafe.Pointer, q *plan, k kind, size uintptr) bool {
	return !d.taken[key{p, q, k}] && d.objects.around(p, size) == nil
}

func (d *Decoder) list(q *plan, v reflect.Value, h *header) error {
	t, inside, isNew, err := d.reference(q, list)
	switch {
	case err != nil:
		return err
	case t != nil:
		*h = header{t.p, t.len, t.cap}
		return nil
	case inside != nil:
		n, err := d.Uint()
		if err != nil {
			return err
		}
		room, err := d.Uint()
		if err != nil {
			return err
		}
		if h.data != inside || uint64(h.cap) != room || n > room {
			return errElsewhere
		}
		h.len = int(n)
		return nil
	case !isNew:
		v.SetZero()
		return nil
	}
	n, err := d.length(q.size)
	if err != nil {
		return err
	}
	more, err := d.length(q.size)
	if err != nil {
		return err
	}
	room := n + more
	shared := room > 0 && q.size > 0
	if h.data == nil || h.cap != room || shared && !d.free(h.data, q, list, uintptr(room)*q.size) {
		v.Set(reflect.MakeSlice(v.Type(), n, room))
	} else {
		h.len = n
	}
	d.add(thing{key{h.data, q, list}, n, room})
	if shared {
		d.extents = append(d.extents, extent{lo: uintptr(h.data), hi: uintptr(h.data) + uintptr(n)*q.size})
	}
	return d.elements(q, h.data, n)
}

func (d *Decoder) pointer(q *plan, p *unsafe.Pointer) error {
	t, inside, isNew, err := d.reference(q, pointer)
	switch {
	case err != nil:
		return err
	case t != nil:
		*p = t.p
		return nil
	case inside != nil:
		if *p != inside {
			return errElsewhere
		}
		return nil
	case !isNew:
		*p = nil
		return nil
	}
	if *p == nil || !d.free(*p, q, pointer, q.size) {
		if uint64(q.size) > d.room {
			return errDamaged
		}
		d.room -= uint64(q.size)
		*p = reflect.New(q.typ).UnsafePointer()
	}
	d.add(thing{key: key{*p, q, pointer}})
	if q.size > 0 {
		d.extents = append(d.extents, extent{lo: uintptr(*p), hi: uintptr(*p) + q.size})
	}
	return d.value(q, *p)
}

func (d *Decoder) dynamic(v reflect.Value) error {
	id, err := d.Uint()
	if err != nil {
		return err
	}
	if id == 0 {
		v.SetZero()
		return nil
	}
	switch {
	case id == uint64(len(d.types)+1):
		name, err := d.text()
		if err != nil {
			return err
		}
		d.types = append(d.types, string(name))
	case id > uint64(len(d.types)):
		return errDamaged
	}
	want := d.types[id-1]
	if v.IsNil() {
		return fmt.Errorf("held a %s, and is nil as built", want)
	}
	t := v.Elem().Type()
	if got := typeName(t); got != want {
		return fmt.Errorf("held a %s, and is a %s as built", want, got)
	}
	box := reflect.New(t)
	box.Elem().Set(v.Elem())
	if err := d.value(d.plans.of(t), box.UnsafePointer()); err != nil {
		return err
	}
	v.Set(box.Elem())
	return nil
}

func (d *Decoder) table(o *op, v reflect.Value) error {
	t, inside, isNew, err := d.reference(o.elem, table)
	switch {
	case err != nil:
		return err
	case inside != nil:
		return errDamaged
	case t != nil:
		*(*unsafe.Pointer)(v.Addr().UnsafePointer()) = t.p
		return nil
	case !isNew:
		v.SetZero()
		return nil
	}
	n, err := d.length(o.keys.size + o.elem.size)
	if err != nil {
		return err
	}
	old := map[any]reflect.Value{}
	if v.IsNil() || d.taken[key{v.UnsafePointer(), o.elem, table}] {
		v.Set(reflect.MakeMap(o.typ))
	} else {
		for it := v.MapRange(); it.Next(); {
			old[it.Key().Interface()] = it.Value()
		}
		v.Clear()
	}
	d.add(thing{key: key{v.UnsafePointer(), o.elem, table}})
	for range n {
		box, value := reflect.New(o.typ.Key()), reflect.New(o.typ.Elem())
		if err := d.value(o.keys, box.UnsafePointer()); err != nil {
			return err
		}
		if was, ok := old[box.Elem().Interface()]; ok {
			value.Elem().Set(was)
		}
		if err := d.value(o.elem, value.UnsafePointer()); err != nil {
			return at("{}", err)
		}
		v.SetMapIndex(box.Elem(), value.Elem())
	}
	return nil
}

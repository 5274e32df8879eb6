package state

import (
	"fmt"
	"io"
	"reflect"
	"sync"
)

// Rules say what of a program's types is no state of their owner.
type Rules struct {
	// Wiring tells of a type that it is left as built: it joins objects, and is not their state.
	Wiring func(reflect.Type) bool
	// Object tells of a struct type that its values may be registered: where one lies inside of something else, it is
	// walked once.
	Object func(reflect.Type) bool
}

// Plans has the plans of types, each made once.
type Plans struct {
	rules Rules
	mu    sync.Mutex
	byTyp map[reflect.Type]*plan
}

// NewPlans returns an empty collection.
func NewPlans(r Rules) *Plans { return &Plans{rules: r, byTyp: map[reflect.Type]*plan{}} }

// plan says how to walk values of a type.
type plan struct {
	typ   reflect.Type
	size  uintptr
	spans []span // values without references
	own   pattern
	ops   []op // the references

	plain bool    // all bytes are state
	few   pattern // of several values in a row, if they have no references
	group int     // how many these are: whole words

	object bool // a struct that may be registered
}

// mostSpans bounds what an array adds to its owner's pattern.
const mostSpans = 64

// op is a step of a plan.
type op struct {
	kind kind
	at   uintptr // in the value
	name string  // of the field, with the dots to it
	typ  reflect.Type
	elem *plan // of the target or the contents
	keys *plan // of a map
	len  int   // of an array
}

type kind uint8

const (
	text    kind = iota // string
	list                // slice
	pointer             // to a type with a plan
	dynamic             // interface
	failure             // error: its text
	table               // map
	array               // of elements that are not plain
	object              // struct that may be registered
	absent              // what must be nil: functions, channels
)

// of returns the plan of a type.
func (p *Plans) of(t reflect.Type) *plan {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.plan(t)
}

func (p *Plans) plan(t reflect.Type) *plan {
	if q := p.byTyp[t]; q != nil {
		return q
	}
	q := &plan{typ: t, size: t.Size()}
	p.byTyp[t] = q // before its fields: types are recursive through pointers
	if t.Kind() == reflect.Struct {
		q.object = p.rules.Object(t)
		p.fields(q, t, 0, "")
	} else {
		p.add(q, t, 0, "")
	}
	q.own = patternOf(q.spans, q.size)
	covered := uintptr(0)
	for _, s := range q.spans {
		covered += s.size
	}
	q.plain = covered == q.size
	if len(q.ops) == 0 && !q.plain {
		q.group = int(word / min(word, q.size&-q.size))
		q.few = patternOf(repeat(q.spans, q.group, q.size), uintptr(q.group)*q.size)
	}
	return q
}

// fields adds the steps of a struct that lies at an offset.
func (p *Plans) fields(q *plan, t reflect.Type, at uintptr, name string) {
	for f := range t.Fields() {
		if f.Name != "_" && f.Tag.Get("state") != "none" {
			p.add(q, f.Type, at+f.Offset, name+"."+f.Name)
		}
	}
}

// add adds the steps of a type at an offset.
func (p *Plans) add(q *plan, t reflect.Type, at uintptr, name string) {
	if p.rules.Wiring(t) {
		return
	}
	o := op{at: at, name: name, typ: t}
	switch t.Kind() {
	case reflect.Struct:
		if !p.rules.Object(t) {
			p.fields(q, t, at, name)
			return
		}
		o.kind, o.elem = object, p.plan(t)
	case reflect.Array:
		e := p.plan(t.Elem())
		switch {
		case e.plain:
			q.spans = append(q.spans, span{at, t.Size(), name, t})
			return
		case len(e.ops) == 0 && t.Len()*len(e.spans) <= mostSpans:
			for _, s := range repeat(e.spans, t.Len(), e.size) {
				q.spans = append(q.spans, span{at + s.at, s.size, name + s.name, s.typ})
			}
			return
		}
		o.kind, o.elem, o.len = array, e, t.Len()
	case reflect.String:
		o.kind = text
	case reflect.Slice:
		o.kind, o.elem = list, p.plan(t.Elem())
	case reflect.Pointer:
		o.kind, o.elem = pointer, p.plan(t.Elem())
	case reflect.Interface:
		if o.kind = dynamic; t == reflect.TypeFor[error]() {
			o.kind = failure
		}
	case reflect.Map:
		o.kind, o.keys, o.elem = table, p.plan(t.Key()), p.plan(t.Elem())
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		o.kind = absent
	default:
		q.spans = append(q.spans, span{at, t.Size(), name, t})
		return
	}
	q.ops = append(q.ops, o)
}

// sortable tells whether a value stands whole in its bytes when it is written, so that they give an order.
func (q *plan) sortable() bool {
	for i := range q.ops {
		switch o := &q.ops[i]; o.kind {
		case text:
		case array, object:
			if !o.elem.sortable() {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// Describe writes the layout of a type and of all types that it leads to. Two programs whose layouts differ cannot read
// each other's state.
func (p *Plans) Describe(w io.Writer, t reflect.Type, seen map[reflect.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	q := p.of(t)
	fmt.Fprintln(w, t.String(), t.Size())
	for _, s := range q.spans {
		fmt.Fprintln(w, s.at, s.size, s.name, s.typ)
	}
	var leads []reflect.Type
	for i := range q.ops {
		o := &q.ops[i]
		fmt.Fprintln(w, o.kind, o.at, o.len, o.name, o.typ)
		if o.elem != nil {
			leads = append(leads, o.elem.typ)
		}
		if o.keys != nil {
			leads = append(leads, o.keys.typ)
		}
	}
	for _, next := range leads {
		p.Describe(w, next, seen)
	}
}

package rtl

import (
	"reflect"
	"unsafe"
)

// In is an input. It reads the Out or Wire of the same clock that it is connected to. Until [Sim.Elaborate] returned
// without an error there is nothing to read, and Get panics with a nil pointer, as Get and Set of an [Out] do.
type In[T any] struct {
	p    *T
	link *link
}

// link is what an input is connected to, and whether it was read. Only strict mode keeps it after elaboration: a module
// may have hundreds of inputs, and a Get in another mode touches no more memory than it has to.
type link struct {
	src  source
	used bool // read since strict mode last looked
}

// Get returns the value before this edge.
func (i *In[T]) Get() T {
	if i.link != nil {
		i.link.used = true
	}
	return *i.p
}

// Out is an output register.
type Out[T any] struct {
	next, cur *T
	set       bool // driven since strict mode last looked
}

// Set gives the register its value after this edge. A register that is not set keeps its value.
func (o *Out[T]) Set(v T) {
	*o.next = v
	o.set = true
}

// Get returns the register's value before this edge.
func (o *Out[T]) Get() T { return *o.cur }

// Wire is a combinational output. Only Comb drives it, in every call: a Wire that Comb leaves undriven would be a
// latch.
//
// By default a Wire depends on every In of its module that reads another Wire. A `comb:"Valid,Data"` tag on the field
// names the inputs that it depends on, `comb:"none"` says that it depends on registers only.
type Wire[T any] struct {
	p   *T
	set bool
}

// Set drives the wire.
func (w *Wire[T]) Set(v T) {
	*w.p = v
	w.set = true
}

// Get returns the value that Comb drove.
func (w *Wire[T]) Get() T { return *w.p }

// Async is an input that reads a register of any clock, as the first flip-flop of a synchroniser does. Reading it in
// Comb is a fault. With [Config].Jitter a change is seen one edge late in half of the cases, as metastability makes it.
type Async[T any] struct {
	p    *T
	link *link
}

// Get returns the source's value before this edge.
func (a *Async[T]) Get() T {
	if a.link != nil {
		a.link.used = true
	}
	return *a.p
}

// Source is what an input can be connected to: an Out or a Wire.
type Source[T any] interface {
	source
	Get() T
}

// Sink is a reader of a Source: an In or an Async.
type Sink[T any] interface {
	sink
	Get() T
}

// Connect connects a source to any number of inputs, before elaboration.
func Connect[T any](src Source[T], dst ...Sink[T]) {
	for _, d := range dst {
		d.connect(src)
	}
}

// Tie connects inputs to a constant.
func Tie[T any](v T, dst ...Sink[T]) {
	Connect[T](&constant[T]{v}, dst...)
}

// The rest is how elaboration sees ports, whatever their type.

// source is an output that inputs can be connected to.
type source interface {
	elem() reflect.Type
	isSource()
}

// register is a source with a value before and a value after the edge.
type register interface {
	source
	bind(cur, next unsafe.Pointer)
	driven() *bool
}

// wire is a source with one value, settled before the edge.
type wire interface {
	source
	bindWire(p unsafe.Pointer)
	driven() *bool
}

// sink is an input.
type sink interface {
	connect(source)
	source() source
	unlink() // forgets the source, and what read returns: see link
	bindTo(p unsafe.Pointer)
	async() bool
	read() *bool
	elem() reflect.Type
	newPassage(alike []sink, columns []int, window int) passage
}

// constant is the source that Tie connects.
type constant[T any] struct{ v T }

func (c *constant[T]) Get() T             { return c.v }
func (c *constant[T]) elem() reflect.Type { return reflect.TypeFor[T]() }
func (c *constant[T]) isSource()          {}

// cell returns a place of its own for the constant's value.
func (c *constant[T]) cell() unsafe.Pointer { return unsafe.Pointer(&c.v) }

type tied interface{ cell() unsafe.Pointer }

// conflict stands in an input that was connected more than once.
type conflict struct{ drivers []source }

func (c *conflict) elem() reflect.Type { return nil }
func (c *conflict) isSource()          {}

func joined(old, more source) source {
	switch old := old.(type) {
	case *conflict:
		old.drivers = append(old.drivers, more)
		return old
	default:
		return &conflict{[]source{old, more}}
	}
}

// join adds a source to a link, which is nil if there was none.
func (l *link) join(s source) *link {
	if l == nil {
		return &link{src: s}
	}
	l.src = joined(l.src, s)
	return l
}

func (l *link) source() source {
	if l == nil {
		return nil
	}
	return l.src
}

func (i *In[T]) connect(s source)        { i.link = i.link.join(s) }
func (i *In[T]) source() source          { return i.link.source() }
func (i *In[T]) unlink()                 { i.link = nil }
func (i *In[T]) bindTo(p unsafe.Pointer) { i.p = (*T)(p) }
func (i *In[T]) async() bool             { return false }
func (i *In[T]) read() *bool             { return &i.link.used }
func (i *In[T]) elem() reflect.Type      { return reflect.TypeFor[T]() }

func (i *In[T]) newPassage(alike []sink, columns []int, window int) passage {
	return newPassage[T](alike, columns, window)
}
func (a *Async[T]) newPassage(alike []sink, columns []int, window int) passage {
	return newPassage[T](alike, columns, window)
}

func (a *Async[T]) connect(s source)        { a.link = a.link.join(s) }
func (a *Async[T]) source() source          { return a.link.source() }
func (a *Async[T]) unlink()                 { a.link = nil }
func (a *Async[T]) bindTo(p unsafe.Pointer) { a.p = (*T)(p) }
func (a *Async[T]) async() bool             { return true }
func (a *Async[T]) read() *bool             { return &a.link.used }
func (a *Async[T]) elem() reflect.Type      { return reflect.TypeFor[T]() }

func (o *Out[T]) isSource()                     {}
func (o *Out[T]) elem() reflect.Type            { return reflect.TypeFor[T]() }
func (o *Out[T]) bind(cur, next unsafe.Pointer) { o.cur, o.next = (*T)(cur), (*T)(next) }
func (o *Out[T]) driven() *bool                 { return &o.set }

func (w *Wire[T]) isSource()                 {}
func (w *Wire[T]) elem() reflect.Type        { return reflect.TypeFor[T]() }
func (w *Wire[T]) bindWire(p unsafe.Pointer) { w.p = (*T)(p) }
func (w *Wire[T]) driven() *bool             { return &w.set }

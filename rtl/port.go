package rtl

import (
	"unsafe"

	"github.com/goldwire/goldwire/internal/engine"
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

// port is an input or an output.
type port interface{ pin() engine.Pin }

// source is an output that inputs can be connected to.
type source interface {
	port
	isSource()
}

// sink is an input.
type sink interface {
	port
	connect(source)
	reconnect(source) // forgets other sources
	source() source
	unlink() // forgets the source: see link
	isAsync() bool
}

// constant is the source that Tie connects.
type constant[T any] struct{ v T }

func (c *constant[T]) Get() T          { return c.v }
func (c *constant[T]) isSource()       {}
func (c *constant[T]) pin() engine.Pin { return engine.Pin{Kind: engine.KindOf[T]()} }

// cell returns a place of its own for the constant's value.
func (c *constant[T]) cell() unsafe.Pointer { return unsafe.Pointer(&c.v) }

type tied interface{ cell() unsafe.Pointer }

// conflict stands in an input that was connected more than once.
type conflict struct{ drivers []source }

func (c *conflict) isSource()       {}
func (c *conflict) pin() engine.Pin { return engine.Pin{} }

// join adds a source to a link, which is nil if there was none.
func (l *link) join(s source) *link {
	if l == nil {
		return &link{src: s}
	}
	if c, is := l.src.(*conflict); is {
		c.drivers = append(c.drivers, s)
	} else {
		l.src = &conflict{[]source{l.src, s}}
	}
	return l
}

func (l *link) source() source {
	if l == nil {
		return nil
	}
	return l.src
}

// pinOf returns how the engine reaches an input.
func pinOf[T any](p **T, l *link) engine.Pin {
	pin := engine.Pin{Kind: engine.KindOf[T](), Cur: place(p)}
	if l != nil {
		pin.Used = &l.used
	}
	return pin
}

// place returns a port's pointer as one that the engine sets.
func place[T any](p **T) *unsafe.Pointer { return (*unsafe.Pointer)(unsafe.Pointer(p)) }

func (i *In[T]) pin() engine.Pin    { return pinOf(&i.p, i.link) }
func (i *In[T]) connect(s source)   { i.link = i.link.join(s) }
func (i *In[T]) reconnect(s source) { i.link = &link{src: s} }
func (i *In[T]) source() source     { return i.link.source() }
func (i *In[T]) unlink()            { i.link = nil }
func (i *In[T]) isAsync() bool      { return false }

func (a *Async[T]) pin() engine.Pin    { return pinOf(&a.p, a.link) }
func (a *Async[T]) connect(s source)   { a.link = a.link.join(s) }
func (a *Async[T]) reconnect(s source) { a.link = &link{src: s} }
func (a *Async[T]) source() source     { return a.link.source() }
func (a *Async[T]) unlink()            { a.link = nil }
func (a *Async[T]) isAsync() bool      { return true }

func (o *Out[T]) isSource() {}
func (o *Out[T]) pin() engine.Pin {
	return engine.Pin{Kind: engine.KindOf[T](), Cur: place(&o.cur), Next: place(&o.next), Used: &o.set}
}

func (w *Wire[T]) isSource() {}
func (w *Wire[T]) pin() engine.Pin {
	return engine.Pin{Kind: engine.KindOf[T](), Cur: place(&w.p), Used: &w.set}
}

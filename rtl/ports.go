package rtl

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Direction is that of a port, seen from its module.
type Direction int

// Directions.
const (
	Input Direction = iota
	Output
)

func (d Direction) String() string { return [...]string{"in", "out"}[d] }

// PortInfo describes a port of a module and, once the module's simulation is elaborated, reads it.
type PortInfo struct {
	Name    string // "in", "rx_data_3"
	Dir     Direction
	Kind    SignalKind // of an output: Register or Combinational
	IsAsync bool       // an input that may read any clock
	Type    reflect.Type
	Leaves  []Leaf

	port any
}

// Width returns the port's bits, all leaves together.
func (p *PortInfo) Width() int {
	w := 0
	for _, l := range p.Leaves {
		w += l.Width
	}
	return w
}

// Value returns the settled value of a leaf.
func (p *PortInfo) Value(leaf int) uint64 {
	return load(p.port.(reader).pointer(), &p.Leaves[leaf])
}

// Tap is where a leaf's settled value lies. Reading it is one load.
type Tap struct {
	p    unsafe.Pointer
	kind reflect.Kind
}

// Tap returns the tap of a leaf; the module's simulation is elaborated.
func (p *PortInfo) Tap(leaf int) Tap {
	l := &p.Leaves[leaf]
	return Tap{unsafe.Add(p.port.(reader).pointer(), l.offset), l.kind}
}

// Value returns the settled value.
func (t Tap) Value() uint64 { return load(t.p, &Leaf{kind: t.kind}) }

// Taps are taps that are read together. Their values go into consecutive places, in the order of the taps.
type Taps struct {
	bytes, halves, words, longs []placedTap // by the size of what lies there; a bool is a byte of 0 or 1
}

type placedTap struct {
	p  unsafe.Pointer
	at int
}

// Join makes taps that are read together.
func Join(taps []Tap) Taps {
	var t Taps
	for at, one := range taps {
		group := &t.longs
		switch one.kind {
		case reflect.Bool, reflect.Uint8:
			group = &t.bytes
		case reflect.Uint16:
			group = &t.halves
		case reflect.Uint32:
			group = &t.words
		}
		*group = append(*group, placedTap{one.p, at})
	}
	return t
}

// Read reads the settled values: one load each, no case to distinguish.
func (t *Taps) Read(dst []uint64) {
	for _, x := range t.bytes {
		dst[x.at] = uint64(*(*uint8)(x.p))
	}
	for _, x := range t.halves {
		dst[x.at] = uint64(*(*uint16)(x.p))
	}
	for _, x := range t.words {
		dst[x.at] = uint64(*(*uint32)(x.p))
	}
	for _, x := range t.longs {
		dst[x.at] = *(*uint64)(x.p)
	}
}

// reader is any port.
type reader interface{ pointer() unsafe.Pointer }

func (i *In[T]) pointer() unsafe.Pointer    { return unsafe.Pointer(i.p) }
func (o *Out[T]) pointer() unsafe.Pointer   { return unsafe.Pointer(o.cur) }
func (w *Wire[T]) pointer() unsafe.Pointer  { return unsafe.Pointer(w.p) }
func (a *Async[T]) pointer() unsafe.Pointer { return unsafe.Pointer(a.p) }

// Ports returns the ports of a module in declaration order, in or out of a simulation. It fails if the module is not a
// pointer to a struct or a port's type has no fixed width.
func Ports(m Module) ([]PortInfo, error) {
	scratch := New(Config{})
	clk := &Clock{sim: scratch}
	n := &node{path: SnakeCase(reflect.Indirect(reflect.ValueOf(m)).Type().Name()), module: m, clock: clk}
	scratch.nodes = append(scratch.nodes, n)
	scratch.scanModules()
	if err := scratch.takeFaults(); err != nil {
		return nil, fmt.Errorf("ports of %T: %w", m, err)
	}
	return n.ports, nil
}

// Package checkpoint writes and reads the state of a design between two instants. A checkpoint's section has, in this
// order:
//
//	modules, roots     all their fields, as package state writes them
//	for each module    for each register: its leaves, then whether it was driven; of a delay also the values under way, the youngest first
//	for each clock     how many edges it has had
package checkpoint

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/state"
	"github.com/goldwire/goldwire/rtl/layout"
)

// Design is a design whose state is written or read.
type Design struct {
	Plans    *state.Plans
	Nodes    []Node
	Clocks   []clock.Spec
	Schedule *clock.Schedule
}

// Node is a module in its place.
type Node interface {
	Path() string
	Subject() any              // the module
	Shape() (clock, wires int) // the index of its clock, and how many wires it has
	Registers() int
	Register(i int) Register
	Edges() int                      // of a delay; 0 if the module is none
	UnderWay(age int) unsafe.Pointer // where the value lies that a delay read some edges ago
}

// Register is a register of a module.
type Register interface {
	Path() string
	Leaves() []layout.Leaf
	Places() (cur, next unsafe.Pointer)
	Driven() bool
	SetDriven(bool)
}

// Fingerprint condenses the shape of a design: paths, clocks, the lengths of delays, layouts of all types.
func (d *Design) Fingerprint(roots []any) (sum [sha256.Size]byte) {
	h := sha256.New()
	seen := map[reflect.Type]bool{}
	for _, n := range d.Nodes {
		t := reflect.TypeOf(n.Subject()).Elem()
		clock, wires := n.Shape()
		fmt.Fprintln(h, n.Path(), t, clock, n.Registers(), wires)
		if n.Edges() > 0 {
			fmt.Fprintln(h, n.Edges())
		}
		d.Plans.Describe(h, t, seen)
	}
	for _, c := range d.Clocks {
		fmt.Fprintln(h, c.Name, c.Freq, c.Phase)
	}
	for _, r := range roots {
		t := reflect.TypeOf(r)
		if t == nil || t.Kind() != reflect.Pointer {
			panic(fmt.Sprintf("rtl: a root of a checkpoint is a %v, want a pointer", t))
		}
		fmt.Fprintln(h, t)
		d.Plans.Describe(h, t.Elem(), seen)
	}
	h.Sum(sum[:0])
	return sum
}

// walk takes an encoder or a decoder through all modules, then the roots.
func (d *Design) walk(w state.Walker, roots []any) error {
	for _, n := range d.Nodes {
		w.Register(n.Subject())
	}
	for _, r := range roots {
		w.Register(r)
	}
	for _, n := range d.Nodes {
		if err := w.Object(n.Path(), n.Subject()); err != nil {
			return err
		}
	}
	for _, r := range roots {
		if err := state.Root(w, r); err != nil {
			return err
		}
	}
	return nil
}

// Encode writes the design's section.
func (d *Design) Encode(e *state.Encoder, roots []any) error {
	if err := d.walk(e, roots); err != nil {
		return err
	}
	encode := func(leaves []layout.Leaf, p unsafe.Pointer) {
		for i := range leaves {
			e.Uint(leaves[i].Load(p))
		}
	}
	for _, n := range d.Nodes {
		for i := range n.Registers() {
			r := n.Register(i)
			p, _ := r.Places()
			encode(r.Leaves(), p)
			e.Uint(Bit(r.Driven()))
		}
		for age := range n.Edges() - 1 {
			encode(n.Register(0).Leaves(), n.UnderWay(age))
		}
	}
	for i := range d.Clocks {
		e.Uint(d.Schedule.Edges(i))
	}
	return nil
}

// Bit returns a bool as it is written.
func Bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Decode reads the design's section.
func (d *Design) Decode(from *state.Decoder, roots []any) error {
	lengths := make([]int, len(d.Nodes))
	for i, n := range d.Nodes {
		lengths[i] = n.Edges()
	}
	if err := d.walk(from, roots); err != nil {
		return err
	}
	for i, n := range d.Nodes {
		if n.Edges() != lengths[i] {
			return fmt.Errorf("%s: a delay of %d edges, want %d", n.Path(), n.Edges(), lengths[i])
		}
	}
	for _, n := range d.Nodes {
		for i := range n.Registers() {
			if err := decodeRegister(from, n.Register(i)); err != nil {
				return fmt.Errorf("%s: %w", n.Register(i).Path(), err)
			}
		}
		for age := range n.Edges() - 1 {
			p := n.UnderWay(age)
			if err := decode(from, n.Register(0).Leaves(), p, p); err != nil {
				return fmt.Errorf("%s: %w", n.Path(), err)
			}
		}
	}
	edges := make([]uint64, len(d.Clocks))
	for i := range edges {
		var err error
		if edges[i], err = from.Uint(); err != nil {
			return fmt.Errorf("clock %s: %w", d.Clocks[i].Name, err)
		}
	}
	if err := d.Schedule.Seek(edges); err != nil {
		return err
	}
	return from.Close()
}

// decodeRegister reads a register's value. Between instants the value after the edge is the value before it.
func decodeRegister(from *state.Decoder, r Register) error {
	cur, next := r.Places()
	if err := decode(from, r.Leaves(), cur, next); err != nil {
		return err
	}
	x, err := from.Uint()
	r.SetDriven(x != 0)
	return err
}

// decode reads a value into two places.
func decode(from *state.Decoder, leaves []layout.Leaf, p, q unsafe.Pointer) error {
	for i := range leaves {
		x, err := from.Uint()
		if err != nil {
			return err
		}
		leaves[i].Store(p, x)
		leaves[i].Store(q, x)
	}
	return nil
}

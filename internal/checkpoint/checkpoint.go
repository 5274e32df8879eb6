// Package checkpoint writes and reads the state of a design between two instants. A checkpoint's section has, in this
// order:
//
//	modules, roots     all their fields, as package state writes them
//	for each module    for each register: its leaves, then whether it was driven; of a delay also the values
//	                   under way, the youngest first
//	for each clock     how many edges it has had
package checkpoint

import (
	"crypto/sha256"
	"fmt"
	"io"
	"reflect"
	"unsafe"

	"github.com/goldwire/goldwire/internal/engine"
	"github.com/goldwire/goldwire/internal/state"
	"github.com/goldwire/goldwire/rtl/layout"
)

// Design is a design whose state is written or read.
type Design struct {
	Plans  *state.Plans
	Engine *engine.Engine

	bytes, things int          // the size of the last checkpoint: the next one will be about as large
	built         *state.Built // nil before the first run or Restore
}

// Begin is called before the design runs or is restored. It notes where modules lead into each other while they are as
// they were built.
func (d *Design) Begin() {
	if d.built != nil {
		return
	}
	e := state.NewEncoder(d.Plans)
	e.Expect(0, len(d.Engine.Nodes()))
	for _, n := range d.Engine.Nodes() {
		e.Register(n.Module)
	}
	d.built = e.Built()
}

// Save returns the state of a design between two instants.
func (d *Design) Save(roots []any) ([]byte, error) {
	h := state.Head{Program: state.Program(), Design: d.fingerprint(roots)}
	e := state.NewEncoder(d.Plans)
	e.Expect(d.bytes, d.things)
	e.AsBuilt(d.built)
	if err := d.encode(e, roots); err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	if p := e.Overlap(); p != nil { // once more, to learn the path
		e = state.NewEncoder(d.Plans)
		e.AsBuilt(d.built)
		e.Find(p)
		return nil, fmt.Errorf("checkpoint: %w", d.encode(e, roots))
	}
	d.bytes, d.things = e.Size()
	return h.Seal(d.saveStrict(), e.Bytes()), nil
}

// Restore reads a checkpoint. It calls touch before it changes the first bit of the design.
func (d *Design) Restore(r io.Reader, roots []any, touch func()) error {
	h := state.Head{Program: state.Program(), Design: d.fingerprint(roots)}
	parts, err := h.Open(r)
	if err == nil && len(parts) != 2 {
		err = fmt.Errorf("has %d parts, want 2", len(parts))
	}
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	touch()
	if err := d.decode(state.NewDecoder(d.Plans, parts[1]), roots); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	d.Engine.Restored()
	if err := d.restoreStrict(parts[0]); err != nil {
		return fmt.Errorf("checkpoint: strict mode: %w", err)
	}
	return nil
}

// fingerprint condenses the shape of a design: paths, clocks, the lengths of delays, layouts of all types.
func (d *Design) fingerprint(roots []any) (sum [sha256.Size]byte) {
	h := sha256.New()
	seen := map[reflect.Type]bool{}
	for _, n := range d.Engine.Nodes() {
		t := reflect.TypeOf(n.Module).Elem()
		fmt.Fprintln(h, n.Path, t, n.Clock, len(n.Outs), len(n.Wires))
		if n.Delay() > 0 {
			fmt.Fprintln(h, n.Delay())
		}
		d.Plans.Describe(h, t, seen)
	}
	for _, c := range d.Engine.Clocks() {
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
	for _, n := range d.Engine.Nodes() {
		w.Register(n.Module)
	}
	for _, r := range roots {
		w.Register(r)
	}
	for _, n := range d.Engine.Nodes() {
		if err := w.Object(n.Path, n.Module); err != nil {
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

// encode writes the design's section.
func (d *Design) encode(e *state.Encoder, roots []any) error {
	if err := d.walk(e, roots); err != nil {
		return err
	}
	encode := func(leaves []layout.Leaf, p unsafe.Pointer) {
		for i := range leaves {
			e.Uint(leaves[i].Load(p))
		}
	}
	for _, n := range d.Engine.Nodes() {
		for _, o := range n.Outs {
			encode(o.Leaves, o.Place())
			e.Uint(bit(o.WasDriven()))
		}
		for age := range n.Delay() - 1 {
			encode(n.Outs[0].Leaves, n.UnderWay(age))
		}
	}
	for i := range d.Engine.Clocks() {
		e.Uint(d.Engine.Schedule().Edges(i))
	}
	return nil
}

// bit returns a bool as it is written.
func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// decode reads the design's section.
func (d *Design) decode(from *state.Decoder, roots []any) error {
	lengths := make([]int, len(d.Engine.Nodes()))
	for i, n := range d.Engine.Nodes() {
		lengths[i] = n.Delay()
	}
	if err := d.walk(from, roots); err != nil {
		return err
	}
	for i, n := range d.Engine.Nodes() {
		if n.Delay() != lengths[i] {
			return fmt.Errorf("%s: a delay of %d edges, want %d", n.Path, n.Delay(), lengths[i])
		}
	}
	for _, n := range d.Engine.Nodes() {
		for _, o := range n.Outs {
			if err := d.decodeRegister(from, o); err != nil {
				return fmt.Errorf("%s: %w", o.Path(), err)
			}
		}
		for age := range n.Delay() - 1 {
			p := n.UnderWay(age)
			if err := decode(from, n.Outs[0].Leaves, p, p); err != nil {
				return fmt.Errorf("%s: %w", n.Path, err)
			}
		}
	}
	edges := make([]uint64, len(d.Engine.Clocks()))
	for i := range edges {
		var err error
		if edges[i], err = from.Uint(); err != nil {
			return fmt.Errorf("clock %s: %w", d.Engine.Clocks()[i].Name, err)
		}
	}
	if err := d.Engine.Schedule().Seek(edges); err != nil {
		return err
	}
	return from.Close()
}

// decodeRegister reads a register's value. Between instants the value after the edge is the value before it.
func (d *Design) decodeRegister(from *state.Decoder, o *engine.Output) error {
	if err := decode(from, o.Leaves, o.Place(), o.NextPlace()); err != nil {
		return err
	}
	x, err := from.Uint()
	d.Engine.SetDriven(o, x != 0)
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

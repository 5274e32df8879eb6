// Package symbolic runs Go functions on symbols. A value that a signal decides is a node of a netlist; all other
// values are as in an ordinary run. A branch that a signal decides is run on both sides, and where the sides meet
// again their values are joined by multiplexers:
//
//	if in.Valid { s.count++ }      count = in_valid ? count + 1 : count
//
// Functions are taken in their SSA form (golang.org/x/tools/go/ssa). A loop is run until its condition is
// constant; ranges of values make it so where a signal bounds it. A path that ends in a panic is one that hardware
// never takes: it joins nothing. Code that hardware cannot do is refused by its line.
package symbolic

import (
	"fmt"
	"go/constant"
	"go/types"
	"math/bits"

	"golang.org/x/tools/go/ssa"

	"github.com/goldwire/goldwire/internal/netlist"
	"github.com/goldwire/goldwire/rtl/layout"
)

// Value is the content of an SSA value: *netlist.Node, Agg, Ptr, Slice, Iface, Func, Tuple, constant.Value (a
// text), or nil for an error's text, which is not modelled, or a nil pointer.
type Value any

// Cell is a place in memory: a scalar, or an aggregate of such.
type Cell struct {
	Name string
	Kids []*Cell // of an aggregate
	Agg  bool
	Bits int   // of a scalar: as declared, at most Width
	W    int   // of a scalar: of its Go type; 0 for pointers, slices, functions
	Init Value // the content before any store

	// Of a port. Get reads Elem, Set writes Next, or Elem if Next is nil.
	Port       string // "In", "Out", "Wire", "Async"
	Elem, Next *Cell
	// Unknown, if set, says why the value is not known: "a map".
	Unknown string
}

// Agg is the value of a struct or an array.
type Agg []Value

// Ptr points to a cell, or, by a signal, to one of several; nil stands for a nil pointer among them.
type Ptr struct {
	To    *Cell
	Of    []*Cell
	Index *netlist.Node
}

// Slice is a window on places: Len of them, the first is Of[From]. From is nil for 0, Len is nil if all of them
// are in it.
type Slice struct {
	Of        []Ptr // as many as its capacity
	From, Len *netlist.Node
}

// places are pointers to cells.
func places(cells []*Cell) []Ptr {
	of := make([]Ptr, len(cells))
	for i, c := range cells {
		of[i] = Ptr{To: c}
	}
	return of
}

// text is one of several texts, as a signal decides.
type text struct {
	Of    []string
	Index *netlist.Node // nil if there is one
}

func isText(v Value) bool {
	switch v := v.(type) {
	case text:
		return true
	case constant.Value:
		return v.Kind() == constant.String
	}
	return false
}

func texts(v Value) text {
	if t, is := v.(text); is {
		return t
	}
	return text{Of: []string{constant.StringVal(v.(constant.Value))}}
}

func (x *Machine) textIndex(t text) *netlist.Node {
	if t.Index == nil {
		return x.G.Const(0, 1)
	}
	return t.Index
}

// Iface is an interface whose dynamic type is known.
type Iface struct {
	Type types.Type
	V    Value
}

// Func is a function with its captured variables.
type Func struct {
	Fn   *ssa.Function
	Free []Value
}

// tuple is what a function of several results returns.
type tuple []Value

// refusal says what of a module is no hardware, and where.
type refusal struct {
	Where  string // "block_sync.go:41"
	Reason string
}

func (r *refusal) Error() string {
	if r.Where == "" {
		return r.Reason
	}
	return r.Where + ": " + r.Reason
}

func refuse(format string, args ...any) { panic(&refusal{Reason: fmt.Sprintf(format, args...)}) }

// dead is the panic of a path that the program never takes.
type dead struct{}

// table is a map that keeps the order in which keys came: the order in which nodes are made decides how they are
// written.
type table[K comparable] struct {
	m    map[K]Value
	keys []K
}

func newTable[K comparable]() table[K] { return table[K]{m: map[K]Value{}} }

func (t *table[K]) set(k K, v Value) {
	if _, met := t.m[k]; !met {
		t.keys = append(t.keys, k)
	}
	t.m[k] = v
}

// heap is what memory holds, as an overlay over its parent.
type heap struct {
	parent *heap
	table[*Cell]
}

func newHeap(parent *heap) *heap { return &heap{parent, newTable[*Cell]()} }

func (h *heap) child() *heap { return newHeap(h) }

func (h *heap) scalar(c *Cell) Value {
	for x := h; x != nil; x = x.parent {
		if v, ok := x.m[c]; ok {
			return v
		}
	}
	if c.Unknown != "" {
		refuse("%s is %s", c.Name, c.Unknown)
	}
	return c.Init
}

func (h *heap) load(c *Cell) Value {
	if c.Port != "" {
		return nil
	}
	if !c.Agg {
		return h.scalar(c)
	}
	a := make(Agg, len(c.Kids))
	for i, k := range c.Kids {
		a[i] = h.load(k)
	}
	return a
}

func (h *heap) store(c *Cell, v Value) {
	if c.Port != "" {
		return
	}
	if !c.Agg {
		h.set(c, v)
		return
	}
	for i, v := range v.(Agg) {
		h.store(c.Kids[i], v)
	}
}

// since returns the stores that came after base, an ancestor.
func (h *heap) since(base *heap) table[*Cell] {
	var chain []*heap
	for x := h; x != base; x = x.parent {
		chain = append(chain, x)
	}
	all := newTable[*Cell]()
	for i := len(chain) - 1; i >= 0; i-- {
		for _, c := range chain[i].keys {
			all.set(c, chain[i].m[c])
		}
	}
	return all
}

// width returns the bits of a basic type, 0 if it has none, and whether it has a sign.
func width(t types.Type) (w int, isSigned bool) {
	b, basic := t.Underlying().(*types.Basic)
	if !basic {
		return 0, false
	}
	switch b.Kind() {
	case types.Bool, types.UntypedBool:
		return 1, false
	case types.Uint8:
		return 8, false
	case types.Uint16:
		return 16, false
	case types.Uint32:
		return 32, false
	case types.Uint64, types.Uint, types.Uintptr:
		return 64, false
	case types.Int8:
		return 8, true
	case types.Int16:
		return 16, true
	case types.Int32, types.UntypedRune:
		return 32, true
	case types.Int64, types.Int, types.UntypedInt:
		return 64, true
	}
	return 0, false
}

func (x *Machine) constant(c *ssa.Const) Value {
	w, _ := width(c.Type())
	switch {
	case w == 0 && c.Value == nil:
		return x.zero(c.Type())
	case w == 0:
		return c.Value
	case c.Value == nil:
		return x.G.Const(0, w)
	case c.Value.Kind() == constant.Bool:
		return x.G.Bit(constant.BoolVal(c.Value))
	}
	v := constant.ToInt(c.Value)
	if i, exact := constant.Int64Val(v); exact {
		return x.G.Const(uint64(i), w)
	}
	u, _ := constant.Uint64Val(v)
	return x.G.Const(u, w)
}

// zero returns the zero value of a type.
func (x *Machine) zero(t types.Type) Value {
	if w, _ := width(t); w > 0 {
		return x.G.Const(0, w)
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		a := make(Agg, u.NumFields())
		for i := range a {
			a[i] = x.zero(u.Field(i).Type())
		}
		return a
	case *types.Array:
		a := make(Agg, u.Len())
		for i := range a {
			a[i] = x.zero(u.Elem())
		}
		return a
	case *types.Slice:
		return Slice{}
	case *types.Basic:
		if u.Kind() == types.String {
			return constant.MakeString("")
		}
	}
	return nil
}

// alloc makes a cell of a type that holds zero.
func (x *Machine) alloc(t types.Type, name string) *Cell {
	c := &Cell{Name: name}
	if w, _ := width(t); w > 0 {
		c.W, c.Bits, c.Init = w, w, x.G.Const(0, w)
		return c
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		c.Agg = true
		for f := range u.Fields() {
			c.Kids = append(c.Kids, x.alloc(f.Type(), name+"_"+layout.SnakeCase(f.Name())))
		}
	case *types.Array:
		c.Agg = true
		for i := range u.Len() {
			c.Kids = append(c.Kids, x.alloc(u.Elem(), fmt.Sprintf("%s_%d", name, i)))
		}
	default:
		c.Init = x.zero(t)
	}
	return c
}

func (x *Machine) length(s Slice) *netlist.Node {
	if s.Len == nil {
		return x.G.Const(uint64(len(s.Of)), 64)
	}
	return s.Len
}

func (x *Machine) from(s Slice) *netlist.Node {
	if s.From == nil {
		return x.G.Const(0, 64)
	}
	return s.From
}

// straight returns a slice that begins at its first place: where a signal decides the beginning, each place is one
// of several.
func (x *Machine) straight(s Slice) Slice {
	if s.From == nil {
		return s
	}
	n := len(s.Of)
	if s.Len != nil {
		if _, hi := s.Len.Range(); hi < uint64(n) {
			n = int(hi)
		}
	}
	return x.reaching(s, n)
}

// reaching is straight with n places, as far as the array goes. Behind the slice's length lie the places into which an
// append stores.
func (x *Machine) reaching(s Slice, n int) Slice {
	if s.From == nil {
		return s
	}
	least, _ := s.From.Range()
	of := make([]Ptr, min(uint64(n), uint64(len(s.Of))-min(least, uint64(len(s.Of)))))
	for i := range of {
		of[i] = x.element(s, x.G.Const(uint64(i), 64))
	}
	return Slice{Of: of, Len: x.length(s)}
}

// element returns the place of an index, which lies within the slice.
func (x *Machine) element(s Slice, i *netlist.Node) Ptr {
	if s.From != nil {
		i = x.G.Binary(netlist.Add, i, s.From)
	}
	if i.Op == netlist.Const {
		if i.Val >= uint64(len(s.Of)) {
			panic(dead{})
		}
		return s.Of[i.Val]
	}
	if len(s.Of) == 0 {
		panic(dead{})
	}
	_, hi := i.Range()
	of := s.Of[:int(min(hi, uint64(len(s.Of)-1)))+1]
	if len(of) == 1 {
		return of[0]
	}
	stride := 1
	for _, p := range of {
		for stride < len(p.choices()) {
			stride *= 2
		}
	}
	if stride*len(of) > 1<<14 {
		refuse("an index into %d places of %d choices each", len(of), stride)
	}
	cells := make([]*Cell, stride*len(of))
	inner := make([]*netlist.Node, len(of))
	for k, p := range of {
		copy(cells[k*stride:], p.choices())
		inner[k] = x.G.Const(0, 16)
		if p.Index != nil {
			inner[k] = x.G.Extend(p.Index, 16, false)
		}
	}
	if stride > 1 {
		i = x.G.Binary(netlist.Mul, i, x.G.Const(uint64(stride), i.W))
		which := x.G.Select(x.G.Binary(netlist.Lshr, i, x.G.Const(log2(stride), 7)), inner)
		i = x.G.Binary(netlist.Add, i, x.G.Extend(which, i.W, false))
	}
	return Ptr{Of: cells, Index: i}
}

func log2(n int) uint64 { return uint64(bits.Len(uint(n)) - 1) }

// window is a slice of a length that may be a signal.
func (x *Machine) window(of []Ptr, n *netlist.Node) Slice {
	if n.IsConst(uint64(len(of))) {
		return Slice{Of: of}
	}
	if n.Op == netlist.Const && n.Val > uint64(len(of)) {
		panic(dead{})
	}
	return Slice{Of: of, Len: n}
}

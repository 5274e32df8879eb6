package symbolic

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/goldwire/goldwire/internal/netlist"
)

func (x *Machine) instruction(f *frame, h *heap, in ssa.Instruction) {
	get := func(v ssa.Value) Value { return x.get(f, v) }
	switch in := in.(type) {
	case *ssa.DebugRef:
		x.name(f, h, in)
	case *ssa.Alloc:
		f.env.set(in, Ptr{To: x.alloc(in.Type().(*types.Pointer).Elem(), in.Comment)})
	case *ssa.Store:
		x.store(h, get(in.Addr), get(in.Val))
	case *ssa.UnOp:
		f.env.set(in, x.unary(h, in, get(in.X)))
	case *ssa.BinOp:
		f.env.set(in, x.binary(in, get(in.X), get(in.Y)))
	case *ssa.ChangeType:
		f.env.set(in, get(in.X))
	case *ssa.Convert:
		f.env.set(in, x.convert(in, get(in.X)))
	case *ssa.Field:
		f.env.set(in, get(in.X).(Agg)[in.Field])
	case *ssa.FieldAddr:
		f.env.set(in, x.each(get(in.X), func(c *Cell) *Cell { return c.Kids[in.Field] }))
	case *ssa.Index:
		switch of := get(in.X).(type) {
		case Agg:
			f.env.set(in, x.pick(of, bit(get(in.Index))))
		case constant.Value:
			var bytes []Value
			for _, b := range []byte(constant.StringVal(of)) {
				bytes = append(bytes, x.G.Const(uint64(b), 8))
			}
			f.env.set(in, x.pick(bytes, bit(get(in.Index))))
		default:
			refuse("an index into %s", describe(of))
		}
	case *ssa.IndexAddr:
		f.env.set(in, x.index(h, get(in.X), x.wide(get(in.Index))))
	case *ssa.Extract:
		t, is := get(in.Tuple).(tuple)
		if !is {
			f.env.set(in, nil)
			break
		}
		f.env.set(in, t[in.Index])
	case *ssa.MakeInterface:
		f.env.set(in, Iface{in.X.Type(), get(in.X)})
	case *ssa.ChangeInterface:
		f.env.set(in, get(in.X))
	case *ssa.TypeAssert:
		f.env.set(in, x.assert(in, get(in.X)))
	case *ssa.MakeClosure:
		c := Func{Fn: in.Fn.(*ssa.Function)}
		for _, b := range in.Bindings {
			c.Free = append(c.Free, get(b))
		}
		f.env.set(in, c)
	case *ssa.MakeSlice:
		n, most := x.wide(get(in.Len)), x.wide(get(in.Cap))
		if n.Op != netlist.Const || most.Op != netlist.Const {
			refuse("make of a slice whose length is a signal: make it as long as it can be")
		}
		elem := in.Type().Underlying().(*types.Slice).Elem()
		var of []*Cell
		for i := range most.Val {
			of = append(of, x.alloc(elem, fmt.Sprintf("%s_%d", in.Name(), i)))
		}
		f.env.set(in, x.window(places(of), n))
	case *ssa.Slice:
		f.env.set(in, x.slice(h, in, get))
	case *ssa.SliceToArrayPointer:
		s := get(in.X).(Slice)
		n := int(in.Type().(*types.Pointer).Elem().Underlying().(*types.Array).Len())
		c := &Cell{Agg: true}
		for _, p := range x.straight(s).Of[:n] {
			if p.To == nil {
				refuse("an array of a slice that a signal chooses")
			}
			c.Kids = append(c.Kids, p.To)
		}
		f.env.set(in, Ptr{To: c})
	case *ssa.Call:
		f.env.set(in, x.doCall(f, h, &in.Call))
	case *ssa.RunDefers:
	case *ssa.Defer:
		refuse("defer: hardware has no end of a call")
	case *ssa.Lookup, *ssa.MapUpdate, *ssa.MakeMap:
		refuse("a map: use an array and a valid bit for each place")
	case *ssa.Send, *ssa.Select, *ssa.MakeChan:
		refuse("a channel: use a FIFO of package blocks")
	case *ssa.Go:
		refuse("a goroutine: use a module")
	case *ssa.Range, *ssa.Next:
		refuse("a range over a map or a text: use an array")
	default:
		refuse("%T", in)
	}
}

// name gives a node the name of the variable that holds it.
func (x *Machine) name(f *frame, h *heap, in *ssa.DebugRef) {
	id, isIdent := in.Expr.(*ast.Ident)
	if !isIdent || in.IsAddr || x.text > 0 {
		return
	}
	for g := f; g != nil; g = g.up {
		if v, ok := g.env.m[in.X]; ok {
			if n, isNode := v.(*netlist.Node); isNode {
				x.hint(n, id)
			}
			return
		}
	}
}

func (x *Machine) hint(n *netlist.Node, id *ast.Ident) {
	if n.Op == netlist.Cat && n.Args[0].IsConst(0) && len(n.Args) == 2 {
		n = n.Args[1]
	}
	if n.Op == netlist.Sext {
		n = n.Args[0]
	}
	switch n.Op {
	case netlist.Const, netlist.Input, netlist.Reg, netlist.Slice, netlist.Not:
		return
	}
	if n.Hint == "" && id.Name != "_" {
		n.Hint, n.Where = id.Name, x.where(id.Pos())
	}
}

// wide is an index or a length, which is never below zero, as an int.
func (x *Machine) wide(v Value) *netlist.Node { return x.G.Extend(bit(v), 64, false) }

func bit(v Value) *netlist.Node {
	n, is := v.(*netlist.Node)
	if !is {
		refuse("a number that is %s", describe(v))
	}
	return n
}

func (x *Machine) convert(in *ssa.Convert, v Value) Value {
	w, _ := width(in.Type())
	_, isSigned := width(in.X.Type())
	if n, isNode := v.(*netlist.Node); isNode && w > 0 {
		return x.G.Extend(n, w, isSigned)
	}
	if text, isText := v.(constant.Value); isText {
		if s, toSlice := in.Type().Underlying().(*types.Slice); toSlice {
			var of []*Cell
			for _, b := range []byte(constant.StringVal(text)) {
				c := x.alloc(s.Elem(), "text")
				c.Init = x.G.Const(uint64(b), c.W)
				of = append(of, c)
			}
			return Slice{Of: places(of)}
		}
		return v
	}
	if x.text > 0 {
		return nil
	}
	refuse("a conversion from %s to %s", in.X.Type(), in.Type())
	return nil
}

// each applies find to every place that p may point to, and returns the pointer to the results.
func (x *Machine) each(p Value, find func(c *Cell) *Cell) Value {
	q, is := p.(Ptr)
	if !is {
		if p == nil {
			panic(dead{}) // a nil pointer
		}
		refuse("a field of %s", describe(p))
	}
	if q.To != nil {
		return Ptr{To: find(q.To)}
	}
	of := make([]*Cell, len(q.Of))
	for i, c := range q.Of {
		if c != nil {
			of[i] = find(c)
		}
	}
	return Ptr{Of: of, Index: q.Index}
}

// index returns the pointer to an element of an array behind a pointer, or of a slice.
func (x *Machine) index(h *heap, v Value, i *netlist.Node) Value {
	switch v := v.(type) {
	case Slice:
		return x.element(v, i)
	case Ptr:
		if v.To == nil {
			return x.deeper(v, i)
		}
		return x.element(Slice{Of: places(v.To.Kids)}, i)
	case nil:
		panic(dead{})
	}
	refuse("an index into %s", describe(v))
	return nil
}

// deeper is the element of an array that a signal has chosen already.
func (x *Machine) deeper(p Ptr, i *netlist.Node) Value {
	if i.Op == netlist.Const {
		return x.each(p, func(c *Cell) *Cell {
			if i.Val >= uint64(len(c.Kids)) {
				panic(dead{})
			}
			return c.Kids[i.Val]
		})
	}
	inner := 0
	for _, c := range p.Of {
		if c != nil {
			inner = max(inner, len(c.Kids))
		}
	}
	if inner*len(p.Of) > 1<<14 {
		refuse("an index into %d arrays of %d", len(p.Of), inner)
	}
	stride := 1
	for stride < inner {
		stride *= 2
	}
	of := make([]*Cell, stride*len(p.Of))
	for k, c := range p.Of {
		if c != nil {
			copy(of[k*stride:], c.Kids)
		}
	}
	w := i.W
	row := x.G.Binary(netlist.Mul, x.G.Extend(p.Index, w, false), x.G.Const(uint64(stride), w))
	at := x.G.Binary(netlist.Add, row, i)
	return Ptr{Of: of, Index: at}
}

func (x *Machine) load(h *heap, p Value) Value {
	q, is := p.(Ptr)
	switch {
	case p == nil:
		panic(dead{})
	case !is:
		refuse("a load from %s", describe(p))
	case q.To != nil:
		return h.load(q.To)
	}
	values := make([]Value, len(q.Of))
	var any Value
	for i, c := range q.Of {
		if c != nil {
			values[i] = h.load(c)
			any = values[i]
		}
	}
	if any == nil {
		panic(dead{})
	}
	for i := range values {
		if q.Of[i] == nil {
			values[i] = any // never read
		}
	}
	return x.pick(values, q.Index)
}

// pick returns the element at an index. One beyond the end never happens.
func (x *Machine) pick(of []Value, i *netlist.Node) Value {
	if i.Op == netlist.Const {
		if i.Val >= uint64(len(of)) {
			panic(dead{})
		}
		return of[i.Val]
	}
	switch of[0].(type) {
	case *netlist.Node:
		nodes := make([]*netlist.Node, len(of))
		for k, v := range of {
			nodes[k] = bit(v)
		}
		return x.G.Select(i, nodes)
	case Agg:
		r := make(Agg, len(of[0].(Agg)))
		for k := range r {
			part := make([]Value, len(of))
			for j, v := range of {
				part[j] = v.(Agg)[k]
			}
			r[k] = x.pick(part, i)
		}
		return r
	}
	v := of[len(of)-1]
	for k := len(of) - 2; k >= 0; k-- {
		v = x.merge(x.G.Is(i, uint64(k)), of[k], v)
	}
	return v
}

func (x *Machine) store(h *heap, p, v Value) {
	q, is := p.(Ptr)
	switch {
	case p == nil:
		panic(dead{})
	case !is:
		refuse("a store to %s", describe(p))
	case q.To != nil:
		h.store(q.To, v)
	default:
		for i, c := range q.Of {
			if c != nil {
				h.store(c, x.merge(x.G.Is(q.Index, uint64(i)), v, h.load(c)))
			}
		}
	}
}

func (x *Machine) slice(h *heap, in *ssa.Slice, get func(ssa.Value) Value) Value {
	var s Slice
	switch v := get(in.X).(type) {
	case Ptr:
		if v.To != nil {
			s.Of = places(v.To.Kids)
			break
		}
		for k := range v.choices()[0].Kids {
			s.Of = append(s.Of, x.each(v, func(c *Cell) *Cell { return c.Kids[k] }).(Ptr))
		}
	case Slice:
		s = v
	case constant.Value:
		low, high := 0, len(constant.StringVal(v))
		if in.Low != nil {
			low = int(bit(get(in.Low)).Val)
		}
		if in.High != nil {
			high = int(bit(get(in.High)).Val)
		}
		return constant.MakeString(constant.StringVal(v)[low:high])
	case nil:
		return Slice{}
	default:
		refuse("a slice of %s", describe(v))
	}
	high := x.length(s)
	if in.High != nil {
		high = x.wide(get(in.High))
	}
	if high.Op == netlist.Const && high.Val > uint64(len(s.Of)) {
		panic(dead{})
	}
	if in.Max != nil {
		most := bit(get(in.Max))
		if most.Op != netlist.Const || s.From != nil {
			refuse("a slice whose capacity a signal decides")
		}
		if most.Val > uint64(len(s.Of)) {
			panic(dead{})
		}
		s.Of = s.Of[:most.Val]
	}
	low := x.G.Const(0, 64)
	if in.Low != nil {
		low = x.wide(get(in.Low))
	}
	n := high
	if in.Low != nil {
		n = x.G.Binary(netlist.Sub, high, low)
	}
	if n.Op != netlist.Const { // Go panics beyond these
		_, hi := high.Range()
		least, _ := low.Range()
		n = x.G.AtMost(n, min(hi, uint64(len(s.Of)))-min(least, hi, uint64(len(s.Of))))
	}
	if s.From == nil && low.Op == netlist.Const {
		if low.Val > uint64(len(s.Of)) {
			panic(dead{})
		}
		return x.window(s.Of[low.Val:], n)
	}
	return Slice{Of: s.Of, From: x.G.Binary(netlist.Add, x.from(s), low), Len: n}
}

func (x *Machine) assert(in *ssa.TypeAssert, v Value) Value {
	i, known := v.(Iface)
	ok := known
	if known {
		if to, isInterface := in.AssertedType.Underlying().(*types.Interface); isInterface {
			ok = types.Implements(i.Type, to)
		} else {
			ok = types.Identical(i.Type, in.AssertedType)
		}
	}
	result := i.V
	if _, isInterface := in.AssertedType.Underlying().(*types.Interface); isInterface {
		result = v
	}
	switch {
	case in.CommaOk && ok:
		return tuple{result, x.G.Bit(true)}
	case in.CommaOk:
		return tuple{x.zero(in.AssertedType), x.G.Bit(false)}
	case !ok:
		panic(dead{})
	}
	return result
}

package symbolic

import (
	"fmt"
	"go/types"
	"reflect"

	"github.com/goldwire/goldwire/internal/netlist"
)

// merge is the value if c decides between a and b.
func (x *Machine) merge(c *netlist.Node, a, b Value) Value {
	switch p := a.(type) {
	case *netlist.Node:
		if q, same := b.(*netlist.Node); same {
			return x.G.Mux(c, p, q)
		}
	case Agg:
		if q, same := b.(Agg); same {
			r := make(Agg, len(p))
			for i := range p {
				r[i] = x.merge(c, p[i], q[i])
			}
			return r
		}
	case tuple:
		if q, same := b.(tuple); same {
			r := make(tuple, len(p))
			for i := range p {
				r[i] = x.merge(c, p[i], q[i])
			}
			return r
		}
	case Slice:
		if q, same := b.(Slice); same {
			return x.mergeSlices(c, p, q)
		}
	case Ptr:
		if q, same := b.(Ptr); same {
			return x.mergePtrs(c, p, q)
		}
		if b == nil {
			return x.mergePtrs(c, p, Ptr{Of: []*Cell{nil}})
		}
	case Iface:
		if q, same := b.(Iface); same && types.Identical(p.Type, q.Type) {
			return Iface{p.Type, x.merge(c, p.V, q.V)}
		}
	case nil:
		if q, isPtr := b.(Ptr); isPtr {
			return x.mergePtrs(c, Ptr{Of: []*Cell{nil}}, q)
		}
		if b == nil {
			return nil
		}
	}
	if same(a, b) {
		return a
	}
	if isText(a) && isText(b) {
		p, q := texts(a), texts(b)
		if len(p.Of)+len(q.Of) > 256 {
			refuse("one of more than 256 texts")
		}
		index := func(t text, from int) *netlist.Node {
			return x.G.Binary(netlist.Add, x.G.Extend(x.textIndex(t), 16, false), x.G.Const(uint64(from), 16))
		}
		return text{append(append([]string{}, p.Of...), q.Of...), x.G.Mux(c, index(p, 0), index(q, len(p.Of)))}
	}
	if (a == nil || isText(a)) && (b == nil || isText(b)) {
		return nil // the text of an error
	}
	refuse("a signal chooses between %s and %s", describe(a), describe(b))
	return nil
}

func same(a, b Value) bool {
	defer func() { _ = recover() }()
	return reflect.DeepEqual(a, b)
}

func describe(v Value) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case *netlist.Node:
		return fmt.Sprintf("%d bits", v.W)
	case Func:
		return "the function " + v.Fn.Name()
	case Iface:
		return "a value of type " + v.Type.String()
	case Slice:
		return fmt.Sprintf("a slice of %d", len(v.Of))
	}
	return fmt.Sprintf("a %T", v)
}

// choices returns all places that a pointer may point to.
func (p Ptr) choices() []*Cell {
	if p.Of != nil {
		return p.Of
	}
	return []*Cell{p.To}
}

func (x *Machine) mergePtrs(c *netlist.Node, a, b Ptr) Value {
	if a.To != nil && a.To == b.To {
		return a
	}
	if a.Index != nil && b.Index != nil && sameCells(a.Of, b.Of) {
		w := max(a.Index.W, b.Index.W)
		return Ptr{Of: a.Of, Index: x.G.Mux(c, x.G.Extend(a.Index, w, false), x.G.Extend(b.Index, w, false))}
	}
	as, bs := a.choices(), b.choices()
	if len(as)+len(bs) > 4096 {
		refuse("a pointer to one of more than 4096 places")
	}
	index := func(p Ptr, from int) *netlist.Node {
		if p.Index == nil {
			return x.G.Const(uint64(from), 16)
		}
		return x.G.Binary(netlist.Add, x.G.Extend(p.Index, 16, false), x.G.Const(uint64(from), 16))
	}
	return Ptr{Of: append(append([]*Cell{}, as...), bs...), Index: x.G.Mux(c, index(a, 0), index(b, len(as)))}
}

func sameCells(a, b []*Cell) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (p Ptr) same(q Ptr) bool {
	return p.To == q.To && p.Index == q.Index && sameCells(p.Of, q.Of)
}

func (x *Machine) mergeSlices(c *netlist.Node, a, b Slice) Value {
	n := x.G.Mux(c, x.length(a), x.length(b))
	if a.From != nil || b.From != nil {
		if len(a.Of) == len(b.Of) && (len(a.Of) == 0 || a.Of[0].same(b.Of[0])) {
			return Slice{Of: a.Of, From: x.G.Mux(c, x.from(a), x.from(b)), Len: n}
		}
		a, b = x.straight(a), x.straight(b)
	}
	long := a.Of
	if len(b.Of) > len(a.Of) {
		long = b.Of
	}
	of := make([]Ptr, len(long))
	for i := range of {
		switch {
		case i >= len(a.Of):
			of[i] = b.Of[i]
		case i >= len(b.Of) || a.Of[i].same(b.Of[i]):
			of[i] = a.Of[i]
		default:
			of[i] = x.mergePtrs(c, a.Of[i], b.Of[i]).(Ptr)
		}
	}
	return x.window(of, n)
}

package symbolic

import (
	"fmt"
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/goldwire/goldwire/internal/netlist"
)

// textOnly are packages that make texts and errors, which only a panic shows: nothing of theirs is run.
var textOnly = map[string]bool{
	"fmt": true, "errors": true, "strconv": true, "strings": true, "os": true, "log": true, "reflect": true}

func (x *Machine) doCall(f *frame, h *heap, c *ssa.CallCommon) Value {
	if fn := c.StaticCallee(); fn != nil && fn.Pkg != nil && textOnly[fn.Pkg.Pkg.Path()] {
		return nil
	}
	args := make([]Value, len(c.Args))
	for i, a := range c.Args {
		args[i] = x.get(f, a)
	}
	v := x.get(f, c.Value)
	if c.IsInvoke() {
		i, known := v.(Iface)
		if !known {
			if c.Method.Name() == "Error" || c.Method.Name() == "String" {
				return nil
			}
			if v == nil {
				panic(dead{})
			}
			refuse("a call of %s of an interface whose type is not known", c.Method.Name())
		}
		fn := x.Prog.LookupMethod(i.Type, c.Method.Pkg(), c.Method.Name())
		return x.call(h, fn, append([]Value{i.V}, args...), nil)
	}
	switch v := v.(type) {
	case *ssa.Builtin:
		return x.builtin(h, v.Name(), args, c)
	case Func:
		return x.call(h, v.Fn, args, v.Free)
	case nil:
		panic(dead{})
	}
	refuse("a call of a function that is not known")
	return nil
}

func (x *Machine) builtin(h *heap, name string, args []Value, c *ssa.CallCommon) Value {
	switch name {
	case "len", "cap":
		switch v := args[0].(type) {
		case Slice:
			if name == "len" {
				return x.length(v)
			}
			return x.G.Binary(netlist.Sub, x.G.Const(uint64(len(v.Of)), 64), x.from(v))
		case constant.Value:
			return x.G.Const(uint64(len(constant.StringVal(v))), 64)
		case Agg:
			return x.G.Const(uint64(len(v)), 64)
		case Ptr:
			return x.G.Const(uint64(len(v.choices()[0].Kids)), 64)
		case nil:
			return x.G.Const(0, 64)
		}
	case "copy":
		return x.copy(h, args[0], args[1])
	case "append":
		return x.append(h, args[0], args[1], c)
	case "clear":
		if s, is := args[0].(Slice); is {
			zero := x.zero(c.Args[0].Type().Underlying().(*types.Slice).Elem())
			for i, to := range x.straight(s).Of {
				x.store(h, to, x.inside(s, i, zero, func() Value { return x.load(h, to) }))
			}
			return nil
		}
	case "min", "max":
		_, isSigned := width(c.Args[0].Type())
		less := netlist.Ult
		if isSigned {
			less = netlist.Slt
		}
		r := bit(args[0])
		for _, a := range args[1:] {
			n := bit(a)
			p, q := r, n // n is the answer if p < q never holds
			if name == "max" {
				p, q = q, p
			}
			if x.G.Binary(less, p, q).IsConst(0) {
				r = n
				continue
			}
			if name == "min" {
				r = x.G.Mux(x.G.Binary(less, n, r), n, r)
			} else {
				r = x.G.Mux(x.G.Binary(less, r, n), n, r)
			}
		}
		return r
	case "panic":
		panic(dead{})
	case "ssa:wrapnilchk":
		return args[0]
	case "print", "println":
		return nil
	}
	refuse("the builtin %s", name)
	return nil
}

// fixed returns the elements of a slice whose length no signal decides.
func (x *Machine) fixed(s Slice) ([]Ptr, bool) {
	s = x.straight(s)
	if n := x.length(s); n.Op == netlist.Const {
		return s.Of[:n.Val], true
	}
	return nil, false
}

// inside is v for an element of s, and the old value beyond the slice's length.
func (x *Machine) inside(s Slice, i int, v Value, old func() Value) Value {
	if s.Len == nil {
		return v
	}
	return x.merge(x.G.Beyond(s.Len, uint64(i)), v, old())
}

func (x *Machine) copy(h *heap, a, b Value) Value {
	to, isTo := a.(Slice)
	from, isFrom := b.(Slice)
	if text, isText := b.(constant.Value); isText {
		for _, c := range []byte(constant.StringVal(text)) {
			from.Of = append(from.Of, Ptr{To: &Cell{W: 8, Bits: 8, Init: x.G.Const(uint64(c), 8)}})
		}
		isFrom = true
	}
	if !isTo || !isFrom {
		if a == nil || b == nil {
			return x.G.Const(0, 64)
		}
		refuse("a copy to %s", describe(a))
	}
	to, from = x.straight(to), x.straight(from)
	n := min(len(to.Of), len(from.Of))
	values, olds := make([]Value, n), make([]Value, n)
	for i := range values {
		values[i], olds[i] = x.load(h, from.Of[i]), x.load(h, to.Of[i])
	}
	for i, v := range values {
		old := func() Value { return olds[i] }
		v = x.inside(to, i, x.inside(from, i, v, old), old)
		if v != olds[i] || to.Of[i].To == nil {
			x.store(h, to.Of[i], v)
		}
	}
	p, q := x.length(to), x.length(from)
	return x.G.Mux(x.G.Binary(netlist.Ult, p, q), p, q)
}

// append stores into the slice's capacity. Beyond it Go makes a new array, and hardware cannot.
func (x *Machine) append(h *heap, a, b Value, c *ssa.CallCommon) Value {
	to, _ := a.(Slice)
	from, isSlice := b.(Slice)
	if !isSlice && b != nil {
		refuse("an append of %s", describe(b))
	}
	to, from = x.reaching(to, len(to.Of)), x.straight(from)
	n, k := x.length(to), x.length(from)
	values := make([]Value, len(from.Of)) // as they are before a store: the slices may overlap
	for i, p := range from.Of {
		values[i] = x.load(h, p)
	}
	if n.Op == netlist.Const && k.Op == netlist.Const {
		if need := int(n.Val + k.Val); need > len(to.Of) {
			elem := c.Args[0].Type().Underlying().(*types.Slice).Elem()
			of := make([]*Cell, need)
			for i := range of {
				of[i] = x.alloc(elem, fmt.Sprintf("appended_%d", i))
				if i < int(n.Val) {
					h.store(of[i], x.load(h, to.Of[i]))
				}
			}
			to = Slice{Of: places(of)}
		}
		for i := range int(k.Val) {
			x.store(h, to.Of[int(n.Val)+i], values[i])
		}
		return x.window(to.Of, x.G.Const(n.Val+k.Val, 64))
	}
	if len(to.Of) == 0 {
		refuse("append to a slice without a capacity: make it with the most that it can hold")
	}
	for i, v := range values {
		at := x.G.Binary(netlist.Add, n, x.G.Const(uint64(i), 64))
		for j, place := range to.Of {
			here := x.G.Is(at, uint64(j))
			if from.Len != nil {
				here = x.G.Binary(netlist.And, here, x.G.Beyond(k, uint64(i)))
			}
			if !here.IsConst(0) {
				x.store(h, place, x.merge(here, v, x.load(h, place)))
			}
		}
	}
	return x.window(to.Of, x.G.AtMost(x.G.Binary(netlist.Add, n, k), uint64(len(to.Of))))
}

// intrinsic runs the functions that are known by name: reads and writes of ports, bit counts, checksums.
func (x *Machine) intrinsic(h *heap, fn *ssa.Function, args []Value) (Value, bool) {
	origin := fn
	if o := fn.Origin(); o != nil {
		origin = o
	}
	if origin.Pkg == nil {
		return nil, false
	}
	switch path := origin.Pkg.Pkg.Path(); {
	case strings.HasSuffix(path, "/rtl") && fn.Signature.Recv() != nil:
		return x.port(h, fn.Name(), args)
	case path == "slices" && origin.Name() == "Insert":
		return x.insert(h, args), true
	case path == "slices" && origin.Name() == "Delete":
		return x.delete(h, args, fn.Signature.Results().At(0).Type()), true
	case path == "hash/crc32" && fn.Name() == "ChecksumIEEE":
		if b, is := args[0].(Slice); is {
			if of, fixed := x.fixed(b); fixed {
				return x.crc32(h, of), true
			}
		}
		refuse("a checksum over as many bytes as a signal says")
	case path == "math/bits":
		return x.bits(strings.TrimRight(fn.Name(), "0123456789"), args)
	}
	return nil, false
}

// port is Get or Set of a port.
func (x *Machine) port(h *heap, name string, args []Value) (Value, bool) {
	p, is := args[0].(Ptr)
	if !is {
		return nil, false
	}
	first := p.choices()[0]
	if first == nil || first.Port == "" {
		return nil, false
	}
	part := func(find func(c *Cell) *Cell) Value {
		return x.each(p, find)
	}
	switch name {
	case "Get":
		return x.load(h, part(func(c *Cell) *Cell { return c.Elem })), true
	case "Set":
		x.store(h, part(func(c *Cell) *Cell {
			if c.Next != nil {
				return c.Next
			}
			return c.Elem
		}), args[1])
		return nil, true
	}
	return nil, false
}

func (x *Machine) bits(name string, args []Value) (Value, bool) {
	n, is := args[0].(*netlist.Node)
	if !is {
		return nil, false
	}
	at := func(i int) *netlist.Node { return x.G.Slice(n, i, 1) }
	switch name {
	case "OnesCount": // a tree of adders
		sums := []*netlist.Node{}
		for i := range n.W {
			sums = append(sums, x.G.Extend(at(i), 64, false))
		}
		for len(sums) > 1 {
			var next []*netlist.Node
			for i := 0; i+1 < len(sums); i += 2 {
				next = append(next, x.G.Binary(netlist.Add, sums[i], sums[i+1]))
			}
			if len(sums)%2 == 1 {
				next = append(next, sums[len(sums)-1])
			}
			sums = next
		}
		return sums[0], true
	case "TrailingZeros":
		r := x.G.Const(uint64(n.W), 64)
		for i := n.W - 1; i >= 0; i-- {
			r = x.G.Mux(at(i), x.G.Const(uint64(i), 64), r)
		}
		return r, true
	case "Len", "LeadingZeros":
		r := x.G.Const(0, 64)
		if name == "LeadingZeros" {
			r = x.G.Const(uint64(n.W), 64)
		}
		for i := range n.W {
			v := uint64(i + 1)
			if name == "LeadingZeros" {
				v = uint64(n.W - 1 - i)
			}
			r = x.G.Mux(at(i), x.G.Const(v, 64), r)
		}
		return r, true
	case "Reverse":
		var parts []*netlist.Node
		for i := range n.W {
			parts = append(parts, at(i))
		}
		return x.G.Cat(parts...), true
	case "ReverseBytes":
		var parts []*netlist.Node
		for i := 0; i < n.W; i += 8 {
			parts = append(parts, x.G.Slice(n, i, 8))
		}
		return x.G.Cat(parts...), true
	}
	return nil, false
}

// crc32 is the checksum of IEEE 802.3, bit by bit.
func (x *Machine) crc32(h *heap, of []Ptr) Value {
	const polynomial = 0xedb88320 // reversed
	sum := x.G.Const(0xffffffff, 32)
	for _, p := range of {
		sum = x.G.Binary(netlist.Xor, sum, x.G.Extend(bit(x.load(h, p)), 32, false))
		for range 8 {
			shifted := x.G.Binary(netlist.Lshr, sum, x.G.Const(1, 6))
			lowest := x.G.Extend(x.G.Slice(sum, 0, 1), 32, true)
			sum = x.G.Binary(netlist.Xor, shifted, x.G.Binary(netlist.And, lowest, x.G.Const(polynomial, 32)))
		}
	}
	return x.G.Not(sum)
}

// insert is slices.Insert of one element or more, within the slice's capacity.
func (x *Machine) insert(h *heap, args []Value) Value {
	s := x.straight(args[0].(Slice))
	more, fixed := x.fixed(args[2].(Slice))
	i, k := bit(args[1]), len(more)
	if !fixed {
		refuse("an insertion of as many elements as a signal says")
	}
	values := make([]Value, len(s.Of))
	for j, p := range s.Of {
		values[j] = x.load(h, p)
	}
	plus := func(n *netlist.Node, k int) *netlist.Node {
		return x.G.Binary(netlist.Add, n, x.G.Const(uint64(k), 64))
	}
	longer := Slice{Of: s.Of, Len: plus(x.length(s), k)}
	for j := range s.Of {
		at := x.G.Const(uint64(j), 64)
		v := values[j]
		if j >= k {
			v = x.merge(x.G.Binary(netlist.Ult, at, plus(i, k)), v, values[j-k])
		}
		for m, p := range more {
			v = x.merge(x.G.Binary(netlist.Eq, at, plus(i, m)), x.load(h, p), v)
		}
		v = x.merge(x.G.Binary(netlist.Ult, at, i), values[j], v)
		x.store(h, s.Of[j], x.inside(longer, j, v, func() Value { return values[j] }))
	}
	return x.window(s.Of, x.G.AtMost(longer.Len, uint64(len(s.Of))))
}

// delete is slices.Delete of a constant number of elements. Go leaves zero in the freed elements.
func (x *Machine) delete(h *heap, args []Value, t types.Type) Value {
	s, i := x.straight(args[0].(Slice)), bit(args[1])
	count := x.G.Binary(netlist.Sub, bit(args[2]), i)
	if count.Op != netlist.Const {
		refuse("a deletion of as many elements as a signal says")
	}
	k := int(count.Val)
	zero := x.zero(t.Underlying().(*types.Slice).Elem())
	n := x.length(s)
	left := x.G.Binary(netlist.Sub, n, count)
	values := make([]Value, len(s.Of))
	for j, p := range s.Of {
		values[j] = x.load(h, p)
	}
	for j := range s.Of {
		at := x.G.Const(uint64(j), 64)
		v := zero
		if j+k < len(values) {
			v = values[j+k]
		}
		v = x.merge(x.G.Binary(netlist.Ult, at, i), values[j], v)
		v = x.merge(x.G.Binary(netlist.Slt, at, left), v, x.inside(s, j, zero, func() Value { return values[j] }))
		x.store(h, s.Of[j], v)
	}
	return x.window(s.Of, x.G.AtMost(left, uint64(len(s.Of))))
}

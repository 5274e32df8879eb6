package netlist

import (
	"math/bits"
	"slices"
)

// Mux returns c ? a : b.
func (g *Graph) Mux(c, a, b *Node) *Node {
	if a == b || c.IsConst(1) {
		return a
	}
	if c.IsConst(0) {
		return b
	}
	if c.Op == Not {
		return g.Mux(c.Args[0], b, a)
	}
	if a, b = g.given(c, true, a), g.given(c, false, b); a == b {
		return a
	}
	if a.Op == Bound && b.Op == Bound && a.Args[0] == b.Args[0] && a.W == b.W {
		return g.AtMost(a.Args[0], max(a.Val, b.Val))
	}
	if a.Op == Mux && a.Args[0] == c {
		return g.Mux(c, a.Args[1], b)
	}
	if b.Op == Mux && b.Args[0] == c {
		return g.Mux(c, a, b.Args[2])
	}
	w := a.W
	if w == 1 {
		switch {
		case a.IsConst(1):
			return g.bitwise(Or, c, b)
		case a.IsConst(0):
			return g.bitwise(And, g.Not(c), b)
		case b.IsConst(0):
			return g.bitwise(And, c, a)
		case b.IsConst(1):
			return g.bitwise(Or, g.Not(c), a)
		case a == c:
			return g.bitwise(Or, c, b)
		case b == c:
			return g.bitwise(And, c, a)
		}
	}
	// Bits that are the same on both sides stay outside: {0, c ? a : b}.
	if a.Op != Const || b.Op != Const {
		if runs := g.runs(a, b); len(runs) > 1 {
			var parts []*Node
			for i := len(runs) - 1; i >= 0; i-- {
				x, y := g.Slice(a, runs[i].low, runs[i].w), g.Slice(b, runs[i].low, runs[i].w)
				if x != y {
					x = g.Mux(c, x, y)
				}
				parts = append(parts, x)
			}
			return g.Cat(parts...)
		}
	} else if k := max(1, need(a), need(b)); k < w {
		return g.Cat(g.Const(0, w-k), g.Mux(c, g.Slice(a, 0, k), g.Slice(b, 0, k)))
	}
	if a.Op == Sext || b.Op == Sext {
		if k := signedNeed(a, b); k < w {
			return g.Extend(g.Mux(c, g.Slice(a, 0, k), g.Slice(b, 0, k)), w, true)
		}
	}
	return g.node(Mux, w, 0, "", min(a.lo, b.lo), max(a.hi, b.hi), c, a, b)
}

// run is a stretch of bits.
type run struct{ low, w int }

// runs cuts two nodes where parts that are the same in both begin and end, from the lowest bit on.
func (g *Graph) runs(a, b *Node) []run {
	var list []run
	last := false
	cuts := g.cuts(a, b)
	for i := 1; i < len(cuts); i++ {
		low, w := cuts[i-1], cuts[i]-cuts[i-1]
		same := g.Slice(a, low, w) == g.Slice(b, low, w)
		if i > 1 && same == last {
			list[len(list)-1].w += w
		} else {
			list = append(list, run{low, w})
		}
		last = same
	}
	return list
}

// Select returns of[index]. An index beyond them gives any value.
func (g *Graph) Select(index *Node, of []*Node) *Node {
	if n := int(min(index.hi, uint64(len(of)-1))) + 1; n < len(of) {
		of = of[:n]
	}
	if index.Op == Const {
		return of[min(index.Val, uint64(len(of)-1))]
	}
	of = slices.Clone(of)
	for i := range of { // what a store at the index has left there
		of[i] = g.under(g.Is(index, uint64(i)), of[i])
	}
	same := true
	lo, hi := of[0].lo, of[0].hi
	for _, n := range of {
		same = same && n == of[0]
		lo, hi = min(lo, n.lo), max(hi, n.hi)
	}
	if same {
		return of[0]
	}
	index = g.core(index)
	if index.Op == Cat { // {x, 2'h1} takes one of every fourth
		if low := index.Args[len(index.Args)-1]; low.Op == Const && low.W < 16 {
			var every []*Node
			for i := int(low.Val); i < len(of); i += 1 << low.W {
				every = append(every, of[i])
			}
			if len(every) > 0 {
				return g.Select(g.Slice(index, low.W, index.W-low.W), every)
			}
		}
	}
	if len(of) == 2 {
		if index.W == 1 {
			return g.Mux(index, of[1], of[0])
		}
		return g.Mux(g.equal(index, g.Const(1, index.W)), of[1], of[0])
	}
	w := of[0].W
	if k := max(1, bits.Len64(hi)); k < w {
		var cores []*Node
		for _, n := range of {
			cores = append(cores, g.Slice(n, 0, k))
		}
		return g.Cat(g.Const(0, w-k), g.Select(index, cores))
	}
	if sum := g.linear(index, of); sum != nil {
		return sum
	}
	return g.node(Select, w, 0, "", lo, hi, append([]*Node{index}, of...)...)
}

// leastLinear is how many entries a table has at least that becomes a sum: fewer are read more easily as cases.
const leastLinear = 16

// linear returns of[index] as an exclusive or of the bits of index, nil if the table has no such form. It has one if
// each entry follows from those at the powers of two, as in the table of a CRC. A table of four, of constants a and b:
//
//	of[0] = 0, of[1] = a, of[2] = b, of[3] = a ^ b
//	of[index] = index[0] & a ^ index[1] & b
//
// Where of[0] is not 0, it is one more term of every entry.
func (g *Graph) linear(index *Node, of []*Node) *Node {
	k := bits.Len(uint(len(of))) - 1
	if len(of) < leastLinear || len(of) != 1<<k || index.W < k {
		return nil
	}
	for i, n := range of {
		if n.Op != Const {
			return nil
		}
		if low := i & (i - 1); n.Val != of[low].Val^of[i&-i].Val^of[0].Val { // i without its lowest bit, and that bit
			return nil
		}
	}
	sum := of[0]
	for bit := range k {
		every := g.Cat(slices.Repeat([]*Node{g.Slice(index, bit, 1)}, sum.W)...)
		sum = g.Binary(Xor, sum, g.Binary(And, every, g.Const(of[1<<bit].Val^of[0].Val, sum.W)))
	}
	return sum
}

// under returns what n is if c is 1.
func (g *Graph) under(c, n *Node) *Node {
	switch {
	case n.Op == Mux && n.Args[0] == c:
		return n.Args[1]
	case n.Op == Cat:
		var parts []*Node
		for _, p := range n.Args {
			parts = append(parts, g.under(c, p))
		}
		if !slices.Equal(parts, n.Args) {
			return g.Cat(parts...)
		}
	}
	return n
}

// given narrows the range of a value that counts only where a comparison with a constant is true, or false: in
// x == 15 ? 0 : x + 1, with x at most 15, x + 1 is at most 15.
func (g *Graph) given(c *Node, truth bool, n *Node) *Node {
	if n.Op == Const {
		return n
	}
	if c.Op == And && truth {
		return g.given(c.Args[1], truth, g.given(c.Args[0], truth, n))
	}
	if c.Op == Or && !truth {
		return g.given(c.Args[1], truth, g.given(c.Args[0], truth, n))
	}
	if c.Op == Not {
		return g.given(c.Args[0], !truth, n)
	}
	if c.Op == Ult && c.Args[0].Op != Const && c.Args[1].Op != Const {
		return g.difference(n, c.Args[0], c.Args[1], truth)
	}
	var x *Node
	var lo, hi uint64
	switch {
	case c.Op == Eq && c.Args[1].Op == Const && truth && bare(n) == bare(c.Args[0]):
		return g.Const(c.Args[1].Val, n.W)
	case c.Op == Eq && c.Args[1].Op == Const && !truth:
		x = c.Args[0]
		lo, hi = x.lo, x.hi
		switch k := c.Args[1].Val; {
		case k == lo && lo < hi:
			lo++
		case k == hi && lo < hi:
			hi--
		default:
			return n
		}
	case c.Op == Ult && c.Args[1].Op == Const: // x < k
		x = c.Args[0]
		lo, hi = x.lo, x.hi
		if k := c.Args[1].Val; truth {
			hi = min(hi, k-1)
		} else {
			lo = max(lo, k)
		}
	case c.Op == Ult && c.Args[0].Op == Const: // k < x
		x = c.Args[1]
		lo, hi = x.lo, x.hi
		if k := c.Args[0].Val; truth {
			lo = max(lo, k+1)
		} else {
			hi = min(hi, k)
		}
	case !truth:
		x = c
	default:
		x, lo, hi = c, 1, 1
	}
	if lo > hi {
		return n
	}
	return g.within(n, x, lo, hi)
}

// difference narrows q - p where p < q, or p - q where not: it is no less than 0.
func (g *Graph) difference(n, p, q *Node, truth bool) *Node {
	if !truth {
		p, q = q, p
	}
	core := n
	if core.Op == Sext {
		core = core.Args[0]
	}
	if core.Op != Sub || bare(core.Args[0]) != bare(q) || bare(core.Args[1]) != bare(p) || q.hi < p.lo {
		return n
	}
	if hi := q.hi - p.lo; hi < core.hi {
		w := max(1, bits.Len64(hi))
		return g.Extend(g.AtMost(g.Slice(core, 0, w), hi), n.W, false)
	}
	return n
}

// within narrows n, which is x or x and a constant, for an x from lo to hi.
func (g *Graph) within(n, x *Node, lo, hi uint64) *Node {
	core := n
	if n.Op == Cat && len(n.Args) == 2 && n.Args[0].IsConst(0) {
		core = n.Args[1]
	}
	if core == x {
		return g.AtMost(n, hi)
	}
	most := Mask(core.W)
	if core.Op == Sext {
		core = core.Args[0]
		most = Mask(core.W - 1)
	}
	if core.Op != Add || core.Args[1].Op != Const || hi >= 1<<62 {
		return n
	}
	base := core.Args[0]
	if base.Op == Cat && len(base.Args) == 2 && base.Args[0].IsConst(0) {
		base = base.Args[1]
	}
	if base != x {
		return n
	}
	k := core.Args[1].slo
	l, h := int64(lo)+k, int64(hi)+k
	if l < 0 || uint64(h) > min(most, Mask(core.W)) || n.hi <= uint64(h) {
		return n
	}
	w := max(1, bits.Len64(uint64(h)))
	return g.Extend(g.AtMost(g.Extend(core, w, false), uint64(h)), n.W, false)
}

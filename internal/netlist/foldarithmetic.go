package netlist

import (
	"math/bits"
)

func (g *Graph) arithmetic(op Op, a, b *Node) *Node {
	if a.Op == Const && op != Sub {
		a, b = b, a
	}
	if b.Op == Const {
		switch {
		case b.Val == 0 && op == Mul:
			return b
		case b.Val == 0:
			return a
		case op == Mul && b.Val&(b.Val-1) == 0:
			return g.shift(Shl, a, g.Const(uint64(bits.TrailingZeros64(b.Val)), 7))
		case op == Sub && a.lo < b.Val: // a - 1 as a + 15, so that (a + 1) - 1 is a
			return g.arithmetic(Add, a, g.Const(-b.Val, a.W))
		case op == Add && a.Op == Add && a.Args[1].Op == Const:
			return g.arithmetic(Add, a.Args[0], g.Const(a.Args[1].Val+b.Val, a.W))
		}
	}
	if op == Sub {
		if a == b {
			return g.Const(0, a.W)
		}
		if x, y := bare(a), bare(b); x.Op == Add && x.Args[1].Op == Const && g.core(x.Args[0]) == g.core(y) {
			if k := x.Args[1].Val; x.hi == y.hi+k { // (y + k) - y
				return g.Const(k, a.W)
			}
		}
	}
	if op == Add && b.Op == Const { // {x, 2'h0} + 2'h3 is {x, 2'h3}
		if k := bits.Len64(b.Val); k < a.W && g.Slice(a, 0, max(1, k)).IsConst(0) {
			return g.Cat(g.Slice(a, k, a.W-k), g.Slice(b, 0, k))
		}
	}
	if op != Sub && b.Op != Const && b.ID < a.ID {
		a, b = b, a
	}
	w := a.W
	if lo, hi, ok := exact(op, a, b); ok && hi <= Mask(w) {
		k := max(1, bits.Len64(hi), need(a), need(b))
		if op == Mul {
			k = max(1, bits.Len64(hi))
		}
		if k < w {
			return g.Cat(g.Const(0, w-k), g.arithmetic(op, g.Slice(a, 0, k), g.Slice(b, 0, k)))
		}
		if lo == hi {
			return g.Const(lo, w)
		}
		return g.node(op, w, 0, "", lo, hi, a, b)
	}
	if k := signedNeed(a, b) + 1; op != Mul && k < w { // it may wrap: narrow, with a sign
		return g.Extend(g.node(op, k, 0, "", 0, Mask(k), g.Slice(a, 0, k), g.Slice(b, 0, k)), w, true)
	}
	return g.node(op, w, 0, "", 0, Mask(w), a, b)
}

// bare returns a node without zeros above it.
func bare(n *Node) *Node {
	if n.Op == Cat && len(n.Args) == 2 && n.Args[0].IsConst(0) {
		return n.Args[1]
	}
	return n
}

// signedNeed returns how many bits a signed number needs that holds either.
func signedNeed(a, b *Node) int {
	one := func(n *Node) int {
		return max(bits.Len64(uint64(n.slo^n.slo>>63)), bits.Len64(uint64(n.shi^n.shi>>63))) + 1
	}
	return max(one(a), one(b))
}

// exact returns the range of a result that does not wrap.
func exact(op Op, a, b *Node) (lo, hi uint64, ok bool) {
	switch op {
	case Add:
		hi, c := bits.Add64(a.hi, b.hi, 0)
		return a.lo + b.lo, hi, c == 0
	case Sub:
		return a.lo - b.hi, a.hi - b.lo, a.lo >= b.hi
	}
	over, hi := bits.Mul64(a.hi, b.hi)
	return a.lo * b.lo, hi, over == 0
}

func (g *Graph) divide(op Op, a, b *Node) *Node {
	w := a.W
	if op == SDiv || op == SRem {
		if a.hi>>(w-1) != 0 || b.hi>>(w-1) != 0 {
			return g.node(op, w, 0, "", 0, Mask(w), a, b)
		}
		op = map[Op]Op{SDiv: UDiv, SRem: URem}[op]
	}
	if b.Op == Const && b.Val != 0 && b.Val&(b.Val-1) == 0 {
		if k := bits.TrailingZeros64(b.Val); op == UDiv {
			return g.shift(Lshr, a, g.Const(uint64(k), 7))
		}
		return g.bitwise(And, a, g.Const(b.Val-1, w))
	}
	if b.lo > a.hi {
		if op == UDiv {
			return g.Const(0, w)
		}
		return a
	}
	if k := max(1, need(a), need(b)); k < w {
		return g.Extend(g.divide(op, g.Slice(a, 0, k), g.Slice(b, 0, k)), w, false)
	}
	hi := a.hi
	if op == URem && b.hi > 0 {
		hi = min(hi, b.hi-1)
	} else if op == UDiv && b.lo > 0 {
		hi /= b.lo
	}
	if k := max(1, bits.Len64(hi)); k < w {
		return g.Extend(g.Slice(g.node(op, w, 0, "", 0, hi, a, b), 0, k), w, false)
	}
	return g.node(op, w, 0, "", 0, hi, a, b)
}

func (g *Graph) shift(op Op, a, b *Node) *Node {
	w := a.W
	if op == Ashr && a.hi>>(w-1) == 0 {
		op = Lshr
	}
	if b.Op == Const {
		k := int(min(b.Val, uint64(w)))
		switch {
		case k == 0:
			return a
		case op == Ashr:
			return g.Extend(g.Slice(a, min(k, w-1), w-min(k, w-1)), w, true)
		case k == w:
			return g.Const(0, w)
		case op == Lshr:
			return g.Cat(g.Const(0, k), g.Slice(a, k, w-k))
		}
		return g.Cat(g.Slice(a, 0, w-k), g.Const(0, k))
	}
	if a.IsConst(0) {
		return a
	}
	b = g.core(b)
	switch op {
	case Lshr:
		if k := max(1, need(a)); k < w {
			return g.Extend(g.shift(Lshr, g.Slice(a, 0, k), b), w, false)
		}
		return g.node(Lshr, w, 0, "", 0, a.hi>>min(b.lo, 63), a, b)
	case Shl:
		if most := uint64(need(a)) + b.hi; b.hi < 64 && most < uint64(w) {
			k := max(1, int(most))
			return g.Extend(g.node(Shl, k, 0, "", a.lo<<b.lo, a.hi<<b.hi, g.Slice(a, 0, k), b), w, false)
		}
	}
	return g.node(op, w, 0, "", 0, Mask(w), a, b)
}

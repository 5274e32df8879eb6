package netlist

import (
	"fmt"
	"math/bits"
)

// Not returns the complement.
func (g *Graph) Not(a *Node) *Node {
	switch {
	case a.Op == Const:
		return g.Const(^a.Val, a.W)
	case a.Op == Not:
		return a.Args[0]
	case a.Op == Cat:
		var parts []*Node
		for _, p := range a.Args {
			parts = append(parts, g.Not(p))
		}
		return g.Cat(parts...)
	}
	return g.node(Not, a.W, 0, "", Mask(a.W)-a.hi, Mask(a.W)-a.lo, a)
}

// Binary returns an operation of two arguments. It panics if their widths differ and the operation is no shift.
func (g *Graph) Binary(op Op, a, b *Node) *Node {
	if a.W != b.W && op != Shl && op != Lshr && op != Ashr {
		panic(fmt.Sprintf("netlist: operation %d on %d and %d bits", op, a.W, b.W))
	}
	if a.Op == Const && b.Op == Const {
		if v, w, ok := compute(op, a, b); ok {
			return g.Const(v, w)
		}
	}
	switch {
	case op != Eq && op != Ult && op != Slt:
	case a.Op == Const:
		g.compared[a.Val] = true
	case b.Op == Const:
		g.compared[b.Val] = true
	}
	switch op {
	case And, Or, Xor:
		return g.bitwise(op, a, b)
	case Add, Sub, Mul:
		return g.arithmetic(op, a, b)
	case Shl, Lshr, Ashr:
		return g.shift(op, a, b)
	case Eq:
		return g.equal(a, b)
	case Ult:
		return g.less(a, b)
	case Slt:
		if a.hi>>(a.W-1) == 0 && b.hi>>(b.W-1) == 0 {
			return g.less(a, b)
		}
		return g.signedLess(a, b)
	}
	return g.divide(op, a, b)
}

// compute is an operation on constants.
func compute(op Op, a, b *Node) (v uint64, w int, ok bool) {
	x, y, w := a.Val, b.Val, a.W
	sx, sy := signed(x, a.W), signed(y, b.W)
	bit := func(c bool) (uint64, int, bool) {
		if c {
			return 1, 1, true
		}
		return 0, 1, true
	}
	switch op {
	case And:
		return x & y, w, true
	case Or:
		return x | y, w, true
	case Xor:
		return x ^ y, w, true
	case Add:
		return x + y, w, true
	case Sub:
		return x - y, w, true
	case Mul:
		return x * y, w, true
	case Shl:
		return x << y, w, true
	case Lshr:
		return x >> y, w, true
	case Ashr:
		return uint64(sx >> y), w, true
	case Eq:
		return bit(x == y)
	case Ult:
		return bit(x < y)
	case Slt:
		return bit(sx < sy)
	}
	if y == 0 {
		return 0, 0, false
	}
	switch op {
	case UDiv:
		return x / y, w, true
	case URem:
		return x % y, w, true
	case SDiv:
		return uint64(sx / sy), w, true
	}
	return uint64(sx % sy), w, true
}

// bitwise splits the arguments where one of them is constant or put together, so that masks and packings become
// slices.
func (g *Graph) bitwise(op Op, a, b *Node) *Node {
	if a.Op == Const || b.Op != Const && b.ID < a.ID {
		a, b = b, a // a constant is the second
	}
	if a == b {
		if op == Xor {
			return g.Const(0, a.W)
		}
		return a
	}
	if b.Op == Const {
		switch {
		case b.Val == 0 && op == And:
			return b
		case b.Val == 0:
			return a
		case b.Val == Mask(b.W) && op == And:
			return a
		case b.Val == Mask(b.W) && op == Or:
			return b
		case b.Val == Mask(b.W):
			return g.Not(a)
		}
	}
	if a.Op == Not && a.Args[0] == b || b.Op == Not && b.Args[0] == a {
		if op == And {
			return g.Const(0, a.W)
		}
		return g.Const(Mask(a.W), a.W)
	}
	if cuts := g.cuts(a, b); len(cuts) > 2 {
		var parts []*Node
		for i := len(cuts) - 1; i > 0; i-- {
			low, w := cuts[i-1], cuts[i]-cuts[i-1]
			parts = append(parts, g.bitwise(op, g.Slice(a, low, w), g.Slice(b, low, w)))
		}
		return g.Cat(parts...)
	}
	if a.W == 1 && (op == And || op == Or) {
		if n := g.absorb(op, a, b); n != nil {
			return n
		}
	}
	lo, hi := uint64(0), Mask(max(need(a), need(b)))
	switch op {
	case And:
		hi = min(a.hi, b.hi)
	case Or:
		lo = max(a.lo, b.lo)
	}
	if lo == hi {
		return g.Const(lo, a.W)
	}
	if n := g.node(op, a.W, 0, "", lo, hi, a, b); n.ones > 0 {
		return n
	}
	return g.Const(0, a.W)
}

// absorb simplifies a & (a | c) and its kin of one bit.
func (g *Graph) absorb(op Op, a, b *Node) *Node {
	other := Or
	if op == Or {
		other = And
	}
	for _, p := range [2][2]*Node{{a, b}, {b, a}} {
		x, y := p[0], p[1]
		for k := range y.Args {
			switch {
			case y.Op == other && y.Args[k] == x: // x & (x | c) = x
				return x
			case y.Op == op && y.Args[k] == x: // x & (x & c) = x & c
				return y
			case y.Op == other && y.Args[k] == g.Not(x): // x & (^x | c) = x & c
				return g.bitwise(op, x, y.Args[1-k])
			case y.Op == op && y.Args[k] == g.Not(x):
				if op == And {
					return g.Bit(false)
				}
				return g.Bit(true)
			}
		}
	}
	return nil
}

// cuts are the bits at which bitwise arguments fall apart: the borders of a Cat, and of the runs of a constant.
func (g *Graph) cuts(a, b *Node) []int {
	var at uint64 // bit i: a cut below bit i+1
	for _, n := range []*Node{a, b} {
		switch n.Op {
		case Cat:
			low := 0
			for i := len(n.Args) - 1; i > 0; i-- {
				low += n.Args[i].W
				at |= 1 << (low - 1)
			}
		case Const:
			at |= n.Val ^ n.Val>>1
		default:
			if k := need(n); k < n.W && k > 0 {
				at |= 1 << (k - 1)
			}
		}
	}
	cuts := []int{0}
	for at &= Mask(a.W - 1); at != 0; at &= at - 1 {
		cuts = append(cuts, bits.TrailingZeros64(at)+1)
	}
	cuts = append(cuts, a.W)
	return cuts
}

// Is compares an index with the number of an element. Thresholds leaves that number out: it is no limit in the program.
func (g *Graph) Is(index *Node, k uint64) *Node { return g.equal(index, g.Const(k, index.W)) }

// Beyond compares a length with the number of an element, which it is beyond of; see Is.
func (g *Graph) Beyond(n *Node, k uint64) *Node { return g.less(g.Const(k, n.W), n) }

func (g *Graph) equal(a, b *Node) *Node {
	if a == b {
		return g.Bit(true)
	}
	if a.Op == Const || b.Op != Const && b.ID < a.ID {
		a, b = b, a
	}
	if a.hi < b.lo || b.hi < a.lo {
		return g.Bit(false)
	}
	if k := max(1, need(a), need(b)); k < a.W {
		return g.equal(g.Slice(a, 0, k), g.Slice(b, 0, k))
	}
	if a.W == 1 && b.Op == Const {
		if b.Val == 1 {
			return a
		}
		return g.Not(a)
	}
	if b.Op == Const {
		switch {
		case a.Op == Cat: // the constant parts are equal already, or never
			var parts, want []*Node
			low := a.W
			for _, p := range a.Args {
				low -= p.W
				v := g.Slice(b, low, p.W)
				if p.Op == Const {
					if p != v {
						return g.Bit(false)
					}
					continue
				}
				parts, want = append(parts, p), append(want, v)
			}
			if len(parts) < len(a.Args) {
				return g.equal(g.Cat(parts...), g.Cat(want...))
			}
		case a.Op == Sext:
			if g.Extend(g.Slice(b, 0, a.Args[0].W), a.W, true) != b {
				return g.Bit(false)
			}
			return g.equal(a.Args[0], g.Slice(b, 0, a.Args[0].W))
		case a.Op == Mux && (a.Args[1].Op == Const || a.Args[2].Op == Const):
			return g.Mux(a.Args[0], g.equal(a.Args[1], b), g.equal(a.Args[2], b))
		case a.Op == Add && a.Args[1].Op == Const:
			return g.equal(a.Args[0], g.Const(b.Val-a.Args[1].Val, a.W))
		}
	}
	return g.node(Eq, 1, 0, "", 0, 1, a, b)
}

func (g *Graph) less(a, b *Node) *Node {
	if a == b || a.lo >= b.hi && a.lo >= b.lo && b.hi <= a.lo {
		return g.Bit(false)
	}
	if a.hi < b.lo {
		return g.Bit(true)
	}
	if k := max(1, need(a), need(b)); k < a.W {
		return g.less(g.Slice(a, 0, k), g.Slice(b, 0, k))
	}
	switch {
	case b.IsConst(1):
		return g.equal(a, g.Const(0, a.W))
	case a.IsConst(0):
		return g.Not(g.equal(b, a))
	case b.IsConst(Mask(b.W)):
		return g.Not(g.equal(a, b))
	}
	return g.node(Ult, 1, 0, "", 0, 1, a, b)
}

func (g *Graph) signedLess(a, b *Node) *Node {
	switch {
	case a == b || a.slo >= b.shi:
		return g.Bit(false)
	case a.shi < b.slo:
		return g.Bit(true)
	}
	if k := signedNeed(a, b); k < a.W {
		return g.signedLess(g.Slice(a, 0, k), g.Slice(b, 0, k))
	}
	if b.IsConst(0) {
		return g.Slice(a, a.W-1, 1)
	}
	return g.node(Slt, 1, 0, "", 0, 1, a, b)
}

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
		if x, y := bare(a), bare(b); x.Op == Add && x.Args[1].Op == Const && bare(x.Args[0]) == y {
			if k := x.Args[1].Val; x.hi == y.hi+k { // (y + k) - y
				return g.Const(k, a.W)
			}
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
	return g.node(Select, w, 0, "", lo, hi, append([]*Node{index}, of...)...)
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
	var x *Node
	var lo, hi uint64
	switch {
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

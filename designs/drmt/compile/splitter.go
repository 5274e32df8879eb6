package compile

import (
	"math/big"
	"math/bits"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// splitter computes parts of expressions into fields of the machine's own, step by step.
type splitter struct {
	l      *lowering
	name   string
	params []p4.Param
	steps  [][]p4.Primitive
	known  map[part]ready
}

// part is an expression of which some bits are wanted, ready the leaf that has them and the step after which it does.
type part struct {
	e     *p4.Expr
	width int
}

type ready struct {
	e    *p4.Expr
	step int
}

// emit adds an assignment to a step, counted from 1.
func (s *splitter) emit(step, field int, e *p4.Expr) {
	for len(s.steps) < step {
		s.steps = append(s.steps, nil)
	}
	s.steps[step-1] = append(s.steps[step-1], assignment(field, e))
}

func (s *splitter) temporary(width int) int {
	return s.l.field(s.name+"$", width)
}

func isLeaf(e *p4.Expr) bool {
	return isConst(e) || e.Kind == p4.FieldValue || e.Kind == p4.ParamValue || e.Kind == p4.Limb
}

// bound is how many bits n a value has at most, so that -2^n <= value < 2^n, and whether it can be below 0.
func (s *splitter) bound(e *p4.Expr) (n int, negative bool) {
	switch e.Kind {
	case p4.Constant:
		if e.Wide {
			return e.Number.BitLen(), e.Number.Sign() < 0
		}
		return bits.Len64(e.Const), false
	case p4.FieldValue:
		return s.l.p.Fields[e.Field].Bits, false
	case p4.Limb:
		return 32, false
	case p4.ParamValue:
		return s.params[e.Param].Bits, false
	case p4.Choice:
		l, ln := s.bound(e.Left)
		r, rn := s.bound(e.Right)
		return max(l, r), ln || rn
	case p4.Operation:
	default:
		return 1 << 16, true
	}
	r, rn := s.bound(e.Right)
	switch e.Operator {
	case p4.Not:
		return r + 1, true
	case p4.LogicalNot, p4.Same:
		return 1, false
	}
	l, ln := s.bound(e.Left)
	switch e.Operator {
	case p4.Add:
		return max(l, r) + 1, ln || rn
	case p4.Sub:
		return max(l, r) + 1, true
	case p4.Mul:
		return l + r, ln || rn
	case p4.And:
		switch {
		case ln && rn:
			return max(l, r), true
		case ln:
			return r, false
		case rn:
			return l, false
		}
		return min(l, r), false
	case p4.Or, p4.Xor:
		return max(l, r), ln || rn
	case p4.ShiftLeft:
		if isConst(e.Right) && e.Right.Const < 64 {
			return l + int(e.Right.Const), ln
		}
		return 1 << 16, ln
	case p4.ShiftRight:
		return l, ln
	}
	return 1, false
}

// value returns an expression that one ALU operation computes, whose lowest bits are e's, and the step in which it can
// be computed. dest is the field that takes it.
func (s *splitter) value(e *p4.Expr, dest, width int) (*p4.Expr, int, error) {
	e = trim(e, width)
	if e.Kind == p4.Choice && e.Right.Kind == p4.FieldValue && e.Right.Field == dest {
		c, cs, err := s.truth(e.Cond)
		if err != nil {
			return nil, 0, err
		}
		l, ls, err := s.leaf(e.Left, width)
		if isConst(c) || isConst(l) && l.Const > 0xffffffff || err != nil {
			return nil, 0, errTooMuch
		}
		return &p4.Expr{Kind: p4.Choice, Cond: c, Left: l, Right: e.Right}, max(cs, ls) + 1, nil
	}
	x, step, err := s.single(e, width)
	return x, step + 1, err
}

// leaf returns a field, a constant or action data whose lowest bits are e's, and the step after which it is there.
func (s *splitter) leaf(e *p4.Expr, width int) (*p4.Expr, int, error) {
	e = trim(e, width)
	if e.Kind == p4.Constant && e.Wide && width <= 64 { // the lowest bits of one below 0
		mask := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(width)), big.NewInt(1))
		e = constant(mask.And(mask, e.Number).Uint64())
	}
	return s.whole(e, width)
}

// whole is leaf for an expression of which no mask is taken off: where e has at most width bits, the leaf has no more.
func (s *splitter) whole(e *p4.Expr, width int) (*p4.Expr, int, error) {
	if isLeaf(e) {
		return e, 0, nil
	}
	if r, ok := s.known[part{e, width}]; ok {
		return r.e, r.step, nil
	}
	x, step, err := s.single(e, width)
	if err != nil {
		return nil, 0, err
	}
	if !isLeaf(x) {
		f := s.temporary(width)
		s.emit(step+1, f, x)
		x, step = fieldExpr(f), step+1
	}
	if s.known == nil {
		s.known = map[part]ready{}
	}
	s.known[part{e, width}] = ready{x, step}
	return x, step, nil
}

// exactly returns a leaf that has all of e, which must have at most some bits and not be below 0.
func (s *splitter) exactly(e *p4.Expr, most int) (*p4.Expr, int, error) {
	n, negative := s.bound(e)
	if negative || n > most {
		return nil, 0, errTooMuch
	}
	return s.whole(e, max(n, 1))
}

// truth returns a leaf that is not 0 if e is true, and 1 then unless e is a field itself.
func (s *splitter) truth(e *p4.Expr) (*p4.Expr, int, error) {
	if n, negative := s.bound(e); n <= 1 && !negative {
		return s.whole(e, 1)
	}
	return s.whole(&p4.Expr{Kind: p4.Operation, Operator: p4.NotEqual, Left: e, Right: constant(0)}, 1)
}

// single returns an expression of one ALU operation, or a leaf, and the step after which its operands are there.
func (s *splitter) single(e *p4.Expr, width int) (*p4.Expr, int, error) {
	switch {
	case isLeaf(e):
		return e, 0, nil
	case width > 64 || e.Kind == p4.Constant:
		return nil, 0, errTooMuch
	case e.Kind == p4.Choice:
		return s.choice(e, width)
	case e.Kind != p4.Operation:
		return nil, 0, tooMuch(e)
	case width > 32 && (e.Operator == p4.Add || e.Operator == p4.Mul || e.Operator == p4.ShiftLeft):
		// a value that fits a word takes fewer steps than one of two words
		if n, negative := s.bound(e); n <= 32 && !negative {
			return s.whole(e, max(n, 1))
		}
	}
	op := func(o p4.Operator, l, r *p4.Expr, step int) (*p4.Expr, int, error) {
		if isConst(l) && isConst(r) {
			if v, ok := fold(o, l.Const, r.Const); ok {
				return constant(v), step, nil
			}
			f := s.temporary(64)
			s.emit(step+1, f, l)
			l, step = fieldExpr(f), step+1
		}
		return &p4.Expr{Kind: p4.Operation, Operator: o, Left: l, Right: r}, step, nil
	}
	switch o := e.Operator; o {
	case p4.Not:
		r, n, err := s.leaf(e.Right, width)
		return &p4.Expr{Kind: p4.Operation, Operator: o, Right: r}, n, err
	case p4.LogicalNot:
		r, n, err := s.truth(e.Right)
		if err != nil {
			return nil, 0, err
		}
		return op(p4.Equal, r, constant(0), n)
	case p4.Same:
		return s.single(e.Right, width)
	case p4.LogicalAnd, p4.LogicalOr:
		l, ls, err := s.truth(e.Left)
		if err != nil {
			return nil, 0, err
		}
		r, rs, err := s.truth(e.Right)
		if err != nil {
			return nil, 0, err
		}
		return op(map[p4.Operator]p4.Operator{p4.LogicalAnd: p4.And, p4.LogicalOr: p4.Or}[o], l, r, max(ls, rs))
	case p4.And, p4.Or, p4.Xor, p4.Add, p4.Sub:
		return s.ring(e, width, op)
	case p4.Mul:
		return s.product(e, width)
	case p4.ShiftLeft, p4.ShiftRight:
		return s.shift(e, width, op)
	case p4.Equal, p4.NotEqual, p4.Less, p4.LessEqual, p4.Greater, p4.GreaterEqual:
		e = s.raised(e)
		l, ls, err := s.exactly(e.Left, 64)
		if err != nil {
			return nil, 0, err
		}
		r, rs, err := s.exactly(e.Right, 64)
		if err != nil {
			return nil, 0, err
		}
		if s.wide(l) || s.wide(r) {
			return s.compareWide(o, l, r, max(ls, rs))
		}
		return op(o, l, r, max(ls, rs))
	}
	return nil, 0, tooMuch(e)
}

type joiner = func(o p4.Operator, l, r *p4.Expr, step int) (*p4.Expr, int, error)

// ring is right in its lowest bits if the operands are.
func (s *splitter) ring(e *p4.Expr, width int, op joiner) (*p4.Expr, int, error) {
	need := width
	if e.Operator == p4.And { // what a constant masks off need not be there
		for _, x := range []*p4.Expr{e.Left, e.Right} {
			if isConst(x) {
				need = max(min(need, bits.Len64(x.Const)), 1)
			}
		}
	}
	l, ls, err := s.leaf(e.Left, need)
	if err != nil {
		return nil, 0, err
	}
	r, rs, err := s.leaf(e.Right, need)
	if err != nil {
		return nil, 0, err
	}
	step := max(ls, rs)
	if width <= 32 || bitwise(e.Operator) {
		return op(e.Operator, l, r, step)
	}
	// two words with a carry, or a borrow
	l, ls = s.settle(l, ls)
	r, rs = s.settle(r, rs)
	step = max(ls, rs)
	l0, l1, r0, r1 := s.limb(l, 0), s.limb(l, 1), s.limb(r, 0), s.limb(r, 1)
	low, carry, high := s.temporary(32), s.temporary(1), s.temporary(32)
	s.emit(step+1, low, binary(e.Operator, l0, r0))
	s.emit(step+1, high, binary(e.Operator, l1, r1))
	if e.Operator == p4.Add {
		s.emit(step+2, carry, binary(p4.Less, fieldExpr(low), r0))
	} else {
		s.emit(step+1, carry, binary(p4.Less, l0, r0))
	}
	sum := s.temporary(32)
	s.emit(step+3, sum, binary(e.Operator, fieldExpr(high), fieldExpr(carry)))
	return &p4.Expr{Kind: p4.Join, Left: fieldExpr(sum), Right: fieldExpr(low)}, step + 3, nil
}

func binary(o p4.Operator, l, r *p4.Expr) *p4.Expr {
	return &p4.Expr{Kind: p4.Operation, Operator: o, Left: l, Right: r}
}

// settle moves action data of more than 32 bits into a field, whose words can be had.
func (s *splitter) settle(e *p4.Expr, step int) (*p4.Expr, int) {
	if e.Kind != p4.ParamValue || s.params[e.Param].Bits <= 32 {
		return e, step
	}
	f := s.temporary(s.params[e.Param].Bits)
	s.emit(step+1, f, e)
	return fieldExpr(f), step + 1
}

// wide tells whether a leaf has more than 32 bits.
func (s *splitter) wide(e *p4.Expr) bool {
	n, _ := s.bound(e)
	return n > 32
}

// limb returns 32 bits of a leaf: number 0 is the lowest.
func (s *splitter) limb(e *p4.Expr, n int) *p4.Expr {
	switch {
	case isConst(e):
		return constant(e.Const >> (32 * n) & 0xffffffff)
	case e.Kind == p4.FieldValue && s.wide(e):
		return &p4.Expr{Kind: p4.Limb, Field: e.Field, Param: n}
	case n > 0:
		return constant(0)
	}
	return e
}

// compareWide compares two leaves of up to 64 bits: by the upper words, or if they are equal by the lower.
func (s *splitter) compareWide(o p4.Operator, l, r *p4.Expr, step int) (*p4.Expr, int, error) {
	l, ls := s.settle(l, step)
	r, rs := s.settle(r, step)
	step = max(ls, rs)
	upper, equal, lower := s.temporary(1), s.temporary(1), s.temporary(1)
	strict := map[p4.Operator]p4.Operator{p4.LessEqual: p4.Less, p4.GreaterEqual: p4.Greater}
	up, ok := strict[o]
	if !ok {
		up = o
	}
	l1, r1 := s.limb(l, 1), s.limb(r, 1)
	l0, r0 := s.limb(l, 0), s.limb(r, 0)
	if isConst(l1) && isConst(r1) || isConst(l0) && isConst(r0) {
		return nil, 0, errTooMuch
	}
	s.emit(step+1, upper, binary(up, l1, r1))
	s.emit(step+1, lower, binary(o, l0, r0))
	switch o {
	case p4.Equal:
		return binary(p4.And, fieldExpr(upper), fieldExpr(lower)), step + 1, nil
	case p4.NotEqual:
		return binary(p4.Or, fieldExpr(upper), fieldExpr(lower)), step + 1, nil
	}
	s.emit(step+1, equal, binary(p4.Equal, l1, r1))
	both := s.temporary(1)
	s.emit(step+2, both, binary(p4.And, fieldExpr(equal), fieldExpr(lower)))
	return binary(p4.Or, fieldExpr(upper), fieldExpr(both)), step + 2, nil
}

// product multiplies by a constant, as a sum of shifts.
func (s *splitter) product(e *p4.Expr, width int) (*p4.Expr, int, error) {
	x, c := e.Left, e.Right
	if isConst(x) {
		x, c = c, x
	}
	if !isConst(c) {
		return nil, 0, tooMuch(e)
	}
	type digit struct {
		at  uint64
		add p4.Operator
	}
	var digits []digit // 1 and -1, no two of which stand side by side: that takes the fewest
	for k, left := uint64(0), c.Const; left != 0 && k < 64; k, left = k+1, left>>1 {
		switch {
		case left&1 == 0:
		case left&3 == 3 && left != 3 && k < 62:
			digits = append(digits, digit{k, p4.Sub})
			left++
		default:
			digits = append(digits, digit{k, p4.Add})
		}
	}
	if len(digits) > mostTerms {
		return nil, 0, errTooMuch
	}
	if len(digits) == 0 {
		return constant(0), 0, nil
	}
	// Horner's scheme, which keeps the last sum only: 7 x = (x << 3) - x
	sum, at := x, digits[len(digits)-1].at
	for k := len(digits) - 2; k >= 0; k-- {
		d := digits[k]
		sum = binary(d.add, binary(p4.ShiftLeft, sum, constant(at-d.at)), x)
		at = d.at
	}
	if at > 0 {
		sum = binary(p4.ShiftLeft, sum, constant(at))
	}
	return s.single(sum, width)
}

// mostTerms bounds a product's sum.
const mostTerms = 16

// shift shifts by a constant, or, in 32 bits, by a field.
func (s *splitter) shift(e *p4.Expr, width int, op joiner) (*p4.Expr, int, error) {
	var l *p4.Expr
	var ls int
	var err error
	if e.Operator == p4.ShiftLeft {
		l, ls, err = s.leaf(e.Left, width)
	} else {
		if n, negative := s.bound(e.Left); negative && isConst(e.Right) && n <= 63 { // x >> k = ((x + 2^n) >> k) - 2^(n-k)
			k := min(e.Right.Const, uint64(n))
			x := binary(p4.ShiftRight, s.raise(e.Left, n), constant(k))
			return s.single(binary(p4.Sub, x, constant(1<<(uint64(n)-k))), width)
		}
		l, ls, err = s.exactly(e.Left, 64)
	}
	if err != nil {
		return nil, 0, err
	}
	r, rs, err := s.exactly(e.Right, 32)
	if err != nil {
		return nil, 0, err
	}
	if width <= 32 && e.Operator == p4.ShiftLeft || width <= 32 && !s.wide(l) ||
		e.Operator == p4.ShiftRight && !s.wide(l) {
		if e.Operator == p4.ShiftLeft && s.wide(l) {
			l, ls = s.settle(l, ls)
			l = s.limb(l, 0)
		}
		return op(e.Operator, l, r, max(ls, rs))
	}
	if !isConst(r) || r.Const >= 64 || isConst(l) {
		return nil, 0, tooMuch(e)
	}
	l, step := s.settle(l, max(ls, rs))
	k := r.Const
	l0, l1 := s.limb(l, 0), s.limb(l, 1)
	if e.Operator == p4.ShiftLeft { // the same with the words the other way round
		l0, l1 = l1, l0
	}
	back := map[p4.Operator]p4.Operator{p4.ShiftLeft: p4.ShiftRight, p4.ShiftRight: p4.ShiftLeft}[e.Operator]
	near, far := s.temporary(32), s.temporary(32)
	switch {
	case k == 0:
		return l, step, nil
	case k >= 32:
		s.emit(step+1, near, binary(e.Operator, l1, constant(k-32)))
		s.emit(step+1, far, constant(0))
		step++
	default:
		a, b := s.temporary(32), s.temporary(32)
		s.emit(step+1, a, binary(e.Operator, l0, constant(k)))
		s.emit(step+1, b, binary(back, l1, constant(32-k)))
		s.emit(step+2, near, binary(p4.Or, fieldExpr(a), fieldExpr(b)))
		s.emit(step+1, far, binary(e.Operator, l1, constant(k)))
		step += 2
	}
	if e.Operator == p4.ShiftLeft {
		return &p4.Expr{Kind: p4.Join, Left: fieldExpr(near), Right: fieldExpr(far)}, step, nil
	}
	return &p4.Expr{Kind: p4.Join, Left: fieldExpr(far), Right: fieldExpr(near)}, step, nil
}

// choice computes both sides: one is written, and then the other over it if the condition is true.
func (s *splitter) choice(e *p4.Expr, width int) (*p4.Expr, int, error) {
	c, cs, err := s.truth(e.Cond)
	if err != nil {
		return nil, 0, err
	}
	if isConst(c) {
		if c.Const != 0 {
			return s.single(e.Left, width)
		}
		return s.single(e.Right, width)
	}
	l, ls, err := s.leaf(e.Left, width)
	if err != nil {
		return nil, 0, err
	}
	r, rs, err := s.leaf(e.Right, width)
	if err != nil {
		return nil, 0, err
	}
	f := s.temporary(width)
	s.emit(rs+1, f, r)
	at := max(cs, ls, rs+1)
	s.emit(at+1, f, &p4.Expr{Kind: p4.Choice, Cond: c, Left: l, Right: fieldExpr(f)})
	return fieldExpr(f), at + 1, nil
}

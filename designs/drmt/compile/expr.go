package compile

import (
	"math/bits"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// substitute replaces fields by the values written to them before, and simplifies. An expression is not changed in
// place.
func substitute(e *p4.Expr, written map[int]*p4.Expr) *p4.Expr {
	if e == nil {
		return nil
	}
	if e.Kind == p4.FieldValue {
		if w, ok := written[e.Field]; ok {
			return w
		}
		return e
	}
	c := *e
	c.Left, c.Right, c.Cond = substitute(e.Left, written), substitute(e.Right, written), substitute(e.Cond, written)
	return simplify(&c)
}

func isConst(e *p4.Expr) bool { return e != nil && e.Kind == p4.Constant && !e.Wide }

func constant(v uint64) *p4.Expr { return &p4.Expr{Kind: p4.Constant, Const: v} }

// simplify evaluates operations on constants and drops conversions between truth values and numbers, which are 1 and 0
// in both.
func simplify(e *p4.Expr) *p4.Expr {
	switch {
	case e.Kind == p4.Operation && e.Operator == p4.Same:
		return e.Right
	case e.Kind == p4.Choice && isConst(e.Cond):
		if e.Cond.Const != 0 {
			return e.Left
		}
		return e.Right
	case e.Kind == p4.Operation && isConst(e.Right) && (e.Left == nil || isConst(e.Left)):
		l := uint64(0)
		if e.Left != nil {
			l = e.Left.Const
		}
		if v, ok := fold(e.Operator, l, e.Right.Const); ok {
			return constant(v)
		}
	}
	return e
}

// fold returns the result on two constants; ok is false if it has no 64 bits, or is below 0.
func fold(op p4.Operator, l, r uint64) (v uint64, ok bool) {
	truth := func(b bool) uint64 {
		if b {
			return 1
		}
		return 0
	}
	switch op {
	case p4.Add:
		return l + r, l+r >= l
	case p4.Sub:
		return l - r, l >= r
	case p4.Mul:
		high, low := bits.Mul64(l, r)
		return low, high == 0
	case p4.ShiftLeft:
		return l << r, l<<r>>r == l
	case p4.ShiftRight:
		return l >> r, true
	case p4.And:
		return l & r, true
	case p4.Or:
		return l | r, true
	case p4.Xor:
		return l ^ r, true
	case p4.Equal:
		return truth(l == r), true
	case p4.NotEqual:
		return truth(l != r), true
	case p4.LogicalNot:
		return truth(r == 0), true
	}
	return 0, false
}

// trim takes masks off that the field's own width cuts anyway, as p4c puts them around arithmetic.
func trim(e *p4.Expr, bits int) *p4.Expr {
	for bits <= 64 && e.Kind == p4.Operation && e.Operator == p4.And {
		all := ^uint64(0) >> (64 - bits)
		switch {
		case isConst(e.Right) && e.Right.Const&all == all:
			e = e.Left
		case isConst(e.Left) && e.Left.Const&all == all:
			e = e.Right
		default:
			return e
		}
	}
	return e
}

package compile

import (
	"slices"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// bound is how many bits an expression has at most, as it was before it was divided.
func (w *divided) bound(e *p4.Expr) (n int, negative bool) {
	return (&splitter{l: w.l, params: w.l.params}).bound(e)
}

// wide tells whether an expression reads a divided field, or action data or a constant of more than 64 bits.
func (w *divided) wide(e *p4.Expr) bool {
	if e == nil {
		return false
	}
	switch e.Kind {
	case p4.FieldValue:
		return w.fields[e.Field] != nil
	case p4.ParamValue:
		return len(w.params[e.Param]) > 1
	case p4.Constant:
		return e.Wide && e.Number.Sign() > 0
	}
	return w.wide(e.Left) || w.wide(e.Right) || w.wide(e.Cond)
}

// bits returns an expression whose lowest bits are a word of another.
func (w *divided) bits(e *p4.Expr, part word) (*p4.Expr, bool) {
	if n, negative := w.bound(e); !w.wide(e) && n <= 64 {
		switch {
		case part.from == 0:
			return w.narrow(e), true
		case negative:
			return nil, false
		case part.from >= n:
			return constant(0), true
		}
		return binary(p4.ShiftRight, w.narrow(e), constant(uint64(part.from))), true
	}
	switch e.Kind {
	case p4.Constant:
		return constant(bitsOf(e.Number, part)), true
	case p4.FieldValue:
		if w.fields[e.Field] == nil { // a lookahead
			return nil, false
		}
		return pieced(w.l.p.Fields[e.Field].Bits, part, func(i int) *p4.Expr { return fieldExpr(w.fields[e.Field][i]) }), true
	case p4.ParamValue:
		return pieced(w.l.params[e.Param].Bits, part, func(i int) *p4.Expr {
			return &p4.Expr{Kind: p4.ParamValue, Param: w.params[e.Param][i]}
		}), true
	case p4.Choice:
		l, ok := w.bits(e.Left, part)
		r, ok2 := w.bits(e.Right, part)
		return &p4.Expr{Kind: p4.Choice, Cond: w.narrow(e.Cond), Left: l, Right: r}, ok && ok2
	case p4.Operation:
		return w.operation(e, part)
	}
	return nil, false
}

// operation is bits of an operator's result.
func (w *divided) operation(e *p4.Expr, part word) (*p4.Expr, bool) {
	switch e.Operator {
	case p4.And, p4.Or, p4.Xor:
		l, ok := w.bits(e.Left, part)
		r, ok2 := w.bits(e.Right, part)
		return binary(e.Operator, l, r), ok && ok2
	case p4.Not:
		r, ok := w.bits(e.Right, part)
		return &p4.Expr{Kind: p4.Operation, Operator: p4.Not, Right: r}, ok
	case p4.Add, p4.Sub:
		if part.from > 0 {
			return nil, false
		}
		l, ok := w.bits(e.Left, part)
		r, ok2 := w.bits(e.Right, part)
		return binary(e.Operator, l, r), ok && ok2
	case p4.ShiftRight, p4.ShiftLeft:
		if !isConst(e.Right) || e.Right.Const > 1<<16 {
			return nil, false
		}
		by := int(e.Right.Const)
		switch {
		case e.Operator == p4.ShiftRight:
			return w.bits(e.Left, word{part.from + by, part.bits})
		case part.from >= by:
			return w.bits(e.Left, word{part.from - by, part.bits})
		case part.from+part.bits <= by:
			return constant(0), true
		}
		x, ok := w.bits(e.Left, word{0, part.from + part.bits - by})
		return binary(p4.ShiftLeft, x, constant(uint64(by-part.from))), ok
	}
	if n, negative := w.bound(e); n == 1 && !negative && part.from == 0 {
		return w.narrow(e), true
	}
	return nil, false
}

// pieced puts bits of a divided value together.
func pieced(width int, part word, at func(int) *p4.Expr) *p4.Expr {
	var all *p4.Expr
	for i, x := range slices.Backward(wordsOf(width)) {
		if x.from+x.bits <= part.from || x.from >= part.from+part.bits {
			continue
		}
		e := at(i)
		switch {
		case x.from < part.from:
			e = binary(p4.ShiftRight, e, constant(uint64(part.from-x.from)))
		case x.from > part.from:
			e = binary(p4.ShiftLeft, e, constant(uint64(x.from-part.from)))
		}
		if all != nil {
			e = binary(p4.Or, all, e)
		}
		all = e
	}
	if all == nil {
		return constant(0)
	}
	return all
}

// exactly is a word of an expression, and nothing above it.
func (w *divided) exactly(e *p4.Expr, part word) (*p4.Expr, bool) {
	x, ok := w.bits(e, part)
	if !ok || isConst(x) {
		return x, ok
	}
	s := splitter{l: w.l, params: slices.Repeat([]p4.Param{{Bits: 64}}, 1+w.places())}
	if n, negative := s.bound(x); x.Kind == p4.FieldValue && !negative && n <= part.bits {
		return x, true
	}
	return binary(p4.And, x, constant(p4.Ones(part.bits))), true
}

func (w *divided) places() (n int) {
	for _, list := range w.params {
		n += len(list)
	}
	return n
}

// cut returns an expression of which the lowest bits are another's.
func (w *divided) cut(e *p4.Expr, width int) *p4.Expr {
	if !w.wide(e) {
		return w.narrow(e)
	}
	low, ok := w.bits(e, word{0, min(width, 32)})
	if !ok {
		return w.narrow(e)
	}
	if width <= 32 {
		return low
	}
	low, ok = w.exactly(e, word{0, 32})
	high, ok2 := w.bits(e, word{32, min(width-32, 32)})
	if !ok || !ok2 || width > 64 {
		return w.narrow(e)
	}
	return binary(p4.Or, binary(p4.ShiftLeft, high, constant(32)), low)
}

// narrow returns an expression of the same value in which wide values stand no more; what cannot be divided stays.
func (w *divided) narrow(e *p4.Expr) *p4.Expr {
	if e == nil {
		return nil
	}
	if e.Kind == p4.ParamValue {
		c := *e
		c.Param = w.params[e.Param][0]
		return &c
	}
	if w.wide(e) && e.Kind == p4.Operation {
		if e.Operator >= p4.Equal && e.Operator <= p4.GreaterEqual {
			if x, ok := w.compare(e); ok {
				return x
			}
		}
		if n, negative := w.bound(e); n <= 64 && !negative && n > 1 {
			cannot := func(part word) bool { // else cut would come back here
				_, ok := w.bits(e, part)
				return !ok
			}
			if !slices.ContainsFunc(wordsOf(n), cannot) {
				return binary(p4.And, w.cut(e, n), constant(p4.Ones(n)))
			}
		}
	}
	c := *e
	c.Left, c.Right, c.Cond = w.narrow(e.Left), w.narrow(e.Right), w.narrow(e.Cond)
	return &c
}

// compare compares wide values: by their uppermost words, or, where those are equal, by the ones below.
func (w *divided) compare(e *p4.Expr) (all *p4.Expr, ok bool) {
	l, ln := w.bound(e.Left)
	r, rn := w.bound(e.Right)
	if ln || rn {
		return nil, false
	}
	strict, same := e.Operator, p4.Equal
	switch e.Operator {
	case p4.LessEqual:
		strict = p4.Less
	case p4.GreaterEqual:
		strict = p4.Greater
	case p4.NotEqual:
		same = p4.NotEqual
	}
	for _, part := range slices.Backward(wordsOf(max(l, r))) {
		x, ok := w.exactly(e.Left, part)
		y, ok2 := w.exactly(e.Right, part)
		switch {
		case !ok || !ok2:
			return nil, false
		case all == nil:
			all = binary(e.Operator, x, y)
		case e.Operator == p4.Equal:
			all = binary(p4.LogicalAnd, binary(same, x, y), all)
		case e.Operator == p4.NotEqual:
			all = binary(p4.LogicalOr, binary(same, x, y), all)
		default:
			all = binary(p4.LogicalOr, binary(strict, x, y), binary(p4.LogicalAnd, binary(p4.Equal, x, y), all))
		}
	}
	return all, true
}

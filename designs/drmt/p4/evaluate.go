package p4

import (
	"math"
	"math/big"
	"math/bits"
)

// arguments are an action's data.
type arguments struct {
	data []uint64
	wide []Number
}

// maxShift bounds a shift to the left: a value shifted further has no bit left that any field could take.
const maxShift = 2 * maxBits

// word evaluates an expression in 64 bits of two's complement, which is exact unless ok is false: then a value on the
// way does not fit, and [Interpreter.exact] has to do it. Nearly all expressions fit.
func (in *Interpreter) word(e *Expr, a *arguments) (v int64, ok bool) {
	switch e.Kind {
	case Constant:
		return int64(e.Const), !e.Wide && e.Const <= math.MaxInt64
	case FieldValue:
		f := &in.program.Fields[e.Field]
		u := in.vector.values[e.Field]
		if f.Bits > 63 {
			return int64(u), f.Bits == 64 && (f.Signed || u <= math.MaxInt64)
		}
		if f.Signed && u>>(f.Bits-1) != 0 {
			return int64(u | ^Ones(f.Bits)), true
		}
		return int64(u), true
	case ParamValue:
		if a == nil || e.Param < len(a.wide) && a.wide[e.Param] != nil {
			return 0, false
		}
		return int64(a.data[e.Param]), a.data[e.Param] <= math.MaxInt64
	case Choice:
		c, ok := in.word(e.Cond, a)
		switch {
		case !ok:
			return 0, false
		case c != 0:
			return in.word(e.Left, a)
		}
		return in.word(e.Right, a)
	case Operation:
		return in.wordOperation(e, a)
	case StackSize, LastIndex:
		n := int64(in.held(e))
		if e.Kind == LastIndex {
			return n - 1, n > 0
		}
		return n, true
	case Valid:
		return int64(truth(in.validOf(e.Right, a))), true
	case SameHeader:
		return int64(truth(in.same(e.Left, e.Right, a))), true
	case Member:
		h := in.headerIndex(e.Left, a)
		if h < 0 {
			return 0, true
		}
		return in.word(&Expr{Kind: FieldValue, Field: in.program.Headers[h].member(e.Param)}, a)
	case Limb:
		return int64(in.vector.values[e.Field] >> (32 * e.Param) & 0xffffffff), true
	case Join:
		return 0, false
	case RegisterValue:
		n := e.Field
		i, ok := in.index(e.Right, a, in.program.Registers[n].Size)
		if !ok {
			return 0, true
		}
		if in.wide[n] != nil {
			return 0, false
		}
		return int64(in.registers[n][i]), in.registers[n][i] <= math.MaxInt64
	}
	return 0, true
}

func (in *Interpreter) wordOperation(e *Expr, a *arguments) (int64, bool) {
	r, ok := in.word(e.Right, a)
	if !ok {
		return 0, false
	}
	switch e.Operator {
	case Not:
		return ^r, true
	case LogicalNot:
		return int64(truth(r == 0)), true
	case Same:
		return int64(truth(r != 0)), true
	}
	l, ok := in.word(e.Left, a)
	if !ok {
		return 0, false
	}
	switch e.Operator {
	case Add:
		s := l + r
		return s, (s > l) == (r > 0)
	case Sub:
		s := l - r
		return s, (s < l) == (r > 0)
	case Mul:
		hi, lo := bits.Mul64(uint64(l), uint64(r))
		return int64(lo), hi == 0 && lo <= math.MaxInt64 && l >= 0 && r >= 0
	case ShiftLeft:
		return l << uint64(r), l >= 0 && r >= 0 && r < 63 && l>>(62-r) == 0
	case ShiftRight:
		return l >> uint64(r), r >= 0
	case And:
		return l & r, true
	case Or:
		return l | r, true
	case Xor:
		return l ^ r, true
	}
	yes, ok := false, true
	switch e.Operator {
	case Equal:
		yes = l == r
	case NotEqual:
		yes = l != r
	case Less:
		yes = l < r
	case LessEqual:
		yes = l <= r
	case Greater:
		yes = l > r
	case GreaterEqual:
		yes = l >= r
	case LogicalAnd:
		yes = l != 0 && r != 0
	case LogicalOr:
		yes = l != 0 || r != 0
	default:
		ok = false
	}
	return int64(truth(yes)), ok
}

// exact evaluates an expression with any number of bits.
func (in *Interpreter) exact(e *Expr, a *arguments) Number {
	if e.Kind != Operation && e.Kind != FieldValue {
		if v, ok := in.word(e, a); ok {
			return big.NewInt(v)
		}
	}
	switch e.Kind {
	case Constant:
		if e.Wide {
			return orZero(e.Number)
		}
		return new(big.Int).SetUint64(e.Const)
	case FieldValue:
		return in.number(e.Field)
	case ParamValue:
		if e.Param < len(a.wide) && a.wide[e.Param] != nil {
			return a.wide[e.Param]
		}
		return new(big.Int).SetUint64(a.data[e.Param])
	case Choice:
		if in.isTrue(e.Cond, a) {
			return in.exact(e.Left, a)
		}
		return in.exact(e.Right, a)
	case Member:
		return in.number(in.program.Headers[in.headerIndex(e.Left, a)].member(e.Param))
	case Join:
		high := in.exact(e.Left, a)
		return new(big.Int).Or(new(big.Int).Lsh(high, 32), in.exact(e.Right, a))
	case LastIndex: // of an empty stack: simple_switch computes it without a sign, in 64 bits
		return new(big.Int).SetUint64(math.MaxUint64)
	case RegisterValue:
		i, _ := in.index(e.Right, a, in.program.Registers[e.Field].Size)
		if w := in.wide[e.Field]; w != nil {
			return w[i]
		}
		return new(big.Int).SetUint64(in.registers[e.Field][i])
	}
	r := in.exact(e.Right, a)
	switch e.Operator {
	case Not:
		return new(big.Int).Not(r)
	case LogicalNot:
		return big.NewInt(int64(truth(r.Sign() == 0)))
	case Same:
		return big.NewInt(int64(truth(r.Sign() != 0)))
	}
	return operate(e.Operator, in.exact(e.Left, a), r)
}

func orZero(n Number) Number {
	if n == nil {
		return new(big.Int)
	}
	return n
}

// operate applies a binary operator. A quotient by 0, which BMv2 dies of, is 0 here, and so is a shift by less than 0.
func operate(op Operator, l, r Number) Number {
	v := new(big.Int)
	amount := uint(maxShift)
	if r.IsUint64() && r.Uint64() < maxShift {
		amount = uint(r.Uint64())
	}
	switch op {
	case Add:
		return v.Add(l, r)
	case Sub:
		return v.Sub(l, r)
	case Mul:
		return v.Mul(l, r)
	case Div, Mod:
		if r.Sign() == 0 {
			return v
		}
		if op == Div {
			return v.Quo(l, r)
		}
		return v.Rem(l, r)
	case ShiftLeft:
		if r.Sign() < 0 {
			return v
		}
		return v.Lsh(l, amount)
	case ShiftRight:
		if r.Sign() < 0 {
			return v
		}
		return v.Rsh(l, amount)
	case And:
		return v.And(l, r)
	case Or:
		return v.Or(l, r)
	case Xor:
		return v.Xor(l, r)
	case TwoComplement:
		if amount == 0 {
			return v
		}
		v.And(l, wideOnes(int(amount)))
		if v.Bit(int(amount)-1) == 1 {
			v.Sub(v, new(big.Int).Lsh(one, amount))
		}
		return v
	case SaturateSigned, SaturateNatural:
		return saturate(l, int(amount), op == SaturateSigned)
	}
	c, yes := l.Cmp(r), false
	switch op {
	case Equal:
		yes = c == 0
	case NotEqual:
		yes = c != 0
	case Less:
		yes = c < 0
	case LessEqual:
		yes = c <= 0
	case Greater:
		yes = c > 0
	case GreaterEqual:
		yes = c >= 0
	case LogicalAnd:
		yes = l.Sign() != 0 && r.Sign() != 0
	case LogicalOr:
		yes = l.Sign() != 0 || r.Sign() != 0
	}
	return v.SetUint64(truth(yes))
}

// isTrue evaluates a condition.
func (in *Interpreter) isTrue(e *Expr, a *arguments) bool {
	if v, ok := in.word(e, a); ok {
		return v != 0
	}
	return in.exact(e, a).Sign() != 0
}

// unsigned evaluates an expression, of which the lowest 64 bits count.
func (in *Interpreter) unsigned(e *Expr, a *arguments) uint64 {
	if v, ok := in.word(e, a); ok {
		return uint64(v)
	}
	return low64(in.exact(e, a))
}

// index evaluates the index of an array of some size; ok is false if it is beyond the end, where nothing is read or
// written.
func (in *Interpreter) index(e *Expr, a *arguments, size int) (i int, ok bool) {
	v := in.unsigned(e, a) & 0xffffffff
	return int(v), v < uint64(size)
}

// headerIndex finds a header, -1 if there is none: an element of a stack that it does not have.
func (in *Interpreter) headerIndex(e *Expr, a *arguments) int {
	p := in.program
	switch e.Kind {
	case HeaderValue:
		return e.Field
	case StackElement:
		if i, ok := in.index(e.Right, a, len(p.Stacks[e.Field].Headers)); ok {
			return p.Stacks[e.Field].Headers[i]
		}
	case LastElement:
		if n := in.vector.next[e.Field]; n > 0 {
			return p.Stacks[e.Field].Headers[n-1]
		}
	case UnionMember:
		if u := in.unionIndex(e.Left, a); u >= 0 {
			return p.Unions[u].Headers[e.Param]
		}
	}
	return -1
}

// held is how many elements the stack of a StackSize or LastIndex holds.
func (in *Interpreter) held(e *Expr) int {
	if e.Param == OfUnions {
		return in.vector.nextUnion[e.Field]
	}
	return in.vector.next[e.Field]
}

// unionIndex finds a union, -1 if there is none.
func (in *Interpreter) unionIndex(e *Expr, a *arguments) int {
	switch e.Kind {
	case UnionValue:
		return e.Field
	case UnionElement:
		unions := in.program.UnionStacks[e.Field].Unions
		if i, ok := in.index(e.Right, a, len(unions)); ok {
			return unions[i]
		}
	}
	return -1
}

// validMember is the header of a union that is valid, -1 if none is.
func (in *Interpreter) validMember(u int) int {
	for _, h := range in.program.Unions[u].Headers {
		if in.isValid(h) {
			return h
		}
	}
	return -1
}

func (in *Interpreter) validOf(e *Expr, a *arguments) bool {
	if e.Kind == UnionValue || e.Kind == UnionElement {
		u := in.unionIndex(e, a)
		return u >= 0 && in.validMember(u) >= 0
	}
	h := in.headerIndex(e, a)
	return h >= 0 && in.isValid(h)
}

// same compares two headers or unions: both valid, of one type, with the same values.
func (in *Interpreter) same(l, r *Expr, a *arguments) bool {
	p := in.program
	var x, y int
	if l.Kind == UnionValue || l.Kind == UnionElement {
		u, w := in.unionIndex(l, a), in.unionIndex(r, a)
		if u < 0 || w < 0 {
			return false
		}
		x, y = in.validMember(u), in.validMember(w)
	} else {
		x, y = in.headerIndex(l, a), in.headerIndex(r, a)
	}
	if x < 0 || y < 0 || !in.isValid(x) || !in.isValid(y) || p.Headers[x].Type != p.Headers[y].Type {
		return false
	}
	for i, f := range p.Headers[x].Fields {
		g := p.Headers[y].Fields[i]
		if in.vector.values[f] != in.vector.values[g] {
			return false
		}
		if w := in.vector.wide[f]; w != nil && w.Cmp(in.vector.wide[g]) != 0 {
			return false
		}
	}
	return in.variableBits(x) == in.variableBits(y)
}

package compile

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// plain puts what no ALU knows into operations on fields without a sign:
//
//   - A signed field of n bits is read as (f ^ 2^(n-1)) - 2^(n-1). Writing one cuts bits, as any field does.
//   - A cast that saturates, and a field that does, take the nearest value by a choice.
//   - An element of a stack that is known only when the action runs is chosen among all; to write it, each element is
//     written or keeps its value.
//   - Two headers are equal if both are valid and all their fields are equal.
//
// Fields of unions, and saturating fields that a register, a hash or a random number is written to, stay as they are.
func (l *lowering) plain() {
	p := l.p
	keep := make([]bool, len(p.Fields))
	for _, u := range p.Unions {
		for _, h := range u.Headers {
			for _, f := range p.Headers[h].Fields {
				keep[f] = true
			}
		}
	}
	for i := range p.Actions {
		for _, o := range p.Actions[i].Ops {
			if o.Op != p4.Assign && o.Field >= 0 && p.Fields[o.Field].Saturating {
				keep[o.Field] = true
			}
		}
	}
	for i := range p.Actions {
		a := &p.Actions[i]
		l.params, l.acting = a.Params, p4.Action{ID: a.ID, Name: a.Name, Ops: a.Ops}
		expand(a, l.plainPrimitive)
	}
	l.params = nil
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for i := range pipe.Nodes {
			if c := pipe.Nodes[i].Condition; c != nil {
				pipe.Nodes[i].Condition = &p4.Condition{If: l.natural(c.If), True: c.True, False: c.False}
			}
		}
	}
	p.States = slices.Clone(p.States)
	for i := range p.States {
		p.States[i].Ops = slices.Clone(p.States[i].Ops)
		for k := range p.States[i].Ops {
			o := &p.States[i].Ops[k]
			o.Value, o.Error = l.natural(o.Value), l.natural(o.Error)
			if o.Kind == p4.Basic && o.Header < 0 {
				o.Value = l.saturating(o.Field, o.Value)
			}
			if o.Kind == p4.Call && o.Call.Op == p4.Assign && o.Call.Dest == nil {
				x := *o.Call
				x.Value = l.saturating(x.Field, l.natural(x.Value))
				o.Call = &x
			}
		}
	}
	p.Checksums = slices.Clone(p.Checksums)
	for i := range p.Checksums {
		p.Checksums[i].If = l.natural(p.Checksums[i].If)
	}
	for f := range keep {
		if !keep[f] {
			p.Fields[f].Signed, p.Fields[f].Saturating = false, false
		}
	}
}

// expand replaces an action's primitives by others. Jumps go to the same ones.
func expand(a *p4.Action, by func(p4.Primitive) []p4.Primitive) {
	var ops []p4.Primitive
	at := make([]int, len(a.Ops)+1)
	for k := range a.Ops {
		at[k] = len(ops)
		ops = append(ops, by(a.Ops[k])...)
	}
	at[len(a.Ops)] = len(ops)
	for k := range ops {
		if o := &ops[k]; o.Op == p4.Jump || o.Op == p4.JumpIfZero {
			to := &o.Args[len(o.Args)-1]
			if isConst(*to) && (*to).Const < uint64(len(at)) {
				*to = constant(uint64(at[(*to).Const]))
			}
		}
	}
	a.Ops = ops
}

// exits lets packets leave a pipeline after an action that asked for it under a condition, in a field of its own.
func (l *lowering) exits() {
	p := l.p
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for _, n := range slices.Clone(pipe.Nodes) {
			t := n.Table
			asks := func(a int) bool { return l.leaves[p.Actions[a].ID] > 0 }
			if t == nil || !slices.ContainsFunc(t.Actions, asks) {
				continue
			}
			if t.HitOrMiss {
				for i := range t.Next {
					t.Next[i] = t.Hit
				}
				t.HitOrMiss, t.Apart = false, true
			}
			unless := func(field, to int) int {
				c := &p4.Condition{If: binary(p4.Equal, fieldExpr(field), constant(0)), True: to, False: p4.Accept}
				name := fmt.Sprintf("%s.%d", p.Fields[field].Name, len(pipe.Nodes))
				pipe.Nodes = append(pipe.Nodes, p4.Node{Name: name, Condition: c})
				return len(pipe.Nodes) - 1
			}
			for i, a := range t.Actions {
				f := l.leaves[p.Actions[a].ID]
				if f == 0 {
					continue
				}
				if t.Apart && a == t.Default {
					t.Miss = unless(f, t.Miss)
				}
				t.Next[i] = unless(f, t.Next[i])
			}
		}
	}
}

// plainPrimitive returns primitives that do the same.
func (l *lowering) plainPrimitive(o p4.Primitive) []p4.Primitive {
	p := l.p
	o.Args = slices.Clone(o.Args)
	for k := range o.Args {
		o.Args[k] = l.natural(o.Args[k])
	}
	o.Value = l.natural(o.Value)
	switch {
	case o.Op == p4.Assign && o.Dest == nil:
		o.Value = l.saturating(o.Field, o.Value)
	case o.Op == p4.Assign && o.Dest.Kind == p4.Member && o.Dest.Left.Kind == p4.StackElement:
		index := l.natural(o.Dest.Left.Right)
		var all []p4.Primitive
		if l.readsElements(o.Value, o.Dest) || l.readsElements(index, o.Dest) { // and the first elements are written by then
			v, n := l.once("machine.element_value", 64), l.once("machine.element_index", 32)
			all = append(all, assignment(v, o.Value), assignment(n, index))
			o.Value, index = fieldExpr(v), fieldExpr(n)
		}
		for i, h := range p.Stacks[o.Dest.Left.Field].Headers {
			f := p.Headers[h].Fields
			if o.Dest.Param >= len(f) {
				return []p4.Primitive{o}
			}
			is := binary(p4.Equal, index, constant(uint64(i)))
			all = append(all, assignment(f[o.Dest.Param], &p4.Expr{
				Kind: p4.Choice, Cond: is, Left: l.saturating(f[o.Dest.Param], o.Value), Right: fieldExpr(f[o.Dest.Param]),
			}))
		}
		return all
	case (o.Op == p4.AddHeader || o.Op == p4.RemoveHeader) && o.Dest != nil && o.Dest.Kind == p4.StackElement:
		return l.elements(o)
	case o.Op == p4.Exit && slices.ContainsFunc(l.acting.Ops, func(o p4.Primitive) bool {
		return o.Op == p4.Jump || o.Op == p4.JumpIfZero
	}):
		f, ok := l.leaves[l.acting.ID]
		if !ok {
			f = l.field(l.acting.Name+".exit", 1)
			l.leaves[l.acting.ID] = f
		}
		return []p4.Primitive{assignment(f, constant(1))}
	case o.Op == p4.Push || o.Op == p4.Pop || o.Op == p4.AssignHeader || o.Op == p4.AssignStack ||
		o.Op == p4.AssignUnion || o.Op == p4.AssignUnionStack:
		return l.primitive(&o)
	}
	return []p4.Primitive{o}
}

// elements adds or removes the element of a stack whose index is known at run time: each under a condition of its own.
func (l *lowering) elements(o p4.Primitive) (all []p4.Primitive) {
	index := l.natural(o.Dest.Right)
	list := l.p.Stacks[o.Dest.Field].Headers
	var chosen []int
	for i := range list {
		f := l.field(fmt.Sprintf("machine.element_%d_of_%s", i, l.acting.Name), 1)
		chosen = append(chosen, f)
		all = append(all, assignment(f, binary(p4.Equal, index, constant(uint64(i)))))
	}
	for i, h := range list {
		x := o
		x.Dest, x.Header, x.If = nil, h, fieldExpr(chosen[i])
		all = append(all, x)
	}
	return all
}

// readsElements tells whether an expression reads the field of a stack's elements that dest finds.
func (l *lowering) readsElements(e, dest *p4.Expr) bool {
	for _, h := range l.p.Stacks[dest.Left.Field].Headers {
		if f := l.p.Headers[h].Fields; dest.Param < len(f) && mentions(e, f[dest.Param]) {
			return true
		}
	}
	return false
}

// saturating brings a value to the nearest that a saturating field can hold.
func (l *lowering) saturating(field int, e *p4.Expr) *p4.Expr {
	if f := &l.p.Fields[field]; f.Saturating {
		return l.nearest(e, f.Bits, f.Signed)
	}
	return e
}

// natural returns an expression of the same value on fields without a sign.
func (l *lowering) natural(e *p4.Expr) *p4.Expr {
	if e == nil {
		return nil
	}
	p := l.p
	switch e.Kind {
	case p4.FieldValue:
		return l.signed(e.Field)
	case p4.Member:
		if e.Left.Kind != p4.StackElement {
			break
		}
		chosen := constant(0)
		for i, h := range slices.Backward(p.Stacks[e.Left.Field].Headers) {
			f := p.Headers[h].Valid
			if e.Param < len(p.Headers[h].Fields) {
				f = p.Headers[h].Fields[e.Param]
			}
			is := binary(p4.Equal, l.natural(e.Left.Right), constant(uint64(i)))
			chosen = &p4.Expr{Kind: p4.Choice, Cond: is, Left: l.signed(f), Right: chosen}
		}
		return chosen
	case p4.Valid:
		valid := constant(0)
		if e.Right.Kind == p4.UnionValue {
			for _, h := range p.Unions[e.Right.Field].Headers {
				valid = binary(p4.LogicalOr, valid, fieldExpr(p.Headers[h].Valid))
			}
			return valid
		}
		if e.Right.Kind != p4.StackElement {
			break
		}
		for i, h := range p.Stacks[e.Right.Field].Headers {
			is := binary(p4.Equal, l.natural(e.Right.Right), constant(uint64(i)))
			valid = binary(p4.LogicalOr, valid, binary(p4.LogicalAnd, is, fieldExpr(p.Headers[h].Valid)))
		}
		return valid
	case p4.SameHeader:
		if same := l.sameHeader(e.Left, e.Right); same != nil {
			return same
		}
	}
	c := *e
	if e.Kind != p4.RegisterValue && e.Kind != p4.SameHeader {
		c.Left, c.Right, c.Cond = l.natural(e.Left), l.natural(e.Right), l.natural(e.Cond)
	}
	if e.Kind == p4.Operation && e.Operator == p4.Same { // a truth value of a number, which may have more than one bit
		if n, negative := (&splitter{l: l, params: l.params}).bound(c.Right); n > 1 || negative {
			return binary(p4.NotEqual, c.Right, constant(0))
		}
	}
	if e.Kind != p4.Operation || !isConst(c.Right) || c.Right.Const < 1 || c.Right.Const > 64 {
		return &c
	}
	switch n := int(c.Right.Const); e.Operator {
	case p4.TwoComplement:
		return signExtended(binary(p4.And, c.Left, constant(^uint64(0)>>(64-n))), n)
	case p4.SaturateSigned, p4.SaturateNatural:
		return l.nearest(c.Left, n, e.Operator == p4.SaturateSigned)
	}
	return &c
}

// sameHeader compares two headers, or the valid headers of two unions; it is nil where it cannot.
func (l *lowering) sameHeader(left, right *p4.Expr) *p4.Expr {
	p := l.p
	if left.Kind == p4.UnionValue && right.Kind == p4.UnionValue {
		some, others := constant(0), p.Unions[right.Field].Headers
		for i, h := range p.Unions[left.Field].Headers {
			if i == len(others) {
				return nil
			}
			x, y := &p4.Expr{Kind: p4.HeaderValue, Field: h}, &p4.Expr{Kind: p4.HeaderValue, Field: others[i]}
			same := l.sameHeader(x, y)
			if same == nil {
				return nil
			}
			some = binary(p4.LogicalOr, some, same)
		}
		return some
	}
	if left.Kind != p4.HeaderValue || right.Kind != p4.HeaderValue {
		return nil
	}
	x, y := &p.Headers[left.Field], &p.Headers[right.Field]
	if x.Type != y.Type || x.Valid < 0 || y.Valid < 0 || x.Variable > 0 {
		return nil
	}
	same := binary(p4.LogicalAnd, fieldExpr(x.Valid), fieldExpr(y.Valid))
	for i, f := range x.Fields {
		same = binary(p4.LogicalAnd, same, binary(p4.Equal, fieldExpr(f), fieldExpr(y.Fields[i])))
	}
	return same
}

// signed is a field's value, below 0 if it is signed and its first bit is 1.
func (l *lowering) signed(field int) *p4.Expr {
	if f := &l.p.Fields[field]; f.Signed && f.Bits <= 64 {
		return signExtended(fieldExpr(field), f.Bits)
	}
	return fieldExpr(field)
}

// signExtended gives a value of n bits in two's complement its sign.
func signExtended(e *p4.Expr, n int) *p4.Expr {
	sign := constant(1 << (n - 1))
	return binary(p4.Sub, binary(p4.Xor, e, sign), sign)
}

// nearest is the value of n bits that is nearest to an expression's.
func (l *lowering) nearest(e *p4.Expr, n int, signed bool) *p4.Expr {
	least, most := new(big.Int), new(big.Int).SetUint64(^uint64(0)>>(64-n))
	if signed {
		most.Rsh(most, 1)
		least.Not(most)
	}
	bits, negative := (&splitter{l: l, params: l.params}).bound(e)
	x := e
	if bits >= most.BitLen() {
		x = &p4.Expr{Kind: p4.Choice, Cond: binary(p4.Greater, e, numberExpr(most)), Left: numberExpr(most), Right: x}
	}
	if negative {
		x = &p4.Expr{Kind: p4.Choice, Cond: binary(p4.Less, e, numberExpr(least)), Left: numberExpr(least), Right: x}
	}
	if !signed { // it is not below 0 any more
		x = binary(p4.And, x, numberExpr(most))
	}
	return x
}

// numberExpr is a constant of any size.
func numberExpr(n *big.Int) *p4.Expr {
	if n.IsUint64() {
		return constant(n.Uint64())
	}
	return &p4.Expr{Kind: p4.Constant, Wide: true, Number: n}
}

// raised compares values that can be below 0 as natural ones: both become greater by a power of two.
func (s *splitter) raised(e *p4.Expr) *p4.Expr {
	l, ln := s.bound(e.Left)
	r, rn := s.bound(e.Right)
	n := max(l, r)
	if !ln && !rn || n > 63 {
		return e
	}
	return binary(e.Operator, s.raise(e.Left, n), s.raise(e.Right, n))
}

// raise adds 2^n to a value, which is from -2^n to 2^n - 1.
func (s *splitter) raise(e *p4.Expr, n int) *p4.Expr {
	if e.Kind == p4.Constant {
		v := new(big.Int).SetUint64(e.Const)
		if e.Wide {
			v.Set(e.Number)
		}
		return numberExpr(v.Add(v, new(big.Int).Lsh(big.NewInt(1), uint(n))))
	}
	return binary(p4.And, binary(p4.Add, e, constant(1<<n)), constant(^uint64(0)>>(63-n)))
}

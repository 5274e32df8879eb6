package compile

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// layout is where an action's parameters stand in the 96 bits of a result: for each the pieces, the upper one first.
type layout struct {
	pieces [][]dataPiece
	bytes  int
}

type dataPiece struct {
	kind drmt.OperandKind
	at   uint8
	bits int
}

const dataBytes = 12

// layOut places the parameters one after another, in whole bytes: 1, 2 or 4 for up to 32 bits, two pieces for more.
func layOut(params []p4.Param) (l layout, err error) {
	piece := func(bits int) dataPiece {
		p := dataPiece{drmt.FromData32, uint8(l.bytes), bits}
		n := 4
		if bits <= 8 {
			p.kind, n = drmt.FromData8, 1
		} else if bits <= 16 {
			p.kind, n = drmt.FromData16, 2
		}
		l.bytes += n
		return p
	}
	for _, p := range params {
		var pieces []dataPiece
		if p.Elsewhere {
			l.pieces = append(l.pieces, nil)
			continue
		}
		if p.Bits > 64 {
			return l, fmt.Errorf("parameter %s has %d bits, a machine takes up to 64", p.Name, p.Bits)
		}
		if p.Bits > 32 {
			pieces = append(pieces, piece(p.Bits-32))
		}
		l.pieces = append(l.pieces, append(pieces, piece(min(p.Bits, 32))))
	}
	if l.bytes > dataBytes {
		return l, fmt.Errorf("its parameters take %d bytes, a result has %d", l.bytes, dataBytes)
	}
	return l, nil
}

// result puts action data where the layout has it.
func (l layout) result(pointer uint16, data []uint64) drmt.Result {
	r := drmt.Result{Pointer: pointer}
	put := func(at uint8, v uint64, bits int) {
		v &= 1<<bits - 1
		for i := 0; 8*i < bits; i++ {
			b := v >> (8 * i) & 0xff
			if k := int(at) + i; k < 8 {
				r.Lo |= b << (8 * k)
			} else {
				r.Hi |= uint32(b) << (8 * (k - 8))
			}
		}
	}
	for i, pieces := range l.pieces {
		v := uint64(0)
		if i < len(data) {
			v = data[i]
		}
		for k := len(pieces) - 1; k >= 0; k-- {
			put(pieces[k].at, v, pieces[k].bits)
			v >>= pieces[k].bits
		}
	}
	return r
}

// effects returns each field's value after an action, in terms of the values before it.
func (c *compiler) effects(a *p4.Action) (map[int]*p4.Expr, error) {
	p := c.program
	written := map[int]*p4.Expr{}
	later := map[int]*p4.Expr{} // what a primitive after it reads there: cut to the field's width
	var now guard
	write := func(field int, e *p4.Expr) {
		bits := p.Fields[field].Bits
		e = c.cut(a, e, bits)
		if g := now.expr(); g != nil {
			old, ok := later[field]
			if !ok {
				old = fieldExpr(field)
			}
			e = &p4.Expr{Kind: p4.Choice, Cond: g, Left: e, Right: old}
		}
		written[field], later[field] = trim(e, bits), e
	}
	waiting := map[int][]guard{} // by primitive: the guards of jumps to it
	reached := true
	for i := 0; i <= len(a.Ops); i++ {
		for _, g := range waiting[i] {
			if !reached {
				now, reached = g, true
			} else if m, ok := now.merge(g); ok {
				now = m
			} else {
				return nil, fmt.Errorf("%s: action %s: jumps that are no if and else: no machine runs that", p.Name, a.Name)
			}
		}
		if i == len(a.Ops) || !reached {
			continue
		}
		o := &a.Ops[i]
		switch o.Op {
		case p4.Assign:
			write(o.Field, substitute(o.Value, later))
		case p4.Drop:
			for _, f := range p.Writes(o) { // the multicast group among them
				write(f, constant(0))
			}
			write(o.Field, constant(p4.DropPort))
		case p4.AddHeader:
			write(p.Headers[o.Header].Valid, constant(1))
		case p4.RemoveHeader:
			write(p.Headers[o.Header].Valid, constant(0))
		case p4.NoOp:
		case p4.Jump, p4.JumpIfZero:
			to := o.Args[len(o.Args)-1].Const
			if to <= uint64(i) || to > uint64(len(a.Ops)) {
				return nil, fmt.Errorf("%s: action %s: a jump back, or out of the action: no machine runs that", p.Name, a.Name)
			}
			if o.Op == p4.Jump {
				waiting[int(to)] = append(waiting[int(to)], now)
				reached = false
				continue
			}
			cond := substitute(o.Args[0], later)
			waiting[int(to)] = append(waiting[int(to)], now.and(literal{cond, true}))
			now = now.and(literal{cond, false})
		default:
			return nil, fmt.Errorf("%s: action %s: %v: no machine runs that", p.Name, a.Name, o.Op)
		}
	}
	return written, nil
}

// guard is when a primitive of an action with jumps is done: if all literals are true.
type guard []literal

type literal struct {
	e   *p4.Expr
	not bool
}

func (g guard) and(l literal) guard { return append(slices.Clone(g), l) }

// merge is when one of two guards is true, which are the two ways of one condition.
func (g guard) merge(h guard) (guard, bool) {
	n := len(g) - 1
	if len(g) != len(h) || n < 0 || !slices.Equal(g[:n], h[:n]) || g[n].e != h[n].e || g[n].not == h[n].not {
		return nil, false
	}
	return g[:n], true
}

// expr is the guard as an expression, nil if it always is true.
func (g guard) expr() *p4.Expr {
	var all *p4.Expr
	for _, l := range g {
		e := l.e
		if l.not {
			e = &p4.Expr{Kind: p4.Operation, Operator: p4.LogicalNot, Right: e}
		}
		if all == nil {
			all = e
		} else {
			all = &p4.Expr{Kind: p4.Operation, Operator: p4.LogicalAnd, Left: all, Right: e}
		}
	}
	return all
}

// cut puts a mask around an expression that may have more bits than wanted.
func (c *compiler) cut(a *p4.Action, e *p4.Expr, bits int) *p4.Expr {
	if c.width(a, e) <= bits {
		return e
	}
	return simplify(&p4.Expr{Kind: p4.Operation, Operator: p4.And, Left: e, Right: constant(^uint64(0) >> (64 - bits))})
}

// width is how many bits the value of an expression has at most.
func (c *compiler) width(a *p4.Action, e *p4.Expr) int {
	switch e.Kind {
	case p4.Constant:
		return bits.Len64(e.Const)
	case p4.FieldValue:
		return c.program.Fields[e.Field].Bits
	case p4.ParamValue:
		return a.Params[e.Param].Bits
	case p4.Operation:
		switch e.Operator {
		case p4.And:
			return min(c.width(a, e.Left), c.width(a, e.Right))
		case p4.Or, p4.Xor:
			return max(c.width(a, e.Left), c.width(a, e.Right))
		}
	}
	return 64
}

// source is an operand.
type source struct {
	kind  drmt.OperandKind
	index uint8
	value uint32
}

// leaf returns the operand that has a piece of an expression: piece k counts from the lowest 32 bits. Ok is false if it
// is no leaf.
func (c *compiler) leaf(e *p4.Expr, k int, l *layout, args []uint64) (source, bool) {
	switch {
	case e.Kind == p4.Constant && !e.Wide:
		return source{drmt.Immediate, 0, uint32(e.Const >> (32 * k))}, true
	case e.Kind == p4.FieldValue:
		pieces := c.fields.pieces[e.Field]
		if k >= len(pieces) {
			return source{}, true // 0
		}
		return source{drmt.FromField, uint8(pieces[len(pieces)-1-k].Field), 0}, true
	case e.Kind == p4.Limb:
		pieces := c.fields.pieces[e.Field]
		if n := len(pieces) - 1 - e.Param; k == 0 && n >= 0 {
			return source{drmt.FromField, uint8(pieces[n].Field), 0}, true
		}
		return source{}, true
	case e.Kind == p4.Join && k < 2:
		if k == 0 {
			return c.leaf(e.Right, 0, l, args)
		}
		return c.leaf(e.Left, 0, l, args)
	case e.Kind == p4.ParamValue && args != nil: // known when compiled
		return source{drmt.Immediate, 0, uint32(args[e.Param] >> (32 * k))}, true
	case e.Kind == p4.ParamValue && l != nil:
		pieces := l.pieces[e.Param]
		if k >= len(pieces) {
			return source{}, true
		}
		x := pieces[len(pieces)-1-k]
		return source{x.kind, x.at, 0}, true
	}
	return source{}, false
}

var opcodes = map[p4.Operator]drmt.Opcode{
	p4.Add: drmt.Add, p4.Sub: drmt.Subtract, p4.And: drmt.And, p4.Or: drmt.Or, p4.Xor: drmt.Xor,
	p4.ShiftLeft: drmt.ShiftLeft, p4.ShiftRight: drmt.ShiftRight,
	p4.Equal: drmt.Equal, p4.NotEqual: drmt.NotEqual, p4.Less: drmt.Less, p4.LessEqual: drmt.LessEqual,
	p4.Greater: drmt.Greater, p4.GreaterEqual: drmt.GreaterEqual,
}

func bitwise(o p4.Operator) bool { return o == p4.And || o == p4.Or || o == p4.Xor }

// instructions returns an action's ALU operations. L has its parameters, or args has their values if they are known.
func (c *compiler) instructions(a *p4.Action, l *layout, args []uint64) ([]drmt.Instruction, error) {
	written, err := c.effects(a)
	if err != nil {
		return nil, err
	}
	var all []drmt.Instruction
	for f := range c.program.Fields { // in order, so that the image is the same each time
		e, ok := written[f]
		if !ok {
			continue
		}
		field := c.program.Fields[f]
		if e.Kind == p4.FieldValue && e.Field == f {
			continue
		}
		pieces := c.fields.pieces[f]
		for i, piece := range pieces {
			k := len(pieces) - 1 - i
			ins, ok := c.operation(e, k, len(pieces) > 1, l, args)
			if !ok && e.Kind == p4.Choice && e.Right.Kind == p4.FieldValue && e.Right.Field == f {
				ins, ok = c.choose(e, k, l, args)
			}
			if !ok {
				return nil, fmt.Errorf(
					"%s: action %s: what it writes to %s takes more than one ALU operation", c.program.Name, a.Name,
					field.Name,
				)
			}
			ins.Dest, ins.Bits = piece.Field, piece.Bits
			all = append(all, ins)
		}
	}
	return all, nil
}

// operation returns the ALU operation of a piece of an expression.
func (c *compiler) operation(e *p4.Expr, k int, wide bool, l *layout, args []uint64) (drmt.Instruction, bool) {
	if s, ok := c.leaf(e, k, l, args); ok {
		return instruction(drmt.Move, s, source{})
	}
	if e.Kind == p4.Operation && e.Operator == p4.Not { // ~x is x ^ ones
		if s, ok := c.leaf(e.Right, k, l, args); ok {
			return instruction(drmt.Xor, s, source{drmt.Immediate, 0, ^uint32(0)})
		}
		return drmt.Instruction{}, false
	}
	op, known := opcodes[e.Operator]
	if e.Kind != p4.Operation || !known || wide && !bitwise(e.Operator) || !c.narrow(e, wide, l, args) {
		return drmt.Instruction{}, false
	}
	left, okLeft := c.leaf(e.Left, k, l, args)
	right, okRight := c.leaf(e.Right, k, l, args)
	if !okLeft || !okRight {
		return drmt.Instruction{}, false
	}
	return instruction(op, left, right)
}

// choose returns the ALU operation that writes a piece of an expression if a condition of one piece is not 0.
func (c *compiler) choose(e *p4.Expr, k int, l *layout, args []uint64) (drmt.Instruction, bool) {
	cond, okCond := c.leaf(e.Cond, 0, l, args)
	left, okLeft := c.leaf(e.Left, k, l, args)
	if !okCond || !okLeft || c.pieces(e.Cond) > 1 {
		return drmt.Instruction{}, false
	}
	return instruction(drmt.Select, cond, left)
}

// narrow tells whether an operation's operands have 32 bits at most, or can be done piece by piece. Sums and the like
// of wider ones are right in their low 32 bits; shifts to the right and comparisons are not.
func (c *compiler) narrow(e *p4.Expr, wide bool, l *layout, args []uint64) bool {
	if wide || bitwise(e.Operator) || e.Operator == p4.Add || e.Operator == p4.Sub {
		return true
	}
	return c.bits(e.Left, l, args) <= 32 && c.bits(e.Right, l, args) <= 32
}

// bits is how wide a leaf can be. A parameter has a value, or its layout has a piece of up to 32 bits, or two.
func (c *compiler) bits(e *p4.Expr, l *layout, args []uint64) int {
	switch {
	case e.Kind == p4.ParamValue && args != nil:
		return bits.Len64(args[e.Param])
	case e.Kind == p4.ParamValue && l != nil:
		return 32 * len(l.pieces[e.Param])
	case e.Kind == p4.FieldValue:
		return c.program.Fields[e.Field].Bits
	case e.Kind == p4.Limb, isConst(e) && e.Const <= 0xffffffff:
		return 32
	}
	return 64
}

// instruction joins opcode and operands. Two constants cannot be: an instruction has one.
func instruction(op drmt.Opcode, a, b source) (drmt.Instruction, bool) {
	if op != drmt.Move && op != drmt.Select && a.kind == drmt.Immediate &&
		b.kind == drmt.Immediate { // of an upper half, say
		v, _ := op.Compute(a.value, b.value)
		op, a, b = drmt.Move, source{drmt.Immediate, 0, v}, source{}
	}
	i := drmt.Instruction{
		Op: op, AKind: a.kind, A: a.index, BKind: b.kind, B: b.index, Const: a.value | b.value, Dest: drmt.NoField,
	}
	bare := op == drmt.Move
	return i, bare || a.kind != drmt.Immediate || b.kind != drmt.Immediate || a.value == b.value
}

package compile

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// maxStates bounds the parser's states, which are more than the program's where it extracts into stacks.
const maxStates = 1024

// parserBuilder makes a parser. A program's state becomes one of the parser's for each number of elements that its
// stacks can hold there, so that each element is a fixed header.
type parserBuilder struct {
	c      *compiler
	parser *drmt.Parser
	known  map[string]int
	todo   []stackedState
	values *splitter // for the bounds of values
	// wide are, by field, the bits of the packet that a lookahead of more than 64 bits put there, while the state that is
	// being made has taken nothing since. Only parts of them are computed with.
	wide map[int]span
	next []int // the elements that stacks hold in the state that is being made
}

// span is bits of a packet's rest.
type span struct{ from, bits int }

type stackedState struct {
	state int
	next  []int // by stack, and then by stack of unions: the elements it holds
}

// parser makes the parser's configuration.
func (c *compiler) parser() (*drmt.Parser, error) {
	p := c.program
	b := &parserBuilder{c: c, known: map[string]int{}, values: &splitter{l: &lowering{p: p}}}
	b.parser = &drmt.Parser{Port: c.standard(p.Standard.IngressPort), Length: c.standard(p.Standard.PacketLength),
		Error: c.standard(p.Standard.Other("standard_metadata.parser_error")), None: p.Errors.None,
		TooShort: p.Errors.PacketTooShort,
		Endless:  p.Errors.Timeout, Odd: p.Errors.InvalidArgument, Instance: c.standard(p.Standard.Other(instanceType))}
	b.parser.Start = b.number(stackedState{p.Start, make([]int, len(p.Stacks)+len(p.UnionStacks))})
	for done := 0; done < len(b.todo); done++ {
		if done == maxStates {
			return nil, fmt.Errorf("%s: the parser has more than %d states with what its stacks hold", p.Name, maxStates)
		}
		s := b.todo[done]
		state, err := b.state(s)
		if err != nil {
			return nil, fmt.Errorf("%s: parser state %s: %w", p.Name, p.States[s.state].Name, err)
		}
		b.parser.States = append(b.parser.States, state)
	}
	c.draws(b.parser)
	b.parser.Time, b.parser.Stamp = c.standard(fieldNamed(p, timeField)), c.standard(p.Standard.Other(ingressTime))
	if f := fieldNamed(p, payloadField); f >= 0 {
		b.parser.Payload = c.fields.pieces[f]
	}
	return b.parser, c.verify(b.parser)
}

// number returns the number of a state, a new one if it is new.
func (b *parserBuilder) number(s stackedState) int {
	key := fmt.Sprint(s)
	n, ok := b.known[key]
	if !ok {
		n = len(b.todo)
		b.known[key] = n
		b.todo = append(b.todo, s)
	}
	return n
}

func (b *parserBuilder) state(from stackedState) (state drmt.ParserState, err error) {
	p, c := b.c.program, b.c
	s := &p.States[from.state]
	next := append([]int{}, from.next...)
	b.wide, b.next = map[int]span{}, next
	for i := range s.Ops {
		o := &s.Ops[i]
		if o.Kind == p4.ExtractNext || o.Kind == p4.ExtractUnion || o.Kind == p4.Basic && o.Header >= 0 {
			h, ok := b.extracted(o, next)
			if !ok {
				full := &drmt.ParserExpr{Const: p.Errors.StackOutOfBounds}
				state.Ops = append(state.Ops, drmt.ParserOp{Kind: drmt.Fail, Error: full})
				return state, nil
			}
			take, err := b.take(h, o.Value)
			if err != nil {
				return state, err
			}
			state.Ops = append(state.Ops, take)
			if u := p.Headers[h].Union; u > 0 { // one header of a union is valid
				for _, other := range p.Unions[u-1].Headers {
					if v := c.fields.pieces[p.Headers[other].Valid]; other != h && v != nil {
						state.Ops = append(state.Ops, drmt.ParserOp{Valid: v[0].Field})
					}
				}
			}
			clear(b.wide)
			continue
		}
		if err := b.operation(&state, o); err != nil {
			return state, err
		}
	}
	if err := b.key(&state, s, next); err != nil {
		return state, err
	}
	for _, t := range s.Transitions {
		x := drmt.Transition{Value: t.Value, Mask: t.Mask, Next: -1}
		if s.Parts != nil {
			x.Value, x.Mask = t.WideValue.Uint64(), t.WideMask.Uint64()
		}
		if t.Next != p4.Accept {
			x.Next = b.number(stackedState{t.Next, next})
		}
		if t.Set == 0 {
			state.Transitions = append(state.Transitions, x)
			continue
		}
		for _, v := range c.valueSets[p.ValueSets[t.Set-1].Name] { // a transition for each value
			y := x
			y.Value = v.Uint64() & y.Mask
			state.Transitions = append(state.Transitions, y)
		}
	}
	return state, nil
}

// take takes a header. Length computes the bits of its field of variable length, if it does not say so itself.
func (b *parserBuilder) take(header int, length *p4.Expr) (op drmt.ParserOp, err error) {
	p, c := b.c.program, b.c
	h := &p.Headers[header]
	op = drmt.ParserOp{Valid: c.fields.valid(header), Bytes: h.Bits / 8, Pieces: c.fields.wire(header)}
	if h.Variable == 0 {
		return op, nil
	}
	if f := fieldNamed(p, heldSum+p.Fields[h.Fields[h.Variable-1]].Name); f >= 0 {
		op.Sum = c.fields.pieces[f]
	}
	op.Most, op.Error = h.MaxBytes, &drmt.ParserExpr{Const: p.Errors.HeaderTooShort}
	if length == nil {
		length, op.Late = h.Length, true
	}
	if length == nil {
		length = constant(0)
	}
	op.Value, err = b.value(length)
	return op, err
}

// extracted returns the header that an extraction takes, and counts it in its stack; ok is false if the stack is full.
func (b *parserBuilder) extracted(o *p4.ParserOp, next []int) (header int, ok bool) {
	p := b.c.program
	switch o.Kind {
	case p4.ExtractNext:
		list, n := p.Stacks[o.Object].Headers, &next[o.Object]
		if *n == len(list) {
			return 0, false
		}
		*n++
		return list[*n-1], true
	case p4.ExtractUnion:
		list, n := p.UnionStacks[o.Object].Unions, &next[len(p.Stacks)+o.Object]
		if *n == len(list) {
			return 0, false
		}
		*n++
		return p.Unions[list[*n-1]].Headers[o.Header], true
	}
	return o.Header, true
}

// operation makes every operation but an extraction.
func (b *parserBuilder) operation(state *drmt.ParserState, o *p4.ParserOp) error {
	p, c := b.c.program, b.c
	add := func(op drmt.ParserOp) { state.Ops = append(state.Ops, op) }
	switch o.Kind {
	case p4.Basic:
		v, err := b.value(o.Value)
		add(drmt.ParserOp{Kind: drmt.Assign, Pieces: c.fields.pieces[o.Field], Value: v})
		return err
	case p4.Lookahead:
		add(drmt.ParserOp{Kind: drmt.Peek, Bytes: max(o.Ahead/8+(o.Bits+7)/8, (o.Ahead+o.Bits+7)/8)})
		if o.Bits > 64 {
			b.wide[o.Field] = span{o.Ahead, o.Bits}
			return nil
		}
		add(
			drmt.ParserOp{
				Kind: drmt.Assign, Pieces: c.fields.pieces[o.Field], Value: &drmt.ParserExpr{From: o.Ahead, Ahead: o.Bits},
			},
		)
		return nil
	case p4.Verify:
		v, err := b.value(o.Value)
		if err != nil {
			return err
		}
		e, err := b.value(o.Error)
		add(drmt.ParserOp{Kind: drmt.Demand, Value: v, Error: e})
		return err
	case p4.Advance:
		v, err := b.value(o.Value)
		add(drmt.ParserOp{Kind: drmt.Skip, Value: v})
		clear(b.wide)
		return err
	case p4.Call:
		switch x := o.Call; {
		case x.Op == p4.NoOp:
			return nil
		case x.Op == p4.AddHeader && x.Header >= 0 && !parsed(p, p.Headers[x.Header].Name): // its fields are 0 yet
			add(drmt.ParserOp{Valid: c.fields.valid(x.Header), Const: 1})
			return nil
		case x.Op == p4.RemoveHeader && x.Header >= 0:
			add(drmt.ParserOp{Valid: c.fields.valid(x.Header)})
			return nil
		case x.Op == p4.Assign && x.Dest == nil:
			v, err := b.value(x.Value)
			add(drmt.ParserOp{Kind: drmt.Assign, Pieces: c.fields.pieces[x.Field], Value: v})
			return err
		}
		return fmt.Errorf("%v: no machine runs that in a parser", o.Call.Op)
	}
	return fmt.Errorf("a parser's operation of an unknown kind: no machine runs that")
}

// key makes what the next state is selected by.
func (b *parserBuilder) key(state *drmt.ParserState, s *p4.State, next []int) error {
	p, c := b.c.program, b.c
	for _, f := range s.Key {
		state.Key = append(state.Key, c.fields.pieces[f]...)
	}
	width := 0
	for i, k := range s.Parts {
		width += k.Bits
		switch {
		case k.Field >= 0:
			state.Key = append(state.Key, c.fields.pieces[k.Field]...)
		case k.Stack >= 0 && next[k.Stack] > 0:
			state.Key = append(state.Key, c.fields.part(p.Stacks[k.Stack].Headers[next[k.Stack]-1], k.Offset)...)
		case k.UnionStack >= 0 && next[len(p.Stacks)+k.UnionStack] > 0:
			u := p.UnionStacks[k.UnionStack].Unions[next[len(p.Stacks)+k.UnionStack]-1]
			state.Key = append(state.Key, c.fields.part(p.Unions[u].Headers[k.Member], k.Offset)...)
		case k.Stack < 0 && k.UnionStack < 0 && i == len(s.Parts)-1:
			state.From, state.Ahead = k.Ahead, k.Bits
			state.Ops = append(state.Ops, drmt.ParserOp{Kind: drmt.Peek, Bytes: peeked(k)})
		default:
			return fmt.Errorf("a key of an empty stack, or of a lookahead before others: no machine runs that")
		}
	}
	if width > 64 {
		return fmt.Errorf("a key of %d bits: no machine runs that", width)
	}
	return nil
}

// peeked is how many bytes a lookahead needs: the bytes before its first one and as many as its bits fill, and each
// byte of its bits.
func peeked(k p4.KeyPart) int { return max(k.Ahead/8+(k.Bits+7)/8, (k.Ahead+k.Bits+7)/8) }

// part finds the bits of the packet that an expression is: a wide lookahead, shifted to the right or masked.
func (b *parserBuilder) part(e *p4.Expr) (s span, ok bool) {
	switch {
	case e == nil:
		return s, false
	case e.Kind == p4.FieldValue:
		s, ok = b.wide[e.Field]
		return s, ok
	case e.Kind != p4.Operation || e.Left == nil || e.Right == nil || e.Right.Kind != p4.Constant:
		return s, false
	}
	if s, ok = b.part(e.Left); !ok {
		return s, false
	}
	n := new(big.Int).SetUint64(e.Right.Const)
	if e.Right.Wide {
		n = e.Right.Number
	}
	switch ones := new(big.Int).Add(n, big.NewInt(1)); {
	case e.Operator == p4.ShiftRight && n.Cmp(big.NewInt(int64(s.bits))) < 0:
		return span{s.from, s.bits - int(n.Int64())}, true
	case e.Operator == p4.And && n.Sign() > 0 && ones.TrailingZeroBits() == uint(n.BitLen()): // the lowest bits
		w := min(s.bits, n.BitLen())
		return span{s.from + s.bits - w, w}, true
	}
	return s, false
}

// counted replaces the numbers of elements that stacks hold, which are known in each state.
func (b *parserBuilder) counted(e *p4.Expr) *p4.Expr {
	if e == nil {
		return nil
	}
	if b.next != nil && (e.Kind == p4.StackSize || e.Kind == p4.LastIndex) {
		n := e.Field
		if e.Param == p4.OfUnions {
			n += len(b.c.program.Stacks)
		}
		held := uint64(b.next[n])
		if e.Kind == p4.LastIndex {
			held-- // of an empty stack the greatest number
		}
		return constant(held)
	}
	x := *e
	x.Left, x.Right, x.Cond = b.counted(e.Left), b.counted(e.Right), b.counted(e.Cond)
	return &x
}

var parserOpcodes = map[p4.Operator]drmt.Opcode{p4.LogicalAnd: drmt.And, p4.LogicalOr: drmt.Or}

// value makes an expression. It is computed in 64 bits, so that a compared or right-shifted value must not be below 0.
func (b *parserBuilder) value(e *p4.Expr) (*drmt.ParserExpr, error) {
	e = substitute(b.counted(e), nil)
	part, ahead := b.part(e)
	switch {
	case isConst(e):
		return &drmt.ParserExpr{Const: e.Const}, nil
	case ahead && part.bits <= 64:
		return &drmt.ParserExpr{From: part.from, Ahead: part.bits}, nil
	case e.Kind == p4.FieldValue && b.c.program.Fields[e.Field].Bits <= 64:
		return &drmt.ParserExpr{Pieces: b.c.fields.pieces[e.Field]}, nil
	case e.Kind == p4.Choice:
		return b.choice(e)
	case e.Kind != p4.Operation:
		return nil, tooMuch(e)
	case e.Operator == p4.Mul:
		return b.product(e)
	}
	ring := e.Operator == p4.Add || e.Operator == p4.Sub || e.Operator == p4.ShiftLeft || bitwise(e.Operator)
	for _, x := range []*p4.Expr{e.Left, e.Right} {
		if x == nil {
			continue
		}
		n, negative := b.values.bound(x)
		logical := e.Operator == p4.LogicalAnd || e.Operator == p4.LogicalOr
		if !ring && (negative || n > 64 || logical && n > 1) {
			return nil, errTooMuch
		}
	}
	right, err := b.value(e.Right)
	if err != nil {
		return nil, err
	}
	switch e.Operator {
	case p4.LogicalNot:
		return &drmt.ParserExpr{Op: drmt.Equal, Left: right, Right: &drmt.ParserExpr{}}, nil
	case p4.Not:
		return &drmt.ParserExpr{Op: drmt.Xor, Left: right, Right: &drmt.ParserExpr{Const: ^uint64(0)}}, nil
	}
	op, ok := opcodes[e.Operator]
	if !ok {
		op, ok = parserOpcodes[e.Operator]
	}
	if !ok {
		return nil, errTooMuch
	}
	left, err := b.value(e.Left)
	return &drmt.ParserExpr{Op: op, Left: left, Right: right}, err
}

// choice is (mask & left) | (^mask & right), where the mask is 0 less the condition.
func (b *parserBuilder) choice(e *p4.Expr) (*drmt.ParserExpr, error) {
	cond := e.Cond
	if n, negative := b.values.bound(cond); n > 1 || negative {
		cond = binary(p4.NotEqual, cond, constant(0))
	}
	c, err := b.value(cond)
	if err != nil {
		return nil, err
	}
	l, err := b.value(e.Left)
	if err != nil {
		return nil, err
	}
	r, err := b.value(e.Right)
	mask := &drmt.ParserExpr{Op: drmt.Subtract, Left: &drmt.ParserExpr{}, Right: c}
	other := &drmt.ParserExpr{Op: drmt.Xor, Left: mask, Right: &drmt.ParserExpr{Const: ^uint64(0)}}
	return &drmt.ParserExpr{Op: drmt.Or, Left: &drmt.ParserExpr{Op: drmt.And, Left: mask, Right: l},
		Right: &drmt.ParserExpr{Op: drmt.And, Left: other, Right: r}}, err
}

// product multiplies by a constant, as a sum of shifts.
func (b *parserBuilder) product(e *p4.Expr) (*drmt.ParserExpr, error) {
	x, by := e.Left, e.Right
	if isConst(x) {
		x, by = by, x
	}
	if !isConst(by) || bits.OnesCount64(by.Const) > mostTerms {
		return nil, tooMuch(e)
	}
	factor, err := b.value(x)
	if err != nil {
		return nil, err
	}
	all := &drmt.ParserExpr{}
	for k := range uint64(64) {
		if by.Const>>k&1 == 1 {
			all = &drmt.ParserExpr{Op: drmt.Add, Left: all,
				Right: &drmt.ParserExpr{Op: drmt.ShiftLeft, Left: factor, Right: &drmt.ParserExpr{Const: k}}}
		}
	}
	return all, nil
}

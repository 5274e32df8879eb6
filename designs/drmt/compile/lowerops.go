package compile

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// primitives replaces what no ALU does by assignments.
//
//   - A table without a default action gets one that does nothing.
//   - exit leads an action's packets to the pipeline's end.
//   - A copy of a header, and the moves of a stack's elements, are copies of fields and of validity bits.
//   - The color of a meter without rates is 0, as simple_switch has it.
//   - A digest's number stays in the header vector: no machine has a control plane. So does a clone's, if there are no
//     mirroring sessions: then simple_switch makes no copy.
func (l *lowering) primitives() error {
	p := l.p
	exits := make([]bool, len(p.Actions))
	for i := range p.Actions {
		a := &p.Actions[i]
		var ops []p4.Primitive
		jumps := slices.ContainsFunc(a.Ops, func(o p4.Primitive) bool { return o.Op == p4.Jump || o.Op == p4.JumpIfZero })
		for k := range a.Ops {
			o := &a.Ops[k]
			if o.Op == p4.Exit {
				if jumps {
					return fmt.Errorf("%s: action %s: exit under a condition: no machine runs that", p.Name, a.Name)
				}
				exits[i] = true
				continue
			}
			list := l.primitive(o)
			if jumps && len(list) != 1 {
				return fmt.Errorf("%s: action %s: %v in an action with jumps: no machine runs that", p.Name, a.Name, o.Op)
			}
			ops = append(ops, list...)
		}
		a.Ops = ops
	}
	nothing := -1
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for i := range pipe.Nodes {
			t := pipe.Nodes[i].Table
			if t == nil {
				continue
			}
			color := constant(0)
			if len(t.Key) > 0 && t.Meter > 0 && l.hasRates(t.Meter-1) {
				color = l.directMeter(pipe, i, &exits)
			}
			if len(t.Key) > 0 && (t.Meter > 0 && color != nil || t.Counters) {
				l.direct(pipe, t, color, &exits)
			}
			if t.Default < 0 {
				if nothing < 0 {
					nothing = len(p.Actions)
					p.Actions, exits = append(p.Actions, p4.Action{ID: -1, Name: "nothing"}), append(exits, false)
				}
				t.Actions, t.Next = append(slices.Clone(t.Actions), nothing), append(t.Next, t.Miss)
				t.Default, t.DefaultData = nothing, nil
			}
			leave(t, exits)
		}
		l.countAtEnd(pipe)
	}
	return nil
}

// leave leads packets of actions that exit to the end.
func leave(t *p4.Table, exits []bool) {
	some := false
	for _, a := range t.Actions {
		some = some || a < len(exits) && exits[a]
	}
	if !some {
		return
	}
	if t.HitOrMiss {
		for i := range t.Next {
			t.Next[i] = t.Hit
		}
		t.HitOrMiss, t.Apart = false, true
		if exits[t.Default] {
			t.Miss = p4.Accept
		}
	}
	for i, a := range t.Actions {
		if exits[a] {
			t.Next[i] = p4.Accept
		}
	}
}

// direct lets the actions of entries that are hit do the work of a direct meter, which writes a color unless it is nil,
// and of a direct counter: it counts in an array of the table's own, at the entry's number, from 1 on, which comes with
// the action's data and is 0 for packets that hit nothing. One access at the pipeline's end counts for all of a table's
// actions. A miss keeps its action as it is.
func (l *lowering) direct(pipe *p4.Pipeline, t *p4.Table, color *p4.Expr, exits *[]bool) {
	p := l.p
	otherwise := slices.Index(t.Actions, t.Default)
	entry, width := -1, max(bits.Len(uint(t.Size)), 1)
	if t.Counters {
		entry = l.field(t.Name+".entry", width)
	}
	for i, a := range t.Actions {
		x := p.Actions[a]
		if t.Meter > 0 && color != nil {
			x.Ops = prepend(assignment(p.Meters[t.Meter-1].Target, color), x.Ops)
		}
		if entry >= 0 {
			x.Params = append(slices.Clone(x.Params), p4.Param{Name: entryNumber, Bits: width})
			x.Ops = prepend(assignment(entry, &p4.Expr{Kind: p4.ParamValue, Param: len(x.Params) - 1}), x.Ops)
		}
		if a == t.Default {
			x.Name += ".hit" // its steps are others than a miss'
		}
		t.Actions[i] = len(p.Actions)
		p.Actions, *exits = append(p.Actions, x), append(*exits, (*exits)[a])
	}
	if otherwise >= 0 {
		t.Actions, t.Next = append(t.Actions, t.Default), append(t.Next, t.Next[otherwise])
	}
	t.Meter, t.Counters = 0, false
	if entry < 0 {
		return
	}
	l.egressState = l.egressState || pipe == &p.Egress
	p.Counters = append(slices.Clone(p.Counters), p4.Counter{Name: t.Name + ".counter", Size: t.Size, Direct: true})
	name := t.Name + ".counter"
	length := l.packetLength()
	a := len(p.Actions)
	p.Actions, *exits = append(p.Actions, p4.Action{ID: -1 - a, Name: name + ".nothing"}), append(*exits, false)
	l.counts[pipe] = append(
		l.counts[pipe],
		p4.Node{Name: name, Table: &p4.Table{Name: name, Match: p4.Exact, Size: t.Size,
			Array: counterArray(p, len(p.Counters)-1), Default: a, Actions: []int{a}, Next: []int{p4.Accept}, Miss: p4.Accept,
			Key: []p4.KeyField{{Match: p4.Exact, Field: entry}, {Match: p4.Exact, Field: length}},
			Accesses: &p4.Primitive{
				Op:     p4.Count,
				Field:  -1,
				Header: -1,
				Args:   []*p4.Expr{fieldExpr(entry), fieldExpr(length)},
			}}},
	)
}

// packetLength is the field that has the length of a packet as it came.
func (l *lowering) packetLength() int {
	s := &l.p.Standard
	if s.PacketLength < 0 {
		s.PacketLength = l.once("machine.length_of_packet", 32)
	}
	return s.PacketLength
}

// countAtEnd puts a pipeline's accesses for direct counters where all its packets come by: at its end.
func (l *lowering) countAtEnd(pipe *p4.Pipeline) {
	list := l.counts[pipe]
	if len(list) == 0 {
		return
	}
	n := len(pipe.Nodes)
	redirect(pipe, p4.Accept, n)
	for i, x := range list {
		if i+1 < len(list) {
			x.Table.Next[0], x.Table.Miss = n+i+1, n+i+1
		}
		pipe.Nodes = append(pipe.Nodes, x)
	}
}

// entryNumber is the parameter that has an entry's number.
const entryNumber = "machine.entry"

// prepend puts a primitive before others, of which the jumps go one further.
func prepend(o p4.Primitive, ops []p4.Primitive) []p4.Primitive {
	all := []p4.Primitive{o}
	for _, x := range ops {
		if x.Op == p4.Jump || x.Op == p4.JumpIfZero {
			x.Args = slices.Clone(x.Args)
			if to := &x.Args[len(x.Args)-1]; isConst(*to) {
				*to = constant((*to).Const + 1)
			}
		}
		all = append(all, x)
	}
	return all
}

func assignment(field int, e *p4.Expr) p4.Primitive {
	return p4.Primitive{Op: p4.Assign, Field: field, Header: -1, Value: e}
}

// primitive returns equivalents of a primitive.
func (l *lowering) primitive(o *p4.Primitive) []p4.Primitive {
	p := l.p
	switch o.Op {
	case p4.NoOp, p4.Assert: // where an assertion fails simple_switch stops, and the interpreter says so
		return nil
	case p4.Digest:
		return []p4.Primitive{assignment(l.once("machine.digest", 16), o.Args[1])}
	case p4.CloneIngress, p4.CloneEgress:
		if e := cloneRequest(o); e != nil {
			return []p4.Primitive{assignment(l.once(cloneField, 32), e)}
		}
	case p4.Resubmit:
		return []p4.Primitive{assignment(l.once(resubmitField, 16), o.Args[0])}
	case p4.Recirculate:
		return []p4.Primitive{assignment(l.once(recirculateField, 16), o.Args[0])}
	case p4.Truncate:
		f := l.once(truncateField, 32)
		cut := binary(p4.Xor, o.Args[0], constant(math.MaxUint32))
		return []p4.Primitive{assignment(f, &p4.Expr{
			Kind: p4.Choice, Cond: binary(p4.Less, fieldExpr(f), cut), Left: cut, Right: fieldExpr(f),
		})}
	case p4.ExecuteMeter:
		if o.Dest != nil || l.hasRates(o.Object) {
			break
		}
		size := uint64(p.Meters[o.Object].Size)
		e, index := constant(0), substitute(o.Args[0], nil)
		switch {
		case isConst(index) && index.Const >= size: // there is no such meter
			e = fieldExpr(o.Field)
		case !isConst(index):
			e = &p4.Expr{Kind: p4.Choice, Left: e, Right: fieldExpr(o.Field),
				Cond: &p4.Expr{Kind: p4.Operation, Operator: p4.Less, Left: o.Args[0], Right: constant(size)}}
		}
		return []p4.Primitive{assignment(o.Field, e)}
	case p4.Random:
		if constantRange(o) {
			d := p4.RandomPlace{
				Place: o.Object, Ranged: true, Low: substitute(o.Args[0], nil).Const,
				High: substitute(o.Args[1], nil).Const,
			}
			d.Field = l.once(fmt.Sprintf("%s%d", randomField, o.Object), max(bits.Len64(max(d.Low, d.High)), 1))
			l.drawn(d)
			return []p4.Primitive{assignment(o.Field, fieldExpr(d.Field))}
		}
	case p4.MarkValid:
		if o.Header >= 0 && p.Headers[o.Header].Union == 0 {
			return []p4.Primitive{assignment(p.Headers[o.Header].Valid, constant(1))}
		}
	case p4.AssignHeader:
		if o.Header >= 0 && o.Source.Kind == p4.HeaderValue {
			all := append(l.alone(o.Header, o.Source.Field), l.copyHeader(o.Header, o.Source.Field)...)
			to, from := &p.Headers[o.Header], &p.Headers[o.Source.Field]
			if to.Union > 0 && to.Union == from.Union && to != from {
				all = append(all, assignment(from.Valid, constant(0)))
			}
			return all
		}
	case p4.AssignUnion:
		return l.copyUnion(o.Object, o.From)
	case p4.AssignUnionStack:
		var all []p4.Primitive
		for i, u := range p.UnionStacks[o.From].Unions {
			all = append(all, l.copyUnion(p.UnionStacks[o.Object].Unions[i], u)...)
		}
		return all
	case p4.Push, p4.Pop:
		if isConst(o.Args[0]) {
			return l.move(o)
		}
	case p4.AssignStack:
		var all []p4.Primitive
		for i, h := range p.Stacks[o.From].Headers {
			all = append(all, l.copyHeader(p.Stacks[o.Object].Headers[i], h)...)
		}
		return all
	}
	return []p4.Primitive{*o}
}

// truncateField is the name of the field that has 2^32 - 1 less the bytes that truncate leaves: 0 leaves all, and the
// greatest of some is the shortest packet.
const truncateField = "machine.truncate"

// once returns a field of the machine's own, which it adds if it is not there.
func (l *lowering) once(name string, bits int) int {
	if f := fieldNamed(l.p, name); f >= 0 {
		return f
	}
	return l.field(name, bits)
}

func (l *lowering) copyHeader(to, from int) (all []p4.Primitive) {
	p := l.p
	for i, f := range p.Headers[to].Fields {
		all = append(all, assignment(f, fieldExpr(p.Headers[from].Fields[i])))
	}
	if v := p.Headers[to].Valid; v >= 0 {
		e := constant(1)
		if w := p.Headers[from].Valid; w >= 0 {
			e = fieldExpr(w)
		}
		all = append(all, assignment(v, e))
	}
	return all
}

// alone makes the other headers of a union not valid if a valid header is copied to one of its headers. The copied
// header is not among them: it has its validity until then.
func (l *lowering) alone(to, from int) (all []p4.Primitive) {
	p := l.p
	u, w := p.Headers[to].Union, p.Headers[from].Valid
	if u == 0 {
		return nil
	}
	for _, h := range p.Unions[u-1].Headers {
		if h == to || h == from {
			continue
		}
		v := p.Headers[h].Valid
		e := constant(0)
		if w >= 0 {
			e = &p4.Expr{Kind: p4.Choice, Cond: fieldExpr(w), Left: e, Right: fieldExpr(v)}
		}
		all = append(all, assignment(v, e))
	}
	return all
}

// copyUnion copies a union: at most one of its headers is valid, and then the same one of the copy.
func (l *lowering) copyUnion(to, from int) (all []p4.Primitive) {
	p := l.p
	for i, h := range p.Unions[from].Headers {
		all = append(all, l.copyHeader(p.Unions[to].Headers[i], h)...)
	}
	return all
}

// move copies a stack's elements by some places and makes freed ones invalid.
func (l *lowering) move(o *p4.Primitive) (all []p4.Primitive) {
	list := l.p.Stacks[o.Object].Headers
	by := int(min(o.Args[0].Const, uint64(len(list))))
	if o.Op == p4.Push {
		for i := len(list) - 1; i >= by; i-- {
			all = append(all, l.copyHeader(list[i], list[i-by])...)
		}
		list = list[:by]
	} else {
		for i := 0; i+by < len(list); i++ {
			all = append(all, l.copyHeader(list[i], list[i+by])...)
		}
		list = list[len(list)-by:]
	}
	for _, h := range list { // without a change of packet_length, which remove_header would make
		all = append(all, assignment(l.p.Headers[h].Valid, constant(0)))
	}
	return all
}

package compile

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// primitives replaces what no ALU does by assignments.
//
//   - A table without a default action gets one that does nothing.
//   - exit leads an action's packets to the pipeline's end.
//   - A copy of a header, and the moves of a stack's elements, are copies of fields and of validity bits.
//   - A meter of a machine has no rates: its color is 0, as simple_switch has it.
//   - A digest's and a clone's numbers stay in the header vector: no machine has a control plane, nor mirroring sessions, and without
//     a session simple_switch makes no copy.
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
			if t.Meter > 0 {
				l.directMeter(t, &exits)
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

// directMeter writes color 0 when an entry is hit, which its actions do.
func (l *lowering) directMeter(t *p4.Table, exits *[]bool) {
	otherwise := slices.Index(t.Actions, t.Default) // a miss keeps the action as it is
	target := l.p.Meters[t.Meter-1].Target
	for i, a := range t.Actions {
		x := l.p.Actions[a]
		x.Ops = append([]p4.Primitive{{Op: p4.Assign, Field: target, Header: -1, Value: constant(0)}}, x.Ops...)
		t.Actions[i] = len(l.p.Actions)
		l.p.Actions, *exits = append(l.p.Actions, x), append(*exits, (*exits)[a])
	}
	if otherwise >= 0 {
		t.Actions, t.Next = append(t.Actions, t.Default), append(t.Next, t.Next[otherwise])
	}
	t.Meter = 0
}

func assignment(field int, e *p4.Expr) p4.Primitive {
	return p4.Primitive{Op: p4.Assign, Field: field, Header: -1, Value: e}
}

// primitive returns what does the same as a primitive.
func (l *lowering) primitive(o *p4.Primitive) []p4.Primitive {
	p := l.p
	switch o.Op {
	case p4.NoOp:
		return nil
	case p4.Digest:
		return []p4.Primitive{assignment(l.once("machine.digest", 16), o.Args[1])}
	case p4.CloneIngress, p4.CloneEgress:
		return []p4.Primitive{assignment(l.once("machine.clone", 16), o.Args[0])}
	case p4.ExecuteMeter:
		if o.Dest != nil {
			break
		}
		size := uint64(p.Meters[o.Object].Size)
		e := constant(0)
		if !isConst(o.Args[0]) || o.Args[0].Const >= size {
			e = &p4.Expr{Kind: p4.Choice, Left: e, Right: fieldExpr(o.Field),
				Cond: &p4.Expr{Kind: p4.Operation, Operator: p4.Less, Left: o.Args[0], Right: constant(size)}}
		}
		return []p4.Primitive{assignment(o.Field, e)}
	case p4.AssignHeader:
		if o.Header >= 0 && o.Source.Kind == p4.HeaderValue && p.Headers[o.Header].Union == 0 {
			return l.copyHeader(o.Header, o.Source.Field)
		}
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

// move copies a stack's elements by some places and makes those that come free invalid.
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
	for _, h := range list {
		all = append(all, p4.Primitive{Op: p4.RemoveHeader, Field: -1, Header: h})
	}
	return all
}

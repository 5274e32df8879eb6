package compile

import (
	"fmt"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// jumps straightens the actions with jumps that do more than assignments, which [compiler.effects] takes as they are.
func (l *lowering) jumps() error {
	for i := range l.p.Actions {
		a := &l.p.Actions[i]
		jumps, more := false, false
		for _, o := range a.Ops {
			switch o.Op {
			case p4.Jump, p4.JumpIfZero:
				jumps = true
			case p4.Assign, p4.Drop, p4.NoOp:
				more = more || o.Dest != nil
			default:
				more = true
			}
		}
		if !jumps || !more {
			continue
		}
		ops, err := l.straighten(a)
		if err != nil {
			return err
		}
		a.Ops = ops
	}
	return nil
}

// straighten takes the jumps out of an action, as p4c makes them of an if in it: a primitive under a condition is done
// always, but writes the old value unless the condition was true. Conditions are kept in fields of their own.
//
//	_jump_if_zero x == 0, 2      i = x == 0
//	y = 1                        y = i ? 1 : y
//	register_write r, 0, y       register_write r, 0, y, if i
func (l *lowering) straighten(a *p4.Action) ([]p4.Primitive, error) {
	p := l.p
	s := &straightener{l: l, name: a.Name, known: map[string]int{}}
	waiting := map[int][]guard{} // by primitive: the guards of jumps to it
	var now guard
	reached := true
	for i := 0; i <= len(a.Ops); i++ {
		for _, g := range waiting[i] {
			if !reached {
				now, reached = g, true
			} else if m, ok := now.merge(g); ok {
				now = m
			} else {
				now = s.either(now, g)
			}
		}
		if i == len(a.Ops) || !reached {
			continue
		}
		o := a.Ops[i]
		if o.Op != p4.Jump && o.Op != p4.JumpIfZero {
			if err := s.guarded(o, now); err != nil {
				return nil, fmt.Errorf("%s: action %s: %w", p.Name, a.Name, err)
			}
			continue
		}
		target := o.Args[len(o.Args)-1]
		if !isConst(target) || target.Const <= uint64(i) || target.Const > uint64(len(a.Ops)) {
			return nil, fmt.Errorf("%s: action %s: a jump back, or out of the action: no machine runs that", p.Name, a.Name)
		}
		to := int(target.Const)
		if o.Op == p4.Jump {
			waiting[to] = append(waiting[to], now)
			reached = false
			continue
		}
		c := fieldExpr(l.field(a.Name+".if", 1))
		s.ops = append(s.ops, assignment(c.Field, truthOf(o.Args[0])))
		waiting[to] = append(waiting[to], now.and(literal{c, true}))
		now = now.and(literal{c, false})
	}
	return s.ops, nil
}

// straightener makes an action without jumps.
type straightener struct {
	l     *lowering
	name  string
	ops   []p4.Primitive
	known map[string]int // the field that has a guard's truth
}

// truthOf is 1 if an expression is not 0, else 0.
func truthOf(e *p4.Expr) *p4.Expr {
	x := substitute(e, nil)
	if x.Kind == p4.Operation && (x.Operator >= p4.Equal && x.Operator <= p4.LogicalNot) {
		return x
	}
	return binary(p4.NotEqual, x, constant(0))
}

// field returns the field that has a guard's truth.
func (s *straightener) field(g guard) *p4.Expr {
	if len(g) == 1 && !g[0].not {
		return g[0].e
	}
	key := ""
	for _, x := range g {
		key += fmt.Sprint(x.e.Field, x.not, " ")
	}
	f, ok := s.known[key]
	if !ok {
		f = s.l.field(s.name+".if", 1)
		s.known[key] = f
		s.ops = append(s.ops, assignment(f, g.expr()))
	}
	return fieldExpr(f)
}

// either is the guard of a place to which two ways lead that are no if and else.
func (s *straightener) either(a, b guard) guard {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	f := s.l.field(s.name+".if", 1)
	s.ops = append(s.ops, assignment(f, binary(p4.LogicalOr, s.field(a), s.field(b))))
	return guard{{fieldExpr(f), false}}
}

// guarded adds a primitive that is done if a guard is true.
func (s *straightener) guarded(o p4.Primitive, g guard) error {
	if len(g) == 0 {
		s.ops = append(s.ops, o)
		return nil
	}
	if o.Op == p4.NoOp {
		return nil
	}
	p, c := s.l.p, s.field(g)
	write := func(f int, e *p4.Expr) {
		s.ops = append(s.ops, assignment(f, &p4.Expr{Kind: p4.Choice, Cond: c, Left: e, Right: fieldExpr(f)}))
	}
	switch {
	case o.Op == p4.Assign && o.Dest == nil:
		write(o.Field, o.Value)
	case o.Op == p4.Drop:
		for _, f := range p.Writes(&o) {
			if f != o.Field {
				write(f, constant(0))
			}
		}
		write(o.Field, constant(p4.DropPort))
	case (o.Op == p4.AddHeader || o.Op == p4.RemoveHeader) && o.Header >= 0,
		stateful(o) && o.Dest == nil && !constantRange(&o):
		if o.If != nil {
			both := s.l.field(s.name+".if", 1)
			s.ops = append(s.ops, assignment(both, binary(p4.LogicalAnd, c, o.If)))
			c = fieldExpr(both)
		}
		o.If = c
		s.ops = append(s.ops, o)
	default:
		list := s.l.primitive(&o)
		for _, x := range list {
			if x.Op != p4.Assign || x.Dest != nil {
				return fmt.Errorf("%v under a condition: no machine runs that", o.Op)
			}
			write(x.Field, x.Value)
		}
	}
	return nil
}

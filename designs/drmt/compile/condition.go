package compile

import (
	"fmt"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// outcome is a truth value as two predicates: one is true if it is true, the other if it is false, neither before it is
// known.
type outcome struct{ yes, no drmt.Predicate }

// term is a predicate term without its packet's age.
type term struct{ a, b, set drmt.Predicate }

// predicate returns a new predicate.
func (c *compiler) predicate() (drmt.Predicate, error) {
	if c.predicates == 255 {
		return 0, fmt.Errorf("%s: more than 255 predicates", c.program.Name)
	}
	c.predicates++
	return drmt.Predicate(c.predicates), nil
}

func (c *compiler) outcome() (o outcome, err error) {
	if o.yes, err = c.predicate(); err == nil {
		o.no, err = c.predicate()
	}
	return o, err
}

// condition returns the comparisons of an expression, an ALU each, and the terms that join their outcomes.
func (c *compiler) condition(name string, e *p4.Expr) (o outcome, alus []drmt.Instruction, terms []term, err error) {
	e = substitute(e, nil)
	if e.Kind == p4.Operation {
		switch e.Operator {
		case p4.LogicalNot:
			o, alus, terms, err = c.condition(name, e.Right)
			return outcome{o.no, o.yes}, alus, terms, err
		case p4.LogicalAnd, p4.LogicalOr:
			l, la, lt, err := c.condition(name, e.Left)
			if err != nil {
				return o, nil, nil, err
			}
			r, ra, rt, err := c.condition(name, e.Right)
			if err != nil {
				return o, nil, nil, err
			}
			if o, err = c.outcome(); err != nil {
				return o, nil, nil, err
			}
			return o, append(la, ra...), append(append(lt, rt...), join(e.Operator == p4.LogicalAnd, l, r, o)...), nil
		case p4.Equal, p4.NotEqual:
			if c.pieces(e.Left) > 1 || c.pieces(e.Right) > 1 { // both pieces equal, or one of them not
				return c.wide(name, e)
			}
		}
	}
	ins, ok := c.comparison(e)
	if !ok {
		return o, nil, nil, fmt.Errorf(
			"%s: condition %s: a comparison takes more than one ALU operation", c.program.Name, name,
		)
	}
	if o, err = c.outcome(); err != nil {
		return o, nil, nil, err
	}
	ins.True, ins.False = o.yes, o.no
	return o, []drmt.Instruction{ins}, nil, nil
}

// join returns the terms of a conjunction, or of a disjunction.
func join(and bool, l, r, o outcome) []term {
	if and {
		return []term{{l.yes, r.yes, o.yes}, {l.no, drmt.Always, o.no}, {r.no, drmt.Always, o.no}}
	}
	return []term{{l.no, r.no, o.no}, {l.yes, drmt.Always, o.yes}, {r.yes, drmt.Always, o.yes}}
}

// comparison is a leaf that is compared with 0, or one comparison.
func (c *compiler) comparison(e *p4.Expr) (drmt.Instruction, bool) {
	if s, ok := c.leaf(e, 0, nil, nil); ok {
		if c.pieces(e) > 1 {
			return drmt.Instruction{}, false
		}
		return instruction(drmt.NotEqual, s, source{})
	}
	if e.Kind != p4.Operation {
		return drmt.Instruction{}, false
	}
	return c.operation(e, 0, false, nil, nil)
}

func (c *compiler) pieces(e *p4.Expr) int {
	if e.Kind == p4.FieldValue {
		return len(c.fields.pieces[e.Field])
	}
	return 1
}

// wide compares two pieces.
func (c *compiler) wide(name string, e *p4.Expr) (o outcome, alus []drmt.Instruction, terms []term, err error) {
	var parts [2]outcome
	for k := range parts {
		l, okLeft := c.leaf(e.Left, k, nil, nil)
		r, okRight := c.leaf(e.Right, k, nil, nil)
		ins, ok := instruction(drmt.Equal, l, r)
		if !okLeft || !okRight || !ok {
			return o, nil, nil, fmt.Errorf(
				"%s: condition %s: a comparison of more than 32 bits takes fields and constants only", c.program.Name, name,
			)
		}
		if parts[k], err = c.outcome(); err != nil {
			return o, nil, nil, err
		}
		ins.True, ins.False = parts[k].yes, parts[k].no
		alus = append(alus, ins)
	}
	if o, err = c.outcome(); err != nil {
		return o, nil, nil, err
	}
	terms = join(true, parts[0], parts[1], o)
	if e.Operator == p4.NotEqual {
		o = outcome{o.no, o.yes}
	}
	return o, alus, terms, nil
}

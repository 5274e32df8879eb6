package compile

import "github.com/goldwire/goldwire/designs/drmt/p4"

// condition returns a condition of comparisons of leaves.
func (s *splitter) condition(e *p4.Expr) (*p4.Expr, error) {
	if e.Kind == p4.Operation {
		switch e.Operator {
		case p4.LogicalAnd, p4.LogicalOr:
			l, err := s.condition(e.Left)
			if err != nil {
				return nil, err
			}
			r, err := s.condition(e.Right)
			return binary(e.Operator, l, r), err
		case p4.LogicalNot:
			r, err := s.condition(e.Right)
			return &p4.Expr{Kind: p4.Operation, Operator: e.Operator, Right: r}, err
		}
	}
	if isLeaf(e) && !s.wide(e) {
		return e, nil
	}
	if e.Kind == p4.Operation && e.Left != nil && isLeaf(e.Left) && isLeaf(e.Right) &&
		!(isConst(e.Left) && isConst(e.Right)) {
		wide := s.wide(e.Left) || s.wide(e.Right)
		if _, ok := opcodes[e.Operator]; ok &&
			(!wide && e.Operator >= p4.Equal || e.Operator == p4.Equal || e.Operator == p4.NotEqual) {
			return e, nil
		}
	}
	t, _, err := s.truth(e)
	return t, err
}

// single tells whether one ALU operation writes an expression to a field.
func (l *lowering) single(a *p4.Action, field int, e *p4.Expr) bool {
	width := l.p.Fields[field].Bits
	s := &splitter{l: l, params: a.Params}
	if isLeaf(e) {
		return true
	}
	if e.Kind == p4.Choice {
		return e.Right.Kind == p4.FieldValue && e.Right.Field == field && isLeaf(e.Cond) && !isConst(e.Cond) &&
			!s.wide(e.Cond) &&
			isLeaf(e.Left)
	}
	if e.Kind != p4.Operation || !isLeaf(e.Right) ||
		e.Left != nil && (!isLeaf(e.Left) || isConst(e.Left) && isConst(e.Right)) {
		return false
	}
	if e.Operator == p4.Not {
		return true
	}
	_, known := opcodes[e.Operator]
	switch {
	case !known || e.Left == nil:
		return false
	case bitwise(e.Operator):
		return true
	case width > 32:
		return false
	case e.Operator == p4.Add || e.Operator == p4.Sub:
		return true
	}
	return !s.wide(e.Left) && !s.wide(e.Right)
}

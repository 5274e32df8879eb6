package compile

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// # Steps
//
// An action's primitives take effect together, each written field being one ALU operation on the values before. An
// action that takes more is split: parts of an expression are computed into fields of the machine's own in one step,
// and used in a later one. Step 1 is the table's action itself. The others are tables without a key that follow it, a
// table a step, which the schedule places like any other. Between them the packet keeps the action's data in fields:
//
//	t: a = b + c + d(data)     t:      m.1 = b + c, m.2 = d(data)
//	                           t.a.2:  a = m.1 + m.2

// steps splits the actions and conditions of a program that take more than one step.
func (l *lowering) steps() error {
	p := l.p
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		nodes := len(pipe.Nodes)
		for i := range nodes {
			n := &pipe.Nodes[i]
			var err error
			if n.Condition != nil {
				err = l.conditionSteps(pipe, i)
			} else {
				err = l.tableSteps(pipe, i)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// tableSteps splits a table's actions.
func (l *lowering) tableSteps(pipe *p4.Pipeline, node int) error {
	p := l.p
	t := pipe.Nodes[node].Table
	type split struct{ first, second int } // the action, and the node that goes on
	done := map[int]split{}
	// go on after an action: to a chain of tables whose end leads to next
	follow := func(a, next int, after string) (split, error) {
		x, ok := done[a]
		if !ok {
			lists, err := l.actionSteps(&p.Actions[a])
			if err != nil {
				return x, err
			}
			x = split{a, -1}
			if len(lists) > 0 {
				b := p.Actions[a]
				b.Ops = lists[0]
				x.first = len(p.Actions)
				p.Actions = append(p.Actions, b)
			}
			for k := 1; k < len(lists); k++ {
				name := fmt.Sprintf("%s.%s%s.%d", t.Name, p.Actions[a].Name, after, k+1)
				c := len(p.Actions)
				p.Actions = append(p.Actions, p4.Action{ID: -1 - c, Name: name, Ops: lists[k]})
				if k == 1 {
					x.second = len(pipe.Nodes)
				} else {
					pipe.Nodes[len(pipe.Nodes)-1].Table.Next[0] = len(pipe.Nodes)
				}
				pipe.Nodes = append(
					pipe.Nodes,
					p4.Node{Name: name, Table: &p4.Table{Name: name, Match: p4.Exact, Actions: []int{c},
						Next: []int{next}, Default: c, Miss: p4.Accept}},
				)
			}
			done[a] = x
		}
		return x, nil
	}
	var apart bool
	for i, a := range slices.Clone(t.Actions) {
		next := t.Next[i]
		if t.HitOrMiss {
			next = t.Hit
		}
		x, err := follow(a, next, "")
		if err != nil {
			return err
		}
		t.Actions[i] = x.first
		if x.second >= 0 {
			next, apart = x.second, true
		}
		t.Next[i] = next
	}
	// what a miss does: its steps lead elsewhere where a miss does
	if (t.HitOrMiss || t.Apart) && t.Default >= 0 {
		miss := t.Miss
		if x := done[t.Default]; x.second >= 0 {
			delete(done, t.Default)
			y, err := follow(t.Default, miss, ".miss")
			if err != nil {
				return err
			}
			// the first step is the same but for the fields that it writes, so that it is an action of its own
			t.Actions, t.Next = append(t.Actions, y.first), append(t.Next, y.second)
			t.Miss, t.Default = y.second, y.first
			t.HitOrMiss, t.Apart = false, true
			return nil
		}
	}
	if x, ok := done[t.Default]; ok && t.Default >= 0 {
		t.Default = x.first
	}
	if apart && t.HitOrMiss {
		t.HitOrMiss, t.Apart = false, true
	}
	return nil
}

// conditionSteps computes the operands of a condition's comparisons before it.
func (l *lowering) conditionSteps(pipe *p4.Pipeline, node int) error {
	n := &pipe.Nodes[node]
	s := &splitter{l: l, name: n.Name}
	e, err := s.condition(substitute(n.Condition.If, nil))
	if err != nil {
		return fmt.Errorf("%s: condition %s: %w", l.p.Name, n.Name, err)
	}
	if len(s.steps) == 0 {
		return nil
	}
	n.Condition = &p4.Condition{If: e, True: n.Condition.True, False: n.Condition.False}
	name := n.Name
	at := node
	for k := len(s.steps) - 1; k >= 0; k-- {
		l.before(pipe, at, fmt.Sprintf("%s.%d", name, k+1), s.steps[k])
		at = len(pipe.Nodes) - 1
	}
	return nil
}

// actionSteps returns the primitives of each of an action's steps, none if they are its own.
func (l *lowering) actionSteps(a *p4.Action) ([][]p4.Primitive, error) {
	p := l.p
	plain := &compiler{program: p}
	written, err := plain.effects(a)
	if err != nil {
		return nil, err
	}
	simple := true
	var fields []int
	for f := range written {
		fields = append(fields, f)
		simple = simple && l.single(a, f, written[f])
	}
	if simple && l.alus(written) <= drmt.ALUs {
		return nil, nil
	}
	slices.Sort(fields)
	s := &splitter{l: l, name: a.Name, params: a.Params}
	type final struct {
		field, step int
		e           *p4.Expr
	}
	var finals []final
	for _, f := range fields {
		e, step, err := s.value(written[f], f, p.Fields[f].Bits)
		if err != nil {
			return nil, fmt.Errorf("%s: action %s: what it writes to %s: %w", p.Name, a.Name, p.Fields[f].Name, err)
		}
		finals = append(finals, final{f, step, e})
	}
	last := len(s.steps)
	for _, x := range finals {
		last = max(last, x.step)
	}
	// a field is written when nobody reads its old value any more
	reads := map[int]int{}
	for k, ops := range s.steps {
		for _, o := range ops {
			for _, f := range p.ExprReads(o.Value) {
				reads[f] = max(reads[f], k+1)
			}
		}
	}
	lists := make([][]p4.Primitive, last)
	for changed := true; changed; {
		changed = false
		for i := range finals {
			x := &finals[i]
			for _, f := range p.ExprReads(x.e) {
				if f != x.field && reads[f] < x.step {
					reads[f], changed = x.step, true
				}
			}
			if x.step < reads[x.field] {
				x.step, changed = reads[x.field], true
			}
		}
	}
	for k := range s.steps {
		lists[k] = append(lists[k], s.steps[k]...)
	}
	for _, x := range finals {
		lists[x.step-1] = append(lists[x.step-1], assignment(x.field, x.e))
	}
	for k := range lists {
		lists[k] = l.together(a.Name, lists[k])
	}
	for most := drmt.ALUs; ; most -= 4 { // data that is carried takes ALUs of the first step
		var cut [][]p4.Primitive
		for _, list := range lists {
			cut = append(cut, l.inSteps(list, most)...)
		}
		if cut = l.carry(a, cut); most == 4 || len(l.inSteps(cut[0], drmt.ALUs)) == 1 {
			return cut, nil
		}
	}
}

// alus is how many ALUs write fields in a cycle: one for each 32 bits of each.
func (l *lowering) alus(written map[int]*p4.Expr) (n int) {
	for f := range written {
		n += len(wordsOf(l.p.Fields[f].Bits))
	}
	return n
}

// inSteps divides assignments in the order of [lowering.together] into steps that most ALUs do.
func (l *lowering) inSteps(list []p4.Primitive, most int) (steps [][]p4.Primitive) {
	first, n := 0, 0
	for i := range list {
		w := len(wordsOf(l.p.Fields[list[i].Field].Bits))
		if n+w > most && n > 0 {
			steps = append(steps, slices.Clone(list[first:i]))
			first, n = i, 0
		}
		n += w
	}
	return append(steps, slices.Clone(list[first:]))
}

// together orders assignments that take effect together so that they do the same one after the other: a field's readers
// come before its writer. Where they go round, as when two fields change places, the old value of one is kept aside.
func (l *lowering) together(name string, list []p4.Primitive) (ordered []p4.Primitive) {
	left := slices.Clone(list)
	readBy := func(field, not int) bool {
		for i := range left {
			if i != not && mentions(left[i].Value, field) {
				return true
			}
		}
		return false
	}
	for len(left) > 0 {
		next := 0
		for next < len(left) && readBy(left[next].Field, next) {
			next++
		}
		if next == len(left) {
			f := left[0].Field
			aside := l.field(name+"$", l.p.Fields[f].Bits)
			ordered = append(ordered, assignment(aside, fieldExpr(f)))
			for i := 1; i < len(left); i++ {
				left[i].Value = renameIn(left[i].Value, func(x int) int {
					if x == f {
						return aside
					}
					return x
				})
			}
			next = 0
		}
		ordered = append(ordered, left[next])
		left = slices.Delete(left, next, next+1)
	}
	return ordered
}

// carry keeps action data that later steps use in fields.
func (l *lowering) carry(a *p4.Action, lists [][]p4.Primitive) [][]p4.Primitive {
	kept := map[int]int{}
	with := func(n int) *p4.Expr {
		f, ok := kept[n]
		if !ok {
			f = l.field(a.Name+"."+a.Params[n].Name, a.Params[n].Bits)
			kept[n] = f
			lists[0] = append(lists[0], assignment(f, &p4.Expr{Kind: p4.ParamValue, Param: n}))
		}
		return fieldExpr(f)
	}
	for k := 1; k < len(lists); k++ {
		for i := range lists[k] {
			o := &lists[k][i]
			o.Value, o.If, o.Args = replaceParams(o.Value, with), replaceParams(o.If, with), slices.Clone(o.Args)
			for n := range o.Args {
				o.Args[n] = replaceParams(o.Args[n], with)
			}
		}
	}
	return lists
}

func replaceParams(e *p4.Expr, with func(int) *p4.Expr) *p4.Expr {
	if e == nil {
		return nil
	}
	if e.Kind == p4.ParamValue {
		return with(e.Param)
	}
	c := *e
	c.Left, c.Right, c.Cond = replaceParams(e.Left, with), replaceParams(e.Right, with), replaceParams(e.Cond, with)
	return &c
}

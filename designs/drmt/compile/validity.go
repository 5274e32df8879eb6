package compile

import (
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// facts are true of each packet that comes somewhere.
type facts struct {
	reached bool
	valid   map[int]bool // headers that are valid for sure
	stale   map[int]bool // fields that may not be 0 although their header may not be valid
}

func (f *facts) clone() facts {
	c := facts{f.reached, map[int]bool{}, map[int]bool{}}
	for h := range f.valid {
		c.valid[h] = true
	}
	for x := range f.stale {
		c.stale[x] = true
	}
	return c
}

// join has the facts where two ways meet.
func (f *facts) join(g *facts) {
	if !f.reached {
		*f = g.clone()
		f.reached = true
		return
	}
	for h := range f.valid {
		if !g.valid[h] {
			delete(f.valid, h)
		}
	}
	for x := range g.stale {
		f.stale[x] = true
	}
}

// learn takes what the truth of a condition says about headers. A field of a header that is valid is not stale.
func (f *facts) learn(p *p4.Program, e *p4.Expr, truth bool) {
	switch e = substitute(e, nil); {
	case e.Kind == p4.FieldValue && truth:
		if h := p.Fields[e.Field].Header; p.Headers[h].Valid == e.Field {
			f.makeValid(p, h)
		}
	case e.Kind == p4.Operation && e.Operator == p4.LogicalNot:
		f.learn(p, e.Right, !truth)
	case e.Kind == p4.Operation && (e.Operator == p4.LogicalAnd && truth || e.Operator == p4.LogicalOr && !truth):
		f.learn(p, e.Left, truth)
		f.learn(p, e.Right, truth)
	case e.Kind == p4.Operation && (e.Operator == p4.Equal || e.Operator == p4.NotEqual):
		for _, s := range [][2]*p4.Expr{{e.Left, e.Right}, {e.Right, e.Left}} {
			if isConst(s[1]) && s[1].Const <= 1 && s[0].Kind == p4.FieldValue {
				f.learn(p, s[0], truth == ((e.Operator == p4.Equal) == (s[1].Const == 1)))
			}
		}
	}
}

func (f *facts) makeValid(p *p4.Program, h int) {
	f.valid[h] = true
	for _, x := range p.Headers[h].Fields {
		delete(f.stale, x)
	}
}

// run has the facts after an action.
func (f *facts) run(p *p4.Program, a *p4.Action) {
	for _, o := range a.Ops {
		switch {
		case o.Op == p4.AddHeader && o.Header >= 0:
			f.makeValid(p, o.Header)
		case o.Op == p4.RemoveHeader && o.Header >= 0:
			delete(f.valid, o.Header)
			for _, x := range p.Headers[o.Header].Fields {
				f.stale[x] = true
			}
		case o.Field >= 0 && p.Headers[p.Fields[o.Field].Header].Valid == o.Field: // validity is copied
			h := p.Fields[o.Field].Header
			delete(f.valid, h)
			for _, x := range p.Headers[h].Fields {
				f.stale[x] = true
			}
		case o.Field >= 0:
			if h := p.Fields[o.Field].Header; !p.Headers[h].Metadata && !f.valid[h] {
				f.stale[o.Field] = true
			}
		}
	}
}

// keys makes keys of fields that may be stale fields of their own.
func (l *lowering) keys() error {
	p := l.p
	fl, err := newFlow(p)
	if err != nil {
		return err
	}
	known := make([]facts, len(fl.nodes))
	for i := range known {
		known[i] = facts{valid: map[int]bool{}, stale: map[int]bool{}}
	}
	if len(fl.nodes) == 0 {
		return nil
	}
	known[0].reached = true
	for _, s := range p.States {
		for _, o := range s.Ops {
			if o.Kind == p4.Basic && o.Header < 0 && o.Field >= 0 && !p.Headers[p.Fields[o.Field].Header].Metadata {
				known[0].stale[o.Field] = true
			}
		}
	}
	type change struct {
		table *p4.Table
		stale map[int]bool
	}
	var changes []change
	for x := range fl.nodes {
		n := &fl.nodes[x]
		if c := n.Condition; c != nil {
			for i, s := range n.next {
				if s == exit {
					continue
				}
				f := known[x].clone()
				if len(n.next) == 2 {
					f.learn(p, c.If, i == 0)
				}
				known[s].join(&f)
			}
			continue
		}
		t := n.Table
		stale := map[int]bool{}
		for _, k := range t.Key {
			if t.Array > 0 || t.Computes != nil { // its key's fields have certain values
				break
			}
			if known[x].stale[k.Field] {
				stale[k.Field] = true
			}
		}
		if len(stale) > 0 {
			changes = append(changes, change{t, stale})
		}
		for i, s := range n.next {
			if s == exit {
				continue
			}
			for _, a := range actionsTo(t, n, i) {
				f := known[x].clone()
				f.run(p, &p.Actions[a])
				known[s].join(&f)
			}
		}
	}
	for _, c := range changes {
		for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
			for i := range pipe.Nodes {
				if pipe.Nodes[i].Table == c.table {
					l.copyKeys(pipe, i, c.stale)
				}
			}
		}
	}
	return nil
}

// actionsTo are the actions after which a packet may take one of a table's ways.
func actionsTo(t *p4.Table, n *node, way int) []int {
	actions := append([]int{}, t.Actions...)
	if t.Default >= 0 {
		actions = appendNew(actions, t.Default)
	}
	if t.HitOrMiss || t.Apart || len(n.next) == 1 {
		return actions
	}
	var some []int
	first := map[int]int{} // the program's numbers of successors, in the order of the flow's
	for _, s := range distinct(t) {
		first[s] = len(first)
	}
	for _, a := range actions {
		if first[nextOf(t, a)] == way {
			some = append(some, a)
		}
	}
	return some
}

// copyKeys matches on copies of fields that are 0 unless their header is valid.
func (l *lowering) copyKeys(pipe *p4.Pipeline, i int, stale map[int]bool) {
	p := l.p
	t := pipe.Nodes[i].Table
	var ops []p4.Primitive
	for k := range t.Key {
		f := t.Key[k].Field
		if !stale[f] {
			continue
		}
		to := l.field(t.Name+"."+p.Fields[f].Name, p.Fields[f].Bits)
		t.Key[k].Field = to
		ops = append(ops, p4.Primitive{Op: p4.Assign, Field: to, Header: -1, Value: &p4.Expr{Kind: p4.Choice,
			Cond: fieldExpr(p.Headers[p.Fields[f].Header].Valid), Left: fieldExpr(f), Right: fieldExpr(to)}})
	}
	l.before(pipe, i, t.Name+"_KEY", ops)
}

func fieldExpr(f int) *p4.Expr { return &p4.Expr{Kind: p4.FieldValue, Field: f} }

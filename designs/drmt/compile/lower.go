package compile

import (
	"context"
	"errors"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
)

// Graph derives the operation dependency graph of a program as a machine runs it: with the operations that the compiler
// adds. Of the options those count that say what a table does on a miss, and whether there are multicast groups and
// mirroring sessions.
func Graph(p *p4.Program, opt Options) (*schedule.Graph, error) {
	groups, err := withGroups(p, &opt)
	if err != nil {
		return nil, err
	}
	x, err := lower(groups.program, opt)
	if err != nil {
		return nil, err
	}
	return x.Graph()
}

// AnyGraph is [Graph] for programs that a machine runs. What no machine runs can still be scheduled: then it is the
// program's own graph, in which registers, counters, meters and hashes are operations that take the way of a match.
func AnyGraph(p *p4.Program) (*schedule.Graph, error) {
	if Supported(p, Options{}) == nil {
		if g, err := Graph(p, Options{}); err == nil {
			l := schedule.DRMT(1)
			r, err := schedule.Minimize(context.Background(), g, l, schedule.Options{PeriodOnly: true, Clauses: 1})
			if err == nil && r.Period.Low <= l.MaxPeriod { // no machine's period is too short for it
				return g, nil
			}
		}
	}
	return p.Graph()
}

// lower returns a program that does the same in terms that a machine has. It leaves the one given alone.
//
//   - egress_spec in egress becomes a field of its own, since a machine keeps the port that ingress chose in the other
//     one: verdict.
//   - A key's field whose header may be gone, or may never have been there, while the field is not 0 counts as 0: a
//     table before the match copies it into another field if the header is valid.
//
// If the header vector has no room, fields that are treated alike are joined: [lowering.join].
func lower(p *p4.Program, opt Options) (*p4.Program, error) {
	x, err := lowered(p, opt, false)
	if errors.Is(err, errVectorFull) {
		if y, fault := lowered(p, opt, true); fault == nil {
			return y, nil
		}
	}
	return x, err
}

func lowered(p *p4.Program, opt Options, join bool) (*p4.Program, error) {
	c := *p
	l := &lowering{p: &c, given: p, counts: map[*p4.Pipeline][]p4.Node{}, leaves: map[int]int{}, copies: opt.Copies(),
		metered: opt.Metered}
	c.Fields = slices.Clone(p.Fields)
	c.Headers = append(slices.Clone(p.Headers), p4.Header{Name: "machine", Metadata: true, Valid: -1})
	c.Actions = slices.Clone(p.Actions)
	for _, pipe := range []*p4.Pipeline{&c.Ingress, &c.Egress} {
		pipe.Nodes = slices.Clone(pipe.Nodes)
		for i := range pipe.Nodes {
			if t := pipe.Nodes[i].Table; t != nil {
				x := *t
				x.Key, x.Next, x.Actions = slices.Clone(t.Key), slices.Clone(t.Next), slices.Clone(t.Actions)
				ternary(&x)
				if d, ok := opt.Defaults[t.Name]; ok {
					x.Default, x.DefaultData, x.DefaultWide = d.Action, d.Data, d.Wide
				}
				pipe.Nodes[i].Table = &x
			}
		}
	}
	if c.Ingress.First == p4.Accept && c.Egress.First == p4.Accept { // a schedule has at least one operation
		a := len(c.Actions)
		c.Actions = append(c.Actions, p4.Action{ID: -1 - a, Name: "nothing"})
		c.Ingress.First = len(c.Ingress.Nodes)
		c.Ingress.Nodes = append(c.Ingress.Nodes, p4.Node{Name: "nothing", Table: &p4.Table{Name: "nothing", Match: p4.Exact,
			Actions: []int{a}, Next: []int{p4.Accept}, Default: a, Miss: p4.Accept}})
	}
	l.times()
	if err := l.variables(); err != nil {
		return nil, err
	}
	l.verifications()
	l.wholeHeaders()
	l.plain()
	l.exits()
	l.words()
	if err := l.jumps(); err != nil {
		return nil, err
	}
	if err := l.primitives(); err != nil {
		return nil, err
	}
	if err := l.restarts(); err != nil {
		return nil, err
	}
	if err := l.copying(); err != nil {
		return nil, err
	}
	if join {
		l.unread()
		l.join()
	}
	l.egressPort()
	l.lengths()
	l.addHeaders()
	if err := l.accesses(); err != nil {
		return nil, err
	}
	l.verdict()
	l.guardEgress()
	if err := l.keys(); err != nil {
		return nil, err
	}
	l.forget()
	l.data()
	for i := range c.Checksums {
		if hasPayload(&c, &c.Checksums[i]) {
			l.once(payloadField, 16)
		}
	}
	if err := supported(p, &c); err != nil {
		return nil, err
	}
	if err := l.steps(); err != nil {
		return nil, err
	}
	l.forget()
	return &c, l.share()
}

// forget empties actions that no table has any more.
func (l *lowering) forget() {
	used := make([]bool, len(l.p.Actions))
	for _, pipe := range []*p4.Pipeline{&l.p.Ingress, &l.p.Egress} {
		for _, n := range pipe.Nodes {
			if n.Table != nil {
				for _, a := range n.Table.Actions {
					used[a] = true
				}
			}
		}
	}
	for a := range used {
		if !used[a] {
			l.p.Actions[a].Ops = nil
		}
	}
}

// lowering is a program that is being changed.
type lowering struct {
	p, given    *p4.Program
	copies      bool                       // packets are copied
	metered     []string                   // meter arrays with rates
	egressState bool                       // egress works on arrays
	counts      map[*p4.Pipeline][]p4.Node // accesses for direct counters
	params      []p4.Param                 // of the action that is being changed
	acting      p4.Action                  // that action
	leaves      map[int]int                // by an action's ID: its field that ends the pipeline
	length      int                        // the field of the packet's changed length, -1 if unused
}

// Verdict is the name of the field that egress_spec is in egress.
const verdict = "machine.egress_spec"

// field adds a field of metadata.
func (l *lowering) field(name string, bits int) int {
	h := len(l.p.Headers) - 1
	f := len(l.p.Fields)
	l.p.Fields = append(l.p.Fields, p4.Field{Name: name, Header: h, Bits: bits})
	l.p.Headers[h].Fields = append(slices.Clone(l.p.Headers[h].Fields), f)
	l.p.Headers[h].Bits += bits
	return f
}

// fieldNamed finds a field that lowering added, -1 if it did not.
func fieldNamed(p *p4.Program, name string) int {
	h := &p.Headers[len(p.Headers)-1]
	for _, f := range h.Fields {
		if p.Fields[f].Name == name {
			return f
		}
	}
	return -1
}

// verdict renames egress_spec in egress. It is 0 there at first, as 512 is in 9 bits.
func (l *lowering) verdict() {
	p := l.p
	spec := p.Standard.EgressSpec
	if spec < 0 || p.Fields[spec].Bits > 9 {
		return
	}
	l.rename(&p.Egress, spec, func() int { return l.once(verdict, p.Fields[spec].Bits) })
}

// rename lets a pipeline use another field instead of one. To is asked when it is used.
func (l *lowering) rename(pipe *p4.Pipeline, field int, to func() int) {
	p := l.p
	other := func(f int) int {
		if f != field {
			return f
		}
		return to()
	}
	within := func(o *p4.Primitive) {
		o.Field, o.Value, o.If = other(o.Field), renameIn(o.Value, other), renameIn(o.If, other)
		o.Args = slices.Clone(o.Args)
		for k := range o.Args {
			o.Args[k] = renameIn(o.Args[k], other)
		}
	}
	renamed := map[int]int{}
	action := func(a int) int {
		if n, ok := renamed[a]; ok {
			return n
		}
		x := p.Actions[a]
		x.Ops = slices.Clone(x.Ops)
		changed := false
		for i := range x.Ops {
			o := &x.Ops[i]
			changed = changed || o.Field == field || mentions(o.Value, field) || mentions(o.If, field)
			for _, e := range o.Args {
				changed = changed || mentions(e, field)
			}
			if o.Op == p4.Hash && slices.ContainsFunc(p.Calculations[o.Object].Input, func(e *p4.Expr) bool {
				return mentions(e, field)
			}) {
				c := p.Calculations[o.Object] // which the other pipeline may have, too
				c.Input = slices.Clone(c.Input)
				for k := range c.Input {
					c.Input[k] = renameIn(c.Input[k], other)
				}
				changed, o.Object = true, len(p.Calculations)
				p.Calculations = append(slices.Clip(p.Calculations), c)
			}
			within(o)
		}
		n := a
		if changed {
			n = len(p.Actions)
			p.Actions = append(p.Actions, x)
		}
		renamed[a] = n
		return n
	}
	for i := range pipe.Nodes {
		n := &pipe.Nodes[i]
		if n.Condition != nil {
			n.Condition = &p4.Condition{If: renameIn(n.Condition.If, other), True: n.Condition.True, False: n.Condition.False}
			continue
		}
		n.Table.Actions = slices.Clone(n.Table.Actions)
		for _, o := range []**p4.Primitive{&n.Table.Accesses, &n.Table.Computes} { // which read the key
			if *o != nil {
				x := **o
				within(&x)
				*o = &x
			}
		}
		for k := range n.Table.Key {
			n.Table.Key[k].Field = other(n.Table.Key[k].Field)
		}
		for k, a := range n.Table.Actions {
			n.Table.Actions[k] = action(a)
		}
		if n.Table.Default >= 0 {
			n.Table.Default = action(n.Table.Default)
		}
	}
}

func mentions(e *p4.Expr, field int) bool { return e != nil && reads(e)[field] }

func renameIn(e *p4.Expr, rename func(int) int) *p4.Expr {
	if e == nil {
		return nil
	}
	c := *e
	if c.Kind == p4.FieldValue || c.Kind == p4.Limb {
		c.Field = rename(c.Field)
	}
	c.Left, c.Right, c.Cond = renameIn(e.Left, rename), renameIn(e.Right, rename), renameIn(e.Cond, rename)
	return &c
}

// redirect changes the steps that lead to a node: they lead to another.
func redirect(pipe *p4.Pipeline, from, to int) {
	step := func(x *int) {
		if *x == from {
			*x = to
		}
	}
	for i := range pipe.Nodes {
		if c := pipe.Nodes[i].Condition; c != nil {
			d := *c
			step(&d.True)
			step(&d.False)
			pipe.Nodes[i].Condition = &d
			continue
		}
		t := pipe.Nodes[i].Table
		for k := range t.Next {
			step(&t.Next[k])
		}
		step(&t.Hit)
		step(&t.Miss)
	}
}

// before puts a table without a key, which runs an action, before a node: the steps that led there lead to the table.
func (l *lowering) before(pipe *p4.Pipeline, node int, name string, ops []p4.Primitive) {
	n := len(pipe.Nodes)
	redirect(pipe, node, n)
	if pipe.First == node {
		pipe.First = n
	}
	a := len(l.p.Actions)
	l.p.Actions = append(l.p.Actions, p4.Action{ID: -1 - a, Name: name, Ops: ops})
	pipe.Nodes = append(
		pipe.Nodes,
		p4.Node{Name: name, Table: &p4.Table{Name: name, Match: p4.Exact, Actions: []int{a}, Next: []int{node},
			Default: a, Miss: p4.Accept}},
	)
}

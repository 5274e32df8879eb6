package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// compiler is the common part of both machines' compilers: operations in terms of the hardware, without times and
// places.
type compiler struct {
	program    *p4.Program
	fields     *allocator
	flow       *flow
	operations []operation // by node of the flow
	predicates int         // how many are taken, beside Always

	keyed     map[string][]p4.Entry // contents by table
	start     map[int][]uint64      // by register array: its first value, if not 0
	valueSets map[string][]p4.Number
	groups    map[int][]p4.Replica
	mirrors   map[int]p4.Session
	rates     map[int][][]drmt.MeterRate // by meter array, of its elements
}

// operation is what a node does: a match with the actions that its result selects, or something that is the same for
// every packet.
type operation struct {
	name  string
	match *match
	alus  []drmt.Instruction // of a condition, or of a default action without a match
	terms []term             // that join a condition's comparisons
	guard drmt.Predicate     // true of the packets that come to the node
	// outcomes has, for each of the flow's successors of the node, the predicate that is true if the packet goes there;
	// Always if there is only one.
	outcomes []drmt.Predicate
	reads    map[int]bool // P4 fields that the action or the condition reads
	writes   map[int]bool
}

// match is a table's search, and the actions that its result selects.
type match struct {
	table    *p4.Table
	keyBytes int
	choices  []choice // in the order of their instruction pointers
	layouts  map[int]layout
	alus     int // of the action that takes most
	data     int // the most bytes of action data
	keys     map[int]bool
	rates    int // of a meter
}

// choice is an action of a table, as an entry or as what a miss does; hits and misses that go different ways are
// different choices.
type choice struct {
	action  int
	hit     bool
	alus    []drmt.Instruction
	outcome drmt.Predicate
	pointer uint16
}

// newCompiler works out what the program's nodes do.
func newCompiler(p *p4.Program, opt Options) (*compiler, error) {
	groups, err := withGroups(p, &opt)
	if err != nil {
		return nil, err
	}
	if opt, err = groups.contents(opt); err != nil {
		return nil, err
	}
	given := groups.program
	p, err = lower(given, opt)
	if err != nil {
		return nil, err
	}
	c := &compiler{program: p, keyed: map[string][]p4.Entry{}, groups: opt.Multicast, mirrors: opt.Mirrors}
	if err := c.sortEntries(given, opt.Entries); err != nil {
		return nil, err
	}
	if c.fields, err = allocate(p); err != nil {
		return nil, err
	}
	if c.flow, err = newFlow(p); err != nil {
		return nil, err
	}
	for i := range c.flow.nodes {
		op, err := c.operation1(&c.flow.nodes[i])
		if err != nil {
			return nil, err
		}
		c.operations = append(c.operations, op)
	}
	for _, step := range []func() error{c.guard, c.checkEgress} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *compiler) operation1(n *node) (operation, error) {
	op := operation{
		name: n.Name, reads: map[int]bool{}, writes: map[int]bool{}, outcomes: make([]drmt.Predicate, len(n.next)),
	}
	if n.Condition != nil {
		o, alus, terms, err := c.condition(n.Name, n.Condition.If)
		if err != nil {
			return op, err
		}
		op.alus, op.terms, op.reads = alus, terms, reads(n.Condition.If)
		if len(n.next) == 2 {
			op.outcomes = []drmt.Predicate{o.yes, o.no}
		}
		return op, nil
	}
	t := n.Table
	if len(t.Key) == 0 {
		a, args := c.defaultOf(t)
		c.noteFields(&op, a)
		var err error
		op.alus, err = c.instructions(&c.program.Actions[a], nil, append([]uint64{}, args...))
		return op, err
	}
	for i := range op.outcomes {
		if len(op.outcomes) > 1 {
			p, err := c.predicate()
			if err != nil {
				return op, err
			}
			op.outcomes[i] = p
		}
	}
	m := &match{table: t, layouts: map[int]layout{}, keys: map[int]bool{}}
	for _, k := range t.Key {
		m.keys[k.Field] = true
		for _, piece := range c.fields.pieces[k.Field] {
			m.keyBytes += (int(piece.Bits) + 7) / 8
		}
	}
	if op.match = m; isMeter(t) {
		m.rates = c.program.Meters[t.Accesses.Object].Rates
	}
	outcome := func(next int) drmt.Predicate {
		if len(op.outcomes) == 1 {
			return drmt.Always
		}
		for i, s := range distinct(t) {
			if s == next {
				return op.outcomes[i]
			}
		}
		return drmt.Always
	}
	add := func(action int, hit bool) error {
		a := &c.program.Actions[action]
		l, ok := m.layouts[action]
		if !ok {
			var err error
			if l, err = layOut(a.Params); err != nil {
				return fmt.Errorf("%s: table %s: action %s: %w", c.program.Name, t.Name, a.Name, err)
			}
			m.layouts[action] = l
		}
		alus, err := c.instructions(a, &l, nil)
		if err != nil {
			return err
		}
		c.noteFields(&op, action)
		next := nextOf(t, action)
		if t.HitOrMiss && hit {
			next = t.Hit
		} else if t.HitOrMiss || t.Apart && !hit {
			next = t.Miss
		}
		m.choices = append(m.choices, choice{action: action, hit: hit, alus: alus, outcome: outcome(next)})
		m.alus, m.data = max(m.alus, len(alus)), max(m.data, l.bytes)
		return nil
	}
	for _, a := range t.Actions {
		if err := add(a, true); err != nil {
			return op, err
		}
	}
	miss, _ := c.defaultOf(t)
	return op, add(miss, false)
}

// distinct returns a table's successors in the order of the flow's.
func distinct(t *p4.Table) (all []int) {
	for _, s := range successors(p4.Node{Table: t}) {
		all = appendNew(all, s)
	}
	return all
}

// defaultOf returns what a table does on a miss.
func (c *compiler) defaultOf(t *p4.Table) (action int, data []uint64) {
	return t.Default, t.DefaultData
}

// noteFields notes what an action reads and writes.
func (c *compiler) noteFields(op *operation, action int) {
	ops := c.program.Actions[action].Ops
	for i := range ops {
		for _, f := range c.program.Reads(&ops[i]) {
			op.reads[f] = true
		}
		for _, f := range c.program.Writes(&ops[i]) {
			op.writes[f] = true
		}
	}
}

// guard gives each node the predicate that is true of the packets that come to it. Nodes that are run for the same
// packets share one.
func (c *compiler) guard() error {
	for i := range c.operations {
		e := c.flow.equivalent(i)
		if e < i {
			c.operations[i].guard = c.operations[e].guard
			continue
		}
		if i == 0 {
			continue // Always
		}
		p, err := c.predicate()
		if err != nil {
			return err
		}
		c.operations[i].guard = p
	}
	for i := range c.operations {
		for _, list := range append([][]drmt.Instruction{c.operations[i].alus}, c.choices(i)...) {
			for k := range list {
				list[k].Guard = c.operations[i].guard
			}
		}
	}
	return nil
}

func (c *compiler) choices(i int) (all [][]drmt.Instruction) {
	if m := c.operations[i].match; m != nil {
		for k := range m.choices {
			all = append(all, m.choices[k].alus)
		}
	}
	return all
}

// checkEgress refuses what a machine whose egress_port and egress_spec are one field would do differently from v1model,
// where the port that ingress chose is copied between the pipelines.
func (c *compiler) checkEgress() error {
	s := c.program.Standard
	for i, op := range c.operations {
		n := &c.flow.nodes[i]
		if c.fields.egress >= 0 && !n.egress && (op.reads[s.EgressPort] || op.match != nil && op.match.keys[s.EgressPort]) {
			return fmt.Errorf("%s: %s reads egress_port before egress", c.program.Name, op.name)
		}
		if c.fields.egress >= 0 && op.writes[s.EgressPort] {
			return fmt.Errorf("%s: %s writes egress_port", c.program.Name, op.name)
		}
		if !n.egress || n.Table == nil {
			continue
		}
		for _, a := range n.Table.Actions {
			for _, o := range c.program.Actions[a].Ops {
				if o.Field == s.EgressSpec {
					return fmt.Errorf("%s: %s writes egress_spec in egress", c.program.Name, op.name)
				}
			}
		}
	}
	return nil
}

// sortEntries gives each table its entries: the program's first, then a file's. They name actions of the program as it
// was given, of which a table's first ones are their successors.
func (c *compiler) sortEntries(given *p4.Program, entries []p4.Entry) error {
	type pair struct {
		given, lowered, more, metered *p4.Table
		entries                       int
	}
	known := map[string]*pair{}
	each := func(p *p4.Program, do func(t *p4.Table)) {
		for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
			for _, n := range pipe.Nodes {
				if n.Table != nil {
					do(n.Table)
				}
			}
		}
	}
	each(given, func(t *p4.Table) { known[t.Name] = &pair{given: t} })
	each(c.program, func(t *p4.Table) {
		if x := known[t.Name]; x != nil {
			x.lowered = t
		}
		if x := known[strings.TrimSuffix(t.Name, moreData)]; x != nil && strings.HasSuffix(t.Name, moreData) {
			x.more = t
		}
		if x := known[strings.TrimSuffix(t.Name, meteredOf)]; x != nil && strings.HasSuffix(t.Name, meteredOf) {
			x.metered = t
		}
	})
	add := func(e p4.Entry) error {
		x := known[e.Table]
		if x == nil {
			return fmt.Errorf("%s: no table %s for an entry", c.program.Name, e.Table)
		}
		if len(e.Key) != len(x.given.Key) {
			return fmt.Errorf(
				"%s: an entry of table %s has %d key fields, the table %d", c.program.Name, e.Table, len(e.Key),
				len(x.given.Key),
			)
		}
		if e.Indirect {
			return fmt.Errorf(
				"%s: an entry of table %s names a member of an action profile: no machine runs that", c.program.Name,
				e.Table,
			)
		}
		i := slices.Index(x.given.Actions, e.Action)
		if i < 0 {
			return fmt.Errorf("%s: an entry of table %s has an action that the table has not", c.program.Name, e.Table)
		}
		e.Data = dataOf(given.Actions[e.Action].Params, e.Data, e.Wide)
		e.Action = x.lowered.Actions[i]
		x.entries++
		if params := c.program.Actions[e.Action].Params; len(params) > 0 && params[len(params)-1].Name == entryNumber {
			e.Data = append(slices.Clone(e.Data), uint64(x.entries))
		}
		masked, err := withMasks(given, x.given, e)
		if err != nil {
			return err
		}
		for i := range masked {
			if len(x.lowered.Key) > len(masked[i].Key) {
				masked[i] = keyWords(given, x.given, masked[i])
			}
		}
		for _, t := range []*p4.Table{x.lowered, x.more, x.metered} {
			if t != nil {
				t.Size += len(masked) - 1
			}
		}
		for _, e := range masked {
			c.keyed[e.Table] = append(c.keyed[e.Table], e)
			if x.more != nil {
				e.Table, e.Action = x.more.Name, x.more.Actions[i]
				c.keyed[e.Table] = append(c.keyed[e.Table], e)
			}
			if x.metered != nil {
				e.Table, e.Action, e.Data = x.metered.Name, x.metered.Actions[0], []uint64{uint64(x.entries)}
				c.keyed[e.Table] = append(c.keyed[e.Table], e)
			}
		}
		return nil
	}
	var all []p4.Entry
	each(given, func(t *p4.Table) { all = append(all, t.ConstantEntries...) })
	for _, e := range append(all, entries...) {
		if err := add(e); err != nil {
			return err
		}
	}
	return nil
}

package p4

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt/schedule"
)

// Graph derives the operation dependency graph (§3.1). Table t with a key becomes the match t_MATCH and the action
// t_ACTION, one without a key an action alone, a condition a condition of its name. Ingress comes before egress.
//
// Of two nodes a before b on some path through the program (Jose et al., NSDI 2015):
//
//   - a writes what b matches on or compares: rmt_match, b's match or condition waits for a's action.
//   - a writes what b's action reads or writes: rmt_action.
//   - a reads, in its key, its action or its condition, what b writes: rmt_reverse_read, b's action starts no earlier.
//   - a decides whether b comes to pass: rmt_successor if a is a condition,
//     new_successor_conditional_on_table_result_action_type, from the match, if it is the result of a table. Matches
//     are not held up by conditions: they are made on speculation. So b also depends on what decides about the table
//     whose result decides about b.
//
// An action takes an ALU for each field it writes, two for one of more than 32 bits; of a table's actions the greatest
// counts. A condition takes one for each comparison.
func (p *Program) Graph() (*schedule.Graph, error) {
	d := &deriver{p: p, b: newGraphBuilder(p.Name, p.Name)}
	d.flatten()
	for i := range d.nodes {
		if err := d.operations(&d.nodes[i]); err != nil {
			return nil, err
		}
	}
	if len(d.nodes) == 0 { // a schedule has at least one operation
		if err := d.b.node(graphFileNode{Name: "nothing", Type: "action"}); err != nil {
			return nil, err
		}
	}
	reach := d.reach()
	for i := range d.nodes {
		for j := range d.nodes {
			if reach[i][j] {
				if err := d.data(&d.nodes[i], &d.nodes[j]); err != nil {
					return nil, err
				}
			}
		}
	}
	if err := d.control(reach); err != nil {
		return nil, err
	}
	return d.b.finish()
}

// step is a table or condition of both pipelines together.
type step struct {
	node *Node
	next []int // deduplicated, without ends
	ends bool  // some packets end after it
	// keys are fields matched on or compared, reads those an action reads, writes those it writes.
	keys, reads, writes map[int]bool
	match, act          string // names of its operations; match is empty without a key
	// last is the action's last operation, act unless it writes more fields than a cycle takes.
	last string
	// accesses are what the action does beside: to registers, counters and meters, and to hash units.
	accesses []access
}

// access is an operation on state, or a hash, which takes the way of a match: its key has the index and the value.
type access struct {
	match, act string
	object     int          // of the array, beyond the fields; -1 for a hash
	writes     map[int]bool // fields that have the answer
	only       bool         // the state is read only
}

type deriver struct {
	p     *Program
	b     *graphBuilder
	nodes []step
	has   map[[2]string]bool
}

// flatten puts egress after ingress: a step that ends ingress goes on at egress' first node.
func (d *deriver) flatten() {
	in, eg := &d.p.Ingress, &d.p.Egress
	after := Accept
	if eg.First != Accept {
		after = len(in.Nodes) + eg.First
	}
	add := func(pipe *Pipeline, base, end int) {
		for i := range pipe.Nodes {
			s := step{node: &pipe.Nodes[i]}
			for _, n := range pipe.Nodes[i].next() {
				if n == Accept {
					n = end
				} else {
					n += base
				}
				s.ends = s.ends || n == Accept
				if n != Accept && !slices.Contains(s.next, n) {
					s.next = append(s.next, n)
				}
			}
			d.nodes = append(d.nodes, s)
		}
	}
	add(in, 0, after)
	add(eg, len(in.Nodes), Accept)
	d.has = map[[2]string]bool{}
}

// operations makes a step's nodes of the graph and collects its reads and writes.
func (d *deriver) operations(s *step) error {
	s.keys, s.reads, s.writes = map[int]bool{}, map[int]bool{}, map[int]bool{}
	s.act = s.node.Name
	if c := s.node.Condition; c != nil {
		d.collect(c.If, s.keys)
		s.last = s.act
		return d.b.node(graphFileNode{Name: s.act, Type: "condition", NumFields: d.comparisons(c.If)})
	}
	t := s.node.Table
	s.act += "_ACTION"
	most := 0
	for _, a := range t.Actions {
		written := map[int]bool{}
		for i := range d.p.Actions[a].Ops {
			o := &d.p.Actions[a].Ops[i]
			for _, f := range d.p.Reads(o) {
				s.reads[d.alias(f)] = true
			}
			if back := d.state(s, o); back {
				continue
			}
			for _, f := range d.p.Writes(o) {
				written[f] = true
			}
		}
		alus := 0
		for f := range written {
			s.writes[d.alias(f)] = true
			alus += d.words(f)
		}
		most = max(most, alus)
	}
	if t.Array > 0 { // accesses to one array follow each other
		s.keys[len(d.p.Fields)+t.Array-1] = true
		s.writes[len(d.p.Fields)+t.Array-1] = true
	}
	if len(t.Key) > 0 {
		s.match = s.node.Name + "_MATCH"
		for _, k := range t.Key {
			s.keys[d.alias(k.Field)] = true
		}
		if err := d.b.node(graphFileNode{Name: s.match, Type: "match", KeyWidth: d.keyBits(t)}); err != nil {
			return err
		}
	}
	if t.Counters && len(t.Key) > 0 {
		d.access(s, s.node.Name+".counter", -1, false, nil)
	}
	if err := d.action(s, most); err != nil {
		return err
	}
	for _, x := range s.accesses {
		if err := d.accessNodes(s, x); err != nil {
			return err
		}
	}
	if s.match != "" {
		return d.b.edge(s.match, s.act, schedule.AfterMatch, matchToAction)
	}
	return nil
}

// mostFields is how many fields a processor writes in a cycle: an action that writes more takes several, one after the
// other.
const mostFields = 32

func (d *deriver) action(s *step, fields int) error {
	s.last = s.act
	if err := d.b.node(graphFileNode{Name: s.act, Type: "action", NumFields: min(fields, mostFields)}); err != nil {
		return err
	}
	for n := 2; fields > mostFields; n++ {
		fields -= mostFields
		next := fmt.Sprintf("%s.%d", s.act, n)
		if err := d.b.node(graphFileNode{Name: next, Type: "action", NumFields: min(fields, mostFields)}); err != nil {
			return err
		}
		if err := d.b.edge(s.last, next, schedule.AfterAction, "rmt_action"); err != nil {
			return err
		}
		s.last = next
	}
	return nil
}

// accessBits is the key of an access: the operation, the index, the value.
const accessBits = 8 + 32 + 32

func (d *deriver) accessNodes(s *step, x access) error {
	fields := 0
	for f := range x.writes {
		fields += d.words(f)
	}
	for _, n := range []graphFileNode{{Name: x.match, Type: "match", KeyWidth: accessBits},
		{Name: x.act, Type: "action", NumFields: fields}} {
		if err := d.b.node(n); err != nil {
			return err
		}
	}
	if err := d.b.edge(s.last, x.match, schedule.AfterAction, "rmt_match"); err != nil {
		return err
	}
	return d.b.edge(x.match, x.act, schedule.AfterMatch, matchToAction)
}

// access notes an access of a step, one for each array.
func (d *deriver) access(s *step, name string, object int, only bool, fields []int) {
	for i := range s.accesses {
		if x := &s.accesses[i]; x.object == object && object >= 0 {
			x.only = x.only && only
			for _, f := range fields {
				x.writes[d.alias(f)] = true
			}
			return
		}
	}
	x := access{match: name + "_MATCH", act: name + "_ACTION", object: object, writes: map[int]bool{}, only: only}
	for _, f := range fields {
		x.writes[d.alias(f)] = true
	}
	s.accesses = append(s.accesses, x)
}

// state notes what a primitive does with arrays and hash units. Back says that the fields that it writes come back from
// there.
func (d *deriver) state(s *step, o *Primitive) (back bool) {
	first := len(d.p.Fields)
	name := func(what string) string { return fmt.Sprintf("%s.%s", s.node.Name, what) }
	switch o.Op {
	case ReadRegister:
		d.access(s, name(d.p.Registers[o.Object].Name), first+o.Object, true, d.p.Writes(o))
	case WriteRegister:
		d.access(s, name(d.p.Registers[o.Object].Name), first+o.Object, false, nil)
	case Count:
		d.access(s, name(d.p.Counters[o.Object].Name), first+len(d.p.Registers)+o.Object, false, nil)
	case ExecuteMeter:
		d.access(
			s, name(d.p.Meters[o.Object].Name), first+len(d.p.Registers)+len(d.p.Counters)+o.Object, false, d.p.Writes(o),
		)
	case Hash:
		d.access(s, fmt.Sprintf("%s.hash%d", s.node.Name, len(s.accesses)), -1, true, d.p.Writes(o))
	default:
		return false
	}
	return true
}

// keyBits counts a key as fields of the header vector: whole bytes (§5.1 extracts fields of 8, 16 and 32 bits).
func (d *deriver) keyBits(t *Table) int {
	bits := 0
	for _, k := range t.Key {
		bits += (d.p.Fields[k.Field].Bits + 7) / 8 * 8
	}
	return bits
}

// alias makes one of egress_port and egress_spec, since v1model copies the one to the other between the pipelines.
func (d *deriver) alias(f int) int {
	if f == d.p.Standard.EgressPort {
		return d.p.Standard.EgressSpec
	}
	return f
}

// words returns how many ALUs of 32 bits write a field.
func (d *deriver) words(f int) int { return (d.p.Fields[f].Bits + 31) / 32 }

func (d *deriver) collect(e *Expr, into map[int]bool) {
	for _, f := range d.p.ExprReads(e) {
		into[d.alias(f)] = true
	}
}

// comparisons counts a condition's comparisons, at least one.
func (d *deriver) comparisons(e *Expr) int {
	if e == nil {
		return 0
	}
	if e.Kind == Operation {
		switch e.Operator {
		case LogicalAnd, LogicalOr:
			return d.comparisons(e.Left) + d.comparisons(e.Right)
		case LogicalNot, Same:
			return d.comparisons(e.Right)
		case Equal, NotEqual:
			return max(d.widest(e.Left), d.widest(e.Right))
		}
	}
	return 1
}

func (d *deriver) widest(e *Expr) int {
	if e != nil && e.Kind == FieldValue {
		return d.words(e.Field)
	}
	return 1
}

// reach returns whether a packet may come from one step to another.
func (d *deriver) reach() [][]bool {
	reach := make([][]bool, len(d.nodes))
	var visit func(i int) []bool
	visit = func(i int) []bool {
		if reach[i] == nil {
			row := make([]bool, len(d.nodes))
			for _, n := range d.nodes[i].next {
				row[n] = true
				for j, r := range visit(n) {
					row[j] = row[j] || r
				}
			}
			reach[i] = row
		}
		return reach[i]
	}
	for i := range d.nodes {
		visit(i)
	}
	return reach
}

// data adds the edges that follow from fields and from arrays.
func (d *deriver) data(a, b *step) error {
	if err := d.follows(a, b, a.last, a.writes, true); err != nil {
		return err
	}
	for _, x := range a.accesses {
		if err := d.follows(a, b, x.act, x.writes, false); err != nil {
			return err
		}
		for _, y := range b.accesses {
			if x.object < 0 || x.object != y.object || x.only && y.only {
				continue
			}
			if err := d.b.edge(x.act, y.match, schedule.AfterAction, "rmt_match"); err != nil {
				return err
			}
		}
	}
	return nil
}

// follows adds the edges from an operation of one step, which writes some fields, to another step. Reads says that
// those count that it reads, too.
func (d *deriver) follows(a, b *step, from string, writes map[int]bool, reads bool) error {
	writesKey, writesAction, overwritten := false, false, false
	written := func(f int) bool {
		return b.writes[f] || slices.ContainsFunc(b.accesses, func(x access) bool { return x.writes[f] })
	}
	for f := range writes {
		writesKey = writesKey || b.keys[f]
		writesAction = writesAction || b.reads[f] || written(f)
	}
	for f := range b.writes {
		overwritten = overwritten || reads && (a.keys[f] || a.reads[f])
	}
	if writesKey {
		to := b.match
		if b.node.Condition != nil {
			to = b.act
		}
		if err := d.b.edge(from, to, schedule.AfterAction, "rmt_match"); err != nil {
			return err
		}
	}
	switch {
	case writesAction:
		return d.b.edge(from, b.act, schedule.AfterAction, "rmt_action")
	case overwritten:
		return d.b.edge(from, b.act, schedule.NotBefore, "rmt_reverse_read")
	}
	return nil
}

// control adds the edges from a deciding step to the steps that it decides about. Matches are made on speculation, so
// that they do not wait for their table's deciders: what a table's result decides about waits for that, too.
func (d *deriver) control(reach [][]bool) error {
	deciders := d.deciders(reach)
	for j := range d.nodes {
		b := &d.nodes[j]
		for _, i := range d.whole(deciders, j) {
			a := &d.nodes[i]
			var err error
			if a.match != "" {
				err = d.b.edge(a.match, b.act, schedule.AfterMatch, "new_successor_conditional_on_table_result_action_type")
			} else {
				err = d.b.edge(a.act, b.act, schedule.NotBefore, "rmt_successor")
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// deciders returns, for each step, the steps of whose ways some lead to it always and others do not. A step that always
// follows another, whichever way is taken, does not depend on it.
func (d *deriver) deciders(reach [][]bool) [][]int {
	always := d.always()
	all := make([][]int, len(d.nodes))
	for i := range d.nodes {
		a := &d.nodes[i]
		if len(a.next) == 0 || len(a.next) == 1 && !a.ends {
			continue
		}
		for j := range d.nodes {
			if !reach[i][j] || always[i][j] {
				continue
			}
			decides := false
			for _, n := range a.next {
				decides = decides || n == j || always[n][j]
			}
			if decides {
				all[j] = append(all[j], i)
			}
		}
	}
	return all
}

// whole returns a step's deciders, the deciders of each table among them, and so on.
func (d *deriver) whole(deciders [][]int, step int) []int {
	all := slices.Clone(deciders[step])
	for k := 0; k < len(all); k++ {
		if d.nodes[all[k]].match == "" {
			continue // a condition waits for its own
		}
		for _, i := range deciders[all[k]] {
			if !slices.Contains(all, i) {
				all = append(all, i)
			}
		}
	}
	slices.Sort(all)
	return all
}

// always returns whether all ways from one step lead to another.
func (d *deriver) always() [][]bool {
	all := make([][]bool, len(d.nodes))
	var visit func(i int) []bool
	visit = func(i int) []bool {
		if all[i] != nil {
			return all[i]
		}
		row := make([]bool, len(d.nodes))
		for j := range row {
			row[j] = len(d.nodes[i].next) > 0 && !d.nodes[i].ends
		}
		for _, n := range d.nodes[i].next {
			below := visit(n)
			for j := range row {
				row[j] = row[j] && (n == j || below[j])
			}
		}
		all[i] = row
		return row
	}
	for i := range d.nodes {
		visit(i)
	}
	return all
}

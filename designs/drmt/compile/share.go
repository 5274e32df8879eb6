package compile

import (
	"maps"
	"slices"
	"sort"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// share lets fields of metadata that are never in use together have one place, if the header vector has no room for
// all. No more share than must, since fields that share a place must be used one after the other.
func (l *lowering) share() error {
	_, err := allocate(l.p)
	if err == nil {
		return nil
	}
	lives, fault := newLives(l.p)
	if fault != nil {
		return fault
	}
	pairs, reuse := lives.sharable(), &parserReuse{parserOnly(l.p), lives.written}
	try := func(n int) error {
		gone := map[int]bool{}
		for _, x := range pairs[:n] {
			gone[x.field] = true
		}
		_, err := allocateBut(l.p, gone, reuse)
		return err
	}
	if last := try(len(pairs)); last != nil {
		return last
	}
	n := sort.Search(len(pairs), func(n int) bool { return try(n) == nil })
	to := map[int]int{}
	for _, x := range pairs[:n] {
		to[x.field] = x.place
	}
	l.renameAll(to)
	return nil
}

// sharing is a field that can have the place of another, which has a place of its own.
type sharing struct{ field, place int }

// usage is a node's reads of fields, and its writes on the way to each of its successors.
type usage struct {
	reads map[int]bool
	steps []step
}

// step is a step from a node to a successor, by one of some actions: any of them may write the fields of writes, and
// all of them write the fields of always.
type step struct {
	to             int
	writes, always map[int]bool
}

func usageOf(p *p4.Program, n *node) usage {
	u := usage{reads: map[int]bool{}}
	if n.Condition != nil {
		u.reads = reads(n.Condition.If)
		for _, s := range n.next {
			u.steps = append(u.steps, step{to: s})
		}
		return u
	}
	for _, k := range n.Table.Key {
		u.reads[k.Field] = true
	}
	certain := func(a int, writes map[int]bool) map[int]bool {
		seen := map[int]bool{}
		for i := range p.Actions[a].Ops {
			o := &p.Actions[a].Ops[i]
			for _, f := range p.Reads(o) {
				if !seen[f] {
					u.reads[f] = true
				}
			}
			for _, f := range p.Writes(o) {
				writes[f] = true
				if o.Op == p4.Assign {
					seen[f] = true
				}
			}
		}
		return seen
	}
	for i, to := range n.next {
		w := step{to: to, writes: map[int]bool{}}
		for _, a := range n.actions[i] {
			seen := certain(a, w.writes)
			if w.always == nil {
				w.always = seen
				continue
			}
			for f := range w.always {
				if !seen[f] {
					delete(w.always, f)
				}
			}
		}
		u.steps = append(u.steps, w)
	}
	return u
}

// lives are the times in which fields of metadata have values that matter: a field is live if its value may be read
// later.
type lives struct {
	program *p4.Program
	// fields that tables alone write and read, and that every packet writes before it reads them
	written []int
	// fields that are live together
	clash map[int]map[int]bool
}

func newLives(p *p4.Program) (*lives, error) {
	fl, err := newFlow(p)
	if err != nil {
		return nil, err
	}
	fixed := fixedFields(p)
	n := len(fl.nodes)
	in := make([]map[int]bool, n)
	clash := map[int]map[int]bool{}
	note := func(a, b int) {
		for _, x := range [][2]int{{a, b}, {b, a}} {
			if clash[x[0]] == nil {
				clash[x[0]] = map[int]bool{}
			}
			clash[x[0]][x[1]] = true
		}
	}
	candidate := map[int]bool{}
	for i := n - 1; i >= 0; i-- {
		u := usageOf(p, &fl.nodes[i])
		in[i] = map[int]bool{}
		for f := range u.reads {
			in[i][f] = true
		}
		for _, w := range u.steps {
			var after map[int]bool
			if w.to != exit {
				after = in[w.to]
			}
			for f := range after {
				if !w.always[f] {
					in[i][f] = true
				}
			}
			for f := range w.writes {
				if fixed[f] {
					continue
				}
				candidate[f] = true
				for _, m := range []map[int]bool{after, u.reads, w.writes} {
					for g := range m {
						if f != g && !fixed[g] {
							note(f, g)
						}
					}
				}
			}
		}
	}
	if n > 0 {
		for f := range in[0] { // 0 is read there at first
			delete(candidate, f)
		}
	}
	return &lives{p, slices.Sorted(maps.Keys(candidate)), clash}, nil
}

// sharable finds fields that can share places.
func (l *lives) sharable() []sharing {
	p, clash := l.program, l.clash
	all := slices.Clone(l.written)
	slices.SortFunc(all, func(a, b int) int {
		if d := p.Fields[b].Bits - p.Fields[a].Bits; d != 0 {
			return d
		}
		return a - b
	})
	var list []sharing
	var places []int
	members := map[int][]int{}
	for _, f := range all {
		place := -1
		for _, x := range places {
			if p.Fields[x].Bits == p.Fields[f].Bits &&
				!slices.ContainsFunc(members[x], func(y int) bool { return clash[f][y] }) {
				place = x
				break
			}
		}
		if place < 0 {
			places = append(places, f)
			members[f] = []int{f}
			continue
		}
		members[place] = append(members[place], f)
		list = append(list, sharing{f, place})
	}
	return list
}

// outside are the fields that the machine knows beside the program: ports, lengths, random numbers, and fields that
// outlast a restart. A field that the program has not is -1.
func outside(p *p4.Program) []int {
	s := &p.Standard
	list := append([]int{s.IngressPort, s.EgressSpec, s.EgressPort, s.PacketLength}, kept(p)...)
	for _, f := range s.Others {
		list = append(list, f)
	}
	for _, d := range p.Draws {
		list = append(list, d.Field)
	}
	for _, name := range []string{
		verdict, payloadField, resubmitField, recirculateField, truncateField, copyField, cloneField, cloneInEgressField,
		egressInstance, timeField,
	} {
		list = append(list, fieldNamed(p, name))
	}
	return list
}

// fixedFields are the fields that something else than tables and conditions knows, and the fields with an access'
// operation, which must be 0 for packets that do not come to it.
func fixedFields(p *p4.Program) []bool {
	fixed := make([]bool, len(p.Fields))
	for f := range p.Fields {
		fixed[f] = !p.Headers[p.Fields[f].Header].Metadata
	}
	set := func(f int) {
		if f >= 0 {
			fixed[f] = true
		}
	}
	for _, f := range outside(p) {
		set(f)
	}
	bare := *p
	bare.Actions, bare.Ingress, bare.Egress = nil, p4.Pipeline{First: p4.Accept}, p4.Pipeline{First: p4.Accept}
	for f, used := range usedFields(&bare) {
		fixed[f] = fixed[f] || used
	}
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for _, n := range pipe.Nodes {
			if n.Table != nil && n.Table.Array > 0 {
				set(n.Table.Key[0].Field)
			}
		}
	}
	return fixed
}

// renameAll lets the program use other fields instead of some.
func (l *lowering) renameAll(to map[int]int) {
	p := l.p
	other := func(f int) int {
		if x, ok := to[f]; ok {
			return x
		}
		return f
	}
	primitive := func(o *p4.Primitive) {
		o.Field, o.Value, o.If = other(o.Field), renameIn(o.Value, other), renameIn(o.If, other)
		o.Args = slices.Clone(o.Args)
		for k := range o.Args {
			o.Args[k] = renameIn(o.Args[k], other)
		}
	}
	for i := range p.Actions {
		p.Actions[i].Ops = slices.Clone(p.Actions[i].Ops)
		for k := range p.Actions[i].Ops {
			primitive(&p.Actions[i].Ops[k])
		}
	}
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for i := range pipe.Nodes {
			n := &pipe.Nodes[i]
			if c := n.Condition; c != nil {
				n.Condition = &p4.Condition{If: renameIn(c.If, other), True: c.True, False: c.False}
				continue
			}
			for k := range n.Table.Key {
				n.Table.Key[k].Field = other(n.Table.Key[k].Field)
			}
			for _, o := range []*p4.Primitive{n.Table.Accesses, n.Table.Computes} {
				if o != nil {
					primitive(o)
				}
			}
		}
	}
}

package compile

import (
	"slices"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// join makes one field of fields side by side in a header that every operation treats alike, so that they share a place
// in the header vector:
//
//	ipv4: version ihl | dscp ecn | total_len | identification flags frag_offset | ttl | …
//
// where an action copies the header, or writes constants to all of version and ihl. A field that anything else computes
// with, matches, or selects a parser's state by stays alone.
func (l *lowering) join() {
	j := newJoiner(l.p)
	j.parser()
	j.pipelines()
	for i := range l.p.Actions {
		j.action(&l.p.Actions[i])
	}
	if j.group(l) {
		j.replace(l.p)
	}
}

// spot is a place in the headers of a type.
type spot struct {
	kind  string
	place int
}

// fieldJoiner finds fields that may be joined.
type fieldJoiner struct {
	p  *p4.Program
	at map[int]fieldAt // by field of a header that may have joined ones
	// alone are places that are not joined, apart places that are not joined with the next one.
	alone, apart map[spot]bool
	// joined are the new fields, by their first old one; gone are the others, with the new one.
	joined, gone map[int]int
	parts        map[int][]int // of a new field: the old ones, first on the wire first
}

type fieldAt struct{ header, place int }

func newJoiner(p *p4.Program) *fieldJoiner {
	j := &fieldJoiner{p: p, at: map[int]fieldAt{}, alone: map[spot]bool{}, apart: map[spot]bool{}, joined: map[int]int{},
		gone: map[int]int{}, parts: map[int][]int{}}
	never := map[string]bool{}
	for _, h := range p.Headers {
		never[h.Type] = never[h.Type] || h.Metadata || h.Variable > 0 || h.Union > 0
	}
	for h := range p.Headers {
		for i, f := range p.Headers[h].Fields {
			if !never[p.Headers[h].Type] {
				j.at[f] = fieldAt{h, i}
			}
		}
	}
	return j
}

func (j *fieldJoiner) spot(f int) spot {
	x := j.at[f]
	return spot{j.p.Headers[x.header].Type, x.place}
}

func (j *fieldJoiner) leave(fields ...int) {
	for _, f := range fields {
		if _, ok := j.at[f]; ok {
			j.alone[j.spot(f)] = true
		}
	}
}

func (j *fieldJoiner) leaveRead(list ...*p4.Expr) {
	for _, e := range list {
		j.leave(j.p.ExprReads(e)...)
	}
}

func (j *fieldJoiner) parser() {
	p := j.p
	for _, s := range p.States {
		j.leave(s.Key...)
		for _, k := range s.Parts {
			j.leave(k.Field)
			if k.Stack >= 0 {
				h := &p.Headers[p.Stacks[k.Stack].Headers[0]]
				j.alone[spot{h.Type, k.Offset}] = true
			}
		}
		for i := range s.Ops {
			o := &s.Ops[i]
			j.leave(o.Field)
			j.leaveRead(o.Value, o.Error)
			if o.Kind == p4.Call {
				j.leave(append(p.Reads(o.Call), p.Writes(o.Call)...)...)
			}
		}
	}
	for _, s := range p.FieldLists {
		j.leave(s.Fields...)
	}
	for i := range p.Checksums {
		c := &p.Checksums[i]
		j.leave(c.Target)
		j.leaveRead(c.If)
		j.inputs(c.Input)
	}
	for i := range p.Calculations {
		j.inputs(p.Calculations[i].Input)
	}
}

// inputs keeps fields apart that do not follow each other in a checksum's or a hash's inputs.
func (j *fieldJoiner) inputs(list []*p4.Expr) {
	follows := func(a, b int) bool { // input b is the field after input a's
		if a < 0 || b >= len(list) || list[a].Kind != p4.FieldValue || list[b].Kind != p4.FieldValue {
			return false
		}
		x, y := j.at[list[a].Field], j.at[list[b].Field]
		return x.header == y.header && x.place+1 == y.place
	}
	for i, e := range list {
		if e.Kind == p4.HeaderValue {
			continue // all of it
		}
		if e.Kind != p4.FieldValue {
			j.leaveRead(e)
			continue
		}
		if _, ok := j.at[e.Field]; !ok {
			continue
		}
		s := j.spot(e.Field)
		if !follows(i, i+1) {
			j.apart[s] = true
		}
		if !follows(i-1, i) {
			j.apart[spot{s.kind, s.place - 1}] = true
		}
	}
}

func (j *fieldJoiner) pipelines() {
	for _, pipe := range []*p4.Pipeline{&j.p.Ingress, &j.p.Egress} {
		for _, n := range pipe.Nodes {
			if n.Condition != nil {
				j.leaveRead(n.Condition.If)
				continue
			}
			for _, k := range n.Table.Key {
				j.leave(k.Field)
			}
		}
	}
}

// write is how an action writes a field: from the same place of a header, or, if that is -1, a constant.
type write struct{ from, op int }

// action keeps fields apart that an action does not write in one way, or with something between.
func (j *fieldJoiner) action(a *p4.Action) {
	p := j.p
	jumps := slices.ContainsFunc(a.Ops, func(o p4.Primitive) bool { return o.Op == p4.Jump || o.Op == p4.JumpIfZero })
	writes := map[int]write{}
	for i := range a.Ops {
		o := &a.Ops[i]
		w, ok := j.simple(o)
		if _, twice := writes[o.Field]; !ok || twice || jumps {
			j.leave(append(p.Reads(o), p.Writes(o)...)...)
			j.leaveRead(o.If)
			continue
		}
		w.op = i
		writes[o.Field] = w
	}
	for f, w := range writes {
		x := j.at[f]
		fields := p.Headers[x.header].Fields
		for _, n := range []int{x.place - 1, x.place + 1} {
			if n < 0 || n == len(fields) {
				continue
			}
			v, ok := writes[fields[n]]
			if !ok || v.from != w.from || j.between(a, f, fields[n], w, v) {
				j.apart[spot{p.Headers[x.header].Type, min(n, x.place)}] = true
			}
		}
	}
}

// simple tells whether an operation writes a constant, or copies the field at the same place of a header of one type.
func (j *fieldJoiner) simple(o *p4.Primitive) (write, bool) {
	to, ok := j.at[o.Field]
	if !ok || o.Op != p4.Assign || o.Dest != nil || o.If != nil {
		return write{}, false
	}
	if isConst(o.Value) {
		return write{from: -1}, true
	}
	if o.Value.Kind != p4.FieldValue {
		return write{}, false
	}
	from, ok := j.at[o.Value.Field]
	return write{from: from.header}, ok && j.spot(o.Value.Field) == j.spot(o.Field) && from.header != to.header
}

// between tells whether an operation between two writes has to do with their fields, or the fields that they copy.
func (j *fieldJoiner) between(a *p4.Action, f, g int, v, w write) bool {
	p := j.p
	touched := []int{f, g}
	if v.from >= 0 {
		touched = append(touched, p.Headers[v.from].Fields[j.at[f].place], p.Headers[v.from].Fields[j.at[g].place])
	}
	for i := min(v.op, w.op) + 1; i < max(v.op, w.op); i++ {
		o := &a.Ops[i]
		for _, x := range append(p.Reads(o), p.Writes(o)...) {
			if slices.Contains(touched, x) && o.Field != f && o.Field != g {
				return true
			}
		}
	}
	return false
}

// group makes the new fields, of up to 32 bits.
func (j *fieldJoiner) group(l *lowering) (some bool) {
	p := j.p
	offsets := map[spot]int{} // the new places
	for h := range p.Headers {
		x := &p.Headers[h]
		var fields []int
		for i := 0; i < len(x.Fields); {
			first, bits, n := x.Fields[i], p.Fields[x.Fields[i]].Bits, 1
			if _, ok := j.at[first]; ok && !j.alone[j.spot(first)] {
				for i+n < len(x.Fields) && !j.apart[spot{x.Type, i + n - 1}] && !j.alone[spot{x.Type, i + n}] &&
					bits+p.Fields[x.Fields[i+n]].Bits <= 32 {
					bits += p.Fields[x.Fields[i+n]].Bits
					n++
				}
			}
			offsets[spot{x.Type, i}] = len(fields)
			if n > 1 {
				some = true
				j.parts[len(p.Fields)] = x.Fields[i : i+n]
				j.joined[first] = len(p.Fields)
				for _, f := range x.Fields[i+1 : i+n] {
					j.gone[f] = len(p.Fields)
				}
				first = len(p.Fields)
				p.Fields = append(p.Fields, p4.Field{Name: p.Fields[x.Fields[i]].Name, Header: h, Bits: bits})
			}
			fields = append(fields, first)
			i += n
		}
		if len(fields) < len(x.Fields) {
			x.Fields = fields
		}
	}
	if !some {
		return false
	}
	p.States = slices.Clone(p.States)
	for i := range p.States {
		s := &p.States[i]
		s.Parts = slices.Clone(s.Parts)
		for k := range s.Parts {
			if x := &s.Parts[k]; x.Stack >= 0 {
				kind := p.Headers[p.Stacks[x.Stack].Headers[0]].Type
				if at, ok := offsets[spot{kind, x.Offset}]; ok {
					x.Offset = at
				}
			}
		}
	}
	return true
}

// replace lets inputs and actions have the new fields.
func (j *fieldJoiner) replace(p *p4.Program) {
	inputs := func(list []*p4.Expr, width []int) (all []*p4.Expr, bits []int) {
		for i, e := range list {
			if e.Kind == p4.FieldValue && j.gone[e.Field] > 0 {
				continue
			}
			if n := j.joined[e.Field]; e.Kind == p4.FieldValue && n > 0 {
				all, bits = append(all, fieldExpr(n)), append(bits, p.Fields[n].Bits)
				continue
			}
			all, bits = append(all, e), append(bits, width[i])
		}
		return all, bits
	}
	changeInputs(p, inputs)
	for i := range p.Actions {
		a := &p.Actions[i]
		constants, done := map[int]uint64{}, map[int]bool{}
		for _, o := range a.Ops {
			if n := j.newOf(o.Field); n > 0 && o.Op == p4.Assign && isConst(o.Value) {
				constants[o.Field] = o.Value.Const
			}
		}
		expand(a, func(o p4.Primitive) []p4.Primitive {
			n := j.newOf(o.Field)
			switch {
			case n == 0 || o.Op != p4.Assign:
				return []p4.Primitive{o}
			case done[n]:
				return nil
			}
			done[n] = true
			if !isConst(o.Value) {
				return []p4.Primitive{assignment(n, fieldExpr(j.newOf(o.Value.Field)))}
			}
			v := uint64(0)
			for _, f := range j.parts[n] {
				v = v<<p.Fields[f].Bits | constants[f]&p4.Ones(p.Fields[f].Bits)
			}
			return []p4.Primitive{assignment(n, constant(v))}
		})
	}
}

// newOf is the field that a field is joined in, 0 if none.
func (j *fieldJoiner) newOf(f int) int {
	if n := j.joined[f]; n > 0 {
		return n
	}
	return j.gone[f]
}

// unread drops assignments to fields that nothing reads: no operation, no parser, no checksum, no deparser, and
// no port of the machine.
func (l *lowering) unread() {
	p := l.p
	for again := true; again; {
		again = false
		read := l.readFields()
		for i := range p.Actions {
			expand(&p.Actions[i], func(o p4.Primitive) []p4.Primitive {
				if o.Op == p4.Assign && o.Dest == nil && !read[o.Field] {
					again = true
					return nil
				}
				return []p4.Primitive{o}
			})
		}
	}
}

// readFields are the fields that something reads. What an action writes to a header's validity counts as read.
func (l *lowering) readFields() []bool {
	p := l.p
	bare := *p
	bare.Actions, bare.Ingress, bare.Egress = nil, p4.Pipeline{First: p4.Accept}, p4.Pipeline{First: p4.Accept}
	read := usedFields(&bare)
	mark := func(fields ...int) {
		for _, f := range fields {
			if f >= 0 {
				read[f] = true
			}
		}
	}
	mark(outside(p)...)
	for _, x := range p.FieldLists {
		mark(x.Fields...)
	}
	for i := range p.Calculations {
		for _, e := range p.Calculations[i].Input {
			mark(p.ExprReads(e)...)
		}
	}
	for h := range p.Headers {
		mark(p.Headers[h].Valid)
	}
	for i := range p.Actions {
		for k := range p.Actions[i].Ops {
			o := &p.Actions[i].Ops[k]
			mark(p.Reads(o)...)
			mark(p.ExprReads(o.If)...)
		}
	}
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for _, n := range pipe.Nodes {
			if n.Condition != nil {
				mark(p.ExprReads(n.Condition.If)...)
				continue
			}
			for _, k := range n.Table.Key {
				mark(k.Field)
			}
		}
	}
	return read
}

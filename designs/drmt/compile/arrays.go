package compile

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// accesses turns primitives that read and write registers, and that count, into accesses to arrays in memory clusters.
// An action is cut in two at each: the first part leaves the operation, the index and the value in fields, an access
// takes them as its key, and the second part goes on with the answer.
func (l *lowering) accesses() error {
	p := l.p
	state := l.egressState
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for i := 0; i < len(pipe.Nodes); i++ { // the added ones, too
			t := pipe.Nodes[i].Table
			if t == nil || t.Array > 0 || t.Computes != nil {
				continue
			}
			for k, a := range slices.Clone(t.Actions) {
				at := slices.IndexFunc(p.Actions[a].Ops, stateful)
				if at < 0 {
					continue
				}
				state = state || pipe == &p.Egress
				if t.HitOrMiss {
					for n := range t.Next {
						t.Next[n] = t.Hit
					}
					t.HitOrMiss, t.Apart = false, true
				}
				apart := t.Apart && t.Default == a
				if apart { // a miss has its own way to go on
					first, second, err := l.cut(pipe, a, at, t.Miss)
					if err != nil {
						return err
					}
					p.Actions[first].Name += ".missed" // its steps are others than a hit's
					t.Default, t.Miss = first, second
					t.Actions, t.Next = append(t.Actions, first), append(t.Next, second)
				}
				first, second, err := l.cut(pipe, a, at, t.Next[k])
				if err != nil {
					return err
				}
				t.Actions[k], t.Next[k] = first, second
				if t.Default == a && !apart {
					t.Default = first
				}
			}
		}
	}
	l.egressState = state
	return nil
}

// stateful tells whether a primitive is an access to an array, or goes to a unit that computes.
func stateful(o p4.Primitive) bool {
	return o.Op == p4.ReadRegister || o.Op == p4.WriteRegister || o.Op == p4.Count || o.Op == p4.ExecuteMeter ||
		o.Op == p4.Hash || o.Op == p4.Random
}

// cut cuts an action at a primitive and returns its first part, and the node that goes on.
func (l *lowering) cut(pipe *p4.Pipeline, action, at, next int) (first, node int, err error) {
	p := l.p
	a := p.Actions[action]
	o := a.Ops[at]
	refuse := func(what string) (int, int, error) {
		return 0, 0, fmt.Errorf("%s: action %s: %v %s: no machine runs that", p.Name, a.Name, o.Op, what)
	}
	if slices.ContainsFunc(a.Ops, func(o p4.Primitive) bool { return o.Op == p4.Jump || o.Op == p4.JumpIfZero }) {
		return refuse("in an action with jumps")
	}
	if o.Dest != nil {
		return refuse("to an element of a stack, or to a register")
	}
	name := fmt.Sprintf("%s.%v.%d", a.Name, o.Op, len(p.Actions))
	t := &p4.Table{Name: name, Match: p4.Exact, Size: 1, Miss: p4.Accept}
	before, err := l.operands(name, t, a.Params, &o)
	if err != nil {
		return 0, 0, fmt.Errorf("%s: action %s: %w", p.Name, a.Name, err)
	}
	rest := l.carry(&a, [][]p4.Primitive{append(slices.Clone(a.Ops[:at]), before...), slices.Clone(a.Ops[at+1:])})
	first = len(p.Actions)
	x := a
	x.Ops = rest[0]
	p.Actions = append(p.Actions, x)
	found, nothing := len(p.Actions), len(p.Actions)+1
	back := p4.Action{ID: -1 - found, Name: name + ".found"}
	if o.Op != p4.WriteRegister && o.Op != p4.Count {
		width := resultBits(p, &o)
		if width > 64 {
			return refuse(fmt.Sprintf("of %d bits", width))
		}
		value := &p4.Expr{Kind: p4.ParamValue}
		if o.If != nil && o.Op != p4.ReadRegister && o.Op != p4.ExecuteMeter { // no access is made then
			value = &p4.Expr{Kind: p4.Choice, Cond: o.If, Left: value, Right: fieldExpr(o.Field)}
		}
		back.Params, back.Ops = []p4.Param{{Name: "value", Bits: width}}, []p4.Primitive{assignment(o.Field, value)}
	}
	p.Actions = append(p.Actions, back, p4.Action{ID: -1 - nothing, Name: name + ".nothing"})
	to := next
	node = len(pipe.Nodes)
	if len(rest[1]) > 0 {
		to = node + 1
	}
	t.Actions, t.Next, t.Default = []int{found, nothing}, []int{to, to}, nothing
	pipe.Nodes = append(pipe.Nodes, p4.Node{Name: name, Table: t})
	if len(rest[1]) > 0 {
		c := len(p.Actions)
		p.Actions = append(p.Actions, p4.Action{ID: -1 - c, Name: name + ".then", Ops: rest[1]})
		pipe.Nodes = append(pipe.Nodes, p4.Node{Name: name + ".then", Table: &p4.Table{Name: name + ".then", Match: p4.Exact,
			Actions: []int{c}, Next: []int{next}, Default: c, Miss: p4.Accept}})
	}
	return first, node, nil
}

// resultBits is how many bits come back: 32 or 64.
func resultBits(p *p4.Program, o *p4.Primitive) int {
	n := p.Fields[o.Field].Bits
	if o.Op == p4.ReadRegister {
		n = p.Registers[o.Object].Bits
	}
	if n <= 32 {
		return 32
	}
	return max(n, 64)
}

// operands makes the key of an access or of a computation, and returns what must be done before it: operands that are
// no metadata and no constants are kept in fields of their own. An access to an array has a field for the operation, 0
// for packets that do not come to it: matches are made for all packets.
func (l *lowering) operands(
	name string, t *p4.Table, params []p4.Param, o *p4.Primitive,
) (before []p4.Primitive, err error) {
	p := l.p
	key := func(f int) { t.Key = append(t.Key, p4.KeyField{Match: p4.Exact, Field: f}) }
	operand := func(what string, e *p4.Expr, bits int) *p4.Expr {
		e = substitute(e, nil)
		if isConst(e) {
			return e
		}
		f := -1
		if e.Kind == p4.FieldValue && p.Fields[e.Field].Bits <= bits && p.Headers[p.Fields[e.Field].Header].Metadata {
			f = e.Field
		} else {
			f = l.field(name+"."+what, bits)
			before = append(before, assignment(f, e))
		}
		key(f)
		return fieldExpr(f)
	}
	switch o.Op {
	case p4.Hash:
		c := &p.Calculations[o.Object]
		if c.Payload || c.Algorithm >= p4.RoundRobin {
			return nil, fmt.Errorf("a hash over the payload, or one that goes round: no machine runs that")
		}
		x := *o
		x.Args = nil
		for i, what := range []string{"base", "size"} {
			width := 64
			n, negative := (&splitter{l: l, params: params}).bound(substitute(o.Args[i], nil))
			if !negative && n <= 32 {
				width = max(n, 1)
			}
			x.Args = append(x.Args, operand(what, o.Args[i], width))
		}
		t.Computes = &x
		known := map[int]bool{}
		for _, in := range c.Input {
			if in.Kind != p4.FieldValue && !isConst(in) {
				return nil, fmt.Errorf("a hash over more than fields and constants: no machine runs that")
			}
			x.Args = append(x.Args, in)
			if in.Kind != p4.FieldValue {
				continue
			}
			f := &p.Fields[in.Field]
			if f.Bits > 64 {
				return nil, fmt.Errorf("a hash over %s of %d bits: no machine runs that", f.Name, f.Bits)
			}
			for _, n := range []int{in.Field, p.Headers[f.Header].Valid} {
				if n >= 0 && !known[n] {
					known[n] = true
					key(n)
				}
			}
		}
		if len(t.Key) == 0 { // a hash of constants: a table without a key would not be asked
			key(l.once("machine.nothing", 1))
		}
		return before, nil
	case p4.Random:
		x := *o
		t.Computes = &x
		word := l.once(fmt.Sprintf("%s%d", randomField, o.Object), 32)
		l.drawn(p4.RandomPlace{Field: word, Place: o.Object})
		key(word)
		x.Args = []*p4.Expr{operand("low", o.Args[0], 32), operand("high", o.Args[1], 32)}
		return before, nil
	}
	op := l.field(name+".op", 2)
	does := map[p4.Op]uint64{p4.ReadRegister: drmt.ReadElement, p4.WriteRegister: drmt.WriteElement,
		p4.Count: drmt.AddElement, p4.ExecuteMeter: drmt.AddElement}[o.Op]
	e := constant(does)
	if o.If != nil {
		e = &p4.Expr{Kind: p4.Choice, Cond: o.If, Left: e, Right: fieldExpr(op)}
	}
	before = append(before, assignment(op, e))
	key(op)
	x := *o
	width := 32
	if n, negative := (&splitter{l: l, params: params}).bound(substitute(o.Args[0], nil)); !negative && n < 32 {
		width = max(n, 1)
	}
	x.Args = []*p4.Expr{operand("index", o.Args[0], width)}
	switch o.Op {
	case p4.Count:
		t.Array, t.Size = counterArray(p, o.Object), p.Counters[o.Object].Size
		x.Args = append(x.Args, operand("length", fieldExpr(l.packetLength()), 32))
	case p4.ExecuteMeter:
		t.Array, t.Size = meterArray(p, o.Object), max(p.Meters[o.Object].Size, 1)
		x.Args = append(x.Args, operand("units", units(l, o.Object), 32), operand("time", l.time(), 32))
	default:
		r := p.Registers[o.Object]
		if t.Array, t.Size = registerArray(o.Object), max(r.Size, 1); r.Bits > 64 {
			return nil, fmt.Errorf("register_array %s has %d bits: no machine runs that", r.Name, r.Bits)
		}
		if o.Op == p4.WriteRegister {
			x.Args = append(x.Args, operand("value", o.Args[1], r.Bits))
		}
	}
	t.Accesses = &x
	return before, nil
}

// drawn notes a random number of packets, once.
func (l *lowering) drawn(d p4.RandomPlace) {
	if !slices.Contains(l.p.Draws, d) {
		l.p.Draws = append(l.p.Draws, d)
	}
}

// randomField begins the names of the fields that have a packet's random numbers.
const randomField = "machine.random_"

// guardEgress keeps three kinds of packets out of egress: packets that ingress resubmits, since they keep the values
// that ingress wrote, packets that are copied before egress, and packets that go nowhere, where egress has registers or
// makes clones.
func (l *lowering) guardEgress() {
	p := l.p
	var gone *p4.Expr
	add := func(field int, o p4.Operator, v uint64) {
		if field < 0 {
			return
		}
		e := binary(o, fieldExpr(field), constant(v))
		if gone != nil {
			e = binary(p4.LogicalOr, gone, e)
		}
		gone = e
	}
	add(fieldNamed(p, resubmitField), p4.NotEqual, 0)
	nowhere := l.egressState || l.copies
	if nowhere {
		add(p.Standard.EgressSpec, p4.Equal, p4.DropPort)
		add(p.Standard.Other(multicastGroup), p4.NotEqual, 0)
	}
	if l.copies {
		add(fieldNamed(p, cloneField), p4.NotEqual, 0)
		if of := fieldNamed(p, copyField); of >= 0 && gone != nil { // copies are not asked again
			gone = binary(p4.LogicalAnd, gone, binary(p4.Equal, fieldExpr(of), constant(0)))
		}
	}
	if nowhere {
		add(p.Standard.Other("intrinsic_metadata.priority"), p4.NotEqual, 0)
	}
	if gone == nil || p.Egress.First == p4.Accept {
		return
	}
	first := p.Egress.First
	n := len(p.Egress.Nodes)
	// the condition belongs to ingress by its reads: egress_spec is the port there
	if p.Ingress.First == p4.Accept {
		return
	}
	p.Egress.Nodes = append(
		p.Egress.Nodes, p4.Node{Name: "machine.gone", Condition: &p4.Condition{If: gone, True: p4.Accept, False: first}},
	)
	p.Egress.First = n
}

// keyParts returns where a key has each of its fields.
func (c *compiler) keyParts(t *p4.Table) map[int]drmt.KeyPart {
	at, parts := 0, map[int]drmt.KeyPart{}
	for _, k := range t.Key {
		n := 0
		for _, piece := range c.fields.pieces[k.Field] {
			n += (int(piece.Bits) + 7) / 8
		}
		parts[k.Field] = drmt.KeyPart{At: at, Bytes: n}
		at += n
	}
	return parts
}

// partOf is where a key has an operand, or the operand itself if it is a constant.
func partOf(parts map[int]drmt.KeyPart, e *p4.Expr) drmt.KeyPart {
	if isConst(e) {
		return drmt.KeyPart{Const: e.Const}
	}
	part, ok := parts[e.Field]
	if !ok {
		panic("an operand that the key does not have")
	}
	return part
}

// array returns the table of an access.
func (c *compiler) array(m *match) *drmt.Table {
	t := m.table
	a := drmt.Array{ID: t.Array, Size: t.Size, Bits: 64}
	parts := c.keyParts(t)
	a.Op = parts[t.Key[0].Field]
	direct := false
	switch p, o := c.program, t.Accesses; o.Op {
	case p4.Count:
		x := p.Counters[t.Array-counterArray(p, 0)]
		a.Size, a.Counts, direct = x.Size, true, x.Direct
	case p4.ExecuteMeter:
		x := p.Meters[o.Object]
		a.Size, a.Meters, direct = x.Size, c.rates[o.Object], x.Direct
		a.Time = partOf(parts, o.Args[2])
	default:
		r := p.Registers[t.Array-registerArray(0)]
		a.Size, a.Bits, a.Wide, a.Start = r.Size, r.Bits, r.Bits > 32, c.start[t.Array-registerArray(0)]
	}
	if direct {
		a.Op, a.First = drmt.KeyPart{Const: drmt.AddElement}, 1
	}
	a.Index = partOf(parts, t.Accesses.Args[0])
	if len(t.Accesses.Args) > 1 {
		a.Value = partOf(parts, t.Accesses.Args[1])
	}
	a.Found = drmt.Result{Pointer: m.choice(t.Actions[0], true).pointer}
	return drmt.NewArray(a, segmentsOf(m.keyBytes), drmt.Result{Pointer: m.choice(t.Default, false).pointer})
}

// spacing is how many cycles must lie between two packets. Each packet makes its accesses to an array at the same
// distances from its start: a packet that follows sooner than the last comes after the first would come between them.
func (l *linker) spacing() int {
	first, last, many := map[int]int{}, map[int]int{}, map[int]bool{}
	for x := range l.operations {
		m := l.operations[x].match
		if m == nil || m.table.Array == 0 {
			continue
		}
		a, t := m.table.Array, l.at[x].match
		if _, ok := first[a]; !ok {
			first[a], last[a] = t, t
			continue
		}
		many[a] = true
		first[a], last[a] = min(first[a], t), max(last[a], t)
	}
	most := 1
	for a := range many {
		most = max(most, last[a]-first[a]+1)
	}
	return most
}

package study_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// randomProgram writes a small program as p4c could have: two headers, metadata, two to six tables and up to three
// conditions in two pipelines, whose keys, actions and ways meet in a few fields.
type randomProgram struct {
	rng    *rand.Rand
	p      *p4.Program
	values []int // fields that keys, actions and conditions use
	first  int   // the field after the first header's, whose last one is its validity
}

const (
	fieldPort = iota
	fieldSpec
	fieldEgress
	firstField
)

func newRandomProgram(rng *rand.Rand) *p4.Program {
	r := newBareProgram(rng)
	tables, conditions := 2+rng.IntN(5), rng.IntN(4)
	kinds := make([]bool, tables+conditions) // true: a condition
	for i := range conditions {
		kinds[i] = true
	}
	rng.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	cut := len(kinds)
	if rng.IntN(2) == 0 {
		cut = 1 + rng.IntN(len(kinds))
	}
	r.pipeline(&r.p.Ingress, "ingress", kinds[:cut], true)
	r.pipeline(&r.p.Egress, "egress", kinds[cut:], false)
	return r.p
}

// newBothPipelines has three nodes in ingress, two in egress, and the instance type. Egress writes egress_spec, too, if
// it is told to.
func newBothPipelines(rng *rand.Rand, writesSpec bool) *randomProgram {
	r := newBareProgram(rng)
	r.instance()
	r.pipeline(&r.p.Ingress, "ingress", []bool{false, true, false}, true)
	r.pipeline(&r.p.Egress, "egress", []bool{true, false}, writesSpec)
	return r
}

// newBareProgram has headers, parser and deparser, and no pipelines.
func newBareProgram(rng *rand.Rand) *randomProgram {
	r := &randomProgram{
		rng: rng,
		p: &p4.Program{
			Name:     "random",
			Standard: p4.Standard{IngressPort: fieldPort, EgressSpec: fieldSpec, EgressPort: fieldEgress, PacketLength: -1},
		},
	}
	r.p.Fields = []p4.Field{
		{Name: "standard_metadata.ingress_port", Header: 0, Bits: 9},
		{Name: "standard_metadata.egress_spec", Header: 0, Bits: 9},
		{Name: "standard_metadata.egress_port", Header: 0, Bits: 9},
	}
	r.p.Headers = []p4.Header{
		{Name: "standard_metadata", Metadata: true, Fields: []int{fieldPort, fieldSpec, fieldEgress}, Valid: -1},
	}
	r.header("a", false, 8, 16, 32, 48, 4, 4)
	r.first = len(r.p.Fields)
	r.header("b", false, 16, 13, 3)
	meta := len(r.p.Fields)
	r.header("meta", true, 8, 13, 32, 1)
	if rng.IntN(2) == 0 {
		r.p.Checksums = []p4.Checksum{
			{
				Name:   "sum",
				Update: true,
				Target: firstField + 1,
				Bits:   []int{32, 48, 16},
				If:     &p4.Expr{Kind: p4.FieldValue, Field: r.first - 1},
				Input: []*p4.Expr{
					{Kind: p4.FieldValue, Field: firstField + 2}, {Kind: p4.FieldValue, Field: firstField + 3},
					constantOf(rng.Uint64() & 0xffff),
				},
			},
		}
	}
	selector := firstField
	r.p.States = []p4.State{
		{
			Name: "start", Ops: []p4.ParserOp{{Header: 1}}, Key: []int{selector},
			Transitions: []p4.Transition{{Value: 0, Mask: 1, Next: 1}, {Next: p4.Accept}},
		},
		{
			Name:        "more",
			Ops:         []p4.ParserOp{{Header: 2}, {Header: -1, Field: meta, Value: constantOf(rng.Uint64() & 0xff)}},
			Transitions: []p4.Transition{{Next: p4.Accept}},
		}}
	r.p.Deparse = []int{1, 2}
	r.p.Ingress, r.p.Egress = p4.Pipeline{Name: "ingress", First: p4.Accept}, p4.Pipeline{Name: "egress", First: p4.Accept}
	return r
}

// header adds a header, or metadata, with fields of these widths.
func (r *randomProgram) header(name string, metadata bool, bits ...int) {
	h := p4.Header{Name: name, Metadata: metadata, Valid: -1}
	for i, b := range bits {
		f := len(r.p.Fields)
		r.p.Fields = append(r.p.Fields, p4.Field{Name: fmt.Sprintf("%s.f%d", name, i), Header: len(r.p.Headers), Bits: b})
		h.Fields, h.Bits = append(h.Fields, f), h.Bits+b
		r.values = append(r.values, f)
	}
	if !metadata {
		h.Valid = len(r.p.Fields)
		r.p.Fields = append(r.p.Fields, p4.Field{Name: name + ".$valid$", Header: len(r.p.Headers), Bits: 1})
		r.values = append(r.values, h.Valid)
	}
	r.p.Headers = append(r.p.Headers, h)
}

func (r *randomProgram) pipeline(into *p4.Pipeline, name string, kinds []bool, ingress bool) {
	*into = p4.Pipeline{Name: name, First: p4.Accept}
	if len(kinds) > 0 {
		into.First = 0
	}
	if !ingress {
		r.values = append(r.values, fieldEgress)
	}
	for i, condition := range kinds {
		next := func() int { // mostly the next ones; sometimes further on, or the end
			if n := i + 1 + min(r.rng.IntN(4), r.rng.IntN(4), r.rng.IntN(4)); n < len(kinds) {
				return n
			}
			return p4.Accept
		}
		n := p4.Node{Name: fmt.Sprintf("%s.n%d", name, i)}
		if condition {
			n.Condition = &p4.Condition{If: r.condition(2), True: next(), False: next()}
		} else {
			n.Table = r.table(n.Name, ingress, next)
		}
		into.Nodes = append(into.Nodes, n)
	}
}

func (r *randomProgram) table(name string, ingress bool, next func() int) *p4.Table {
	t := &p4.Table{Name: name, Match: p4.Exact, Size: 64}
	for range 1 + r.rng.IntN(3) {
		t.Actions, t.Next = append(t.Actions, r.action(name, ingress)), append(t.Next, next())
	}
	t.HitOrMiss = r.rng.IntN(3) == 0
	if t.HitOrMiss {
		t.Hit, t.Miss = next(), next()
	}
	t.Default = t.Actions[r.rng.IntN(len(t.Actions))]
	for _, d := range r.p.Actions[t.Default].Params {
		t.DefaultData = append(t.DefaultData, r.rng.Uint64()&(1<<d.Bits-1))
	}
	if r.rng.IntN(5) == 0 {
		return t // no key
	}
	for range 1 + r.rng.IntN(3) {
		k := p4.KeyField{Match: p4.Exact, Field: r.value()}
		switch r.rng.IntN(4) {
		case 0:
			k.Match = p4.Ternary
		case 1:
			if t.Match != p4.LPM && len(t.Key) == 0 {
				k.Match = p4.LPM
			}
		}
		t.Match = max(t.Match, k.Match)
		t.Key = append(t.Key, k)
	}
	return t
}

// value is a field.
func (r *randomProgram) value() int { return r.values[r.rng.IntN(len(r.values))] }

// action makes an action: it writes values, parameters, or one operation on two of them.
func (r *randomProgram) action(table string, ingress bool) int {
	a := p4.Action{ID: len(r.p.Actions), Name: fmt.Sprintf("%s.a%d", table, len(r.p.Actions))}
	for range 1 + r.rng.IntN(3) {
		if ingress && r.rng.IntN(4) == 0 {
			a.Ops = append(a.Ops, p4.Primitive{Op: p4.Assign, Field: fieldSpec, Header: -1, Value: r.param(&a, 9)})
			continue
		}
		if r.rng.IntN(8) == 0 {
			a.Ops = append(a.Ops, p4.Primitive{Op: p4.Drop, Field: fieldSpec, Header: -1})
			continue
		}
		if r.rng.IntN(8) == 0 {
			a.Ops = append(a.Ops, p4.Primitive{Op: p4.RemoveHeader, Field: -1, Header: 1 + r.rng.IntN(2)})
			continue
		}
		if r.rng.IntN(8) == 0 { // a header is made valid and written whole
			a.Ops = append(a.Ops, p4.Primitive{Op: p4.AddHeader, Field: -1, Header: 2})
			for _, f := range r.p.Headers[2].Fields {
				a.Ops = append(
					a.Ops, p4.Primitive{Op: p4.Assign, Field: f, Header: -1, Value: r.leaf(&a, r.p.Fields[f].Bits, false)},
				)
			}
			continue
		}
		f := r.plain()
		a.Ops = append(a.Ops, p4.Primitive{Op: p4.Assign, Field: f, Header: -1, Value: r.expression(&a, r.p.Fields[f].Bits)})
	}
	r.p.Actions = append(r.p.Actions, a)
	return a.ID
}

// plain is a field that is no validity bit.
func (r *randomProgram) plain() int {
	for {
		f := r.value()
		if h := r.p.Fields[f].Header; r.p.Headers[h].Valid != f && f != fieldEgress {
			return f
		}
	}
}

func (r *randomProgram) param(a *p4.Action, bits int) *p4.Expr {
	a.Params = append(a.Params, p4.Param{Name: fmt.Sprint("p", len(a.Params)), Bits: bits})
	return &p4.Expr{Kind: p4.ParamValue, Param: len(a.Params) - 1}
}

func constantOf(v uint64) *p4.Expr { return &p4.Expr{Kind: p4.Constant, Const: v} }

// leaf is a field, a parameter or a constant, of no more than some bits if wide values are not wanted.
func (r *randomProgram) leaf(a *p4.Action, bits int, narrow bool) *p4.Expr {
	switch r.rng.IntN(4) {
	case 0:
		return constantOf(r.rng.Uint64() & (1<<bits - 1))
	case 1:
		if len(a.Params) < 2 {
			return r.param(a, bits)
		}
	}
	for {
		f := r.value()
		if !narrow || r.p.Fields[f].Bits <= 32 {
			return &p4.Expr{Kind: p4.FieldValue, Field: f}
		}
	}
}

func (r *randomProgram) expression(a *p4.Action, bits int) *p4.Expr {
	if r.rng.IntN(2) == 0 {
		return r.leaf(a, bits, false)
	}
	ops := []p4.Operator{p4.And, p4.Or, p4.Xor}
	if bits <= 32 {
		ops = append(ops, p4.Add, p4.Sub, p4.ShiftLeft)
	}
	e := &p4.Expr{
		Kind: p4.Operation, Operator: ops[r.rng.IntN(len(ops))], Left: r.leaf(a, bits, false),
		Right: r.leaf(a, bits, false),
	}
	if e.Operator == p4.ShiftLeft {
		e.Right = constantOf(uint64(r.rng.IntN(bits + 2)))
	}
	if r.rng.IntN(2) == 0 { // the mask that p4c puts around what can carry
		e = &p4.Expr{Kind: p4.Operation, Operator: p4.And, Left: e, Right: constantOf(1<<bits - 1)}
	}
	return e
}

// condition makes comparisons, joined to some depth.
func (r *randomProgram) condition(depth int) *p4.Expr {
	if depth > 0 && r.rng.IntN(3) == 0 {
		if r.rng.IntN(3) == 0 {
			return &p4.Expr{Kind: p4.Operation, Operator: p4.LogicalNot, Right: r.condition(depth - 1)}
		}
		o := []p4.Operator{p4.LogicalAnd, p4.LogicalOr}[r.rng.IntN(2)]
		return &p4.Expr{Kind: p4.Operation, Operator: o, Left: r.condition(depth - 1), Right: r.condition(depth - 1)}
	}
	f := r.value()
	bits := r.p.Fields[f].Bits
	ops := []p4.Operator{p4.Equal, p4.NotEqual}
	if bits <= 32 {
		ops = append(ops, p4.Less, p4.LessEqual, p4.Greater, p4.GreaterEqual)
	}
	right := constantOf(r.rng.Uint64() & (1<<bits - 1))
	if r.rng.IntN(3) == 0 {
		g := r.value()
		if r.p.Fields[g].Bits <= 32 || bits > 32 {
			right = &p4.Expr{Kind: p4.FieldValue, Field: g}
		}
	}
	return &p4.Expr{
		Kind: p4.Operation, Operator: ops[r.rng.IntN(len(ops))], Left: &p4.Expr{Kind: p4.FieldValue, Field: f},
		Right: right,
	}
}

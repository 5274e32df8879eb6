package compile

import (
	"math/big"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// word is a piece of a wide value: the bits from one on.
type word struct{ from, bits int }

// wordsOf divides a width into words of 32 bits, the uppermost first.
func wordsOf(width int) (all []word) {
	for at := (width - 1) / 32 * 32; at >= 0; at -= 32 {
		all = append(all, word{at, min(width-at, 32)})
	}
	return all
}

// words divides fields and action data of more than 64 bits that something works on, as addresses of IPv6: each becomes
// fields of 32 bits, and an operation on one an operation on each. Sums and products of them stay as they are.
func (l *lowering) words() {
	p := l.p
	w := &divided{l: l, fields: map[int][]int{}}
	w.divideFields()
	w.divideRegisters()
	data := slices.ContainsFunc(p.Actions, func(a p4.Action) bool { return wideParams(&a) })
	if len(w.fields)+len(w.registers) == 0 && !data {
		return
	}
	for i := range p.Actions {
		a := &p.Actions[i]
		w.divideParams(a)
		expand(a, w.primitive)
	}
	w.params, l.params = nil, nil
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for _, n := range pipe.Nodes {
			if n.Condition != nil {
				n.Condition.If = w.narrow(n.Condition.If)
				continue
			}
			w.table(n.Table)
		}
	}
	for i := range p.States {
		s := &p.States[i]
		var ops []p4.ParserOp
		for _, o := range s.Ops {
			ops = append(ops, w.parserOp(o)...)
		}
		s.Ops = ops
	}
	p.Calculations = slices.Clone(p.Calculations)
	for i := range p.Calculations {
		c := &p.Calculations[i]
		c.Input, c.Bits = w.inputs(c.Input, c.Bits)
	}
	for i := range p.Checksums {
		c := &p.Checksums[i]
		c.Input, c.Bits = w.inputs(c.Input, c.Bits)
		c.If = w.narrow(c.If)
	}
	p.FieldLists = slices.Clone(p.FieldLists)
	for i := range p.FieldLists {
		p.FieldLists[i].Fields = w.list(p.FieldLists[i].Fields)
	}
}

// divided is a program whose wide fields are divided.
type divided struct {
	l      *lowering
	fields map[int][]int // by field: its words, the uppermost first
	params [][]int       // by parameter of the action at hand: its places now
	// registers are, by array, the arrays that have the words of its registers, the lowest first.
	registers map[int][]int
}

func wideParams(a *p4.Action) bool {
	return slices.ContainsFunc(a.Params, func(x p4.Param) bool { return x.Bits > 64 })
}

// divideFields divides the same fields of all headers of a type, since stacks and unions find them by their places.
func (w *divided) divideFields() {
	p := w.l.p
	type place struct {
		kind string
		at   int
	}
	known, ahead, some := operatedFields(p), map[int]bool{}, map[place]bool{}
	for _, s := range p.States {
		for _, o := range s.Ops {
			ahead[o.Field] = ahead[o.Field] || o.Kind == p4.Lookahead
		}
	}
	each := func(do func(h *p4.Header, at, field int)) {
		for h := range p.Headers {
			for at, f := range p.Headers[h].Fields {
				if p.Fields[f].Bits > 64 && p.Headers[h].Variable != at+1 && !ahead[f] {
					do(&p.Headers[h], at, f)
				}
			}
		}
	}
	each(func(h *p4.Header, at, f int) {
		if known[f] {
			some[place{h.Type, at}] = true
		}
	})
	each(func(h *p4.Header, at, f int) {
		if !some[place{h.Type, at}] {
			return
		}
		for _, x := range wordsOf(p.Fields[f].Bits) {
			w.fields[f] = append(w.fields[f], len(p.Fields))
			p.Fields = append(p.Fields, p4.Field{Name: p.Fields[f].Name, Header: p.Fields[f].Header, Bits: x.bits})
		}
	})
	for i := range p.States {
		s := &p.States[i]
		s.Parts = slices.Clone(s.Parts)
		for k := range s.Parts {
			x := &s.Parts[k]
			switch {
			case x.Stack >= 0:
				x.Offset = w.place(p.Stacks[x.Stack].Headers[0], x.Offset)
			case x.UnionStack >= 0:
				x.Offset = w.place(p.Unions[p.UnionStacks[x.UnionStack].Unions[0]].Headers[x.Member], x.Offset)
			}
		}
	}
	for h := range p.Headers {
		x := &p.Headers[h]
		if x.Variable > 0 {
			x.Variable = 1 + w.place(h, x.Variable-1)
		}
	}
	for h := range p.Headers {
		p.Headers[h].Fields = w.list(p.Headers[h].Fields)
	}
}

// place is where a field of a header is when the ones before it are divided.
func (w *divided) place(header, at int) int {
	return len(w.list(w.l.p.Headers[header].Fields[:at]))
}

// list replaces divided fields by their words.
func (w *divided) list(fields []int) (all []int) {
	for _, f := range fields {
		if words := w.fields[f]; words != nil {
			all = append(all, words...)
			continue
		}
		all = append(all, f)
	}
	return all
}

// divideParams divides an action's data.
func (w *divided) divideParams(a *p4.Action) {
	var params []p4.Param
	w.params = nil
	for _, x := range a.Params {
		var places []int
		for _, part := range dataWords(x.Bits) {
			places = append(places, len(params))
			params = append(params, p4.Param{Name: x.Name, Bits: part.bits})
		}
		w.params = append(w.params, places)
	}
	w.l.params = a.Params // which bounds still have
	a.Params = params
}

func dataWords(width int) []word {
	if width <= 64 {
		return []word{{0, width}}
	}
	return wordsOf(width)
}

// dataOf divides an entry's data for parameters as they were.
func dataOf(params []p4.Param, data []uint64, wide []p4.Number) (all []uint64) {
	for i, x := range params {
		if x.Bits <= 64 {
			all = append(all, data[i])
			continue
		}
		for _, part := range wordsOf(x.Bits) {
			all = append(all, bitsOf(wide[i], part))
		}
	}
	return all
}

func bitsOf(n p4.Number, part word) uint64 {
	v := new(big.Int).Rsh(n, uint(part.from))
	return v.And(v, new(big.Int).SetUint64(p4.Ones(part.bits))).Uint64()
}

// table divides a table's key and the data of its default action.
func (w *divided) table(t *p4.Table) {
	var key []p4.KeyField
	for _, k := range t.Key {
		words := w.fields[k.Field]
		if words == nil {
			key = append(key, k)
			continue
		}
		for i, f := range words {
			x := k
			if x.Field = f; i > 0 && x.Match == p4.LPM {
				x.Match = p4.Ternary // the first word has the prefix's length
			}
			key = append(key, x)
		}
	}
	t.Key = key
	if t.DefaultWide != nil {
		var params []p4.Param
		for i := range t.DefaultData {
			bits := 64
			if t.DefaultWide[i] != nil {
				bits = w.widthOf(t, i)
			}
			params = append(params, p4.Param{Bits: bits})
		}
		t.DefaultData, t.DefaultWide = dataOf(params, t.DefaultData, t.DefaultWide), nil
	}
}

// widthOf is how wide a parameter of a default action was.
func (w *divided) widthOf(t *p4.Table, param int) int {
	return w.l.given.Actions[t.Default].Params[param].Bits
}

// keyWords divides an entry's key of a table as it was given.
func keyWords(p *p4.Program, given *p4.Table, e p4.Entry) p4.Entry {
	var key []p4.KeyValue
	for i, k := range given.Key {
		bits := p.Fields[k.Field].Bits
		if bits <= 64 {
			key = append(key, e.Key[i])
			continue
		}
		for _, part := range wordsOf(bits) {
			key = append(key, p4.KeyValue{Value: bitsOf(e.Key[i].WideValue, part), Mask: bitsOf(e.Key[i].WideMask, part),
				PrefixLen: e.Key[i].PrefixLen})
		}
	}
	e.Key = key
	return e
}

// inputs divides the inputs of a calculation.
func (w *divided) inputs(list []*p4.Expr, width []int) (all []*p4.Expr, bits []int) {
	for i, e := range list {
		if e.Kind != p4.FieldValue || w.fields[e.Field] == nil {
			all, bits = append(all, e), append(bits, width[i])
			continue
		}
		for _, f := range w.fields[e.Field] {
			all, bits = append(all, fieldExpr(f)), append(bits, w.l.p.Fields[f].Bits)
		}
	}
	return all, bits
}

// primitive divides a primitive.
func (w *divided) primitive(o p4.Primitive) (all []p4.Primitive) {
	if o.Dest == nil && (o.Op == p4.ReadRegister && (w.fields[o.Field] != nil || w.registers[o.Object] != nil) ||
		o.Op == p4.WriteRegister && w.registers[o.Object] != nil) {
		if all, ok := w.access(&o); ok {
			return all
		}
	}
	o.Args = slices.Clone(o.Args)
	for k := range o.Args {
		o.Args[k] = w.narrow(o.Args[k])
	}
	if o.Op != p4.Assign || o.Dest != nil {
		o.Value = w.narrow(o.Value)
		return []p4.Primitive{o}
	}
	words := w.fields[o.Field]
	if words == nil {
		o.Value = w.cut(o.Value, w.l.p.Fields[o.Field].Bits)
		return []p4.Primitive{o}
	}
	// A value that reads the field itself is computed whole, into other words, before a word of the field is written:
	// after x = x << 32, the upper words of x are words that x had.
	aside := mentions(o.Value, o.Field)
	var later []p4.Primitive
	for i, part := range wordsOf(w.l.p.Fields[o.Field].Bits) {
		e, ok := w.bits(o.Value, part)
		if !ok {
			return []p4.Primitive{o}
		}
		f := words[i]
		if aside {
			f = w.l.field(w.l.p.Fields[o.Field].Name+"$", part.bits)
			later = append(later, assignment(words[i], fieldExpr(f)))
		}
		all = append(all, assignment(f, e))
	}
	return append(all, later...)
}

// parserOp divides an operation of a parser that sets a field.
func (w *divided) parserOp(o p4.ParserOp) (all []p4.ParserOp) {
	if o.Kind == p4.Call {
		for _, x := range w.primitive(*o.Call) {
			all = append(all, p4.ParserOp{Kind: p4.Call, Header: -1, Field: -1, Call: &x})
		}
		return all
	}
	if o.Kind == p4.Basic && o.Header < 0 && o.Value != nil {
		for _, x := range w.primitive(assignment(o.Field, o.Value)) {
			all = append(all, p4.ParserOp{Header: -1, Field: x.Field, Value: x.Value})
		}
		return all
	}
	o.Value, o.Error = w.narrow(o.Value), w.narrow(o.Error)
	return []p4.ParserOp{o}
}

package p4

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// maxBits bounds the width of a field, a parameter or a checksum's input; BMv2 itself has none.
const maxBits = 2048

// ParseBMv2 reads a program and checks it. file is for messages. An error is one line that names the place and what is wrong with it.
func ParseBMv2(file string, r io.Reader) (*Program, error) {
	data, err := readBounded(file, r)
	if err != nil {
		return nil, err
	}
	var f bmv2File
	dec := json.NewDecoder(strings.NewReader(string(data)))
	if err := dec.Decode(&f); err != nil {
		return nil, fmt.Errorf("%s:%d: %s", file, lineAt(data, dec.InputOffset()), strings.TrimPrefix(err.Error(), "json: "))
	}
	b := &bmv2Reader{file: file, in: &f, p: &Program{Name: file}, headers: map[string]int{}, fields: map[string]int{}, actions: map[int]int{}}
	for _, step := range []func() error{b.preamble, b.readHeaders, b.readParser, b.readActions, b.readPipelines, b.readChecksums, b.readDeparser} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return b.p, nil
}

type bmv2Reader struct {
	file    string
	in      *bmv2File
	p       *Program
	headers map[string]int
	fields  map[string]int // "ipv4.ttl"
	actions map[int]int    // index by id
}

func (b *bmv2Reader) preamble() error {
	f := b.in
	if f.Meta == nil || len(f.Meta.Version) != 2 {
		return fmt.Errorf("no __meta__ with a version [major, minor]: is it the JSON of p4c-bm2-ss?")
	}
	if f.Meta.Version[0] != 2 {
		return fmt.Errorf("version %d of the format, expected 2", f.Meta.Version[0])
	}
	for _, x := range []struct {
		what string
		list []json.RawMessage
	}{
		{"header stacks", f.HeaderStacks}, {"header unions", f.HeaderUnions}, {"header unions", f.HeaderUnionStacks}, {"parser value sets", f.ParseVSets},
		{"meters", f.MeterArrays}, {"counters", f.CounterArrays}, {"registers", f.RegisterArrays}, {"digests", f.LearnLists}, {"externs", f.ExternInstances},
	} {
		if len(x.list) > 0 {
			return fmt.Errorf("the program has %s, which are not supported", x.what)
		}
	}
	return nil
}

func (b *bmv2Reader) readHeaders() error {
	type member struct {
		name string
		bits int
	}
	types := map[string][]member{}
	for _, t := range b.in.HeaderTypes {
		if _, twice := types[t.Name]; twice || t.Name == "" {
			return fmt.Errorf("header type %q: no name, or one that is there twice", t.Name)
		}
		list := []member{}
		for i, f := range t.Fields {
			var m member
			var signed bool
			if len(f) < 2 || json.Unmarshal(f[0], &m.name) != nil || json.Unmarshal(f[1], &m.bits) != nil {
				return fmt.Errorf("header type %s: field %d is not [name, bits]", t.Name, i)
			}
			if len(f) > 2 && json.Unmarshal(f[2], &signed) == nil && signed {
				return fmt.Errorf("header type %s: field %s is signed, which is not supported", t.Name, m.name)
			}
			if m.bits < 1 || m.bits > maxBits || m.name == "" || strings.HasPrefix(m.name, "$") {
				return fmt.Errorf("header type %s: field %q has %d bits, expected a name and 1 to %d bits", t.Name, m.name, m.bits, maxBits)
			}
			list = append(list, m)
		}
		types[t.Name] = list
	}
	for _, h := range b.in.Headers {
		members, ok := types[h.HeaderType]
		if !ok {
			return fmt.Errorf("header %s: there is no header type %q", h.Name, h.HeaderType)
		}
		if _, twice := b.headers[h.Name]; twice || h.Name == "" {
			return fmt.Errorf("header %q: no name, or one that is there twice", h.Name)
		}
		n := len(b.p.Headers)
		b.headers[h.Name] = n
		header := Header{Name: h.Name, Metadata: h.Metadata, Valid: -1}
		for _, m := range members {
			full := h.Name + "." + m.name
			if _, twice := b.fields[full]; twice {
				return fmt.Errorf("header type %s: field %s is there twice", h.HeaderType, m.name)
			}
			header.Fields = append(header.Fields, b.field(Field{full, n, m.bits}))
			header.Bits += m.bits
		}
		if !h.Metadata {
			if header.Bits == 0 || header.Bits%8 != 0 {
				return fmt.Errorf("header %s: %d bits, expected a whole number of bytes", h.Name, header.Bits)
			}
			header.Valid = b.field(Field{h.Name + ".$valid$", n, 1})
		}
		b.p.Headers = append(b.p.Headers, header)
	}
	find := func(name string) int {
		if i, ok := b.fields["standard_metadata."+name]; ok {
			return i
		}
		return -1
	}
	b.p.Standard = Standard{find("ingress_port"), find("egress_spec"), find("egress_port"), find("packet_length")}
	if b.p.Standard.EgressSpec < 0 {
		return fmt.Errorf("no field standard_metadata.egress_spec: only the v1model architecture is supported")
	}
	return nil
}

func (b *bmv2Reader) field(f Field) int {
	b.fields[f.Name] = len(b.p.Fields)
	b.p.Fields = append(b.p.Fields, f)
	return len(b.p.Fields) - 1
}

// fieldRef resolves ["ipv4", "ttl"].
func (b *bmv2Reader) fieldRef(ref []string) (int, error) {
	if len(ref) != 2 {
		return 0, fmt.Errorf("a field is [header, field], not %q", ref)
	}
	f, ok := b.fields[ref[0]+"."+ref[1]]
	if !ok {
		return 0, fmt.Errorf("there is no field %s.%s", ref[0], ref[1])
	}
	return f, nil
}

func (b *bmv2Reader) headerRef(raw json.RawMessage) (int, error) {
	var name string
	if json.Unmarshal(raw, &name) != nil {
		return 0, fmt.Errorf("a header is given by its name, not by %s", raw)
	}
	h, ok := b.headers[name]
	if !ok {
		return 0, fmt.Errorf("there is no header %q", name)
	}
	return h, nil
}

func (b *bmv2Reader) readParser() error {
	p := b.p
	if len(b.in.Parsers) != 1 {
		return fmt.Errorf("%d parsers, expected one", len(b.in.Parsers))
	}
	parser := b.in.Parsers[0]
	states := map[string]int{}
	for i, s := range parser.ParseStates {
		if _, twice := states[s.Name]; twice {
			return fmt.Errorf("parser state %s is there twice", s.Name)
		}
		states[s.Name] = i
	}
	start, ok := states[parser.InitState]
	if !ok {
		return fmt.Errorf("the parser starts in %q, which is no state", parser.InitState)
	}
	p.Start = start
	for _, s := range parser.ParseStates {
		state, err := b.state(s, states)
		if err != nil {
			return fmt.Errorf("parser state %s: %w", s.Name, err)
		}
		p.States = append(p.States, state)
	}
	if name := loop(len(p.States), p.Start, func(i int) (next []int) {
		for _, t := range p.States[i].Transitions {
			next = append(next, t.Next)
		}
		return next
	}); name >= 0 {
		return fmt.Errorf("parser state %s: it can come back to itself, which takes header stacks: not supported", p.States[name].Name)
	}
	return nil
}

func (b *bmv2Reader) state(s bmv2PState, states map[string]int) (State, error) {
	state := State{Name: s.Name}
	for _, op := range s.ParserOps {
		switch {
		case op.Op == "extract" && len(op.Parameters) == 1 && op.Parameters[0].Type == "regular":
			h, err := b.headerRef(op.Parameters[0].Value)
			if err != nil {
				return state, err
			}
			if b.p.Headers[h].Metadata {
				return state, fmt.Errorf("%s is metadata and cannot be extracted", b.p.Headers[h].Name)
			}
			state.Ops = append(state.Ops, ParserOp{Header: h, Field: -1})
		case op.Op == "set" && len(op.Parameters) == 2:
			f, value, err := b.assignment(op.Parameters)
			if err != nil {
				return state, err
			}
			state.Ops = append(state.Ops, ParserOp{Header: -1, Field: f, Value: value})
		default:
			return state, fmt.Errorf("parser operation %q is not supported here, expected extract of a header or set", op.Op)
		}
	}
	bits := 0
	var widths []int
	for _, k := range s.TransitionKey {
		var ref []string
		if k.Type != "field" || json.Unmarshal(k.Value, &ref) != nil {
			return state, fmt.Errorf("a transition key of type %q is not supported, expected field", k.Type)
		}
		f, err := b.fieldRef(ref)
		if err != nil {
			return state, err
		}
		state.Key = append(state.Key, f)
		widths = append(widths, (b.p.Fields[f].Bits+7)/8*8) // each field of the key takes whole bytes in the values
		bits += b.p.Fields[f].Bits
	}
	if bits > 64 {
		return state, fmt.Errorf("a transition key of %d bits, at most 64 are supported", bits)
	}
	for _, t := range s.Transitions {
		tr := Transition{Next: Accept}
		if t.NextState != nil {
			next, ok := states[*t.NextState]
			if !ok {
				return state, fmt.Errorf("there is no state %q", *t.NextState)
			}
			tr.Next = next
		}
		switch t.Type {
		case "default":
		case "hexstr":
			if t.Value == nil || len(state.Key) == 0 {
				return state, fmt.Errorf("a transition without value or key")
			}
			v, err := b.number(*t.Value)
			if err != nil {
				return state, err
			}
			m := ^uint64(0)
			if t.Mask != nil {
				if m, err = b.number(*t.Mask); err != nil {
					return state, err
				}
			}
			tr.Value, tr.Mask = b.pack(v, state.Key, widths), b.pack(m, state.Key, widths)
			tr.Value &= tr.Mask
		default:
			return state, fmt.Errorf("a transition of type %q is not supported, expected hexstr or default", t.Type)
		}
		state.Transitions = append(state.Transitions, tr)
	}
	return state, nil
}

// pack takes the bits of each field out of its bytes and puts them side by side.
func (b *bmv2Reader) pack(v uint64, key, widths []int) uint64 {
	packed, at := uint64(0), 0
	for _, w := range widths {
		at += w
	}
	for i, f := range key {
		at -= widths[i]
		bits := b.p.Fields[f].Bits
		part := uint64(0)
		if at < 64 {
			part = v >> at & ones(bits)
		}
		packed = packed<<bits | part
	}
	return packed
}

func (b *bmv2Reader) assignment(params []bmv2Value) (int, *Expr, error) {
	var ref []string
	if params[0].Type != "field" || json.Unmarshal(params[0].Value, &ref) != nil {
		return 0, nil, fmt.Errorf("something of type %q is assigned to, expected field", params[0].Type)
	}
	f, err := b.fieldRef(ref)
	if err != nil {
		return 0, nil, err
	}
	value, err := b.expression(&params[1], nil, 0)
	return f, value, err
}

func (b *bmv2Reader) readActions() error {
	for _, a := range b.in.Actions {
		if a.ID == nil || a.Name == "" {
			return fmt.Errorf("action %q: no name or no id", a.Name)
		}
		if _, twice := b.actions[*a.ID]; twice {
			return fmt.Errorf("action %s: id %d is there twice", a.Name, *a.ID)
		}
		b.actions[*a.ID] = len(b.p.Actions)
		action := Action{ID: *a.ID, Name: a.Name}
		for _, d := range a.RuntimeData {
			if d.Bitwidth < 1 || d.Bitwidth > maxBits {
				return fmt.Errorf("action %s: parameter %s has %d bits", a.Name, d.Name, d.Bitwidth)
			}
			action.Params = append(action.Params, Param{d.Name, d.Bitwidth})
		}
		for _, o := range a.Primitives {
			op, err := b.primitive(o, action.Params)
			if err != nil {
				return fmt.Errorf("action %s: %w", a.Name, err)
			}
			action.Ops = append(action.Ops, op)
		}
		b.p.Actions = append(b.p.Actions, action)
	}
	return nil
}

func (b *bmv2Reader) primitive(o bmv2Primitive, params []Param) (Primitive, error) {
	op := Primitive{Field: -1, Header: -1}
	want := map[string]int{"assign": 2, "add_header": 1, "remove_header": 1, "mark_to_drop": 1}
	n, ok := want[o.Op]
	if !ok {
		return op, fmt.Errorf("primitive %q is not supported, expected assign, add_header, remove_header or mark_to_drop", o.Op)
	}
	if len(o.Parameters) != n && !(o.Op == "mark_to_drop" && len(o.Parameters) == 0) {
		return op, fmt.Errorf("%s has %d parameters, expected %d", o.Op, len(o.Parameters), n)
	}
	switch o.Op {
	case "assign":
		var ref []string
		if o.Parameters[0].Type != "field" || json.Unmarshal(o.Parameters[0].Value, &ref) != nil {
			return op, fmt.Errorf("assign to something of type %q, expected field", o.Parameters[0].Type)
		}
		f, err := b.fieldRef(ref)
		if err != nil {
			return op, err
		}
		op.Op, op.Field = Assign, f
		op.Value, err = b.expression(&o.Parameters[1], params, 0)
		return op, err
	case "mark_to_drop":
		op.Op, op.Field = Drop, b.p.Standard.EgressSpec
		return op, nil
	}
	h, err := b.headerRef(o.Parameters[0].Value)
	if err != nil {
		return op, err
	}
	if b.p.Headers[h].Metadata {
		return op, fmt.Errorf("%s of %s, which is metadata", o.Op, b.p.Headers[h].Name)
	}
	op.Op, op.Header = AddHeader, h
	if o.Op == "remove_header" {
		op.Op = RemoveHeader
	}
	return op, nil
}

var operators = map[string]Operator{"+": Add, "-": Sub, "*": Mul, "<<": ShiftLeft, ">>": ShiftRight, "&": And, "|": Or, "^": Xor, "~": Not,
	"==": Equal, "!=": NotEqual, "<": Less, "<=": LessEqual, ">": Greater, ">=": GreaterEqual, "and": LogicalAnd, "or": LogicalOr, "not": LogicalNot,
	"d2b": Same, "b2d": Same}

var unary = []Operator{Not, LogicalNot, Same}

func (b *bmv2Reader) expression(v *bmv2Value, params []Param, depth int) (*Expr, error) {
	switch {
	case v == nil:
		return nil, fmt.Errorf("an operand is missing")
	case depth > 64:
		return nil, fmt.Errorf("an expression of more than 64 levels")
	}
	var text string
	switch v.Type {
	case "field":
		var ref []string
		if json.Unmarshal(v.Value, &ref) != nil {
			return nil, fmt.Errorf("a field is [header, field], not %s", v.Value)
		}
		f, err := b.fieldRef(ref)
		return &Expr{Kind: FieldValue, Field: f}, err
	case "hexstr":
		if json.Unmarshal(v.Value, &text) != nil {
			return nil, fmt.Errorf("a hexstr is a text, not %s", v.Value)
		}
		return b.constant(text)
	case "bool":
		var x bool
		if json.Unmarshal(v.Value, &x) != nil {
			return nil, fmt.Errorf("a bool is true or false, not %s", v.Value)
		}
		e := &Expr{Kind: Constant}
		if x {
			e.Const = 1
		}
		return e, nil
	case "runtime_data", "local":
		var n int
		if json.Unmarshal(v.Value, &n) != nil || n < 0 || n >= len(params) {
			return nil, fmt.Errorf("parameter %s of %d parameters", v.Value, len(params))
		}
		return &Expr{Kind: ParamValue, Param: n}, nil
	case "expression":
		return b.operation(v.Value, params, depth)
	}
	return nil, fmt.Errorf("a value of type %q is not supported", v.Type)
}

func (b *bmv2Reader) operation(raw json.RawMessage, params []Param, depth int) (*Expr, error) {
	var o bmv2Expression
	if err := json.Unmarshal(raw, &o); err != nil {
		return nil, fmt.Errorf("an expression is {op, left, right}, not %.40s", raw)
	}
	if o.Op == "" { // p4c wraps expressions in expressions
		var v bmv2Value
		if json.Unmarshal(raw, &v) != nil {
			return nil, fmt.Errorf("an expression without an operator")
		}
		return b.expression(&v, params, depth+1)
	}
	if o.Op == "valid" {
		if o.Right == nil || o.Right.Type != "header" {
			return nil, fmt.Errorf("valid of something that is no header")
		}
		h, err := b.headerRef(o.Right.Value)
		if err != nil {
			return nil, err
		}
		if b.p.Headers[h].Valid < 0 {
			return nil, fmt.Errorf("valid of %s, which is metadata", b.p.Headers[h].Name)
		}
		return &Expr{Kind: FieldValue, Field: b.p.Headers[h].Valid}, nil
	}
	e := &Expr{Kind: Operation, Operator: operators[o.Op]}
	if o.Op == "?" {
		e.Kind = Choice
	} else if e.Operator == 0 {
		return nil, fmt.Errorf("operator %q is not supported", o.Op)
	}
	var err error
	if e.Right, err = b.expression(o.Right, params, depth+1); err != nil {
		return nil, err
	}
	if e.Kind == Operation && slices.Contains(unary, e.Operator) {
		return e, nil
	}
	if e.Left, err = b.expression(o.Left, params, depth+1); err != nil {
		return nil, err
	}
	if e.Kind == Choice {
		e.Cond, err = b.expression(o.Cond, params, depth+1)
	}
	return e, err
}

func (b *bmv2Reader) constant(text string) (*Expr, error) {
	digits, ok := strings.CutPrefix(text, "0x")
	if !ok || digits == "" || strings.Trim(digits, "0123456789abcdefABCDEF") != "" {
		return nil, fmt.Errorf("number %q, expected 0x and hexadecimal digits", text)
	}
	if digits = strings.TrimLeft(digits, "0"); len(digits) > 16 {
		return &Expr{Kind: Constant, Wide: true}, nil
	}
	v, err := strconv.ParseUint("0"+digits, 16, 64)
	return &Expr{Kind: Constant, Const: v}, err
}

// number reads a hexadecimal number of at most 64 bits.
func (b *bmv2Reader) number(text string) (uint64, error) {
	e, err := b.constant(text)
	if err != nil {
		return 0, err
	}
	if e.Wide {
		return 0, fmt.Errorf("number %q has more than 64 bits, which is not supported here", text)
	}
	return e.Const, nil
}

// ones returns a mask of the lowest n bits.
func ones(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// loop returns a node that can be reached from itself, -1 if there is none. Nodes are numbered from 0; numbers below 0 are ends.
func loop(n, start int, next func(int) []int) int {
	const open, done = 1, 2
	state := make([]int, n)
	var visit func(int) int
	visit = func(v int) int {
		if v < 0 || state[v] == done {
			return -1
		}
		if state[v] == open {
			return v
		}
		state[v] = open
		for _, w := range next(v) {
			if found := visit(w); found >= 0 {
				return found
			}
		}
		state[v] = done
		return -1
	}
	return visit(start)
}

package p4

import (
	"encoding/json"
	"fmt"
	"math/big"
)

func (b *bmv2Reader) readParser() error {
	p := b.p
	if len(b.in.Parsers) != 1 {
		return fmt.Errorf("%d parsers, expected one", len(b.in.Parsers))
	}
	for _, s := range b.in.ParseVSets {
		b.objects["parse_vset "+s.Name] = len(p.ValueSets)
		p.ValueSets = append(p.ValueSets, ValueSet{s.Name, s.Bits})
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
	for i := range parser.ParseStates {
		s := &parser.ParseStates[i]
		state, err := b.state(s, states)
		if err != nil {
			return fmt.Errorf("parser state %s: %w", s.Name, err)
		}
		p.States = append(p.States, state)
	}
	return nil
}

func (b *bmv2Reader) state(s *bmv2PState, states map[string]int) (State, error) {
	state := State{Name: s.Name}
	for _, op := range s.ParserOps {
		x, err := b.parserOp(op.Op, op.Parameters)
		if err != nil {
			return state, fmt.Errorf("%s: %w", op.Op, err)
		}
		state.Ops = append(state.Ops, x)
	}
	parts, err := b.keyParts(s.TransitionKey)
	if err != nil {
		return state, err
	}
	bits, plain := 0, true
	for _, k := range parts {
		bits += k.Bits
		plain = plain && k.Field >= 0 && !b.p.Fields[k.Field].Signed
		state.Key = append(state.Key, k.Field)
	}
	if !plain || bits > 64 {
		state.Key, state.Parts = nil, parts
	}
	return state, b.transitions(&state, s, parts, states)
}

// parserOp reads one operation of a parser's state.
func (b *bmv2Reader) parserOp(op string, raw []json.RawMessage) (ParserOp, error) {
	x := ParserOp{Header: -1, Field: -1}
	want := map[string]int{"extract": 1, "extract_VL": 2, "set": 2, "verify": 2, "advance": 1, "shift": 1, "primitive": 1}
	n, ok := want[op]
	if !ok {
		return x, fmt.Errorf("the parser operation is not supported")
	}
	if len(raw) != n {
		return x, fmt.Errorf("%d parameters, expected %d", len(raw), n)
	}
	values := make([]bmv2Value, n)
	for i := range raw {
		if op == "primitive" || op == "shift" || op == "verify" && i == 1 && len(raw[i]) > 0 && raw[i][0] != '{' {
			continue
		}
		if err := json.Unmarshal(raw[i], &values[i]); err != nil {
			return x, fmt.Errorf("parameter %d is no {type, value}", i)
		}
	}
	var err error
	switch op {
	case "extract":
		err = b.extract(&x, &values[0])
	case "extract_VL":
		if err = b.extract(&x, &values[0]); err == nil {
			x.Value, err = b.expression(&values[1], nil, 0)
		}
		if x.Kind == Basic && err == nil && b.p.Headers[x.Header].Variable == 0 {
			err = fmt.Errorf("header %s has no field of variable length", b.p.Headers[x.Header].Name)
		}
	case "set":
		var ahead [2]int
		if x.Field, err = b.fieldParameter(&values[0]); err != nil {
			return x, err
		}
		if h := &b.p.Headers[b.p.Fields[x.Field].Header]; h.Variable > 0 && h.Fields[h.Variable-1] == x.Field {
			return x, fmt.Errorf("of %s, a field of variable length, is not supported", b.p.Fields[x.Field].Name)
		}
		if values[1].Type != "lookahead" {
			x.Value, err = b.expression(&values[1], nil, 0)
			return x, err
		}
		if json.Unmarshal(values[1].Value, &ahead) != nil || ahead[0] < 0 || ahead[1] < 1 || ahead[0]|ahead[1] > maxBits {
			return x, fmt.Errorf("a lookahead is [offset, bits], not %s", values[1].Value)
		}
		x.Kind, x.Ahead, x.Bits = Lookahead, ahead[0], ahead[1]
	case "verify":
		x.Kind = Verify
		if x.Value, err = b.expression(&values[0], nil, 0); err != nil {
			return x, err
		}
		var code uint64
		if json.Unmarshal(raw[1], &code) == nil { // the old form
			x.Error = &Expr{Kind: Constant, Const: code}
			return x, nil
		}
		x.Error, err = b.expression(&values[1], nil, 0)
	case "advance":
		x.Kind = Advance
		x.Value, err = b.expression(&values[0], nil, 0)
	case "shift":
		var bytes uint64
		if json.Unmarshal(raw[0], &bytes) != nil || bytes > maxBits {
			return x, fmt.Errorf("takes a number of bytes, not %s", raw[0])
		}
		x.Kind, x.Value = Advance, &Expr{Kind: Constant, Const: 8 * bytes}
	case "primitive":
		var call bmv2Primitive
		if json.Unmarshal(raw[0], &call) != nil {
			return x, fmt.Errorf("the parameter is no {op, parameters}")
		}
		x.Kind, x.Call = Call, &Primitive{}
		*x.Call, err = b.primitive(call, nil)
	}
	return x, err
}

func (b *bmv2Reader) extract(x *ParserOp, v *bmv2Value) (err error) {
	switch v.Type {
	case "regular":
		if x.Header, err = b.headerRef(v.Value); err == nil && b.p.Headers[x.Header].Metadata {
			err = fmt.Errorf("%s is metadata and cannot be extracted", b.p.Headers[x.Header].Name)
		}
	case "stack":
		x.Kind = ExtractNext
		x.Object, err = b.object("header_stack", v.Value)
	case "union_stack":
		var ref []string
		if json.Unmarshal(v.Value, &ref) != nil || len(ref) != 2 {
			return fmt.Errorf("a member of a stack of unions is [stack, member], not %s", v.Value)
		}
		name, _ := json.Marshal(ref[0])
		if x.Object, err = b.object("header_union_stack", name); err == nil {
			x.Kind = ExtractUnion
			x.Header, err = b.unionMember(ref[0], ref[1])
		}
	default:
		err = fmt.Errorf("to a %q is not supported, expected regular, stack or union_stack", v.Type)
	}
	return err
}

func (b *bmv2Reader) keyParts(key []bmv2Value) (parts []KeyPart, err error) {
	for _, k := range key {
		x := KeyPart{Field: -1, Stack: -1, UnionStack: -1}
		var ref []string
		switch k.Type {
		case "field":
			if x.Field, err = b.fieldParameter(&k); err == nil {
				x.Bits = b.p.Fields[x.Field].Bits
			}
		case "stack_field":
			if x.Stack, x.Offset, err = b.stackField(k.Value); err == nil {
				x.Bits = b.p.Fields[b.p.Headers[b.p.Stacks[x.Stack].Headers[0]].member(x.Offset)].Bits
			}
		case "union_stack_field":
			if json.Unmarshal(k.Value, &ref) != nil || len(ref) != 3 {
				return nil, fmt.Errorf("a field of a stack of unions is [stack, member, field], not %s", k.Value)
			}
			n, ok := b.objects["header_union_stack "+ref[0]]
			if !ok {
				return nil, fmt.Errorf("there is no header_union_stack %q", ref[0])
			}
			if x.Member, err = b.unionMember(ref[0], ref[1]); err != nil {
				return nil, err
			}
			x.UnionStack = n
			h := &b.p.Headers[b.p.Unions[b.p.UnionStacks[n].Unions[0]].Headers[x.Member]]
			x.Offset = -1
			for i, f := range h.Fields {
				if b.p.Fields[f].Name == h.Name+"."+ref[2] {
					x.Offset, x.Bits = i, b.p.Fields[f].Bits
				}
			}
			if x.Offset < 0 {
				err = fmt.Errorf("there is no field %s of %s", ref[2], h.Name)
			}
		case "lookahead":
			var ahead [2]int
			if json.Unmarshal(k.Value, &ahead) != nil || ahead[0] < 0 || ahead[1] < 1 || ahead[0]|ahead[1] > maxBits {
				return nil, fmt.Errorf("a lookahead is [offset, bits], not %s", k.Value)
			}
			x.Ahead, x.Bits = ahead[0], ahead[1]
		default:
			err = fmt.Errorf("a transition key of type %q is not supported", k.Type)
		}
		if err != nil {
			return nil, err
		}
		parts = append(parts, x)
	}
	return parts, nil
}

// transitions reads them in the order in which they count: the default last.
func (b *bmv2Reader) transitions(state *State, s *bmv2PState, parts []KeyPart, states map[string]int) error {
	otherwise, any := Accept, false
	for _, t := range s.Transitions {
		next, kind := Accept, "hexstr"
		if t.NextState != nil {
			n, ok := states[*t.NextState]
			if !ok {
				return fmt.Errorf("there is no state %q", *t.NextState)
			}
			next = n
		}
		if t.Type != nil {
			kind = *t.Type
		}
		if kind == "hexstr" && t.Value != nil && *t.Value == "default" {
			kind = "default"
		}
		if kind == "default" {
			otherwise, any = next, true
			continue
		}
		if kind != "hexstr" && kind != "parse_vset" {
			return fmt.Errorf("a transition of type %q is not supported, expected hexstr, parse_vset or default", kind)
		}
		if t.Value == nil || len(parts) == 0 {
			return fmt.Errorf("a transition without value or key")
		}
		tr := Transition{Next: next}
		v, mask := new(big.Int), padded(parts, nil)
		var err error
		if t.Mask != nil {
			if mask, err = b.number(*t.Mask); err != nil {
				return err
			}
		}
		if kind == "hexstr" {
			if v, err = b.number(*t.Value); err != nil {
				return err
			}
		} else {
			name, _ := json.Marshal(*t.Value)
			set, err := b.object("parse_vset", name)
			if err != nil {
				return err
			}
			tr.Set = 1 + set
		}
		if t.Mask != nil {
			v.And(v, mask)
		}
		if new(big.Int).AndNot(v, padded(parts, nil)).Sign() != 0 {
			continue // bits that no field has: never taken
		}
		wide, wideMask := pack(v, parts), pack(mask, parts)
		wide = new(big.Int).And(wide, wideMask)
		if state.Parts != nil {
			tr.WideValue, tr.WideMask = wide, wideMask
		} else {
			tr.Value, tr.Mask = wide.Uint64(), wideMask.Uint64()
		}
		state.Transitions = append(state.Transitions, tr)
	}
	if any {
		t := Transition{Next: otherwise}
		if state.Parts != nil {
			t.WideValue, t.WideMask = new(big.Int), new(big.Int)
		}
		state.Transitions = append(state.Transitions, t)
	}
	return nil
}

// padded returns ones where the parts are, each in whole bytes.
func padded(parts []KeyPart, v Number) Number {
	if v == nil {
		v = new(big.Int)
	}
	for _, k := range parts {
		v.Or(v.Lsh(v, uint(k.Bits+7)/8*8), wideOnes(k.Bits))
	}
	return v
}

// pack takes the bits of each part out of its bytes and puts them side by side.
func pack(v Number, parts []KeyPart) Number {
	packed, at := new(big.Int), uint(0)
	for _, k := range parts {
		at += uint(k.Bits+7) / 8 * 8
	}
	part := new(big.Int)
	for _, k := range parts {
		at -= uint(k.Bits+7) / 8 * 8
		packed.Or(packed.Lsh(packed, uint(k.Bits)), part.And(part.Rsh(v, at), wideOnes(k.Bits)))
	}
	return packed
}

func (b *bmv2Reader) fieldParameter(v *bmv2Value) (int, error) {
	var ref []string
	if v.Type != "field" || json.Unmarshal(v.Value, &ref) != nil {
		return 0, fmt.Errorf("something of type %q where a field is expected", v.Type)
	}
	return b.fieldRef(ref)
}

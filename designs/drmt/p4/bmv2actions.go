package p4

import (
	"encoding/json"
	"fmt"
)

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
			action.Params = append(action.Params, Param{Name: d.Name, Bits: d.Bitwidth})
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

// parameterKind is what a primitive wants in a place.
type parameterKind uint8

const (
	toField    parameterKind = iota // a field, or the rule that finds one
	toHeader                        // a header
	fromHeader                      // a header that is read
	operand                         // a value
	counters                        // an array of counters, ...
	meters
	registers
	calculation
	stack // of headers or unions
	passedOver
)

type signature struct {
	op     Op
	params []parameterKind
}

var signatures = map[string]signature{
	"assign": {Assign, []parameterKind{toField, operand}}, "modify_field": {Assign, []parameterKind{toField, operand}},
	"assign_VL":  {AssignVariable, []parameterKind{toField, toField}},
	"add_header": {AddHeader, []parameterKind{toHeader}}, "remove_header": {RemoveHeader, []parameterKind{toHeader}},
	"add_header_fast": {MarkValid, []parameterKind{toHeader}},
	"assign_header":   {AssignHeader, []parameterKind{toHeader, fromHeader}},
	"copy_header":     {AssignHeader, []parameterKind{toHeader, fromHeader}},
	"mark_to_drop":    {Drop, []parameterKind{passedOver}}, "drop": {Drop, nil}, "no_op": {NoOp, nil},
	"push": {Push, []parameterKind{stack, operand}}, "pop": {Pop, []parameterKind{stack, operand}},
	"exit": {
		Exit, nil,
	}, "_jump": {Jump, []parameterKind{operand}}, "_jump_if_zero": {JumpIfZero, []parameterKind{operand, operand}},
	"assert": {Assert, []parameterKind{operand}}, "assume": {Assert, []parameterKind{operand}},
	"log_msg": {NoOp, []parameterKind{passedOver, passedOver}}, "count": {Count, []parameterKind{counters, operand}},
	"execute_meter":                       {ExecuteMeter, []parameterKind{meters, operand, toField}},
	"register_read":                       {ReadRegister, []parameterKind{toField, registers, operand}},
	"register_write":                      {WriteRegister, []parameterKind{registers, operand, operand}},
	"modify_field_with_hash_based_offset": {Hash, []parameterKind{toField, operand, calculation, operand}},
	"modify_field_rng_uniform":            {Random, []parameterKind{toField, operand, operand}},
	"generate_digest":                     {Digest, []parameterKind{operand, operand}},
	"clone_ingress_pkt_to_egress":         {CloneIngress, []parameterKind{operand, operand}},
	"clone_egress_pkt_to_egress":          {CloneEgress, []parameterKind{operand, operand}},
	"resubmit":                            {Resubmit, []parameterKind{operand}},
	"recirculate":                         {Recirculate, []parameterKind{operand}},
	"truncate":                            {Truncate, []parameterKind{operand}},
}

// arithmetic are P4-14's primitives that write an operator's result: of the field itself and one operand, or of two.
var arithmetic = map[string]struct {
	op  Operator
	two bool
}{"add_to_field": {Add, false}, "subtract_from_field": {Sub, false}, "add": {Add, true}, "subtract": {Sub, true},
	"bit_xor": {Xor, true}, "bit_or": {Or, true}, "bit_and": {And, true}, "shift_left": {ShiftLeft, true},
	"shift_right": {ShiftRight, true}}

func (b *bmv2Reader) primitive(o bmv2Primitive, params []Param) (Primitive, error) {
	x := Primitive{Field: -1, Header: -1}
	fail := func(err error) (Primitive, error) {
		if err != nil {
			err = fmt.Errorf("%s: %w", o.Op, err)
		}
		return x, err
	}
	if a, ok := arithmetic[o.Op]; ok {
		n := 2
		if a.two {
			n = 3
		}
		if len(o.Parameters) != n {
			return fail(fmt.Errorf("%d parameters, expected %d", len(o.Parameters), n))
		}
		x.Op = Assign
		if err := b.destination(&x, &o.Parameters[0], params); err != nil {
			return fail(err)
		}
		left, err := b.expression(&o.Parameters[n-2], params, 0)
		if err != nil {
			return fail(err)
		}
		right, err := b.expression(&o.Parameters[n-1], params, 0)
		x.Value = &Expr{Kind: Operation, Operator: a.op, Left: left, Right: right}
		return fail(err)
	}
	switch o.Op {
	case "assign_union", "assign_header_stack", "assign_union_stack":
		err := b.wholeAssignment(&x, o)
		return x, err
	}
	sig, ok := signatures[o.Op]
	if !ok {
		return x, fmt.Errorf("primitive %q is not supported", o.Op)
	}
	if len(o.Parameters) != len(sig.params) && !(sig.op == Drop && len(o.Parameters) == 0) {
		return fail(fmt.Errorf("%d parameters, expected %d", len(o.Parameters), len(sig.params)))
	}
	x.Op = sig.op
	for i := range o.Parameters {
		if err := b.parameter(&x, sig.params[i], &o.Parameters[i], params); err != nil {
			return fail(err)
		}
	}
	switch x.Op {
	case Drop:
		x.Field = b.p.Standard.EgressSpec
	case Random:
		x.Object = b.places
		b.places++
	case Assign:
		x.Value, x.Args = x.Args[0], nil
	case Jump, JumpIfZero:
		if x.Args[len(x.Args)-1].Kind != Constant {
			return fail(fmt.Errorf("a place that is no constant is not supported"))
		}
	case AddHeader, RemoveHeader, MarkValid, AssignHeader:
		if x.Header >= 0 && b.p.Headers[x.Header].Metadata && x.Op != AssignHeader {
			return x, fmt.Errorf("%s of %s, which is metadata", o.Op, b.p.Headers[x.Header].Name)
		}
		if x.Op == AssignHeader {
			to := x.Header
			if to < 0 {
				to = b.headerOf(x.Dest)
			}
			if from := b.headerOf(x.Source); b.p.Headers[from].Type != b.p.Headers[to].Type {
				return x, fmt.Errorf("%s of a %s to a %s", o.Op, b.p.Headers[from].Type, b.p.Headers[to].Type)
			}
		}
	}
	return x, nil
}

func (b *bmv2Reader) parameter(x *Primitive, kind parameterKind, v *bmv2Value, params []Param) error {
	arrays := map[parameterKind]string{counters: "counter_array", meters: "meter_array", registers: "register_array"}
	switch kind {
	case passedOver:
		return nil
	case toField:
		if x.Op == AssignVariable && x.Field >= 0 {
			f, err := b.fieldParameter(v)
			x.Object = f
			return err
		}
		return b.destination(x, v, params)
	case toHeader, fromHeader:
		e, err := b.expression(v, params, 0)
		if err != nil {
			return err
		}
		if b.headerOf(e) < 0 {
			return fmt.Errorf("something of type %q where a header is expected", v.Type)
		}
		switch {
		case kind == fromHeader:
			x.Source = e
		case e.Kind == HeaderValue:
			x.Header = e.Field
		default:
			x.Dest = e
		}
		return nil
	case operand:
		e, err := b.expression(v, params, 0)
		x.Args = append(x.Args, e)
		return err
	case stack:
		var err error
		if x.Object, err = b.object("header_stack", v.Value); v.Type == "header_union_stack" {
			x.Object, err = b.object(v.Type, v.Value)
			x.Op = map[Op]Op{Push: PushUnions, Pop: PopUnions}[x.Op]
		}
		return err
	case calculation:
		var name string
		if json.Unmarshal(v.Value, &name) != nil {
			return fmt.Errorf("a calculation is given by its name, not by %s", v.Value)
		}
		n, ok := b.calculations[name]
		if !ok {
			return fmt.Errorf("there is no calculation %q", name)
		}
		x.Object = n
		return nil
	}
	var err error
	x.Object, err = b.object(arrays[kind], v.Value)
	return err
}

// destination reads the written target: nearly always a field.
func (b *bmv2Reader) destination(x *Primitive, v *bmv2Value, params []Param) error {
	e, err := b.expression(v, params, 0)
	if err != nil {
		return err
	}
	switch e.Kind {
	case FieldValue:
		x.Field = e.Field
	case Member, RegisterValue:
		x.Dest = e
	default:
		return fmt.Errorf("something of type %q is written, expected a field", v.Type)
	}
	return nil
}

// wholeAssignment reads a copy of a union, a stack or a stack of unions.
func (b *bmv2Reader) wholeAssignment(x *Primitive, o bmv2Primitive) error {
	kind := map[string]string{"assign_union": "header_union", "assign_header_stack": "header_stack",
		"assign_union_stack": "header_union_stack"}[o.Op]
	x.Op = map[string]Op{"header_union": AssignUnion, "header_stack": AssignStack,
		"header_union_stack": AssignUnionStack}[kind]
	if len(o.Parameters) != 2 {
		return fmt.Errorf("%s: %d parameters, expected 2", o.Op, len(o.Parameters))
	}
	var err error
	if x.Object, err = b.object(kind, o.Parameters[0].Value); err == nil {
		x.From, err = b.object(kind, o.Parameters[1].Value)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", o.Op, err)
	}
	p := b.p
	same := false
	switch x.Op {
	case AssignUnion:
		same = b.sameUnions(x.Object, x.From)
	case AssignStack:
		to, from := p.Stacks[x.Object].Headers, p.Stacks[x.From].Headers
		same = len(to) == len(from) && p.Headers[to[0]].Type == p.Headers[from[0]].Type
	case AssignUnionStack:
		to, from := p.UnionStacks[x.Object].Unions, p.UnionStacks[x.From].Unions
		same = len(to) == len(from) && b.sameUnions(to[0], from[0])
	}
	if !same {
		return fmt.Errorf("%s: the two have different types, or numbers of elements", o.Op)
	}
	return nil
}

// readArrays reads the state that outlives a packet, and the lists of fields that do.
func (b *bmv2Reader) readArrays() error {
	p := b.p
	add := func(kind, name string, size, n int) error {
		if _, twice := b.objects[kind+" "+name]; twice || name == "" {
			return fmt.Errorf("%s %q: no name, or one that is there twice", kind, name)
		}
		if size < 0 || size > maxArray {
			return fmt.Errorf("%s %s: %d elements, expected 0 to %d", kind, name, size, maxArray)
		}
		b.objects[kind+" "+name] = n
		return nil
	}
	for _, r := range b.in.RegisterArrays {
		if err := add("register_array", r.Name, r.Size, len(p.Registers)); err != nil {
			return err
		}
		if r.Bits < 1 || r.Bits > maxBits {
			return fmt.Errorf("register_array %s: %d bits, expected 1 to %d", r.Name, r.Bits, maxBits)
		}
		p.Registers = append(p.Registers, Register{r.Name, r.Size, r.Bits})
	}
	for _, c := range b.in.CounterArrays {
		if err := add("counter_array", c.Name, c.Size, len(p.Counters)); err != nil {
			return err
		}
		p.Counters = append(p.Counters, Counter{c.Name, c.Size, c.Direct})
	}
	for _, m := range b.in.MeterArrays {
		if err := add("meter_array", m.Name, m.Size, len(p.Meters)); err != nil {
			return err
		}
		x := Meter{Name: m.Name, Size: m.Size, Rates: m.Rates, Bytes: m.Type == "bytes", Direct: m.Direct, Target: -1}
		if m.Type != "bytes" && m.Type != "packets" || m.Rates < 0 || m.Rates > 16 {
			return fmt.Errorf("meter_array %s: type %q with %d rates, expected bytes or packets", m.Name, m.Type, m.Rates)
		}
		if m.Direct {
			var ref []string
			if json.Unmarshal(m.Target, &ref) != nil {
				return fmt.Errorf("meter_array %s: its result_target is no [header, field]", m.Name)
			}
			f, err := b.fieldRef(ref)
			if err != nil {
				return fmt.Errorf("meter_array %s: %w", m.Name, err)
			}
			x.Target = f
		}
		p.Meters = append(p.Meters, x)
	}
	for _, l := range b.in.FieldLists {
		list := FieldList{ID: l.ID}
		for i := range l.Elements {
			switch l.Elements[i].Type {
			case "field":
				f, err := b.fieldParameter(&l.Elements[i])
				if err != nil {
					return fmt.Errorf("field list %d: %w", l.ID, err)
				}
				list.Fields = append(list.Fields, f)
			case "hexstr":
			default:
				return fmt.Errorf("field list %d: an element of type %q is not supported", l.ID, l.Elements[i].Type)
			}
		}
		p.FieldLists = append(p.FieldLists, list)
	}
	return nil
}

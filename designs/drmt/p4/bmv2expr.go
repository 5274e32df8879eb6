package p4

import (
	"encoding/json"
	"fmt"
	"slices"
)

var operators = map[string]Operator{
	"+": Add, "-": Sub, "*": Mul, "/": Div, "%": Mod,
	"<<": ShiftLeft, ">>": ShiftRight, "&": And, "|": Or, "^": Xor,
	"~": Not, "==": Equal, "!=": NotEqual, "<": Less,
	"<=": LessEqual, ">": Greater, ">=": GreaterEqual, "and": LogicalAnd,
	"or": LogicalOr, "not": LogicalNot, "d2b": Same, "b2d": Same,
	"two_comp_mod": TwoComplement, "sat_cast": SaturateSigned, "usat_cast": SaturateNatural,
}

var unary = []Operator{Not, LogicalNot, Same}

// expression reads anything that has a value.
func (b *bmv2Reader) expression(v *bmv2Value, params []Param, depth int) (*Expr, error) {
	switch {
	case v == nil:
		return nil, fmt.Errorf("an operand is missing")
	case depth > 64:
		return nil, fmt.Errorf("an expression of more than 64 levels")
	case v.Op != "":
		return b.operation(v, params, depth)
	}
	switch v.Type {
	case "field":
		var ref []string
		if json.Unmarshal(v.Value, &ref) != nil {
			return nil, fmt.Errorf("a field is [header, field], not %s", v.Value)
		}
		f, err := b.fieldRef(ref)
		return &Expr{Kind: FieldValue, Field: f}, err
	case "hexstr":
		var text string
		if json.Unmarshal(v.Value, &text) != nil {
			return nil, fmt.Errorf("a hexstr is a text, not %s", v.Value)
		}
		n, err := b.number(text)
		return constant(n), err
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
		var inner bmv2Value
		if err := json.Unmarshal(v.Value, &inner); err != nil {
			return nil, fmt.Errorf("an expression is {op, left, right}, not %.40s", v.Value)
		}
		return b.expression(&inner, params, depth+1)
	}
	return b.reference(v, params, depth)
}

// reference reads the name of a header, a stack, a union or a register.
func (b *bmv2Reader) reference(v *bmv2Value, params []Param, depth int) (*Expr, error) {
	switch v.Type {
	case "header":
		h, err := b.headerRef(v.Value)
		return &Expr{Kind: HeaderValue, Field: h}, err
	case "header_stack", "header_union_stack":
		n, err := b.object(v.Type, v.Value)
		e := &Expr{Kind: StackSize, Field: n} // the operator that uses it takes the number
		if v.Type == "header_union_stack" {
			e.Param = OfUnions
		}
		return e, err
	case "header_union":
		n, err := b.object(v.Type, v.Value)
		return &Expr{Kind: UnionValue, Field: n}, err
	case "stack_field":
		stack, offset, err := b.stackField(v.Value)
		return &Expr{Kind: Member, Left: &Expr{Kind: LastElement, Field: stack}, Param: offset}, err
	case "register":
		var pair []json.RawMessage
		var index bmv2Value
		if json.Unmarshal(v.Value, &pair) != nil || len(pair) != 2 || json.Unmarshal(pair[1], &index) != nil {
			return nil, fmt.Errorf("a register is [array, index], not %s", v.Value)
		}
		n, err := b.object("register_array", pair[0])
		if err != nil {
			return nil, err
		}
		at, err := b.expression(&index, params, depth+1)
		return &Expr{Kind: RegisterValue, Field: n, Right: at}, err
	}
	return nil, fmt.Errorf("a value of type %q is not supported", v.Type)
}

// stackField resolves ["labels", "bos"].
func (b *bmv2Reader) stackField(raw json.RawMessage) (stack, offset int, err error) {
	var ref []string
	if json.Unmarshal(raw, &ref) != nil || len(ref) != 2 {
		return 0, 0, fmt.Errorf("a field of a stack is [stack, field], not %s", raw)
	}
	stack, ok := b.objects["header_stack "+ref[0]]
	if !ok {
		return 0, 0, fmt.Errorf("there is no header_stack %q", ref[0])
	}
	h := b.p.Stacks[stack].Headers[0]
	f, err := b.fieldRef([]string{b.p.Headers[h].Name, ref[1]})
	return stack, slices.Index(b.p.Headers[h].Fields, f), err
}

func (b *bmv2Reader) operation(o *bmv2Value, params []Param, depth int) (*Expr, error) {
	operand := func(raw json.RawMessage) (*Expr, error) {
		var v bmv2Value
		if len(raw) == 0 || json.Unmarshal(raw, &v) != nil {
			return nil, fmt.Errorf("operator %s: an operand is missing", o.Op)
		}
		return b.expression(&v, params, depth+1)
	}
	offset := func() (n int, err error) {
		if json.Unmarshal(o.Right, &n) != nil || n < 0 {
			return 0, fmt.Errorf("%s takes a number, not %.40s", o.Op, o.Right)
		}
		return n, nil
	}
	both := func(e *Expr) (*Expr, error) {
		var err error
		if e.Left, err = b.expression(o.Left, params, depth+1); err == nil {
			e.Right, err = operand(o.Right)
		}
		return e, err
	}
	switch o.Op {
	case "valid", "valid_union":
		e, err := operand(o.Right)
		if err != nil {
			return nil, err
		}
		return b.valid(e)
	case "==h", "!=h", "==u", "!=u":
		e, err := both(&Expr{Kind: SameHeader})
		if o.Op[0] == '!' {
			e = &Expr{Kind: Operation, Operator: LogicalNot, Right: e}
		}
		return e, err
	case "last_stack_index", "size_stack":
		e, err := operand(o.Right)
		if err == nil && e.Kind != StackSize {
			err = fmt.Errorf("%s takes a stack", o.Op)
		}
		if err == nil && o.Op == "last_stack_index" {
			e.Kind = LastIndex
		}
		return e, err
	case "dereference_stack", "dereference_header_stack", "dereference_union_stack":
		e, err := both(&Expr{Kind: StackElement})
		if err != nil {
			return nil, err
		}
		kind := "header_stack"
		if o.Op == "dereference_union_stack" {
			e.Kind, kind = UnionElement, "header_union_stack"
		}
		if e.Left.Kind != StackSize || (e.Left.Param == OfUnions) != (e.Kind == UnionElement) {
			return nil, fmt.Errorf("%s takes a %s", o.Op, kind)
		}
		e.Field, e.Left = e.Left.Field, nil
		return b.element(e), nil
	case "access_field", "access_union_header":
		left, err := b.expression(o.Left, params, depth+1)
		if err != nil {
			return nil, err
		}
		e := &Expr{Kind: Member, Left: left}
		if o.Op == "access_union_header" {
			e.Kind = UnionMember
		}
		e.Param, err = offset()
		if err == nil {
			err = b.checkMember(e)
		}
		if err == nil && e.Kind == Member && left.Kind == HeaderValue {
			return &Expr{Kind: FieldValue, Field: b.p.Headers[left.Field].member(e.Param)}, nil
		}
		if err == nil && e.Kind == UnionMember && left.Kind == UnionValue {
			return &Expr{Kind: HeaderValue, Field: b.p.Unions[left.Field].Headers[e.Param]}, nil
		}
		return e, err
	}
	op := o.Op
	if op == "==b" || op == "!=b" {
		op = op[:2]
	}
	e := &Expr{Kind: Operation, Operator: operators[op]}
	if op == "?" {
		e.Kind = Choice
	} else if e.Operator == 0 {
		return nil, fmt.Errorf("operator %q is not supported", o.Op)
	}
	var err error
	if e.Right, err = operand(o.Right); err != nil {
		return nil, err
	}
	if e.Kind == Operation && slices.Contains(unary, e.Operator) {
		return e, b.numeric(o.Op, e.Right)
	}
	if o.Left == nil && (e.Operator == Add || e.Operator == Sub) {
		e.Left = &Expr{Kind: Constant} // a sign
		return e, nil
	}
	if e.Left, err = b.expression(o.Left, params, depth+1); err != nil {
		return nil, err
	}
	if e.Kind == Choice {
		if e.Cond, err = b.expression(o.Cond, params, depth+1); err != nil {
			return nil, err
		}
	}
	same := &Expr{Kind: SameHeader, Left: e.Left, Right: e.Right}
	switch found := e.Left.Kind >= HeaderValue && e.Right.Kind >= HeaderValue; {
	case found && e.Operator == Equal:
		return same, nil
	case found && e.Operator == NotEqual:
		return &Expr{Kind: Operation, Operator: LogicalNot, Right: same}, nil
	}
	return e, b.numeric(o.Op, e.Left, e.Right)
}

// numeric refuses headers and unions as operands of an operator on numbers.
func (b *bmv2Reader) numeric(op string, list ...*Expr) error {
	for _, e := range list {
		if e.Kind >= HeaderValue && e.Kind <= UnionMember {
			return fmt.Errorf("operator %s of a header", op)
		}
	}
	return nil
}

// element finds an element of a stack whose index is a constant.
func (b *bmv2Reader) element(e *Expr) *Expr {
	if e.Right.Kind != Constant || e.Right.Wide {
		return e
	}
	kind, list := HeaderValue, []int(nil)
	if e.Kind == UnionElement {
		kind, list = UnionValue, b.p.UnionStacks[e.Field].Unions
	} else {
		list = b.p.Stacks[e.Field].Headers
	}
	if e.Right.Const >= uint64(len(list)) {
		return e
	}
	return &Expr{Kind: kind, Field: list[e.Right.Const]}
}

// valid is a field for a header that is known, which is what nearly all are.
func (b *bmv2Reader) valid(e *Expr) (*Expr, error) {
	if e.Kind == HeaderValue {
		h := &b.p.Headers[e.Field]
		if h.Valid < 0 {
			return &Expr{Kind: Constant, Const: 1}, nil
		}
		return &Expr{Kind: FieldValue, Field: h.Valid}, nil
	}
	if e.Kind < StackElement {
		return nil, fmt.Errorf("valid of something that is no header")
	}
	return &Expr{Kind: Valid, Right: e}, nil
}

// checkMember checks that a header or union has a member of that number.
func (b *bmv2Reader) checkMember(e *Expr) error {
	n := -1
	if e.Kind == UnionMember {
		switch e.Left.Kind {
		case UnionValue:
			n = len(b.p.Unions[e.Left.Field].Headers)
		case UnionElement:
			n = len(b.p.Unions[b.p.UnionStacks[e.Left.Field].Unions[0]].Headers)
		}
	} else if h := b.headerOf(e.Left); h >= 0 {
		n = len(b.p.Headers[h].Fields)
		if b.p.Headers[h].Valid >= 0 {
			n++ // the validity bit is a field, too
		}
	}
	if e.Param >= n {
		return fmt.Errorf("member %d of something that has %d", e.Param, max(n, 0))
	}
	return nil
}

// headerOf returns a header of the type that an expression finds, -1 if it finds none.
func (b *bmv2Reader) headerOf(e *Expr) int {
	switch e.Kind {
	case HeaderValue:
		return e.Field
	case StackElement, LastElement:
		return b.p.Stacks[e.Field].Headers[0]
	case UnionMember:
		u := e.Left.Field
		if e.Left.Kind == UnionElement {
			u = b.p.UnionStacks[u].Unions[0]
		}
		return b.p.Unions[u].Headers[e.Param]
	}
	return -1
}

func constant(n Number) *Expr {
	if n == nil {
		return nil
	}
	if n.IsUint64() {
		return &Expr{Kind: Constant, Const: n.Uint64()}
	}
	return &Expr{Kind: Constant, Wide: true, Number: n}
}

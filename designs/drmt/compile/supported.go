package compile

import (
	"errors"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// Supported refuses a program, or the contents of its tables, that no machine runs; it needs no schedule.
func Supported(p *p4.Program, opt Options) error {
	c, err := newCompiler(p, opt)
	if err != nil {
		return err
	}
	if err = c.initial(opt); err != nil {
		return err
	}
	if _, err = c.parser(); err != nil {
		return err
	}
	_, err = c.deparser()
	return err
}

// supported refuses the unsupported rest when primitives have been replaced.
func supported(given, p *p4.Program) error {
	refuse := func(what string, args ...any) error {
		return fmt.Errorf("%s: "+what+": no machine runs that", append([]any{p.Name}, args...)...)
	}
	for _, pipe := range []*p4.Pipeline{&given.Ingress, &given.Egress} {
		for _, n := range pipe.Nodes {
			if n.Table == nil {
				continue
			}
			for _, k := range n.Table.Key {
				if k.Match == p4.Range && given.Fields[k.Field].Bits > 64 {
					return refuse("table %s matches ranges of %d bits", n.Name, given.Fields[k.Field].Bits)
				}
			}
		}
	}
	used := usedFields(p)
	for i, f := range p.Fields {
		if used[i] && (f.Signed || f.Saturating) {
			return refuse("field %s is signed or saturating", f.Name)
		}
	}
	for _, a := range p.Actions {
		for _, o := range a.Ops {
			if o.Op > p4.Drop && o.Op != p4.NoOp && o.Op != p4.Jump && o.Op != p4.JumpIfZero || o.Dest != nil {
				return refuse("action %s: %v", a.Name, o.Op)
			}
		}
	}
	for _, c := range p.Checksums {
		if c.Calculation > 0 {
			if x := &p.Calculations[c.Calculation-1]; x.Algorithm != p4.CSum16 {
				return refuse("checksum %s is not the Internet checksum", c.Name)
			}
		}
	}
	return nil
}

// parsed tells whether the parser extracts a header.
func parsed(p *p4.Program, name string) bool {
	for _, s := range p.States {
		for _, o := range s.Ops {
			if o.Kind == p4.Basic && o.Header >= 0 && p.Headers[o.Header].Name == name ||
				o.Kind == p4.ExtractNext && inStack(p, o.Object, name) {
				return true
			}
			if o.Kind == p4.ExtractUnion && slices.ContainsFunc(p.UnionStacks[o.Object].Unions, func(u int) bool {
				return p.Headers[p.Unions[u].Headers[o.Header]].Name == name
			}) {
				return true
			}
		}
	}
	return false
}

// changesLength tells whether a pipeline adds or removes headers.
func changesLength(p *p4.Program, pipe *p4.Pipeline) bool {
	for _, n := range pipe.Nodes {
		if n.Table == nil {
			continue
		}
		for _, a := range n.Table.Actions {
			for _, o := range p.Actions[a].Ops {
				if o.Op == p4.AddHeader || o.Op == p4.RemoveHeader {
					return true
				}
			}
		}
	}
	return false
}

// readsField tells whether a node matches on a field, compares it, or reads it in an action.
func readsField(p *p4.Program, n *p4.Node, field int) bool {
	if n.Condition != nil {
		return mentions(n.Condition.If, field)
	}
	for _, k := range n.Table.Key {
		if k.Field == field {
			return true
		}
	}
	for _, a := range n.Table.Actions {
		ops := p.Actions[a].Ops
		for i := range ops {
			for _, f := range p.Reads(&ops[i]) {
				if f == field {
					return true
				}
			}
		}
	}
	return false
}

func inStack(p *p4.Program, stack int, name string) bool {
	for _, h := range p.Stacks[stack].Headers {
		if p.Headers[h].Name == name {
			return true
		}
	}
	return false
}

var errTooMuch = errors.New("no machine computes that")

// tooMuch is errTooMuch with the name of the operation.
func tooMuch(e *p4.Expr) error {
	name := map[p4.ExprKind]string{
		p4.RegisterValue: "a register as an operand", p4.StackSize: "the size of a stack",
		p4.Member: "a stack's last element", p4.LastIndex: "the last index of a stack",
		p4.SameHeader: "a comparison of unions", p4.Valid: "whether a union is valid",
	}[e.Kind]
	if e.Kind == p4.Operation {
		name = map[p4.Operator]string{
			p4.Div: "a quotient", p4.Mod: "a remainder", p4.Mul: "a product of two values that are not constant",
			p4.ShiftLeft:  "a shift of more than 32 bits by a value that is not constant",
			p4.ShiftRight: "a shift of more than 32 bits by a value that is not constant",
		}[e.Operator]
	}
	if name == "" {
		return errTooMuch
	}
	return fmt.Errorf("%w: %s", errTooMuch, name)
}

package compile

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// heldSum begins the names of the fields that have the sum of a header's held bytes.
const heldSum = "machine.sum_of_"

// variables gives each field of variable length a field of 32 bits in its header's place: a [drmt.Held], the place of
// its bytes in the packet. Copying a header copies it. Nothing computes with the bytes but a checksum.
func (l *lowering) variables() error {
	p := l.p
	held := map[int]int{} // by field of variable length: the one in its place
	for h := range p.Headers {
		x := &p.Headers[h]
		if x.Variable == 0 {
			continue
		}
		before := 0
		for _, f := range x.Fields[:x.Variable-1] {
			before += p.Fields[f].Bits
		}
		if before%8 > 0 {
			return fmt.Errorf(
				"%s: a field of variable length within a byte of header %s: no machine runs that",
				p.Name,
				x.Name,
			)
		}
		f := x.Fields[x.Variable-1]
		held[f] = len(p.Fields)
		p.Fields = append(p.Fields, p4.Field{Name: p.Fields[f].Name, Header: h, Bits: 32})
		x.Fields = slices.Clone(x.Fields)
		x.Fields[x.Variable-1] = held[f]
	}
	if len(held) == 0 {
		return nil
	}
	for i := range p.Actions {
		a := &p.Actions[i]
		a.Ops = slices.Clone(a.Ops)
		for k := range a.Ops {
			o := &a.Ops[k]
			if o.Op == p4.AssignVariable && held[o.Field] > 0 && held[o.Object] > 0 {
				*o = assignment(held[o.Field], fieldExpr(held[o.Object]))
			}
			if o.Op == p4.Recirculate {
				return fmt.Errorf(
					"%s: action %s: recirculating headers of variable length: no machine runs that",
					p.Name,
					a.Name,
				)
			}
			if o.Op == p4.AddHeader && o.Header >= 0 && p.Headers[o.Header].Variable > 0 &&
				parsed(p, p.Headers[o.Header].Name) {
				return fmt.Errorf(
					"%s: action %s: adding header %s, which has a field of variable length: no machine runs that",
					p.Name,
					a.Name,
					p.Headers[o.Header].Name,
				)
			}
		}
	}
	if err := l.heldSums(held); err != nil {
		return err
	}
	for f := range held {
		if l.stillUsed(f) {
			return fmt.Errorf(
				"%s: computing with field %s of variable length: no machine runs that",
				p.Name,
				p.Fields[f].Name,
			)
		}
	}
	return nil
}

// copied tells whether an action copies another header into one.
func copied(p *p4.Program, h int) bool {
	return slices.ContainsFunc(p.Actions, func(a p4.Action) bool {
		return slices.ContainsFunc(a.Ops, func(o p4.Primitive) bool {
			return o.Op == p4.AssignHeader && o.Header == h ||
				o.Op == p4.AssignVariable && p.Fields[o.Field].Header == h
		})
	})
}

// heldSums lets checksums take the sum of a held field, which the parser makes, as their last input.
func (l *lowering) heldSums(held map[int]int) error {
	p := l.p
	p.Checksums = slices.Clone(p.Checksums)
	for i := range p.Checksums {
		c := &p.Checksums[i]
		for k, e := range c.Input {
			if e.Kind == p4.HeaderValue && p.Headers[e.Field].Variable > 0 {
				return fmt.Errorf("%s: checksum %s: a whole header of variable length: no machine runs that", p.Name, c.Name)
			}
			if e.Kind != p4.FieldValue || held[e.Field] == 0 {
				continue
			}
			if k != len(c.Input)-1 || hasPayload(p, c) || copied(p, p.Fields[e.Field].Header) {
				return fmt.Errorf(
					"%s: checksum %s: field %s of variable length is not the last, or was copied: no machine runs that",
					p.Name,
					c.Name,
					p.Fields[e.Field].Name,
				)
			}
			c.Input, c.Bits = slices.Clone(c.Input), slices.Clone(c.Bits)
			c.Input[k], c.Bits[k] = fieldExpr(l.once(heldSum+p.Fields[e.Field].Name, 16)), 16
		}
	}
	return nil
}

// stillUsed tells whether anything reads or writes a field.
func (l *lowering) stillUsed(field int) bool {
	p := l.p
	for i := range p.Actions {
		for k := range p.Actions[i].Ops {
			o := &p.Actions[i].Ops[k]
			if slices.Contains(p.Reads(o), field) || slices.Contains(p.Writes(o), field) {
				return true
			}
		}
	}
	inputs := func(list []*p4.Expr) bool {
		return slices.ContainsFunc(list, func(e *p4.Expr) bool { return mentions(e, field) })
	}
	for i := range p.Actions {
		for _, o := range p.Actions[i].Ops {
			if o.Op == p4.Hash && inputs(p.Calculations[o.Object].Input) {
				return true
			}
		}
	}
	for _, s := range p.FieldLists {
		if slices.Contains(s.Fields, field) {
			return true
		}
	}
	return usedFields(p)[field]
}

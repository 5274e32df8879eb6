package compile

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// The fields that say which packets run again: each has the number of the fields that the packet keeps, 0 for none.
const (
	resubmitField    = "machine.resubmit"
	recirculateField = "machine.recirculate"
)

// aloneField marks a program whose packets must not overtake each other between two runs.
const aloneField = "machine.alone"

// restarts makes ready for packets that run again.
//
//   - A resubmission is ingress' alone: egress' requests go nowhere.
//   - Egress sees the instance type of a packet that came, as simple_switch has it.
//   - A packet that runs again would come to registers and random numbers after packets that came later. A program that
//     has some takes a packet when the one before has left at last.
func (l *lowering) restarts() error {
	p := l.p
	if f := p.Standard.Other(instanceType); f >= 0 {
		l.rename(&p.Egress, f, func() int { return l.once(egressInstance, p.Fields[f].Bits) })
	}
	resubmit := fieldNamed(p, resubmitField)
	if resubmit < 0 && fieldNamed(p, recirculateField) < 0 {
		return nil
	}
	if usesRegisters(p) || len(p.Draws) > 0 {
		l.once(aloneField, 1)
	}
	if resubmit >= 0 {
		l.rename(&p.Egress, resubmit, func() int { return l.once("machine.resubmit_in_egress", p.Fields[resubmit].Bits) })
	}
	return nil
}

// usesRegisters tells whether anything works on a register, or on a meter with rates.
func usesRegisters(p *p4.Program) bool {
	return worksOnRegisters(p, &p.Ingress) || worksOnRegisters(p, &p.Egress)
}

func worksOnRegisters(p *p4.Program, pipe *p4.Pipeline) bool {
	for _, n := range pipe.Nodes {
		if n.Table == nil {
			continue
		}
		for _, a := range append(slices.Clone(n.Table.Actions), max(n.Table.Default, 0)) {
			if slices.ContainsFunc(p.Actions[a].Ops, func(o p4.Primitive) bool {
				return o.Op == p4.ReadRegister || o.Op == p4.WriteRegister || o.Op == p4.ExecuteMeter
			}) {
				return true
			}
		}
		if isMeter(n.Table) {
			return true
		}
	}
	return false
}

// portInIngress is the name of the field that egress_port is in ingress, where that uses it.
const portInIngress = "machine.egress_port"

const instanceType = "standard_metadata.instance_type"

// restart makes the deparser's configuration of one way to run again. A run sets instance_type, packet_length,
// egress_port and parser_error anew. A packet that has been in egress has its egress_spec in the field of the verdict.
func (c *compiler) restart(flag string) (r drmt.Restart, err error) {
	p := c.program
	f := fieldNamed(p, flag)
	if f < 0 {
		return r, nil
	}
	s := &p.Standard
	r.Flag = c.fields.pieces[f]
	for _, list := range p.FieldLists {
		k := drmt.KeptList{Number: uint64(list.ID)}
		for _, f := range list.Fields {
			from := f
			switch f {
			case s.EgressPort:
				if fieldNamed(p, portInIngress) >= 0 {
					return r, fmt.Errorf(
						"%s: packets run again with egress_port, which ingress reads: no machine runs that", p.Name,
					)
				}
				continue
			case s.PacketLength, s.Other(instanceType), s.Other("standard_metadata.parser_error"):
				continue
			case s.EgressSpec:
				if flag == recirculateField {
					from = fieldNamed(p, verdict)
				}
			}
			if to := c.fields.pieces[f]; to != nil && from >= 0 && c.fields.pieces[from] != nil {
				k.From, k.To = append(k.From, c.fields.pieces[from]...), append(k.To, to...)
			}
		}
		r.Lists = append(r.Lists, k)
	}
	return r, nil
}

// kept are the fields of all field lists.
func kept(p *p4.Program) (all []int) {
	for _, list := range p.FieldLists {
		all = append(all, list.Fields...)
	}
	return all
}

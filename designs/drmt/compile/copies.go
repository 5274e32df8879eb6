package compile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// The fields of a machine that makes copies, see [drmt.Replication].
const (
	copyField          = "machine.copy"
	cloneField         = "machine.clone"
	cloneInEgressField = "machine.clone_in_egress"
	egressInstance     = "machine.instance_type_in_egress"
	lengthChange       = "machine.change_of_length"
	multicastGroup     = "intrinsic_metadata.mcast_grp"
)

// Copies tells whether the control plane has a multicast group or a mirroring session.
func (o *Options) Copies() bool { return o.Copied || len(o.Multicast) > 0 || len(o.Mirrors) > 0 }

// cloneRequest is a request for a clone in the form of [drmt.Replication], nil if the list's number is not constant.
func cloneRequest(o *p4.Primitive) *p4.Expr {
	session, list := substitute(o.Args[0], nil), substitute(o.Args[1], nil)
	if !isConst(list) {
		return nil
	}
	const sessions = 1<<15 - 1
	request := 1<<31 | list.Const&0xffff<<15
	if isConst(session) {
		return constant(request | session.Const&sessions)
	}
	return binary(p4.Or, binary(p4.And, session, constant(sessions)), constant(request))
}

// copying makes ready for copies of packets, if the program asks for any: copies pass by ingress, and requests for
// clones by egress have a field of their own.
func (l *lowering) copying() error {
	p := l.p
	if !l.copies {
		return nil
	}
	clone, group := fieldNamed(p, cloneField), p.Standard.Other(multicastGroup)
	written := group >= 0 && l.everWritten()[group]
	if l.copies = clone >= 0 || written; !l.copies {
		return nil
	}
	if fieldNamed(p, recirculateField) >= 0 {
		return fmt.Errorf("%s: packets are copied, and some recirculate: no machine runs that", p.Name)
	}
	if worksOnRegisters(p, &p.Egress) { // copies come to them after packets that came later
		l.once(aloneField, 1)
	}
	if clone >= 0 {
		l.rename(&p.Egress, clone, func() int { return l.once(cloneInEgressField, 32) })
	}
	of := fieldExpr(l.once(copyField, 1))
	if p.Ingress.First == p4.Accept {
		return nil
	}
	n := len(p.Ingress.Nodes)
	p.Ingress.Nodes = append(p.Ingress.Nodes, p4.Node{
		Name: "machine.copied", Condition: &p4.Condition{If: of, True: p4.Accept, False: p.Ingress.First},
	})
	p.Ingress.First = n
	return nil
}

// replication makes the configuration of copies, nil if there are none.
func (c *compiler) replication() *drmt.Replication {
	p := c.program
	if fieldNamed(p, copyField) < 0 {
		return nil
	}
	named := func(name string) []drmt.Piece {
		if f := fieldNamed(p, name); f >= 0 {
			return c.fields.pieces[f]
		}
		return nil
	}
	r := &drmt.Replication{
		Copy: named(copyField), Clone: named(cloneField), CloneInEgress: named(cloneInEgressField),
		Group: c.standard(p.Standard.Other(multicastGroup)), Port: c.fields.pieces[p.Standard.EgressSpec],
		Replica: c.standard(p.Standard.Other("intrinsic_metadata.egress_rid")), Instance: named(egressInstance),
		Limit: named(truncateField), Lists: c.cloneLists(),
	}
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for _, n := range pipe.Nodes {
			if n.Table != nil && n.Table.Array > 0 {
				r.Clear = append(r.Clear, c.fields.pieces[n.Table.Key[0].Field]...)
			}
		}
	}
	for h := range p.Headers {
		x := &p.Headers[h]
		if x.Metadata || x.Valid < 0 || c.fields.pieces[x.Valid] == nil {
			continue
		}
		y := drmt.CopiedHeader{Valid: c.fields.valid(h)}
		for _, f := range x.Fields {
			for _, piece := range c.fields.pieces[f] {
				y.Fields = append(y.Fields, piece.Field)
			}
		}
		r.Headers = append(r.Headers, y)
	}
	var kept drmt.HeaderVector
	for f := range p.Fields {
		if !c.survives(f) {
			continue
		}
		for _, piece := range c.fields.pieces[f] {
			kept.Set(piece.Field, ^uint32(0))
		}
	}
	r.Keep = kept.Words
	for _, n := range slices.Sorted(maps.Keys(c.groups)) {
		g := drmt.MulticastGroup{Number: uint32(n)}
		for _, x := range c.groups[n] {
			g.Replicas = append(g.Replicas, drmt.Replica{Port: uint16(x.Port), Number: uint16(x.ID)})
		}
		r.Groups = append(r.Groups, g)
	}
	for _, n := range slices.Sorted(maps.Keys(c.mirrors)) {
		s := c.mirrors[n]
		r.Sessions = append(r.Sessions, drmt.MirrorSession{
			Number: uint32(n), Port: uint16(max(s.Port, 0)), Group: uint16(max(s.Group, 0)), ToPort: s.Port >= 0,
			ToGroup: s.Group >= 0,
		})
	}
	return r
}

// survives tells whether a clone has a field whatever its list is: a header's, or one that says where and how long the
// packet's bytes are, a random number, or the time of arrival.
func (c *compiler) survives(f int) bool {
	p := c.program
	x := &p.Fields[f]
	own := []string{lengthChange, payloadField, timeField}
	return !p.Headers[x.Header].Metadata || f == p.Standard.PacketLength || slices.Contains(own, x.Name) ||
		strings.HasPrefix(x.Name, heldSum) || strings.HasPrefix(x.Name, randomField) ||
		slices.ContainsFunc(p.Headers, func(h p4.Header) bool { return h.Valid == f })
}

// cloneLists are the fields that clones keep. Egress sets ports, the length and instance_type anew.
func (c *compiler) cloneLists() (all []drmt.KeptList) {
	p := c.program
	s := &p.Standard
	for _, list := range p.FieldLists {
		k := drmt.KeptList{Number: uint64(list.ID)}
		for _, f := range list.Fields {
			if f != s.EgressPort && f != s.EgressSpec && f != s.PacketLength && f != s.Other(instanceType) {
				k.From, k.To = append(k.From, c.fields.pieces[f]...), append(k.To, c.fields.pieces[f]...)
			}
		}
		all = append(all, k)
	}
	return all
}

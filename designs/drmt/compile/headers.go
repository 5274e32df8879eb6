package compile

import (
	"slices"

	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// addHeaders adds the effects of add_header beyond a validity bit: fields that may have an old value become 0 unless
// the header is valid already, and the other headers of a union are not valid any more.
func (l *lowering) addHeaders() {
	p := l.p
	written := l.everWritten()
	for i := range p.Actions {
		a := &p.Actions[i]
		var ops []p4.Primitive
		for k, o := range a.Ops {
			if o.Op == p4.RemoveHeader && o.Header >= 0 {
				ops = append(ops, l.removeHeader(a.Name, o)...)
				continue
			}
			if o.Op != p4.AddHeader || o.Header < 0 {
				ops = append(ops, o)
				continue
			}
			h := &p.Headers[o.Header]
			var old []int
			for _, f := range h.Fields {
				if written[f] && !(o.If == nil && assignsFirst(a.Ops[k:], f)) {
					old = append(old, f)
				}
			}
			var fresh *p4.Expr // the header becomes valid here
			if len(old) > 0 || l.length >= 0 {
				fresh = fieldExpr(l.field(a.Name+".new", 1))
				e := binary(p4.Equal, fieldExpr(h.Valid), constant(0))
				if o.If != nil {
					e = binary(p4.LogicalAnd, o.If, e)
				}
				ops = append(ops, assignment(fresh.Field, e))
			}
			for _, f := range old {
				ops = append(ops, assignment(f, &p4.Expr{Kind: p4.Choice, Cond: fresh, Left: constant(0), Right: fieldExpr(f)}))
			}
			if l.length >= 0 {
				ops = append(ops, l.lengthen(fresh, h, p4.Add))
			}
			if h.Union > 0 {
				for _, other := range p.Unions[h.Union-1].Headers {
					if v := p.Headers[other].Valid; other != o.Header {
						e := constant(0)
						if o.If != nil {
							e = &p4.Expr{Kind: p4.Choice, Cond: o.If, Left: e, Right: fieldExpr(v)}
						}
						ops = append(ops, assignment(v, e))
					}
				}
			}
			if o.If != nil {
				ops = append(ops, assignment(h.Valid, binary(p4.Or, fieldExpr(h.Valid), o.If)))
			} else {
				ops = append(ops, o)
			}
		}
		a.Ops = ops
	}
}

func (l *lowering) removeHeader(action string, o p4.Primitive) (ops []p4.Primitive) {
	h := &l.p.Headers[o.Header]
	if l.length >= 0 {
		gone := fieldExpr(l.field(action+".gone", 1))
		e := binary(p4.NotEqual, fieldExpr(h.Valid), constant(0))
		if o.If != nil {
			e = binary(p4.LogicalAnd, o.If, e)
		}
		ops = append(ops, assignment(gone.Field, e), l.lengthen(gone, h, p4.Sub))
	}
	if o.If == nil {
		return append(ops, o)
	}
	return append(
		ops, assignment(h.Valid, &p4.Expr{Kind: p4.Choice, Cond: o.If, Left: constant(0), Right: fieldExpr(h.Valid)}),
	)
}

// lengthen adds a header's bytes to the packet's length, or takes them off, if a field is 1.
func (l *lowering) lengthen(if1 *p4.Expr, h *p4.Header, o p4.Operator) p4.Primitive {
	n, bytes := fieldExpr(l.length), constant(uint64(h.Bits/8))
	if h.Variable > 0 {
		bytes = binary(p4.Add, bytes, binary(p4.And, fieldExpr(h.Fields[h.Variable-1]), constant(0xffff)))
	}
	return assignment(l.length, &p4.Expr{Kind: p4.Choice, Cond: if1, Left: binary(o, n, bytes), Right: n})
}

// everWritten are the fields that a parser or an action may write.
func (l *lowering) everWritten() []bool {
	p := l.p
	w := make([]bool, len(p.Fields))
	header := func(h int) {
		for _, f := range p.Headers[h].Fields {
			w[f] = true
		}
	}
	for _, s := range p.States {
		for i := range s.Ops {
			switch o := &s.Ops[i]; {
			case o.Kind == p4.Basic && o.Header >= 0:
				header(o.Header)
			case o.Kind == p4.ExtractNext:
				for _, h := range p.Stacks[o.Object].Headers {
					header(h)
				}
			case o.Kind == p4.ExtractUnion:
				for _, u := range p.UnionStacks[o.Object].Unions {
					header(p.Unions[u].Headers[o.Header])
				}
			case o.Kind == p4.Call:
				for _, f := range p.Writes(o.Call) {
					w[f] = true
				}
			case o.Field >= 0:
				w[o.Field] = true
			}
		}
	}
	for i := range p.Actions {
		for k := range p.Actions[i].Ops {
			for _, f := range p.Writes(&p.Actions[i].Ops[k]) {
				w[f] = true
			}
		}
	}
	for _, c := range p.Checksums {
		if c.Update {
			w[c.Target] = true
		}
	}
	return w
}

// assignsFirst tells whether a field is written before any primitive reads it.
func assignsFirst(ops []p4.Primitive, field int) bool {
	for i := range ops {
		o := &ops[i]
		for _, e := range append([]*p4.Expr{o.Value, o.If}, o.Args...) {
			if mentions(e, field) {
				return false
			}
		}
		if o.Op == p4.Assign && o.Dest == nil && o.Field == field {
			return true
		}
		if o.Op == p4.Hash || o.Op == p4.AssignHeader || o.Op == p4.Jump || o.Op == p4.JumpIfZero {
			return false
		}
	}
	return false
}

// egressPort gives egress_port a field of its own where ingress writes or reads it, as metadata that nobody else knows,
// and where egress writes it: then egress begins with a copy of the port that ingress chose. Elsewhere egress_port is
// egress_spec's place.
func (l *lowering) egressPort() {
	p := l.p
	port := p.Standard.EgressPort
	if port < 0 {
		return
	}
	reads := func(n p4.Node) bool { return readsField(p, &n, port) }
	if slices.ContainsFunc(p.Ingress.Nodes, reads) || writesField(p, &p.Ingress, port) {
		l.rename(&p.Ingress, port, func() int { return l.field(portInIngress, p.Fields[port].Bits) })
	}
	if writesField(p, &p.Egress, port) && p.Standard.EgressSpec >= 0 && p.Egress.First != p4.Accept {
		own := l.field("machine.egress_port_in_egress", p.Fields[port].Bits)
		l.rename(&p.Egress, port, func() int { return own })
		l.before(
			&p.Egress, p.Egress.First, "machine.egress_port",
			[]p4.Primitive{assignment(own, fieldExpr(p.Standard.EgressSpec))},
		)
	}
}

// writesField tells whether an action of a pipeline writes a field.
func writesField(p *p4.Program, pipe *p4.Pipeline, field int) bool {
	return slices.ContainsFunc(pipe.Nodes, func(n p4.Node) bool {
		return n.Table != nil && slices.ContainsFunc(n.Table.Actions, func(a int) bool {
			return slices.ContainsFunc(p.Actions[a].Ops, func(o p4.Primitive) bool {
				return slices.Contains(p.Writes(&o), field)
			})
		})
	})
}

// lengths gives a pipeline that writes packet_length one of its own, since egress begins with the packet's length
// again. Egress has its own, too, if it reads the length and headers that ingress adds or removes change it. Headers
// that egress adds or removes count for the clones that it makes.
func (l *lowering) lengths() {
	p := l.p
	l.length = -1
	length := p.Standard.PacketLength
	if length < 0 {
		return
	}
	if writesField(p, &p.Ingress, length) {
		l.ownLength(&p.Ingress, "machine.packet_length_in_ingress", fieldExpr(length))
	}
	if p.Egress.First == p4.Accept {
		return
	}
	value := fieldExpr(length)
	reads := slices.ContainsFunc(p.Egress.Nodes, func(n p4.Node) bool {
		return (n.Table == nil || n.Table.Array == 0) && readsField(p, &n, length)
	})
	changes := changesLength(p, &p.Ingress) || fieldNamed(p, cloneInEgressField) >= 0 && changesLength(p, &p.Egress)
	if reads && changes {
		l.length = l.field(lengthChange, p.Fields[length].Bits)
		value = binary(p4.Add, value, fieldExpr(l.length))
	}
	if reads && changes || writesField(p, &p.Egress, length) {
		l.ownLength(&p.Egress, "machine.packet_length", value)
	}
}

// ownLength lets a pipeline use a field of its own instead of packet_length. It begins with a value. Direct counters,
// the only accesses to arrays that are there yet, count the bytes that came.
func (l *lowering) ownLength(pipe *p4.Pipeline, name string, value *p4.Expr) {
	p := l.p
	length := p.Standard.PacketLength
	own := l.once(name, p.Fields[length].Bits)
	given := slices.Clone(pipe.Nodes)
	for i, n := range given {
		if n.Table != nil && n.Table.Array > 0 {
			pipe.Nodes[i].Table = &p4.Table{Default: -1}
		}
	}
	l.rename(pipe, length, func() int { return own })
	for i, n := range given {
		if n.Table != nil && n.Table.Array > 0 {
			pipe.Nodes[i].Table = n.Table
		}
	}
	l.before(pipe, pipe.First, name, []p4.Primitive{assignment(own, value)})
}

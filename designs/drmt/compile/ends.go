package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// standard returns the place of a field of standard_metadata; nil if there is none or nothing uses it.
func (c *compiler) standard(field int) []drmt.Piece {
	if field < 0 {
		return nil
	}
	return c.fields.pieces[field]
}

// deparser makes the deparser's configuration.
func (c *compiler) deparser() (*drmt.Deparser, error) {
	p := c.program
	if p.Standard.EgressSpec < 0 {
		return nil, fmt.Errorf("%s: standard_metadata has no egress_spec", p.Name)
	}
	x := &drmt.Deparser{Port: c.fields.pieces[p.Standard.EgressSpec], Alone: fieldNamed(p, aloneField) >= 0}
	if f := fieldNamed(p, truncateField); f >= 0 {
		x.Truncate = c.fields.pieces[f]
	}
	drops := func(field int, unless bool, value uint64) {
		if pieces := c.standard(field); pieces != nil {
			x.Drops = append(x.Drops, drmt.DropRule{Pieces: pieces, Value: value, Unless: unless})
		}
	}
	drops(p.Standard.EgressSpec, false, p4.DropPort)
	drops(fieldNamed(p, verdict), false, p4.DropPort)
	if x.Replicate = c.replication(); x.Replicate == nil {
		drops(p.Standard.Other(multicastGroup), true, 0) // no group has members
	}
	drops(p.Standard.Other("intrinsic_metadata.priority"), true, 0) // a port has one queue
	var err error
	if x.Resubmit, err = c.restart(resubmitField); err != nil {
		return nil, err
	}
	if x.Recirculate, err = c.restart(recirculateField); err != nil {
		return nil, err
	}
	for _, h := range p.Deparse {
		d := drmt.DeparsedHeader{Valid: c.fields.valid(h), Pieces: c.fields.wire(h)}
		x.Headers = append(x.Headers, d)
	}
	for i := range p.Checksums {
		if !p.Checksums[i].Update {
			continue
		}
		y, err := c.checksum(&p.Checksums[i])
		if err != nil {
			return nil, err
		}
		x.Checksums = append(x.Checksums, y)
	}
	return x, nil
}

// payloadField is the name of the field that has the sum of a packet's payload.
const payloadField = "machine.payload_sum"

func hasPayload(p *p4.Program, s *p4.Checksum) bool {
	return s.Calculation > 0 && p.Calculations[s.Calculation-1].Payload
}

// checksum makes a checksum's configuration.
func (c *compiler) checksum(s *p4.Checksum) (drmt.Checksum, error) {
	p := c.program
	y := drmt.Checksum{Target: c.fields.pieces[s.Target]}
	for i, e := range s.Input {
		switch e = substitute(e, nil); {
		case isConst(e):
			y.Inputs = append(y.Inputs, drmt.ChecksumInput{Const: e.Const, Bits: s.Bits[i]})
		case e.Kind == p4.FieldValue:
			in := drmt.ChecksumInput{Pieces: c.fields.pieces[e.Field], Valid: drmt.NoField}
			if of, ok := strings.CutPrefix(p.Fields[e.Field].Name, heldSum); ok {
				header := slices.IndexFunc(p.Headers, func(h p4.Header) bool {
					return h.Variable > 0 && p.Fields[h.Fields[h.Variable-1]].Name == of
				})
				in.Payload, in.Valid = true, c.fields.valid(header)
			}
			if h := &p.Headers[p.Fields[e.Field].Header]; h.Valid >= 0 && h.Valid != e.Field {
				if c.fields.pieces[h.Valid] == nil {
					continue // a header that never is valid
				}
				in.Valid = c.fields.pieces[h.Valid][0].Field
			}
			y.Inputs = append(y.Inputs, in)
		default:
			return y, fmt.Errorf("%s: checksum %s: input %d is neither a field nor a constant", p.Name, s.Name, i)
		}
	}
	if hasPayload(p, s) {
		y.Inputs = append(
			y.Inputs,
			drmt.ChecksumInput{
				Pieces:  c.fields.pieces[fieldNamed(p, payloadField)],
				Valid:   drmt.NoField,
				Payload: true,
			},
		)
	}
	var ok bool
	if y.If, ok = c.allOf(s.If); !ok {
		var err error
		b := &parserBuilder{c: c, values: &splitter{l: &lowering{p: p}}}
		if y.Cond, err = b.value(s.If); err != nil {
			return y, fmt.Errorf("%s: checksum %s: its condition: %w", p.Name, s.Name, err)
		}
		y.If = nil
	}
	return y, nil
}

// verify makes the configuration of the checksums that the parser compares, if anybody asks for the outcome.
func (c *compiler) verify(x *drmt.Parser) error {
	p := c.program
	if x.Wrong = c.standard(p.Standard.Other("standard_metadata.checksum_error")); x.Wrong == nil {
		return nil
	}
	for i := range p.Checksums {
		s := &p.Checksums[i]
		if !s.Verify {
			continue
		}
		y, err := c.checksum(s)
		if err != nil {
			return err
		}
		if v := p.Headers[p.Fields[s.Target].Header].Valid; v >= 0 {
			if c.fields.pieces[v] == nil {
				continue
			}
			y.If = append(y.If, c.fields.pieces[v][0].Field)
		}
		x.Verify = append(x.Verify, y)
	}
	return nil
}

// verifications lets the condition of a checksum that is compared find no error of the parser: simple_switch compares
// before it writes parser_error. A checksum that is written, too, becomes two.
func (l *lowering) verifications() {
	p, field := l.p, l.p.Standard.Other("standard_metadata.parser_error")
	var all []p4.Checksum
	for _, c := range p.Checksums {
		if c.Verify && mentions(c.If, field) {
			if c.Update {
				x := c
				x.Verify = false
				all = append(all, x)
			}
			c.Update, c.If = false, substitute(c.If, map[int]*p4.Expr{field: constant(0)})
		}
		all = append(all, c)
	}
	p.Checksums = all
}

// wholeHeaders puts a header's fields where a calculation has the header. Both are left out if it is not valid.
func (l *lowering) wholeHeaders() {
	p := l.p
	fields := func(list []*p4.Expr, width []int) (all []*p4.Expr, bits []int) {
		for i, e := range list {
			if e.Kind != p4.HeaderValue || p.Headers[e.Field].Variable > 0 {
				all, bits = append(all, e), append(bits, width[i])
				continue
			}
			for _, f := range p.Headers[e.Field].Fields {
				all, bits = append(all, fieldExpr(f)), append(bits, p.Fields[f].Bits)
			}
		}
		return all, bits
	}
	changeInputs(p, fields)
}

// changeInputs passes the inputs of all calculations and checksums, expressions with their bits, through change.
func changeInputs(p *p4.Program, change func(all []*p4.Expr, bits []int) ([]*p4.Expr, []int)) {
	p.Calculations, p.Checksums = slices.Clone(p.Calculations), slices.Clone(p.Checksums)
	for i := range p.Calculations {
		c := &p.Calculations[i]
		c.Input, c.Bits = change(c.Input, c.Bits)
	}
	for i := range p.Checksums {
		c := &p.Checksums[i]
		c.Input, c.Bits = change(c.Input, c.Bits)
	}
}

// allOf returns the fields that a conjunction of fields tests.
func (c *compiler) allOf(e *p4.Expr) ([]drmt.Field, bool) {
	if e == nil {
		return nil, true
	}
	switch e = substitute(e, nil); {
	case isConst(e):
		return nil, e.Const != 0
	case e.Kind == p4.FieldValue && len(c.fields.pieces[e.Field]) == 1:
		return []drmt.Field{c.fields.pieces[e.Field][0].Field}, true
	case e.Kind == p4.Operation && e.Operator == p4.LogicalAnd:
		l, ok := c.allOf(e.Left)
		r, ok2 := c.allOf(e.Right)
		return append(l, r...), ok && ok2
	}
	return nil, false
}

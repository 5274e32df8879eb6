package compile

import (
	"fmt"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// zero is a field of the header vector that nobody writes: key bytes without a field have it.
const zero = drmt.Field(drmt.Fields8 - 1)

// allocator gives P4 fields places in the header vector.
type allocator struct {
	program *p4.Program
	next    [3]int         // the next free field of 8, 16 and 32 bits
	pieces  [][]drmt.Piece // by P4 field; nil: not used
	egress  int            // egress_port, which shares the place of egress_spec
}

var classes = [3]struct{ first, n, bits int }{
	{0, drmt.Fields8 - 1, 8}, // without zero
	{drmt.Fields8, drmt.Fields16, 16},
	{drmt.Fields8 + drmt.Fields16, drmt.Fields32, 32},
}

// allocate places all fields that anything uses, in the program's order. A field of more than 32 bits has two pieces, the upper one first.
func allocate(p *p4.Program) (*allocator, error) {
	a := &allocator{program: p, pieces: make([][]drmt.Piece, len(p.Fields)), egress: -1}
	used := usedFields(p)
	if s := p.Standard; s.EgressPort >= 0 && s.EgressSpec >= 0 && used[s.EgressPort] {
		used[s.EgressSpec], used[s.EgressPort] = true, false
		a.egress = s.EgressPort
	}
	for f := range p.Fields {
		if !used[f] {
			continue
		}
		bits := p.Fields[f].Bits
		switch {
		case bits < 1 || bits > 64:
			return nil, fmt.Errorf("%s: field %s has %d bits, a machine holds up to 64", p.Name, p.Fields[f].Name, bits)
		case bits > 32:
			if err := a.place(f, bits-32); err != nil {
				return nil, err
			}
			bits = 32
		}
		if err := a.place(f, bits); err != nil {
			return nil, err
		}
	}
	if a.egress >= 0 {
		a.pieces[a.egress] = a.pieces[p.Standard.EgressSpec]
	}
	return a, nil
}

// place takes the narrowest free field that is wide enough.
func (a *allocator) place(f, bits int) error {
	for c, class := range classes {
		if class.bits >= bits && a.next[c] < class.n {
			a.pieces[f] = append(a.pieces[f], drmt.Piece{Field: drmt.Field(class.first + a.next[c]), Bits: uint8(bits)})
			a.next[c]++
			return nil
		}
	}
	return fmt.Errorf("%s: no field of the header vector is left for %s, %d bits: %d of %d, %d of %d and %d of %d fields are taken", a.program.Name, a.program.Fields[f].Name, bits,
		a.next[0], classes[0].n, a.next[1], classes[1].n, a.next[2], classes[2].n)
}

// valid returns the place of a header's validity.
func (a *allocator) valid(header int) drmt.Field {
	return a.pieces[a.program.Headers[header].Valid][0].Field
}

// usedFields are those that the parser takes, the deparser gives, or an operation reads or writes.
func usedFields(p *p4.Program) []bool {
	used := make([]bool, len(p.Fields))
	mark := func(f int) {
		if f >= 0 {
			used[f] = true
		}
	}
	header := func(h int) {
		if h >= 0 {
			mark(p.Headers[h].Valid)
			for _, f := range p.Headers[h].Fields {
				mark(f)
			}
		}
	}
	read := func(e *p4.Expr) {
		for f := range reads(e) {
			mark(f)
		}
	}
	for _, s := range p.States {
		for i := range s.Ops {
			o := &s.Ops[i]
			switch o.Kind {
			case p4.Basic:
				header(o.Header)
			case p4.ExtractNext:
				for _, h := range p.Stacks[o.Object].Headers {
					header(h)
				}
			case p4.Call:
				for _, f := range append(p.Reads(o.Call), p.Writes(o.Call)...) {
					mark(f)
				}
			}
			if o.Kind == p4.Lookahead || o.Kind == p4.Basic && o.Header < 0 {
				mark(o.Field)
			}
			read(o.Value)
			read(o.Error)
		}
		for _, f := range s.Key {
			mark(f)
		}
		for _, k := range s.Parts {
			mark(k.Field)
		}
	}
	for _, a := range p.Actions {
		for _, o := range a.Ops {
			mark(o.Field)
			read(o.Value)
			if o.Header >= 0 {
				mark(p.Headers[o.Header].Valid)
			}
		}
	}
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for _, n := range pipe.Nodes {
			if n.Condition != nil {
				read(n.Condition.If)
				continue
			}
			for _, k := range n.Table.Key {
				mark(k.Field)
			}
		}
	}
	for _, c := range p.Checksums {
		mark(c.Target)
		read(c.If)
		for _, e := range c.Input {
			read(e)
		}
	}
	for _, h := range p.Deparse {
		header(h)
	}
	mark(p.Standard.EgressSpec)
	return used
}

// reads returns the fields of an expression.
func reads(e *p4.Expr) map[int]bool {
	m := map[int]bool{}
	collect(e, m)
	return m
}

func collect(e *p4.Expr, m map[int]bool) {
	if e == nil {
		return
	}
	if e.Kind == p4.FieldValue || e.Kind == p4.Limb {
		m[e.Field] = true
	}
	collect(e.Left, m)
	collect(e.Right, m)
	collect(e.Cond, m)
}

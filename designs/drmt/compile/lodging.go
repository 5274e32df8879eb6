package compile

import (
	"fmt"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// lodging lets fields that only the parser knows have places of fields that every packet writes later, before it reads
// them. The parser is done when the first operation starts, so that no schedule depends on it.
type lodging struct {
	guests []int // of the parser alone
	hosts  []int // written later
}

func newLodging(p *p4.Program) (*lodging, error) {
	l, err := newLives(p)
	if err != nil {
		return nil, err
	}
	return &lodging{parserOnly(p), l.written}, nil
}

// parserOnly returns the fields that the parser extracts, computes and reads, and that nothing else knows: no table, no
// condition, no checksum, no deparser, and no port of the machine.
func parserOnly(p *p4.Program) (list []int) {
	other := *p
	other.States = nil
	known := usedFields(&other)
	mark := func(fields ...int) {
		for _, f := range fields {
			if f >= 0 {
				known[f] = true
			}
		}
	}
	header := func(h int) { mark(append(p.Headers[h].Fields, p.Headers[h].Valid)...) }
	for _, s := range p.Stacks {
		for _, h := range s.Headers {
			header(h)
		}
	}
	for h := range p.Headers {
		if p.Headers[h].Union > 0 {
			header(h)
		}
	}
	s := &p.Standard
	mark(s.IngressPort, s.EgressSpec, s.EgressPort, s.PacketLength)
	for _, f := range s.Others {
		mark(f)
	}
	for _, d := range p.Draws {
		mark(d.Field)
	}
	mark(kept(p)...)
	for _, name := range []string{verdict, payloadField, resubmitField, recirculateField} {
		mark(fieldNamed(p, name))
	}
	for i := range p.Actions {
		for k := range p.Actions[i].Ops {
			o := &p.Actions[i].Ops[k]
			mark(append(p.Reads(o), p.Writes(o)...)...)
		}
	}
	for f, used := range usedFields(p) {
		if used && !known[f] {
			list = append(list, f)
		}
	}
	return list
}

// seat gives guests the places of hosts, or free ones.
func (a *allocator) seat(l *lodging, gone map[int]bool) error {
	var rooms [3][]drmt.Field
	for _, f := range l.hosts {
		if gone[f] {
			continue
		}
		for _, piece := range a.pieces[f] {
			for c, class := range classes {
				if class.bits == piece.Field.Bits() {
					rooms[c] = append(rooms[c], piece.Field)
				}
			}
		}
	}
	lodge := func(f, bits int) error {
		for c, class := range classes {
			if class.bits >= bits && len(rooms[c]) > 0 {
				a.pieces[f] = append(a.pieces[f], drmt.Piece{Field: rooms[c][0], Bits: uint8(bits)})
				rooms[c] = rooms[c][1:]
				return nil
			}
		}
		return a.place(f, bits)
	}
	for _, f := range l.guests {
		bits := a.program.Fields[f].Bits
		if bits < 1 || bits > 64 {
			name := a.program.Fields[f].Name
			return fmt.Errorf("%s: field %s has %d bits, a machine holds up to 64", a.program.Name, name, bits)
		}
		if bits > 32 {
			if err := lodge(f, bits-32); err != nil {
				return err
			}
			bits = 32
		}
		if err := lodge(f, bits); err != nil {
			return err
		}
	}
	return nil
}

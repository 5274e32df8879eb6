package compile

import (
	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// parserReuse lets fields that only the parser knows have places of fields that every packet writes later, before it
// reads them. The parser is done when the first operation starts, so that no schedule depends on it.
type parserReuse struct {
	fields []int // of the parser alone
	places []int // fields that are written later
}

func newParserReuse(p *p4.Program) (*parserReuse, error) {
	l, err := newLives(p)
	if err != nil {
		return nil, err
	}
	return &parserReuse{parserOnly(p), l.written}, nil
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
	mark(outside(p)...)
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

// placeParserFields gives fields of the parser alone the places of others, or free ones.
func (a *allocator) placeParserFields(r *parserReuse, gone map[int]bool) error {
	var free [3][]drmt.Field // by class
	for _, f := range r.places {
		if gone[f] {
			continue
		}
		for _, piece := range a.pieces[f] {
			for c, class := range classes {
				if class.bits == piece.Field.Bits() {
					free[c] = append(free[c], piece.Field)
				}
			}
		}
	}
	place := func(f, bits int) error {
		for c, class := range classes {
			if class.bits >= bits && len(free[c]) > 0 {
				a.pieces[f] = append(a.pieces[f], drmt.Piece{Field: free[c][0], Bits: uint8(bits)})
				free[c] = free[c][1:]
				return nil
			}
		}
		return a.place(f, bits)
	}
	for _, f := range r.fields {
		if err := a.inPieces(f, place); err != nil {
			return err
		}
	}
	return nil
}

package compile

import (
	"errors"
	"fmt"
	"slices"

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
	// runs are, by the first of some fields of a header that no operation knows, the pieces that have them all.
	runs   map[int]run
	egress int // egress_port, which shares the place of egress_spec
	// narrow runs stand in fields of 16 bits: operations need the fields of 32.
	narrow bool
}

var classes = [3]struct{ first, n, bits int }{
	{0, drmt.Fields8 - 1, 8}, // without zero
	{drmt.Fields8, drmt.Fields16, 16},
	{drmt.Fields8 + drmt.Fields16, drmt.Fields32, 32},
}

// allocate places all fields that anything uses, in the program's order. A field of more than 32 bits has two pieces,
// the upper one first.
//
// If there is no room for all, fields of the parser alone have places of fields that are written later, see
// [parserReuse].
func allocate(p *p4.Program) (*allocator, error) {
	a, err := allocateBut(p, nil, &parserReuse{})
	if err == nil {
		return a, nil
	}
	r, fault := newParserReuse(p)
	if fault != nil {
		return nil, fault
	}
	return allocateBut(p, nil, r)
}

// allocateBut passes over some fields.
func allocateBut(p *p4.Program, gone map[int]bool, reuse *parserReuse) (*allocator, error) {
	wide, err := allocateRuns(p, gone, reuse, false)
	if err == nil {
		return wide, nil
	}
	if narrow, fault := allocateRuns(p, gone, reuse, true); fault == nil {
		return narrow, nil
	}
	return nil, err
}

func allocateRuns(p *p4.Program, gone map[int]bool, reuse *parserReuse, narrow bool) (*allocator, error) {
	a := &allocator{
		program: p, pieces: make([][]drmt.Piece, len(p.Fields)), runs: map[int]run{}, egress: -1, narrow: narrow,
	}
	used := usedFields(p)
	for f := range gone {
		used[f] = false
	}
	for _, f := range reuse.fields {
		used[f] = false
	}
	if s := p.Standard; s.EgressPort >= 0 && s.EgressSpec >= 0 && used[s.EgressPort] {
		used[s.EgressSpec], used[s.EgressPort] = true, false
		a.egress = s.EgressPort
	}
	known := operatedFields(p)
	for f := range p.Fields {
		if !used[f] || a.pieces[f] != nil {
			continue
		}
		if run := a.runFrom(f, used, known); len(run) > 1 || len(run) == 1 && narrow {
			if err := a.placeRun(run); err != nil {
				return nil, err
			}
			continue
		}
		if err := a.inPieces(f, a.place); err != nil {
			return nil, err
		}
	}
	if a.egress >= 0 {
		a.pieces[a.egress] = a.pieces[p.Standard.EgressSpec]
	}
	return a, a.placeParserFields(reuse, gone)
}

// run is some fields of a header side by side: how many, and the pieces that have them.
type run struct {
	fields int
	pieces []drmt.Piece
}

// runFrom returns the fields from one on, in their header, that are only taken from the wire, read there, and put back.
func (a *allocator) runFrom(f int, used, known []bool) []int {
	h := &a.program.Headers[a.program.Fields[f].Header]
	at := slices.Index(h.Fields, f)
	if h.Metadata || h.Variable > 0 || at < 0 {
		return nil
	}
	n := at
	for n < len(h.Fields) && used[h.Fields[n]] && !known[h.Fields[n]] && a.pieces[h.Fields[n]] == nil {
		n++
	}
	return h.Fields[at:n]
}

// placeRun gives a run of fields places in common:
//
//	version ihl tos total_length    4 + 4 + 8 + 16 bits: one field of 32
func (a *allocator) placeRun(fields []int) error {
	f, left := fields[0], 0
	for _, g := range fields {
		left += a.program.Fields[g].Bits
	}
	var pieces []drmt.Piece
	for left > 0 {
		w := min(left, 32)
		if a.narrow {
			w = min(left, 16)
		}
		if w > 16 && w < 32 && w%16 > 0 { // 24 bits take 16 and 8
			w = 16
		}
		before := a.pieces[f]
		a.pieces[f] = nil
		err := a.place(f, w)
		placed := a.pieces[f]
		a.pieces[f] = before
		if err != nil {
			return err
		}
		pieces = append(pieces, placed...)
		left -= w
	}
	a.runs[f] = run{len(fields), pieces}
	i, below := 0, int(pieces[0].Bits) // bits of piece i that are not given yet
	for _, g := range fields {
		for bits := a.program.Fields[g].Bits; bits > 0; {
			if below == 0 {
				i++
				below = int(pieces[i].Bits)
			}
			w := min(bits, below)
			below -= w
			bits -= w
			a.pieces[g] = append(a.pieces[g], drmt.Piece{Field: pieces[i].Field, Bits: uint8(w), Shift: uint8(below)})
		}
	}
	return nil
}

// wire returns the pieces of a header as it is on the wire.
func (a *allocator) wire(header int) (all []drmt.Piece) {
	fields := a.program.Headers[header].Fields
	for i := 0; i < len(fields); i++ {
		if r, ok := a.runs[fields[i]]; ok {
			all = append(all, r.pieces...)
			i += r.fields - 1
			continue
		}
		pieces := a.pieces[fields[i]]
		if a.program.Headers[header].Variable == i+1 {
			pieces = []drmt.Piece{{Field: pieces[0].Field, Held: true}}
		}
		all = append(all, pieces...)
	}
	return all
}

// operatedFields are the fields that a key, a condition, an action, or a parser's operation other than an extraction
// knows, or that a checksum writes.
func operatedFields(p *p4.Program) []bool {
	known := make([]bool, len(p.Fields))
	mark := func(list []int) {
		for _, f := range list {
			if f >= 0 {
				known[f] = true
			}
		}
	}
	for _, s := range p.States {
		for i := range s.Ops {
			o := &s.Ops[i]
			if o.Kind == p4.Call {
				mark(append(p.Reads(o.Call), p.Writes(o.Call)...))
			}
			mark([]int{o.Field})
			mark(p.ExprReads(o.Value))
			mark(p.ExprReads(o.Error))
		}
	}
	for i := range p.Actions {
		for k := range p.Actions[i].Ops {
			mark(p.Reads(&p.Actions[i].Ops[k]))
			mark(p.Writes(&p.Actions[i].Ops[k]))
		}
	}
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for _, n := range pipe.Nodes {
			if n.Condition != nil {
				mark(p.ExprReads(n.Condition.If))
				continue
			}
			for _, k := range n.Table.Key {
				mark([]int{k.Field})
			}
		}
	}
	for _, c := range p.Checksums {
		mark([]int{c.Target})
		mark(p.ExprReads(c.If))
	}
	return known
}

// inPieces places a field, the upper bits beyond 32 first.
func (a *allocator) inPieces(f int, place func(f, bits int) error) error {
	bits := a.program.Fields[f].Bits
	switch {
	case bits < 1 || bits > 64:
		name := a.program.Fields[f].Name
		return fmt.Errorf("%s: field %s has %d bits, a machine holds up to 64", a.program.Name, name, bits)
	case bits > 32:
		if err := place(f, bits-32); err != nil {
			return err
		}
		bits = 32
	}
	return place(f, bits)
}

var errVectorFull = errors.New("no field of the header vector is left")

// place takes the narrowest free field that is wide enough.
func (a *allocator) place(f, bits int) error {
	for c, class := range classes {
		if class.bits >= bits && a.next[c] < class.n {
			a.pieces[f] = append(a.pieces[f], drmt.Piece{Field: drmt.Field(class.first + a.next[c]), Bits: uint8(bits)})
			a.next[c]++
			return nil
		}
	}
	return fmt.Errorf(
		"%s: %w for %s, %d bits: %d of %d, %d of %d and %d of %d fields are taken", a.program.Name, errVectorFull,
		a.program.Fields[f].Name, bits, a.next[0], classes[0].n, a.next[1], classes[1].n, a.next[2],
		classes[2].n,
	)
}

// part returns the pieces of a header's field, or of its validity, which comes after all its fields.
func (a *allocator) part(header, field int) []drmt.Piece {
	h := &a.program.Headers[header]
	if field < len(h.Fields) {
		return a.pieces[h.Fields[field]]
	}
	return a.pieces[h.Valid]
}

// valid returns the place of a header's validity.
func (a *allocator) valid(header int) drmt.Field {
	return a.pieces[a.program.Headers[header].Valid][0].Field
}

// usedFields are the fields that the parser takes, the deparser gives, or an operation reads or writes.
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
	wide := map[int]bool{} // lookaheads of which the parser takes parts
	for _, s := range p.States {
		for i := range s.Ops {
			if o := &s.Ops[i]; o.Kind == p4.Lookahead && o.Bits > 64 {
				wide[o.Field] = true
			}
		}
	}
	for _, s := range p.States {
		read := func(e *p4.Expr) {
			for f := range reads(e) {
				if !wide[f] {
					mark(f)
				}
			}
		}
		for i := range s.Ops {
			o := &s.Ops[i]
			switch o.Kind {
			case p4.Basic:
				header(o.Header)
			case p4.ExtractNext:
				for _, h := range p.Stacks[o.Object].Headers {
					header(h)
				}
			case p4.ExtractUnion:
				for _, u := range p.UnionStacks[o.Object].Unions {
					header(p.Unions[u].Headers[o.Header])
				}
			case p4.Call:
				for _, f := range append(p.Reads(o.Call), p.Writes(o.Call)...) {
					mark(f)
				}
			}
			if o.Kind == p4.Lookahead && o.Bits <= 64 || o.Kind == p4.Basic && o.Header < 0 {
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
		if c.Calculation > 0 && p.Calculations[c.Calculation-1].Payload {
			mark(fieldNamed(p, payloadField))
		}
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

package cosim

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/vectors"
)

// handshake is a stream into the unit: the fields that stand still while valid and not ready.
type handshake struct {
	valid, ready int   // columns
	fields       []int // of the port, valid among them
}

// handshakes finds the unit's own.
func (v *view) handshakes() []handshake {
	var list []handshake
	for port, ready := range v.unit.Ready {
		h := handshake{valid: -1, ready: -1}
		for c, f := range v.fields {
			switch {
			case f.Port == port && f.Name == port+"_valid":
				h.valid = c
			case f.Name == ready:
				h.ready = c
			}
			if f.Port == port {
				h.fields = append(h.fields, c)
			}
		}
		if h.valid >= 0 && h.ready >= 0 {
			list = append(list, h)
		}
	}
	slices.SortFunc(list, func(a, b handshake) int { return a.valid - b.valid })
	return list
}

// waits tells whether a row's beat has to stand in the next one too.
func (h handshake) waits(row []uint64) bool { return row[h.valid] == 1 && row[h.ready] == 0 }

// restricter restricts a stimulus to the cycles in which the inputs that the RTL lacks have the value that the map
// says. The remaining rows keep the unit's rules: a beat that is offered stands until the model takes it, none is lost,
// and inputs that follow from the cycle before do so.
type restricter struct {
	v      *view
	source func(row []uint64) bool
	m      *model // that is driven

	now    []uint64 // the source's latest row that is kept
	before []uint64 // its row before the latest
	pulled bool
	ended  bool
	own    bool            // the source is the unit's stimulus
	given  *vectors.Values // the row given last
	shakes []pacer
}

// pacer gives the beats of a handshake at the pace at which the model takes them, which is not the source's.
type pacer struct {
	handshake
	items [][]uint64 // beats and pauses still to be given: the values of the handshake's fields
}

// Bounds of a restriction.
const (
	mostPaced   = 256     // beats that wait
	mostSkipped = 1 << 20 // cycles of the source without one that fits
)

func (v *view) restricted(source func(row []uint64) bool, m *model) *restricter {
	r := &restricter{v: v, source: source, m: m, now: make([]uint64, len(v.fields)), before: make([]uint64, len(v.fields))}
	for _, h := range v.handshakes() {
		r.shakes = append(r.shakes, pacer{handshake: h})
	}
	return r
}

// holds tells whether a row has the held values, of the columns that are among those given or, if not among, of all
// others. Where some bits of an input are held, they are set later (see fix) in a stimulus of the unit's own, unless
// its inputs follow from each other: hardly any row has them by itself.
func (r *restricter) holds(row []uint64, columns func(c int) bool) bool {
	v := r.v
	for _, h := range v.held {
		if r.own && v.unit.Repair == nil && h.mask != ^uint64(0)>>(64-v.fields[h.column].Width) {
			continue
		}
		if columns(h.column) && row[h.column]&h.mask != h.value {
			return false
		}
	}
	return true
}

// paced tells whether a column belongs to a handshake.
func (r *restricter) paced(c int) bool {
	return slices.ContainsFunc(r.shakes, func(p pacer) bool { return slices.Contains(p.fields, c) })
}

// pull takes the source's next row that fits. It returns false at the source's end.
func (r *restricter) pull() bool {
	fresh := make([]uint64, len(r.now))
	for range mostSkipped {
		if r.ended || !r.source(fresh) {
			r.ended = true
			return false
		}
		fits := r.holds(fresh, func(c int) bool { return !r.paced(c) })
		for i := range r.shakes {
			p := &r.shakes[i]
			stands := r.pulled && p.waits(r.before) // the beat is the previous row's
			own := r.holds(fresh, func(c int) bool { return slices.Contains(p.fields, c) })
			if own && !stands && (fresh[p.valid] == 1 || fits) {
				item := make([]uint64, len(p.fields))
				for k, c := range p.fields {
					item[k] = fresh[c]
				}
				p.items = append(p.items, item)
			}
		}
		copy(r.before, fresh)
		r.pulled = true
		if fits {
			copy(r.now, fresh)
			return true
		}
	}
	r.ended = true
	r.m.err = fmt.Errorf("without: %s: no such value in %d cycles of the stimulus", r.v.heldText(), mostSkipped)
	return false
}

func (v *view) heldText() string {
	text := ""
	for i, h := range v.held {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s: %#x", v.fields[h.column].Name, h.value)
	}
	return clip(text, 120)
}

// next gives the model its next row.
func (r *restricter) next(row []uint64) bool {
	waiting := func(p pacer) bool { return len(p.items) >= mostPaced }
	if r.ended || !slices.ContainsFunc(r.shakes, waiting) {
		if !r.pull() && !slices.ContainsFunc(r.shakes, func(p pacer) bool { return len(p.items) > 0 }) {
			return false
		}
	}
	stands := func(p *pacer) bool { return r.given != nil && p.waits(r.m.row) }
	for i := range r.shakes {
		p := &r.shakes[i]
		for !stands(p) && len(p.items) == 0 && r.v.holdsValid(p.valid) && r.pull() { // no pause may stand there
		}
	}
	copy(row, r.now)
	for i := range r.shakes {
		p := &r.shakes[i]
		for k, c := range p.fields {
			switch {
			case stands(p):
				row[c] = r.m.row[c]
			case len(p.items) > 0:
				row[c] = p.items[0][k]
			default:
				row[c] = 0
			}
		}
		if !stands(p) && len(p.items) > 0 {
			p.items = p.items[1:]
		}
	}
	r.v.fix(r.given, row)
	r.given = &vectors.Values{Fields: r.v.fields, Row: append([]uint64(nil), row...)}
	return true
}

// holdsValid tells whether the map holds a valid bit at 1.
func (v *view) holdsValid(column int) bool {
	return slices.ContainsFunc(v.held, func(h heldInput) bool { return h.column == column && h.value == 1 })
}

// fix makes a row follow from the one before it as the unit demands, and have the held values.
func (v *view) fix(last *vectors.Values, row []uint64) {
	if v.unit.Repair != nil {
		v.unit.Repair(last, &vectors.Values{Fields: v.fields, Row: row})
	}
	for _, h := range v.held {
		row[h.column] = row[h.column]&^h.mask | h.value
	}
}

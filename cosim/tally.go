package cosim

import (
	"fmt"
	"slices"
	"strings"
)

// tally counts compared fields, and sorts differences: waived, of a kind seen before, or new.
type tally struct {
	*view
	waivers Waivers
	all     bool // go on after a difference

	compared []uint64 // for each output: comparisons
	cycles   int      // in which some output was compared
	waived   uint64
	kinds    map[kind]*Difference
	order    []*Difference
	more     uint64 // differences of kinds that are not listed
}

// mostKinds bounds the list of distinct differences.
const mostKinds = 256

// kind groups differences of one field: which bytes of it differ, or which bits of a narrow one.
type kind struct {
	output  int
	differs uint64
	unknown bool
}

// Difference is differences that are alike: differences of a field in the same bytes, or in the same bits of a field of
// at most 8.
type Difference struct {
	Field  string `json:"field"`
	Bits   string `json:"bits"` // which differ, as a mask of the field's width
	Count  uint64 `json:"count"`
	Cycle  int    `json:"first_cycle"`
	Model  string `json:"model"` // at the first
	RTL    string `json:"rtl"`
	Reason string `json:"waived,omitempty"` // of the waiver that passes it
}

// Compared is how often an output was compared.
type Compared struct {
	Field string `json:"field"`
	Count uint64 `json:"compared"`
}

func newTally(v *view, waivers Waivers, all bool) *tally {
	return &tally{
		view: v, waivers: waivers, all: all, compared: make([]uint64, len(v.outputs)), kinds: map[kind]*Difference{},
	}
}

// kindOf classifies a difference.
func (t *tally) kindOf(output int, differs, unknown uint64) kind {
	return kind{output, alike(differs, t.fields[t.outputs[output]].Width), unknown != 0}
}

// alike makes the bits that differ a mask of bytes, unless the field is narrow.
func alike(differs uint64, width int) uint64 {
	if width <= 8 {
		return differs
	}
	var bytes uint64
	for i := range 8 {
		if differs>>(8*i)&0xff != 0 {
			bytes |= 0xff << (8 * i)
		}
	}
	return bytes & (^uint64(0) >> (64 - width))
}

// differs takes a difference and tells whether it is one that ends the run.
func (t *tally) differs(output, cycle int, want, got, unknown uint64) bool {
	f := t.fields[t.outputs[output]]
	bad := (want ^ got | unknown) & t.mask[output]
	reason := ""
	if w := t.waivers.find(f.Name, f.Width, bad, want, got, unknown); w != nil {
		w.count++
		t.waived++
		reason = w.Reason
		if !t.all {
			return false
		}
	}
	if !t.all {
		return true
	}
	k := t.kindOf(output, bad, unknown)
	d := t.kinds[k]
	switch {
	case d != nil:
	case len(t.order) == mostKinds:
		t.more++
		return reason == ""
	default:
		d = &Difference{
			Field: f.Name, Bits: hexOf(k.differs, 0, f.Width), Cycle: cycle, Model: hexOf(want, 0, f.Width),
			RTL: hexOf(got, unknown, f.Width), Reason: reason,
		}
		t.kinds[k] = d
		t.order = append(t.order, d)
	}
	d.Count++
	d.Cycle = min(d.Cycle, cycle)
	return reason == ""
}

// result fills in the compared fields. It is an error if nothing was, or not every output that is not ignored.
func (t *tally) result(r *Result) (*Result, error) {
	r.Cycles, r.Waived, r.Differences, r.MoreKinds = t.cycles, t.waived, t.order, t.more
	for o, c := range t.outputs {
		switch {
		case t.mask[o] != 0:
			r.Outputs = append(r.Outputs, Compared{t.fields[c].Name, t.compared[o]})
		case t.shakes[o]:
			r.Handshake = append(r.Handshake, t.fields[c].Name)
		default:
			r.Ignored = append(r.Ignored, t.fields[c].Name)
		}
	}
	r.UnusedWaivers = t.waivers.unused()
	slices.SortStableFunc(r.Differences, func(a, b *Difference) int { return a.Cycle - b.Cycle })
	if r.Divergence != nil {
		return r, nil
	}
	return r, t.vacuous()
}

// vacuous is an error if a comparison without a difference says nothing.
func (t *tally) vacuous() error {
	if len(t.outputs) == 0 || !slices.ContainsFunc(t.mask, func(m uint64) bool { return m != 0 }) {
		return fmt.Errorf("nothing was compared: all outputs of the unit are ignored")
	}
	if t.cycles == 0 {
		return fmt.Errorf("nothing was compared: no output counts in any cycle of the run")
	}
	var never []string
	for o, c := range t.outputs {
		if t.mask[o] == 0 || t.compared[o] > 0 {
			continue
		}
		name := t.fields[c].Name
		if v := t.valid[o]; v >= 0 {
			name += fmt.Sprintf(" (%s is never 1)", t.fields[t.outputs[v]].Name)
		}
		never = append(never, name)
	}
	if len(never) == 0 {
		return nil
	}
	return fmt.Errorf(
		"never compared: %s: give a stimulus that makes it count, or ignore it", clip(strings.Join(never, ", "), 160),
	)
}

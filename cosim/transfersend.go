package cosim

import (
	"fmt"
	"slices"
)

// errStuck is RTL that takes nothing and owes nothing.
type errStuck struct {
	beat, left int
	dry        string // a stream in that has no beats, while another has
}

func (e errStuck) Error() string {
	text := fmt.Sprintf("the RTL takes nothing: beat %d waits, %d transfers have left", e.beat, e.left)
	if e.dry != "" {
		text += fmt.Sprintf("; the stimulus has no beat of stream %s for it, and %d or more of another", e.dry, mostBeats)
	}
	return text
}

// end looks at the remaining beats when nothing moves any more: a transfer that the model has and the RTL has not, or
// the other way round.
func (f *flight) end(stuck *errStuck) (*Divergence, error) {
	nothing := make([]uint64, len(f.s.outputs))
	for _, l := range f.out {
		missing := len(l.wants) > 0
		if !missing && len(l.gots) == 0 {
			continue
		}
		now, row := moment{inputs: make([]uint64, len(f.s.inputs)), model: nothing, rtl: nothing}, f.cycle-1
		if missing {
			now.model, row = l.wants[0].model, l.rows[0]
		} else {
			now.rtl = l.gots[0].rtl
		}
		l.past = append(l.past, now)
		d := f.diverged(l, l.valid, row)
		d.Want, d.Got = now.model[l.valid], now.rtl[l.valid]
		switch {
		case missing && stuck != nil:
			d.Lost = fmt.Sprintf("it never leaves the RTL, which takes no more beats either: %d of them have gone in", f.offered)
		case missing:
			d.Lost = fmt.Sprintf(
				"it never leaves the RTL, which has taken all %d beats: of the model's %d transfers %d are lost", f.offered,
				l.compared+len(l.wants), len(l.wants),
			)
		default:
			d.Lost = fmt.Sprintf(
				"%d transfers have left the RTL, of the model %d, for the same %d beats", l.compared+len(l.gots),
				l.compared, f.offered,
			)
		}
		if f.first == nil {
			f.first = d
		}
		if !f.t.all {
			return d, nil
		}
	}
	if f.first == nil && stuck != nil {
		if k := slices.IndexFunc(f.in, func(l *lane) bool { return len(l.beats) == 0 }); k >= 0 {
			if f.rested { // the model keeps the others' beats as well, for want of this one's
				return nil, nil
			}
			stuck.dry = f.in[k].name
		}
		return nil, *stuck
	}
	return f.first, nil
}

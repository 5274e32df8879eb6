package cosim

import (
	"context"
	"math"
	"slices"
)

// A difference of transfers is looked at in a second run, which ends in the cycle of the differing transfer: the first
// run notes no cycles, since it would take longer.

// leg is a run of the RTL from a reset.
type leg struct {
	st     Stimulus
	begins beginning
}

// Bounds of a second run.
const (
	mostSearched = 1 << 26 // rows of the model up to the difference
	modelRows    = 64      // the latest rows of the model that are kept
	mostKept     = 4096    // the latest beats
)

// search ends a run in a transfer of a stream.
type search struct {
	stream   int // its number
	transfer int

	over  bool       // the model has given the transfer
	rows  []modelRow // the latest, up to that transfer
	cycle int        // of the model, of the next row
	taken int        // beats that the model had taken in its last cycle
	beats [][]uint64 // the latest that went into the model
	base  int        // the number of the first of them
}

// modelRow is a cycle of the model.
type modelRow struct {
	cycle  int
	values []uint64
}

// room is how many transfers of a stream may come.
func (x *search) room(l *lane) int {
	if x == nil || l.number != x.stream {
		return slotRows
	}
	return min(slotRows, x.transfer+1-l.compared-len(l.gots))
}

// reached tells whether the RTL has given the transfer.
func (x *search) reached(f *flight) bool {
	return x != nil && slices.ContainsFunc(f.out, func(l *lane) bool { return x.room(l) == 0 })
}

// ended tells whether the model, which alone runs on if there is room for any number of beats, has given the transfer.
func (x *search) ended(most int) bool { return x != nil && x.over && most == math.MaxInt }

// enters notes the latest beat of a stream in.
func (x *search) enters(l *lane) {
	if x == nil {
		return
	}
	if !x.over {
		x.taken++
	}
	if len(x.beats) == 2*mostKept {
		x.beats, x.base = slices.Delete(x.beats, 0, mostKept), x.base+mostKept
	}
	x.beats = append(x.beats, l.beats[len(l.beats)-1])
}

// see notes a row of the model.
func (x *search) see(f *flight) {
	if x == nil {
		return
	}
	if !x.over {
		if len(x.rows) == 4*modelRows {
			x.rows = slices.Delete(x.rows, 0, 3*modelRows)
		}
		x.rows = append(x.rows, modelRow{x.cycle, slices.Clone(f.m.row)})
	}
	x.cycle++
	for _, l := range f.out {
		x.over = x.over || l.number == x.stream && l.compared+len(l.wants) > x.transfer
	}
}

// locate finds out in which cycle a difference of transfers is, by the same run once more. It leaves the place open if
// that would take long, or if the run differs from the first.
func (s *Session) locate(ctx context.Context, d *Divergence) {
	if d == nil || !d.Transfers || len(d.legs) == 0 || s.opt.plant != nil || d.row > mostSearched {
		return
	}
	rtl, ok := s.dut.(elastic)
	b, begins := s.dut.(beginner)
	in, out, err := s.streams(s.Binding)
	if !ok || !begins || err != nil {
		return
	}
	k := slices.IndexFunc(out, func(x stream) bool { return slices.Contains(x.fields, d.output) })
	for i, run := range d.legs {
		s.prepare(b, run.begins)
		f := newFlight(s, newTally(s.view, s.opt.Waivers, false), rtl, in, out)
		last := i == len(d.legs)-1
		if last {
			f.search = &search{stream: out[k].number, transfer: d.Cycle}
			rtl.note(true)
		}
		again, err := f.run(ctx, run.st, nil)
		if last && again != nil && again.String() == d.plain() && again.Lost == d.Lost {
			d.found, d.binding = f.location(d, k), s.Binding
		}
		rtl.note(false)
		if err != nil || again != nil {
			return
		}
	}
}

// plain is String without the words on how the RTL began.
func (d *Divergence) plain() string {
	return (&Divergence{
		Cycle: d.Cycle, Field: d.Field, Width: d.Width, Want: d.Want, Got: d.Got, Unknown: d.Unknown,
		Transfers: d.Transfers,
	}).String()
}

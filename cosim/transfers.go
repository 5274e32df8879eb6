package cosim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/layout"
	"github.com/goldwire/goldwire/vectors"
)

// With streams in the map, transfers are compared, not cycles: the beats that the model takes go into the RTL one after
// another, each stream at a pace of its own, with pauses and waits, and the beats that leave the RTL on a stream are
// compared, in order, with the model's. Inputs of no stream have the values that they had beside the beat, if one
// stream goes in; if several do, they have to be held. Pauses of the model's stimulus are left out. So the RTL may take
// any time and hold back any beat, as long as it loses, doubles, reorders and changes none. After the last beat the
// model runs on without beats, until it is empty.

// mostAhead is how many transfers on a stream the RTL may have given that the model has not given yet. With more, the
// run ends with a difference.
const mostAhead = 1 << 16

// mostBeats is how many beats of a stream wait for the RTL at most. A slot has room for them.
const mostBeats = 2048

// mostRest is for how many cycles at most the model runs on after the last beat, until it is empty.
const mostRest = 1 << 16

// stream is a handshake: its fields among inputs or outputs.
type stream struct {
	name   string
	number int // in the order of the names
	dir    rtl.Direction
	port   readyPort
	valid  int   // among the fields of its direction
	fields []int // of the port
	beat   []int // the fields that go with a beat: the fields, and inputs of no stream if it is the only one in
	clock  int   // among the inputs: the edges at which it moves; -1 of a unit with one clock
	ready  int   // the model's own ready: an output of a stream in, an input of a stream out; -1 if it is always ready
}

// streams returns the streams of one direction after the other, sorted by their names.
func (s *view) streams(b *Binding) (in, out []stream, err error) {
	columns := map[rtl.Direction][]int{rtl.Input: s.inputs, rtl.Output: s.outputs}
	taken := map[int]bool{} // inputs of a stream
	for number, name := range b.streamNames() {
		x := stream{name: name, number: number, port: b.ready[name], clock: -1, ready: -1}
		h := b.handshake(name)
		for d, list := range columns {
			for i, c := range list {
				if d == rtl.Input && s.fields[c].Name == h.Clock {
					x.clock = i
				}
				if !b.carries(s.fields[c], name) {
					continue
				}
				x.dir, x.fields = d, append(x.fields, i)
				if s.fields[c].Name == h.Valid {
					x.valid = i
				}
			}
		}
		ready := h.Ready
		if _, own := b.shakes[name]; x.dir == rtl.Input && !own {
			ready = ""
		}
		if x.clock < 0 && len(s.unit.Clocks) > 0 {
			return nil, nil, fmt.Errorf("map: streams: unit %s has %d clocks and does not declare at which of them %s moves",
				s.unit.Name, len(s.unit.Clocks), name)
		}
		x.ready = slices.IndexFunc(columns[1-x.dir], func(c int) bool { return ready != "" && s.fields[c].Name == ready })
		x.beat = slices.Clone(x.fields)
		if x.dir == rtl.Input {
			in = append(in, x)
			for _, i := range x.fields {
				taken[i] = true
			}
		} else {
			out = append(out, x)
			taken[x.ready] = true
		}
	}
	if len(in) == 0 || len(out) == 0 {
		return in, out, fmt.Errorf("map: streams: %d in and %d out, want at least one of each", len(in), len(out))
	}
	for i, c := range s.inputs {
		f := s.fields[c]
		switch held := slices.IndexFunc(s.held,
			func(h heldInput) bool { return h.column == c && h.mask == ^uint64(0)>>(64-f.Width) }); {
		case taken[i], f.Clock:
		case len(in) == 1:
			in[0].beat = append(in[0].beat, i)
		case held < 0:
			return in, out, fmt.Errorf(
				"map: streams: input %s belongs to none of %d streams, and their beats come at a pace of their own: hold it "+
					"(without: {%s: 0})",
				f.Name, len(in), f.Name,
			)
		}
	}
	for o, c := range s.outputs {
		if s.mask[o] != 0 && !slices.ContainsFunc(out, func(x stream) bool { return slices.Contains(x.fields, o) }) {
			return in, out, fmt.Errorf(
				"map: streams: output %s is not of stream %s, and transfers do not compare it: ignore it (ignore: [%s])",
				s.fields[c].Name, out[0].name, s.fields[c].Name,
			)
		}
	}
	return in, out, nil
}

// elastic is RTL that reacts to handshakes.
type elastic interface {
	dut
	// transfer offers beats, as many of each stream in as beats says, that lie in the first rows of the slot, each stream
	// in its own columns. Of each stream out, beats says for how many there is room. It returns how many transfers of each
	// stream the RTL took, or gave, those before an error too; these lie in the slot alike. It ends when all beats are
	// taken, with drain a while later; when no room is left; or when there was no transfer for long. If in a hurry,
	// neither is long.
	transfer(slot int, beats []int, drain, hurry bool) (done []int, err error)
	// reseed gives the pauses from the next reset on another seed.
	reseed(seed uint64)
	// inside returns the most transfers that the RTL held at once since its reset, and whether it was full then.
	inside() (most int, full bool)
	// note has the cycles from the next transfers on noted, or no longer. steps returns the latest of them.
	note(on bool)
	steps(in, out layout.Rows) []step
}

// lane is a stream on its way: beats that the RTL has not taken, or transfers that are not compared yet.
type lane struct {
	stream
	beats    [][]uint64
	wants    []moment // of the model
	rows     []int    // of the model's run, in which they left it
	gots     []moment
	compared int
	past     []moment
}

// moves tells whether a row of the model ends with an edge at which the stream moves.
func (x *stream) moves(row []uint64, s *Session) bool {
	return x.clock < 0 || row[s.inputs[x.clock]] == 1
}

// flight is a comparison of transfers.
type flight struct {
	s       *Session
	t       *tally
	rtl     elastic
	m       *model
	in, out []*lane
	cycle   int // of the model
	rested  bool
	offered int
	first   *Divergence // of a run that goes on
	search  *search     // of a run that ends in a known transfer; else nil
}

// runTransfers compares transfers. The tally's cycles are transfers out of the model.
func (s *Session) runTransfers(
	ctx context.Context, st Stimulus, t *tally, progress func(done int),
) (*Divergence, error) {
	in, out, err := s.streams(s.Binding)
	if err != nil {
		return nil, err
	}
	rtl, ok := s.dut.(elastic)
	if !ok {
		return nil, errors.New("map: streams: this simulator does not compare transfers")
	}
	return newFlight(s, t, rtl, in, out).run(ctx, st, progress)
}

func newFlight(s *Session, t *tally, rtl elastic, in, out []stream) *flight {
	f := &flight{s: s, t: t, rtl: rtl}
	for _, x := range in {
		f.in = append(f.in, &lane{stream: x})
	}
	for _, x := range out {
		f.out = append(f.out, &lane{stream: x})
	}
	return f
}

// run is runTransfers with streams that are known.
func (f *flight) run(ctx context.Context, st Stimulus, progress func(done int)) (_ *Divergence, err error) {
	s := f.s
	st.rest = f.noBeat
	if f.m, err = s.model(st); err != nil {
		return nil, err
	}
	part := s.dut.slots()[0]
	most := mostBeats / 2 // beats that wait before the model waits too
	for started := false; ; {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("interrupted: %w", err)
		}
		if err := caught(func() error { return f.fill(st.cycles(), most) }); err != nil {
			return f.first, err
		}
		if f.search.reached(f) {
			most = math.MaxInt // the model alone runs on, to the same transfer
			if err := caught(func() error { return f.fill(st.cycles(), most) }); err != nil {
				return f.first, err
			}
			if d := f.compare(); d != nil {
				return d, nil
			}
			return f.end(nil)
		}
		counts := f.place(part)
		if !started {
			started = true
			if err := s.dut.reset(0); err != nil {
				return nil, unlessInterrupted(ctx, fmt.Errorf("reset: %w", err))
			}
		}
		over := f.cycle >= st.cycles()
		done, err := f.rtl.transfer(0, counts, over, s.hurry)
		if ctx.Err() != nil {
			return nil, unlessInterrupted(ctx, err)
		}
		moved, waits, full := f.take(part, counts, done) // a failing field may have differed before
		if d := f.compare(); d != nil {
			return d, nil
		}
		if err != nil {
			return f.first, fmt.Errorf("beat %d: %w", f.offered, err)
		}
		if progress != nil {
			progress(f.cycle)
		}
		if n := f.ahead(); n > mostAhead || n > 0 && over {
			return f.end(nil)
		}
		switch {
		case moved > 0 && (waits || full || !over):
			most = mostBeats / 2
		case waits && !over && most < mostBeats: // it may want more of one stream before it takes another's
			most = mostBeats
		case waits:
			return f.end(&errStuck{beat: f.offered, left: f.left()})
		case over:
			return f.end(nil)
		}
	}
}

// noBeat is a cycle of the model after its last: nothing goes in, everything that comes out is taken.
func (f *flight) noBeat(row []uint64) {
	s := f.s
	last := &vectors.Values{Fields: s.fields, Row: slices.Clone(row)}
	for _, l := range f.in {
		row[s.inputs[l.valid]] = 0
	}
	for _, l := range f.out {
		if l.ready >= 0 {
			row[s.inputs[l.ready]] = 1
		}
	}
	s.fix(last, row)
}

// fill runs the model until enough beats wait, or to its end and on until it is empty.
func (f *flight) fill(cycles, most int) error {
	long := func(l *lane) bool { return len(l.beats) >= most }
	for ; f.cycle < cycles && !slices.ContainsFunc(f.in, long) && !f.search.ended(most); f.cycle++ {
		if err := f.m.next(); err != nil {
			return err
		}
		f.enter()
		f.leave(f.cycle)
		f.search.see(f)
	}
	if f.cycle < cycles || f.rested {
		return nil
	}
	f.rested = true
	enough := drained
	if f.s.hurry {
		enough = hurry
	}
	for k, idle := 0, 0; k < mostRest && idle < enough; k++ {
		if err := f.m.next(); err != nil {
			return err
		}
		f.enter() // of several clocks one may not have risen since the last beat was offered
		if idle++; f.leave(cycles - 1) {
			idle = 0
		}
		f.search.see(f)
	}
	return nil
}

// enter notes the beats that enter the model in this cycle.
func (f *flight) enter() {
	row, s := f.m.row, f.s
	for _, l := range f.in {
		if l.moves(row, s) && row[s.inputs[l.valid]] == 1 && (l.ready < 0 || row[s.outputs[l.ready]] == 1) {
			l.beats = append(l.beats, f.m.pick(nil, s.inputs))
			f.search.enters(l)
		}
	}
}

// leave takes the beats that leave the model in a cycle, for a row of the stimulus.
func (f *flight) leave(at int) (any bool) {
	row, s := f.m.row, f.s
	for _, l := range f.out {
		if l.moves(row, s) && row[s.outputs[l.valid]] == 1 && (l.ready < 0 || row[s.inputs[l.ready]] == 1) {
			l.wants = append(l.wants, moment{model: f.m.pick(nil, s.outputs)})
			l.rows = append(l.rows, at)
			any = true
		}
	}
	return any
}

// place writes beats to a slot. It returns how many there are, and how many of the streams out may come.
func (f *flight) place(part slot) (counts []int) {
	counts = make([]int, len(f.in)+len(f.out))
	for i, c := range f.s.inputs {
		value := uint64(0)
		for _, h := range f.s.held {
			if h.column == c {
				value = h.value
			}
		}
		f.s.in.Put(part.in, 0, i, value)
	}
	for _, l := range f.out {
		counts[l.number] = f.search.room(l)
	}
	for _, l := range f.in {
		counts[l.number] = min(len(l.beats), slotRows)
		for k, row := range l.beats[:counts[l.number]] {
			for _, i := range l.beat {
				f.s.in.Put(part.in, k, i, row[i])
			}
		}
	}
	return counts
}

// take reads what the RTL did from a slot. It tells how many transfers there were, whether beats wait, and whether
// there was no room.
func (f *flight) take(part slot, counts, done []int) (moved int, waits, full bool) {
	no := len(f.s.outputs)
	for _, l := range f.in {
		n := done[l.number]
		moved += n
		f.offered += n
		l.beats = l.beats[n:]
		waits = waits || len(l.beats) > 0
	}
	for _, l := range f.out {
		n := done[l.number]
		moved += n
		full = full || n == counts[l.number]
		for k := range n {
			g := moment{rtl: f.s.out.Row(part.out, k)}
			if part.unknown != nil {
				g.unknown = slices.Clone(part.unknown[k*no : (k+1)*no])
			}
			l.gots = append(l.gots, g)
		}
	}
	return moved, waits, full
}

// left is how many transfers have left the RTL.
func (f *flight) left() int {
	n := 0
	for _, l := range f.out {
		n += l.compared + len(l.gots)
	}
	return n
}

// ahead is how many transfers have left the RTL, of one stream, and not yet the model.
func (f *flight) ahead() int {
	n := 0
	for _, l := range f.out {
		n = max(n, len(l.gots))
	}
	return n
}

// compare compares the beats that have left both sides, stream by stream.
func (f *flight) compare() *Divergence {
	s, t := f.s, f.t
	for _, l := range f.out {
		for len(l.wants) > 0 && len(l.gots) > 0 {
			now := moment{
				inputs: make([]uint64, len(s.inputs)), model: l.wants[0].model, rtl: l.gots[0].rtl,
				unknown: l.gots[0].unknown,
			}
			row := l.rows[0]
			l.wants, l.rows, l.gots = l.wants[1:], l.rows[1:], l.gots[1:]
			t.cycles++
			if l.past = append(l.past, now); len(l.past) > 2*rowsBefore {
				l.past = append(l.past[:0], l.past[len(l.past)-rowsBefore:]...)
			}
			for _, o := range l.fields {
				if v := s.valid[o]; l.compared < s.Binding.skip || s.mask[o] == 0 || v >= 0 && now.model[v] == 0 {
					continue
				}
				t.compared[o]++
				want, got, unknown := now.model[o], now.rtl[o], uint64(0)
				if now.unknown != nil {
					unknown = now.unknown[o] & s.mask[o]
				}
				if ((want^got)&s.mask[o]|unknown) == 0 || !t.differs(o, l.compared, want, got, unknown) || f.first != nil {
					continue
				}
				d := f.diverged(l, o, row)
				d.Want, d.Got, d.Unknown = want, got, unknown
				d.kind = f.kindOf(l)
				if !t.all {
					return d
				}
				f.first = d
			}
			l.compared++
		}
	}
	return nil
}

// diverged describes the latest transfer of a stream as a difference in a row of the model's run.
func (f *flight) diverged(l *lane, output, row int) *Divergence {
	s := f.s
	x := s.fields[s.outputs[output]]
	d := &Divergence{
		Cycle:     l.compared,
		Field:     x.Name,
		Width:     x.Width,
		view:      s.view,
		output:    output,
		first:     l.compared + 1 - len(l.past),
		moments:   slices.Clone(l.past),
		Transfers: true,
		canShrink: len(s.unit.Clocks) == 0,
		row:       row,
		differs:   make([]uint64, len(s.outputs)),
	}
	if n := len(l.past); n > 0 {
		last := l.past[n-1]
		for _, o := range l.fields {
			d.differs[o] = (last.model[o] ^ last.rtl[o]) & s.mask[o]
			if last.unknown != nil {
				d.differs[o] |= last.unknown[o] & s.mask[o]
			}
		}
	}
	return d
}

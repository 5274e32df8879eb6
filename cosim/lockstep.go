package cosim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Result is the outcome of a run.
type Result struct {
	Cycles  int        `json:"cycles"` // in which outputs were compared
	Outputs []Compared `json:"outputs"`
	Ignored []string   `json:"ignored,omitempty"`
	// Handshake are outputs of the model that say when it is ready: of transfers, the RTL's own count in their place.
	Handshake []string `json:"by_the_handshake,omitempty"`

	Divergence *Divergence `json:"divergence,omitempty"` // the first that no waiver passes
	// what ended the RTL or the model, if the run went on after that difference
	Failed      string        `json:"failed,omitempty"`
	Differences []*Difference `json:"differences,omitempty"` // the distinct ones, if the run goes on after the first
	MoreKinds   uint64        `json:"more_differences,omitempty"`

	// Messages are what the RTL complains of. Under Verilator they end with the cycle of a difference that ends the run.
	// Under Icarus, in transfers, and on systems without stdio_ext.h (macOS), it is not known in which cycle a message was
	// written: there what the RTL said in the cycles that it ran beyond the difference is here too. Under Icarus these are
	// at most 4,095. What the RTL said in a batch in which it hangs or dies may be missing.
	Messages []string `json:"messages,omitempty"`

	Looks *Looks `json:"looks,omitempty"` // at the RTL from other contents of its registers, and after more resets
	Held  *Held  `json:"held,omitempty"`  // of transfers: how many were inside at once; nil if the unit has no such number

	Waived        uint64   `json:"waived,omitempty"`
	UnusedWaivers []string `json:"unused_waivers,omitempty"`
}

// batch is rows on their way from the model to the RTL.
type batch struct {
	slot, rows int
	base       int // cycle of the first row
}

// Run drives model and RTL from their reset and compares every output in every cycle, up to the first difference that
// no waiver passes, or to the end if the session is to go on. RTL that agrees is run again, for a tenth of the cycles,
// from registers that are all 0, all 1 and random, and with the reset pulsed again: see [Looks]. RTL that hangs, dies
// or calls $finish is an error, unless it differed before, and so is a model that fails; if the model panics, so does
// Run. A run in which nothing was compared, or an output never, is an error. The progress function, if not nil, is told
// how many cycles are done.
func (s *Session) Run(ctx context.Context, st Stimulus, progress func(done int)) (*Result, error) {
	if st.cycles() < 1 {
		return nil, fmt.Errorf("%d cycles, want at least 1", st.cycles())
	}
	st, err := s.exact(st)
	if err != nil {
		return nil, err
	}
	if s.Binding.skip >= st.cycles() {
		return nil, s.nothingCompared(st)
	}
	if err := s.opt.Waivers.check(s.view); err != nil {
		return nil, err
	}
	s.opt.Waivers.reset()
	t := newTally(s.view, s.opt.Waivers, s.opt.Continue)
	r := &Result{}
	if b, ok := s.dut.(beginner); ok {
		s.prepare(b, beginning{seed: s.opt.Seed})
	}
	if len(s.Binding.ready) > 0 {
		r.Divergence, err = s.runTransfers(ctx, st, t, progress)
	} else {
		r.Divergence, err = s.run(ctx, st, s.Binding.skip, t, progress)
	}
	if err != nil && r.Divergence == nil {
		var p *panicked
		if errors.As(err, &p) {
			panic(fmt.Sprintf("%v\n\n%s", p.value, p.stack)) // where it was, which this goroutine's stack does not tell any more
		}
		return nil, err
	}
	if err != nil {
		r.Failed = err.Error()
	}
	last := toTheEnd
	if d := r.Divergence; d != nil && !d.Transfers && !s.opt.Continue {
		last = d.Cycle
	}
	r.Messages = s.dut.messages(last)
	if d := r.Divergence; d != nil {
		begins := beginning{seed: s.opt.Seed}
		d.legs = []leg{{st, begins}}
		d.Missed, d.depends = s.dependsOnContents(ctx, st, d, begins)
		s.locate(ctx, d)
	}
	if r, err = t.result(r); err != nil || r.Divergence != nil {
		return r, err
	}
	if len(r.Messages) > 0 {
		return r, &ReportedError{r.Messages}
	}
	more := newTally(s.view, s.opt.Waivers, s.opt.Continue)
	r.Looks, r.Divergence, err = s.looks(ctx, st, more)
	if err == nil && r.Divergence == nil {
		r.Held, r.Divergence, err = s.heldLook(ctx, st, more)
	}
	s.locate(ctx, r.Divergence)
	if err != nil && r.Divergence == nil {
		var reported *ReportedError
		if errors.As(err, &reported) {
			r.Messages = reported.Lines
			return r, err
		}
		return nil, fmt.Errorf("in a short run after the one that agreed: %w", err)
	}
	r.Waived += more.waived
	r.Differences = append(r.Differences, more.order...)
	r.UnusedWaivers = s.opt.Waivers.unused()
	if p, ok := s.dut.(*interpreter); ok && r.Divergence == nil {
		s.unset = s.unsetRegisters(ctx, p, s.short(st))
	}
	return r, nil
}

// nothingCompared is the error of a run that ends before anything is compared.
func (s *Session) nothingCompared(st Stimulus) error {
	return fmt.Errorf("nothing was compared: the map skips %d cycles, and the run has %d", s.Binding.skip, st.cycles())
}

// run is Run without its preparations and its end.
func (s *Session) run(
	ctx context.Context, st Stimulus, skip int, t *tally, progress func(done int),
) (*Divergence, error) {
	m, err := s.model(st)
	if err != nil {
		return nil, err
	}
	c := &comparison{s: s, t: t, cycles: st.cycles(), skip: skip}
	total := st.cycles()
	for _, l := range s.later {
		total = max(total, st.cycles()+l)
	}
	slots := s.dut.slots()
	// The model fills rows of its own, which go to the slot at once: lines of memory that the RTL's processor has come
	// much faster all at the same time than one by one. They are kept, since memory that is new costs the system a look at
	// each page.
	if s.made == nil {
		s.made = make([]byte, slotRows*s.in.Bytes)
		for range slots {
			s.want = append(s.want, make([]byte, slotRows*s.out.Bytes))
		}
	}
	inputs := s.made
	c.want = s.want

	// The RTL has batches waiting while the model fills one and while one is compared, so that neither side waits for the
	// other's turn. A slot is filled again when the batch after its own has been compared, for comparisons look back.
	var begun []batch
	var failed error // of the model, told when every cycle that has begun is compared
	previous, base := -1, 0
	for {
		for failed == nil && base < total && len(begun) < len(slots)-1 {
			b := batch{slot: base / slotRows % len(slots), rows: min(slotRows, total-base), base: base}
			if failed = caught(func() error { return m.fill(inputs, c.want[b.slot], b.rows) }); failed != nil {
				break
			}
			copy(slots[b.slot].in, inputs[:b.rows*s.in.Bytes])
			if base == 0 {
				if err := s.dut.reset(b.slot); err != nil {
					return nil, unlessInterrupted(ctx, fmt.Errorf("reset: %w", err))
				}
			}
			s.dut.begin(b.slot, b.rows)
			begun, base = append(begun, b), base+b.rows
		}
		if len(begun) == 0 {
			return c.first, failed
		}
		b := begun[0]
		begun = begun[1:]
		rows, err := s.dut.end()
		if err == nil && rows != b.rows { // the rest of the slot is of an earlier batch
			err = fmt.Errorf("the RTL's program ran %d of %d rows", rows, b.rows)
		}
		if err != nil {
			err = fmt.Errorf("cycle %d: %w", b.base+rows, err)
		}
		if ctx.Err() != nil {
			return nil, unlessInterrupted(ctx, err)
		}
		b.rows = rows // a failing field may have differed before
		if d := c.batch(b, previous); d != nil {
			return d, nil
		}
		if err != nil {
			return c.first, err
		}
		previous = b.slot
		if progress != nil {
			progress(min(b.base+b.rows, st.cycles()))
		}
	}
}

// unlessInterrupted returns the error, unless the user has ended the RTL and so made it.
func unlessInterrupted(ctx context.Context, err error) error {
	if e := ctx.Err(); e != nil {
		return fmt.Errorf("interrupted: %w", e)
	}
	return err
}

// comparison compares batches. It looks back into the one before, as an RTL may be later than the model.
type comparison struct {
	s      *Session
	t      *tally
	want   [][]byte // [slot]
	cycles int
	skip   int
	from   int // the model's cycles in which some output was compared
	to     int
	first  *Divergence // of a run that goes on

	counted []int               // of one batch: in how many rows a valid bit is 1, -1 for not counted
	columns [3][slotRows]uint64 // of one output: of the model in the batch before, in this one, and of the RTL
}

// batch returns the first difference in a batch, unless the run is to go on.
func (c *comparison) batch(b batch, previous int) *Divergence {
	if c.same(b) {
		return nil
	}
	s, no := c.s, len(c.s.outputs)
	part := s.dut.slots()[b.slot]
	before, now, got := &c.columns[0], &c.columns[1], &c.columns[2]
	first, field := math.MaxInt, -1
	for o := range no {
		mask := s.mask[o]
		if mask == 0 {
			continue
		}
		l, v := s.later[o], s.valid[o]
		lo := max(0, l+c.skip-b.base)
		hi := min(b.rows, c.cycles+l-b.base)
		if !c.t.all {
			hi = min(hi, first)
		}
		compared := 0
		s.out.Column(got[:b.rows], part.out, o)
		s.out.Column(now[:b.rows], c.want[b.slot], o)
		if lo < l {
			s.out.Column(before[:], c.want[previous], o)
		}
		for k := lo; k < hi; k++ {
			slot, at, want := b.slot, k-l, now
			if at < 0 {
				slot, at, want = previous, at+slotRows, before
			}
			if v >= 0 && s.out.Get(c.want[slot], at, v) == 0 {
				continue
			}
			compared++
			differs, unknown := got[k]^want[at], uint64(0)
			if part.unknown != nil {
				unknown = part.unknown[k*no+o] & mask
				differs |= unknown
			}
			if differs&mask == 0 || !c.t.differs(o, b.base+k, want[at], got[k], unknown) {
				continue
			}
			if k < first {
				first, field = k, o
			}
			if !c.t.all {
				break
			}
		}
		if compared > 0 {
			c.t.compared[o] += uint64(compared)
			if c.t.cycles == 0 {
				c.from = b.base + lo - l
			}
			c.from = min(c.from, b.base+lo-l)
			c.to = max(c.to, b.base+hi-l)
			c.t.cycles = c.to - c.from
		}
	}
	if field < 0 {
		return nil
	}
	if c.first == nil {
		c.first = c.diverged(b, previous, first, field)
	}
	if c.t.all {
		return nil
	}
	return c.first
}

// same tells whether the batch is the same bit for bit where each row is compared with its own, and counts it then. It
// is what nearly every batch of RTL that agrees is, and takes a fraction of the time of a look at each output.
func (c *comparison) same(b batch) bool {
	s, part := c.s, c.s.dut.slots()[b.slot]
	if part.unknown != nil || b.base < c.skip || b.base+b.rows > c.cycles ||
		slices.ContainsFunc(s.later, func(l int) bool { return l != 0 }) {
		return false
	}
	now := c.want[b.slot][:b.rows*s.out.Bytes]
	if !bytes.Equal(part.out[:len(now)], now) {
		return false
	}
	any := false
	if c.counted == nil {
		c.counted = make([]int, len(s.outputs))
	}
	for o := range c.counted {
		c.counted[o] = -1
	}
	for o, mask := range s.mask {
		if mask == 0 {
			continue
		}
		n := b.rows
		if v := s.valid[o]; v >= 0 {
			if n = c.counted[v]; n < 0 { // several fields have one valid bit
				n = 0
				s.out.Column(c.columns[0][:b.rows], now, v)
				for _, x := range c.columns[0][:b.rows] {
					n += int(x)
				}
				c.counted[v] = n
			}
		}
		c.t.compared[o] += uint64(n)
		any = any || n > 0
	}
	if any {
		if c.t.cycles == 0 {
			c.from = b.base
		}
		c.to = max(c.to, b.base+b.rows)
		c.t.cycles = c.to - c.from
	}
	return true
}

// How much of a divergence's surroundings is kept.
const (
	rowsBefore = 64
	rowsBehind = 16
)

// diverged describes a difference at row k of a batch.
func (c *comparison) diverged(b batch, previous, k, output int) *Divergence {
	s, no := c.s, len(c.s.outputs)
	d := &Divergence{
		Cycle: b.base + k, view: s.view, canShrink: len(s.unit.Clocks) == 0, output: output, later: s.later[output],
		Extra: s.extra(output),
	}
	from := max(0, d.Cycle-rowsBefore)
	if previous < 0 {
		from = max(from, b.base)
	}
	d.first = from
	for cycle := from; cycle < b.base+b.rows && cycle <= d.Cycle+rowsBehind; cycle++ {
		slot, at := b.slot, cycle-b.base
		if at < 0 {
			slot, at = previous, at+slotRows
		}
		part := s.dut.slots()[slot]
		r := moment{
			inputs: s.in.Row(part.in, at),
			model:  s.out.Row(c.want[slot], at),
			rtl:    s.out.Row(part.out, at),
		}
		if part.unknown != nil {
			r.unknown = append([]uint64(nil), part.unknown[at*no:(at+1)*no]...)
		}
		d.moments = append(d.moments, r)
	}
	f := s.fields[s.outputs[output]]
	d.Field, d.Width = f.Name, f.Width
	wantCycle := d.Cycle - d.later
	slot, at := b.slot, wantCycle-b.base
	if at < 0 {
		slot, at = previous, at+slotRows
	}
	d.Want = s.out.Get(c.want[slot], at, output)
	part := s.dut.slots()[b.slot]
	d.Got = s.out.Get(part.out, k, output)
	if part.unknown != nil {
		d.Unknown = part.unknown[k*no+output]
	}
	for o := range no {
		l, differs := s.later[o], uint64(0)
		at, want := k-l, c.want[b.slot]
		if at < 0 && previous >= 0 {
			at, want = at+slotRows, c.want[previous]
		}
		if at >= 0 && b.base+k >= l && (s.valid[o] < 0 || s.out.Get(want, at, s.valid[o]) == 1) {
			differs = (s.out.Get(part.out, k, o) ^ s.out.Get(want, at, o)) & s.mask[o]
			if part.unknown != nil {
				differs |= part.unknown[k*no+o] & s.mask[o]
			}
		}
		d.differs = append(d.differs, differs)
	}
	d.Shift, d.Shifted = c.otherLatency(b)
	return d
}

// otherLatency looks for a latency at which the whole batch agrees, earlier or later than the one compared at. It looks
// at all outputs alike.
func (c *comparison) otherLatency(b batch) (shift int, found bool) {
	s := c.s
	if b.rows < 16 {
		return 0, false
	}
	const most = 64
	for distance := 1; distance <= most; distance++ {
		for _, shift := range []int{distance, -distance} {
			if c.agreesAt(b, shift) {
				return s.opt.Extra + shift, true
			}
		}
	}
	return 0, false
}

// agreesAt tells whether the batch, taken alone, agrees if the RTL is shift cycles later than declared. What never
// changes says nothing: some compared output must.
func (c *comparison) agreesAt(b batch, shift int) bool {
	s, no := c.s, len(c.s.outputs)
	part, want := s.dut.slots()[b.slot], c.want[b.slot]
	changed := false
	for o := range no {
		mask := s.mask[o]
		if mask == 0 {
			continue
		}
		v := s.valid[o]
		last := uint64(0)
		for k := range b.rows {
			at := k - s.later[o] - shift
			if at < 0 || at >= b.rows || b.base+at < c.skip {
				continue
			}
			w := s.out.Get(want, at, o)
			if v >= 0 && s.out.Get(want, at, v) == 0 {
				continue
			}
			if (s.out.Get(part.out, k, o)^w)&mask != 0 || part.unknown != nil && part.unknown[k*no+o]&mask != 0 {
				return false
			}
			changed = changed || w != last && at > 0
			last = w
		}
	}
	return changed
}

// FindExtra runs some cycles and returns by how many cycles the RTL is later than the model, below 0 if it is earlier,
// if that is all; it returns false if they do not agree at any latency.
func (s *Session) FindExtra(ctx context.Context, st Stimulus) (int, bool, error) {
	if len(s.Binding.ready) > 0 {
		return 0, false, fmt.Errorf(
			"streams in the map: transfers are compared whenever they come, and have no latency to be found",
		)
	}
	st.Cycles = min(st.cycles(), slotRows)
	if st.Rows != nil {
		st.Rows = st.Rows[:min(len(st.Rows), st.Cycles)]
	}
	st, err := s.exact(st)
	if err != nil {
		return 0, false, err
	}
	t := newTally(s.view, nil, false)
	d, err := s.run(ctx, st, s.Binding.skip, t, nil)
	if err != nil {
		return 0, false, err
	}
	if d == nil {
		return s.opt.Extra, t.vacuous() == nil, nil
	}
	return d.Shift, d.Shifted, nil
}

// SetExtra changes how many cycles more than the model the RTL takes, where the map does not say it.
func (s *Session) SetExtra(cycles int) error {
	if cycles < -MaxExtra || cycles > MaxExtra {
		return fmt.Errorf("%d extra cycles, want %d to %d", cycles, -MaxExtra, MaxExtra)
	}
	s.opt.Extra = cycles
	s.view = newView(s.opt.Unit, s.Binding, cycles)
	return nil
}

package cosim

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/internal/plural"
)

// Held is the most transfers that each side held at once: taken at the stream in and not given at the stream out yet.
// To find out, nothing is taken from either side until it takes no more.
type Held struct {
	RTL   int `json:"rtl"`
	Model int `json:"model"`

	RTLFull   bool `json:"rtl_full"` // it took no more; else the stimulus had no more beats for it
	ModelFull bool `json:"model_full"`

	Differ bool `json:"differ"` // one side holds more than the other can

	Wanted int  `json:"wanted,omitempty"` // by the map
	Wrong  bool `json:"wrong,omitempty"`  // the RTL holds another number
}

// String says it in a line.
func (h *Held) String() string {
	rtl, model := fmt.Sprintf("at most %s at once", plural.Of(h.RTL, "transfer")), fmt.Sprint(h.Model)
	if !h.RTLFull {
		rtl = fmt.Sprintf("%s at once and took more", plural.Of(h.RTL, "transfer"))
	}
	switch {
	case !h.ModelFull:
		model += " and took more"
	case h.RTLFull && h.Model == h.RTL+1: // users forget this one
		model += ", with the one offered at its output"
	}
	text := fmt.Sprintf("the RTL held %s, the model %s", rtl, model)
	if h.Wanted > 0 {
		text += fmt.Sprintf(", the map says %d", h.Wanted)
	}
	return text
}

// want compares the RTL's number with the map's.
func (h *Held) want(number int) error {
	h.Wanted = number
	if number > 0 && !h.RTLFull && h.RTL <= number {
		return fmt.Errorf("holds: %d: %v: the stimulus has no more, so give it more cycles", number, h)
	}
	h.Wrong = number > 0 && h.RTL != number
	return nil
}

// holdable returns why nobody can tell how many transfers the RTL holds, "" if a run can.
func holdable(in, out []stream) string {
	if len(in) != 1 || len(out) != 1 {
		return fmt.Sprintf("%d streams in and %d out, want one of each", len(in), len(out))
	}
	for _, x := range []stream{in[0], out[0]} {
		switch {
		case x.ready < 0:
			return "the model's stream " + x.name + " has no ready"
		case x.port.port < 0:
			return "the map names no ready of stream " + x.name
		}
	}
	return ""
}

// compare tells whether one side holds more than the other can.
func (h *Held) compare() {
	switch {
	case h.RTLFull && h.ModelFull:
		h.Differ = h.RTL != h.Model
	case h.RTLFull:
		h.Differ = h.Model > h.RTL
	case h.ModelFull:
		h.Differ = h.RTL > h.Model
	}
}

// refusals is after how many offers that it refuses a side is full. RTL may take its time for each beat.
const refusals = 512

// load counts the transfers inside a side. The Verilator harness has the same.
type load struct {
	held, most int
	refused    int // offers since the last beat was taken
	full, open bool
}

// closes tells whether nothing is taken in this cycle. Nothing is kept back once all beats have gone in.
func (l *load) closes(fill, over bool) bool {
	l.open = l.open || over
	return fill && !l.open
}

// taken notes a beat that went in.
func (l *load) taken() { l.held, l.refused = l.held+1, 0 }

// count looks at the end of a cycle.
func (l *load) count() {
	l.most = max(l.most, l.held)
	if !l.open && l.refused == refusals {
		l.full, l.open = true, true
	}
}

func (p *interpreter) inside() (most int, full bool) { return p.load.most, p.load.full }

// The RTL gets some times the cycles that filled the model: the stimulus has fewer beats while the model's output is
// taken.
const (
	heldShare = 4
	heldLeast = 1024
	mostFill  = 1 << 16 // cycles of the model until it is full
)

// heldLook finds out how many transfers each side holds, and compares the transfers of that run as well. It returns nil
// of units whose transfers in and out are not one for one, and where a side holds back nothing.
func (s *Session) heldLook(ctx context.Context, st Stimulus, t *tally) (*Held, *Divergence, error) {
	rtl, ok := s.dut.(elastic)
	if len(s.Binding.ready) == 0 || !ok {
		return nil, nil, nil
	}
	in, out, err := s.streams(s.Binding)
	if err != nil || holdable(in, out) != "" {
		return nil, nil, err
	}
	h := &Held{}
	var cycles int
	if err := caught(func() (err error) { cycles, err = s.fillModel(st, in[0], out[0], h); return err }); err != nil {
		return nil, nil, err
	}
	part := s.upTo(st, heldShare*(cycles+s.Binding.holds)+heldLeast)
	b := s.dut.(beginner)
	s.prepare(b, beginning{seed: s.opt.Seed, fills: true})
	defer s.prepare(b, beginning{seed: s.opt.Seed})
	f := newFlight(s, t, rtl, in, out)
	d, err := f.run(ctx, part, nil)
	if d != nil {
		d.Filled, d.canShrink, d.stimulus = true, false, &part
		d.legs = []leg{{part, beginning{seed: s.opt.Seed, fills: true}}}
	}
	if d != nil || err != nil {
		return nil, d, err
	}
	if messages := b.messages(toTheEnd); len(messages) > 0 {
		return nil, nil, &ReportedError{messages}
	}
	if f.offered != f.left() {
		if n := s.Binding.holds; n > 0 {
			err = fmt.Errorf("holds: %d: %d transfers come out of %d that go in, want as many", n, f.left(), f.offered)
		}
		return nil, nil, err
	}
	h.RTL, h.RTLFull = rtl.inside()
	h.compare()
	return h, nil, h.want(s.Binding.holds)
}

// fillModel runs the model without taking anything from it, until it takes no more. It returns for how many cycles.
func (s *Session) fillModel(st Stimulus, in, out stream, h *Held) (cycles int, err error) {
	st.edit = func(row []uint64) { row[s.inputs[out.ready]] = 0 }
	m, err := s.model(st)
	if err != nil {
		return 0, err
	}
	l := load{}
	for cycles < min(st.cycles(), mostFill) && !l.full {
		if err := m.next(); err != nil {
			return cycles, err
		}
		switch {
		case !in.moves(m.row, s) || m.row[s.inputs[in.valid]] == 0:
		case m.row[s.outputs[in.ready]] == 1:
			l.taken()
		default:
			l.refused++
		}
		l.count()
		cycles++
	}
	h.Model, h.ModelFull = l.most, l.full
	return cycles, nil
}

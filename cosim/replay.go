package cosim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/internal/input"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/wave"
)

// Replay is a waveform to be compared with a model.
type Replay struct {
	Unit  vectors.Unit
	Path  string // of the VCD file
	Scope string // that holds the RTL's ports: "top.dut"
	Clock string // variable in the scope, or its full path; "" for the map's entry, or a common name
	Map   Map
	Extra int // how many cycles the RTL is later than the model

	// Unknown is what an input bit that is x or z counts as: '0' or '1'. Else such a bit is an error.
	Unknown byte

	// Waivers pass differences that are known.
	Waivers Waivers

	// Continue goes on after a difference and lists the distinct ones. Of transfers there is no such list.
	Continue bool
}

// Replayed is the outcome of a replay.
type Replayed struct {
	Result  // its cycles are without those in reset
	Binding *Binding
	Resets  int    // how often the model started anew
	Time    uint64 // of the divergence, in the file's units
	Scale   wave.Scale
	Line    int // of the file

	Notes []string // on the file: gaps, and the cycles not compared for them
}

// Run reads the waveform once. At each rising edge of the clock it takes the inputs and outputs of just before. While
// the reset is active the model waits in its reset state; without a reset it starts there at the first edge. A file in
// which nothing is compared, or an output never, is an error.
func (r Replay) Run(ctx context.Context) (*Replayed, error) {
	if len(r.Unit.Clocks) > 0 {
		return nil, fmt.Errorf(
			"unit %s has %d clocks: a replay samples at one; cosim and vectors take several", r.Unit.Name,
			len(r.Unit.Clocks),
		)
	}
	f, err := input.Await(ctx, func() (io.ReadCloser, error) { return wave.Open(r.Path) })
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in, err := wave.NewReader(f, r.Path)
	if err != nil {
		return nil, err
	}
	p := &replayer{ctx: ctx, replay: r, in: in, clock: -1, result: &Replayed{Scale: in.Scale}}
	if err := p.bind(); err != nil {
		return nil, fmt.Errorf("%s: %w", r.Path, err)
	}
	if err := r.Waivers.check(p.view); err != nil {
		return nil, err
	}
	r.Waivers.reset()
	if r.Continue && p.flow != nil {
		return nil, errors.New("--continue: a comparison of transfers (streams in the map) ends at its first difference")
	}
	p.tally = newTally(p.view, r.Waivers, r.Continue)
	if err := p.read(); err != nil {
		return nil, err
	}
	p.result.Notes = append(p.notes(), p.ordered...)
	if _, err := p.tally.result(&p.result.Result); err != nil {
		return nil, fmt.Errorf("%s: %w", r.Path, err)
	}
	return p.result, nil
}

type replayer struct {
	ctx    context.Context
	replay Replay
	in     *wave.Reader
	result *Replayed
	*view

	vars       []int    // file variable to port, -1 for none
	ordered    []string // notes on parts whose order is the file's
	now        []string // the ports' values
	clock      int      // file variable
	level      byte     // of the clock
	clockPlace int      // of its bit
	pulses     int

	row   []uint64 // inputs as sampled
	model *model   // nil in reset
	rows  int      // since the latest reset
	past  []moment
	tally *tally
	flow  *flow // of transfers; nil if cycles are compared

	gap    int      // gaps that have begun
	lost   bool     // no reset since the last of them
	pasts  []*model // with other pasts than the model's
	alike  int      // cycles for which their outputs have been the same
	moves  int      // bits of the outputs that have moved in them
	before []uint64 // the outputs of the cycle before
	unsure int      // cycles that are not compared for a gap
}

// bind finds the ports among the scope's variables.
func (p *replayer) bind() error {
	scope := wave.PlainPath(strings.TrimSuffix(p.replay.Scope, "."))
	m := p.replay.Map
	if p.replay.Clock != "" {
		m.Clock = p.replay.Clock
	}
	unit, err := p.replay.Unit.Simulate(rtl.Config{}, 0)
	if err != nil {
		return err
	}
	if m, p.ordered, err = wholes(p.in, scope, m, unit.Fields); err != nil {
		return err
	}
	var ports []Port
	if ports, p.vars = dumpPorts(p.in, scope, m); len(ports) == 0 {
		return p.noVariables()
	}
	if p.replay.Clock != "" {
		ports, m.Clock = p.addClock(ports, m.Clock, scope)
	}
	b, err := bind(p.replay.Unit, unit.Fields, ports, m, true)
	if err != nil {
		return err
	}
	if b.clock == nil {
		return fmt.Errorf("clock: none: a waveform is sampled at a clock: --clock names it")
	}
	p.view = newView(p.replay.Unit, b, p.replay.Extra)
	for i, at := range p.vars {
		if at == b.clock.port && p.clock < 0 {
			p.clock = i
		}
	}
	p.clockPlace = b.clock.place
	p.result.Binding = b
	if len(b.ready) > 0 {
		if p.flow, err = newFlow(p.view, b); err != nil {
			return err
		}
	}
	p.now = make([]string, len(ports))
	for i, port := range ports {
		p.now[i] = strings.Repeat("x", port.Width())
	}
	p.row = make([]uint64, len(p.fields))
	return nil
}

// read goes through the file. The changes of one time count together: what stood before them is what an edge among them
// samples.
func (p *replayer) read() error {
	var batch []wave.Change
	var time uint64
	flush := func() error {
		within := p.noteGaps(time)
		rises := false
		for _, c := range batch {
			if c.Var == p.clock && p.clockPlace < len(c.Value) {
				level := c.Value[len(c.Value)-1-p.clockPlace]
				up := byte('1')
				if p.result.Binding.clock.invert {
					up = '0'
				}
				down := '0' + '1' - up
				rises = p.level == down && level == up
				p.level = level
			}
		}
		if rises && !within {
			p.pulses++
			if p.pulses%1024 == 0 && p.ctx.Err() != nil {
				return fmt.Errorf("%s: interrupted: %w", p.replay.Path, p.ctx.Err())
			}
			if err := p.edge(time); err != nil {
				return err
			}
		}
		for _, c := range batch {
			if at := p.vars[c.Var]; at >= 0 {
				p.set(at, c.Value)
			}
		}
		batch = batch[:0]
		return nil
	}
	var pending error
	for p.result.Divergence == nil || p.replay.Continue {
		err := p.in.Next(func(c wave.Change) {
			if c.Time != time {
				if pending == nil {
					pending = flush()
				}
				time = c.Time
			}
			batch = append(batch, c)
		})
		if err == nil {
			err = pending
		}
		if errors.Is(err, io.EOF) {
			err = flush()
			if err == nil {
				break
			}
		}
		if err != nil {
			return err
		}
	}
	if p.flow != nil && p.result.Divergence == nil && p.model != nil {
		if err := p.drain(); err != nil {
			return err
		}
	}
	clock := p.in.Vars[p.clock].Path
	switch {
	case p.pulses == 0:
		return fmt.Errorf("%s: the clock %s never rises", p.replay.Path, clock)
	case p.rows == 0 && p.tally.cycles == 0:
		return fmt.Errorf(
			"%s: the clock %s rises %d times, always in reset (%s)", p.replay.Path, clock, p.pulses,
			p.result.Binding.Controls()[1].Text,
		)
	}
	return nil
}

// set gives a port its value. A value without bits, such as a text, is unknown.
func (p *replayer) set(port int, value string) {
	if len(value) != len(p.now[port]) || strings.IndexByte("01xz", value[0]) < 0 {
		value = strings.Repeat("x", len(p.now[port]))
	}
	p.now[port] = value
}

// edge takes the values before a rising edge.
func (p *replayer) edge(time uint64) error {
	b := p.result.Binding
	if b.reset != nil {
		v, unknown := p.value([]bit{*b.reset})
		if unknown != 0 {
			return p.errorf(time, "the reset %s is %c", formatBits(b.Ports, []bit{*b.reset}), p.now[b.reset.port][0])
		}
		if v == 1 {
			p.model, p.rows = nil, 0
			p.lost, p.pasts = false, nil
			return nil
		}
	}
	if b.enable != nil {
		v, unknown := p.value([]bit{*b.enable})
		if unknown != 0 {
			return p.errorf(time, "the clock enable %s is x or z", formatBits(b.Ports, []bit{*b.enable}))
		}
		if v == 0 {
			return nil
		}
	}
	m := moment{
		rtl: make([]uint64, len(p.outputs)), unknown: make([]uint64, len(p.outputs)), time: time, line: p.in.Line(),
	}
	for _, c := range p.inputs {
		f := b.Fields[c]
		v, unknown := p.value(f.bits)
		v |= f.value
		switch {
		case unknown == 0:
		case p.replay.Unknown == '0':
		case p.replay.Unknown == '1':
			v |= unknown
		default:
			return p.errorf(
				time, "input %s is sampled as %s: drive it, or say what x counts as", f.Name, hexOf(v, unknown, f.Width),
			)
		}
		p.row[c] = v
		m.inputs = append(m.inputs, v)
	}
	for i, c := range p.outputs {
		if p.mask[i] != 0 {
			m.rtl[i], m.unknown[i] = p.value(b.Fields[c].bits)
		}
	}
	if p.model == nil {
		if p.lost && !p.otherPasts() {
			p.unsure++
			return nil
		}
		p.past, p.rows = p.past[:0], 0
		if !p.lost {
			p.result.Resets++
		}
		var err error
		if p.model, err = p.start(); err != nil {
			return err
		}
	}
	if p.flow != nil {
		return p.transfer(m)
	}
	if err := p.model.next(); err != nil {
		return err
	}
	p.past = append(p.past, m)
	if len(p.past) > 4*(MaxExtra+rowsBefore) {
		p.past = append(p.past[:0], p.past[len(p.past)-2*MaxExtra-rowsBefore:]...)
	}
	p.rows++
	p.past[len(p.past)-1].settled = true
	if at := len(p.past) - 1 - p.lead; at >= 0 &&
		p.rows > p.lead { // the RTL's values then are the model's now
		p.past[at].model = p.model.pick(nil, p.outputs)
		if p.pasts != nil {
			var err error
			if p.past[at].settled, err = p.settled(); err != nil {
				return err
			}
		}
		p.compare(at)
	}
	return nil
}

// start builds a model that takes the row sampled last.
func (p *replayer) start() (*model, error) {
	m := &model{row: make([]uint64, len(p.fields)), inputs: p.inputs, outputs: p.outputs}
	var err error
	m.in, err = p.unit.SimulateFrom(rtl.Config{}, func(row []uint64) bool {
		if p.flow != nil {
			p.flow.offer(row, p.row, m)
		} else {
			copy(row, p.row)
		}
		return true
	})
	return m, err
}

// compare looks at the outputs of a moment.
func (p *replayer) compare(at int) {
	got := p.past[at]
	cycle := p.rows - 1 - p.lead
	counted := false
	differs := make([]uint64, len(p.outputs))
	var first *Divergence
	for o := range p.outputs {
		from := at - p.later[o]
		if p.mask[o] == 0 || from < 0 || cycle-p.later[o] < p.result.Binding.skip {
			continue
		}
		want := p.past[from].model
		if !p.past[from].settled || p.valid[o] >= 0 && want[p.valid[o]] == 0 {
			continue
		}
		counted = true
		p.tally.compared[o]++
		differs[o] = (got.rtl[o] ^ want[o] | got.unknown[o]) & p.mask[o]
		if differs[o] == 0 || !p.tally.differs(o, cycle, want[o], got.rtl[o], got.unknown[o]&p.mask[o]) || first != nil ||
			p.result.Divergence != nil {
			continue
		}
		f := p.fields[p.outputs[o]]
		p.result.Time, p.result.Line = got.time, got.line
		first = &Divergence{
			Cycle:   cycle,
			Field:   f.Name,
			Width:   f.Width,
			Want:    want[o],
			Got:     got.rtl[o],
			Unknown: got.unknown[o] & p.mask[o],
			Extra:   p.extra(o),
			later:   p.later[o],
			view:    p.view,
			output:  o,
			first:   cycle - at,
			differs: differs,
			moments: slices.Clone(p.past[:at+1]),
		}
	}
	if counted {
		p.tally.cycles++
	}
	if first != nil {
		p.result.Divergence = first
	}
}

// value returns bits of the current values, most significant first, and which of them are x or z.
func (p *replayer) value(bits []bit) (v, unknown uint64) {
	for _, b := range bits {
		v, unknown = v<<1, unknown<<1
		if b.port < 0 { // a constant, or what the RTL does not have
			v |= uint64(b.place)
			continue
		}
		s := p.now[b.port]
		switch c := s[len(s)-1-b.place]; {
		case c == '0' && b.invert || c == '1' && !b.invert:
			v |= 1
		case c != '0' && c != '1':
			unknown |= 1
		}
	}
	return v, unknown
}

func (p *replayer) errorf(time uint64, format string, args ...any) error {
	return fmt.Errorf(
		"%s:%d: time %d (%v), cycle %d: %s", p.replay.Path, p.in.Line(), time, p.result.Scale, p.rows,
		fmt.Sprintf(format, args...),
	)
}

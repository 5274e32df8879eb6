package cosim

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/wave"
)

// Replay is a waveform to be compared with a model.
type Replay struct {
	Unit  vectors.Unit
	Path  string // of the VCD file
	Scope string // that holds the RTL's ports: "top.dut"
	Clock string // variable in the scope, or its full path; "" for what the map says, or a common name
	Map   Map
	Extra int // cycles by which the RTL is later than the model

	// Unknown is what an input bit that is x or z counts as: '0' or '1'. Else such a bit is an error.
	Unknown byte
}

// Replayed is the outcome of a replay.
type Replayed struct {
	Binding    *Binding
	Cycles     int // compared, without those in reset
	Resets     int // how often the model started anew
	Divergence *Divergence
	Time       uint64 // of the divergence, in the file's units
	Scale      wave.Scale
	Line       int // of the file
}

// Run reads the waveform once. At each rising edge of the clock it takes what inputs and outputs were just before. While the
// reset is active the model waits in its reset state; without a reset it starts there at the first edge.
func (r Replay) Run() (*Replayed, error) {
	f, err := os.Open(r.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in, err := wave.NewReader(bufio.NewReader(f), r.Path)
	if err != nil {
		return nil, err
	}
	p := &replayer{replay: r, in: in, clock: -1, result: &Replayed{Scale: in.Scale}}
	if err := p.bind(); err != nil {
		return nil, fmt.Errorf("%s: %w", r.Path, err)
	}
	if err := p.read(); err != nil {
		return nil, err
	}
	return p.result, nil
}

type replayer struct {
	replay Replay
	in     *wave.Reader
	result *Replayed
	*view

	vars   []int    // file variable to port, -1 for none
	now    []string // the ports' values
	clock  int      // file variable
	level  byte     // of the clock
	pulses int

	row   []uint64 // inputs as sampled
	model *model   // nil in reset
	rows  int      // since the latest reset
	past  []moment
}

// bind finds the ports among the scope's variables.
func (p *replayer) bind() error {
	scope := strings.TrimSuffix(p.replay.Scope, ".") + "."
	if p.replay.Scope == "" {
		scope = ""
	}
	var ports []Port
	p.vars = make([]int, len(p.in.Vars))
	for i, v := range p.in.Vars {
		p.vars[i] = -1
		name, ok := strings.CutPrefix(v.Path, scope)
		if !ok || v.Kind == "real" || v.Kind == "parameter" || !identifier.MatchString(name) {
			continue
		}
		if at := portIndex(ports, name); at >= 0 {
			p.vars[i] = at // some simulators list a port twice, under two codes
			continue
		}
		p.vars[i] = len(ports)
		ports = append(ports, Port{Name: name, Dir: anyDirection, Left: v.Width - 1})
	}
	if len(ports) == 0 {
		return fmt.Errorf("no variables in scope %q; the scopes are %s", p.replay.Scope, strings.Join(p.scopes(), ", "))
	}
	m := p.replay.Map
	if p.replay.Clock != "" {
		m.Clock = p.replay.Clock
		if i := p.find(strings.TrimPrefix(m.Clock, "~")); i >= 0 && p.vars[i] < 0 { // it is elsewhere
			p.vars[i] = len(ports)
			ports = append(ports, Port{Name: "goldwire_clock", Dir: anyDirection, Left: p.in.Vars[i].Width - 1})
			m.Clock = strings.Repeat("~", strings.Count(m.Clock, "~")) + "goldwire_clock"
		} else {
			m.Clock = strings.Replace(m.Clock, scope, "", 1)
		}
	}
	if len(m.Streams) > 0 {
		return fmt.Errorf("map: streams: a waveform is compared cycle by cycle")
	}
	unit, err := p.replay.Unit.Simulate(rtl.Config{}, 0)
	if err != nil {
		return err
	}
	b, err := bind(unit.Fields, ports, m)
	if err != nil {
		return err
	}
	if p.view, err = newView(p.replay.Unit, b, p.replay.Extra); err != nil {
		return err
	}
	for i, at := range p.vars {
		if at == b.clock.port && p.clock < 0 {
			p.clock = i
		}
	}
	p.result.Binding = b
	p.now = make([]string, len(ports))
	for i, port := range ports {
		p.now[i] = strings.Repeat("x", port.Width())
	}
	p.row = make([]uint64, len(p.fields))
	return nil
}

func (p *replayer) find(path string) int {
	for i, v := range p.in.Vars {
		if v.Path == path {
			return i
		}
	}
	return -1
}

// scopes lists the scopes of the file, the first ten.
func (p *replayer) scopes() []string {
	var list []string
	seen := map[string]bool{}
	for _, v := range p.in.Vars {
		scope := v.Path[:max(0, strings.LastIndexByte(v.Path, '.'))]
		if !seen[scope] && len(list) < 10 {
			seen[scope] = true
			list = append(list, scope)
		}
	}
	return list
}

// read goes through the file. The changes of one time count together: what stood before them is what an edge among them
// samples.
func (p *replayer) read() error {
	var batch []wave.Change
	var time uint64
	flush := func() error {
		rises := false
		for _, c := range batch {
			if c.Var == p.clock && len(c.Value) == 1 {
				level := c.Value[0]
				up := byte('1')
				if p.result.Binding.clock.invert {
					up = '0'
				}
				down := '0' + '1' - up
				rises = p.level == down && level == up
				p.level = level
			}
		}
		if rises {
			p.pulses++
			if err := p.edge(time); err != nil {
				return err
			}
		}
		for _, c := range batch {
			if at := p.vars[c.Var]; at >= 0 && len(c.Value) == len(p.now[at]) { // a real's text is no value
				p.now[at] = c.Value
			}
		}
		batch = batch[:0]
		return nil
	}
	var pending error
	for p.result.Divergence == nil {
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
			if p.in.Partial() {
				return fmt.Errorf("%s:%d: the file ends in the middle of a line, want a complete dump", p.replay.Path, p.in.Line())
			}
			err = flush()
			if err == nil {
				break
			}
		}
		if err != nil {
			return err
		}
	}
	clock := p.in.Vars[p.clock].Path
	switch {
	case p.pulses == 0:
		return fmt.Errorf("%s: the clock %s never rises", p.replay.Path, clock)
	case p.rows == 0 && p.result.Cycles == 0:
		return fmt.Errorf("%s: the clock %s rises %d times, always in reset (%s)", p.replay.Path, clock, p.pulses, p.result.Binding.Controls()[1].Text)
	}
	return nil
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
	m := moment{model: make([]uint64, len(p.outputs)), rtl: make([]uint64, len(p.outputs)), unknown: make([]uint64, len(p.outputs))}
	for _, c := range p.inputs {
		f := b.Fields[c]
		if f.How == "held" {
			p.row[c] = f.Held
			m.inputs = append(m.inputs, f.Held)
			continue
		}
		v, unknown := p.value(f.bits)
		switch {
		case unknown == 0:
		case p.replay.Unknown == '0':
		case p.replay.Unknown == '1':
			v |= unknown
		default:
			return p.errorf(time, "input %s is sampled as %s: drive it, or say what x counts as", f.Name, hexOf(v, unknown, f.Width))
		}
		p.row[c] = v
		m.inputs = append(m.inputs, v)
	}
	for i, c := range p.outputs {
		if !p.ignored[i] {
			m.rtl[i], m.unknown[i] = p.value(b.Fields[c].bits)
		}
	}
	if p.model == nil {
		p.past, p.rows = p.past[:0], 0
		p.result.Resets++
		var err error
		if p.model, err = p.start(); err != nil {
			return err
		}
	}
	if err := p.model.next(); err != nil {
		return err
	}
	for i, c := range p.outputs {
		m.model[i] = p.model.row[c]
	}
	p.past = append(p.past, m)
	if len(p.past) > 2*(MaxExtra+rowsBefore) {
		p.past = append(p.past[:0], p.past[len(p.past)-MaxExtra-rowsBefore:]...)
	}
	p.rows++
	p.compare(time)
	if p.rows > b.skip {
		p.result.Cycles++
	}
	return nil
}

// start builds a model that takes the row sampled last.
func (p *replayer) start() (*model, error) {
	in, err := p.unit.SimulateFrom(rtl.Config{}, func(row []uint64) bool {
		copy(row, p.row)
		return true
	})
	if err != nil {
		return nil, err
	}
	return &model{in: in, row: make([]uint64, len(p.fields)), inputs: p.inputs, outputs: p.outputs}, nil
}

// compare looks at the last row.
func (p *replayer) compare(time uint64) {
	last := len(p.past) - 1
	got := p.past[last]
	cycle := p.rows - 1
	for o := range p.outputs {
		at := last - p.extra[o]
		if p.ignored[o] || at < 0 || cycle-p.extra[o] < p.result.Binding.skip {
			continue
		}
		want := p.past[at].model
		if got.rtl[o] == want[o] && got.unknown[o] == 0 || p.valid[o] >= 0 && want[p.valid[o]] == 0 {
			continue
		}
		f := p.fields[p.outputs[o]]
		p.result.Time = time
		p.result.Line = p.in.Line()
		p.result.Divergence = &Divergence{Cycle: cycle, Field: f.Name, Width: f.Width, Want: want[o], Got: got.rtl[o], Unknown: got.unknown[o],
			Extra: p.extra[o], view: p.view, output: o, first: cycle - last, moments: p.past}
		return
	}
}

// value returns bits of the current values, most significant first, and which of them are x or z.
func (p *replayer) value(bits []bit) (v, unknown uint64) {
	for _, b := range bits {
		v, unknown = v<<1, unknown<<1
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
	return fmt.Errorf("%s:%d: time %d (%v), cycle %d: %s", p.replay.Path, p.in.Line(), time, p.result.Scale, p.rows, fmt.Sprintf(format, args...))
}

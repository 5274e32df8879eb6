package wave

import (
	"fmt"
	"io"
	"strings"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/layout"
)

// Options select the signals, the inputs and the cycles of a simulation that are written.
type Options struct {
	Scale Scale

	// Include and Exclude select signals and inputs by path: "tx" is everything below tx, "rx.*.out" one level of any
	// name. No Include is all.
	Include, Exclude []string

	// Stimulus selects signals whose changes are written at the falling edge before the rising one that samples them, so
	// that a simulator can replay them without a race.
	Stimulus []string

	// From and To bound the written cycles of the first clock, both included; To 0 is no bound.
	From, To uint64
}

// VCD is an observer that writes a dump: each clock, and the selected signals and inputs of the simulation. Registers
// and wires change at the rising edge of their clock. Everything stands in a scope "top". An input shares the
// identifier of the signal that it reads, so it costs one line of the header and nothing in a cycle.
type VCD struct {
	sim     *rtl.Sim
	out     *Writer
	ruler   *clock.Ruler
	opt     Options
	vars    []traced // the nets, after the clocks
	shown   []Var    // what the header declares, after the clocks
	levels  []bool   // last written of each clock
	rising  group    // signals that change at the rising edge
	stimuli []group  // by clock: signals whose changes wait for its falling edge
	falls   []uint64 // stamp of each clock's next falling edge
	high    []bool   // of clocks that have it ahead
	last    uint64   // stamp of the latest instant
	err     error
}

// group is signals that are looked at together.
type group struct {
	vars      []int // their numbers in the dump
	taps      layout.Taps
	now, last []uint64 // last holds the values written last
}

// NewVCD writes the header and the initial values of an elaborated simulation, and everything from then on.
func NewVCD(w io.Writer, sim *rtl.Sim, opt Options) (*VCD, error) {
	clocks := len(sim.Clocks())
	v := &VCD{sim: sim, opt: opt, levels: make([]bool, clocks), falls: make([]uint64, clocks), high: make([]bool, clocks)}
	var err error
	if v.ruler, err = sim.Schedule().Ruler(opt.Scale.Unit()); err != nil {
		return nil, err
	}
	var vars []Var
	for i, c := range sim.Clocks() {
		if v.ruler.Edge(i, 1) == v.ruler.Fall(i, 1) || v.ruler.Fall(i, 1) == v.ruler.Edge(i, 2) {
			return nil, fmt.Errorf("timescale %v is too coarse for clock %s of %v: its edges fall together",
				opt.Scale, c.Name(), c.Freq())
		}
		vars = append(vars, Var{"top", c.Name(), 1})
	}
	s := newSelection(opt)
	if err = s.add(sim); err != nil {
		return nil, err
	}
	v.vars, v.shown = s.traced, s.shown
	nets, values := make([]int, clocks), make([]uint64, clocks)
	for i := range nets {
		nets[i] = i
	}
	for i, net := range s.nets {
		v.shown[i].Scope = "top." + v.shown[i].Scope
		nets = append(nets, clocks+net)
	}
	for _, t := range v.vars {
		values = append(values, t.signal.Value(t.leaf))
	}
	if v.out, err = newWriter(w, opt.Scale, append(vars, v.shown...), nets); err != nil {
		return nil, err
	}
	v.out.Begin(0, values)
	var rising []int
	stimuli := make([][]int, clocks)
	for i, t := range v.vars {
		if t.signal.Kind == rtl.Constant {
			continue
		}
		if c := t.signal.Clock.Index(); t.stimulus {
			stimuli[c] = append(stimuli[c], i)
		} else {
			rising = append(rising, i)
		}
	}
	v.rising = v.group(rising, values)
	for _, of := range stimuli {
		v.stimuli = append(v.stimuli, v.group(of, values))
	}
	sim.Observe(v)
	return v, nil
}

// group returns the group of the signals with the given numbers. Values are the last written values of all clocks and
// signals, clocks first.
func (v *VCD) group(of []int, values []uint64) group {
	g := group{now: make([]uint64, len(of))}
	var taps []layout.Tap
	for _, i := range of {
		k := len(v.levels) + i // clocks come first
		g.vars, g.last = append(g.vars, k), append(g.last, values[k])
		taps = append(taps, v.vars[i].signal.Tap(v.vars[i].leaf))
	}
	g.taps = layout.Join(taps)
	return g
}

// Observe writes the changes of an instant, and the falling edges since the last.
func (v *VCD) Observe(edges rtl.Edges) {
	first := edges[0]
	n := v.sim.Schedule().Edges(first)
	stamp := v.ruler.Edge(first, n)
	if stamp == v.last && v.err == nil {
		v.err = fmt.Errorf("timescale %v is too coarse: two instants round to stamp %d", v.opt.Scale, stamp)
	}
	v.last = stamp
	v.fallUntil(stamp)
	for _, c := range edges {
		v.falls[c] = v.ruler.Fall(c, v.sim.Schedule().Edges(c))
		v.high[c] = true
	}
	if !v.inWindow() {
		return
	}
	v.out.At(stamp)
	for _, c := range edges {
		v.level(c, true)
	}
	v.changes(&v.rising)
}

// fallUntil writes the falling edges up to a stamp, in order.
func (v *VCD) fallUntil(stamp uint64) {
	for {
		c, at := -1, stamp
		for i, high := range v.high {
			if high && (v.falls[i] < at || v.falls[i] == at && c < 0) {
				c, at = i, v.falls[i]
			}
		}
		if c < 0 {
			return
		}
		v.high[c] = false
		if !v.levels[c] { // its rise was before the window
			continue
		}
		v.out.At(at)
		v.level(c, false)
		v.changes(&v.stimuli[c])
	}
}

func (v *VCD) inWindow() bool {
	cycle := v.sim.Schedule().Edges(0)
	return cycle >= v.opt.From && (v.opt.To == 0 || cycle <= v.opt.To)
}

// level writes a clock's level, if it has changed.
func (v *VCD) level(c int, high bool) {
	if v.levels[c] == high {
		return
	}
	value := uint64(0)
	if high {
		value = 1
	}
	v.levels[c] = high
	v.out.Change(c, value)
}

// changes writes the changed values of a group.
func (v *VCD) changes(g *group) {
	g.taps.Read(g.now)
	for k, x := range g.now {
		if x != g.last[k] {
			g.last[k] = x
			v.out.Change(g.vars[k], x)
		}
	}
}

// Close writes the last falling edges and the closing stamp. It reports whatever went wrong on the way.
func (v *VCD) Close() error {
	end := v.last
	for i, high := range v.high {
		if high {
			end = max(end, v.falls[i])
		}
	}
	v.fallUntil(end)
	if err := v.out.Close(end + 1); err != nil {
		return err
	}
	return v.err
}

// GTKW writes a save file for GTKWave that shows the dump's variables, grouped by module.
func (v *VCD) GTKW(w io.Writer, dump string) error {
	_, err := fmt.Fprintf(w, "[dumpfile] %q\n", dump)
	line := func(format string, args ...any) {
		if err == nil {
			_, err = fmt.Fprintf(w, format+"\n", args...)
		}
	}
	line("@28") // binary
	for _, c := range v.sim.Clocks() {
		line("top.%s", c.Name())
	}
	scope := ""
	for _, d := range v.shown {
		if d.Scope != scope {
			scope = d.Scope
			line("@200") // a comment
			line("-%s", strings.TrimPrefix(scope, "top."))
		}
		if d.Width == 1 {
			line("@28\n%s.%s", d.Scope, d.Name)
		} else {
			line("@22\n%s.%s[%d:0]", d.Scope, d.Name, d.Width-1) // hexadecimal
		}
	}
	return err
}

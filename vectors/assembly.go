package vectors

import (
	"fmt"
	"math/big"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// UnitClock is a clock of a unit that has several. In Verilog it is a port NAME_clk with a reset NAME_rst beside it.
type UnitClock struct {
	Name  string // "write"
	Freq  clock.Freq
	Phase clock.Time // edge n is at Phase + n periods
}

// ClockPort and ResetPort return the names of the clock's ports in Verilog.
func (c UnitClock) ClockPort() string { return c.Name + "_clk" }

// ResetPort is the synchronous reset, active high, of the clock.
func (c UnitClock) ResetPort() string { return c.Name + "_rst" }

// Assembly is a unit of several modules and clocks, built into the simulation of a bench.
type Assembly struct {
	Clocks []*rtl.Clock // one for each of the unit's, in their order
	Ports  []AssemblyPort
}

// AssemblyPort is a port of a module that is one of the unit.
type AssemblyPort struct {
	rtl.PortInfo            // its name is the unit's: "write_data"
	Clock        *rtl.Clock // of the module

	err error // why it is none
}

// PortOf returns a port of a module as a port of a unit. A port that the module has not is an error where the unit is
// built.
func PortOf(m rtl.Module, port, name string, c *rtl.Clock) AssemblyPort {
	ports, err := rtl.Ports(m)
	for _, p := range ports {
		if p.Name == port {
			p.Name = name
			return AssemblyPort{PortInfo: p, Clock: c}
		}
	}
	if err == nil {
		err = fmt.Errorf("%T has no port %s", m, port)
	}
	return AssemblyPort{err: err}
}

// A row of a unit with several clocks ends where at least one of them rises. Its first fields are the clocks: 1 for
// each clock that rises then, all at once. An input changes only after an edge of its own clock, as a register of that
// clock would drive it.

// instants keeps the time of an instance of several clocks.
type instants struct {
	sim       *rtl.Sim
	clocks    []*rtl.Clock
	ahead     *clock.Schedule // one instant of the unit's ahead of the simulation
	next      []uint64        // [clock]: rises at the end of this row
	rows      uint64          // so far
	observers []rtl.Observer
}

func (t *instants) advance() {
	for i := range t.next {
		t.next[i] = 0
	}
	for found := false; !found; {
		for _, c := range t.ahead.Next() {
			for i, mine := range t.clocks {
				if mine.Index() == c {
					t.next[i], found = 1, true
				}
			}
		}
	}
}

// follow brings next to where the simulation is: a restored checkpoint has taken it elsewhere.
func (t *instants) follow() {
	for i, c := range t.clocks {
		if t.ahead.Edges(c.Index()) != c.Cycle()+t.next[i] {
			t.ahead = t.sim.Schedule().Clone()
			t.advance()
			return
		}
	}
}

// Observe passes on the instants of the unit's clocks: the modules around it may have other clocks.
func (t *instants) Observe(edges rtl.Edges) {
	mine := false
	for _, c := range t.clocks {
		mine = mine || edges.Has(c)
	}
	if !mine {
		return
	}
	t.rows++
	t.advance()
	for _, o := range t.observers {
		o.Observe(edges)
	}
}

// Observe adds an observer that is called after each instant of the unit's clocks.
func (in *Instance) Observe(o rtl.Observer) {
	if in.time == nil {
		in.Sim.Observe(o)
		return
	}
	in.time.observers = append(in.time.observers, o)
}

// Run runs for as many rows: cycles of the one clock, or instants of several.
func (in *Instance) Run(rows uint64) error {
	if in.time == nil {
		return in.Clock.Run(rows)
	}
	for end := in.time.rows + rows; in.time.rows < end; {
		if err := in.Sim.Step(); err != nil {
			return err
		}
	}
	if in.shared != nil {
		return in.shared.err
	}
	return nil
}

// replayed drives the inputs from rows.
func (in *Instance) replayed(scope *rtl.Scope, next func(row []uint64) bool) {
	if in.time != nil {
		in.feeders(next)
		return
	}
	scope.Add("replay", newReplay(in.ports, len(in.Fields), next))
}

// assemble builds a unit of several clocks, not yet elaborated.
func (in *Instance) assemble(u Unit, b *Bench) error {
	b.sim = in.Sim
	a := u.Assemble(b)
	if len(a.Clocks) != len(u.Clocks) {
		return fmt.Errorf("unit %s: Assemble made %d clocks, declared are %d", u.Name, len(a.Clocks), len(u.Clocks))
	}
	for i, c := range a.Clocks {
		if c.Freq().Hz().Cmp(u.Clocks[i].Freq.Hz()) != 0 {
			return fmt.Errorf("unit %s: clock %s has %v, declared is %v", u.Name, u.Clocks[i].Name, c.Freq(), u.Clocks[i].Freq)
		}
		name := u.Clocks[i].ClockPort()
		in.Fields = append(in.Fields, Field{Name: name, Port: name, Width: 1, Clock: true})
	}
	in.Clock = a.Clocks[0]
	in.time = &instants{sim: in.Sim, clocks: a.Clocks, next: make([]uint64, len(a.Clocks))}
	for _, p := range a.Ports {
		if p.err != nil {
			return fmt.Errorf("unit %s: %w", u.Name, p.err)
		}
		in.ports = append(in.ports, p.PortInfo)
		in.domains = append(in.domains, p.Clock)
	}
	return nil
}

// elaborated starts the time of an assembly.
func (in *Instance) elaborated(u Unit) error {
	if in.time == nil {
		return nil
	}
	for i, c := range in.time.clocks {
		if is, want := c.Time(), u.Clocks[i].Phase; is.Cmp(want) != 0 { // of edge 0
			return fmt.Errorf("unit %s: clock %s has the phase %v, declared is %v", u.Name, u.Clocks[i].Name, is, want)
		}
	}
	in.time.ahead = in.Sim.Schedule().Clone()
	in.time.advance()
	in.Sim.Observe(in.time)
	if in.shared != nil {
		in.Observe(in.shared)
		in.shared.Observe(nil)
	}
	return nil
}

// feeders drive the inputs of an assembly from rows, a module for each clock.
func (in *Instance) feeders(next func(row []uint64) bool) {
	rows := &sharedRows{next: next, row: make([]uint64, len(in.Fields)), time: in.time}
	rows.fetch()
	for _, c := range in.time.clocks {
		var ports []rtl.PortInfo
		var columns []int // of the first leaf of each port
		at := len(in.time.clocks)
		for i := range in.ports {
			if in.ports[i].Dir == rtl.Input && in.domains[i] == c {
				ports, columns = append(ports, in.ports[i]), append(columns, at)
			}
			at += len(in.ports[i].Leaves)
		}
		f := &feeder{rows: rows, columns: columns, Feeds: make([]rtl.Feed, len(ports))}
		for i := range ports {
			f.leaves = append(f.leaves, len(ports[i].Leaves))
			f.Feeds[i].Replace(&ports[i])
		}
		if len(ports) > 0 {
			in.Sim.Scope("bench").On(c).Add("replay_"+c.Name(), f)
		}
	}
	in.shared = rows
}

// sharedRows is the row that follows: the feeders read it, the observer of instants fetches it.
type sharedRows struct {
	next func(row []uint64) bool
	row  []uint64
	done bool
	time *instants
	err  error // the first row whose clocks are not the unit's
}

func (s *sharedRows) fetch() { s.done = s.done || !s.next(s.row) }

// Observe looks at the clocks of the row that has begun, and fetches the next.
func (s *sharedRows) Observe(rtl.Edges) {
	for i, rises := range s.time.next {
		if s.row[i] != rises && !s.done && s.err == nil {
			s.err = fmt.Errorf("row %d: clock %s: %d, want %d at its end, by the unit's frequencies", s.time.rows,
				s.time.clocks[i].Name(), s.row[i], rises)
		}
	}
	s.fetch()
}

type feeder struct {
	Feeds []rtl.Feed

	rows    *sharedRows
	columns []int
	leaves  []int
}

func (f *feeder) Reset() { f.Tick() }

func (f *feeder) Tick() {
	for i := range f.Feeds {
		for l := range f.leaves[i] {
			f.Feeds[i].SetLeaf(l, f.rows.row[f.columns[i]+l])
		}
	}
}

// seconds is a time as a fraction in lowest terms, for a file.
func seconds(t clock.Time) (num, den string) {
	r := t.In(clock.Second)
	return r.Num().String(), r.Denom().String()
}

// edgeScale are the numbers from which a testbench computes edge n of the clock in femtoseconds: (phase·period den +
// n·…)/… in whole numbers, as Verilog's of 128 bits hold them.
func (c UnitClock) edgeScale() (num, den, phase *big.Int) {
	period := c.Freq.Period().In(clock.Femtosecond)
	at := c.Phase.In(clock.Femtosecond)
	den = new(big.Int).Mul(period.Denom(), at.Denom())
	num = new(big.Int).Mul(period.Num(), at.Denom())
	return num, den, new(big.Int).Mul(at.Num(), period.Denom())
}

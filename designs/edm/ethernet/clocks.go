package ethernet

import (
	"slices"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// period is a cycle of clock.Block25G in picoseconds.
const period = 2560

// Pipe is a box of a fixed latency: a link, or a protocol stack. Its Out is in a clock of the same rate as the source's whose
// phase is what the latency leaves over a whole number of cycles, so that In samples each value once, at a known time after it
// was driven. This is no synchroniser: rtl.Config.Jitter would tear it.
type Pipe[T any] struct {
	In  rtl.Async[T]
	Out rtl.Out[T]

	line *blocks.DelayLine[T]
}

// newPipe returns a pipe that takes so many edges of its own clock, at least 1.
func newPipe[T any](edges int) *Pipe[T] {
	var zero T
	return &Pipe[T]{line: blocks.NewDelayLine(edges-1, zero)}
}

// Tick moves the values on.
func (p *Pipe[T]) Tick() { p.Out.Set(p.line.Shift(p.In.Get())) }

// Register is a pipeline register. Latency 1 cycle.
type Register[T any] struct {
	In  rtl.In[T]
	Out rtl.Out[T]
}

// Tick takes the value.
func (r *Register[T]) Tick() { r.Out.Set(r.In.Get()) }

// clocks are the clock domains of a network: one, or one for each phase.
type clocks struct {
	sim    *rtl.Sim
	single bool
	phases []int64 // of the simulation's clocks, in picoseconds
}

// at returns the clock of a box whose output comes a time after the transmitters' edges, making it if it is new.
func (c *clocks) at(t int64, name string) *rtl.Clock {
	if c.single {
		name = "block_clk"
	}
	phase := c.phase(t)
	if i := slices.Index(c.phases, phase); i >= 0 {
		return c.sim.Clocks()[i]
	}
	c.phases = append(c.phases, phase)
	return c.sim.Clock(name, clock.Block25G, clock.Picosecond.Times(phase))
}

// phase brings a time into one period.
func (c *clocks) phase(t int64) int64 {
	if c.single {
		return 0
	}
	return ((t % period) + period) % period
}

// time returns when a clock's latest edge was, in picoseconds.
func (c *clocks) time(clk *rtl.Clock) int64 { return c.phases[clk.Index()] + int64(clk.Cycle())*period }

// edges returns how many edges of its own clock a box takes that stands from one time to another behind the start of a path.
// With a single clock times are rounded up to cycles from the start of the path on, so that a path is rounded once.
func (c *clocks) edges(from, to int64) int {
	up := func(t int64) int64 { return (t + period - 1) / period }
	if c.single {
		return int(up(to) - up(from))
	}
	return int(up(to - from))
}

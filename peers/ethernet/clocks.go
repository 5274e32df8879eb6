package ethernet

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// period is a cycle of clock.Block25G in picoseconds.
const period = 2560

// clocks are the clock domains of a network: one, or one for each phase.
type clocks struct {
	domains *blocks.Phases
	single  bool
	phases  map[*rtl.Clock]int64 // in picoseconds
}

func newClocks(sim *rtl.Sim, single bool) *clocks {
	return &clocks{blocks.NewPhases(sim, clock.Block25G), single, map[*rtl.Clock]int64{}}
}

// at returns the clock of a box whose output comes a time after the transmitters' edges, making it if it is new.
func (c *clocks) at(t int64, name string) *rtl.Clock {
	phase := c.phase(t)
	if c.single {
		name = "block_clk"
	}
	clk := c.domains.At(clock.Picosecond.Times(phase), name)
	c.phases[clk] = phase
	return clk
}

// phase brings a time into one period.
func (c *clocks) phase(t int64) int64 {
	if c.single {
		return 0
	}
	return ((t % period) + period) % period
}

// time returns when a clock's latest edge was, in picoseconds.
func (c *clocks) time(clk *rtl.Clock) int64 { return c.phases[clk] + int64(clk.Cycle())*period }

// edges returns how many edges of its own clock a box takes whose path begins at time 0, and which stands from one
// time to another in it. With a single clock times are rounded up to cycles from the start of the path on, so that a
// path is rounded once.
func (c *clocks) edges(from, to int64) int {
	up := func(t int64) int {
		n, _ := blocks.Recover(clock.Picosecond.Times(t), clock.Time{}, clock.Block25G.Period())
		return n
	}
	if c.single {
		return up(to) - up(from)
	}
	return up(to - from)
}

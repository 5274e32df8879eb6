package shoal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtl"
)

// poke is a register that a test sets before each edge.
type poke[T any] struct {
	Out  rtl.Out[T]
	next T
}

func (p *poke[T]) Tick() { p.Out.Set(p.next) }

// schedulerBench drives a CellScheduler.
type schedulerBench struct {
	t      *testing.T
	clk    *rtl.Clock
	in     poke[Eligible]
	unsent poke[uint8]
	busy   poke[bool]
}

func newSchedulerBench(t *testing.T, s *CellScheduler) *schedulerBench {
	b := &schedulerBench{t: t}
	sim := rtl.New(rtl.Config{})
	b.clk = sim.Clock("clk", XGMIIClock)
	top := sim.Scope("top").On(b.clk)
	top.Add("in", &b.in)
	top.Add("unsent", &b.unsent)
	top.Add("busy", &b.busy)
	top.Add("dut", s)
	rtl.Connect(&b.in.Out, &s.In)
	rtl.Connect(&b.unsent.Out, &s.Unsent)
	rtl.Connect(&b.busy.Out, &s.Busy)
	require.NoError(t, sim.Elaborate())
	return b
}

// step gives the inputs of the next cycle.
func (b *schedulerBench) step(e Eligible, unsent uint8, busy bool) {
	b.in.next, b.unsent.next, b.busy.next = e, unsent, busy
	require.NoError(b.t, b.clk.Run(1))
}

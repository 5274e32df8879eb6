package zoo

import (
	"fmt"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// Count counts on from its input.
type Count struct {
	In  rtl.In[uint16]
	Out rtl.Out[uint16]
}

// Tick counts.
func (c *Count) Tick() { c.Out.Set(c.In.Get() + 1) }

// Cut is an island so large that the kernel cuts it: a circle, and a module with a wire that depends on a register of
// the circle.
type Cut struct {
	Sim  *rtl.Sim
	From [100]Count
	Not  Inverter
	To   Count
}

// NewCut wires it.
func NewCut(cfg rtl.Config) (*Cut, error) {
	c := &Cut{Sim: rtl.New(cfg)}
	clk := c.Sim.Clock("clk", clock.MHz(100))
	from, to := c.Sim.Scope("from").On(clk), c.Sim.Scope("to").On(clk)
	for i := range c.From {
		from.Add(fmt.Sprintf("c%d", i), &c.From[i])
		rtl.Connect(&c.From[i].Out, &c.From[(i+1)%len(c.From)].In)
	}
	to.Add("not", &c.Not)
	to.Add("to", &c.To)
	rtl.Connect(&c.From[0].Out, &c.Not.In)
	rtl.Connect(&c.Not.Out, &c.To.In)
	return c, c.Sim.Elaborate()
}

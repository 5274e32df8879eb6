package zoo

import (
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// Mixer counts, and mixes in its input.
type Mixer struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]

	n uint64
}

// Tick counts.
func (c *Mixer) Tick() {
	c.n++
	c.Out.Set(c.n ^ c.In.Get())
}

// Doubler gives twice its input.
type Doubler struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
}

// Tick doubles.
func (d *Doubler) Tick() { d.Out.Set(d.In.Get() << 1) }

// NewPair connects one of each in a circle: the example of package fuse's documentation.
func NewPair(cfg rtl.Config) (*rtl.Sim, error) {
	sim := rtl.New(cfg)
	top := sim.Scope("top").On(sim.Clock("clk", clock.MHz(100)))
	var c Mixer
	var d Doubler
	top.Add("count", &c)
	top.Add("double", &d)
	rtl.Connect(&c.Out, &d.In)
	rtl.Connect(&d.Out, &c.In)
	return sim, sim.Elaborate()
}

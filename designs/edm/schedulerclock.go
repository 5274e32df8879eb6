package edm

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/rtl"
)

// The scheduler may have a faster clock than the ports, a whole multiple of theirs from the same source, so that each
// edge of the ports' clock is one of the scheduler's. No synchroniser is needed; a value only has to be taken once.

// notifyCrossing brings notifications into the scheduler's clock. Latency: to the next common edge.
type notifyCrossing struct {
	In  []rtl.Async[Notification]
	Out []rtl.Out[Notification]

	ratio, edge int
	standing    blocks.Bits
}

// Reset has nothing.
func (c *notifyCrossing) Reset() {
	c.edge, c.standing = 0, blocks.NewBits(len(c.In))
	for p := range c.Out {
		c.Out[p].Set(Notification{})
	}
}

// Tick takes at common edges.
func (c *notifyCrossing) Tick() {
	if c.edge++; c.edge == c.ratio {
		c.edge = 0
		in := c.In // a loop over a local slice does not load it again for each port
		for p := range in {
			if in[p].Get().Valid { // asked first: a Notification does not fit into registers, and mostly there is none
				c.Out[p].Set(in[p].Get())
				c.standing.Set(p)
			}
		}
		return
	}
	for p := c.standing.Next(0); p >= 0; p = c.standing.Next(p + 1) {
		c.Out[p].Set(Notification{})
		c.standing.Clear(p)
	}
}

// grantHold holds grants from one common edge to the next.
type grantHold struct {
	In  []rtl.In[Grant]
	Out []rtl.Out[Grant]

	ratio, edge int
	standing    blocks.Bits
}

// Reset has nothing.
func (c *grantHold) Reset() {
	c.edge, c.standing = 0, blocks.NewBits(len(c.In))
	for p := range c.Out {
		c.Out[p].Set(Grant{})
	}
}

// Tick keeps the values since the last common edge.
func (c *grantHold) Tick() {
	if c.edge++; c.edge == c.ratio { // the ports take what stood here
		c.edge = 0
		for p := c.standing.Next(0); p >= 0; p = c.standing.Next(p + 1) {
			c.Out[p].Set(Grant{})
			c.standing.Clear(p)
		}
	}
	in := c.In
	for p := range in {
		if in[p].Get().Valid {
			c.Out[p].Set(in[p].Get())
			c.standing.Set(p)
		}
	}
}

// grantSample takes held grants into the ports' clock. Latency 1 cycle.
type grantSample struct {
	In  []rtl.Async[Grant]
	Out []rtl.Out[Grant]

	standing blocks.Bits
}

// Reset has nothing.
func (c *grantSample) Reset() {
	c.standing = blocks.NewBits(len(c.In))
	for p := range c.Out {
		c.Out[p].Set(Grant{})
	}
}

// Tick takes one cycle's grants.
func (c *grantSample) Tick() {
	in := c.In
	for p := range in {
		if in[p].Get().Valid {
			c.Out[p].Set(in[p].Get())
			c.standing.Set(p)
		} else if c.standing.Has(p) {
			c.Out[p].Set(in[p].Get())
			c.standing.Clear(p)
		}
	}
}

package zoo

import (
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/fuse/zoo/names"
	"github.com/goldwire/goldwire/rtl"
)

// Clerk and Chief read each other. The clerk's register keeps its value in some cycles.
type Clerk struct {
	In   rtl.In[uint64]
	Busy rtl.In[bool]
	Out  rtl.Out[uint64]

	n uint64
}

// Tick writes.
func (c *Clerk) Tick() {
	c.n++
	if c.n%4 == 1 || !c.Busy.Get() {
		c.Out.Set(c.In.Get()*3 ^ c.n)
	}
}

// Chief has a method in a loop over its ports, which has one turn.
type Chief struct {
	In   rtl.In[uint64]
	Asks []rtl.In[bool]
	Far  rtl.Async[uint64]
	Out  rtl.Out[uint64]
	Busy rtl.Out[bool]

	n uint64
}

// hear leaves early, and works with ports.
func (c *Chief) hear(i int) {
	if v := c.In.Get(); v%5 == 1 {
		c.n += v
		return
	}
	c.Out.Set(c.In.Get() + c.Far.Get()<<i)
}

// Tick hears the asking desk.
func (c *Chief) Tick() {
	c.n++
	if c.n == 1 {
		c.Out.Set(c.n)
	}
	for i := range c.Asks {
		if c.Asks[i].Get() {
			c.hear(i)
		}
	}
	c.Busy.Set(c.n%3 == 0)
}

// Bell has a wire that depends on a register.
type Bell struct {
	In   rtl.In[uint64]
	Ring rtl.Wire[bool] `comb:"In"`
}

// Tick does nothing.
func (b *Bell) Tick() {}

// Comb rings.
func (b *Bell) Comb() { b.Ring.Set(b.In.Get()%3 != 0) }

// Door has a wire that depends on another one and on a register of its own.
type Door struct {
	Ring rtl.In[bool]
	Open rtl.Wire[bool] `comb:"Ring"`
	Shut rtl.Out[bool]

	n uint8
}

// Tick shuts it now and then.
func (d *Door) Tick() {
	d.n++
	d.Shut.Set(d.n%7 == 0)
}

// Comb opens it.
func (d *Door) Comb() { d.Open.Set(d.Ring.Get() && !d.Shut.Get()) }

// Desk is one of each, and a module of another package.
type Desk struct {
	Clerk Clerk
	Chief Chief
	Bell  Bell
	Door  Door
	Tally names.Tally
}

// Post reads two desks.
type Post struct {
	In  [2]rtl.Async[uint64]
	Out rtl.Out[uint64]
}

// Tick carries their words.
func (p *Post) Tick() { p.Out.Set(p.In[0].Get()<<1 ^ p.In[1].Get()) }

// Desks are two of different clocks, and a joining module on a third.
type Desks struct {
	Sim  *rtl.Sim
	Both [2]Desk
	Post Post
}

// NewDesks wires them.
func NewDesks(cfg rtl.Config) (*Desks, error) {
	d := &Desks{Sim: rtl.New(cfg)}
	for i, name := range []string{"left", "right"} {
		desk, at := &d.Both[i], d.Sim.Scope(name).On(d.Sim.Clock(name, clock.MHz(float64(100*(i+1)))))
		desk.Chief.Asks = make([]rtl.In[bool], 1)
		at.Add("clerk", &desk.Clerk)
		at.Add("chief", &desk.Chief)
		at.Add("bell", &desk.Bell)
		at.Add("door", &desk.Door)
		at.Add("tally", &desk.Tally)
		rtl.Connect(&desk.Chief.Out, &desk.Clerk.In, &desk.Tally.In)
		rtl.Connect(&desk.Chief.Busy, &desk.Clerk.Busy)
		rtl.Connect(&desk.Clerk.Out, &desk.Chief.In, &desk.Bell.In)
		rtl.Connect(&desk.Bell.Ring, &desk.Door.Ring)
		rtl.Connect(&desk.Door.Open, &desk.Chief.Asks[0])
	}
	d.Sim.Scope("post").On(d.Sim.Clock("post", clock.MHz(50))).Add("post", &d.Post)
	for i := range d.Both {
		rtl.Connect(&d.Both[i].Tally.Out, &d.Post.In[i])
		rtl.Connect(&d.Post.Out, &d.Both[i].Chief.Far)
	}
	return d, d.Sim.Elaborate()
}

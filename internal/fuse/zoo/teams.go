package zoo

import (
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// Ox leaves early in some cycles. In others it sets its register twice, and gets it in between: that still has its old
// value.
type Ox struct {
	Load [2]rtl.In[[2]uint64]
	Far  rtl.Async[uint64]
	Out  rtl.Out[uint64]

	n uint64
}

// strain leaves from a loop: it needs a label in the code, of each ox another.
func (o *Ox) strain() {
	for i := range o.n % 5 {
		if o.Far.Get()>>i&1 == 1 {
			return
		}
		o.n++
	}
}

// Tick pulls.
func (o *Ox) Tick() {
	o.n += 1 + o.Load[0].Get()[0] ^ o.Load[1].Get()[1]<<1 ^ o.Far.Get()
	for i := range o.n % 3 {
		if o.n>>(i+9)&1 == 1 {
			return
		}
		o.n++
	}
	o.Out.Set(o.n)
	if o.n%5 != 0 {
		o.Out.Set(o.Out.Get()*3 + o.n)
	}
	o.strain()
}

// Cart reads an ox. Its register is wider, so that the ox ticks before it.
type Cart struct {
	Ox  rtl.Async[uint64]
	Out rtl.Out[[2]uint64]

	n uint64
}

// Tick rolls.
func (c *Cart) Tick() {
	c.n++
	c.Out.Set([2]uint64{c.Ox.Get(), c.Ox.Get()>>7 ^ c.n})
}

// Rider reads an ox by a Tick that is not pasted.
type Rider struct {
	Ox  rtl.In[uint64]
	Out rtl.Out[[2]uint64]
}

// Tick rides.
func (r *Rider) Tick() { r.Out.Set([2]uint64{f(r.Ox.Get()), r.Ox.Get()}) }

// Yoke has two registers in an array.
type Yoke struct {
	Load rtl.In[[4]uint64]
	Out  [2]rtl.Out[uint64]

	n uint64
}

// Tick pulls.
func (y *Yoke) Tick() {
	y.n += y.Load.Get()[3] | 1
	for i := range y.Out {
		y.Out[i].Set(y.Out[1-i].Get()*5 + y.n)
	}
}

// Wagon reads the second register of a yoke.
type Wagon struct {
	Yoke rtl.In[uint64]
	Out  rtl.Out[[4]uint64]
	Dust rtl.Out[uint64]
}

// Tick rolls.
func (w *Wagon) Tick() {
	w.Out.Set([4]uint64{3: w.Yoke.Get() + w.Out.Get()[3]>>1})
	w.Dust.Set(w.Yoke.Get())
}

// Team is oxen that each two others read after they ticked: two carts, a cart and a rider, two carts of which one has
// an ox in the left team only.
type Team struct {
	Oxen  [3]Ox
	Carts [5]Cart
	Rider Rider
	Yoke  Yoke
	Wagon Wagon
}

// Teams are two of different clocks, and a joining module on a third.
type Teams struct {
	Sim  *rtl.Sim
	Both [2]Team
	Post Post
}

// NewTeams wires them.
func NewTeams(cfg rtl.Config) (*Teams, error) {
	t := &Teams{Sim: rtl.New(cfg)}
	for i, name := range []string{"left", "right"} {
		team, at := &t.Both[i], t.Sim.Scope(name).On(t.Sim.Clock(name, clock.MHz(float64(100*(i+1)))))
		for j := range team.Oxen {
			at.Add("ox_"+string(rune('a'+j)), &team.Oxen[j])
			rtl.Connect(&t.Post.Out, &team.Oxen[j].Far)
		}
		for j := range team.Carts {
			at.Add("cart_"+string(rune('a'+j)), &team.Carts[j])
		}
		at.Add("rider", &team.Rider)
		at.Add("yoke", &team.Yoke)
		at.Add("wagon", &team.Wagon)
		rtl.Connect(&team.Oxen[0].Out, &team.Carts[0].Ox, &team.Carts[1].Ox)
		rtl.Connect(&team.Oxen[1].Out, &team.Carts[2].Ox, &team.Rider.Ox)
		rtl.Connect(&team.Oxen[2].Out, &team.Carts[3].Ox)
		rtl.Connect(&team.Carts[0].Out, &team.Oxen[0].Load[0])
		rtl.Connect(&team.Carts[1].Out, &team.Oxen[0].Load[1])
		rtl.Connect(&team.Carts[2].Out, &team.Oxen[1].Load[0])
		rtl.Connect(&team.Rider.Out, &team.Oxen[1].Load[1])
		rtl.Connect(&team.Carts[3].Out, &team.Oxen[2].Load[0])
		rtl.Connect(&team.Carts[4].Out, &team.Oxen[2].Load[1])
		rtl.Connect(&team.Yoke.Out[1], &team.Wagon.Yoke)
		rtl.Connect(&team.Wagon.Out, &team.Yoke.Load)
		rtl.Connect(&team.Wagon.Dust, &t.Post.In[i])
	}
	rtl.Connect(&t.Both[0].Oxen[2].Out, &t.Both[0].Carts[4].Ox)
	rtl.Connect(&t.Post.Out, &t.Both[1].Carts[4].Ox)
	t.Sim.Scope("post").On(t.Sim.Clock("post", clock.MHz(50))).Add("post", &t.Post)
	return t, t.Sim.Elaborate()
}

package zoo

import (
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// Guard hears the guard before it, on another clock, and the torch beside it.
type Guard struct {
	Before rtl.Async[uint64]
	Light  rtl.In[uint8]
	Out    rtl.Out[uint64]
	Awake  rtl.Wire[bool] `comb:"Light"`

	n uint64
}

// Tick calls the next one.
func (g *Guard) Tick() {
	g.n++
	if g.n%3 != 0 {
		g.Out.Set(g.Before.Get()*5 + uint64(g.Light.Get()) + g.n)
	}
}

// Comb wakes the guard where there is light.
func (g *Guard) Comb() { g.Awake.Set(g.Light.Get()%4 != 0) }

// Torch burns while its guard is awake.
type Torch struct {
	Awake rtl.In[bool]
	Call  rtl.In[uint64]
	Light rtl.Out[uint8]
}

// Tick burns.
func (t *Torch) Tick() {
	if l := t.Light.Get() + uint8(t.Call.Get()); t.Awake.Get() || l%2 == 0 {
		t.Light.Set(l + 1)
	}
}

// Watch is a guard with a torch.
type Watch struct {
	Guard Guard
	Torch Torch
}

// Guards are watches in a circle, each with a clock of its own. All but the last set aside what the next one has still
// to read, and share their functions: two clocks always rise together, one now and then with them, one never.
type Guards struct {
	Sim     *rtl.Sim
	Watches [5]Watch
}

// NewGuards wires them.
func NewGuards(cfg rtl.Config) (*Guards, error) {
	g := &Guards{Sim: rtl.New(cfg)}
	for i, c := range []struct {
		name, late string
		mhz        float64
	}{{"a", "0ns", 100}, {"b", "0ns", 100}, {"c", "0ns", 150}, {"d", "1ns", 100}, {"e", "0ns", 100}} {
		w, at := &g.Watches[i], g.Sim.Scope(c.name).On(g.Sim.Clock(c.name, clock.MHz(c.mhz), clock.MustTime(c.late)))
		at.Add("guard", &w.Guard)
		at.Add("torch", &w.Torch)
		rtl.Connect(&w.Torch.Light, &w.Guard.Light)
		rtl.Connect(&w.Guard.Awake, &w.Torch.Awake)
		rtl.Connect(&w.Guard.Out, &w.Torch.Call)
	}
	for i := range g.Watches {
		rtl.Connect(&g.Watches[i].Guard.Out, &g.Watches[(i+1)%len(g.Watches)].Guard.Before)
	}
	return g, g.Sim.Elaborate()
}

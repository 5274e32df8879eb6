package zoo

import (
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// Turns is what a hub shows.
type Turns struct{ Now, Before, Sum uint64 }

// Spoke counts on from the hub's output.
type Spoke struct {
	In  rtl.In[Turns]
	Out rtl.Out[uint64]

	n uint64
}

// Tick counts.
func (s *Spoke) Tick() {
	s.n++
	s.Out.Set(s.In.Get().Sum ^ s.In.Get().Before + s.n)
}

// Hub reads all spokes, and a module of another clock.
type Hub struct {
	In   []rtl.In[uint64]
	Slow rtl.Async[uint64]
	Out  rtl.Out[Turns]
	Now  rtl.Out[uint64]
}

// Tick turns.
func (h *Hub) Tick() {
	t := h.Out.Get()
	t.Before, t.Now = t.Now, h.Slow.Get()
	for i := range h.In {
		t.Sum = t.Sum*7 + h.In[i].Get()
	}
	h.Out.Set(t)
	h.Now.Set(t.Sum)
}

// Half is one of two that read each other.
type Half struct {
	In  rtl.In[uint64]
	Hub rtl.In[uint64]
	Out rtl.Out[uint64]

	n uint64
}

// Tick counts.
func (h *Half) Tick() {
	h.n++
	h.Out.Set(h.In.Get()*5 + h.Hub.Get() + h.n)
}

// Wheel has three spokes in scopes of their own. The hub ticks after them, for its register is wider than theirs
// together, and reads theirs. Two pairs are alike but for the hub, which reads one of them: what both set aside changes
// at different times, so they share no function.
type Wheel struct {
	Sim    *rtl.Sim
	Spokes [3]Spoke
	Hub    Hub
	Slow   Lag[uint64]
	Pairs  [2][2]Half
}

// NewWheel wires it.
func NewWheel(cfg rtl.Config) (*Wheel, error) {
	w := &Wheel{Sim: rtl.New(cfg), Hub: Hub{In: make([]rtl.In[uint64], 4)}}
	fast, slow := w.Sim.Clock("fast", clock.MHz(300)), w.Sim.Clock("slow", clock.MHz(100))
	for i, name := range []string{"a", "b", "c"} {
		w.Sim.Scope(name).On(fast).Add("spoke", &w.Spokes[i])
		rtl.Connect(&w.Hub.Out, &w.Spokes[i].In)
		rtl.Connect(&w.Spokes[i].Out, &w.Hub.In[i])
	}
	for i, name := range []string{"left", "right"} {
		pair, sc := &w.Pairs[i], w.Sim.Scope(name).On(fast)
		sc.Add("one", &pair[0])
		sc.Add("other", &pair[1])
		rtl.Connect(&pair[0].Out, &pair[1].In)
		rtl.Connect(&pair[1].Out, &pair[0].In)
		rtl.Connect(&w.Hub.Now, &pair[0].Hub, &pair[1].Hub)
	}
	rtl.Connect(&w.Pairs[1][1].Out, &w.Hub.In[3])
	w.Sim.Scope("hub").On(fast).Add("hub", &w.Hub)
	w.Sim.Scope("slow").On(slow).Add("lag", &w.Slow)
	rtl.Connect(&w.Hub.Now, &w.Slow.In)
	rtl.Connect(&w.Slow.Out, &w.Hub.Slow)
	return w, w.Sim.Elaborate()
}

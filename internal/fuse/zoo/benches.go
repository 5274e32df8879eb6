package zoo

import (
	"math/rand/v2"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/fuse/zoo/names"
	"github.com/goldwire/goldwire/rtl"
)

// Tool is what a Smith sets: several values in one register.
type Tool struct {
	Edge, Weight uint16
	Marks        [3]uint8
}

// Smith has a register of a struct and one of an array. It sets each in some cycles only, some before it gets them.
type Smith struct {
	In   rtl.In[uint64]
	Last rtl.In[Tool]
	Tool rtl.Out[Tool]
	Tags rtl.Out[[4]uint16]

	n uint64
}

func (s *Smith) mark(v uint64) uint64 { return v ^ uint64(s.Tool.Get().Edge) }

// Tick forges.
func (s *Smith) Tick() {
	s.n += s.In.Get()
	if s.n%3 != 0 {
		tool := s.Last.Get()
		tool.Edge += uint16(s.n)
		tool.Marks[s.n%3]++
		s.Tool.Set(tool)
	}
	s.n = s.mark(s.n)
	if tags := s.Tags.Get(); s.Tool.Get().Weight%2 == 0 {
		tags[s.n%4] += uint16(s.n)
		s.Tags.Set(tags)
	}
}

// Bringer's method sets its register, at two places: it is not pasted.
type Bringer struct {
	Tool rtl.In[Tool]
	Out  rtl.Out[uint64]

	n uint64
}

func (h *Bringer) bring(v uint64) { h.Out.Set(v ^ uint64(h.Tool.Get().Edge)) }

// Tick helps.
func (h *Bringer) Tick() {
	h.n++
	if h.n%5 == 1 {
		h.bring(h.n)
		return
	}
	if h.n%2 == 0 {
		h.bring(h.Out.Get() * 3)
	}
}

// Watcher reads what a Smith sets by a Tick that is not pasted.
type Watcher struct {
	Tool rtl.In[Tool]
	Tags rtl.In[[4]uint16]
	Out  rtl.Out[uint64]
}

// Tick watches.
func (w *Watcher) Tick() {
	t := w.Tool.Get()
	w.Out.Set(f(uint64(t.Weight)<<32|uint64(t.Edge)) + uint64(t.Marks[1]) + uint64(w.Tags.Get()[2]))
}

// Grinder changes tools.
type Grinder struct {
	In   rtl.In[Tool]
	Help rtl.In[uint64]
	Out  rtl.Out[Tool]
}

// Tick grinds.
func (g *Grinder) Tick() {
	t := g.In.Get()
	t.Weight += uint16(g.Help.Get()) | 1
	g.Out.Set(t)
}

// Gambler stays a module.
type Gambler struct {
	In     rtl.In[uint64]
	Tags   rtl.In[[4]uint16]
	Source *rand.PCG
	Out    rtl.Out[uint64]
}

// Tick gambles.
func (g *Gambler) Tick() {
	defer func() {}()
	g.Out.Set(g.Source.Uint64()%16 + g.In.Get() + uint64(g.Tags.Get()[0]))
}

// Bench has one of each.
type Bench struct {
	Smith   Smith
	Bringer Bringer
	Watcher Watcher
	Grinder Grinder
	Gambler Gambler
	Filing  names.Filing
}

// Benches are two of one clock, one of another, and a joining module on a third.
type Benches struct {
	Sim   *rtl.Sim
	All   [3]Bench
	Posts [2]Post
	Bells [2]Bell // the only Combs, in none of the rows
}

// NewBenches wires them.
func NewBenches(cfg rtl.Config) (*Benches, error) {
	d := &Benches{Sim: rtl.New(cfg)}
	fast, slow := d.Sim.Clock("fast", clock.MHz(150)), d.Sim.Clock("slow", clock.MHz(100))
	for i, c := range []*rtl.Clock{fast, fast, slow} {
		b, at := &d.All[i], d.Sim.Scope(string(rune('a'+i))).On(c)
		b.Gambler.Source = rand.NewPCG(uint64(i), 1)
		at.Add("smith", &b.Smith)
		at.Add("bringer", &b.Bringer)
		at.Add("watcher", &b.Watcher)
		at.Add("grinder", &b.Grinder)
		at.Add("gambler", &b.Gambler)
		at.Add("filing", &b.Filing)
		rtl.Connect(&b.Smith.Tool, &b.Bringer.Tool, &b.Watcher.Tool, &b.Grinder.In)
		rtl.Connect(&b.Smith.Tags, &b.Watcher.Tags, &b.Gambler.Tags)
		rtl.Connect(&b.Grinder.Out, &b.Smith.Last)
		rtl.Connect(&b.Bringer.Out, &b.Grinder.Help)
		rtl.Connect(&b.Watcher.Out, &b.Gambler.In)
		rtl.Connect(&b.Gambler.Out, &b.Filing.In)
	}
	for i, c := range []*rtl.Clock{fast, slow} {
		d.Sim.Scope("bells").On(c).Add(c.Name(), &d.Bells[i])
		rtl.Connect(&d.All[1+i].Watcher.Out, &d.Bells[i].In)
	}
	at := d.Sim.Scope("posts").On(d.Sim.Clock("post", clock.MHz(25)))
	at.Add("near", &d.Posts[0])
	at.Add("far", &d.Posts[1])
	rtl.Connect(&d.All[0].Filing.Out, &d.All[0].Smith.In, &d.Posts[0].In[0])
	rtl.Connect(&d.All[1].Filing.Out, &d.All[1].Smith.In, &d.Posts[0].In[1])
	rtl.Connect(&d.All[2].Filing.Out, &d.All[2].Smith.In, &d.Posts[1].In[0])
	rtl.Connect(&d.Posts[0].Out, &d.Posts[1].In[1], &d.All[0].Filing.Far)
	rtl.Connect(&d.Posts[1].Out, &d.All[1].Filing.Far, &d.All[2].Filing.Far)
	return d, d.Sim.Elaborate()
}

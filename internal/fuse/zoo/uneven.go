package zoo

import (
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// Uneven has registers of several sizes, the last of them a small one: the next module's do not begin where a struct
// would.
type Uneven struct {
	Far   rtl.Async[uint64]
	Small rtl.Out[uint8]
	Out   rtl.Out[uint64]
	Last  rtl.Out[uint8]
}

// Tick gives on its input, and a byte of its earlier output.
func (u *Uneven) Tick() {
	u.Small.Set(uint8(u.Out.Get()))
	u.Last.Set(u.Small.Get() + 1)
	u.Out.Set(u.Far.Get() + 3)
}

// UnevenPair has two scopes that are alike, but do not lie in memory alike.
type UnevenPair struct {
	Sim     *rtl.Sim
	Unevens [2]Uneven
	Answers [2]Answer
}

// NewUnevenPair wires them as a circle.
func NewUnevenPair(cfg rtl.Config) (*UnevenPair, error) {
	p := &UnevenPair{Sim: rtl.New(cfg)}
	fast, slow := p.Sim.Clock("fast", clock.MHz(150)), p.Sim.Clock("slow", clock.MHz(100))
	for i, name := range []string{"left", "right"} {
		p.Sim.Scope(name).On(fast).Add("uneven", &p.Unevens[i])
		p.Sim.Scope(name).On(slow).Add("answer", &p.Answers[i])
		rtl.Connect(&p.Unevens[i].Out, &p.Answers[i].Far)
		rtl.Connect(&p.Answers[i].Out, &p.Unevens[1-i].Far)
	}
	return p, p.Sim.Elaborate()
}

package zoo

import (
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// Answer counts on from an output of another clock's module.
type Answer struct {
	Far rtl.Async[uint64]
	Out rtl.Out[uint64]

	n uint64
}

// Tick counts.
func (a *Answer) Tick() {
	a.n++
	a.Out.Set(a.Far.Get()*5 + a.n)
}

// Apart has two modules of two clocks that read each other, so that one sets its register aside, unless the clocks
// never have an edge together. A third one, of a clock that always has, reads that register too, but ticks before.
type Apart struct {
	Sim     *rtl.Sim
	Answers [3]Answer
}

// NewApart wires them, with clocks of one frequency. The second one is that much late.
func NewApart(cfg rtl.Config, late clock.Time) (*Apart, error) {
	a := &Apart{Sim: rtl.New(cfg)}
	for i, name := range []string{"one", "two", "three"} {
		var phase clock.Time
		if i == 1 {
			phase = late
		}
		a.Sim.Scope(name).On(a.Sim.Clock(name, clock.MHz(100), phase)).Add("answer", &a.Answers[i])
	}
	rtl.Connect(&a.Answers[0].Out, &a.Answers[1].Far)
	rtl.Connect(&a.Answers[1].Out, &a.Answers[0].Far)
	rtl.Connect(&a.Answers[0].Out, &a.Answers[2].Far)
	return a, a.Sim.Elaborate()
}

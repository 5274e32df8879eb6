package zoo

import (
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// Kept has modules of four clocks, of which the second and the fourth never have an edge together with the others. So
// registers that are set aside could be set in place, were there no delays on the first two clocks, and no modules on
// the others that run as they are.
type Kept struct {
	Sim     *rtl.Sim
	Answers [6]Answer
	Pipes   [2]rtl.AsyncDelay[uint64]
	Stays   [2]Stubborn
}

// NewKept wires them.
func NewKept(cfg rtl.Config) (*Kept, error) {
	k := &Kept{Sim: rtl.New(cfg)}
	late := clock.MustTime("3ns")
	scope := func(name string, phase clock.Time) *rtl.Scope {
		return k.Sim.Scope(name).On(k.Sim.Clock(name, clock.MHz(100), phase))
	}
	scopes := []*rtl.Scope{
		scope("one", clock.Time{}), scope("two", late), scope("three", clock.Time{}), scope("four", late),
	}
	for i, s := range scopes {
		s.Add("answer", &k.Answers[i])
	}
	for i := range k.Pipes {
		other := &k.Answers[4+i^1]
		k.Pipes[i].Edges = 3
		scopes[i].Add("pipe", &k.Pipes[i])
		scopes[i].Add("after_pipe", &k.Answers[4+i])
		rtl.Connect(&k.Answers[i].Out, &k.Answers[1-i].Far, &k.Pipes[i].In)
		rtl.Connect(&k.Pipes[i].Out, &other.Far)
	}
	for i := range k.Stays {
		scopes[2+i].Add("stays", &k.Stays[i])
		rtl.Connect(&k.Stays[i].Out, &k.Stays[1-i].In, &k.Answers[3-i].Far)
	}
	return k, k.Sim.Elaborate()
}

// Note counts its inputs, in a byte.
type Note struct {
	Far []rtl.Async[uint64]
	Out rtl.Out[uint8]
}

// Tick counts.
func (n *Note) Tick() {
	sum := n.Out.Get() + 1
	for i := range n.Far {
		sum += uint8(n.Far[i].Get())
	}
	n.Out.Set(sum)
}

// Wide shows more than it reads.
type Wide struct {
	Far rtl.Async[uint8]
	Out rtl.Out[uint64]
}

// Tick counts.
func (w *Wide) Tick() { w.Out.Set(w.Out.Get()*3 + uint64(w.Far.Get())) }

// Both has a module that two of other clocks read later: the second and the third. One of these clocks is late, so that
// it never has an edge together with the first.
type Both struct {
	Sim   *rtl.Sim
	Note  Note
	Wides [2]Wide
}

// NewBoth wires them. Late says which of the two wide ones is late, by its number.
func NewBoth(cfg rtl.Config, late int) (*Both, error) {
	b := &Both{Sim: rtl.New(cfg)}
	b.Note.Far = make([]rtl.Async[uint64], len(b.Wides))
	b.Sim.Scope("one").On(b.Sim.Clock("one", clock.MHz(100))).Add("note", &b.Note)
	for i, name := range []string{"two", "three"} {
		var phase clock.Time
		if i == late {
			phase = clock.MustTime("3ns")
		}
		b.Sim.Scope(name).On(b.Sim.Clock(name, clock.MHz(100), phase)).Add("wide", &b.Wides[i])
		rtl.Connect(&b.Wides[i].Out, &b.Note.Far[i])
		rtl.Connect(&b.Note.Out, &b.Wides[i].Far)
	}
	return b, b.Sim.Elaborate()
}

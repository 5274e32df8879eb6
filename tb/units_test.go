package tb

import (
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// pipeline delays its input: depth registers in a row, the last of them the output.
type pipeline struct {
	In  rtl.In[word]
	Out rtl.Out[word]

	stages []word
}

type word struct {
	Data  uint16 `bits:"12"`
	Valid bool
}

func (p *pipeline) Tick() {
	v := p.In.Get()
	for i := range p.stages {
		p.stages[i], v = v, p.stages[i]
	}
	p.Out.Set(v)
}

func pipelineUnit(depth int) vectors.Unit {
	return vectors.Unit{
		Name: "tb/pipeline", Doc: "Registers in a row.", Latency: depth, Clock: clock.MHz(100),
		Build: func(b *vectors.Bench) rtl.Module {
			m := &pipeline{stages: make([]word, depth-1)}
			vectors.Drive(b, &m.In, vectors.Uniform[word](b.Rand()))
			return m
		},
		Valid: map[string]string{"out": "out_valid"},
	}
}

// gate has a combinational path, and a slow one through two registers.
type gate struct {
	A, B rtl.In[bool]
	Both rtl.Wire[bool] `comb:"A,B"`
	Slow rtl.Out[bool]

	a bool
}

func (g *gate) Comb() { g.Both.Set(g.A.Get() && g.B.Get()) }
func (g *gate) Tick() {
	g.Slow.Set(g.a)
	g.a = g.A.Get()
}

func gateUnit() vectors.Unit {
	return vectors.Unit{
		Name: "tb/gate", Doc: "An and gate.", Clock: clock.MHz(100),
		Build: func(b *vectors.Bench) rtl.Module {
			m := &gate{}
			vectors.Drive(b, &m.A, vectors.Uniform[bool](b.Rand()))
			vectors.Drive(b, &m.B, vectors.Uniform[bool](b.Rand()))
			return m
		},
	}
}

// item is a beat of a stream of bytes.
type item struct {
	Data  uint8
	Valid bool
}

func (i item) Offered() bool { return i.Valid }

// slot is a one-deep ready/valid buffer: ready is a Wire that the output's ready reaches in the same cycle.
type slot struct {
	In       rtl.In[item]
	InReady  rtl.Wire[bool] `comb:"OutReady"`
	Out      rtl.Out[item]
	OutReady rtl.In[bool]

	drops bool // a fault for tests: valid does not wait for ready
}

func (s *slot) Input() rtl.Consumer[item] { return rtl.Consumer[item]{Beat: &s.In, Ready: &s.InReady} }
func (s *slot) Output() rtl.Producer[item] {
	return rtl.Producer[item]{Beat: &s.Out, Ready: &s.OutReady}
}

func (s *slot) free() bool { return !s.Out.Get().Valid || s.OutReady.Get() }
func (s *slot) Comb()      { s.InReady.Set(s.free()) }
func (s *slot) Tick() {
	if s.free() {
		s.Out.Set(s.In.Get())
	} else if s.drops {
		s.Out.Set(item{Data: s.Out.Get().Data})
	}
}

func slotUnit() vectors.Unit {
	return vectors.Unit{
		Name: "tb/slot", Doc: "A one-deep ready/valid buffer.", Latency: 1, From: "in", To: "out",
		Ready: map[string]string{"in": "in_ready"}, Clock: clock.MHz(100),
		Build: func(b *vectors.Bench) rtl.Module {
			m := &slot{}
			vectors.DriveStream(b, m.Input(), count(Stalls(b.Rand(), 0.25)))
			vectors.Drive(b, &m.OutReady, vectors.Uniform[bool](b.Rand()))
			return m
		},
		Valid: map[string]string{"out": "out_valid"},
	}
}

// count offers 1, 2, 3, … without end, but for the cycles that stall pauses.
func count(stall func() bool) func(uint64) item {
	var n uint8
	return func(uint64) item {
		if stall != nil && stall() {
			return item{Data: n}
		}
		n++
		return item{n, true}
	}
}

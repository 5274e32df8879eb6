package tb

import (
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// pipeline delays what comes in: depth registers behind each other, the last of them the output.
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

// slot is a one-deep ready/valid buffer: ready is a Wire that the output's ready reaches in the same cycle.
type slot struct {
	InData   rtl.In[uint8]
	InValid  rtl.In[bool]
	InReady  rtl.Wire[bool] `comb:"OutReady"`
	OutData  rtl.Out[uint8]
	OutValid rtl.Out[bool]
	OutReady rtl.In[bool]

	drops bool // a fault for tests: valid does not wait for ready
}

func (s *slot) free() bool { return !s.OutValid.Get() || s.OutReady.Get() }
func (s *slot) Comb()      { s.InReady.Set(s.free()) }
func (s *slot) Tick() {
	if s.free() {
		s.OutValid.Set(s.InValid.Get())
		s.OutData.Set(s.InData.Get())
	} else if s.drops {
		s.OutValid.Set(false)
	}
}

func slotUnit() vectors.Unit {
	return vectors.Unit{
		Name: "tb/slot", Doc: "A one-deep ready/valid buffer.", Latency: 1, From: "in_valid", To: "out_valid", Clock: clock.MHz(100),
		Build: func(b *vectors.Bench) rtl.Module {
			m := &slot{}
			s := &Sender[uint8]{Next: count(), Stall: Stalls(b.Rand(), 0.25)}
			b.Add("sender", s)
			rtl.Connect(&s.Data, &m.InData)
			rtl.Connect(&s.Valid, &m.InValid)
			rtl.Connect(&m.InReady, &s.Ready)
			vectors.Drive(b, &m.OutReady, vectors.Uniform[bool](b.Rand()))
			return m
		},
		Valid: map[string]string{"out_data": "out_valid"},
	}
}

// count returns 1, 2, 3, … without end.
func count() func() (uint8, bool) {
	var n uint8
	return func() (uint8, bool) {
		n++
		return n, true
	}
}

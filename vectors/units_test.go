package vectors_test

import (
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// adder adds two bytes: one register stage, with a valid bit.
type adder struct {
	In  rtl.In[addends]
	Out rtl.Out[sum]

	bug bool // the carry is lost if both addends are odd
}

type addends struct {
	A, B  uint8
	Valid bool
}

type sum struct {
	Sum   uint16 `bits:"9"`
	Valid bool
}

func (a *adder) Tick() {
	in := a.In.Get()
	s := sum{Sum: uint16(in.A) + uint16(in.B), Valid: in.Valid}
	if a.bug && in.A&in.B&1 == 1 {
		s.Sum &= 0xff
	}
	if !in.Valid {
		s.Sum = a.Out.Get().Sum // without Valid the sum does not count
	}
	a.Out.Set(s)
}

func adderUnit() vectors.Unit {
	return vectors.Unit{
		Name: "test/adder", Doc: "Adds two bytes.", Ref: "arithmetic & logic", Latency: 1, Clock: clock.Block10G,
		Build: func(b *vectors.Bench) rtl.Module {
			m := &adder{}
			vectors.Drive(b, &m.In, vectors.Uniform[addends](b.Rand()))
			return m
		},
		Valid: map[string]string{"out": "out_valid"},
	}
}

// majority is combinational: 1 if at least two of three bits are. It also counts ones in a register.
type majority struct {
	In    [3]rtl.In[bool]
	Out   rtl.Wire[bool]
	Total rtl.Out[uint8]
}

func (m *majority) ones() (n uint8) {
	for i := range m.In {
		if m.In[i].Get() {
			n++
		}
	}
	return n
}

func (m *majority) Comb()  { m.Out.Set(m.ones() >= 2) }
func (m *majority) Reset() { m.Total.Set(7) }
func (m *majority) Tick()  { m.Total.Set(m.Total.Get() + m.ones()) }

func majorityUnit() vectors.Unit {
	return vectors.Unit{
		Name: "test/majority", Doc: "Votes.", Clock: clock.MHz(100),
		Build: func(b *vectors.Bench) rtl.Module {
			m := &majority{}
			for i := range m.In {
				vectors.Drive(b, &m.In[i], func(cycle uint64) bool { return cycle>>i&1 == 1 })
			}
			return m
		},
	}
}

// skid is a two-deep ready/valid buffer whose outputs, in_ready among them, are all registers.
type skid struct {
	InData   rtl.In[uint8]
	InValid  rtl.In[bool]
	InReady  rtl.Out[bool]
	OutData  rtl.Out[uint8]
	OutValid rtl.Out[bool]
	OutReady rtl.In[bool]

	spare uint8 // the value that came in while the output was held
	full  bool
}

func (s *skid) Reset() {
	s.InReady.Set(true)
	s.OutData.Set(0)
	s.OutValid.Set(false)
}

func (s *skid) Tick() {
	takes := s.InValid.Get() && s.InReady.Get()
	gives := s.OutReady.Get() || !s.OutValid.Get()
	switch {
	case gives && s.full:
		s.OutData.Set(s.spare)
		s.OutValid.Set(true)
		s.full = false
	case gives:
		s.OutValid.Set(takes)
		if takes {
			s.OutData.Set(s.InData.Get())
		}
	case takes:
		s.spare, s.full = s.InData.Get(), true
	}
	s.InReady.Set(!s.full)
}

// sender offers bytes 1, 2, 3, … and holds each until it is taken.
type sender struct {
	Data  rtl.Out[uint8]
	Valid rtl.Out[bool]
	Ready rtl.In[bool]

	pause func() bool
}

func (s *sender) Tick() {
	if s.Valid.Get() && !s.Ready.Get() {
		return
	}
	offers := !s.pause()
	if offers {
		s.Data.Set(s.Data.Get() + 1)
	}
	s.Valid.Set(offers)
}

func skidUnit() vectors.Unit {
	return vectors.Unit{
		Name: "test/skid", Doc: "A two-deep ready/valid buffer.", Latency: 1, From: "in_valid", To: "out_valid",
		Clock: clock.Block25G,
		Build: func(b *vectors.Bench) rtl.Module {
			m := &skid{}
			rng := b.Rand()
			s := &sender{pause: func() bool { return rng.IntN(4) == 0 }}
			b.Add("sender", s)
			rtl.Connect(&s.Data, &m.InData)
			rtl.Connect(&s.Valid, &m.InValid)
			rtl.Connect(&m.InReady, &s.Ready)
			stall := b.Rand()
			vectors.Drive(b, &m.OutReady, func(uint64) bool { return stall.IntN(3) != 0 })
			return m
		},
		Valid: map[string]string{"out_data": "out_valid"},
	}
}

// counter has no inputs.
type counter struct {
	Out rtl.Out[uint8]
}

func (c *counter) Tick() { c.Out.Set(c.Out.Get() + 3) }

func counterUnit() vectors.Unit {
	return vectors.Unit{
		Name: "test/counter", Doc: "Counts in threes.", Clock: clock.MHz(1),
		Build: func(*vectors.Bench) rtl.Module { return &counter{} },
	}
}

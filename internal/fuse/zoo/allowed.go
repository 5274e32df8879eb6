package zoo

import (
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// The modules here are unusual, and understood: ports in arrays and slices, methods that use ports, types with
// parameters, names that the code could want for itself.

// Array has ports in an array.
type Array struct {
	In  [2]rtl.In[uint64]
	Out rtl.Out[uint64]
}

// Tick adds.
func (m *Array) Tick() { m.Out.Set(m.In[0].Get() + m.In[1].Get()) }

// Slice has ports in a slice, whose name a shape has for something else.
type Slice struct {
	Clock []rtl.In[uint64]
	Out   rtl.Out[uint64]
}

// Tick passes on.
func (m *Slice) Tick() { m.Out.Set(m.Clock[0].Get()) }

// Helper uses a port in a method of its own.
type Helper struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
}

func (m *Helper) drive(x uint64) { m.Out.Set(x) }

// Tick passes on.
func (m *Helper) Tick() { m.drive(m.In.Get()) }

// Generic is generic.
type Generic[T any] struct {
	In  rtl.In[T]
	Out rtl.Out[T]
}

// Tick passes on.
func (m *Generic[T]) Tick() { m.Out.Set(m.In.Get()) }

// Hiding has a local variable with a name that the code needs.
type Hiding struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
}

// Tick passes on.
func (m *Hiding) Tick() {
	cellOut := m.In.Get()
	m.Out.Set(cellOut)
}

const n = 3

// Constant uses a constant of the package.
type Constant struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
}

// Tick adds it.
func (m *Constant) Tick() { m.Out.Set(m.In.Get() + n) }

// Switching has the name of a type switch that could be the name of a variable in the code.
type Switching struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]

	x any
}

// Tick switches.
func (m *Switching) Tick() {
	switch cellOut := m.x.(type) {
	case uint64:
		m.Out.Set(m.In.Get() + cellOut)
	}
}

// Twice gives a variable of the code two meanings.
type Twice struct {
	In   rtl.In[uint64]
	Out  rtl.Out[uint64]
	OutX rtl.Out[uint64]

	outX, outXField uint64
}

// Tick sets all.
func (m *Twice) Tick() {
	m.outX, m.outXField = m.outXField, m.In.Get()
	m.Out.Set(m.outX)
	m.OutX.Set(m.outX)
}

// Ramp counts, and adds its input.
type Ramp struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]

	count uint64
}

// Tick counts.
func (m *Ramp) Tick() {
	m.count++
	m.Out.Set(m.count*m.count + m.In.Get()>>2)
}

// Allowed has one of each. They read a counter.
type Allowed struct {
	Sim *rtl.Sim

	source    Ramp
	array     Array
	slice     Slice
	helper    Helper
	generic   Generic[uint64]
	hiding    Hiding
	constant  Constant
	switching Switching
	twice     Twice
}

// NewAllowed wires them to one island.
func NewAllowed(cfg rtl.Config) (*Allowed, error) {
	a := &Allowed{Sim: rtl.New(cfg)}
	sc := a.Sim.Scope("top").On(a.Sim.Clock("clk", clock.MHz(100)))
	a.slice.Clock = make([]rtl.In[uint64], 1)
	a.switching.x = uint64(2)
	sc.Add("source", &a.source)
	sc.Add("array", &a.array)
	sc.Add("slice", &a.slice)
	sc.Add("helper", &a.helper)
	sc.Add("generic", &a.generic)
	sc.Add("hiding", &a.hiding)
	sc.Add("constant", &a.constant)
	sc.Add("switching", &a.switching)
	sc.Add("twice", &a.twice)
	rtl.Connect(
		&a.source.Out, &a.array.In[0], &a.array.In[1], &a.slice.Clock[0], &a.helper.In, &a.generic.In, &a.hiding.In,
		&a.constant.In, &a.switching.In, &a.twice.In,
	)
	rtl.Connect(&a.array.Out, &a.source.In)
	return a, a.Sim.Elaborate()
}

package zoo

import (
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/rtl"
)

// Closing has a function literal. It and those after it stay modules in an island of several clocks.
type Closing struct {
	In  rtl.Async[uint64]
	Out rtl.Out[uint64]
}

// Tick passes on.
func (m *Closing) Tick() {
	set := func() uint64 { return m.In.Get() }
	m.Out.Set(set())
}

// Breaking leaves a loop by its label.
type Breaking struct {
	In  rtl.Async[uint64]
	Out rtl.Out[uint64]
}

// Tick passes on.
func (m *Breaking) Tick() {
	v := m.In.Get()
loop:
	for {
		switch {
		case v < 1<<32:
			break loop
		}
		v >>= 8
	}
	m.Out.Set(v)
}

// Valuing has a method as a value.
type Valuing struct {
	In  rtl.Async[uint64]
	Out rtl.Out[uint64]
}

func (m *Valuing) pass() uint64 { return m.In.Get() }

// Tick passes on.
func (m *Valuing) Tick() {
	pass := m.pass
	m.Out.Set(pass())
}

// Again calls its own Tick.
type Again struct {
	In  rtl.Async[uint64]
	Out rtl.Out[uint64]

	n uint64
}

// Tick passes on.
func (m *Again) Tick() {
	if m.n++; m.n%3 != 0 {
		m.Tick()
		return
	}
	m.Out.Set(m.In.Get())
}

// Beyond gets a port that it has not.
type Beyond struct {
	In  rtl.Async[uint64]
	Far []rtl.Async[uint64]
	Out rtl.Out[uint64]
}

// Tick passes on.
func (m *Beyond) Tick() {
	if len(m.Far) > 0 {
		m.Out.Set(m.Far[0].Get())
		return
	}
	m.Out.Set(m.In.Get())
}

// Promoting has a field of an embedded type.
type Promoting struct {
	counter
	In  rtl.Async[uint64]
	Out rtl.Out[uint64]
}

type counter struct{ n uint64 }

// Tick passes on.
func (m *Promoting) Tick() {
	m.n++
	m.Out.Set(m.In.Get() + m.n)
}

// Wasting gets a port for nothing.
type Wasting struct {
	In   rtl.Async[uint64]
	Out  rtl.Out[uint64]
	Rest [1]rtl.Out[uint64]
}

// Tick passes on.
func (m *Wasting) Tick() {
	m.Rest[0].Get()
	m.Out.Set(m.In.Get())
}

// Asking has in its field what a package's variable held, when Comb calls it.
type Asking struct {
	In  rtl.Async[uint64]
	Out rtl.Out[uint64]
	W   rtl.Wire[uint64] `comb:"none"`

	source rand.Source
}

var oracle rand.Source = rand.NewPCG(1, 2)

// Tick takes it.
func (m *Asking) Tick() {
	m.source = oracle
	m.Out.Set(m.In.Get())
}

// Comb asks.
func (m *Asking) Comb() {
	if m.source != nil {
		m.W.Set(m.source.Uint64())
	}
}

// Rolling leaves it to Go's library to call a source of numbers that could be anything.
type Rolling struct {
	In  rtl.Async[uint64]
	Out rtl.Out[uint64]

	rng *rand.Rand
}

// Tick rolls.
func (m *Rolling) Tick() { m.Out.Set(m.rng.Uint64() ^ m.In.Get()) }

// Printing leaves it to Go's library to call a method of a value that leads to a port.
type Printing struct {
	In  rtl.Async[uint64]
	Out rtl.Out[uint64]

	eye *eye
}

type eye struct{ on *rtl.Out[uint64] }

func (e *eye) String() string { return fmt.Sprint(e != nil && e.on != nil) }

// Tick prints.
func (m *Printing) Tick() { m.Out.Set(uint64(len(fmt.Sprint(m.eye))) ^ m.In.Get()) }

// Promising calls a function of which it promises that it looks at no port.
type Promising struct {
	In  rtl.Async[uint64]
	Out rtl.Out[uint64]

	F func(uint64) uint64 `state:"none" ports:"none"`
}

// Tick passes on.
func (m *Promising) Tick() { m.Out.Set(m.F(m.In.Get())) }

package zoo

import (
	"fmt"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// InTurn calls methods in the statements in which it gets ports. Go calls them from left to right: their changes must
// not be seen too early.
type InTurn struct {
	In  [2]rtl.In[uint64]
	Far []rtl.Async[uint64]
	Low rtl.Out[uint64]
	Out rtl.Out[uint64]
	W   rtl.Wire[uint64] `comb:"none"`

	turn uint64
}

func (m *InTurn) step() uint64 { m.turn += 3; return m.turn }

func (m *InTurn) lower() uint64 {
	m.Low.Set(m.turn * 0x9e3779b97f4a7c15)
	return m.step()
}

// Comb shows the turn.
func (m *InTurn) Comb() { m.W.Set(m.turn) }

// Tick has each on the left of its change.
func (m *InTurn) Tick() {
	v := m.Low.Get() ^ m.lower()
	a, b := m.In[m.turn%2].Get(), m.step()
	m.Out.Set(v<<1 ^ v>>63 + a + b*m.Far[m.turn/2%3].Get() + m.step())
}

// Lengths has code for more ports than it is built with.
type Lengths struct {
	In  []rtl.In[uint64]
	Far []rtl.Async[uint64]
	Out []rtl.Out[uint64]
	Tap []rtl.Out[uint64]
}

// Tick sums all values.
func (m *Lengths) Tick() {
	scale := uint8(len(m.In) * 200) // overflows
	sum := f(uint64(scale)) + m.In[0].Get()/uint64(len(m.In)-1)
	if len(m.Far) > 2 {
		sum /= uint64(len(m.Far) - 2)
	}
	for i := range m.Tap {
		m.Tap[i].Set(sum)
	}
	for i := len(m.Out); i > len(m.Tap); i-- {
		sum = sum<<7 ^ sum>>57 ^ m.Far[(i-1)%len(m.Far)].Get()
		m.Out[i-1].Set(sum)
	}
}

// Forms has what Go's statements offer: names that hide others, early returns, named results, cases that fall through,
// loops that are left early, numbers that overflow, arrays that are copied.
type Forms struct {
	In    rtl.In[uint64]
	Far   rtl.Async[uint64]
	Out   rtl.Out[uint64]
	Small rtl.Out[uint8]
	Quad  rtl.Out[[4]uint16]

	count uint8
	small int8
	table [4]uint16
}

func (m *Forms) fold(x uint64, quad [4]uint16) (sum uint64, odd bool) {
	for i, q := range quad {
		switch {
		case q%5 == 0:
			continue
		case q%7 == 0:
			sum += uint64(i)
			fallthrough
		case x&1 == 0:
			sum ^= uint64(q) << i
		default:
			return sum + 1, true
		}
		if sum > 1<<17 {
			break
		}
	}
	odd = sum&1 == 1
	return
}

// climb sets a register that it got before it called itself.
func (m *Forms) climb(n int) uint64 {
	was := m.Small.Get()
	m.Small.Set(was + uint8(n)*99)
	if n == 0 {
		return uint64(was)
	}
	return m.climb(n-1) + uint64(was)
}

// Tick works.
func (m *Forms) Tick() {
	Out := m.In.Get()
	{
		m := Out ^ 0x55 // not the module
		Out += m
	}
	m.count += 77
	m.small -= 100
	quad := m.Quad.Get()
	quad[m.count&3]++
	for i, q := range m.Quad.Get() {
		m.table[i] = m.table[i]*31 + q
		m.Quad.Set(m.table)
	}
	if m.count%11 == 0 {
		m.Out.Set(Out)
		return
	}
	if sum, odd := m.fold(Out, quad); odd {
		m.Out.Set(sum + m.climb(3))
	} else if sum := sum + m.Far.Get(); sum%3 == 0 {
		m.Out.Set(sum + uint64(m.small))
		return
	}
	switch m.Far.Get() & 3 {
	case 0:
		Out++
		fallthrough
	case 1:
		m.Out.Set(Out ^ m.Out.Get())
	}
}

// Helping has methods that set ports, called as statements by themselves: some could stand where they are called,
// others would mean another thing there.
type Helping struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
	Low rtl.Out[uint8]

	sum uint64
}

// early returns from a loop, and hands on its argument.
func (m *Helping) early(v uint64, odd bool) {
	for i := range uint64(9) {
		if v>>i&15 == 3 {
			m.sum += i
			return
		}
	}
	if odd {
		m.sum ^= v
		m.nested(v ^ m.In.Get())
		return
	}
	m.Out.Set(m.sum)
}

func (m *Helping) nested(v uint64) {
	if v%3 == 0 {
		m.Out.Set(v)
		return
	}
	v += m.sum
	m.Out.Set(v)
}

// outer means the package's hidden, which its caller hides, narrow has a constant made its type, twice is called twice,
// each in a loop.
func (m *Helping) outer(v uint64) { m.sum += hidden(v) ^ m.In.Get() }
func (m *Helping) narrow(v uint8) { m.Low.Set(v*200 + uint8(m.sum)) }
func (m *Helping) twice(v uint64, odd bool) {
	if odd {
		v++
	}
	m.sum = m.sum*3 + v ^ m.In.Get()
}
func (m *Helping) each(v int) { m.sum += uint64(v) * m.In.Get() }

// Tick works.
func (m *Helping) Tick() {
	hidden := m.In.Get()
	v := hidden >> 5
	m.early(hidden, v&1 == 0)
	m.outer(v)
	m.narrow(7)
	if hidden%7 == 2 {
		odd := v&2 == 0
		m.twice(v, odd)
		m.twice(hidden, odd)
	}
	for i := range 3 {
		m.each(i)
	}
}

// Masking has methods with variables of the receiver's name: a caller's, and one of its own.
type Masking struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]

	sum uint64
}

func (m *Masking) set(v uint64) { m.Out.Set(v + m.sum) }

// Tick works.
func (m *Masking) Tick() {
	v := m.In.Get()
	{
		m := v + 1
		v ^= m
	}
	m.sum += v
	m.set(v)
}

// Handing has methods that would not do the same where they are called: they mean functions whose names the code has
// for other things, are called where no block can stand, get an argument whose type comes from the parameter alone, or
// do not use it.
type Handing struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]

	sum uint64
}

type odd bool

func (o odd) of(v uint64) uint64 {
	if o {
		return v
	}
	return ^v
}

func (w *Handing) receiver()           { w.sum += g(w.In.Get()) ^ f(w.sum) }
func (w *Handing) row()                { w.sum ^= rows(w.In.Get()) }
func (w *Handing) module()             { w.sum += m(w.In.Get()) }
func (w *Handing) before(v uint64)     { w.sum = w.sum<<1 + v ^ w.In.Get() }
func (w *Handing) choose(v uint64)     { w.sum = w.sum<<2 + v ^ w.In.Get() }
func (w *Handing) shifted(v uint8)     { w.sum += uint64(v) * w.In.Get() }
func (w *Handing) named(o odd)         { w.sum += o.of(w.In.Get()) }
func (w *Handing) replaced(v uint64)   { v = w.In.Get() }
func (w *Handing) all(vs ...uint64)    { w.sum += vs[len(vs)-1] ^ w.In.Get() }
func (w *Handing) lines(a, b uint64)   { w.sum += a*3 ^ b + w.In.Get() }
func (w *Handing) swapped(n, v uint64) { w.Out.Set(w.sum ^ n*5 ^ v) }

// Tick works.
func (w *Handing) Tick() {
	w.sum += w.sum >> 7
	w.receiver()
	w.row()
	w.module()
	v, n := w.In.Get(), w.sum
	if w.before(v); w.sum&1 == 0 {
		w.sum += 3
	}
	switch w.choose(v); w.sum & 1 {
	case 0:
		w.sum += 5
	}
	w.shifted(1<<(v&15) + 1)
	w.named(v&2 == 0)
	w.replaced(v)
	vs := [2]uint64{v, n}
	w.all(vs[:]...)
	w.lines(
		v, // one
		n, // two
	)
	w.swapped(v, n)
}

// Rowing means a function whose name the code has for another thing.
type Rowing struct {
	In  rtl.Async[uint64]
	Out rtl.Out[uint64]
}

// Tick works.
func (r *Rowing) Tick() { r.Out.Set(rows(r.In.Get())) }

func hidden(v uint64) uint64 { return v*11 ^ 5 }

// These have the names that receivers, modules and rows of modules have in the code.
func f(v uint64) uint64    { return v*5 + 1 }
func g(v uint64) uint64    { return v ^ v>>9 }
func m(v uint64) uint64    { return v*3 ^ v>>1 }
func rows(v uint64) uint64 { return v*7 + 2 }

// Shape sets its register now and then only, and reads the register that it drives by its input. The code has a
// constant that ends in its name.
type Shape struct {
	In  rtl.In[uint64]
	Far rtl.Async[uint64]
	Out rtl.Out[uint64]

	n int
}

// Tick waits mostly.
func (m *Shape) Tick() {
	if m.n++; m.n%5 != 0 {
		return
	}
	m.Out.Set(g(m.Far.Get()))
	m.Out.Set(m.In.Get()*5 + g(m.Far.Get()))
}

// Hostile are such modules of three clocks that read each other, two of them with common edges.
type Hostile struct {
	Sim     *rtl.Sim
	Turns   [3]InTurn
	Lengths [3]Lengths
	Forms   [3]Forms
	Idle    [3]Shape
	Helps   [3]Helping
	Masks   [3]Masking
	Hands   [3]Handing
	Near    [3]Rowing // alike, and one after another

	// inputs that read neighbours in their order, and others that read the same ones in another
	Rows [2]Lengths
	Ways [2]InTurn
}

// NewHostile wires them.
func NewHostile(cfg rtl.Config) (*Hostile, error) {
	h := &Hostile{Sim: rtl.New(cfg)}
	for i, c := range []struct {
		name string
		mhz  float64
	}{{"fast", 90}, {"third", 30}, {"odd", 70}} {
		sc := h.Sim.Scope(c.name).On(h.Sim.Clock(c.name, clock.MHz(c.mhz)))
		h.Turns[i].Far = make([]rtl.Async[uint64], 3)
		h.Lengths[i] = Lengths{make([]rtl.In[uint64], 2), make([]rtl.Async[uint64], 2), make([]rtl.Out[uint64], 2), nil}
		sc.Add("turn", &h.Turns[i])
		sc.Add("lengths", &h.Lengths[i])
		sc.Add("forms", &h.Forms[i])
		sc.Add("idle", &h.Idle[i])
		sc.Add("help", &h.Helps[i])
		sc.Add("mask", &h.Masks[i])
		sc.Add("hand", &h.Hands[i])
	}
	for i := range h.Turns {
		t, l, f, d, j, k := &h.Turns[i], &h.Lengths[i], &h.Forms[i], &h.Idle[i], (i+1)%3, (i+2)%3
		rtl.Connect(&t.W, &t.In[0])
		rtl.Connect(&l.Out[0], &t.In[1])
		rtl.Connect(&h.Turns[j].Out, &t.Far[0], &l.Far[0])
		rtl.Connect(&h.Idle[k].Out, &t.Far[1])
		rtl.Connect(&h.Forms[j].Out, &t.Far[2])
		rtl.Connect(&t.Out, &l.In[0])
		rtl.Connect(&f.Out, &l.In[1])
		rtl.Connect(&h.Lengths[k].Out[1], &l.Far[1], &d.Far)
		rtl.Connect(&l.Out[1], &f.In)
		rtl.Connect(&h.Turns[k].Out, &f.Far)
		rtl.Connect(&d.Out, &d.In)
		rtl.Connect(&t.Out, &h.Helps[i].In)
		rtl.Connect(&h.Helps[i].Out, &h.Masks[i].In)
		rtl.Connect(&h.Masks[i].Out, &h.Hands[i].In)
		rtl.Connect(&h.Hands[i].Out, &h.Near[i].In)
	}
	for i := range h.Near {
		h.Sim.Scope(fmt.Sprint("near", i)).On(h.Sim.Clocks()[2]).Add("row", &h.Near[i])
	}
	rows := h.Sim.Scope("rows").On(h.Sim.Clocks()[2])
	for i := range h.Rows {
		r, w := &h.Rows[i], &h.Ways[i]
		*r = Lengths{make([]rtl.In[uint64], 2), make([]rtl.Async[uint64], 2), make([]rtl.Out[uint64], 3), nil}
		w.Far = make([]rtl.Async[uint64], 3)
		rows.Add(fmt.Sprint("row", i), r)
		rows.Add(fmt.Sprint("way", i), w)
		rtl.Connect(&h.Turns[2].Out, &r.In[0], &r.In[1])
		rtl.Connect(&w.W, &w.In[0], &w.In[1])
		for k := range 2 {
			rtl.Connect(&h.Lengths[0].Out[k], &r.Far[k^i])
		}
		for k := range 3 {
			rtl.Connect(&h.Rows[0].Out[k], &w.Far[(k+i*k)%3])
		}
	}
	return h, h.Sim.Elaborate()
}

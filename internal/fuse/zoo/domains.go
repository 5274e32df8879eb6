package zoo

import (
	"math/rand/v2"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// Bank has its ports in slices and arrays, uses them in methods of its own, and reads registers of other clocks.
type Bank struct {
	In   [2]rtl.In[Word]
	Far  []rtl.Async[uint64]
	Out  []rtl.Out[uint64]
	Mask rtl.Out[uint8]
	Turn rtl.Out[uint16]
	Pick []rtl.Wire[bool] `comb:"none"`
	Sum  rtl.Wire[Word]   `comb:"In"`

	turns   int
	scratch []uint64
}

// Reset starts with different words.
func (b *Bank) Reset() {
	b.scratch = make([]uint64, len(b.Out))
	for i := range b.Out {
		b.Out[i].Set(uint64(i) * 77)
	}
	b.Mask.Set(1)
	b.Turn.Set(0)
}

func (b *Bank) far(i int) uint64 { return b.Far[i%len(b.Far)].Get() }

// keep reads and sets a register, which its caller reads again.
func (b *Bank) keep(i int, v uint64) { b.Out[i].Set(b.Out[i].Get()>>1 ^ v<<7) }

// turn reads its register after it has set it.
func (b *Bank) turn() {
	b.Turn.Set(b.Turn.Get() + uint16(b.turns))
	b.turns += int(b.Turn.Get()&3) + 1
}

// Comb has memory of its own to work in.
func (b *Bank) Comb() {
	for i := range b.Pick {
		b.scratch[i] = b.Out[i].Get() ^ uint64(b.turns)
		b.Pick[i].Set(b.scratch[i]%3 == 0)
	}
	w := b.In[0].Get()
	w.Data += b.In[1].Get().Data*2/(b.In[0].Get().Data|1) + b.scratch[len(b.scratch)-1]
	b.Sum.Set(w)
}

// Tick moves all words on.
func (b *Bank) Tick() {
	b.turn()
	for i := range b.Out {
		b.keep(i, b.far(b.turns+i)+b.In[i%2].Get().Data)
		if b.Out[i].Get()&1 == 1 {
			b.Mask.Set(b.Mask.Get()<<1 | b.Mask.Get()>>7)
		}
	}
}

// Mix has one register that depends on all its inputs.
type Mix[T comparable] struct {
	Words []rtl.Async[uint64]
	Flags []rtl.In[T]
	Word  rtl.In[Word]
	Out   rtl.Out[Word]
	Low   rtl.Out[uint64]

	last T
}

// Tick adds up.
func (m *Mix[T]) Tick() {
	w := m.Word.Get()
	for i := range m.Words {
		w.Data = w.Data<<3 ^ w.Data>>61 ^ m.Words[i].Get()
	}
	last := m.last
	for i := range m.Flags {
		flag := m.Flags[i].Get()
		w.Last = w.Last != (flag == last)
		m.last = flag
	}
	for range m.Words {
		w.Data++
	}
	for i := range m.Words { // some turns go on to the next
		if w.Data>>i&1 == 1 {
			continue
		}
		w.Data ^= m.Words[i].Get() >> 7
	}
	for i := range m.Words { // turns set their counter
		w.Data += m.Words[i].Get()
		i *= 3
		w.Data ^= uint64(i)
	}
	k := 0
	for k = range m.Words { // their counter is there after the last
		w.Data ^= m.Words[k].Get() << k
	}
	w.Data += uint64(k)
	for i := range m.Words { // turns have a variable with their counter's name
		i := uint8(i + 1)
		w.Data += uint64(-i) ^ m.Words[i-1].Get()
	}
	w.Valid = !w.Valid
	m.Low.Set(m.Out.Get().Data + m.Low.Get())
	m.Out.Set(w)
}

// Lag has a parameter.
type Lag[T any] struct {
	In  rtl.Async[T]
	Out rtl.Out[T]

	meta T
}

// Tick moves on.
func (l *Lag[T]) Tick() {
	l.Out.Set(l.meta)
	l.meta = l.In.Get()
}

// Inverter has a wire.
type Inverter struct {
	In  rtl.In[uint16]
	Out rtl.Wire[uint16]
}

// Tick does nothing.
func (i *Inverter) Tick() {}

// Comb settles the wire.
func (i *Inverter) Comb() { i.Out.Set(^i.In.Get()) }

// Dice asks a source of numbers that could be anything.
type Dice struct {
	In  rtl.Async[uint64]
	Out rtl.Out[uint64]

	Source rand.Source
}

// Tick throws.
func (d *Dice) Tick() { d.Out.Set(d.Source.Uint64() ^ d.In.Get()) }

// Stubborn has a method as a value, so it is run as it is.
type Stubborn struct {
	In  rtl.Async[uint64]
	Out rtl.Out[uint64]
	All rtl.Out[uint64] // nobody reads it
	Odd rtl.Wire[bool]  `comb:"none"`

	n uint64
}

func (s *Stubborn) pass() uint64 { return s.In.Get() }

// Tick passes on most of its inputs.
func (s *Stubborn) Tick() {
	pass := s.pass
	s.All.Set(s.All.Get() + pass())
	if s.n++; s.n%3 > 0 {
		s.Out.Set(pass())
	}
}

// Comb shows the passed values.
func (s *Stubborn) Comb() { s.Odd.Set((s.n^s.Out.Get())&1 == 1) }

// Spy is a source of numbers that looks at a register. No module may have such a thing.
type Spy struct{ On *rtl.Out[Word] }

// Uint64 is what the register holds.
func (s *Spy) Uint64() uint64 { return s.On.Get().Data }

// Domains are modules of three clocks, two of them with common edges, that read each other, some through delays.
type Domains struct {
	Sim   *rtl.Sim
	Banks [2]Bank
	Mixes [3]Mix[bool]
	Dice  Dice
	Stays Stubborn
	Late  Lag[uint16]
	Pipe  rtl.Delay[uint16]
	Line  rtl.AsyncDelay[uint16]
	Not   Inverter // its wire depends on a delay
	After rtl.Delay[uint16]
	Back  [2]Lag[uint16]
}

// NewDomains wires them.
func NewDomains(cfg rtl.Config) (*Domains, error) {
	d := &Domains{Sim: rtl.New(cfg)}
	fast := d.Sim.Scope("fast").On(d.Sim.Clock("fast", clock.MHz(100)))
	half := d.Sim.Scope("half").On(d.Sim.Clock("half", clock.MHz(50)))
	odd := d.Sim.Scope("odd").On(d.Sim.Clock("odd", clock.MHz(30)))
	d.Dice.Source = rand.NewPCG(1, 2)
	scopes := []*rtl.Scope{fast, half, odd}
	for i := range d.Mixes {
		m := &d.Mixes[i]
		m.Words = make([]rtl.Async[uint64], 2+i)
		scopes[i].Add("mix", m)
		rtl.Connect(&d.Mixes[(i+1)%3].Low, &m.Words[0])
		rtl.Connect(&d.Dice.Out, &m.Words[1])
	}
	for i := range d.Banks {
		b := &d.Banks[i]
		b.Far, b.Out, b.Pick = make([]rtl.Async[uint64], 3), make([]rtl.Out[uint64], 3), make([]rtl.Wire[bool], 2)
		d.Mixes[i].Flags = make([]rtl.In[bool], 2)
		scopes[i].Add("bank", b)
		for k := range b.Pick {
			rtl.Connect(&b.Pick[k], &d.Mixes[i].Flags[k])
		}
		rtl.Connect(&b.Sum, &d.Mixes[i].Word)
		rtl.Connect(&d.Mixes[i].Out, &b.In[0], &b.In[1])
	}
	for i := range d.Banks {
		for k := range d.Banks[i].Far {
			rtl.Connect(&d.Banks[1-i].Out[k], &d.Banks[i].Far[k])
		}
	}
	half.Add("dice", &d.Dice)
	odd.Add("stays", &d.Stays)
	d.Mixes[2].Flags = make([]rtl.In[bool], 1)
	rtl.Connect(&d.Stays.Odd, &d.Mixes[2].Flags[0])
	rtl.Connect(&d.Stays.Out, &d.Dice.In)
	half.Add("late", &d.Late)
	d.Pipe.Edges, d.Line.Edges, d.After.Edges = 5, 2, 1
	half.Add("pipe", &d.Pipe)
	half.Add("not", &d.Not)
	half.Add("after_not", &d.After)
	odd.Add("line", &d.Line)
	odd.Add("after_pipe", &d.Back[0])
	fast.Add("after_line", &d.Back[1])
	rtl.Connect(&d.Late.Out, &d.Pipe.In)
	rtl.Connect(&d.Banks[0].Turn, &d.Line.In)
	rtl.Connect(&d.Pipe.Out, &d.Back[0].In, &d.Not.In)
	rtl.Connect(&d.Not.Out, &d.After.In)
	rtl.Connect(&d.Line.Out, &d.Back[1].In)
	rtl.Connect(&d.Banks[0].Out[2], &d.Stays.In, &d.Mixes[1].Words[2], &d.Mixes[2].Words[2])
	rtl.Connect(&d.Banks[0].Turn, &d.Late.In)
	rtl.Connect(&d.Banks[1].Out[0], &d.Mixes[2].Words[3])
	rtl.Tie(Word{Data: 3}, &d.Mixes[2].Word)
	return d, d.Sim.Elaborate()
}

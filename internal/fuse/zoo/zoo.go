// Package zoo has small modules for the tests of package fuse: modules that can be fused, and one for each reason to
// refuse.
package zoo

import "github.com/goldwire/goldwire/rtl"

// Word is a signal.
type Word struct {
	Data  uint64
	Last  bool
	Valid bool
}

// Source sends words of a recurrence that depends on the words that come back to it.
type Source struct {
	Back rtl.In[Word]
	Out  rtl.Out[Word]

	Next  uint64 // a parameter whose variable would have the name of another's
	state uint64
}

// Reset starts with a word.
func (s *Source) Reset() {
	s.state = s.Next
	s.Out.Set(Word{Data: 1})
}

// Tick sends a word.
func (s *Source) Tick() {
	back := s.Back.Get()
	if !back.Valid && s.state%7 == 3 {
		s.state++
		return // the register keeps its word
	}
	s.state = s.state*0x5851f42d4c957f2d + back.Data>>3
	s.Out.Set(Word{s.state >> 7, s.state>>60 == 0, s.state%5 != 0})
}

// Stack keeps the last words in a memory, with its own methods.
type Stack struct {
	In    rtl.In[Word]
	Out   rtl.Out[Word]
	Depth rtl.Out[uint8]
	Next  rtl.Wire[Word] `comb:"none"`
	Full  rtl.Wire[bool] `comb:"none"` // nobody reads it

	words [4]Word
	n     int
}

func (s *Stack) push(w Word) {
	if s.n == len(s.words) {
		copy(s.words[:], s.words[1:])
		s.n--
	}
	s.words[s.n] = w
	s.n++
}

func (s *Stack) top() Word {
	if s.n == 0 {
		return Word{}
	}
	return s.words[s.n-1]
}

// Comb shows the top.
func (s *Stack) Comb() {
	s.Next.Set(s.top())
	s.Full.Set(s.n == len(s.words))
}

// Tick pushes a valid word and pops otherwise.
func (s *Stack) Tick() {
	switch w := s.In.Get(); {
	case w.Valid && w.Last:
		s.n = 0
		s.Depth.Set(0)
		return
	case w.Valid:
		s.push(w)
	case s.n > 0:
		s.n--
	default:
		return
	}
	s.Depth.Set(uint8(s.n))
	s.Out.Set(s.top())
}

// Echo sets its register before it reads it: it reads the earlier value.
type Echo struct {
	In   rtl.In[Word]
	Top  rtl.In[Word]
	Deep rtl.In[uint8]
	On   rtl.In[bool]
	Gain rtl.In[uint64]
	Out  rtl.Out[Word]

	sum   uint64
	cells [3]uint16
	alias *uint64
	seen  bool // only written
}

// Reset points to the sum: a variable of its own would miss writes through the pointer.
func (e *Echo) Reset() {
	e.alias = &e.sum
	e.Out.Set(Word{})
}

// Tick adds up.
func (e *Echo) Tick() {
	w := e.In.Get()
	e.seen = w.Valid
	w.Data += e.Top.Get().Data * e.Gain.Get()
	e.Out.Set(w)
	if !e.On.Get() {
		return
	}
	for i := range e.cells {
		e.cells[i] += uint16(w.Data>>i) ^ uint16(e.Deep.Get())
	}
	*e.alias += e.Out.Get().Data
	w.Data ^= e.sum ^ uint64(e.cells[1])
	e.Out.Set(w)
}

// Ring reads its own register by an input, after it has set it, and is called like a word of the language.
type Ring struct {
	In    rtl.In[Word]
	Mine  rtl.In[uint64]
	Step  rtl.In[uint64]
	Spare rtl.In[uint64] // tied, and never read
	Out   rtl.Out[uint64]

	old uint64
}

// Reset starts from 0.
func (r *Ring) Reset() { r.Out.Set(0) }

// Tick adds, and remembers the earlier value.
func (r *Ring) Tick() {
	r.Out.Set(r.Mine.Get()*5 + r.In.Get().Data + r.Step.Get())
	r.old ^= r.Mine.Get()
	switch {
	case r.old%3 == 0:
		if r.old%2 == 0 {
			return
		}
		fallthrough
	case r.old%5 == 0:
		r.old++
	}
}

// Lap sets its register in a loop, and its fields in all ways but by an assignment.
type Lap struct {
	In  rtl.Async[uint64]
	Out rtl.Out[uint64]

	turn, laps int
	height     level
}

type level uint64

func (l *level) rise() { *l += 3 }

// Reset starts from 0.
func (l *Lap) Reset() { l.Out.Set(0) }

// Tick runs a lap.
func (l *Lap) Tick() {
	l.laps++
	sum := uint64(l.turn)
	for l.turn = range 3 + l.laps%2 {
		sum += l.Out.Get() + uint64(l.turn)
		l.Out.Set(sum)
	}
	if w := l.In.Get(); w%2 == 0 {
		return
	}
	w := uint64(l.height)
	l.height.rise()
	l.Out.Set(sum ^ w)
}

// Circle is modules that read each other in a circle.
type Circle struct {
	Source Source
	Stack  Stack
	Echo   Echo
	Other  Echo
	Ring   Ring
	Lap    Lap
}

// NewCircle wires one.
func NewCircle(cfg rtl.Config, clk func(*rtl.Sim) *rtl.Clock) (*rtl.Sim, error) {
	sim := rtl.New(cfg)
	addCircle(sim.Scope("top").On(clk(sim)))
	return sim, sim.Elaborate()
}

// NewCircles wires two that know nothing of each other: islands.
func NewCircles(cfg rtl.Config, clk func(*rtl.Sim) *rtl.Clock) (*rtl.Sim, error) {
	sim := rtl.New(cfg)
	sc := sim.Scope("top").On(clk(sim))
	addCircle(sc.Scope("a"))
	addCircle(sc.Scope("b"))
	return sim, sim.Elaborate()
}

func addCircle(sc *rtl.Scope) {
	c := &Circle{}
	c.Source.Next = 99
	sc.Add("source", &c.Source)
	sc.Scope("one").Add("echo", &c.Echo)
	sc.Add("stack", &c.Stack)
	sc.Scope("two").Add("echo", &c.Other)
	sc.Add("range", &c.Ring)
	rtl.Connect(&c.Source.Out, &c.Stack.In, &c.Echo.In)
	rtl.Connect(&c.Other.Out, &c.Ring.In)
	sc.Add("lap", &c.Lap)
	rtl.Connect(&c.Ring.Out, &c.Ring.Mine, &c.Lap.In)
	rtl.Tie(uint64(7), &c.Ring.Step)
	rtl.Tie(uint64(8), &c.Ring.Spare)
	rtl.Connect(&c.Stack.Next, &c.Echo.Top)
	rtl.Connect(&c.Stack.Out, &c.Other.Top)
	rtl.Connect(&c.Stack.Depth, &c.Echo.Deep, &c.Other.Deep)
	rtl.Connect(&c.Echo.Out, &c.Other.In)
	rtl.Connect(&c.Other.Out, &c.Source.Back)
	rtl.Tie(true, &c.Echo.On)
	rtl.Tie(true, &c.Other.On)
	rtl.Tie(uint64(3), &c.Echo.Gain, &c.Other.Gain)
}

// Package constructs has a module for each construct of Go that Verilog is written of, and for each construct that is
// refused. Only the tests of package emit use it.
package constructs

import (
	"math/bits"

	"github.com/goldwire/goldwire/rtl"
)

// Pair is what the modules read.
type Pair struct {
	A    uint16
	B    uint8 `bits:"4"`
	Take bool
}

// Ports is embedded in every module here.
type Ports struct {
	In  rtl.In[Pair]
	Out rtl.Out[uint32]
}

// Counter counts to 10 and begins again: its register has four bits.
type Counter struct {
	Ports
	n int
}

// Tick counts.
func (c *Counter) Tick() {
	if c.In.Get().Take {
		if c.n == 10 {
			c.n = 0
		} else {
			c.n++
		}
	}
	c.Out.Set(uint32(c.n))
}

// Memory is written at one address a cycle.
type Memory struct {
	Ports
	words [16]uint16
}

// Tick reads, then writes.
func (m *Memory) Tick() {
	in := m.In.Get()
	m.Out.Set(uint32(m.words[in.B]))
	if in.Take {
		m.words[in.B] = in.A
	}
}

// Banks is a memory whose entries are four words: an array for each word. An entry is read in the cycle of its write.
type Banks struct {
	Ports
	words [32]uint16
	last  [4]uint16
}

// Tick writes an entry, or clears it, or neither, and shows it.
func (m *Banks) Tick() {
	in := m.In.Get()
	at := int(in.B&7) * 4
	entry := m.words[at : at+4]
	switch {
	case in.Take:
		for i := range entry {
			entry[i] = in.A + uint16(i)<<in.B
		}
	case in.A&1 == 0:
		clear(entry)
		entry[3] |= in.A << 2
	case in.A&2 == 0:
		entry = m.last[:]
		entry[2]++
	}
	m.Out.Set(uint32(entry[0]^entry[2])<<16 | uint32(entry[1]^entry[3]))
}

var weights = [...]uint8{7, 1, 12, 200, 0, 9}

// Table decides by a switch, a table and a text.
type Table struct{ Ports }

func name(b uint8) string {
	switch b {
	case 1, 2:
		return "low"
	case 9:
		return "nine"
	}
	return "other"
}

// Tick looks up.
func (t *Table) Tick() {
	in := t.In.Get()
	x := uint32(0)
	switch in.B {
	case 0:
		x = 5
	case 3:
		x = uint32(in.A)
	case 7, 8:
		x = uint32(in.A) << 8
	case 12:
		x = ^uint32(in.A)
	}
	if int(in.B) < len(weights) {
		x += uint32(weights[in.B])
	}
	if name(in.B)+name(in.B>>2) == "lowother" {
		x |= 1 << 31
	}
	t.Out.Set(x)
}

// Loops has loops that end by constants, by a value's range, by a return, and by the bits of a mask.
type Loops struct{ Ports }

func first(a uint16) int {
	for i := range 16 {
		if a>>i&1 == 1 {
			return i
		}
	}
	return 16
}

// Tick adds them up.
func (l *Loops) Tick() {
	in := l.In.Get()
	sum := first(in.A)
	for i := int(in.B); i < 16; i++ {
		sum = sum*3 + i
	}
	for rest := in.A >> 10; rest != 0; rest &= rest - 1 {
		sum += bits.TrailingZeros16(rest) << 8
	}
	l.Out.Set(uint32(sum))
}

// Signed has numbers below zero.
type Signed struct {
	Ports
	level int16
}

// Tick computes.
func (s *Signed) Tick() {
	in := s.In.Get()
	step := int16(in.A) / 7
	if in.Take {
		step = -step % 100
	}
	s.level = (s.level + step) >> 1
	if s.level < -300 {
		s.level = int16(in.B) - 8
	}
	s.Out.Set(uint32(int32(s.level)))
}

// Queue is a slice that grows within its capacity.
type Queue struct {
	Ports
	q []uint16
}

// Reset makes the queue.
func (q *Queue) Reset() { q.q = make([]uint16, 0, 5) }

// Tick adds one, or takes the first.
func (q *Queue) Tick() {
	in := q.In.Get()
	switch {
	case in.Take && len(q.q) < cap(q.q):
		q.q = append(q.q, in.A)
	case len(q.q) > 0 && in.B > 7:
		copy(q.q, q.q[1:])
		q.q = q.q[:len(q.q)-1]
	}
	sum := uint32(len(q.q))
	for _, v := range q.q {
		sum = sum<<3 ^ uint32(v)
	}
	q.Out.Set(sum)
}

// Mapped has a map.
type Mapped struct {
	Ports
	seen map[uint16]bool
}

// Tick looks into it.
func (m *Mapped) Tick() {
	if m.seen[m.In.Get().A] {
		m.Out.Set(1)
	}
}

// Endless has a loop that no constant ends.
type Endless struct{ Ports }

// Tick divides until it is odd.
func (e *Endless) Tick() {
	a := uint32(e.In.Get().A)
	for a%7 != 3 {
		a = a*5 + 1
	}
	e.Out.Set(a)
}

// Grown has a slice that grows.
type Grown struct {
	Ports
	all []uint16
}

// Tick keeps everything.
func (g *Grown) Tick() {
	if in := g.In.Get(); in.Take {
		g.all = append(g.all, in.A)
	}
	g.Out.Set(uint32(len(g.all)))
}

// Captured calls a function that has captured a variable.
type Captured struct {
	Ports
	F func(uint16) uint32 `state:"none"`
}

// Tick calls it.
func (c *Captured) Tick() { c.Out.Set(c.F(c.In.Get().A)) }

// Spans has slices that begin where a signal says, and end at another.
type Spans struct {
	Ports
	first []int32
	to    []int32
	phase int
	owner [4]int32
}

// NewSpans returns spans of one to three elements.
func NewSpans() *Spans {
	return &Spans{first: []int32{0, 1, 3, 3, 4, 6, 7}, to: []int32{2, 0, 3, 1, 2, 1, 0}}
}

// Tick adds up the elements of two spans, and counts elements that it meets twice.
func (s *Spans) Tick() {
	first := s.first[s.phase*2:]
	sum, again := int32(0), uint32(0)
	for lane := range 2 {
		if s.In.Get().B>>lane&1 == 0 {
			continue
		}
		to := s.to[first[lane]:first[lane+1]]
		if len(to) == 0 {
			sum += 100
		}
		for _, o := range to {
			if s.owner[o] != 0 {
				again |= 1 << o
				continue
			}
			s.owner[o] = int32(lane) + 1
			sum += o + 1
		}
	}
	s.owner = [4]int32{}
	if s.phase++; s.phase == 3 {
		s.phase = 0
	}
	s.Out.Set(uint32(sum) | again<<16)
}

// Bits calls each function of math/bits that is logic, on each width.
type Bits struct {
	Ports
	sum uint32
}

// Tick adds up what the functions return, each in its own place, so that none hides another.
func (b *Bits) Tick() {
	in := b.In.Get()
	a, low := in.A, uint8(in.A)
	wide := uint64(a)<<40 | uint64(low)<<3
	s := uint32(bits.Len16(a))
	s = s*33 + uint32(bits.Len8(low))
	s = s*33 + uint32(bits.Len64(wide))
	s = s*33 + uint32(bits.LeadingZeros16(a))
	s = s*33 + uint32(bits.LeadingZeros32(uint32(a)<<5))
	s = s*33 + uint32(bits.TrailingZeros8(low))
	s = s*33 + uint32(bits.TrailingZeros64(wide))
	s = s*33 + uint32(bits.OnesCount16(a)) + uint32(bits.OnesCount64(wide))
	s = s*33 + uint32(bits.Reverse8(low)) + uint32(bits.Reverse16(a))
	s ^= bits.ReverseBytes32(uint32(a) << 7)
	s += uint32(bits.RotateLeft16(a, 5)) ^ bits.RotateLeft32(uint32(a), -3)
	b.sum = b.sum>>1 + s
	b.Out.Set(b.sum)
}

// Small has numbers of every width and sign, shifted by signals, compared, divided and converted.
type Small struct {
	Ports
	a int8
	b uint8
	c int32
	d int64
}

// Tick computes.
func (m *Small) Tick() {
	in := m.In.Get()
	by := uint(in.B) // to 15: beyond the width of an int8
	m.a += int8(in.A)
	m.b = m.b*3 + uint8(in.A>>8)
	m.c = m.c<<by ^ int32(m.a)>>by ^ int32(int16(in.A))
	m.d = int64(m.a)*int64(m.c) - int64(m.b)
	r := uint32(m.a>>by) + uint32(m.b<<by)
	if m.a < int8(m.b) {
		r ^= 0x55aa
	}
	if uint8(m.a) <= m.b {
		r += 7
	}
	if m.c >= -1000 && m.d < 0 {
		r = ^r
	}
	r += uint32(m.c/7) ^ uint32(m.a%5)
	r ^= uint32(min(m.a, -3)) + uint32(max(m.b, 9))
	if in.Take {
		var old [3]uint8
		copy(old[:], []uint8{m.b, uint8(m.a), in.B})
		r &^= uint32(old[in.B%3]) << 8
	}
	m.Out.Set(r ^ uint32(m.d>>3))
}

package constructs

import (
	"hash/crc32"
	"slices"

	"github.com/goldwire/goldwire/rtl"
)

// Handed has two memories: a word goes from one to the other in the cycle in which the next one is written. The words
// differ after the reset.
type Handed struct {
	Ports
	from [8]uint16
	to   [8]uint16
}

// Reset gives each word its own value.
func (h *Handed) Reset() {
	for i := range h.from {
		h.from[i] = uint16(i*i + 1)
	}
	h.to = [8]uint16{}
}

// Tick hands a word over, unless the cycle takes none.
func (h *Handed) Tick() {
	in := h.In.Get()
	at := in.B & 7
	h.Out.Set(uint32(h.to[at])<<16 | uint32(h.from[at]))
	if in.Take {
		return
	}
	h.to[in.B>>1] = h.from[at]
	h.from[at] = in.A
}

// Moves copies and clears parts of an array, some of which overlap.
type Moves struct {
	Ports
	line  [6]uint16
	other [6]uint16
}

// Tick moves.
func (m *Moves) Tick() {
	in := m.In.Get()
	n := min(int(in.B&7), len(m.line))
	room := 0
	switch in.A & 7 {
	case 0: // each word goes up by one place
		copy(m.line[1:], m.line[:])
		m.line[0] = in.A
	case 1:
		copy(m.other[:], m.line[:n])
	case 2:
		clear(m.other[:n])
	case 3: // words that are read are written, too
		_ = append(m.line[:1], m.line[:3]...)
	case 4: // a part of a part
		part := m.line[in.B&1:]
		part = part[in.B>>1&1:]
		part[0] += in.A
		room = cap(part)
	case 5:
		part := m.line[in.B&1:]
		if in.Take {
			part = m.line[in.B&3:]
		}
		part[1] ^= in.A
	case 6: // the word behind a part of two
		from := int(in.B & 3)
		_ = append(m.line[from:from+2], in.A)
	}
	sum := uint32(room)
	for i := range m.line {
		sum = sum*5 + uint32(m.line[i]) ^ uint32(m.other[i])<<9
	}
	m.Out.Set(sum)
}

// List is a slice in whose middle words come and go. Its free places are seen, too.
type List struct {
	Ports
	q []uint16
}

// Reset makes the list.
func (l *List) Reset() { l.q = make([]uint16, 0, 6) }

// Tick inserts one word or two, appends two, or deletes one.
func (l *List) Tick() {
	in := l.In.Get()
	at := int(in.B & 7)
	switch free := cap(l.q) - len(l.q); {
	case in.Take && free > 0 && at <= len(l.q):
		l.q = slices.Insert(l.q, at, in.A)
	case in.B > 7 && free > 1 && at <= len(l.q):
		l.q = slices.Insert(l.q, at, in.A, in.A>>3)
	case at < len(l.q):
		l.q = slices.Delete(l.q, at, at+1)
	case in.A&3 == 0 && free > 1:
		l.q = append(l.q, in.A, ^in.A)
	}
	sum := uint32(len(l.q))
	for _, v := range l.q[:cap(l.q)] {
		sum = sum*5 + uint32(v)
	}
	l.Out.Set(sum)
}

// Grid is an array of arrays. It shows a checksum of a word, and, by a wire, the word of the cycle before.
type Grid struct {
	Ports
	Now   rtl.Wire[uint16]
	cells [3][5]uint16
	row   uint8
}

// Comb shows a word as it is before the edge.
func (g *Grid) Comb() { g.Now.Set(g.cells[g.row][2] ^ g.In.Get().A) }

// Tick writes a cell.
func (g *Grid) Tick() {
	in := g.In.Get()
	g.row = in.B % 3
	cell := &g.cells[g.row][in.A%5]
	twice := uint32(*cell)<<16 | uint32(*cell)
	g.Out.Set(twice + crc32.ChecksumIEEE([]byte{byte(*cell), byte(*cell >> 8), in.B}))
	if in.Take {
		*cell = in.A
	}
}

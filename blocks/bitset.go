package blocks

import "math/bits"

// Bits is a set of small numbers: ports, flows, IDs. Its methods allocate nothing and do not check bounds beyond Go's
// own.
type Bits []uint64

// NewBits returns an empty set of numbers below n.
func NewBits(n int) Bits { return make(Bits, (n+63)/64) }

// Has tells whether i is in the set; numbers beyond its size are not.
func (b Bits) Has(i int) bool { return i>>6 < len(b) && b[i>>6]>>(i&63)&1 == 1 }

// Set puts i into the set.
func (b Bits) Set(i int) { b[i>>6] |= 1 << (i & 63) }

// Clear takes i out of the set.
func (b Bits) Clear(i int) { b[i>>6] &^= 1 << (i & 63) }

// Reset empties the set.
func (b Bits) Reset() { clear(b) }

// Fill makes it all numbers below n.
func (b Bits) Fill(n int) {
	for i := range b {
		b[i] = ^uint64(0)
	}
	if n&63 != 0 {
		b[len(b)-1] = 1<<(n&63) - 1
	}
}

// Count returns how many there are.
func (b Bits) Count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// Next returns the least number from i on, -1 if there is none. It is a priority encoder.
func (b Bits) Next(i int) int {
	for w := i >> 6; w < len(b); w++ {
		x := b[w]
		if w == i>>6 {
			x &^= 1<<(i&63) - 1
		}
		if x != 0 {
			return w<<6 + bits.TrailingZeros64(x)
		}
	}
	return -1
}

// NextAnd is Next of the intersection with another set of the same size.
func (b Bits) NextAnd(other Bits, i int) int {
	for w := i >> 6; w < len(b); w++ {
		x := b[w] & other[w]
		if w == i>>6 {
			x &^= 1<<(i&63) - 1
		}
		if x != 0 {
			return w<<6 + bits.TrailingZeros64(x)
		}
	}
	return -1
}

package blocks

import "fmt"

// WidthConverter turns a stream of words of In bits into one of words of Out bits, each 1 to 128, in any ratio: the
// gearbox 66:64 and 64:66 of a PCS, or a serialiser's n:1. Bit 0 of a word is the first of the stream on both sides. It
// neither loses nor repeats nor reorders a bit, but for those Slip drops. It does not find word boundaries (that is
// block sync) and it does not cross clocks (use an asynchronous FIFO after it).
//
// In a cycle call Pop, then Push: a bit leaves in the cycle after its own at the earliest, and Ready depends on
// whether a word has just left. So used it holds up to In+Out-1 bits, enough for the narrower side never to pause
// whatever Slip does.
type WidthConverter struct {
	in, out int
	outMask Bits128
	limit   int // Push accepts while at most limit bits are held

	// The stream's bit k is bit k%64 of ring[k/64%8]. 512 bits are more than the 255 held at most and the two words beyond
	// the write position that a Push clears, so it never touches a bit that is still to leave.
	ring [8]uint64
	rd   uint64 // stream position of the next bit to leave
	n    int    // bits held
	slip uint64 // bits to drop as soon as they come
}

// NewWidthConverter returns an empty converter from words of in bits to words of out bits. It panics unless both are 1
// to 128.
func NewWidthConverter(in, out int) *WidthConverter {
	if in < 1 || in > 128 || out < 1 || out > 128 {
		panic(fmt.Sprintf("blocks: width converter %d:%d, want widths of 1 to 128", in, out))
	}
	return &WidthConverter{in: in, out: out, outMask: mask128(out), limit: out - 1}
}

// WithSlack raises the converter's capacity by a number of bits, at most 128: for a producer that cannot wait for
// Ready. It returns the converter.
func (c *WidthConverter) WithSlack(bits int) *WidthConverter {
	if bits < 0 || bits > 128 {
		panic(fmt.Sprintf("blocks: slack of %d bits, want 0 to 128", bits))
	}
	c.limit += bits
	return c
}

// Ready reports whether Push would accept.
func (c *WidthConverter) Ready() bool { return c.n <= c.limit }

// Valid reports whether Pop would succeed.
func (c *WidthConverter) Valid() bool { return c.n >= c.out }

// Push appends the low In bits of w to the stream and reports whether there was room. If not, nothing changes.
func (c *WidthConverter) Push(w Bits128) bool {
	if c.n > c.limit {
		return false
	}
	// What w has above In bits lands beyond the new write position, where the next Push clears it.
	wr := c.rd + uint64(c.n)
	k, s := wr>>6, wr&63
	keep := uint64(1)<<s - 1
	c.ring[k&7] = c.ring[k&7]&keep | w.Lo<<s
	c.ring[(k+1)&7] = w.Lo>>(64-s) | w.Hi<<s
	c.ring[(k+2)&7] = w.Hi >> (64 - s)
	c.n += c.in
	if c.slip > 0 {
		c.drop()
	}
	return true
}

// Pop removes the next Out bits of the stream and returns them. If fewer are held it returns false and changes nothing.
func (c *WidthConverter) Pop() (w Bits128, ok bool) {
	if c.n < c.out {
		return w, false
	}
	k, s := c.rd>>6, c.rd&63
	a, b, d := c.ring[k&7], c.ring[(k+1)&7], c.ring[(k+2)&7]
	w = Bits128{Lo: a>>s | b<<(64-s), Hi: b>>s | d<<(64-s)}
	c.rd += uint64(c.out)
	c.n -= c.out
	return w.and(c.outMask), true
}

// Slip drops the next n bits of the stream: those held at once, the rest as they come. Block sync moves its boundary
// by Slip(1). It panics if n is negative.
func (c *WidthConverter) Slip(n int) {
	if n < 0 {
		panic(fmt.Sprintf("blocks: slip of %d bits, want at least 0", n))
	}
	c.slip += uint64(n)
	c.drop()
}

// drop pays as much of the slip as the bits held allow.
func (c *WidthConverter) drop() {
	d := min(c.slip, uint64(c.n))
	c.slip -= d
	c.rd += d
	c.n -= int(d)
}

// Len returns the number of bits held.
func (c *WidthConverter) Len() int { return c.n }

// Cap returns the largest number of bits that can be held: In+Out-1.
func (c *WidthConverter) Cap() int { return c.in + c.limit }

// Reset empties the converter and forgets a slip that is under way.
func (c *WidthConverter) Reset() { c.rd, c.n, c.slip = 0, 0, 0 }

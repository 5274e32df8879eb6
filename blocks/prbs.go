package blocks

import (
	"fmt"
	"math/bits"
	"slices"
)

// PRBSPattern is a pseudo-random binary sequence: the output of a Fibonacci LFSR with these taps, inverted or not.
type PRBSPattern struct {
	Name     string
	Taps     []int // exponents of the polynomial's terms but for the 1; the largest is the order
	Inverted bool  // the line carries the complement
}

// The patterns of ITU-T O.150 (clause 5) and IEEE 802.3. O.150 inverts the patterns of 15 stages and more, and IEEE
// 802.3 49.2.8 its PRBS31.
var (
	// PRBS7 is x^7+x^6+1, which transceivers offer; O.150 has none of this length.
	PRBS7 = PRBSPattern{Name: "PRBS7", Taps: []int{7, 6}}
	// PRBS9 is x^9+x^5+1: O.150 5.1, IEEE 802.3 68.6.1.
	PRBS9 = PRBSPattern{Name: "PRBS9", Taps: []int{9, 5}}
	// PRBS11 is x^11+x^9+1: O.150 5.2.
	PRBS11 = PRBSPattern{Name: "PRBS11", Taps: []int{11, 9}}
	// PRBS13 is x^13+x^12+x^2+x+1: the sequence under PRBS13Q, IEEE 802.3 94.3.10.8 and 120.5.11.2.1.
	PRBS13 = PRBSPattern{Name: "PRBS13", Taps: []int{13, 12, 2, 1}}
	// PRBS15 is x^15+x^14+1, inverted: O.150 5.3.
	PRBS15 = PRBSPattern{Name: "PRBS15", Taps: []int{15, 14}, Inverted: true}
	// PRBS23 is x^23+x^18+1, inverted: O.150 5.6.
	PRBS23 = PRBSPattern{Name: "PRBS23", Taps: []int{23, 18}, Inverted: true}
	// PRBS31 is x^31+x^28+1, inverted: O.150 5.8, IEEE 802.3 49.2.8.
	PRBS31 = PRBSPattern{Name: "PRBS31", Taps: []int{31, 28}, Inverted: true}
)

// PRBS generates a pattern up to 64 bits a call: the word form of a Fibonacci LFSR, with the same bits. It is fast
// where the smallest tap is large, as in all patterns here but PRBS13, whose tap of 1 makes it come four bits at a
// time. It has no input; to check a received pattern use PRBSChecker.
type PRBS struct {
	// ahead holds the next 64 bits before inversion, the first in bit 0.
	ahead uint64
	// A sequence that obeys P(x) obeys P(x)^2 = P(x^2) too, since squaring is linear over GF(2): all taps may be doubled.
	// They are, while the largest stays within ahead; then as many bits as the smallest tap come from one XOR of shifts.
	shifts []uint8 // 64 - tap, for each tap
	step   int     // the smallest tap: bits made at once
	invert uint64  // XORed into the output
	mask   uint64  // the order's low bits
}

// NewPRBS returns a generator whose first bits, before inversion, are the seed's, bit 0 first. The seed is the
// register's first state: 1 to 2^order-1. A seed outside or a wrong pattern is an error.
func NewPRBS(p PRBSPattern, seed uint64) (*PRBS, error) {
	l, err := NewLFSR(Fibonacci, seed, p.Taps...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	g := &PRBS{mask: mask64(l.Width())}
	for i := range 64 {
		g.ahead |= l.Step() << i
	}
	scale := 1
	for l.Width()*scale*2 <= 64 {
		scale *= 2
	}
	for _, t := range p.Taps {
		g.shifts = append(g.shifts, uint8(64-t*scale))
	}
	g.step = slices.Min(p.Taps) * scale
	if p.Inverted {
		g.invert = ^uint64(0)
	}
	return g, nil
}

// Bits returns the next n bits of the pattern, 0 <= n <= 64, the first in bit 0 and zeros above. It panics for any
// other n.
func (g *PRBS) Bits(n int) uint64 {
	if uint(n) > 64 {
		panic(fmt.Sprintf("blocks: %d bits of PRBS at once, want 0 to 64", n))
	}
	out := (g.ahead ^ g.invert) & mask64(n)
	for n > 0 {
		m := min(n, g.step)
		var next uint64 // the bits after those in ahead: g.step of them are right
		for _, s := range g.shifts {
			next ^= g.ahead >> s
		}
		g.ahead = g.ahead>>m | next<<(64-m)
		n -= m
	}
	return out
}

// State returns the LFSR's register: the next bits before inversion, as many as the order, the first in bit 0.
func (g *PRBS) State() uint64 { return g.ahead & g.mask }

// PRBSChecker checks a received pattern without being told where it begins: it predicts each bit from those received
// before it, as IEEE 802.3 49.2.12 does. So it locks by itself after as many bits as the order, and one wrong bit on
// the line shows once as it arrives and once more at each tap: three times for a pattern of two taps, unless errors
// meet. It does not see the two constant lines, of which the one obeys any polynomial: Stuck does. To count each line
// error once, compare with a second generator, or read the log of Lossy.
type PRBSChecker struct {
	taps   []uint8
	order  int
	invert uint64
	past   uint64 // the last 64 bits received, inversion removed, the newest in bit 63
	fill   int    // bits still missing before the first prediction
	bits   uint64
	errors uint64
}

// NewPRBSChecker returns a checker that has received nothing. A pattern with wrong taps is an error.
func NewPRBSChecker(p PRBSPattern) (*PRBSChecker, error) {
	order, err := checkTaps(p.Taps)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	c := &PRBSChecker{order: order, fill: order}
	for _, t := range p.Taps {
		c.taps = append(c.taps, uint8(t))
	}
	if p.Inverted {
		c.invert = ^uint64(0)
	}
	return c, nil
}

// Check takes the low n bits of word, 0 <= n <= 64, bit 0 first, and returns a 1 for each bit that differs from its
// prediction. A bit that cannot be predicted yet counts as right. It panics for any other n.
func (c *PRBSChecker) Check(word uint64, n int) (wrong uint64) {
	if uint(n) > 64 {
		panic(fmt.Sprintf("blocks: %d bits of PRBS checked at once, want 0 to 64", n))
	}
	word ^= c.invert
	wrong = word
	for _, t := range c.taps {
		wrong ^= word<<t | c.past>>(64-t)
	}
	blind := min(c.fill, n)
	wrong &= mask64(n) &^ mask64(blind)
	c.fill -= blind
	c.past = c.past>>n | word<<(64-n)
	c.bits += uint64(n - blind)
	c.errors += uint64(bits.OnesCount64(wrong))
	return wrong
}

// Errors returns the number of bits that differed from their prediction.
func (c *PRBSChecker) Errors() uint64 { return c.errors }

// Bits returns the number of bits that were predicted.
func (c *PRBSChecker) Bits() uint64 { return c.bits }

// Stuck reports whether the last bits, as many as the order, are a row that no generator sends: all 0, or all 1 if the
// pattern is inverted. It is false before as many bits have arrived.
func (c *PRBSChecker) Stuck() bool { return c.fill == 0 && c.past>>(64-c.order) == 0 }

package pcs

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/rtl"
)

// LinePattern generates the test patterns that take the place of the whole PCS on the line: PRBS31 and PRBS9, and the
// square wave (49.2.8). Latency 1 cycle.
type LinePattern struct {
	Enable rtl.In[bool] // makes a word in this cycle
	Out    rtl.Out[Line]

	width int
	next  bitSource
}

// bitSource gives the next bits of a pattern, at most 64 at a time.
type bitSource interface{ Bits(n int) uint64 }

// NewPRBSPattern returns a generator of line words of 1 to 66 bits. The seed is the first bits, before inversion. A
// seed of 0 or too wide for the register is an error.
func NewPRBSPattern(width int, p blocks.PRBSPattern, seed uint64) (*LinePattern, error) {
	checkWidth(width)
	g, err := blocks.NewPRBS(p, seed)
	if err != nil {
		return nil, err
	}
	return &LinePattern{width: width, next: g}, nil
}

// Lengths of a run of the square wave, in bits (49.2.8).
const (
	SquareWaveMin = 4
	SquareWaveMax = 11
)

// NewSquareWave returns a generator of n ones and n zeros in turns, in line words of 1 to 66 bits. It fails unless n
// is 4 to 11.
func NewSquareWave(width, n int) (*LinePattern, error) {
	checkWidth(width)
	if n < SquareWaveMin || n > SquareWaveMax {
		return nil, fmt.Errorf("square wave of %d bits a level, want %d to %d", n, SquareWaveMin, SquareWaveMax)
	}
	return &LinePattern{width: width, next: &squareWave{half: n}}, nil
}

// squareWave is ones for half a period, then zeros.
type squareWave struct{ half, at int }

// Bits returns the next bits.
func (w *squareWave) Bits(n int) (bits uint64) {
	for i := range n {
		if w.at < w.half {
			bits |= 1 << i
		}
		w.at = (w.at + 1) % (2 * w.half)
	}
	return bits
}

// Tick makes one word.
func (g *LinePattern) Tick() {
	if !g.Enable.Get() {
		g.Out.Set(Line{})
		return
	}
	w := Line{Lo: g.next.Bits(min(g.width, 64)), Valid: true}
	if g.width > 64 {
		w.Hi = uint8(g.next.Bits(g.width - 64))
	}
	g.Out.Set(w)
}

// LineChecker counts the bits of a received PRBS that do not follow from those before them (49.2.12). It finds the
// pattern's phase by itself; a bit error counts three times. Latency 1 cycle.
type LineChecker struct {
	In     rtl.In[Line]
	Errors rtl.Out[uint32] // stops at its maximum

	width   int
	checker *blocks.PRBSChecker
}

// NewLineChecker returns a checker of line words of 1 to 66 bits.
func NewLineChecker(width int, p blocks.PRBSPattern) (*LineChecker, error) {
	checkWidth(width)
	c, err := blocks.NewPRBSChecker(p)
	if err != nil {
		return nil, err
	}
	return &LineChecker{width: width, checker: c}, nil
}

// Tick checks one word.
func (c *LineChecker) Tick() {
	w := c.In.Get()
	if !w.Valid {
		return
	}
	c.checker.Check(w.Lo, min(c.width, 64))
	if c.width > 64 {
		c.checker.Check(uint64(w.Hi), c.width-64)
	}
	c.Errors.Set(uint32(min(c.checker.Errors(), math.MaxUint32)))
}

package blocks

import (
	"fmt"
	"math/bits"
)

// LFSRForm is the way the taps of an LFSR are wired.
type LFSRForm uint8

const (
	// Fibonacci XORs the taps into the one bit that enters.
	Fibonacci LFSRForm = iota
	// Galois XORs the one bit that leaves into the taps.
	Galois
)

// LFSR is a linear feedback shift register of up to 64 bits, one bit a step: the textbook definition. It takes no
// input: for division of a message use CRC. For a test pattern in words use PRBS.
//
// Both forms shift right and give out bit 0. The characteristic polynomial is 1 plus the sum of x^t over the taps t,
// the largest of which is the width, and the bits given out obey
//
//	a[k] = XOR over the taps t of a[k-t]
//
// in both forms, so that x^7+x^6+1 is the taps 7, 6. They differ in the state:
//
//   - Fibonacci: bit j is a[k+j], so the first Width bits out are the seed. The new bit enters at Width-1 and is the
//     XOR of the bits Width-t. Numbered as standards draw it, stage i is bit Width-i.
//   - Galois: if the bit that leaves is 1, the bits t-1 are inverted after the shift.
type LFSR struct {
	form  LFSRForm
	width int
	taps  uint64 // Fibonacci: the bits that are XORed. Galois: the bits that are inverted
	state uint64
}

// NewLFSR returns a register with the given state and taps. Errors: no tap, a tap outside 1..64 or given twice, or a
// seed that is 0 (the register would stay there) or does not fit the width.
func NewLFSR(form LFSRForm, seed uint64, taps ...int) (*LFSR, error) {
	if form > Galois {
		return nil, fmt.Errorf("blocks: LFSR form %d, want Fibonacci or Galois", form)
	}
	width, err := checkTaps(taps)
	if err != nil {
		return nil, err
	}
	if seed == 0 || seed&^mask64(width) != 0 {
		return nil, fmt.Errorf("blocks: LFSR seed %#x, want 1 to %#x for %d bits", seed, mask64(width), width)
	}
	l := &LFSR{form: form, width: width, state: seed}
	for _, t := range taps {
		if form == Fibonacci {
			l.taps |= 1 << (width - t)
		} else {
			l.taps |= 1 << (t - 1)
		}
	}
	return l, nil
}

// checkTaps returns the largest of the taps, which is the width.
func checkTaps(taps []int) (width int, err error) {
	var seen uint64
	for _, t := range taps {
		if t < 1 || t > 64 {
			return 0, fmt.Errorf("blocks: LFSR tap %d, want 1 to 64", t)
		}
		if seen>>(t-1)&1 == 1 {
			return 0, fmt.Errorf("blocks: LFSR tap %d is given twice", t)
		}
		seen |= 1 << (t - 1)
	}
	if seen == 0 {
		return 0, fmt.Errorf("blocks: LFSR without a tap, want at least 1")
	}
	return bits.Len64(seen), nil
}

// Step is one shift. It returns the bit that leaves, 0 or 1.
func (l *LFSR) Step() uint64 {
	out := l.state & 1
	if l.form == Fibonacci {
		in := uint64(bits.OnesCount64(l.state&l.taps) & 1)
		l.state = l.state>>1 | in<<(l.width-1)
	} else {
		l.state = l.state>>1 ^ -out&l.taps
	}
	return out
}

// State returns the register, in the low Width bits.
func (l *LFSR) State() uint64 { return l.state }

// Width returns the number of bits of the register.
func (l *LFSR) Width() int { return l.width }

package clock

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Freq is an exact frequency in hertz. The zero value is no frequency; a Schedule refuses it.
type Freq struct{ hz *big.Rat }

// Common line and core clocks of IEEE 802.3 64b/66b interfaces.
var (
	// Block10G is one 66-bit block a cycle at 10.3125 Gb/s (Clause 49): 156.25 MHz.
	Block10G = MHz(156.25)
	// Block25G is one 66-bit block a cycle at 25.78125 Gb/s (Clause 107): 390.625 MHz, a period of 2.56 ns.
	Block25G = MHz(390.625)
)

// MHz returns f megahertz exactly as f is written in decimal: MHz(644.53125) is 64453125/100 kHz. It panics if f is not
// a positive finite number; [ParseFreq] returns an error instead.
func MHz(f float64) Freq {
	return MustFreq(strconv.FormatFloat(f, 'g', -1, 64) + "MHz")
}

// MustFreq is ParseFreq for literals; it panics on an error.
func MustFreq(s string) Freq {
	f, err := ParseFreq(s)
	if err != nil {
		panic(err)
	}
	return f
}

var freqUnits = []struct {
	suffix string
	exp10  int64
}{{"GHz", 9}, {"MHz", 6}, {"kHz", 3}, {"Hz", 0}}

// ParseFreq reads a positive decimal or fraction followed by Hz, kHz, MHz or GHz: "644.53125MHz", "20625/32 MHz".
func ParseFreq(s string) (Freq, error) {
	for _, u := range freqUnits {
		if num, ok := strings.CutSuffix(s, u.suffix); ok {
			r, err := parseRat(strings.TrimSpace(num))
			if err != nil {
				return Freq{}, fmt.Errorf("frequency %q: %w", s, err)
			}
			if r.Sign() <= 0 {
				return Freq{}, fmt.Errorf("frequency %q: want a value above zero", s)
			}
			return Freq{r.Mul(r, pow10(u.exp10))}, nil
		}
	}
	return Freq{}, fmt.Errorf("frequency %q: want a number followed by Hz, kHz, MHz or GHz, such as 644.53125MHz", s)
}

// PPM returns the frequency off by ppm parts per million: f × (1 + ppm/10⁶), exactly for ppm as written in decimal.
// It panics if the result is not above zero.
func (f Freq) PPM(ppm float64) Freq {
	off, err := parseRat(strconv.FormatFloat(ppm, 'g', -1, 64))
	if err != nil {
		panic(fmt.Sprintf("clock: offset of %v ppm: %v", ppm, err))
	}
	off.Mul(off, pow10(-6)).Add(off, big.NewRat(1, 1))
	if off.Sign() <= 0 {
		panic(fmt.Sprintf("clock: offset of %v ppm leaves no frequency", ppm))
	}
	return Freq{off.Mul(off, f.hz)}
}

// Times returns the frequency scaled by num/den, for clocks derived from one another: Block25G.Times(66, 64) is the
// clock of the same line taken 64 bits at a time.
func (f Freq) Times(num, den int64) Freq {
	return Freq{new(big.Rat).Mul(f.hz, big.NewRat(num, den))}
}

// Hz returns the frequency in hertz. The caller owns the result.
func (f Freq) Hz() *big.Rat { return new(big.Rat).Set(f.hz) }

// Period returns 1/f.
func (f Freq) Period() Time { return Time{new(big.Rat).Inv(f.hz)} }

// Bandwidth returns the bits a second of a bus of the given width at this frequency.
func (f Freq) Bandwidth(bits int64) *big.Rat {
	return new(big.Rat).Mul(f.hz, new(big.Rat).SetInt64(bits))
}

// String returns the frequency in MHz: as a decimal if it has a finite one, as a fraction otherwise. ParseFreq reads it
// back exactly.
func (f Freq) String() string {
	if f.hz == nil {
		return "no frequency"
	}
	return decimal(new(big.Rat).Mul(f.hz, pow10(-6))) + "MHz"
}

// MarshalText writes the text of String, and nothing for no frequency.
func (f Freq) MarshalText() ([]byte, error) {
	if f.hz == nil {
		return nil, nil
	}
	return []byte(f.String()), nil
}

// UnmarshalText reads the text of MarshalText.
func (f *Freq) UnmarshalText(text []byte) (err error) {
	if len(text) == 0 {
		*f = Freq{}
		return nil
	}
	*f, err = ParseFreq(string(text))
	return err
}

// parseRat reads a decimal or a fraction. The length and exponent limits keep a hostile string from costing memory.
func parseRat(s string) (*big.Rat, error) {
	if len(s) > 64 {
		return nil, fmt.Errorf("the number has %d characters, want at most 64", len(s))
	}
	if strings.Trim(s, "0123456789.+-/eE") != "" {
		return nil, fmt.Errorf("%q is not a decimal number or a fraction", s)
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		if exp, err := strconv.Atoi(s[i+1:]); err != nil || exp < -60 || exp > 60 {
			return nil, fmt.Errorf("%q has no exponent between -60 and 60", s)
		}
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return nil, fmt.Errorf("%q is not a decimal number or a fraction", s)
	}
	return r, nil
}

// decimal writes r without loss: as a decimal if its denominator has only the factors 2 and 5, else as a fraction.
func decimal(r *big.Rat) string {
	if n, exact := r.FloatPrec(); exact {
		return r.FloatString(n)
	}
	return r.String()
}

func pow10(n int64) *big.Rat {
	abs := n
	if abs < 0 {
		abs = -abs
	}
	p := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(abs), nil))
	if n < 0 {
		p.Inv(p)
	}
	return p
}

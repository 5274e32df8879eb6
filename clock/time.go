package clock

import (
	"fmt"
	"math"
	"math/big"
	"strings"
)

// Time is an exact point in time or a duration, in seconds. The zero value is time zero.
type Time struct{ s *big.Rat }

// MustTime is ParseTime for literals; it panics on an error.
func MustTime(s string) Time {
	t, err := ParseTime(s)
	if err != nil {
		panic(err)
	}
	return t
}

var timeUnits = []struct {
	suffix string
	exp10  int64
}{{"fs", -15}, {"ps", -12}, {"ns", -9}, {"us", -6}, {"µs", -6}, {"ms", -3}, {"s", 0}}

// ParseTime reads a decimal or fraction followed by s, ms, us, ns, ps or fs: "18.75ns", "51200/33 ps".
func ParseTime(s string) (Time, error) {
	for _, u := range timeUnits {
		if num, ok := strings.CutSuffix(s, u.suffix); ok {
			r, err := parseRat(strings.TrimSpace(num))
			if err != nil {
				return Time{}, fmt.Errorf("time %q: %w", s, err)
			}
			return Time{r.Mul(r, pow10(u.exp10))}, nil
		}
	}
	return Time{}, fmt.Errorf("time %q: want a number followed by s, ms, us, ns, ps or fs, such as 2.56ns", s)
}

// Seconds returns the time of s seconds.
func Seconds(s *big.Rat) Time { return Time{new(big.Rat).Set(s)} }

// Seconds returns the time in seconds. The caller owns the result.
func (t Time) Seconds() *big.Rat {
	if t.s == nil {
		return new(big.Rat)
	}
	return new(big.Rat).Set(t.s)
}

// In returns the time as a multiple of the unit: MustTime("5.12ns").In(Nanosecond) is 128/25.
func (t Time) In(unit Time) *big.Rat { return new(big.Rat).Quo(t.Seconds(), unit.s) }

// Add returns t + u.
func (t Time) Add(u Time) Time { return Time{new(big.Rat).Add(t.Seconds(), u.Seconds())} }

// Sub returns t − u.
func (t Time) Sub(u Time) Time { return Time{new(big.Rat).Sub(t.Seconds(), u.Seconds())} }

// Times returns n × t.
func (t Time) Times(n int64) Time {
	return Time{new(big.Rat).Mul(t.Seconds(), new(big.Rat).SetInt64(n))}
}

// Cmp returns -1, 0 or +1 as t is before, at or after u.
func (t Time) Cmp(u Time) int { return t.Seconds().Cmp(u.Seconds()) }

// String returns the time in the largest unit in which it is at least 1, without loss: "2.56ns", "51200/33ps".
func (t Time) String() string {
	s := t.Seconds()
	if s.Sign() == 0 {
		return "0s"
	}
	abs := new(big.Rat).Abs(s)
	for _, u := range []int{6, 5, 3, 2, 1, 0} { // s, ms, us, ns, ps, fs: timeUnits without the second spelling of us
		unit := pow10(timeUnits[u].exp10)
		if abs.Cmp(unit) >= 0 || u == 0 {
			r := new(big.Rat).Quo(s, unit)
			if _, exact := r.FloatPrec(); !exact && u > 1 {
				continue // 51200/33 ps reads better than 512/330 ns
			}
			return decimal(r) + timeUnits[u].suffix
		}
	}
	panic("unreachable")
}

// About returns the time rounded to four digits, with its unit apart, for people: "82.13 us" for 2710323200/33 ps, "0
// s" for none.
func (t Time) About() string {
	s := t.Seconds()
	if s.Sign() == 0 {
		return "0 s"
	}
	abs := new(big.Rat).Abs(s)
	for _, u := range []int{6, 5, 3, 2, 1, 0} { // as in String
		unit := pow10(timeUnits[u].exp10)
		if abs.Cmp(unit) >= 0 || u == 0 {
			x, _ := new(big.Rat).Quo(s, unit).Float64()
			if math.Abs(x) >= 1000 {
				return fmt.Sprintf("%.0f %s", x, timeUnits[u].suffix)
			}
			return fmt.Sprintf("%.4g %s", x, timeUnits[u].suffix)
		}
	}
	panic("unreachable")
}

// MarshalText writes what String does, which ParseTime reads back exactly.
func (t Time) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads a time as ParseTime does.
func (t *Time) UnmarshalText(text []byte) (err error) {
	*t, err = ParseTime(string(text))
	return err
}

// Units of time.
var (
	Second      = MustTime("1s")
	Nanosecond  = MustTime("1ns")
	Picosecond  = MustTime("1ps")
	Femtosecond = MustTime("1fs")
)

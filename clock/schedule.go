package clock

import (
	"fmt"
	"math/big"
	"math/bits"
)

// MaxClocks is the most clocks a Schedule takes: an instant's edges are the bits of one word.
const MaxClocks = 64

// Spec describes a clock: a frequency and the phase by which all its edges come later.
type Spec struct {
	Name  string
	Freq  Freq
	Phase Time
}

// Schedule gives the instants at which at least one of several clocks has a rising edge, in order. It holds, for each
// clock, the whole number of units left until its next edge, so it never accumulates an absolute time and cannot
// overflow.
type Schedule struct {
	specs  []Spec
	unit   *big.Rat // seconds; every period and phase is a whole multiple of it
	period []uint64 // in units
	phase  []uint64
	left   []uint64 // units until the next edge
	edges  []uint64 // edges so far
}

// maxUnits bounds a clock's period and phase in units, so that sums of two cannot overflow.
const maxUnits = 1 << 62

// NewSchedule merges the clocks. It fails if a frequency is missing, a phase is negative, or the clocks' ratios are so
// odd that a period is not a 62-bit multiple of the common unit.
func NewSchedule(specs ...Spec) (*Schedule, error) {
	if len(specs) == 0 || len(specs) > MaxClocks {
		return nil, fmt.Errorf("%d clocks, want 1 to %d", len(specs), MaxClocks)
	}
	unit := new(big.Rat)
	for _, c := range specs {
		if c.Freq.hz == nil {
			return nil, fmt.Errorf("clock %s: no frequency", c.Name)
		}
		if c.Phase.Seconds().Sign() < 0 {
			return nil, fmt.Errorf("clock %s: phase %v, want zero or later", c.Name, c.Phase)
		}
		unit = gcd(unit, c.Freq.Period().s)
		unit = gcd(unit, c.Phase.Seconds())
	}
	s := &Schedule{specs: append([]Spec(nil), specs...), unit: unit}
	for _, c := range specs {
		p, okPeriod := wholeUnits(c.Freq.Period().s, unit)
		ph, okPhase := wholeUnits(c.Phase.Seconds(), unit)
		if !okPeriod || !okPhase {
			return nil, fmt.Errorf("clock %s: %v with phase %v cannot be represented beside the other clocks: "+
				"its period is more than 2^62 times their common unit", c.Name, c.Freq, c.Phase)
		}
		s.period, s.phase = append(s.period, p), append(s.phase, ph)
	}
	s.left, s.edges = make([]uint64, len(specs)), make([]uint64, len(specs))
	s.Reset()
	return s, nil
}

// Reset goes back to time zero.
func (s *Schedule) Reset() {
	for i := range s.specs {
		s.left[i], s.edges[i] = s.phase[i]+s.period[i], 0
	}
}

// Clone returns a schedule that goes on from here by itself.
func (s *Schedule) Clone() *Schedule {
	c := *s // specs, unit, periods and phases never change
	c.left, c.edges = append([]uint64(nil), s.left...), append([]uint64(nil), s.edges...)
	return &c
}

// Next advances to the next instant and returns the clocks that have an edge then, clock i as bit i.
func (s *Schedule) Next() uint64 {
	step := s.left[0]
	for _, l := range s.left[1:] {
		step = min(step, l)
	}
	var mask uint64
	for i, l := range s.left {
		if l == step {
			mask |= 1 << i
			s.edges[i]++
			s.left[i] = s.period[i]
		} else {
			s.left[i] = l - step
		}
	}
	return mask
}

// Skip counts n further edges of a schedule that has one clock only, as n calls of Next would.
func (s *Schedule) Skip(n uint64) {
	if len(s.specs) != 1 {
		panic("clock: Skip on a schedule of several clocks")
	}
	if n > 0 {
		s.edges[0] += n
		s.left[0] = s.period[0]
	}
}

// Edges returns how many edges clock i has had.
func (s *Schedule) Edges(i int) uint64 { return s.edges[i] }

// Time returns when edge n of clock i is.
func (s *Schedule) Time(i int, n uint64) Time {
	t := new(big.Rat).SetInt(new(big.Int).SetUint64(n))
	t.Mul(t, s.specs[i].Freq.Period().s)
	return Time{t.Add(t, s.specs[i].Phase.Seconds())}
}

// Unit returns the greatest time of which all periods and phases are whole multiples.
func (s *Schedule) Unit() Time { return Time{new(big.Rat).Set(s.unit)} }

// Ruler rounds edges to whole multiples of a scale, such as a waveform's time unit. Each stamp is rounded once, half
// up, from the exact time, so errors do not add up.
type Ruler struct {
	num, off, den []uint64 // of clock i: stamp(n) = ⌊(2·(off + n·num) + den) / (2·den)⌋
}

// Ruler returns a ruler for this schedule's clocks. It fails if a clock's period in the scale has no 62-bit numerator
// and denominator.
func (s *Schedule) Ruler(scale Time) (*Ruler, error) {
	r := &Ruler{}
	for i, c := range s.specs {
		p := new(big.Rat).Quo(c.Freq.Period().s, scale.s)
		ph := new(big.Rat).Quo(c.Phase.Seconds(), scale.s)
		// one common denominator for period and phase
		den := new(big.Int).Mul(p.Denom(), ph.Denom())
		den.Div(den, new(big.Int).GCD(nil, nil, p.Denom(), ph.Denom()))
		d := new(big.Rat).SetInt(den)
		num, off := p.Mul(p, d).Num(), ph.Mul(ph, d).Num()
		if num.BitLen() > 61 || off.BitLen() > 61 || den.BitLen() > 61 {
			return nil, fmt.Errorf("clock %s: %v with phase %v has no exact stamps in steps of %v",
				c.Name, c.Freq, s.specs[i].Phase, scale)
		}
		r.num, r.off, r.den = append(r.num, num.Uint64()), append(r.off, off.Uint64()), append(r.den, den.Uint64())
	}
	return r, nil
}

// Edge returns the stamp of rising edge n of clock i. It panics if the stamp does not fit 64 bits.
func (r *Ruler) Edge(i int, n uint64) uint64 { return r.half(i, 2*n) }

// Fall returns the stamp of the falling edge, half a period after rising edge n of clock i.
func (r *Ruler) Fall(i int, n uint64) uint64 { return r.half(i, 2*n+1) }

// half rounds phase + h half periods.
func (r *Ruler) half(i int, h uint64) uint64 {
	hi, lo := bits.Mul64(h, r.num[i])
	var c uint64
	lo, c = bits.Add64(lo, 2*r.off[i], 0)
	hi += c
	lo, c = bits.Add64(lo, r.den[i], 0)
	hi += c
	if hi >= 2*r.den[i] {
		panic("clock: time stamp beyond 64 bits")
	}
	q, _ := bits.Div64(hi, lo, 2*r.den[i])
	return q
}

// gcd of two rationals; gcd(0, b) is b.
func gcd(a, b *big.Rat) *big.Rat {
	if a.Sign() == 0 {
		return new(big.Rat).Set(b)
	}
	if b.Sign() == 0 {
		return a
	}
	x := new(big.Int).Mul(a.Num(), b.Denom())
	y := new(big.Int).Mul(b.Num(), a.Denom())
	return new(big.Rat).SetFrac(x.GCD(nil, nil, x, y), y.Mul(a.Denom(), b.Denom()))
}

func wholeUnits(r, unit *big.Rat) (uint64, bool) {
	q := new(big.Rat).Quo(r, unit)
	if !q.IsInt() || !q.Num().IsUint64() || q.Num().Uint64() > maxUnits {
		return 0, false
	}
	return q.Num().Uint64(), true
}

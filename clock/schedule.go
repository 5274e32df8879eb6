package clock

import (
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
)

// Spec describes a clock: a frequency, and a phase that makes all its edges come later.
type Spec struct {
	Name  string
	Freq  Freq
	Phase Time
}

// Schedule gives the instants at which at least one of several clocks has a rising edge, in order.
//
// The time of each clock's next edge is a whole number of units and a fraction with that clock's own denominator, so
// it is exact, whatever the ratios: forty crystals, each some ppm off, need no common unit. Two clocks are compared by
// their whole units and then by a cross product. Time that has passed for all clocks is subtracted before it
// overflows.
type Schedule struct {
	specs    []Spec
	whole    []uint64 // clock i's next edge is at whole[i] + timers[i].part/timers[i].den units
	step     []uint64 // whole units of its period
	edges    []uint64 // so far
	timers   []timer
	plain    bool     // there are no fractions: the unit is common to all clocks
	known    *pattern // nil until Learn; then whole and timers are the values at the pattern's start
	searched int      // in how many instants Learn found no pattern
	due      []int    // what Next returned
}

// timer is the fraction of a unit in a clock's next edge (part/den), and the fraction added per period (stepPart/den).
type timer struct {
	part       uint128
	den        uint128
	stepPart   uint128
	startWhole uint64 // the first edge
	startPart  uint128
}

// maxUnits bounds periods and phases, so that sums cannot overflow; maxDenominator is the bits of a denominator.
const (
	maxUnits       = 1 << 61
	maxDenominator = 127
)

// maxWhole is where times are brought back towards zero.
const maxWhole = 1 << 62

// NewSchedule merges the clocks. It fails if there is none, a frequency is missing, a phase is negative, or a period
// or phase has a denominator beyond 127 bits. The unit is the largest time of which all periods and phases are whole
// multiples; or, where it is too small to count in, a femtosecond, or a power of 1000 of it for clocks of half an hour
// a period.
func NewSchedule(specs ...Spec) (*Schedule, error) {
	if len(specs) == 0 {
		return nil, errors.New("no clocks, want at least 1")
	}
	slowest, unit := new(big.Rat), new(big.Rat)
	for _, c := range specs {
		if c.Freq.hz == nil {
			return nil, fmt.Errorf("clock %s: no frequency", c.Name)
		}
		if c.Phase.Seconds().Sign() < 0 {
			return nil, fmt.Errorf("clock %s: phase %v, want zero or later", c.Name, c.Phase)
		}
		for _, t := range []*big.Rat{c.Freq.Period().s, c.Phase.Seconds()} {
			if unit = gcd(unit, t); t.Cmp(slowest) > 0 {
				slowest = t
			}
		}
	}
	perSecond := new(big.Rat).Inv(unit)
	tooSlow := big.NewRat(maxUnits, 1)
	plain := new(big.Rat).Mul(slowest, perSecond).Cmp(tooSlow) <= 0
	if !plain {
		for perSecond = pow10(15); new(big.Rat).Mul(slowest, perSecond).Cmp(tooSlow) > 0; {
			perSecond.Mul(perSecond, pow10(-3))
		}
	}
	s := &Schedule{specs: slices.Clone(specs), whole: make([]uint64, len(specs)), step: make([]uint64, len(specs)),
		edges: make([]uint64, len(specs)), plain: plain}
	for i, c := range specs {
		period, phase := new(big.Rat).Mul(c.Freq.Period().s, perSecond), new(big.Rat).Mul(c.Phase.Seconds(), perSecond)
		den := commonDenominator(period, phase)
		if den.BitLen() > maxDenominator {
			return nil, fmt.Errorf(
				"clock %s: %v with phase %v cannot be scheduled: its period in steps of %v has a denominator of %d bits, want at "+
					"most %d",
				c.Name, c.Freq, c.Phase, Time{new(big.Rat).Inv(perSecond)}, den.BitLen(), maxDenominator,
			)
		}
		t := timer{den: toUint128(den)}
		s.step[i], t.stepPart = split(period, den)
		t.startWhole, t.startPart = split(phase.Add(phase, period), den)
		s.timers = append(s.timers, t)
	}
	s.Reset()
	return s, nil
}

// split returns r as whole units and a fraction of the denominator.
func split(r *big.Rat, den *big.Int) (whole uint64, part uint128) {
	n := new(big.Int).Mul(r.Num(), den)
	n.Div(n, r.Denom())
	q, rest := n.DivMod(n, den, new(big.Int))
	return q.Uint64(), toUint128(rest)
}

// Reset goes back to time zero.
func (s *Schedule) Reset() {
	for i := range s.timers {
		t := &s.timers[i]
		s.whole[i], t.part, s.edges[i] = t.startWhole, t.startPart, 0
	}
	s.known = nil
}

// Clone returns a schedule that goes on from here by itself.
func (s *Schedule) Clone() *Schedule {
	// specs and steps never change
	c := &Schedule{specs: s.specs, whole: slices.Clone(s.whole), step: s.step, edges: slices.Clone(s.edges),
		timers: slices.Clone(s.timers), plain: s.plain}
	if s.known != nil {
		known := *s.known
		c.known = &known
	}
	return c
}

// Next advances to the next instant and returns the clocks that have an edge then, in ascending order. The list is
// overwritten by the next call, or stands in the table that Learn returned.
func (s *Schedule) Next() []int {
	if s.known != nil {
		return s.known.next(s.edges)
	}
	first := s.whole[0]
	for _, w := range s.whole[1:] {
		first = min(first, w)
	}
	if first > maxWhole {
		s.rebase()
		first = 0
	}
	if s.plain {
		return s.nextPlain(first)
	}
	due := s.due[:0]
	for i, w := range s.whole {
		if w != first {
			continue
		}
		if len(due) > 0 {
			switch order := s.timers[i].comparePart(&s.timers[due[0]]); {
			case order > 0:
				continue
			case order < 0:
				due = due[:0]
			}
		}
		due = append(due, i)
	}
	for _, i := range due {
		s.whole[i] += s.step[i] + s.timers[i].advance()
		s.edges[i]++
	}
	s.due = due
	return due
}

// nextPlain is Next where there are no fractions.
func (s *Schedule) nextPlain(first uint64) []int {
	due, step, edges := s.due[:0], s.step, s.edges
	for i, w := range s.whole {
		if w == first {
			s.whole[i] = w + step[i]
			edges[i]++
			due = append(due, i)
		}
	}
	s.due = due
	return due
}

// comparePart compares the fractions of two next edges whose whole units are the same.
func (t *timer) comparePart(u *timer) int {
	if t.den == u.den {
		return t.part.cmp(u.part)
	}
	return compareProducts(t.part, u.den, u.part, t.den)
}

// advance adds the fraction of a period and returns the whole units that come of it: none or one.
func (t *timer) advance() uint64 {
	if t.part = t.part.add(t.stepPart); t.part.less(t.den) {
		return 0
	}
	t.part = t.part.sub(t.den)
	return 1
}

// rebase subtracts the time that has passed for all clocks.
func (s *Schedule) rebase() {
	first := slices.Min(s.whole)
	for i := range s.whole {
		s.whole[i] -= first
	}
}

// Skip counts n further edges of a schedule that has one clock only, as n calls of Next would.
func (s *Schedule) Skip(n uint64) {
	if len(s.specs) != 1 {
		panic("clock: Skip on a schedule of several clocks")
	}
	s.edges[0] += n // there is no other clock to compare its next edge with
}

// Edges returns how many edges clock i has had.
func (s *Schedule) Edges(i int) uint64 { return s.edges[i] }

// Time returns when edge n of clock i is.
func (s *Schedule) Time(i int, n uint64) Time {
	t := new(big.Rat).SetInt(new(big.Int).SetUint64(n))
	t.Mul(t, s.specs[i].Freq.Period().s)
	return Time{t.Add(t, s.specs[i].Phase.Seconds())}
}

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
		den := commonDenominator(p, ph)
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

// commonDenominator returns the least one of two rationals.
func commonDenominator(a, b *big.Rat) *big.Int {
	den := new(big.Int).Mul(a.Denom(), b.Denom())
	return den.Div(den, new(big.Int).GCD(nil, nil, a.Denom(), b.Denom()))
}

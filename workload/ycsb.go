package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// YCSB's records, and the messages that EDM §4.2.2 makes of them on the network.
const (
	YCSBReadBytes    = 1000 // a record: ten fields of 100 B, the 1 KB of the paper
	YCSBRequestBytes = 8    // asks for one
	YCSBWriteBytes   = 100  // a field

	// YCSBSkew is the exponent of the popularity of keys.
	YCSBSkew = 0.99
)

// Operation is an access of a key-value store.
type Operation struct {
	Key   uint64 // from 0, the most popular one first
	Type  MessageType
	Bytes int // read or written
}

// YCSB makes the operations of a core workload of YCSB (Cooper et al., SoCC 2010): A updates in half of them, B in 5
// %, F follows half of its reads by a write of the same key, so that a third of all are writes (EDM §4.2.2).
//
// A key is the rank of its popularity. YCSB itself scatters ranks by a hash; so should a caller that maps keys to
// memory nodes.
type YCSB struct {
	keys     *Zipf
	rng      *rand.Rand
	updates  float64
	modifies float64

	modify bool // a write of key is due
	key    uint64
}

// NewYCSB returns workload A, B or F on the given number of records.
func NewYCSB(workload string, records int, rng *rand.Rand) (*YCSB, error) {
	y := &YCSB{rng: rng}
	switch workload {
	case "A":
		y.updates = 0.5
	case "B":
		y.updates = 0.05
	case "F":
		y.modifies = 0.5
	default:
		return nil, fmt.Errorf("YCSB workload %q, want A, B or F", workload)
	}
	if records < 1 {
		return nil, fmt.Errorf("YCSB on %d records, want at least 1", records)
	}
	y.keys = NewZipf(rng, records, YCSBSkew)
	return y, nil
}

// Next returns the next operation.
func (y *YCSB) Next() Operation {
	if y.modify {
		y.modify = false
		return Operation{Key: y.key, Type: Write, Bytes: YCSBWriteBytes}
	}
	y.key = y.keys.Draw()
	u := y.rng.Float64()
	if u < y.updates {
		return Operation{Key: y.key, Type: Write, Bytes: YCSBWriteBytes}
	}
	y.modify = u < y.modifies
	return Operation{Key: y.key, Type: Read, Bytes: YCSBReadBytes}
}

// Zipf draws ranks from 0 to n-1 with probabilities proportional to 1/(rank+1)^skew, by rejection-inversion (Hörmann
// and Derflinger, ACM TOMACS 6(3), 1996). Unlike math/rand's Zipf it takes a skew of 1 and less, and unlike the
// formula that YCSB has from Gray et al. it is exact at all ranks. It takes no table and about one draw a rank.
type Zipf struct {
	rng  *rand.Rand
	n    float64
	skew float64

	first, last float64 // the integral at the first and last rank's bounds, between which a draw is inverted
	squeeze     float64 // a rank this little below x is taken without looking at the integral
}

// NewZipf returns a generator. It panics unless n is at least 1 and skew at least 0.
func NewZipf(rng *rand.Rand, n int, skew float64) *Zipf {
	if n < 1 || !(skew >= 0) {
		panic(fmt.Sprintf("workload: Zipf of %d ranks with skew %g, want at least 1 and 0", n, skew))
	}
	z := &Zipf{rng: rng, n: float64(n), skew: skew}
	z.first = z.integral(1.5) - 1
	z.last = z.integral(z.n + 0.5)
	z.squeeze = 2 - z.inverse(z.integral(2.5)-z.density(2))
	return z
}

// Draw draws a rank. Ranks count from 1 inside, as in the paper.
func (z *Zipf) Draw() uint64 {
	for {
		u := z.last + z.rng.Float64()*(z.first-z.last)
		x := z.inverse(u)
		k := max(1, min(math.Floor(x+0.5), z.n))
		if k-x <= z.squeeze || u >= z.integral(k+0.5)-z.density(k) {
			return uint64(k) - 1
		}
	}
}

// density is the hat: x^-skew.
func (z *Zipf) density(x float64) float64 { return math.Exp(-z.skew * math.Log(x)) }

// integral is the density's integral from 1 to x: (x^(1-skew) - 1) / (1-skew), by Expm1 as skew may be close to 1.
func (z *Zipf) integral(x float64) float64 {
	if z.skew == 1 {
		return math.Log(x)
	}
	return math.Expm1((1-z.skew)*math.Log(x)) / (1 - z.skew)
}

// inverse is the inverse of integral.
func (z *Zipf) inverse(y float64) float64 {
	if z.skew == 1 {
		return math.Exp(y)
	}
	// Below -1 only rounding gets.
	return math.Exp(math.Log1p(max(-1, (1-z.skew)*y)) / (1 - z.skew))
}

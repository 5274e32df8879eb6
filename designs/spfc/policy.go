package spfc

import (
	"fmt"
	"math"
	"strings"
)

// Policy says how a switch sets the PFC threshold of its ingress ports.
type Policy uint8

// The policies of the paper.
const (
	DT     Policy = iota // dynamic threshold: alpha times the free pool (Eq. 1)
	ST                   // static threshold
	SPFC                 // a victim, by the circuit of Figure 10, has the whole pool; others DT (Eq. 4)
	Pinned               // chosen ports always have the whole pool; others DT: what §III-A calls SPFC
)

var policyNames = [...]string{"DT", "ST", "SPFC", "pinned"}

// String is the paper's name.
func (p Policy) String() string {
	if int(p) < len(policyNames) {
		return policyNames[p]
	}
	return fmt.Sprintf("Policy(%d)", uint8(p))
}

// ParsePolicy reads a name, in capitals or not.
func ParsePolicy(s string) (Policy, error) {
	for p, name := range policyNames {
		if strings.EqualFold(s, name) {
			return Policy(p), nil
		}
	}
	return 0, fmt.Errorf("policy %q: want one of %s", s, strings.Join(policyNames[:], ", "))
}

// alphaShifts bounds the exponent of alpha, on both sides.
const alphaShifts = 7

// AlphaShift returns the exponent of an alpha. A switch has powers of two, because it shifts.
func AlphaShift(alpha float64) (int, error) {
	mantissa, exponent := math.Frexp(alpha)
	if mantissa != 0.5 || exponent-1 < -alphaShifts || exponent-1 > alphaShifts {
		return 0, fmt.Errorf("alpha %v: want a power of two from 1/128 to 128", alpha)
	}
	return exponent - 1, nil
}

// poolThreshold is the comparison that both levels make, in any unit.
type poolThreshold struct {
	policy         Policy
	pool           int64
	static         int64
	shift          int
	resumeOffset   int64
	resumeStrictly bool
}

// of returns the PFC threshold of a queue while shared bytes of the pool are used. A queue that may have the whole
// pool gets that.
func (t *poolThreshold) of(shared int64, whole bool) int64 {
	switch {
	case t.policy == ST:
		return t.static
	case whole:
		return t.pool
	case t.shift < 0:
		return (t.pool - shared) >> -t.shift
	}
	return (t.pool - shared) << t.shift
}

// fits tells whether a queue may grow in the pool.
func (t *poolThreshold) fits(threshold, shared, before, after int64) bool {
	return after == 0 || after <= threshold && shared+after-before <= t.pool
}

// over tells whether a queue is paused: it has reached its share of the pool, or finds the pool full. A queue without
// bytes in the pool takes none of its room: its next packet lies in its reserve, or in its headroom, which pauses it
// anyway.
func (t *poolThreshold) over(threshold, shared, used int64) bool {
	return used > 0 && (used >= threshold || shared >= t.pool)
}

// clear tells whether a paused queue is resumed. Each reason for a PAUSE has its X_on below its X_off (§II-C): the
// queue is by the offset below its threshold, and the pool has the offset free. A queue that is still over is not
// resumed, or its next packet would pause it again.
func (t *poolThreshold) clear(threshold, shared, used int64) bool {
	if used == 0 && !t.resumeStrictly {
		return true
	}
	return !t.over(threshold, shared, used) && used+t.resumeOffset <= threshold && shared+t.resumeOffset <= t.pool
}

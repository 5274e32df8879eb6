package spfc

import (
	"math"
	"math/bits"
)

// DCQCN is the congestion control of Zhu et al., SIGCOMM 2015 [34]: a receiver tells of ECN marks by CNPs, a sender lowers its rate.
// Rates are in bit/s.
type DCQCN struct {
	CNPInterval   Time  // a receiver sends at most one CNP a flow in it
	AlphaInterval Time  // alpha is updated once in it
	DecreaseEvery Time  // the rate is lowered at most once in it
	IncreaseEvery Time  // and raised once in it
	FastRecovery  int   // F: increases towards the target before the target itself rises
	Additive      int64 // R_AI: rise of the target in the first stage after them
	Hyper         int64 // R_HAI: in later stages
	Least         int64 // lowest rate
	// FirstLater: the first CNP starts the timers, and the rate falls when that of decreases runs out, as in common simulators. By
	// default it falls at once.
	FirstLater bool
}

// CardDCQCN returns the timers that network cards ship with, for a line rate.
func CardDCQCN(line int64) DCQCN {
	return scaledDCQCN(line, DCQCN{CNPInterval: 4 * Microsecond, AlphaInterval: Microsecond, DecreaseEvery: 4 * Microsecond, IncreaseEvery: 300 * Microsecond})
}

// PaperDCQCN returns the timers of DCQCN's publication, for a line rate.
func PaperDCQCN(line int64) DCQCN {
	return scaledDCQCN(line, DCQCN{CNPInterval: 50 * Microsecond, AlphaInterval: 50 * Microsecond, DecreaseEvery: 50 * Microsecond, IncreaseEvery: 55 * Microsecond})
}

// scaledDCQCN has the rates of common simulators: 5 and 50 Mb/s for each 25 Gb/s of the line, at least a hundredth of it.
func scaledDCQCN(line int64, p DCQCN) DCQCN {
	p.FastRecovery, p.Additive, p.Hyper, p.Least = 1, line/5000, line/500, line/100
	return p
}

// g is 1/256; an alpha of 1 is alphaOne.
const (
	gShift   = 8
	alphaOne = 1 << 48
)

// never is later than all that happens.
const never Time = math.MaxInt64

// dcqcnRate is the reaction point of one flow. Its timers are no events: what they did is worked out when the rate is wanted, in the
// order in which they ran out. At one instant alpha's comes first, then the decrease, then the increase.
type dcqcnRate struct {
	rate, target         int64
	line                 int64
	alpha                uint64
	alphaAt, decreaseAt  Time
	increaseAt, next     Time // next is the first of the three
	alphaNotified, toCut bool // a CNP has come since the timer last ran out
	running              bool // the first CNP has come
	stage                int32
}

func (r *dcqcnRate) start(line int64) {
	*r = dcqcnRate{rate: line, target: line, line: line, next: never}
}

// notify takes a CNP. The first one sets alpha to 1 and starts the timers.
func (r *dcqcnRate) notify(p *DCQCN, now Time) {
	r.advance(p, now)
	if r.running {
		r.alphaNotified, r.toCut = true, true
		return
	}
	r.running, r.alpha, r.toCut = true, alphaOne, true
	r.alphaAt, r.decreaseAt, r.increaseAt = now+p.AlphaInterval, now, never
	if p.FirstLater {
		r.decreaseAt = now + p.DecreaseEvery
	}
	r.next = min(r.alphaAt, r.decreaseAt)
	r.advance(p, now)
}

// advance runs the timers up to a time, which is included.
func (r *dcqcnRate) advance(p *DCQCN, now Time) {
	for r.next <= now {
		switch r.next {
		case r.alphaAt: // alpha = (1-g) alpha, + g after a CNP
			r.alphaAt += p.AlphaInterval
			r.alpha -= r.alpha >> gShift
			if r.alphaNotified {
				r.alpha += alphaOne >> gShift
			}
			r.alphaNotified = false
		case r.decreaseAt:
			if r.toCut { // Rt = Rc, Rc = Rc (1 - alpha/2)
				r.target = r.rate
				r.rate = max(p.Least, r.rate-timesAlpha(r.rate, r.alpha)/2)
				r.stage, r.increaseAt = 0, r.decreaseAt+p.IncreaseEvery
			}
			r.toCut = false
			r.decreaseAt += p.DecreaseEvery
		default:
			r.increase(p)
			r.increaseAt += p.IncreaseEvery
		}
		r.next = min(r.alphaAt, r.decreaseAt, r.increaseAt)
	}
}

// increase halves the distance to the target, which rises after the fast recovery.
func (r *dcqcnRate) increase(p *DCQCN) {
	switch f := int32(p.FastRecovery); {
	case r.stage < f:
		r.stage++
	case r.stage == f:
		r.stage++
		r.target = min(r.line, r.target+p.Additive)
	default:
		r.target = min(r.line, r.target+p.Hyper)
	}
	r.rate = (r.rate + r.target) / 2
}

// timesAlpha is rate * alpha.
func timesAlpha(rate int64, alpha uint64) int64 {
	hi, lo := bits.Mul64(uint64(rate), alpha)
	return int64(hi<<16 | lo>>48)
}

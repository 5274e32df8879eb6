package spfc

import "math/bits"

// TIMELY is the congestion control of Mittal et al., SIGCOMM 2015 [35]: a sender follows the gradient of the
// round-trip times that its NIC stamps. Rates are in bit/s.
type TIMELY struct {
	Weight    int64 // of a new difference of RTTs, in 1/1000
	Beta      int64 // of a decrease, in 1/1000
	Low, High Time  // T_low, T_high
	LeastRTT  Time  // D_minRTT: a gradient is the averaged difference over it
	Additive  int64 // delta
	// in place of delta from the HyperAfter-th completion in a row with an RTT from T_low to T_high that does not rise
	Hyper      int64
	HyperAfter int32 // HAI
	Segment    int   // packets of a segment: its last one is answered, and so is a flow's
	Least      int64 // lowest rate
}

// DefaultTIMELY returns the usual parameters for a line rate.
func DefaultTIMELY(line int64) TIMELY {
	return TIMELY{Weight: 875, Beta: 800, Low: 50 * Microsecond, High: 500 * Microsecond, LeastRTT: 20 * Microsecond,
		Additive: line / 1000, Hyper: line / 200, HyperAfter: 5, Segment: 16, Least: line / 100}
}

// timelyRate is the rate computation of one flow, Algorithm 1 of [35].
type timelyRate struct {
	rate, line int64
	Last, diff Time // the RTT before, the differences averaged
	calm       int32
	started    bool
}

func (r *timelyRate) start(line int64) { *r = timelyRate{rate: line, line: line} }

// complete takes the RTT of a segment.
func (r *timelyRate) complete(p *TIMELY, rtt Time) {
	if !r.started {
		r.started, r.Last = true, rtt // the first RTT has no difference
	}
	r.diff = (r.diff*Time(1000-p.Weight) + (rtt-r.Last)*Time(p.Weight)) / 1000
	r.Last = rtt
	calm := r.calm
	r.calm = 0
	switch {
	case rtt < p.Low:
		r.rate += p.Additive
	case rtt > p.High: // R (1 - beta (1 - Thigh/RTT))
		r.rate -= mulDiv(r.rate, p.Beta*int64(rtt-p.High), 1000*int64(rtt))
	case r.diff <= 0:
		r.calm = min(calm+1, p.HyperAfter)
		if r.calm == p.HyperAfter {
			r.rate += p.Hyper
		} else {
			r.rate += p.Additive
		}
	default: // R (1 - beta gradient), nothing from a gradient of 1/beta on
		cut, whole := p.Beta*int64(r.diff), 1000*int64(p.LeastRTT)
		r.rate -= mulDiv(r.rate, min(cut, whole), whole)
	}
	r.rate = min(r.line, max(p.Least, r.rate))
}

// mulDiv is a*b/c, of which the product may have more than 64 bits.
func mulDiv(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(q)
}

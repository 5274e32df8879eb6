// Package dcqcn is the sender's half of DCQCN (Zhu et al., SIGCOMM 2015), the reaction point of one flow: its rate
// falls with congestion notification packets (CNPs) and rises again by a timer and by bytes sent. SPFC's hosts and
// packetnet's have it. Where publication, simulators and cards differ, [Parameters] has the readings.
//
// Rates are in bit/s, times in picoseconds.
package dcqcn

import (
	"math"
	"math/bits"
)

// Parameters are the timers, steps and readings that all flows of a network share.
type Parameters struct {
	CNPInterval   int64 // a receiver sends at most one CNP a flow in it
	AlphaInterval int64 // alpha is updated once in it
	DecreaseEvery int64 // the rate is lowered at most once in it; 0: with each CNP, which starts the other timers anew
	IncreaseEvery int64 // and raised once in it
	ByteCounter   int64 // and once in this many bytes that the flow sends; 0: not by bytes
	FastRecovery  int   // F: increases towards the target before the target itself rises
	Additive      int64 // R_AI: rise of the target in the first stage after them
	Hyper         int64 // R_HAI: in later stages
	Least         int64 // lowest rate
	// FirstLater: the first CNP starts the timers, and the rate falls when the timer of decreases runs out, as in common
	// simulators. By default the rate falls at once; without a timer of decreases it always does.
	FirstLater bool
	// KeepTarget: a cut sets the target to the rate only if the rate was raised since the cut before, as in the public
	// simulator of HPCC and in cards that do not clamp their target rate. So a flow that is cut ten times in a row
	// recovers towards its rate before the first cut. By default each cut sets the target, as in the publication.
	KeepTarget bool
}

const microsecond int64 = 1_000_000

// Card returns the timers that network cards ship with, for a line rate.
func Card(line int64) Parameters {
	p := Parameters{CNPInterval: 4 * microsecond, AlphaInterval: microsecond, DecreaseEvery: 4 * microsecond,
		IncreaseEvery: 300 * microsecond}
	return scaled(line, p)
}

// Paper returns, for a line rate, the timers that common simulators name after DCQCN's paper. They are near the
// publication's, [Publication], but F is 1, nothing is counted by bytes, and decreases have a timer.
func Paper(line int64) Parameters {
	const t = 50 * microsecond
	return scaled(line, Parameters{CNPInterval: t, AlphaInterval: t, DecreaseEvery: t, IncreaseEvery: 55 * microsecond})
}

// Publication returns the publication's own parameters, for its lines of 40 Gb/s: a cut with each CNP, timers of 55 us,
// 10 MB, F = 5 (Figure 14 and §3.3). It prints no R_HAI, here ten times R_AI, as IEEE Std 802.1Qau has it, and no
// lowest rate. Its ECN thresholds are the switch's and not set here.
func Publication() Parameters {
	return Parameters{CNPInterval: 50 * microsecond, AlphaInterval: 55 * microsecond, IncreaseEvery: 55 * microsecond,
		ByteCounter: 10_000_000, FastRecovery: 5, Additive: 40_000_000, Hyper: 400_000_000, Least: 100_000_000}
}

// scaled has the rates of common simulators: 5 and 50 Mb/s for each 25 Gb/s of the line, at least a
// hundredth of it.
func scaled(line int64, p Parameters) Parameters {
	p.FastRecovery, p.Additive, p.Hyper, p.Least = 1, line/5000, line/500, line/100
	return p
}

// g is 1/256; an alpha of 1 is alphaOne.
const (
	gShift   = 8
	alphaOne = 1 << 48
)

// never is later than every timer.
const never = math.MaxInt64

// ReactionPoint is a flow's rate. Its timers are no events: when the rate is wanted, the timers that have run out since
// are applied in the order in which they did. At one instant alpha's comes first, then the decrease, then the increase.
type ReactionPoint struct {
	rate, target         int64 // R_C and R_T
	line                 int64
	alpha                uint64
	alphaAt, decreaseAt  int64
	increaseAt, next     int64 // next is the first of the three
	alphaNotified, toCut bool  // a CNP has come since the timer last ran out
	running              bool  // the first CNP has come
	stage                int32 // increases by the timer since the last cut
	byteStage            int32 // by the byte counter
	counted              int64 // bytes in it
}

// Start begins a flow, at the rate of its line.
func (r *ReactionPoint) Start(line int64) {
	*r = ReactionPoint{rate: line, target: line, line: line, next: never}
}

// Rate returns the rate, as it was when the timers last ran.
func (r *ReactionPoint) Rate() int64 { return r.rate }

// Notify takes a CNP. The first one sets alpha to 1 and starts the timers.
func (r *ReactionPoint) Notify(p *Parameters, now int64) {
	r.Advance(p, now)
	if !r.running {
		r.running, r.alpha = true, alphaOne
		r.alphaAt, r.decreaseAt, r.increaseAt = now+p.AlphaInterval, now, never
		if p.FirstLater {
			r.decreaseAt = now + p.DecreaseEvery
		}
	} else {
		r.alphaNotified = true
	}
	if p.DecreaseEvery > 0 {
		r.toCut = true
	} else {
		r.cut(p, now)
		r.alpha += (alphaOne >> gShift) - r.alpha>>gShift
		r.alphaAt, r.decreaseAt, r.alphaNotified = now+p.AlphaInterval, never, false
	}
	r.next = min(r.alphaAt, r.decreaseAt, r.increaseAt)
	r.Advance(p, now)
}

// Advance runs the timers up to a time, which is included.
func (r *ReactionPoint) Advance(p *Parameters, now int64) {
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
			if r.toCut {
				r.cut(p, r.decreaseAt)
			}
			r.toCut = false
			r.decreaseAt += p.DecreaseEvery
		default:
			r.stage++
			r.increase(p)
			r.increaseAt += p.IncreaseEvery
		}
		r.next = min(r.alphaAt, r.decreaseAt, r.increaseAt)
	}
}

// cut is Rt = Rc, Rc = Rc (1 - alpha/2). It starts the timer of increases and the byte counter anew.
func (r *ReactionPoint) cut(p *Parameters, now int64) {
	if !p.KeepTarget || r.stage+r.byteStage > 0 {
		r.target = r.rate
	}
	r.rate = max(p.Least, r.rate-timesAlpha(r.rate, r.alpha)/2)
	r.stage, r.byteStage, r.counted = 0, 0, 0
	r.increaseAt = now + p.IncreaseEvery
}

// Sends counts bytes that the flow sends. The caller has run the timers.
func (r *ReactionPoint) Sends(p *Parameters, bytes int64) {
	if p.ByteCounter == 0 || !r.running {
		return
	}
	for r.counted += bytes; r.counted >= p.ByteCounter; r.counted -= p.ByteCounter {
		r.byteStage++
		r.increase(p)
	}
}

// increase halves the distance to the target, which rises after the fast recovery: F increases if there is a timer
// alone. With a byte counter it is over when either has raised the rate F times, and the faster rises begin when both
// have done so more often.
func (r *ReactionPoint) increase(p *Parameters) {
	f := int32(p.FastRecovery)
	if p.ByteCounter > 0 {
		if least := min(r.stage, r.byteStage); least > f {
			r.target += int64(least-f) * p.Hyper
		} else if max(r.stage, r.byteStage) >= f {
			r.target += p.Additive
		}
	} else if r.stage > f+1 {
		r.target += p.Hyper
	} else if r.stage == f+1 {
		r.target += p.Additive
	}
	r.target = min(r.line, r.target)
	r.rate = (r.rate + r.target) / 2
}

// timesAlpha is rate * alpha.
func timesAlpha(rate int64, alpha uint64) int64 {
	hi, lo := bits.Mul64(uint64(rate), alpha)
	return int64(hi<<16 | lo>>48)
}

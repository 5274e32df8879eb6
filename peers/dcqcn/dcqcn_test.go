package dcqcn

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const gbps = 1_000_000_000

// The trajectory of --timers paper, worked out from its equations: a CNP in every interval keeps alpha at 1, so n of
// them halve the rate n times, down to the least; then each 55 us the rate goes half the way to the target, which
// rises by 20, then 200 Mb/s.
func TestTrajectory(t *testing.T) {
	p := Paper(100 * gbps)
	var r ReactionPoint
	r.Start(100 * gbps)
	r.Notify(&p, 0)
	require.EqualValues(t, int64(50*gbps), r.rate)
	for n, want := range []float64{25, 12.5, 6.25, 3.125, 1.5625, 1, 1} {
		r.Notify(&p, int64(n)*50*microsecond+49*microsecond)
		r.Advance(&p, int64(n+1)*50*microsecond)
		require.InDelta(t, want*gbps, float64(r.rate), 10, "after %d CNPs", n+2)
		require.EqualValues(t, int64(alphaOne), r.alpha)
	}
	last := 350 * microsecond // of the decreases; the target is 1 Gb/s then
	r.target = 9 * gbps
	for _, step := range []struct{ target, rate float64 }{
		{9, 5}, {9.02, 7.01}, {9.22, 8.115}, {9.42, 8.7675},
	} {
		before := r.rate
		r.Advance(&p, last+55*microsecond-1)
		require.Equal(t, before, r.rate, "not before its time")
		last += 55 * microsecond
		r.Advance(&p, last)
		require.InDelta(t, step.target*gbps, float64(r.target), 10)
		require.InDelta(t, step.rate*gbps, float64(r.rate), 10)
	}
	// 220 us after the last decrease alpha was updated 4 times without a CNP
	require.InDelta(t, math.Pow(255./256, 4), float64(r.alpha)/alphaOne, 1e-6)
}

// The simulators' reading: the first decrease is an interval late, alpha has decayed once then.
func TestFirstLater(t *testing.T) {
	p := Paper(100 * gbps)
	p.FirstLater = true
	var r ReactionPoint
	r.Start(100 * gbps)
	r.Notify(&p, 7*microsecond)
	r.Advance(&p, 57*microsecond-1)
	require.EqualValues(t, int64(100*gbps), r.rate)
	r.Advance(&p, 57*microsecond)
	require.InDelta(t, 100*(1-255./512)*gbps, float64(r.rate), 1)
}

// With the timers of cards alpha falls 300 times between two increases.
func TestCardTimers(t *testing.T) {
	p := Card(100 * gbps)
	var r ReactionPoint
	r.Start(100 * gbps)
	r.Notify(&p, 0)
	r.Advance(&p, 299*microsecond)
	require.EqualValues(t, int64(50*gbps), r.rate)
	r.Advance(&p, 300*microsecond)
	require.EqualValues(t, int64(75*gbps), r.rate)
	// cut with the timer at 304 us, at which alpha's runs out first; it had 301 updates, one of them with the CNP
	r.Notify(&p, 301*microsecond)
	alpha := math.Pow(255./256, 301)
	alpha = alpha*255/256 + 1./256
	alpha = alpha * math.Pow(255./256, 2)
	r.Advance(&p, 304*microsecond)
	require.InDelta(t, 75*(1-alpha/2)*gbps, float64(r.rate), 1000)
}

// The target's two rules, by hand. Two cuts in a row from 100 Gb/s leave 25; the next increase goes half the way to
// 50, what the second cut found, or to 100, what the first did. After an increase a cut sets the target whatever the
// rule.
func TestTargetRule(t *testing.T) {
	for keep, want := range map[bool][]float64{false: {37.5, 43.75, 21.875, 32.8125},
		true: {62.5, 81.25, 40.625, 60.9375}} {
		p := Paper(100 * gbps)
		p.KeepTarget, p.FastRecovery = keep, 5
		var r ReactionPoint
		r.Start(100 * gbps)
		r.Notify(&p, 0)
		r.Notify(&p, 40*microsecond)
		r.Advance(&p, 50*microsecond)
		require.EqualValues(t, int64(25*gbps), r.rate)
		for k, at := range []int64{105, 160} {
			r.Advance(&p, at*microsecond)
			require.InDelta(t, want[k]*gbps, float64(r.rate), 10)
		}
		r.alpha = alphaOne
		r.alphaAt, r.next = never, min(r.decreaseAt, r.increaseAt)
		r.Notify(&p, 199*microsecond)
		r.Advance(&p, 200*microsecond)
		require.InDelta(t, want[2]*gbps, float64(r.rate), 10)
		r.Advance(&p, 255*microsecond)
		require.InDelta(t, want[3]*gbps, float64(r.rate), 10, "half way back to what the last cut found")
	}
}

// The publication's steps by hand: a cut with each CNP, also 1 us apart, alpha updated after it; half the way back
// after 55 us and after 10 MB, which count apart; the target rises from the fifth expiry of either on, and by more
// once both had more than five.
func TestPublication(t *testing.T) {
	p := Publication()
	var r ReactionPoint
	r.Start(40 * gbps)
	r.Sends(&p, 9_999_999)
	r.Notify(&p, 0)
	require.EqualValues(t, int64(20*gbps), r.rate)
	r.Notify(&p, microsecond)
	require.EqualValues(t, int64(10*gbps), r.rate)
	r.Sends(&p, 9_999_999)
	require.EqualValues(t, int64(10*gbps), r.rate, "bytes before a cut count for nothing")
	r.Sends(&p, 1)
	require.EqualValues(t, int64(15*gbps), r.rate)
	r.Advance(&p, 56*microsecond-1)
	require.EqualValues(t, int64(15*gbps), r.rate)
	r.Advance(&p, 56*microsecond)
	require.EqualValues(t, 17.5*gbps, r.rate)
	require.InDelta(t, 255./256, float64(r.alpha)/alphaOne, 1e-9, "55 us without a CNP")
	r.Sends(&p, 30_000_000)
	require.InDelta(t, (20-2.5/8)*gbps, float64(r.rate), 10)
	require.EqualValues(t, int64(20*gbps), r.target, "the fourth by bytes")
	r.Sends(&p, 10_000_000)
	require.EqualValues(t, 20.04*gbps, r.target, "the fifth by bytes, the second by time")
	r.Advance(&p, (1+5*55)*microsecond)
	require.EqualValues(t, 20.2*gbps, r.target, "four times by the timer")
	r.Sends(&p, 10_000_000)
	require.EqualValues(t, 20.24*gbps, r.target)
	r.Advance(&p, (1+6*55)*microsecond)
	require.EqualValues(t, 20.64*gbps, r.target, "both six times")
	r.Advance(&p, (1+7*55)*microsecond)
	require.EqualValues(t, 21.04*gbps, r.target, "the lesser count is six still")
}

// eager does in floating point what the equations say, microsecond by microsecond.
type eager struct {
	rc, rt, alpha, least           float64
	first, alphaFlag, cutFlag      bool
	sinceAlpha, sinceCut, sinceInc int
	byTime, byBytes                int // increases since the last cut
	bytes                          int64
}

func (e *eager) tick(p *Parameters) {
	if !e.first {
		return
	}
	e.sinceAlpha++
	e.sinceCut++
	e.sinceInc++
	if e.sinceAlpha == int(p.AlphaInterval/microsecond) {
		e.sinceAlpha = 0
		e.alpha *= 1 - 1./256
		if e.alphaFlag {
			e.alpha += 1. / 256
		}
		e.alphaFlag = false
	}
	if p.DecreaseEvery > 0 && e.sinceCut == int(p.DecreaseEvery/microsecond) {
		e.sinceCut = 0
		if e.cutFlag {
			e.cut(p)
			return
		}
	}
	if e.sinceInc == int(p.IncreaseEvery/microsecond) {
		e.sinceInc = 0
		e.byTime++
		e.raise(p)
	}
}

func (e *eager) raise(p *Parameters) {
	ai, hai := float64(p.Additive)/gbps, float64(p.Hyper)/gbps
	both, either := min(e.byTime, e.byBytes), max(e.byTime, e.byBytes)
	if p.ByteCounter == 0 {
		both, either = e.byTime-1, e.byTime-1
		hai /= max(1, float64(both-p.FastRecovery))
	}
	switch {
	case both > p.FastRecovery:
		e.rt += hai * float64(both-p.FastRecovery)
	case either >= p.FastRecovery:
		e.rt += ai
	}
	e.rt = min(e.rt, 100)
	e.rc = (e.rc + e.rt) / 2
}

func (e *eager) cut(p *Parameters) {
	raised := e.byTime > 0 || e.byBytes > 0
	if raised || !p.KeepTarget {
		e.rt = e.rc
	}
	e.rc = max(e.rc*(1-e.alpha/2), e.least)
	e.cutFlag = false
	e.sinceInc, e.byTime, e.byBytes, e.bytes = 0, 0, 0, 0
}

func (e *eager) cnp(p *Parameters) {
	if !e.first {
		*e = eager{rc: e.rc, rt: e.rt, least: e.least, alpha: 1, first: true}
		if p.DecreaseEvery > 0 {
			e.cut(p)
			return
		}
	}
	if p.DecreaseEvery > 0 {
		e.alphaFlag, e.cutFlag = true, true
		return
	}
	e.cut(p)
	e.alpha = e.alpha*(1-1./256) + 1./256
	e.sinceAlpha = 0
}

func (e *eager) sends(p *Parameters, bytes int64) {
	if !e.first || p.ByteCounter == 0 {
		return
	}
	for e.bytes += bytes; e.bytes >= p.ByteCounter; e.bytes -= p.ByteCounter {
		e.byBytes++
		e.raise(p)
	}
}

// CNPs and packets at random times, and the rate asked for at random times or hardly ever: the late work gives what
// the eager does.
func TestAgainstEquations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := []Parameters{Card(100 * gbps), Paper(100 * gbps), Publication()}
		p := rapid.SampledFrom(all).Draw(t, "timers")
		p.FastRecovery = rapid.IntRange(0, 5).Draw(t, "F")
		p.KeepTarget = rapid.Bool().Draw(t, "target kept")
		if p.ByteCounter > 0 {
			p.ByteCounter = rapid.Int64Range(1000, 1_000_000).Draw(t, "byte counter")
		}
		often := rapid.IntRange(1, 400).Draw(t, "us between CNPs")
		asked := rapid.IntRange(1, 1000).Draw(t, "us between looks")
		var r ReactionPoint
		r.Start(100 * gbps)
		e := eager{rc: 100, rt: 100, least: float64(p.Least) / gbps}
		next := 0
		for us := range 3000 {
			e.tick(&p)
			now := int64(us) * microsecond
			if us == next {
				e.cnp(&p)
				r.Notify(&p, now)
				next += 1 + rapid.IntRange(0, 2*often).Draw(t, "wait")
			}
			if us%asked == 0 {
				r.Advance(&p, now)
				bytes := rapid.Int64Range(0, 100_000).Draw(t, "bytes")
				e.sends(&p, bytes)
				r.Sends(&p, bytes)
				require.InEpsilon(t, e.rc*gbps, float64(r.rate), 1e-6, "at %d us", us)
			}
		}
	})
}

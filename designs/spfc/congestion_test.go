package spfc

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const gbps = 1_000_000_000

// The trajectory of the publication's timers, worked out from its equations: a CNP in every interval keeps alpha at 1, so n of them halve
// the rate n times, down to the least; then each 55 us the rate goes half the way to the target, which rises by 20, then 200 Mb/s.
func TestDCQCNTrajectory(t *testing.T) {
	p := PaperDCQCN(100 * gbps)
	var r dcqcnRate
	r.start(100 * gbps)
	r.notify(&p, 0)
	require.EqualValues(t, int64(50*gbps), r.rate)
	for n, want := range []float64{25, 12.5, 6.25, 3.125, 1.5625, 1, 1} {
		r.notify(&p, Time(n)*50*Microsecond+49*Microsecond)
		r.advance(&p, Time(n+1)*50*Microsecond)
		require.InDelta(t, want*gbps, float64(r.rate), 10, "after %d CNPs", n+2)
		require.EqualValues(t, int64(alphaOne), r.alpha)
	}
	last := 350 * Microsecond // of the decreases; the target is 1 Gb/s then
	r.target = 9 * gbps
	for _, step := range []struct{ target, rate float64 }{
		{9, 5}, {9.02, 7.01}, {9.22, 8.115}, {9.42, 8.7675},
	} {
		before := r.rate
		r.advance(&p, last+55*Microsecond-1)
		require.Equal(t, before, r.rate, "not before its time")
		last += 55 * Microsecond
		r.advance(&p, last)
		require.InDelta(t, step.target*gbps, float64(r.target), 10)
		require.InDelta(t, step.rate*gbps, float64(r.rate), 10)
	}
	// 220 us after the last decrease alpha was updated 4 times without a CNP
	require.InDelta(t, math.Pow(255./256, 4), float64(r.alpha)/alphaOne, 1e-6)
}

// The simulators' reading: the first decrease is an interval late, alpha has decayed once then.
func TestDCQCNFirstLater(t *testing.T) {
	p := PaperDCQCN(100 * gbps)
	p.FirstLater = true
	var r dcqcnRate
	r.start(100 * gbps)
	r.notify(&p, 7*Microsecond)
	r.advance(&p, 57*Microsecond-1)
	require.EqualValues(t, int64(100*gbps), r.rate)
	r.advance(&p, 57*Microsecond)
	require.InDelta(t, 100*(1-255./512)*gbps, float64(r.rate), 1)
}

// With the timers of cards alpha falls 300 times between two increases.
func TestDCQCNCardTimers(t *testing.T) {
	p := CardDCQCN(100 * gbps)
	var r dcqcnRate
	r.start(100 * gbps)
	r.notify(&p, 0)
	r.advance(&p, 299*Microsecond)
	require.EqualValues(t, int64(50*gbps), r.rate)
	r.advance(&p, 300*Microsecond)
	require.EqualValues(t, int64(75*gbps), r.rate)
	r.notify(&p, 301*Microsecond) // cut with the timer at 304 us, at which alpha's runs out first; it had 301 updates, one of them with the CNP
	alpha := math.Pow(255./256, 301)
	alpha = alpha*255/256 + 1./256
	alpha = alpha * math.Pow(255./256, 2)
	r.advance(&p, 304*Microsecond)
	require.InDelta(t, 75*(1-alpha/2)*gbps, float64(r.rate), 1000)
}

// eagerDCQCN does in floating point what the equations say, microsecond by microsecond.
type eagerDCQCN struct {
	rc, rt, alpha                  float64
	first, alphaFlag, cutFlag      bool
	sinceAlpha, sinceCut, sinceInc int
	increases                      int
}

func (e *eagerDCQCN) tick(p *DCQCN) {
	if !e.first {
		return
	}
	e.sinceAlpha++
	e.sinceCut++
	e.sinceInc++
	if e.sinceAlpha == int(p.AlphaInterval/Microsecond) {
		e.sinceAlpha = 0
		e.alpha *= 1 - 1./256
		if e.alphaFlag {
			e.alpha += 1. / 256
		}
		e.alphaFlag = false
	}
	if e.sinceCut == int(p.DecreaseEvery/Microsecond) {
		e.sinceCut = 0
		if e.cutFlag {
			e.cut()
			return
		}
	}
	if e.sinceInc == int(p.IncreaseEvery/Microsecond) {
		e.sinceInc = 0
		e.increases++
		switch {
		case e.increases == p.FastRecovery+1:
			e.rt += 0.02
		case e.increases > p.FastRecovery+1:
			e.rt += 0.2
		}
		e.rt = min(e.rt, 100)
		e.rc = (e.rc + e.rt) / 2
	}
}

func (e *eagerDCQCN) cut() {
	e.cutFlag = false
	e.rt = e.rc
	e.rc = max(e.rc*(1-e.alpha/2), 1)
	e.sinceInc, e.increases = 0, 0
}

func (e *eagerDCQCN) cnp() {
	if !e.first {
		*e = eagerDCQCN{rc: e.rc, alpha: 1, first: true}
		e.cut()
		return
	}
	e.alphaFlag, e.cutFlag = true, true
}

// CNPs at random times, and the rate asked for at random times or hardly ever: the late work gives what the eager does.
func TestDCQCNAgainstEquations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom([]DCQCN{CardDCQCN(100 * gbps), PaperDCQCN(100 * gbps)}).Draw(t, "timers")
		p.FastRecovery = rapid.IntRange(0, 5).Draw(t, "F")
		often := rapid.IntRange(1, 400).Draw(t, "us between CNPs")
		asked := rapid.IntRange(1, 1000).Draw(t, "us between looks")
		var r dcqcnRate
		r.start(100 * gbps)
		e := eagerDCQCN{rc: 100}
		next := 0
		for us := range 3000 {
			e.tick(&p)
			if us == next {
				e.cnp()
				r.notify(&p, Time(us)*Microsecond)
				next += 1 + rapid.IntRange(0, 2*often).Draw(t, "wait")
			}
			if us%asked == 0 {
				r.advance(&p, Time(us)*Microsecond)
				require.InEpsilon(t, e.rc*gbps, float64(r.rate), 1e-6, "at %d us", us)
			}
		}
	})
}

// Steps worked out by hand from Algorithm 1: gradients 0.875, 0.109375, a falling RTT five times, one below T_low, one above T_high.
func TestTIMELYSteps(t *testing.T) {
	p := DefaultTIMELY(100 * gbps)
	var r timelyRate
	r.start(100 * gbps)
	for k, step := range []struct {
		rtt  Time
		rate float64
	}{
		{100, 100},    // no difference yet, and no more than the line
		{120, 30},     // 100 (1 - 0.8 * 0.875 * 20/20)
		{120, 27.375}, // 30 (1 - 0.8 * 0.109375)
		{110, 27.475},
		{110, 27.575},
		{110, 27.675},
		{110, 27.775},
		{110, 28.275}, // the fifth
		{110, 28.775}, // and all after it
		{40, 28.875},
		{1000, 17.325}, // 28.875 (1 - 0.8 (1 - 500/1000))
	} {
		r.complete(&p, step.rtt*Microsecond)
		require.InDelta(t, step.rate*gbps, float64(r.rate), 10, "step %d", k)
	}
	r.complete(&p, 900*Microsecond) // falling, but above T_high
	require.InDelta(t, 17.325*(1-0.8*(1-5./9))*gbps, float64(r.rate), 10)
}

// A gradient of 1/beta and more leaves the least rate, and the rate never passes the line's.
func TestTIMELYBounds(t *testing.T) {
	p := DefaultTIMELY(100 * gbps)
	var r timelyRate
	r.start(100 * gbps)
	r.complete(&p, 60*Microsecond)
	r.complete(&p, 400*Microsecond)
	require.EqualValues(t, 1*gbps, r.rate)
	for range 2000 {
		r.complete(&p, 20*Microsecond)
	}
	require.EqualValues(t, int64(100*gbps), r.rate)
}

// An RTT that stays is a gradient of 0, at which the rate rises.
func TestTIMELYRisesAtRest(t *testing.T) {
	p := DefaultTIMELY(100 * gbps)
	var r timelyRate
	r.start(100 * gbps)
	r.rate = 20 * gbps
	for _, want := range []float64{20.1, 20.2, 20.3, 20.4, 20.9, 21.4} {
		r.complete(&p, 100*Microsecond)
		require.InDelta(t, want*gbps, float64(r.rate), 1)
	}
}

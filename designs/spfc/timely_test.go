package spfc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const gbps = 1_000_000_000

// Steps worked out by hand from Algorithm 1: gradients 0.875, 0.109375, a falling RTT five times, one below T_low, one
// above T_high.
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
	require.EqualValues(t, int64(1*gbps), r.rate)
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

// An RTT of exactly T_high is not above it: where RTTs do not rise the rate does, and the row of calm ones goes on.
func TestTIMELYAtTHigh(t *testing.T) {
	p := DefaultTIMELY(100 * gbps)
	var r timelyRate
	r.start(100 * gbps)
	r.rate = 20 * gbps
	for k, want := range []float64{20.1, 20.2, 20.3, 20.4, 20.9} {
		r.complete(&p, p.High)
		require.EqualValues(t, int64(want*gbps), r.rate, "%d", k)
	}
}

package study

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/spfc"
)

// A hundred slowdowns, 100 to 1: 95 of them are at most 95, and 99 at most 99. Their flows have 300 Gb/s together.
func TestSummaryOfSlowdowns(t *testing.T) {
	c, none := classFCT{Gbps: 300, Finished: 98}, classFCT{}
	var s []float64
	for k := 100; k >= 1; k-- {
		s = append(s, float64(k))
	}
	c.summarise(s)
	require.InDelta(t, 50.5, c.Mean, 1e-9)
	c.Mean = 0
	require.Equal(t, classFCT{Flows: 100, P95: 95, P99: 99, Gbps: 3, Finished: 98}, c)
	none.summarise(nil)
	require.Equal(t, classFCT{}, none)
}

// A run of 5 ms of arrivals lasts for 10 ms, so that a pause of 1 ms is a tenth of it.
func TestPausedShare(t *testing.T) {
	q := workloadPoint{Lasts: 5 * spfc.Millisecond}
	require.InDelta(t, 0.1, q.pausedShare(spfc.Millisecond), 1e-12)
}

// A PFC frame has 64 bytes, so that a thousand of them in 1 ms are 512,000 bits in it: 512 Mb/s.
func TestRateOfPauses(t *testing.T) {
	require.InDelta(t, 512, pauseMbps(1000, spfc.Millisecond), 1e-9)
}

// 1,250 bytes received on the line within 100 ns are 100 Gb/s. Bytes before the first count do not matter.
func TestRateOfAFlow(t *testing.T) {
	first := burstCount{at: 900_000, bytes: [2]int64{5000, 7000}}
	now := burstCount{at: 1_000_000, bytes: [2]int64{6250, 7125}}
	require.InDelta(t, 100, now.gbps(first, 0), 1e-9)
	require.InDelta(t, 10, now.gbps(first, 1), 1e-9)
}

// Flows of 1,000 bytes have a packet of 1,048 on the line, 83.84 ns at 80 ps a byte: at a load of 0.25 one comes every
// 335.36 ns on average.
func TestMeanTimeBetweenArrivals(t *testing.T) {
	a := newArrivals(workload.Fixed(1000), 0.25, spfc.Gbps100, 1, 0)
	require.InDelta(t, 335_360, a.mean, 1e-6)
}

// What the recorded deviations of Figures 13 and 14 rest on, with each condition broken in turn.
func TestReasonsOfFigures13And14(t *testing.T) {
	measured := func(rows ...float64) claims.Measurement {
		m := claims.Figure(1, "", "")
		for _, r := range rows {
			m = m.With(claims.Row{Value: r})
		}
		return m
	}
	for _, c := range []struct {
		holds func(claims.Measurement) bool
		right []float64 // rows under which the reason stands
		wrong map[int]float64
	}{
		{ofBursts(31.6), []float64{16, 28, 2, 24, 96}, map[int]float64{1: 32, 3: 32, 4: 89}},
		{sizesDiffer, []float64{1.8, 2.1, 0.98}, map[int]float64{0: 0.9, 2: 1.1}},
		{bothFall, []float64{0.99, 1.4, 0.74, 0.62}, map[int]float64{1: 0.99, 2: 1.1, 3: 1.1}},
	} {
		require.True(t, c.holds(measured(c.right...)))
		for row, v := range c.wrong {
			rows := slices.Clone(c.right)
			rows[row] = v
			require.False(t, c.holds(measured(rows...)), "row %d is %g", row, v)
		}
		require.False(t, c.holds(measured(c.right[:2]...)), "without its last rows")
	}
}

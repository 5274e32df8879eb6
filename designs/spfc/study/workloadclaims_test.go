package study

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/workload/measure"
)

// Of a mean the jackknife is the mean with Student's interval. Of a quotient of sums it is worked out by hand: 6/12 of
// all, 4/8, 5/7 and 3/9 without one of three, so 3 times 0.5 less twice those.
func TestJackknife(t *testing.T) {
	values := []float64{3, 5, 4, 8, 1}
	d := jackknife(len(values), func(without int) float64 {
		sum, n := 0.0, 0.0
		for k, v := range values {
			if k != without {
				sum, n = sum+v, n+1
			}
		}
		return sum / n
	})
	want := measure.Mean(values)
	require.InDelta(t, want.Mean, d.Mean, 1e-12)
	require.InDelta(t, want.Half, d.Half, 1e-12)

	runs := []workloadResult{{Pauses: 2, AllPauses: 4}, {Pauses: 1, AllPauses: 5}, {Pauses: 3, AllPauses: 3}}
	d = jackknife(3, func(k int) float64 { return quotient(runs, runs, k, pausesOfP0, pausesOfAll) })
	require.InDelta(t, 0.5, d.Mean, 1e-12)
	pseudo := []float64{1.5 - 2*4./8, 1.5 - 2*5./7, 1.5 - 2*3./9}
	mean := (pseudo[0] + pseudo[1] + pseudo[2]) / 3
	variance := 0.0
	for _, p := range pseudo {
		variance += (p - mean) * (p - mean) / 2
	}
	require.InDelta(t, 4.302653*math.Sqrt(variance/3), d.Half, 1e-5, "Student's t of 2 degrees of freedom")
}

// An interval is judged by where it lies and by its width: one that has all in it says nothing.
func TestAroundWantsANarrowInterval(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		holds     bool
	}{{28, 60, false}, {30, 49, true}, {31.65, 40, true}, {31.7, 40, false}, {10, 31.55, true},
		{10, 31.5, false}, {-30, 40, false}} {
		require.Equal(t, c.holds, accepts(t, around(31.6, 0.05, "%"), "%", (c.low+c.high)/2, c.low, c.high), "%v to %v",
			c.low, c.high)
	}
}

// accepts tells whether a judge accepts a value with rows.
func accepts(t *testing.T, j claims.Judge, unit string, value float64, rows ...float64) bool {
	m := claims.Measurement{Unit: unit, Detail: "by hand", Value: value}
	for _, x := range rows {
		m.Rows = append(m.Rows, claims.Row{Label: "by hand", Value: x})
	}
	set, err := claims.NewSet(
		[]claims.Claim{{ID: "a/b", Source: "S", Text: "T.", Printed: "1", Judge: j, Expect: claims.Holds,
			Measure: func(context.Context, *claims.Run) (claims.Measurement, error) { return m, nil }}},
	)
	require.NoError(t, err)
	report, err := claims.Verify(t.Context(), set, claims.Options{})
	require.NoError(t, err)
	return report.Results[0].Verdict == claims.Holds
}

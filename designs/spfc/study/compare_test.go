package study

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/spfc"
)

// What an interval says of a statement, by hand.
func TestVerdictOfAnExpectation(t *testing.T) {
	printed, sign, upTo, alike := expectation{printed: 20}, expectation{}, expectation{printed: 20, upTo: true},
		expectation{alike: true}
	for _, c := range []struct {
		of         *expectation
		mean, half float64
		want       string
	}{
		{&printed, 21, 2, "holds"},
		{&printed, 10, 2, "holds in sign, less"},
		{&printed, 30, 2, "holds in sign, more"},
		{&upTo, 30, 2, "holds"},
		{&sign, 1, 0.5, "holds"},
		{&printed, 1, 1, "not told"},
		{&printed, 1, 5, "not told"},
		{&printed, -1, 5, "not told"},
		{&printed, -5, 4, "does not hold: the opposite"},
		{&printed, 0, 0, "does not hold: no difference"},
		{&alike, 0, 0, "holds"},
		{&alike, -7, 3, "holds"},
		{&alike, 7, 4, "not told"},
		{&alike, 20, 4, "does not hold"},
		{&alike, -20, 4, "does not hold"},
	} {
		require.Equal(t, c.want, c.of.verdict(measure.Interval{Mean: c.mean, Half: c.half, Runs: 3}),
			"%v ± %v", c.mean, c.half)
	}
}

// Two seeds by hand: 2 and 3 Gb/s against 1 and 2 are 100 and 50 % more, slowdowns of 2 and 3 against 4 and 4 are 50
// and 25 % less. Student's t with one degree of freedom is 12.706, and the standard error of two values is half of
// their distance.
func TestDifferenceOfAComparison(t *testing.T) {
	result := func(slowdown, gbps float64) fabricResult {
		var r fabricResult
		r.FCT[largeFlows] = classFCT{Flows: 7, Mean: slowdown, Gbps: gbps}
		return r
	}
	ours, other := []fabricResult{result(2, 2), result(3, 3)}, []fabricResult{result(4, 1), result(4, 2)}
	d, ok := (&comparison{class: largeFlows, get: rateOf, gain: true}).difference(ours, other)
	require.True(t, ok)
	require.InDelta(t, 75, d.Mean, 1e-9)
	require.InDelta(t, 12.706*25, d.Half, 0.01)
	d, ok = (&comparison{class: largeFlows, get: meanOf}).difference(ours, other)
	require.True(t, ok)
	require.InDelta(t, 37.5, d.Mean, 1e-9)
	require.InDelta(t, 12.706*12.5, d.Half, 0.01)
	_, ok = (&comparison{class: smallFlows, get: meanOf}).difference(ours, other)
	require.False(t, ok, "no such flow")
	d, ok = paired([]float64{0, 3}, []float64{0, 4}, false) // neither has any, a quarter less
	require.True(t, ok)
	require.InDelta(t, 12.5, d.Mean, 1e-9)
	_, ok = paired([]float64{1, 3}, []float64{0, 4}, false)
	require.False(t, ok, "one pair has no share")
}

// Every statement has points that it is about, and every figure of the paper its statements: 16 of Table III.
func TestComparisonsHavePoints(t *testing.T) {
	p := compare.Defaults()
	points, err := comparePoints(&p, 1)
	require.NoError(t, err)
	all := comparisons()
	require.Len(t, all, 16+2*6+1+8)
	for _, c := range all {
		n := 0
		for _, x := range points {
			if c.about(&x.Params) && x.Params.Scheme == c.against {
				n++
			}
		}
		require.Positive(t, n, "%+v", c.text)
		require.Zero(t, n%p.Runs)
	}
}

// Where a scheme decides nothing, its result is the run of DT with alpha 1, and equals the run that the scheme makes
// itself; where it decides, it makes its own.
func TestComparedRunsAreShared(t *testing.T) {
	for memory, alike := range map[float64]bool{32: true, 1.6: false} {
		q := ComparePoint{FabricPoint{spfc.DefaultSettings(), 1, false, "", 0.9, 120 * spfc.Microsecond,
			"fbhadoop", memory}, "fig15"}
		q.Timers = "paper"
		ctx := experiment.WithMemo(t.Context())
		var first fabricResult
		for i, s := range []string{"dt1", "dt2", "spfc", "st"} {
			q.Scheme = s
			got, err := compare.Measure(ctx, q, 1)
			require.NoError(t, err)
			want, err := fabricTest.Measure(t.Context(), q.FabricPoint, 1)
			require.NoError(t, err)
			require.Equal(t, want, got, "%s, %g MB", s, memory)
			if i == 0 {
				first = got
			} else if s != "st" {
				require.Equal(t, alike, first == got, "%s, %g MB", s, memory)
			}
		}
	}
}

// The report has a row for each statement and load, and draws both kinds of charts.
func TestCompareReport(t *testing.T) {
	o := runExperiment(t, compare, "figure", "table3,fig16", "runs", "2", "lasts", "100us", "load", "0.3,0.9")
	var text strings.Builder
	require.NoError(t, o.Report.WriteText(&text, 0))
	for _, row := range o.Report.Tables()[1].Rows {
		require.Len(t, row, len(o.Report.Tables()[1].Columns))
		require.False(t, math.IsNaN(row[7].(float64)) && row[10] != "too few such flows", fmt.Sprint(row...))
	}
	require.Len(t, o.Report.Tables()[1].Rows, 16+2*(1+1+2)+2)
	require.Contains(t, text.String(), "Table III  large flows have more goodput")
	require.Len(t, o.Report.Charts, 2)
	for i := range o.Report.Charts {
		var svg strings.Builder
		require.NoError(t, o.Report.Charts[i].Draw(&svg))
		require.Contains(t, svg.String(), "spfc")
	}
}

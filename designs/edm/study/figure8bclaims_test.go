package study

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/workload"
)

// 40 messages start at 0 to 39 ns. Those from 10 ns on count, 39/4 being 9.75: ten batches of three. Alone a message
// takes 2 ns. Batch k has slowdowns of k + 1, k + 1 and k + 4, a mean of k + 2, so that all have 6.5.
//
// The means of the batches, 2 to 11, have the variance 82.5/9, and Student's t of 9 degrees of freedom is 2.262.
func TestBatchMeansByHand(t *testing.T) {
	alone := func(workload.MessageType, int) float64 { return 2 }
	var rs []workload.Result
	for k := range int64(40) {
		slowdown := int64(1000) // of the warm-up
		if k >= 10 {
			slowdown = (k-10)/3 + 1
			if k%3 == 0 {
				slowdown += 3
			}
		}
		m := workload.Message{Start: 1000 * k}
		rs = append(rs, workload.Result{Message: m, Finished: true, Finish: m.Start + 2000*slowdown})
	}
	rs[12], rs[30] = rs[30], rs[12] // starts give the order
	d := batchMeans(rs, alone)
	require.InDelta(t, 6.5, d.Mean, 1e-9)
	require.InDelta(t, 2.262*0.957427, d.Half, 1e-3) // sqrt(82.5/9/10)
	require.Equal(t, 10, d.Runs)
}

// A point whose messages did not all finish, or of which more and more are under way, has no figure.
func TestSlowdownWantsSteadyPoints(t *testing.T) {
	p := &Point{Scheme: "EDM", Offered: 0.1, Messages: 1000, Finished: 999}
	_, err := slowdownOf(p, "hadoop", nil)
	require.EqualError(t, err, "EDM, hadoop at load 0.1: 999 of 1000 messages finished, 0 violations; steady: true")
	p.Finished = 1000
	p.Carried.Messages, p.Carried.UnderWay = 1000, [4]float64{1, 100, 200, 300}
	_, err = slowdownOf(p, "hadoop", nil)
	require.ErrorContains(t, err, "steady: false")
}

// Each application's interval has to meet 1.15 to 1.45 and to be narrow.
func TestMeansMeetWhatIsPrinted(t *testing.T) {
	for _, c := range []struct {
		ends  []float64
		holds bool
	}{
		{[]float64{1.2, 1.4}, true}, {[]float64{1.44, 1.6}, true}, {[]float64{1.46, 1.6}, false},
		{[]float64{1, 1.16}, true}, {[]float64{1, 1.14}, false}, {[]float64{0.9, 1.81}, false},
		{[]float64{1.2, 1.4, 1.5, 1.6}, false}, {[]float64{1.2, 1.4, 1.3, 1.5}, true}, {nil, false},
	} {
		m := claims.Measurement{Value: 1.3, Detail: "by hand"}
		for k := 0; k < len(c.ends); k += 2 {
			low, high := c.ends[k], c.ends[k+1]
			m.Rows = append(m.Rows, claims.Row{Label: "mean", Value: (low + high) / 2},
				claims.Row{Label: "from", Value: low}, claims.Row{Label: "to", Value: high})
		}
		set, err := claims.NewSet([]claims.Claim{{ID: "a/b", Source: "S", Text: "T.", Printed: "1", Judge: meetsPrinted(),
			Expect:  claims.Holds,
			Measure: func(context.Context, *claims.Run) (claims.Measurement, error) { return m, nil }}})
		require.NoError(t, err)
		report, err := claims.Verify(t.Context(), set, claims.Options{})
		require.NoError(t, err)
		require.Equal(t, c.holds, report.Results[0].Verdict == claims.Holds, "%v", c.ends)
	}
}

// The reason of the deviation at twice the load is refuted where slotted matchings change nothing, too little, or are
// not needed.
func TestSlotsExplainTheDeviation(t *testing.T) {
	rows := func(mean, low float64) []claims.Row {
		return []claims.Row{{Label: "hadoop", Value: mean}, {Value: low}, {Value: 2*mean - low}}
	}
	require.NoError(t, slotsExplain(rows(1.7, 1.6), rows(1.4, 1.3)))
	for _, c := range [][2][]claims.Row{
		{rows(1.7, 1.6), rows(1.7, 1.4)}, // the same
		{rows(1.7, 1.4), rows(1.6, 1.4)}, // six sevenths of the excess are left
		{rows(1.4, 1.3), rows(1.2, 1.1)}, // nothing deviates
		{rows(3, 2.8), rows(1.6, 1.5)},   // still too large
	} {
		require.ErrorContains(t, slotsExplain(c[0], c[1]), "the reason of the claim is wrong")
	}
}

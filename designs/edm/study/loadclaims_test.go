package study

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A row of a peer counts its marks, drops and pauses, DCTCP's and PFC's also where there are none, and of a load that
// was not carried the arrived part.
func TestReactionsOfAPeer(t *testing.T) {
	labels := func(p *Point) (all []string) {
		for _, r := range reactions(p) {
			all = append(all, r.Label)
		}
		return all
	}
	require.Equal(t, []string{"pfc, frames marked", "pfc, frames dropped", "pfc, pauses"}, labels(&Point{Scheme: "pfc"}))
	require.Empty(t, labels(&Point{Scheme: "cxl"}))
	p := &Point{Scheme: "pfabric", Drops: 3, Arrived: 0.25}
	p.Carried.Messages, p.Carried.UnderWay = 1000, [4]float64{1, 100, 200, 300}
	require.Equal(t, []string{"pfabric, frames dropped", "pfabric, not steady: load of payload that arrives"}, labels(p))
	require.Equal(t, "3", reactions(p)[0].Exact.RatString())
	require.InDelta(t, 0.25, reactions(p)[1].Value, 0)
}

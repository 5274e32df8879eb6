package study

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/claims"
)

// The rack has 10 Gb/s and a mean of 4 us. Of 5 Gb/s it is twice as good, of 8 us too.
func TestAdvantagesByHand(t *testing.T) {
	points := []ApplicationPoint{{Network: networkShoal}, {Network: "ndp"}, {Network: "dctcp"}}
	rs := make([]peersResult, 3)
	for i, v := range []struct{ gbps, mean float64 }{{10, 4000}, {5, 8000}, {20, 1000}} {
		rs[i].LongGbps, rs[i].Short.Mean = v.gbps, v.mean
	}
	want := []claims.Row{{Label: "ndp", Value: 2, Unit: "x"}, {Label: "dctcp", Value: 0.5, Unit: "x"}}
	require.Equal(t, want, advantages(points, rs, goodput, true))
	want[1].Value = 0.25
	require.Equal(t, want, advantages(points, rs, shortMean, false))
}

package study

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/shoal"
)

// Two runs merged count what both count, and a merged quantile is at most a bin above the quantile of all their flows.
func TestMergeLoads(t *testing.T) {
	q := LoadPoint{
		Fabric: shoal.FabricParams{Nodes: 16, Channels: 1, Schedule: "cyclic", Pair: shoal.PairTurns}, Load: 0.5,
		Flows: 100, Sizes: "fixed:2000",
	}
	var done []experiment.Result[LoadPoint, loadResult]
	for seed := range uint64(3) {
		v, err := runLoad(t.Context(), &experiment.Run{Seed: seed}, q)
		require.NoError(t, err)
		done = append(done, experiment.Result[LoadPoint, loadResult]{Point: q, Value: v})
	}
	other := done[2]
	other.Point.Load = 0.6
	merged := mergeLoads([]experiment.Result[LoadPoint, loadResult]{done[0], done[1], other})
	require.Len(t, merged, 2)
	a, b, m := done[0].Value, done[1].Value, merged[0].Value
	require.Equal(t, a.Short+b.Short, m.Short)
	require.Equal(t, a.Slots+b.Slots, m.Slots)
	require.Equal(t, max(a.MaxQueue, b.MaxQueue), m.MaxQueue)
	require.InDelta(t, (a.ShortMean*float64(a.Short)+b.ShortMean*float64(b.Short))/float64(m.Short), m.ShortMean, 1e-6)
	require.Equal(t, other.Value, merged[1].Value)
}

func TestHistogramQuantile(t *testing.T) {
	bins, values := make([]int, histogramBins), []float64{}
	for k := range 1000 {
		x := 20 * math.Pow(1.007, float64(k))
		bins[histogramBin(x)]++
		values = append(values, x)
	}
	slices.Sort(values)
	for _, share := range []float64{0, 0.5, 0.99, 0.999} {
		exact := quantile(values, share)
		got := histogramQuantile(bins, len(values), share)
		require.GreaterOrEqual(t, got, exact*0.999999)
		require.LessOrEqual(t, got, exact*math.Exp2(1.0/histogramSteps)*1.000001)
	}
}

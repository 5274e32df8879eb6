package study

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/experiment"
	measures "github.com/goldwire/goldwire/workload/measure"

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
		exact := measures.Quantile(values, share)
		got := histogramQuantile(bins, len(values), share)
		require.GreaterOrEqual(t, got, exact*0.999999)
		require.LessOrEqual(t, got, exact*math.Exp2(1.0/histogramSteps)*1.000001)
	}
}

// Two runs by hand: 100 slots with loads of 0.5 and 0.25, and 300 slots with 0.7 and 0.65, so that 400 slots have 0.65
// and 0.55. Three short flows have 60 ns together, one has 100 ns: a mean of 40. One long flow of 10 Gb/s and three of
// 90 together are 25 Gb/s on average.
func TestMergeByHand(t *testing.T) {
	a := loadResult{Slots: 100, Offered: 0.5, Arrived: 0.25, Short: 3, ShortSum: 60, Long: 1, LongSum: 10, LongGbps: 10,
		Lost: 2, MaxQueue: 5, MaxQueued: 60, MaxReorder: 128, Histogram: make([]int, histogramBins)}
	b := loadResult{Slots: 300, Offered: 0.7, Arrived: 0.65, Short: 1, ShortSum: 100, Long: 3, LongSum: 90, LongGbps: 30,
		Lost: 5, MaxQueue: 4, MaxQueued: 70, MaxReorder: 192, Histogram: make([]int, histogramBins)}
	a.Histogram[histogramBin(20)], b.Histogram[histogramBin(100)] = 3, 1
	m := a.merge(b)
	require.InDelta(t, 0.65, m.Offered, 1e-12)
	require.InDelta(t, 0.55, m.Arrived, 1e-12)
	require.InDelta(t, 40, m.ShortMean, 1e-12)
	require.InDelta(t, 25, m.LongGbps, 1e-12)
	require.EqualValues(t, 7, m.Lost)
	require.Equal(t, []int{4, 4, 5, 70, 192}, []int{m.Short, m.Long, m.MaxQueue, m.MaxQueued, m.MaxReorder})
	require.InEpsilon(t, 100, m.Short99, 0.022)
	require.Equal(t, m.Offered, b.merge(a).Offered)
}

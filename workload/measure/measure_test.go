package measure_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"
)

// The nearest rank: the example of ten values in NIST's Handbook 1.3.5.6 has its 90th percentile between the ninth and
// the tenth; by rank it is the ninth, as nine of ten do not exceed it.
func TestQuantile(t *testing.T) {
	ten := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for q, want := range map[float64]float64{0: 1, 0.05: 1, 0.1: 1, 0.11: 2, 0.5: 5, 0.9: 9, 0.91: 10, 1: 10} {
		require.Equal(t, want, measure.Quantile(ten, q), "%v", q)
	}
	require.Equal(t, 7.0, measure.Quantile([]float64{7}, 0.99))
}

// A histogram's quantile equals the quantile of its values, taken one by one.
func TestHistogramCountsValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a, b measure.Histogram
		var all []float64
		var sum, most uint64
		for _, v := range rapid.SliceOfN(rapid.Uint64Range(0, 2000), 1, 60).Draw(t, "values") {
			n := rapid.Uint64Range(1, 3).Draw(t, "times")
			h := &a
			if rapid.Bool().Draw(t, "second") {
				h = &b
			}
			h.Add(v, n)
			for range n {
				all = append(all, float64(v))
			}
			sum += v * n
			most = max(most, v)
		}
		a.Merge(&b)
		slices.Sort(all)
		q := rapid.Float64Range(0, 1).Draw(t, "q")
		require.EqualValues(t, measure.Quantile(all, q), a.Quantile(q))
		require.EqualValues(t, len(all), a.N)
		require.Equal(t, sum, a.Sum)
		require.Equal(t, most, a.Max)
		require.InDelta(t, float64(sum)/float64(len(all)), a.Mean(), 1e-9)
	})
}

// Values 1, 1, 2 and 4, by hand: their squares' distances from the mean of 2 sum up to 6.
func TestHistogramByHand(t *testing.T) {
	var h, again measure.Histogram
	for _, v := range []uint64{4, 1, 2, 1} {
		h.Add(v, 1)
	}
	require.Equal(t, 2.0, h.Mean())
	for q, want := range map[float64]uint64{0: 1, 0.5: 1, 0.51: 2, 0.75: 2, 0.76: 4, 1: 4} {
		require.Equal(t, want, h.Quantile(q), "quantile %v", q)
	}
	require.InDelta(t, 1.96*math.Sqrt(6)/4, h.Reach(), 1e-12)
	b, err := json.Marshal(h)
	require.NoError(t, err)
	require.Equal(t, "[0,2,1,0,1]", string(b))
	require.NoError(t, json.Unmarshal(b, &again))
	require.Equal(t, h, again)
	require.Error(t, json.Unmarshal([]byte(`"x"`), &again))
}

func TestHistogramOfGreatValues(t *testing.T) {
	var h measure.Histogram
	require.Zero(t, h.Mean())
	require.Zero(t, h.Quantile(0.5))
	h.Add(1<<40, 2)
	h.Add(3, 1)
	require.Equal(t, uint64(1<<40), h.Max)
	require.InDelta(t, (2*math.Pow(2, 40)+3)/3, h.Mean(), 1e-3)
	require.Equal(t, uint64(3), h.Quantile(0.3))
	require.Equal(t, uint64(measure.HistogramSize-1), h.Quantile(0.9))
	require.Len(t, h.Counts(), measure.HistogramSize)
}

// Five values with mean 10 and standard deviation 2: t(4, 0.975) = 2.776, so the half width is 2.776 × 2/√5 = 2.483.
func TestMean(t *testing.T) {
	m := measure.Mean([]float64{8, 12, 10, 8, 12})
	require.Equal(t, 5, m.Runs)
	require.InDelta(t, 10, m.Mean, 1e-12)
	require.InDelta(t, 2.776*2/math.Sqrt(5), m.Half, 1e-3)
	require.True(t, math.IsNaN(measure.Mean([]float64{3}).Half))
	require.Panics(t, func() { measure.Mean(nil) })
}

// Writes of 100 bytes from half of the nodes to the other half load the asking nodes' uplinks and the others'
// downlinks; reads the opposite ones. Half of each fill both directions half, and if all nodes do both, a node has an
// asking node's and an asked node's share.
func TestBusiestLinks(t *testing.T) {
	for _, c := range []struct {
		traffic measure.Traffic
		want    float64
	}{
		{measure.Traffic{Nodes: 8, Reads: 0}, 100},
		{measure.Traffic{Nodes: 8, Reads: 1}, 100},
		{measure.Traffic{Nodes: 8, Reads: 0.5}, 50},
		{measure.Traffic{Nodes: 8, Reads: 0.25}, 75},
		{measure.Traffic{Nodes: 8, Reads: 0.25, Shared: true}, 100},
		{measure.Traffic{Nodes: 8, Pattern: workload.Incast}, 400}, // four nodes to one
		{measure.Traffic{Nodes: 9, Reads: 0}, 100},                 // four ask five: the asked have less
		{measure.Traffic{Nodes: 9, Pattern: workload.Permutation}, 100},
	} {
		c.traffic.Sizes = workload.Fixed(100)
		require.InDelta(t, c.want, c.traffic.Busiest(measure.Payload), 1e-9, "%+v", c.traffic)
	}
}

// Messages that arrive at the interval in which the busiest link sends one fill that link: a load of 1.
func TestMessagesOfferTheirLoad(t *testing.T) {
	traffic := measure.Traffic{Nodes: 4, Sizes: workload.Fixed(1000), Reads: 0.3, Seed: 5, Shared: true}
	const psPerByte, load, n = 80, 0.5, 20_000
	ms, err := traffic.Messages(n, traffic.Busiest(measure.Payload)*psPerByte/load)
	require.NoError(t, err)
	up, down := map[int]float64{}, map[int]float64{}
	for _, m := range ms {
		from, to := m.Source, m.Dest
		if m.Type == workload.Read {
			from, to = to, from
		}
		up[from] += float64(m.Bytes) * psPerByte
		down[to] += float64(m.Bytes) * psPerByte
	}
	for node := range 4 {
		require.InDelta(t, load, up[node]/float64(ms[n-1].Start), 0.03)
		require.InDelta(t, load, down[node]/float64(ms[n-1].Start), 0.03)
	}
	_, err = traffic.Messages(1, math.NaN())
	require.EqualError(t, err, "interval of NaN ps, want at least 0")
}

func TestLone(t *testing.T) {
	l, err := measure.NewLone([]int{300, 100, 100}, func(kind workload.MessageType, bytes int) (float64, error) {
		if kind == workload.Write {
			return float64(bytes), nil
		}
		return 1000 + float64(bytes), nil
	})
	require.NoError(t, err)
	for bytes, want := range map[int]float64{1: 100, 100: 100, 150: 150, 300: 300, 900: 300} {
		require.Equal(t, want, l.Time(workload.Write, bytes))
		require.Equal(t, 1000+want, l.Time(workload.Read, bytes))
		require.Equal(t, 1000+want, l.Time(workload.CompareSwap, bytes))
	}
	broken := errors.New("broken")
	_, err = measure.NewLone([]int{1}, func(workload.MessageType, int) (float64, error) { return 0, broken })
	require.ErrorIs(t, err, broken)
}

func results() []workload.Result {
	of := func(t workload.MessageType, bytes int, start, latency int64) workload.Result {
		return workload.Result{Message: workload.Message{Type: t, Bytes: bytes, Start: start}, Finished: latency > 0,
			Finish: start + latency}
	}
	return []workload.Result{
		of(workload.Read, 64, 0, 2000), of(workload.Read, 64, 1000, 4000), of(workload.Write, 64, 2000, 1000),
		of(workload.Write, 1500, 3000, 30_000), of(workload.Read, 9000, 3999, 0),
	}
}

// alone is 1 ns, or 10 ns above 1,000 bytes.
func alone(_ workload.MessageType, bytes int) float64 {
	if bytes > 1000 {
		return 10
	}
	return 1
}

func TestLatency(t *testing.T) {
	reads := measure.LatencyOf(results(), workload.Read, alone)
	require.Equal(t, measure.Latency{Messages: 2, Mean: 3, Median: 2, P99: 4, Most: 4, Quarters: [4]float64{2, 4, 0, 0},
		Unloaded: 1, Ratio: 3, MeanRatio: 3}, reads)
	all := measure.NewLatency(results(), nil, alone)
	require.Equal(t, 4, all.Messages)
	require.InDelta(t, (2.0+4+1+3)/4, all.Ratio, 1e-12)
	require.InDelta(t, (2.0+4+1+30)/(1+1+1+10), all.MeanRatio, 1e-12)
	require.InDelta(t, (4.0+1+30)/3, all.Steady(), 1e-12)
	require.Equal(t, []float64{1, 2, 3, 4}, measure.Slowdown(results(), alone))
	require.Equal(t, measure.Latency{}, measure.LatencyOf(results(), workload.CompareSwap, alone))
}

func TestBySize(t *testing.T) {
	require.Equal(t, []measure.SizeClass{
		{Above: 0, Most: 64, Messages: 3, Mean: 7.0 / 3, P99: 4, Slowdown: 7.0 / 3, SlowdownP99: 4},
		{Above: 64, Most: 1000},
		{Above: 1000, Messages: 1, Mean: 30, P99: 30, Slowdown: 3, SlowdownP99: 3},
	}, measure.BySize(results(), []int{64, 1000}, alone))
}

func TestSpread(t *testing.T) {
	require.Equal(t, []int{64}, measure.Spread(workload.Fixed(64), 1))
	sizes, err := workload.ParseSizes("hadoop")
	require.NoError(t, err)
	got := measure.Spread(sizes, 1)
	require.Len(t, got, 12)
	require.True(t, slices.IsSorted(got))
}

package measure_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"
)

// The arrivals take 4,000 ps, so that the counted time is from 1,000 to 4,000 ps, both ends included.
func TestCarriedAtItsEnds(t *testing.T) {
	c := measure.NewCarried([]workload.Result{
		result(0, 999, 1),        // arrives too early
		result(0, 1000, 10),      // arrives at the beginning
		result(999, 1500, 100),   // starts too early, and arrives
		result(1000, 4000, 1000), // starts at the beginning, arrives at the end
		result(4000, 4001, 10_000),
	})
	require.InDelta(t, 8*1110/3.0, c.Arrived, 1e-9)   // 10 + 100 + 1,000 bytes in 3 ns
	require.InDelta(t, 8*11_000/3.0, c.Offered, 1e-9) // 1,000 + 10,000
}

// Growth from the second quarter to the fourth has two bounds. The greater one counts.
//
// From 100 to 144 messages 3 sqrt(244) = 46.9 is not reached by 44; from 100 to 150 3 sqrt(250) = 47.4 is passed by
// 50. Of 10,000 messages a hundredth is 100: 95 do not reach it though 3 sqrt(295) = 51.5, and 101 pass it.
func TestSteadyByHand(t *testing.T) {
	for _, c := range []struct {
		messages              int
		second, third, fourth float64
		steady                bool
	}{
		{1000, 100, 120, 144, true},
		{1000, 100, 120, 150, false},
		{1000, 100, 90, 150, true}, // not from quarter to quarter
		{1000, 100, 160, 150, true},
		{10_000, 100, 120, 195, true},
		{10_000, 100, 120, 201, false},
	} {
		got := measure.Carried{Messages: c.messages, UnderWay: [4]float64{0, c.second, c.third, c.fourth}}
		require.Equal(t, c.steady, got.Steady(), "%+v", c)
	}
}

// 200 messages of 1 to 200 ns: 198 of them, 99 %, take at most 198 ns. The lone message takes 1 ns up to 100 bytes and
// 2 ns above; the even times are the long messages', so that their slowdowns are 1 to 100.
//
// Starts are 0 to 199 ps. A quarter has 50 of them: the first one has 1 to 50 ns, the last one 151 to 200 ns.
func TestQuantilesOfLatency(t *testing.T) {
	var rs []workload.Result
	for k := range int64(200) {
		bytes := 100
		if k%2 == 1 {
			bytes = 200
		}
		rs = append(rs, result(k, k+1000*(k+1), bytes))
	}
	lone := func(_ workload.MessageType, bytes int) float64 { return float64(bytes / 100) }
	l := measure.NewLatency(rs, nil, lone)
	require.Equal(t, []float64{100, 198, 200}, []float64{l.Median, l.P99, l.Most})
	require.Equal(t, [4]float64{25.5, 75.5, 125.5, 175.5}, l.Quarters)
	require.InDelta(t, (75.5+125.5+175.5)/3, l.Steady(), 1e-9)
	// odd times 1 to 199, mean 100, and 1 to 100 twice the mean of 50.5
	require.InDelta(t, (100+50.5)/2, l.Ratio, 1e-9)
	require.InDelta(t, 100.5/1.5, l.MeanRatio, 1e-9)
	// 100 messages a class: 99 of them take at most 197 ns of 1 to 199, and at most 198 ns of 2 to 200
	require.Equal(t, []measure.SizeClass{
		{Most: 100, Messages: 100, Mean: 100, P99: 197, Slowdown: 100, SlowdownP99: 197},
		{Above: 100, Messages: 100, Mean: 101, P99: 198, Slowdown: 50.5, SlowdownP99: 99},
	}, measure.BySize(rs, []int{100}, lone))
}

// A compare-and-swap that was measured has its own time.
func TestLoneSwap(t *testing.T) {
	send := func(kind workload.MessageType, bytes int) (float64, error) {
		if kind == workload.CompareSwap {
			return 77, nil
		}
		return float64(bytes), nil
	}
	l, err := measure.NewLone([]int{8, 64}, send)
	require.NoError(t, err)
	require.NoError(t, l.AddSwap(send))
	require.Equal(t, []float64{77, 8}, []float64{l.Time(workload.CompareSwap, 8), l.Time(workload.Read, 8)})
}

// Half of the messages are reads of 100 bytes and a quarter are compare-and-swaps of 8: to the asking node go 50 + 2
// bytes a message, from it 25. Four nodes that ask one load its link four times as much as their own.
func TestBusiestWithSwapsAndIncast(t *testing.T) {
	traffic := measure.Traffic{Nodes: 8, Sizes: workload.Fixed(100), Reads: 0.5, Swaps: 0.25}
	require.InDelta(t, 52, traffic.Busiest(measure.Payload), 1e-9)
	traffic = measure.Traffic{Nodes: 9, Sizes: workload.Fixed(100), Pattern: workload.Incast}
	require.InDelta(t, 400, traffic.Busiest(measure.Payload), 1e-9)
}

// ramp has the sizes from 1 to its own number, each as often as another.
type ramp int

func (r ramp) Mean() float64           { return float64(r+1) / 2 }
func (r ramp) Draw(rng *rand.Rand) int { return 1 + rng.IntN(int(r)) }
func (r ramp) String() string          { return fmt.Sprint(int(r)) }

// Up to 12 sizes are all measured. Of 122 the first, then each 11th is: 1, 12, 23 and so on to 122, the last. Each of
// 122 sizes comes up among 2,000 draws but for a chance of 122 exp(-16).
func TestSpreadHasLeastAndGreatest(t *testing.T) {
	var twelve, each11 []int
	for k := range 12 {
		twelve, each11 = append(twelve, k+1), append(each11, 1+11*k)
	}
	require.Equal(t, twelve, measure.Spread(ramp(12), 1))
	require.Equal(t, each11, measure.Spread(ramp(122), 1))
	require.True(t, slices.Contains(each11, 122))
}

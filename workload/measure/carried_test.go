package measure_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"
)

func result(start, finish int64, bytes int) workload.Result {
	return workload.Result{Message: workload.Message{Start: start, Bytes: bytes}, Finished: finish >= 0,
		Finish: max(finish, 0)}
}

// Five messages by hand, the first and the last at 1,000 and 5,000 ps, so that a quarter is 1,000 ps.
func TestCarriedByHand(t *testing.T) {
	c := measure.NewCarried([]workload.Result{
		result(1000, 2500, 100), // under way in all of the first quarter, half of the second
		result(2000, 2250, 300),
		result(3500, 6000, 500), // arrives too late: half of the third, all of the fourth
		result(4000, -1, 700),   // never arrives: all of the fourth
		result(5000, 5400, 30),
	})
	require.Equal(t, [4]float64{1, 0.75, 0.5, 2}, c.UnderWay)
	require.InDelta(t, 1530*8/3.0, c.Offered, 1e-9) // bits in 3 ns
	require.InDelta(t, 400*8/3.0, c.Arrived, 1e-9)
	require.Equal(t, 5, c.Messages)
	require.Equal(t, measure.Carried{}, measure.NewCarried([]workload.Result{result(7, 9, 1), result(7, 10, 1)}),
		"all at once")
}

// A server of messages one after the other: it keeps up at 0.5 and 0.8 of its rate, and does not at 1.1 and 3, however
// few messages there are above a few hundred. At 1.1 a share of 1 - 1/1.1 does not arrive.
func TestSteady(t *testing.T) {
	for _, n := range []int{400, 5_000, 20_000} {
		for _, load := range []float64{0.5, 0.8, 1.1, 3} {
			for seed := range uint64(20) {
				if load == 1.1 && n < 5_000 {
					continue // chance
				}
				rng := rand.New(rand.NewPCG(seed, 1))
				at, free := 0.0, 0.0
				results := make([]workload.Result, n)
				for i := range results {
					at += rng.ExpFloat64() * 1000 / load
					free = max(free, at) + 1000
					results[i] = result(int64(at), int64(free), 125)
				}
				c := measure.NewCarried(results)
				require.Equal(t, load < 1, c.Steady(), "load %v of %d messages, seed %d: %+v", load, n, seed, c)
				require.InEpsilon(t, min(load, 1), c.Arrived/1000, 0.15, "1,000 bits in 1 ns")
				require.InEpsilon(t, load, c.Offered/1000, 0.15)
			}
		}
	}
}

// Nine messages among ten nodes are under way in the whole of the last quarter: eight go to node 4. A read's payload
// comes from its destination.
func TestTheFullestNode(t *testing.T) {
	var results []workload.Result
	add := func(kind workload.MessageType, source, dest int) {
		results = append(results, workload.Result{
			Message: workload.Message{Type: kind, Source: source, Dest: dest, Bytes: 1, Start: int64(len(results))},
		})
	}
	for node := range 4 {
		add(workload.Write, node, 4)
		add(workload.Read, 4, 5+node)
	}
	add(workload.Write, 4, 9)
	results = append(results, result(1_000_000, 1_000_001, 1))
	c := measure.NewCarried(results)
	require.InDelta(t, 8.0/9, c.Fullest.Share, 1e-3)
	require.Contains(t, c.Growth(), ", of the last ones 89 % are to node 4")

	results = results[:0]
	for node := range 6 {
		add(workload.Write, 0, 1+node)
		add(workload.Read, 1+node, 0)
		add(workload.Write, 1+node, 1+(node+1)%6)
	}
	results = append(results, result(1_000_000, 1_000_001, 1))
	require.Contains(t, measure.NewCarried(results).Growth(), ", of the last ones 67 % are from node 0")

	results = results[:0]
	for node := range 6 {
		add(workload.Write, node, (node+1)%6)
	}
	results = append(results, result(1_000_000, 1_000_001, 1))
	require.Zero(t, measure.NewCarried(results).Fullest)
}

package study_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/edm/study"
)

func iterationsOf(t *testing.T, cfg study.IterationsConfig) *study.Iterations {
	t.Helper()
	r, err := study.MeasureIterations(t.Context(), cfg)
	require.NoError(t, err)
	require.GreaterOrEqual(t, r.Cycles, cfg.Cycles)
	for _, f := range []study.Formed{r.EDM, r.PIM, r.ISLIP} {
		require.Equal(t, r.Matchings, f.Iterations.N)
		require.Equal(t, r.Matchings, f.Cycles.N)
		require.Zero(t, f.Iterations.Counts()[0], "there is always something to match")
		require.LessOrEqual(t, f.Iterations.Max, uint64(cfg.Ports))
		require.LessOrEqual(t, f.Pairs, r.Demanded)
		require.LessOrEqual(t, f.Pairs, r.Matchings*uint64(cfg.Ports))
	}
	return r
}

// Between edges, the scheduler takes 3 cycles an iteration, for any ports, densities and sizes: the clock's count and
// the edges with grants agree.
func TestSchedulerTakesThreeCyclesAnIteration(t *testing.T) {
	for _, ports := range []int{1, 2, 3, 16, 65} {
		for _, density := range []float64{0, 0.01, 0.3, 1} {
			for _, sizes := range []study.Sizes{study.IndependentSizes, study.EqualSizes, study.SourceSizes} {
				t.Run(fmt.Sprintf("%d/%v/%v", ports, density, sizes), func(t *testing.T) {
					r := iterationsOf(t, study.IterationsConfig{Ports: ports, Density: density, Sizes: sizes, Cycles: 5000, Seed: 1})
					for iterations, n := range r.EDM.Iterations.Counts() {
						if n > 0 {
							require.Equal(t, n, r.EDM.Cycles.Counts()[3*iterations])
						}
					}
				})
			}
		}
	}
}

// What can be said without measuring. If each source has one message, no two destinations ask the same source: one
// iteration matches every destination that is asked for. If all is demanded, a maximal matching has all ports. If in
// addition all destinations prefer the same source, each iteration adds that source's pair only. iSLIP's pointers have
// parted.
func TestIterationsOfKnownDemands(t *testing.T) {
	const ports = 20
	r := iterationsOf(t, study.IterationsConfig{Ports: ports, Cycles: 20_000, Seed: 1})
	for _, f := range []study.Formed{r.EDM, r.PIM, r.ISLIP} {
		require.EqualValues(t, 1, f.Iterations.Max)
		require.Equal(t, r.EDM.Pairs, f.Pairs)
	}
	asked := ports * (1 - math.Pow(1-1.0/ports, ports)) // destinations that any of that many random messages is for
	require.InDelta(t, asked, float64(r.EDM.Pairs)/float64(r.Matchings), 0.3)

	r = iterationsOf(t, study.IterationsConfig{Ports: ports, Density: 1, Cycles: 20_000, Seed: 1})
	require.Equal(t, ports*ports*r.Matchings, r.Demanded)
	require.Equal(t, ports*r.Matchings, r.EDM.Pairs)
	require.EqualValues(t, 1, r.ISLIP.Iterations.Max)

	r = iterationsOf(
		t, study.IterationsConfig{Ports: ports, Density: 1, Sizes: study.SourceSizes, Cycles: 20_000, Seed: 1},
	)
	require.Equal(t, r.Matchings, r.EDM.Iterations.Counts()[ports])
}

// With sizes drawn independently the matching stays below the bound that Anderson et al. prove for PIM's mean.
func TestIterationsStayBelowPIMsBound(t *testing.T) {
	for _, ports := range []int{2, 16, 144} {
		for _, density := range []float64{0.1, 0.5, 1} {
			r := iterationsOf(t, study.IterationsConfig{Ports: ports, Density: density, Cycles: 20_000, Seed: 2})
			bound := math.Log2(float64(ports)) + 4.0/3
			require.LessOrEqual(t, r.EDM.Iterations.Mean(), bound)
			require.LessOrEqual(t, r.PIM.Iterations.Mean(), bound)
		}
	}
}

func TestMeasureIterationsIsReproducible(t *testing.T) {
	var calls []uint64
	cfg := study.IterationsConfig{
		Ports: 16, Density: 0.5, Cycles: 40_000, Seed: 3, Progress: func(c uint64) { calls = append(calls, c) },
	}
	a := iterationsOf(t, cfg)
	require.IsIncreasing(t, calls)
	require.Equal(t, a.Cycles, calls[len(calls)-1])
	require.Equal(t, a, iterationsOf(t, cfg))
	cfg.Seed++
	require.NotEqual(t, a, iterationsOf(t, cfg))
}

func TestMeasureIterationsRefuses(t *testing.T) {
	for _, cfg := range []study.IterationsConfig{{Ports: 0}, {Ports: 1025}, {Ports: 4, Density: -0.1},
		{Ports: 4, Density: 1.1}, {Ports: 4, Density: math.NaN()}} {
		cfg.Cycles = 1000
		_, err := study.MeasureIterations(t.Context(), cfg)
		require.Error(t, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := study.MeasureIterations(ctx, study.IterationsConfig{Ports: 4, Density: 1, Cycles: 1000})
	require.ErrorIs(t, err, context.Canceled)
}

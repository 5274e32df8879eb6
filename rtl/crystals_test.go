package rtl_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// Forty nodes and a hundred, each with a crystal of its own that is off by some odd number of ppm, in all modes: every
// node ticks as often as its frequency says, and the same values cross between them.
func TestCrystals(t *testing.T) {
	for _, nodes := range []int{40, 100} {
		run := func(cfg rtl.Config) uint64 {
			rng := rand.New(rand.NewPCG(3, 4))
			sim := rtl.New(cfg)
			counters := make([]crystal, nodes)
			for i := range counters {
				clk := sim.Clock(
					fmt.Sprintf("clk_%d", i), clock.Block25G.PPM(rng.Float64()*200-100),
					clock.MustTime(fmt.Sprintf("%d/7 ns", i%15)),
				)
				sim.Scope(fmt.Sprintf("node_%d", i)).On(clk).Add("counter", &counters[i])
			}
			for i := range counters {
				rtl.Connect(&counters[i].Count, &counters[(i+1)%nodes].Other)
			}
			require.NoError(t, sim.Elaborate())
			h := rtl.NewTraceHash(sim)
			first := sim.Clocks()[0]
			require.NoError(t, first.Run(300))
			now := first.Time()
			for i, clk := range sim.Clocks() {
				n := clk.Cycle()
				require.LessOrEqual(t, clk.Time().Cmp(now), 0)
				require.Positive(t, sim.Schedule().Time(i, n+1).Cmp(now))
				require.Equal(t, n, counters[i].Count.Get())
			}
			return h.Sum()
		}
		want := run(rtl.Config{})
		require.Equal(t, want, run(rtl.Config{Mode: rtl.Strict, Seed: 1}))
		require.Equal(t, want, run(rtl.Config{Mode: rtl.Parallel, Workers: 2}))
	}
}

// crystal counts its own edges and adds up another's count.
type crystal struct {
	Other rtl.Async[uint64]
	Count rtl.Out[uint64]
	Sum   rtl.Out[uint64]

	count, sum uint64
}

func (c *crystal) Tick() {
	c.count++
	c.sum += c.Other.Get()
	c.Count.Set(c.count)
	c.Sum.Set(c.sum)
}

// Clocks whose edges coincide commit together: each side sees the other's value from before the common edge.
func TestCoincidentEdgesOfTwoClocks(t *testing.T) {
	sim := rtl.New(rtl.Config{})
	one, two := sim.Clock("one", clock.MHz(100)), sim.Clock("two", clock.MHz(50))
	c, s := &counter{}, &sampler{}
	sim.Scope("a").On(one).Add("counter", c)
	sim.Scope("b").On(two).Add("sampler", s)
	rtl.Connect(&c.Out, &s.In)
	require.NoError(t, sim.Elaborate())
	require.NoError(t, two.Run(3))
	require.EqualValues(t, 5, s.Out.Get(), "edge 3 of two is edge 6 of one; before it the counter shows 5")
	require.EqualValues(t, 6, c.Out.Get())
	require.EqualValues(t, 6, one.Cycle())
}

// sampler is the first flip-flop of a synchroniser.
type sampler struct {
	In  rtl.Async[uint8]
	Out rtl.Out[uint8]
}

func (s *sampler) Tick() { s.Out.Set(s.In.Get()) }

// Jitter delays what an Async sees by at most one edge of the reader, in both ways, and only with Jitter on.
func TestJitterIsZeroOrOneEdge(t *testing.T) {
	late := func(cfg rtl.Config) map[int]int {
		sim := rtl.New(cfg)
		from, to := sim.Clock("from", clock.MHz(10)), sim.Clock("to", clock.MHz(100))
		c, s := &counter{}, &sampler{}
		sim.Scope("a").On(from).Add("counter", c)
		sim.Scope("b").On(to).Add("sampler", s)
		rtl.Connect(&c.Out, &s.In)
		require.NoError(t, sim.Elaborate())
		found := map[int]int{}
		for range 100 {
			require.NoError(t, from.Run(1))
			want, edges := c.Out.Get(), 0
			for s.Out.Get() != want {
				require.NoError(t, to.Run(1))
				edges++
			}
			found[edges]++
		}
		return found
	}
	require.Equal(t, map[int]int{1: 100}, late(rtl.Config{Mode: rtl.Strict}))
	got := late(rtl.Config{Mode: rtl.Strict, Jitter: true, Seed: 1})
	require.Len(t, got, 2)
	require.Greater(t, got[1], 25)
	require.Greater(t, got[2], 25)
}

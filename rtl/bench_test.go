package rtl_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// adder is a trivial module: one register, one addition.
type adder struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]
}

func (a *adder) Tick() { a.Out.Set(a.In.Get() + 1) }

// ring connects n adders in a circle.
func ring(tb testing.TB, cfg rtl.Config, n int) *rtl.Clock {
	sim := rtl.New(cfg)
	clk := sim.Clock("clk", clock.MHz(100))
	top := sim.Scope("ring").On(clk)
	mods := make([]adder, n)
	for i := range mods {
		top.Add(fmt.Sprintf("adder_%d", i), &mods[i])
		rtl.Connect(&mods[i].Out, &mods[(i+1)%n].In)
	}
	require.NoError(tb, sim.Elaborate())
	return clk
}

func BenchmarkModuleCycle(b *testing.B) {
	for _, n := range []int{1, 6, 64, 1024, 8192} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			clk := ring(b, rtl.Config{}, n)
			b.ResetTimer()
			require.NoError(b, clk.Run(uint64(b.N)))
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/module-cycle")
		})
	}
}

func BenchmarkBarrier(b *testing.B) {
	clk := ring(b, rtl.Config{Mode: rtl.Parallel, Workers: 2}, 2)
	b.ResetTimer()
	require.NoError(b, clk.Run(uint64(b.N)))
}

func TestRunDoesNotAllocate(t *testing.T) {
	clk := ring(t, rtl.Config{}, 64)
	require.Zero(t, testing.AllocsPerRun(10, func() { _ = clk.Run(100) }))
}

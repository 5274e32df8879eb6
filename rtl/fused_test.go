package rtl_test

//lint:file-ignore U1000 of some structs here only the layout counts

import (
	"bytes"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/fused"
)

// stepper counts, and drives its outputs from its third tick on.
type stepper struct {
	In   rtl.In[uint64]
	Out  rtl.Out[uint64]
	n    uint64
	lazy bool
}

func (s *stepper) Reset() {
	s.n = 0
	if !s.lazy {
		s.Out.Set(0)
	}
}

func (s *stepper) Tick() {
	if s.n++; s.n > 2 {
		s.Out.Set(s.In.Get() + s.n)
	}
}

// fusedStepper is what package fuse would write for one stepper that reads itself.
type fusedStepper struct {
	out, n *uint64
}

// fusedEdges is how many edges were run by fused code.
var fusedEdges atomic.Uint64

func (f *fusedStepper) run(edges int, watch *fused.Watch) {
	fusedEdges.Add(uint64(edges))
	for range edges {
		if *f.n++; *f.n > 2 {
			*f.out += *f.n
		}
		watch.Observe()
	}
}

func init() {
	fused.Register("github.com/goldwire/goldwire/rtl_test.stepper in<0.out\n", func(m []fused.Module) fused.Island {
		f := &fusedStepper{fused.Place(&m[0].(*stepper).Out), fused.Field[uint64](m[0], "n")}
		return fused.Island{Run: f.run, Border: func(*fused.Border) {}}
	})
}

// newSteppers makes one or more of them: islands, if there are several.
func newSteppers(t *testing.T, cfg rtl.Config, n int, lazy bool) (*rtl.Sim, []stepper) {
	sim := rtl.New(cfg)
	sc := sim.Scope("top").On(sim.Clock("clk", clock.MHz(100)))
	all := make([]stepper, n)
	for i := range all {
		all[i].lazy = lazy
		sc.Add(string(rune('a'+i)), &all[i])
		rtl.Connect(&all[i].Out, &all[i].In)
	}
	require.NoError(t, sim.Elaborate())
	return sim, all
}

// edgesFused runs a simulation and returns how many edges fused code ran of it.
func edgesFused(t *testing.T, sim *rtl.Sim, n uint64) uint64 {
	before := fusedEdges.Load()
	require.NoError(t, sim.Clocks()[0].Run(n))
	return fusedEdges.Load() - before
}

// Fused code runs what nobody observes whole, in fast and parallel mode, and leaves what the modules leave.
func TestFusedModesAreTheSame(t *testing.T) {
	for _, n := range []int{1, 3} {
		want, _ := newSteppers(t, rtl.Config{Plain: true}, n, false)
		require.Zero(t, edgesFused(t, want, 100))
		for _, cfg := range []rtl.Config{{}, {Mode: rtl.Strict}, {Mode: rtl.Parallel, Workers: 2}} {
			sim, steppers := newSteppers(t, cfg, n, false)
			ran := edgesFused(t, sim, 50)
			seen := &seer{of: &steppers[0]}
			fuses := cfg.Mode == rtl.Fast || cfg.Mode == rtl.Parallel && n > 1 // workers without islands share one
			if fuses {
				require.EqualValues(t, 50*n, ran)
			} else {
				require.Zero(t, ran)
			}
			require.Equal(t, fuses, fused.Shapes(sim)[0].Fused)
			sim.Watch(seen, &steppers[0]) // one island is observed: the code calls its observer
			ran = edgesFused(t, sim, 25)
			require.Equal(t, 25, seen.n)
			if fuses {
				require.EqualValues(t, 25*n, ran)
			} else {
				require.Zero(t, ran)
			}
			sim.Unobserve(seen)
			require.NoError(t, sim.Clocks()[0].Run(25))
			for i, s := range sim.Signals() {
				require.Equal(t, want.Signals()[i].Value(0), s.Value(0))
			}
			require.EqualValues(t, 100, steppers[n-1].n)
		}
	}
}

// seer counts the edges that it sees.
type seer struct {
	of   *stepper
	n    int
	last uint64
}

func (s *seer) Observe(rtl.Edges) { s.n, s.last = s.n+1, s.of.Out.Get() }

// Until all outputs were driven, the modules themselves are run: a checkpoint tells which were.
func TestFusedWaitsUntilOutputsAreDriven(t *testing.T) {
	sim, _ := newSteppers(t, rtl.Config{}, 1, true)
	require.Zero(t, edgesFused(t, sim, 2))
	var early bytes.Buffer
	require.NoError(t, sim.Save(&early))
	require.Zero(t, edgesFused(t, sim, 10), "the run begins undriven")
	require.EqualValues(t, 10, edgesFused(t, sim, 10))
	require.NoError(t, sim.Restore(&early))
	require.Zero(t, edgesFused(t, sim, 10), "undriven again")
	require.EqualValues(t, 10, edgesFused(t, sim, 10))
}

// Code that is older than its module says so.
func TestFieldOfFusedCode(t *testing.T) {
	require.PanicsWithValue(t,
		"fused: generated code wants a field n of type uint8 in a *rtl_test.stepper: run goldwire fuse",
		func() { fused.Field[uint8](&stepper{}, "n") })
	require.Panics(t, func() { fused.Field[uint64](&stepper{}, "m") })
}

// A shape says what generated code goes by.
func TestShapes(t *testing.T) {
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("clk", clock.MHz(100))
	sc := sim.Scope("top").On(clk)
	var a, b, c stepper
	var near rtl.Delay[uint64]
	var far rtl.Delay[uint64]
	near.Edges, far.Edges = 2, 40
	sc.Add("a", &a)
	sc.Add("near", &near)
	sc.Add("b", &b)
	sc.Add("far", &far)
	sc.Add("c", &c)
	rtl.Connect(&a.Out, &near.In, &far.In)
	rtl.Connect(&near.Out, &b.In)
	rtl.Connect(&far.Out, &c.In)
	rtl.Tie(uint64(7), &a.In)
	require.NoError(t, sim.Elaborate())
	var text []string
	for _, s := range fused.Shapes(sim) {
		text = append(text, s.Text)
	}
	const pkg = "github.com/goldwire/goldwire/rtl"
	require.Equal(t, []string{
		pkg + "_test.stepper in<constant\n" + pkg + ".Delay[uint64] pipe in<0.out\n" + pkg + "_test.stepper in<1.out\n" +
			"leaves 0.out\n",
		pkg + ".Delay[uint64] pipe in<outside\n" + pkg + "_test.stepper in<0.out\n",
	}, text)
}

// A register that is set between runs changes at the next edge, as without fused code.
func TestFusedSeesRegistersSetBetweenRuns(t *testing.T) {
	for _, n := range []int{1, 3} {
		var sums []uint64
		for _, cfg := range []rtl.Config{{}, {Plain: true}} {
			sim, steppers := newSteppers(t, cfg, n, false)
			require.False(t, fused.Shapes(sim)[0].Ran)
			require.NoError(t, sim.Clocks()[0].Run(10))
			require.Equal(t, !cfg.Plain, fused.Shapes(sim)[0].Ran)
			steppers[0].n = 0 // so that its next two ticks leave the register as it is
			steppers[0].Out.Set(1000)
			require.NoError(t, sim.Clocks()[0].Run(10))
			sums = append(sums, steppers[0].Out.Get())
		}
		require.Equal(t, sums[1], sums[0])
		require.Greater(t, sums[0], uint64(1000))
	}
}

// Islands of several clocks: each has as many edges as its own.
func TestFusedIslandsOfTwoClocks(t *testing.T) {
	sim := rtl.New(rtl.Config{})
	fast, slow := sim.Clock("fast", clock.MHz(100)), sim.Clock("slow", clock.MHz(25))
	var a, b stepper
	sim.Scope("a").On(fast).Add("cell", &a)
	sim.Scope("b").On(slow).Add("cell", &b)
	rtl.Connect(&a.Out, &a.In)
	rtl.Connect(&b.Out, &b.In)
	require.NoError(t, sim.Elaborate())
	require.NoError(t, fast.Run(400))
	require.EqualValues(t, []uint64{400, slow.Cycle()}, []uint64{a.n, b.n})
	require.InDelta(t, 100, slow.Cycle(), 1)
	for _, s := range fused.Shapes(sim) {
		require.True(t, s.Ran)
	}
}

// shelf has registers of several sizes.
type shelf struct {
	In    rtl.In[uint64]
	Small rtl.Out[uint8]
	Row   []rtl.Out[uint32]
	Pair  rtl.Out[[2]uint16]
	Wide  rtl.Out[uint64]
}

func (s *shelf) Tick() {
	s.Small.Set(1)
	s.Row[1].Set(2)
	s.Pair.Set([2]uint16{3, 4})
	s.Wide.Set(s.In.Get() + 5)
}

// Generated code may know the registers of modules as one struct; where they are others by now, or lie elsewhere, it
// must not run.
func TestView(t *testing.T) {
	sim := rtl.New(rtl.Config{})
	sc := sim.Scope("top").On(sim.Clock("clk", clock.MHz(100)))
	a, b, c := &shelf{Row: make([]rtl.Out[uint32], 2)}, &shelf{Row: make([]rtl.Out[uint32], 3)},
		&shelf{Row: make([]rtl.Out[uint32], 3)}
	sc.Add("a", a)
	sc.Add("b", b)
	sc.Add("c", c)
	rtl.Connect(&a.Wide, &b.In) // so that they are one island
	rtl.Connect(&b.Wide, &c.In)
	rtl.Connect(&c.Wide, &a.In)
	require.NoError(t, sim.Elaborate())
	require.NoError(t, sim.Clocks()[0].Run(1))
	type both struct {
		small  uint8
		row    [2]uint32
		pair   [2]uint16
		wide   uint64
		small2 uint8
		row2   [3]uint32
		pair2  [2]uint16
		wide2  uint64
	}
	v := fused.View[both](a, b)
	require.Equal(t, both{1, [2]uint32{0, 2}, [2]uint16{3, 4}, 5, 1, [3]uint32{0, 2}, [2]uint16{3, 4}, 5}, *v)
	v.wide2 = 6
	require.Equal(t, uint64(6), b.Wide.Get())

	type one struct {
		small uint8
		row   [2]uint32
		pair  [2]uint16
		wide  uint64
	}
	require.NotPanics(t, func() { fused.View[one](a) })
	require.Panics(t, func() { fused.View[one](b) }, "a register more in the row")
	require.Panics(t, func() { fused.View[both](b, a) }, "another order")
	require.Panics(t, func() { fused.View[both](a) }, "fewer modules")
	require.Panics(t, func() { fused.View[one](a, b) }, "more modules")
	type signed struct {
		small int8
		row   [2]uint32
		pair  [2]uint16
		wide  uint64
	}
	require.Panics(t, func() { fused.View[signed](a) }, "another type")
	require.Panics(t, func() { fused.View[both](a, c) }, "another place: there is one between them")
}

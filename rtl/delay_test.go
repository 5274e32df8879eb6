package rtl_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// delayed remembers every value that a delay could read, and looks for the value of some edges ago.
type delayed struct {
	clk    *rtl.Clock
	in     func() uint64
	out    *rtl.Out[uint64]
	edges  int
	before uint64
	read   []uint64
	wrong  string
}

func (d *delayed) Observe(edges rtl.Edges) {
	if edges.Has(d.clk) {
		d.read = append(d.read, d.before)
		want := uint64(0)
		if k := len(d.read) - d.edges; k >= 0 {
			want = d.read[k]
		}
		if got := d.out.Get(); got != want && d.wrong == "" {
			d.wrong = fmt.Sprintf("%d edges: %#x after edge %d, want %#x", d.edges, got, len(d.read), want)
		}
	}
	d.before = d.in()
}

// Delays of all lengths, in chains and circles, of registers and wires, of the same clock and another, in all modes.
func TestDelayTakesItsEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sim := rtl.New(
			rapid.SampledFrom([]rtl.Config{{}, {Mode: rtl.Strict, Seed: 1}, {Mode: rtl.Parallel, Workers: 2}}).Draw(t, "mode"),
		)
		clocks := []*rtl.Clock{sim.Clock("a", clock.MHz(100)), sim.Clock("b", clock.MHz(150), clock.MustTime("1ns"))}
		var nodes [2][4]fib
		var outs [2][]*rtl.Out[uint64]
		for c := range nodes {
			for i := range nodes[c] {
				n := &nodes[c][i]
				n.seed = uint64(4*c + i)
				sim.Scope("node").On(clocks[c]).Add(fmt.Sprintf("n%d_%d", c, i), n)
				outs[c] = append(outs[c], &n.Out)
			}
		}
		delays := make([]rtl.Delay[uint64], rapid.IntRange(1, 12).Draw(t, "delays"))
		wires := make([]rtl.AsyncDelay[uint64], rapid.IntRange(1, 6).Draw(t, "wires"))
		at := make([]int, len(delays)+len(wires)) // the clock of each
		var watch []*delayed
		for i := range at {
			at[i] = rapid.IntRange(0, 1).Draw(t, "clock")
			d := &delayed{clk: clocks[at[i]], edges: rapid.IntRange(1, 5).Draw(t, "edges")}
			scope := sim.Scope("delay").On(d.clk)
			if i < len(delays) {
				delays[i].Edges, d.out, d.in = d.edges, &delays[i].Out, delays[i].In.Get
				scope.Add(fmt.Sprintf("d%d", i), &delays[i])
			} else {
				w := &wires[i-len(delays)]
				w.Edges, d.out, d.in = d.edges, &w.Out, w.In.Get
				scope.Add(fmt.Sprintf("w%d", i), w)
			}
			outs[at[i]] = append(outs[at[i]], d.out)
			watch = append(watch, d)
		}
		for i := range at {
			if i >= len(delays) {
				rtl.Connect(rapid.SampledFrom(append(outs[0], outs[1]...)).Draw(t, "source"), &wires[i-len(delays)].In)
			} else if rapid.IntRange(0, 3).Draw(t, "of a wire") == 0 {
				rtl.Connect(&nodes[at[i]][i%4].Xor, &delays[i].In)
			} else {
				rtl.Connect(rapid.SampledFrom(outs[at[i]]).Draw(t, "source"), &delays[i].In)
			}
		}
		for c := range nodes {
			for i := range nodes[c] {
				rtl.Connect(rapid.SampledFrom(outs[c]).Draw(t, "a"), &nodes[c][i].A)
				rtl.Connect(rapid.SampledFrom(outs[c]).Draw(t, "b"), &nodes[c][i].B)
			}
		}
		require.NoError(t, sim.Elaborate())
		for _, d := range watch {
			d.before = d.in()
			sim.Observe(d)
		}
		require.NoError(t, clocks[0].Run(20))
		for range 3 {
			require.NoError(t, sim.Step())
		}
		require.NoError(t, clocks[1].Run(20))
		for _, d := range watch {
			require.Empty(t, d.wrong)
			require.Greater(t, len(d.read), 30)
		}
	})
}

func TestDelayWantsAnEdge(t *testing.T) {
	sim := rtl.New(rtl.Config{})
	var d rtl.Delay[bool]
	sim.Scope("top").On(sim.Clock("clk", clock.MHz(100))).Add("none", &d)
	rtl.Tie(true, &d.In)
	require.EqualError(t, sim.Elaborate(), "bad delay: top.none is a delay of 0 edges, want at least 1")
}

// inverting would be a delay that does more, but the kernel moves its value and Tick changes nothing.
type inverting struct{ rtl.Delay[bool] }

func (i *inverting) Tick() { i.Out.Set(!i.In.Get()) }

func TestDelayIsNotEmbedded(t *testing.T) {
	sim := rtl.New(rtl.Config{})
	i := &inverting{rtl.Delay[bool]{Edges: 1}}
	sim.Scope("top").On(sim.Clock("clk", clock.MHz(100))).Add("i", i)
	rtl.Tie(true, &i.In)
	require.EqualError(
		t, sim.Elaborate(), "bad delay: top.i embeds a delay, which the kernel moves without it: want the delay itself",
	)
}

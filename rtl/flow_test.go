package rtl_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/fused"
)

// lag reads a register of another clock at once.
type lag struct {
	In  rtl.Async[uint64]
	Out rtl.Out[uint64]
}

func (l *lag) Tick() { l.Out.Set(l.Out.Get()<<1 ^ l.In.Get()) }

// newDelta makes one large island of six groups. A group reads registers and wires of earlier groups, at once or
// through a short delay. Only group 0 reads later groups, through delays long enough to be cut.
func newDelta(t testing.TB, cfg rtl.Config, seed uint64) *archipelago {
	rng := rand.New(rand.NewPCG(seed, 17))
	a := &archipelago{sim: rtl.New(cfg), groups: make([][]fib, 6)}
	a.clocks = []*rtl.Clock{
		a.sim.Clock("core", clock.MHz(400)), a.sim.Clock("twice", clock.MHz(800)),
		a.sim.Clock("line", clock.MHz(400), clock.MustTime("1.1ns")),
	}
	clocks := make([]*rtl.Clock, len(a.groups))
	for _, g := range rng.Perm(len(a.groups)) { // added in any order
		clocks[g] = a.clocks[rng.IntN(3)*rng.IntN(2)]
		a.groups[g] = make([]fib, 16)
		sc := a.sim.Scope(fmt.Sprintf("g%d", g)).On(clocks[g])
		for i := range a.groups[g] {
			a.groups[g][i].seed = rng.Uint64()
			sc.Add(fmt.Sprintf("n%d", i), &a.groups[g][i])
		}
	}
	for g, nodes := range a.groups {
		sc := a.sim.Scope(fmt.Sprintf("g%d", g)).On(clocks[g])
		for i := range nodes {
			n := &nodes[i]
			if i > 0 || g == 0 {
				rtl.Connect(&nodes[(i+1)%16].Out, &n.A)
			}
			from := rng.IntN(max(g, 1))
			far := &a.groups[from][rng.IntN(16)]
			name := fmt.Sprintf("far%d", i)
			switch same := clocks[from] == clocks[g]; {
			case i%4 > 0:
				rtl.Connect(&nodes[(i+2)%16].Out, &n.B)
			case g == 0: // from any group, long ago
				far = &a.groups[rng.IntN(6)][i]
				d := &rtl.AsyncDelay[uint64]{Edges: 17 + rng.IntN(60)}
				sc.Add(name, d)
				rtl.Connect(&far.Out, &d.In)
				rtl.Connect(&d.Out, &n.B)
			case same && i == 4: // a Wire that depends on a Wire of another group
				rtl.Connect(&far.Xor, &n.B)
			case same && i == 8:
				rtl.Connect(&far.Out, &n.B)
			case i == 12:
				d := &rtl.AsyncDelay[uint64]{Edges: 1 + rng.IntN(30)}
				sc.Add(name, d)
				rtl.Connect(&far.Out, &d.In)
				rtl.Connect(&d.Out, &n.B)
			default:
				l := &lag{}
				sc.Add(name, l)
				rtl.Connect(&far.Out, &l.In)
				rtl.Connect(&l.Out, &n.B)
			}
			if i == 0 && g > 0 {
				if clocks[from] == clocks[g] {
					rtl.Connect(&far.Xor, &n.A) // settled before Xor of this one
				} else {
					rtl.Connect(&nodes[1].Out, &n.A)
				}
			}
		}
	}
	require.NoError(t, a.sim.Elaborate())
	for _, nodes := range a.groups {
		l := &islandLog{a: &nodes[0], b: &nodes[15]}
		a.logs = append(a.logs, l)
		a.sim.Watch(l, l.a, l.b)
	}
	return a
}

// scribe writes down its name at each edge.
type scribe struct {
	name  string
	trace *string
}

func (s *scribe) Observe(rtl.Edges) { *s.trace += s.name }

// newRelay makes one large island of four parts. The third and the fourth read others by short delays only. A long
// delay leads back.
func newRelay(t *testing.T, cfg rtl.Config) (*rtl.Sim, [][]fib) {
	sim := rtl.New(cfg)
	clk := sim.Clock("clk", clock.MHz(100))
	rings := make([][]fib, 4)
	for g := range rings {
		rings[g] = make([]fib, 30)
		sc := sim.Scope(fmt.Sprintf("g%d", g)).On(clk)
		for i := range rings[g] {
			n := &rings[g][i]
			n.seed = uint64(100*g + i)
			sc.Add(fmt.Sprintf("n%d", i), n)
			rtl.Connect(&rings[g][(i+1)%30].Out, &n.A)
			if i > 1 {
				rtl.Connect(&rings[g][(i+2)%30].Out, &n.B)
			}
		}
	}
	for _, c := range []struct{ from, to, i, edges int }{
		{0, 0, 0, 0}, {3, 0, 1, 20}, {0, 1, 0, 0}, {0, 1, 1, 5}, {0, 2, 0, 2}, {1, 2, 1, 16}, {2, 3, 0, 3}, {2, 3, 1, 17},
	} {
		src, dst := &rings[c.from][c.i].Out, &rings[c.to][c.i].B
		if c.edges > 0 {
			d := &rtl.Delay[uint64]{Edges: c.edges}
			sim.Scope(fmt.Sprintf("g%d", c.to)).On(clk).Add(fmt.Sprintf("d%d", c.i), d)
			rtl.Connect(src, &d.In)
			src = &d.Out
		}
		rtl.Connect(src, dst)
	}
	require.NoError(t, sim.Elaborate())
	return sim, rings
}

// Parts that only short delays join have their levels, too: windows are as long as the delay that leads back allows,
// and workers wait.
func TestPartsThatShortDelaysJoin(t *testing.T) {
	a, all := newRelay(t, rtl.Config{})
	require.Len(t, a.Islands(), 4)
	var trace string
	for g := range all {
		a.Watch(&scribe{fmt.Sprint(g), &trace}, &all[g][0])
	}
	require.NoError(t, a.Clocks()[0].Run(20))
	require.Equal(
		t, strings.Repeat("0", 19)+strings.Repeat("1", 19)+strings.Repeat("2", 19)+strings.Repeat("3", 19)+"0123", trace,
	)
	require.NoError(t, a.Clocks()[0].Run(480))
	for _, workers := range []int{1, 2, 3, 5} {
		b, same := newRelay(t, rtl.Config{Mode: rtl.Parallel, Workers: workers})
		require.NoError(t, b.Clocks()[0].Run(500))
		require.Equal(t, all[3][0].sum, same[3][0].sum, "%d workers", workers)
	}
	c, same := newRelay(t, rtl.Config{Mode: rtl.Strict})
	require.NoError(t, c.Clocks()[0].Run(500))
	require.Equal(t, all[3][0].sum, same[3][0].sum)
}

// An island that is not cut waits for none of a cut one's levels, so a window is shorter than the delay between them,
// even where nothing comes back.
func TestIslandAfterACutOne(t *testing.T) {
	var want uint64
	for _, cfg := range []rtl.Config{{}, {Mode: rtl.Strict}, {Mode: rtl.Parallel, Workers: 2},
		{Mode: rtl.Parallel, Workers: 3}} {
		sim := rtl.New(cfg)
		clk := sim.Clock("clk", clock.MHz(100))
		var groups [3][]fib
		for g, size := range []int{60, 60, 4} { // the first two are one island, of two levels
			groups[g] = make([]fib, size)
			sc := sim.Scope(fmt.Sprintf("g%d", g)).On(clk)
			for i := range groups[g] {
				n := &groups[g][i]
				n.seed = uint64(100*g + i)
				sc.Add(fmt.Sprintf("n%d", i), n)
				rtl.Connect(&groups[g][(i+1)%size].Out, &n.A)
				if i > 0 || g == 0 {
					rtl.Connect(&groups[g][(i+2)%size].Out, &n.B)
				}
			}
		}
		d := &rtl.Delay[uint64]{Edges: 20}
		sim.Scope("g2").On(clk).Add("d", d)
		rtl.Connect(&groups[0][0].Out, &groups[1][0].B)
		rtl.Connect(&groups[1][0].Out, &d.In)
		rtl.Connect(&d.Out, &groups[2][0].B)
		require.NoError(t, sim.Elaborate())
		require.NoError(t, clk.Run(1500))
		if want == 0 {
			want = groups[2][0].sum
			require.Len(t, sim.Islands(), 3)
		}
		require.Equal(t, want, groups[2][0].sum, "%+v", cfg)
	}
}

// A delay of one edge goes with its source. Without other delays, windows are no longer than passages. In lockstep one
// worker settles the wires of two parts, the first of one after the last of the other.
func TestCutWithoutDelays(t *testing.T) {
	var last [3]uint64
	for k, cfg := range []rtl.Config{{}, {}, {Mode: rtl.Parallel, Workers: 2}} {
		sim := rtl.New(cfg)
		clk := sim.Clock("clk", clock.MHz(100))
		var rings [2][50]fib
		var d [2]rtl.Delay[uint64]
		for g := range rings {
			sc := sim.Scope(fmt.Sprintf("g%d", g)).On(clk)
			for i := range rings[g] {
				n := &rings[g][i]
				n.seed = uint64(i)
				sc.Add(fmt.Sprintf("n%d", i), n)
				if i+g == 0 {
					rtl.Connect(&rings[1][49].Xor, &n.A)
				} else {
					rtl.Connect(&rings[g][(i+1)%50].Out, &n.A)
					rtl.Connect(&n.Out, &n.B)
				}
			}
		}
		for i := range d {
			d[i].Edges = 1
			sim.Scope("g0").On(clk).Add(fmt.Sprintf("d%d", i), &d[i])
		}
		rtl.Connect(&rings[1][0].Out, &d[0].In)
		rtl.Connect(&d[0].Out, &d[1].In)
		rtl.Connect(&d[1].Out, &rings[0][0].B)
		require.NoError(t, sim.Elaborate())
		require.Len(t, sim.Islands(), 2)
		require.Len(t, sim.Islands()[1].Modules, 52)
		if k > 0 {
			sim.Observe(nobody{})
		}
		require.NoError(t, clk.Run(300))
		last[k] = rings[0][0].sum
	}
	require.Equal(t, last[1], last[0])
	require.Equal(t, last[1], last[2])
}

// An island that is not large stays whole, and so does a large one whose scopes make a circle.
func TestLargeIslands(t *testing.T) {
	for _, c := range []struct {
		each    int
		circle  bool
		islands int
	}{{47, false, 1}, {48, false, 2}, {48, true, 1}} {
		sim := rtl.New(rtl.Config{})
		clk := sim.Clock("clk", clock.MHz(100))
		var rings [2][]fib
		for g := range rings {
			rings[g] = make([]fib, c.each)
			sc := sim.Scope(fmt.Sprintf("g%d", g)).On(clk)
			for i := range rings[g] {
				sc.Add(fmt.Sprintf("n%d", i), &rings[g][i])
				rtl.Connect(&rings[g][(i+1)%c.each].Out, &rings[g][i].A)
				if i > 0 {
					rtl.Connect(&rings[g][i].Out, &rings[g][i].B)
				}
			}
		}
		rtl.Connect(&rings[0][0].Out, &rings[1][0].B)
		if back := &rings[0][0]; c.circle {
			rtl.Connect(&rings[1][0].Out, &back.B)
		} else {
			rtl.Connect(&back.Out, &back.B)
		}
		require.NoError(t, sim.Elaborate())
		islands := sim.Islands()
		require.Len(t, islands, c.islands, "%+v", c)
		if c.islands == 2 {
			require.True(t, strings.HasPrefix(islands[0].Modules[0], "g0"))
			require.Len(t, islands[0].Modules, c.each)
			require.Contains(t, fused.Shapes(sim)[0].Text, "\ngives 0.out\n")
			require.Contains(t, fused.Shapes(sim)[1].Text, " b<outside\n")
		}
	}
}

// Where chains of different length meet, the longest counts, in whichever order it is read; and the island with the
// most levels, wherever it stands. One more island is not cut, and reads the end of a chain from long ago.
func TestLevelsWhereChainsMeet(t *testing.T) {
	type arrow struct{ from, to, i int }
	const size = 30
	// 0 → 1 → 2 → 3 → 4, and shortcuts to its end, read before and after the longest way; 5 → 6 → 7 → 8 beside it
	chains := []arrow{
		{
			0, 1, 0,
		},
		{1, 2, 0},
		{2, 3, 0},
		{0, 3, 1},
		{0, 4, 0},
		{3, 4, 1},
		{1, 4, 2},
		{5, 6, 0},
		{6, 7, 0},
		{7, 8, 0},
		{5, 8, 1},
	}
	for name, order := range map[string][]int{"deep first": {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
		"deep last": {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}} {
		build := func(cfg rtl.Config) (*rtl.Sim, [10][]fib) {
			sim := rtl.New(cfg)
			clk := sim.Clock("clk", clock.MHz(100))
			var rings [10][]fib
			for _, g := range order {
				rings[g] = make([]fib, size)
				sc := sim.Scope(fmt.Sprintf("g%d", g)).On(clk)
				for i := range rings[g] {
					n := &rings[g][i]
					n.seed = uint64(100*g + i)
					sc.Add(fmt.Sprintf("n%d", i), n)
				}
			}
			from := map[*fib]*fib{}
			for _, a := range chains {
				from[&rings[a.to][a.i]] = &rings[a.from][0]
			}
			for g := range rings {
				for i := range rings[g] {
					n := &rings[g][i]
					rtl.Connect(&rings[g][(i+1)%size].Out, &n.A)
					switch src := from[n]; {
					case g == 9 && i == 0:
						d := &rtl.Delay[uint64]{Edges: 40}
						sim.Scope("g9").On(clk).Add("d", d)
						rtl.Connect(&rings[4][0].Out, &d.In)
						rtl.Connect(&d.Out, &n.B)
					case src != nil:
						rtl.Connect(&src.Out, &n.B)
					default:
						rtl.Connect(&rings[g][(i+2)%size].Out, &n.B)
					}
				}
			}
			require.NoError(t, sim.Elaborate())
			require.NoError(t, clk.Run(700))
			return sim, rings
		}
		sums := func(rings [10][]fib) (list []uint64) {
			for _, r := range rings {
				for i := range r {
					list = append(list, r[i].sum)
				}
			}
			return list
		}
		sim, rings := build(rtl.Config{})
		require.Len(t, sim.Islands(), 10)
		_, same := build(rtl.Config{Mode: rtl.Strict})
		require.Equal(t, sums(same), sums(rings), name)
		for _, workers := range []int{2, 3, 5} {
			_, same := build(rtl.Config{Mode: rtl.Parallel, Workers: workers})
			require.Equal(t, sums(same), sums(rings), "%s, %d workers", name, workers)
		}
	}
}

// Registers lie in the order of adding, also where a Wire joins modules that were not added one after the other:
// generated code counts on it.
func TestRegistersLieInTheOrderOfAdding(t *testing.T) {
	sim := rtl.New(rtl.Config{})
	sc := sim.Scope("top").On(sim.Clock("clk", clock.MHz(100)))
	var n [3]fib
	for i := range n {
		sc.Add(fmt.Sprintf("n%d", i), &n[i])
		rtl.Connect(&n[i].Out, &n[i].B)
	}
	rtl.Connect(&n[1].Out, &n[0].A)
	rtl.Connect(&n[2].Out, &n[1].A)
	rtl.Connect(&n[0].Xor, &n[2].A)
	require.NoError(t, sim.Elaborate())
	require.NotPanics(t, func() { fused.View[struct{ First, Second, Third uint64 }](&n[0], &n[1], &n[2]) })
}

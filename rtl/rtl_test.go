package rtl_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// register copies its input at each edge; it starts at init.
type register struct {
	In  rtl.In[uint8]
	Out rtl.Out[uint8]

	init uint8
}

func (r *register) Reset() { r.Out.Set(r.init) }
func (r *register) Tick()  { r.Out.Set(r.In.Get()) }

// inverter is a combinational module.
type inverter struct {
	In  rtl.In[uint8]
	Out rtl.Wire[uint8]
}

func (i *inverter) Comb() { i.Out.Set(^i.In.Get()) }
func (i *inverter) Tick() {}

// counter counts its own edges.
type counter struct {
	Out rtl.Out[uint8]

	count uint8 `bits:"7"`
}

func (c *counter) Tick() {
	c.count = (c.count + 1) % 128
	c.Out.Set(c.count)
}

// build elaborates what f adds to a scope "top" on a clock "clk".
func build(t testing.TB, cfg rtl.Config, f func(top *rtl.Scope)) (*rtl.Sim, *rtl.Clock) {
	t.Helper()
	sim := rtl.New(cfg)
	clk := sim.Clock("clk", clock.MHz(100))
	f(sim.Scope("top").On(clk))
	require.NoError(t, sim.Elaborate())
	return sim, clk
}

// Two registers that feed each other swap their values at every edge, whichever ticks first.
func TestRegistersSwap(t *testing.T) {
	for _, cfg := range []rtl.Config{{}, {Mode: rtl.Strict, Seed: 1}, {Mode: rtl.Strict, Seed: 2},
		{Mode: rtl.Parallel, Workers: 2}} {
		a, b := &register{init: 1}, &register{init: 2}
		_, clk := build(t, cfg, func(top *rtl.Scope) {
			top.Add("a", a)
			top.Add("b", b)
			rtl.Connect(&a.Out, &b.In)
			rtl.Connect(&b.Out, &a.In)
		})
		for i := range 8 {
			got := []uint8{a.Out.Get(), b.Out.Get()}
			require.Equal(t, [][]uint8{{1, 2}, {2, 1}}[i%2], got, "%v, cycle %d", cfg.Mode, i)
			require.NoError(t, clk.Run(1))
		}
		require.EqualValues(t, 8, clk.Cycle())
		require.Equal(t, "80ns", clk.Time().String())
	}
}

// A chain of wires added in the wrong order settles within the cycle.
func TestCombsRunInOrderOfTheirWires(t *testing.T) {
	var inv [5]inverter
	src, dst := &counter{}, &register{}
	_, clk := build(t, rtl.Config{}, func(top *rtl.Scope) {
		top.Add("dst", dst)
		for i := len(inv) - 1; i >= 0; i-- {
			top.Add(fmt.Sprintf("inv_%d", i), &inv[i])
			if i > 0 {
				rtl.Connect(&inv[i-1].Out, &inv[i].In)
			}
		}
		top.Add("src", src)
		rtl.Connect(&src.Out, &inv[0].In)
		rtl.Connect(&inv[4].Out, &dst.In)
	})
	for cycle := range uint8(5) {
		require.NoError(t, clk.Run(1))
		require.Equal(t, ^cycle, dst.Out.Get(), "five inversions of the value before edge %d", cycle+1)
	}
}

// handshake has a Wire each way: Ready depends on registers only, Taken on the other side's Valid.
type handshake struct {
	Valid rtl.In[bool]
	Ready rtl.Wire[bool] `comb:"none"`
	Taken rtl.Wire[bool] `comb:"Valid"`

	phase bool `bits:"1"`
}

func (h *handshake) Comb() {
	h.Ready.Set(h.phase)
	h.Taken.Set(h.phase && h.Valid.Get())
}
func (h *handshake) Tick() { h.phase = !h.phase }

// offer is valid when the other side is ready.
type offer struct {
	Ready rtl.In[bool]
	Valid rtl.Wire[bool]
}

func (o *offer) Comb() { o.Valid.Set(o.Ready.Get()) }
func (o *offer) Tick() {}

// Ready → Valid → Taken passes through both modules and back: no loop, because the comb tags list the inputs of each
// wire. It takes two calls of handshake's Comb a cycle.
func TestWiresBetweenTwoModulesInBothDirections(t *testing.T) {
	for _, mode := range []rtl.Mode{rtl.Fast, rtl.Strict, rtl.Parallel} {
		h, o := &handshake{}, &offer{}
		sim, clk := build(t, rtl.Config{Mode: mode}, func(top *rtl.Scope) {
			top.Add("h", h)
			top.Add("o", o)
			rtl.Connect(&h.Ready, &o.Ready)
			rtl.Connect(&o.Valid, &h.Valid)
		})
		rtl.NewTraceHash(sim) // an observer, so that the wires settle after the edge
		for i := range 6 {
			require.NoError(t, clk.Run(1))
			require.Equal(t, i%2 == 0, h.Taken.Get())
		}
	}
}

// echo reads its own wire: Heard follows the earlier value of Said, although Comb drives it first.
type echo struct {
	Mouth rtl.In[bool]
	Said  rtl.Wire[bool] `comb:"none"`
	Heard rtl.Wire[bool] `comb:"Mouth"`

	phase bool `bits:"1"`
}

func (e *echo) Comb() {
	e.Heard.Set(e.Mouth.Get())
	e.Said.Set(e.phase)
}
func (e *echo) Tick() { e.phase = !e.phase }

func TestWireOfItsOwnModule(t *testing.T) {
	for _, mode := range []rtl.Mode{rtl.Fast, rtl.Strict, rtl.Parallel} {
		e := &echo{}
		_, clk := build(t, rtl.Config{Mode: mode}, func(top *rtl.Scope) {
			top.Add("e", e)
			rtl.Connect(&e.Said, &e.Mouth)
		})
		for i := range 6 {
			require.NoError(t, clk.Run(1))
			require.Equal(t, i%2 == 0, e.Heard.Get(), "%v", mode)
		}
	}
}

// A value poked in from outside between two runs goes through the wires before the next edge.
func TestWiresSettleBeforeTheFirstEdge(t *testing.T) {
	for _, mode := range []rtl.Mode{rtl.Fast, rtl.Strict, rtl.Parallel} {
		from, inv, dst := &feeder{}, &inverter{}, &register{}
		ports, err := rtl.Ports(inv)
		require.NoError(t, err)
		from.Out.Replace(&ports[0])
		sim, clk := build(t, rtl.Config{Mode: mode, Workers: 2}, func(top *rtl.Scope) {
			top.Add("from", from)
			top.Add("inv", inv)
			top.Add("dst", dst)
			rtl.Connect(&inv.Out, &dst.In)
		})
		for i := range uint8(3) {
			from.Out.Poke(0, uint64(10+i))
			require.NoError(t, clk.Run(1))
			require.Equal(t, ^(10 + i), dst.Out.Get(), "%v", mode)
			from.Out.Poke(0, uint64(20+i))
			require.NoError(t, sim.Step())
			require.Equal(t, ^(20 + i), dst.Out.Get(), "%v", mode)
		}
	}
}

// feeder is where something is poked in.
type feeder struct{ Out rtl.Feed }

func (*feeder) Tick() {}

// slowEye looks at the counter of a distant module, and again a while later: nobody may go on meanwhile.
type slowEye struct {
	far   *rtl.Signal
	moved int
	seen  int
}

func (e *slowEye) Observe(rtl.Edges) {
	v := e.far.Value(0)
	for range 5 {
		runtime.Gosched()
		if e.far.Value(0) != v {
			e.moved++
			return
		}
	}
	e.seen++
}

// In parallel mode all workers wait until an observer has looked, at probes as at ports.
func TestParallelWaitsForObservers(t *testing.T) {
	counters := make([]counter, 8)
	sim, clk := build(t, rtl.Config{Mode: rtl.Parallel, Workers: 2}, func(top *rtl.Scope) {
		for i := range counters {
			top.Add(fmt.Sprintf("c%d", i), &counters[i])
		}
	})
	last := sim.Signals()[len(sim.Signals())-1]
	require.Equal(t, rtl.Probe, last.Kind)
	eye := &slowEye{far: last}
	sim.Observe(eye)
	require.NoError(t, clk.Run(500))
	require.Equal(t, []int{0, 500}, []int{eye.moved, eye.seen})
}

func TestTieGivesAConstant(t *testing.T) {
	r := &register{}
	_, clk := build(t, rtl.Config{Mode: rtl.Strict}, func(top *rtl.Scope) {
		top.Add("r", r)
		rtl.Tie(42, &r.In)
	})
	require.NoError(t, clk.Run(1))
	require.EqualValues(t, 42, r.Out.Get())
}

type bank struct {
	Lanes [2]rtl.In[uint8]
	Sums  []rtl.Out[uint8]
	Meta  struct{ Done rtl.Out[bool] }
}

func (b *bank) Tick() {
	for i := range b.Sums {
		b.Sums[i].Set(b.Lanes[i].Get())
	}
	b.Meta.Done.Set(true)
}

func TestPortsInArraysSlicesAndGroups(t *testing.T) {
	b := &bank{Sums: make([]rtl.Out[uint8], 2)}
	ports, err := rtl.Ports(b)
	require.NoError(t, err)
	var got []string
	for _, p := range ports {
		got = append(got, fmt.Sprintf("%v %s [%d]", p.Dir, p.Name, p.Width()))
	}
	require.Equal(
		t, []string{"in lanes_0 [8]", "in lanes_1 [8]", "out sums_0 [8]", "out sums_1 [8]", "out meta_done [1]"}, got,
	)

	c := &counter{}
	sim, clk := build(t, rtl.Config{}, func(top *rtl.Scope) {
		top.Add("bank", b)
		top.Add("count", c)
		rtl.Connect(&c.Out, &b.Lanes[0], &b.Lanes[1])
	})
	require.NoError(t, clk.Run(3))
	require.EqualValues(t, 2, b.Sums[1].Get())
	require.EqualValues(t, 3, ports[0].Value(0), "a PortInfo taken before elaboration reads the running module")
	var paths []string
	for _, s := range sim.Signals() {
		paths = append(paths, s.Path)
	}
	require.Equal(
		t, []string{"top.bank.sums_0", "top.bank.sums_1", "top.bank.meta_done", "top.count.out", "top.count.count"},
		paths,
	)
	require.Equal(t, 7, sim.Signals()[4].Leaves[0].Width)
	require.EqualValues(t, 3, sim.Signals()[4].Value(0))
}

// fib holds the sum of two neighbours' last values: a network in which any error in the two-phase rule spreads.
type fib struct {
	A, B rtl.In[uint64]
	Out  rtl.Out[uint64]
	Xor  rtl.Wire[uint64] `comb:"A"`

	seed uint64
	sum  uint64 `bits:"64"`
}

func (f *fib) Reset() { f.sum = f.seed; f.Out.Set(f.seed) }
func (f *fib) Comb()  { f.Xor.Set(f.A.Get() ^ f.sum) }
func (f *fib) Tick() {
	f.sum = f.sum*0x9e3779b97f4a7c15 + f.A.Get() + f.Xor.Get()>>7 + f.B.Get()
	f.Out.Set(f.sum)
}

// network is n nodes in two clock domains, each reading an Out of one neighbour and a Wire of another.
func network(t testing.TB, cfg rtl.Config, n int) (*rtl.Sim, *rtl.Clock) {
	sim := rtl.New(cfg)
	clocks := []*rtl.Clock{
		sim.Clock("fast", clock.MHz(644.53125)), sim.Clock("slow", clock.MHz(156.25), clock.MustTime("1.92ns")),
	}
	for d, clk := range clocks {
		sc := sim.Scope(clk.Name()).On(clk)
		nodes := make([]fib, n)
		for i := range nodes {
			nodes[i].seed = uint64(i*7 + d)
			sc.Add(fmt.Sprintf("n%d", i), &nodes[i])
		}
		for i := range nodes {
			rtl.Connect(&nodes[(i+1)%n].Out, &nodes[i].A)
			if i%4 == 3 {
				rtl.Connect(&nodes[i-1].Xor, &nodes[i].B)
			} else {
				rtl.Connect(&nodes[(i+2)%n].Out, &nodes[i].B)
			}
		}
	}
	require.NoError(t, sim.Elaborate())
	return sim, clocks[0]
}

func TestAllModesGiveTheSameTrace(t *testing.T) {
	const nodes, cycles = 24, 500
	run := func(cfg rtl.Config) uint64 {
		sim, clk := network(t, cfg, nodes)
		h := rtl.NewTraceHash(sim)
		require.NoError(t, clk.Run(cycles/2))
		require.NoError(t, clk.Run(cycles/2))
		return h.Sum()
	}
	want := run(rtl.Config{})
	// taken in November 2026, when the edges of an instant were one word: the same bits on every machine and ever after
	require.Equal(t, uint64(0xaae43046d2e5a5fb), want)
	for seed := range uint64(3) {
		require.Equal(t, want, run(rtl.Config{Mode: rtl.Strict, Seed: seed}), "strict, seed %d", seed)
	}
	for _, w := range []int{1, 2, 3, 5} {
		require.Equal(t, want, run(rtl.Config{Mode: rtl.Parallel, Workers: w}), "%d workers", w)
	}
}

// The hash must tell traces apart: one bit more in one node's seed changes it.
func TestTraceHashSeesOneBit(t *testing.T) {
	hash := func(init uint8) uint64 {
		r := &register{init: init}
		sim, clk := build(t, rtl.Config{}, func(top *rtl.Scope) {
			top.Add("r", r)
			rtl.Tie(0, &r.In)
		})
		h := rtl.NewTraceHash(sim)
		require.NoError(t, clk.Run(1))
		require.NotZero(t, h.Sum())
		_ = init
		return h.Sum()
	}
	require.Equal(t, hash(1), hash(1))
	// after the first edge the register holds the tied zero in both cases: the hash starts after elaboration
	require.Equal(t, hash(0), hash(1))

	counters := func(skip int) uint64 {
		c := &counter{count: uint8(skip)}
		sim, clk := build(t, rtl.Config{}, func(top *rtl.Scope) { top.Add("c", c) })
		h := rtl.NewTraceHash(sim)
		require.NoError(t, clk.Run(3))
		return h.Sum()
	}
	seen := map[uint64]bool{}
	for i := range 128 {
		seen[counters(i)] = true
	}
	require.Len(t, seen, 128)
}

func TestRunUntil(t *testing.T) {
	c := &counter{}
	_, clk := build(t, rtl.Config{}, func(top *rtl.Scope) { top.Add("c", c) })
	ok, err := clk.RunUntil(100, func() bool { return c.Out.Get() == 9 })
	require.NoError(t, err)
	require.True(t, ok)
	require.EqualValues(t, 9, clk.Cycle())
	ok, err = clk.RunUntil(5, func() bool { return false })
	require.NoError(t, err)
	require.False(t, ok)
}

package blocks_test

import (
	"bytes"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// numbers writes 1, 2, 3, … when it may and its random numbers say so.
type numbers struct {
	Ready rtl.In[bool]
	Out   rtl.Out[uint32]
	Push  rtl.Out[bool]

	rng  *rand.Rand
	rate float64
	next uint32
}

func (n *numbers) Tick() {
	if n.Push.Get() && !n.Ready.Get() {
		return // hold
	}
	push := n.rng.Float64() < n.rate
	if push {
		n.next++
		n.Out.Set(n.next)
	}
	n.Push.Set(push)
}

// taker takes values when its random numbers say so.
type taker struct {
	In    rtl.In[uint32]
	Valid rtl.In[bool]
	Pop   rtl.Out[bool]

	rng  *rand.Rand
	rate float64
	got  []uint32
}

func (k *taker) Tick() {
	if k.Valid.Get() && k.Pop.Get() {
		k.got = append(k.got, k.In.Get())
	}
	k.Pop.Set(k.rng.Float64() < k.rate)
}

func crossing(t require.TestingT, cfg rtl.Config, depth int, fw, fr clock.Freq, phase clock.Time, rates [2]float64,
	seed uint64) ([]uint32, uint32) {
	sim := rtl.New(cfg)
	w, r := sim.Scope("w").On(sim.Clock("wr", fw)), sim.Scope("r").On(sim.Clock("rd", fr, phase))
	f := blocks.NewAsyncFIFO[uint32](depth)
	src := &numbers{rng: rand.New(rand.NewPCG(seed, 1)), rate: rates[0]}
	dst := &taker{rng: rand.New(rand.NewPCG(seed, 2)), rate: rates[1]}
	f.Add("fifo", w, r)
	w.Add("src", src)
	r.Add("dst", dst)
	rtl.Connect(&src.Out, &f.Write.In)
	rtl.Connect(&src.Push, &f.Write.Push)
	rtl.Connect(&f.Write.Ready, &src.Ready)
	rtl.Connect(&f.Read.Out, &dst.In)
	rtl.Connect(&f.Read.Valid, &dst.Valid)
	rtl.Connect(&dst.Pop, &f.Read.Pop)
	require.NoError(t, sim.Elaborate())
	require.NoError(t, w.Clock().Run(1500))
	return dst.got, src.next
}

// Nothing is lost, repeated or reordered, whatever the clocks, the phases, the stalls and the jitter of the pointers.
func TestAsyncFIFOKeepsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fw := clock.MHz(float64(rapid.IntRange(50, 400).Draw(t, "write MHz")))
		fr := clock.MHz(float64(rapid.IntRange(50, 400).Draw(t, "read MHz"))).PPM(float64(rapid.IntRange(-100,
			100).Draw(t, "ppm")))
		phase := clock.MustTime(fmt.Sprintf("%dps", rapid.IntRange(0, 5000).Draw(t, "phase")))
		depth := 1 << rapid.IntRange(1, 5).Draw(t, "depth")
		rates := [2]float64{rapid.Float64Range(0.1, 1).Draw(t, "push"), rapid.Float64Range(0.1, 1).Draw(t, "pop")}
		cfg := rtl.Config{Mode: rtl.Strict, Jitter: rapid.Bool().Draw(t, "jitter"), Seed: rapid.Uint64().Draw(t, "seed")}
		got, sent := crossing(t, cfg, depth, fw, fr, phase, rates, cfg.Seed)
		require.Greater(t, len(got), 10)
		for i, v := range got {
			require.EqualValues(t, i+1, v)
		}
		require.LessOrEqual(t, int(sent)-len(got), depth+3, "the rest is still inside")
	})
}

// The pointers that cross are Gray code, across the wrap too: a pointer changes by one bit at an edge, so that a
// sample taken meanwhile is the old value or the new one. In binary the same values would come out of a model without
// metastability.
func TestAsyncFIFOPointersAreGrayCode(t *testing.T) {
	for _, depth := range []int{2, 8, 32} {
		sim := rtl.New(rtl.Config{})
		w, r := sim.Scope("w").On(sim.Clock("wr", clock.MHz(100))), sim.Scope("r").On(sim.Clock("rd", clock.MHz(107)))
		f := blocks.NewAsyncFIFO[uint32](depth)
		f.Add("fifo", w, r)
		for _, in := range []*rtl.In[bool]{&f.Write.Push, &f.Read.Pop} {
			rtl.Tie(true, in)
		}
		rtl.Tie(uint32(1), &f.Write.In)
		require.NoError(t, sim.Elaborate())
		pointers := []*rtl.Out[uint16]{&f.Write.Pointer, &f.Read.Pointer}
		var last [2]uint16
		rounds := [2]int{}
		for range 2000 {
			require.NoError(t, sim.Step())
			for i, p := range pointers {
				now := p.Get()
				require.LessOrEqual(t, bits.OnesCount16(now^last[i]), 1, "pointer %d from %b to %b", i, last[i], now)
				if now == 0 && last[i] != 0 {
					rounds[i]++
				}
				last[i] = now
			}
		}
		require.Greater(t, min(rounds[0], rounds[1]), 3, "depth %d", depth)
	}
}

// Equal clocks and a depth of 8 carry a value a cycle: the round trip of the pointers is shorter.
func TestAsyncFIFORunsAtFullRate(t *testing.T) {
	got, _ := crossing(t, rtl.Config{}, 8, clock.MHz(100), clock.MHz(100), clock.MustTime("3ns"), [2]float64{1, 1}, 1)
	require.Greater(t, len(got), 1480)
}

// Each pointer takes two edges through its synchroniser, and the edge after them sees it. So a value written can be
// read, and a place given back can be written, 3 edges of the other clock after the edge that moved the pointer.
func TestAsyncFIFOSeesTheOtherSideAfterThreeEdges(t *testing.T) {
	sim := rtl.New(rtl.Config{Mode: rtl.Strict})
	wc, rc := sim.Clock("wr", clock.MHz(100)), sim.Clock("rd", clock.MHz(100), clock.MustTime("3ns"))
	w, r := sim.Scope("w").On(wc), sim.Scope("r").On(rc)
	f := blocks.NewAsyncFIFO[uint32](2)
	f.Add("fifo", w, r)
	push, pop := &level{}, &level{}
	w.Add("push", push)
	r.Add("pop", pop)
	rtl.Tie(uint32(7), &f.Write.In)
	rtl.Connect(&push.Out, &f.Write.Push)
	rtl.Connect(&pop.Out, &f.Read.Pop)
	require.NoError(t, sim.Elaborate())
	edges := func(c *rtl.Clock, done func() bool) (n int) {
		for ; !done(); n++ {
			require.Less(t, n, 100)
			require.NoError(t, c.Run(1))
		}
		return n
	}

	push.Level = true
	edges(wc, func() bool { return f.Write.Pointer.Get() != 0 })
	require.Equal(t, 3, edges(rc, f.Read.Valid.Get), "from a write to Valid")

	edges(wc, func() bool { return !f.Write.Ready.Get() })
	require.NoError(t, wc.Run(20))
	require.False(t, f.Write.Ready.Get(), "full, and nobody takes a value")
	before := f.Read.Pointer.Get()
	pop.Level = true
	edges(rc, func() bool { return f.Read.Pointer.Get() != before })
	require.Equal(t, 3, edges(wc, f.Write.Ready.Get), "from a read to Ready")
}

// A FIFO of any depth is full when it holds as many values as it is deep, beside the value at its output, wherever its
// pointers are and also after a checkpoint was restored.
func TestAsyncFIFOIsFullAtItsDepth(t *testing.T) {
	for depth := 2; depth <= 1024; depth *= 2 {
		made := func() (*rtl.Sim, *rtl.Clock, *level, *blocks.AsyncFIFO[uint32]) {
			sim := rtl.New(rtl.Config{})
			wc, rc := sim.Clock("wr", clock.MHz(100)), sim.Clock("rd", clock.MHz(100), clock.MustTime("3ns"))
			f, pop := blocks.NewAsyncFIFO[uint32](depth), &level{}
			r := sim.Scope("r").On(rc)
			f.Add("fifo", sim.Scope("w").On(wc), r)
			r.Add("pop", pop)
			rtl.Tie(true, &f.Write.Push)
			rtl.Tie(uint32(7), &f.Write.In)
			rtl.Connect(&pop.Out, &f.Read.Pop)
			require.NoError(t, sim.Elaborate())
			return sim, wc, pop, f
		}
		sim, clk, pop, f := made()
		for range 5 {
			pop.Level = false
			require.NoError(t, clk.Run(uint64(depth+20)))
			require.False(t, f.Write.Ready.Get())
			written, read := blocks.GrayToBinary(uint64(f.Write.Pointer.Get())),
				blocks.GrayToBinary(uint64(f.Read.Pointer.Get()))
			require.EqualValues(t, depth, (written-read)&uint64(2*depth-1), "written %d, read %d", written, read)
			var file bytes.Buffer
			require.NoError(t, sim.Save(&file))
			sim, clk, pop, f = made()
			require.NoError(t, clk.Run(5))
			require.NoError(t, sim.Restore(&file))
			pop.Level = true
			require.NoError(t, clk.Run(uint64(depth/2+9)))
		}
	}
}

// level is driven by the test.
type level struct {
	Out   rtl.Out[bool]
	Level bool
}

func (l *level) Tick() { l.Out.Set(l.Level) }

func TestSynchroniserTakesTwoOrThreeEdges(t *testing.T) {
	sim := rtl.New(rtl.Config{Mode: rtl.Strict})
	from, to := sim.Clock("from", clock.MHz(7)), sim.Clock("to", clock.MHz(100))
	src := &numbers{rng: rand.New(rand.NewPCG(1, 1)), rate: 1}
	s := &blocks.Synchroniser[uint32]{}
	sim.Scope("a").On(from).Add("src", src)
	sim.Scope("b").On(to).Add("sync", s)
	rtl.Tie(true, &src.Ready)
	rtl.Connect(&src.Out, &s.In)
	require.NoError(t, sim.Elaborate())
	seen := map[int]int{}
	for range 200 {
		require.NoError(t, from.Run(1))
		edges := 0
		for s.Out.Get() != src.next {
			require.NoError(t, to.Run(1))
			edges++
		}
		seen[edges]++
	}
	require.Equal(t, map[int]int{2: 200}, seen, "two edges of the synchroniser after the change")
}

func TestAsyncFIFODepth(t *testing.T) {
	for _, d := range []int{0, 1, 3, 2048} {
		require.Panics(t, func() { blocks.NewAsyncFIFO[uint8](d) })
	}
}

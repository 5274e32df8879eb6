package rtl_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/fused"
)

// quay counts on from its input, and shows at once the next number.
type quay struct {
	Heard rtl.In[uint64]
	Out   rtl.Out[uint64]
	Next  rtl.Wire[uint64]

	n uint64
}

func (q *quay) Comb() { q.Next.Set(3*q.Out.Get() + q.Heard.Get()) }

func (q *quay) Tick() {
	q.n++
	q.Out.Set(q.Next.Get() + q.n)
}

// boat has a wire that depends on two other wires. Some edge may be its last.
type boat struct {
	Near, Far rtl.In[uint64]
	Out       rtl.Out[uint64]
	Load      rtl.Wire[uint64]

	n, last uint64
}

func (b *boat) Comb() { b.Load.Set(b.Near.Get()*7 ^ b.Far.Get() + b.Out.Get()) }

func (b *boat) Tick() {
	b.count()
	b.Out.Set(b.Load.Get() + b.n)
}

func (b *boat) count() {
	if b.n++; b.n == b.last {
		panic("its last edge")
	}
}

// ferry is a large island of four parts. A quay gives its wire to the others, one of two crowds of modules without
// generated code gives to a boat, and delays lead from the boat back to the quay and to a crowd, this one twice as
// long. A clock of no module comes before theirs.
type ferry struct {
	sim   *rtl.Sim
	clk   *rtl.Clock
	quay  quay
	crowd [2][47]fib
	boat  boat
	back  [2]rtl.Delay[uint64]
	logs  [2][]uint64 // of two observers of the boat: what each saw
}

// ferryWatch notes an instant's number of clocks and the boat's values.
type ferryWatch struct {
	of  *ferry
	log *[]uint64
}

func (w *ferryWatch) Observe(edges rtl.Edges) {
	*w.log = append(*w.log, uint64(len(edges)), w.of.boat.Out.Get(), w.of.boat.Load.Get(), uint64(len(w.of.logs[0])))
}

func newFerry(t require.TestingT, cfg rtl.Config, edges int, idle string) *ferry {
	f := &ferry{sim: rtl.New(cfg)}
	f.sim.Clock("idle", clock.MHz(20), clock.MustTime(idle))
	f.clk = f.sim.Clock("clk", clock.MHz(100))
	a, c := f.sim.Scope("a").On(f.clk), f.sim.Scope("c").On(f.clk)
	f.back[0].Edges, f.back[1].Edges = edges, 2*edges
	a.Add("back", &f.back[0])
	a.Add("quay", &f.quay)
	rtl.Connect(&f.back[0].Out, &f.quay.Heard)
	for k := range f.crowd {
		crowd := &f.crowd[k]
		b := f.sim.Scope(fmt.Sprintf("b%d", k)).On(f.clk)
		for i := range crowd {
			crowd[i].seed = uint64(i)
			b.Add(fmt.Sprintf("m%d", i), &crowd[i])
			rtl.Connect(&crowd[(i+1)%len(crowd)].Out, &crowd[i].A)
			if k == 0 || i > 0 {
				rtl.Connect(&f.quay.Next, &crowd[i].B)
			}
		}
	}
	f.sim.Scope("b1").On(f.clk).Add("back", &f.back[1])
	rtl.Connect(&f.back[1].Out, &f.crowd[1][0].B)
	c.Add("boat", &f.boat)
	rtl.Connect(&f.quay.Next, &f.boat.Far)
	rtl.Connect(&f.crowd[0][0].Xor, &f.boat.Near)
	rtl.Connect(&f.boat.Out, &f.back[0].In)
	rtl.Connect(&f.boat.Load, &f.back[1].In)
	require.NoError(t, f.sim.Elaborate())
	for i := range f.logs {
		f.sim.Watch(&ferryWatch{f, &f.logs[i]}, &f.boat)
	}
	return f
}

// boatCalls is how many edges each call of the boat's generated code had.
var boatCalls []int

// fuseFerry makes generated code known for the quay and for the boat.
func fuseFerry(t *testing.T) {
	shapes := fused.Shapes(newFerry(t, rtl.Config{}, 20, "0ns").sim)
	require.Len(t, shapes, 4)
	fused.Register(shapes[0].Text, func(m []fused.Module) fused.Island {
		back, q := fused.PipeOf[uint64](m[0]), m[1].(*quay)
		out, next, heard := fused.Place(&q.Out), fused.Place(&q.Next), fused.Place(&q.Heard)
		var wire fused.Exit[uint64]
		return fused.Island{
			Border: func(b *fused.Border) { wire = fused.Gives[uint64](b, 0) },
			Run: func(edges int, watch *fused.Watch) {
				for range edges {
					q.n++
					*out = *next + q.n
					back.Arrive()
					*next = 3**out + *heard
					wire.Put()
					watch.Observe()
				}
			},
		}
	})
	fused.Register(shapes[3].Text, func(m []fused.Module) fused.Island {
		b := m[0].(*boat)
		out, load, near, far := fused.Place(&b.Out), fused.Place(&b.Load), fused.Place(&b.Near), fused.Place(&b.Far)
		var exits [2]fused.Exit[uint64]
		var entries [2]fused.Entry[uint64]
		return fused.Island{
			Border: func(border *fused.Border) {
				exits = [2]fused.Exit[uint64]{fused.Leaves[uint64](border, 0), fused.Leaves[uint64](border, 1)}
				entries = [2]fused.Entry[uint64]{fused.Comes(border, &b.Near), fused.Comes(border, &b.Far)}
			},
			Run: func(edges int, watch *fused.Watch) {
				boatCalls = append(boatCalls, edges)
				for range edges {
					exits[0].Put()
					exits[1].Put()
					b.count()
					*out = *load + b.n
					entries[0].Get()
					entries[1].Get()
					*load = *near*7 ^ *far + *out
					watch.Observe()
				}
			},
		}
	})
}

// Code that moves the signals across its island's border has the bits of the modules in any turns of runs: with the
// islands free, in lockstep because somebody looks at the whole, and with a register set from outside; with another
// clock between the edges and without, in parallel mode, and after a checkpoint of another simulation at another time.
// Observers see each edge once.
func TestFusedBorder(t *testing.T) {
	fuseFerry(t)
	rapid.Check(t, func(t *rapid.T) {
		edges := rapid.IntRange(17, 140).Draw(t, "edges of the delay")
		idle := rapid.SampledFrom([]string{"0ns", "1ns"}).Draw(t, "idle clock's phase")
		var all [3]*ferry
		for i, cfg := range []rtl.Config{{Plain: true}, {}, {Mode: rtl.Parallel, Workers: 2}} {
			all[i] = newFerry(t, cfg, edges, idle)
			require.NoError(t, all[i].clk.Run(60)) // outputs have been driven from here on
		}
		var file []byte // of a time before
		for range rapid.IntRange(1, 8).Draw(t, "runs") {
			n := uint64(rapid.IntRange(1, 300).Draw(t, "cycles"))
			kind := rapid.SampledFrom([]string{"run", "run", "observed", "poked"}).Draw(t, "kind")
			for _, f := range all {
				o := watch(func() {})
				switch kind {
				case "observed":
					f.sim.Observe(&o)
				case "poked":
					f.quay.Out.Set(n)
					f.boat.Out.Set(n + 1)
				}
				require.NoError(t, f.clk.Run(n))
				if kind == "observed" {
					f.sim.Unobserve(&o)
				}
			}
			from := rapid.IntRange(0, 2).Draw(t, "checkpoint of")
			if file != nil && rapid.Bool().Draw(t, "restore") {
				for _, f := range all {
					require.NoError(t, f.sim.Restore(bytes.NewReader(file)))
				}
			}
			var err error
			file, err = all[from].sim.Checkpoint()
			require.NoError(t, err)
			for _, f := range all {
				again, err := f.sim.Checkpoint()
				require.NoError(t, err)
				require.True(t, bytes.Equal(file, again), "checkpoints differ")
			}
		}
		for i, f := range all {
			require.NoError(t, f.clk.Run(100))
			require.Equal(t, all[0].logs, f.logs)
			for j, s := range f.sim.Signals() {
				require.Equal(t, all[0].sim.Signals()[j].Value(0), s.Value(0), s.Path)
			}
			for k, ran := range []bool{i > 0, false, false, i > 0} {
				require.Equal(t, ran, fused.Shapes(f.sim)[k].Ran)
			}
		}
	})
}

// A window is one call where another clock's edges never meet the island's own. Where they do, at every fifth edge,
// there is a call for those and one for those in between.
func TestFusedBorderWindows(t *testing.T) {
	fuseFerry(t)
	for _, c := range []struct {
		edges int
		idle  string
		want  []int
	}{
		{40, "1ns", []int{39, 39, 22}},
		{500, "1ns", []int{100}},
		{26, "0ns", []int{4, 1, 4, 1, 4, 1, 4, 1, 4, 1 /* 85 */, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1 /* 110 */, 4, 1, 4, 1, 4, 1, 4,
			1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1}},
	} {
		f := newFerry(t, rtl.Config{}, c.edges, c.idle)
		require.NoError(t, f.clk.Run(60))
		boatCalls = nil
		require.NoError(t, f.clk.Run(100))
		require.Equal(t, c.want, boatCalls)
	}
}

// A panic of a module in the middle of a window comes out of the run, after the edges before it were seen, and the
// simulation says that it cannot go on.
func TestFusedBorderPanic(t *testing.T) {
	fuseFerry(t)
	f := newFerry(t, rtl.Config{}, 40, "1ns")
	require.NoError(t, f.clk.Run(60))
	boatCalls = nil
	f.boat.last = 105
	f.logs = [2][]uint64{}
	require.Equal(t, "its last edge", recovered(func() { _ = f.clk.Run(100) }).(*rtl.Panic).Value)
	require.Equal(t, []int{39, 39}, boatCalls)
	require.Len(t, f.logs[1], 4*44)
	for i := range 44 { // the first to come is called first
		require.EqualValues(t, []int{4 * i, 4 * (i + 1)}, []int{int(f.logs[0][4*i+3]), int(f.logs[1][4*i+3])})
	}
	require.PanicsWithValue(
		t, "rtl: Run: a run panicked and left the simulation in the middle of an instant", func() { _ = f.clk.Run(1) },
	)
}

// edgesOfQuay counts the edges that generated code has run. Code is registered once in a process.
var edgesOfQuay int

// Code for all edges of a whole design, which has no border, has the bits of the modules, with a clock of no module
// beside the other and without.
func TestFusedRunOfAWholeDesign(t *testing.T) {
	build := func(cfg rtl.Config, idle bool) (*rtl.Clock, *quay) {
		sim, q, back := rtl.New(cfg), &quay{}, &rtl.Delay[uint64]{Edges: 5}
		clk := sim.Clock("clk", clock.MHz(100))
		if idle {
			sim.Clock("idle", clock.MHz(20))
		}
		sc := sim.Scope("top").On(clk)
		sc.Add("quay", q)
		sc.Add("back", back)
		rtl.Connect(&q.Next, &back.In)
		rtl.Connect(&back.Out, &q.Heard)
		require.NoError(t, sim.Elaborate())
		return clk, q
	}
	any, _ := build(rtl.Config{}, false)
	fused.Register(fused.Shapes(any.Sim())[0].Text, func(m []fused.Module) fused.Island {
		q, back := m[0].(*quay), fused.PipeOf[uint64](m[1])
		out, next, heard := fused.Place(&q.Out), fused.Place(&q.Next), fused.Place(&q.Heard)
		return fused.Island{Border: func(*fused.Border) {}, Run: func(n int, watch *fused.Watch) {
			edgesOfQuay += n
			for range n {
				back.Take()
				q.n++
				*out = *next + q.n
				back.Give()
				*next = 3**out + *heard
				watch.Observe()
			}
		}}
	})
	for _, idle := range []bool{false, true} {
		clk, q := build(rtl.Config{}, idle)
		plain, want := build(rtl.Config{Plain: true}, idle)
		require.NoError(t, clk.Run(40))
		require.NoError(t, plain.Run(40))
		edgesOfQuay = 0
		for _, n := range []uint64{10, 2, 101, 33} { // 2 are worth no code
			require.NoError(t, clk.Run(n))
			require.NoError(t, plain.Run(n))
			require.Equal(
				t, []uint64{plain.Cycle(), want.Out.Get(), want.Next.Get()},
				[]uint64{clk.Cycle(), q.Out.Get(), q.Next.Get()},
			)
			var a, b bytes.Buffer
			require.NoError(t, clk.Sim().Save(&a))
			require.NoError(t, plain.Sim().Save(&b))
			require.True(t, bytes.Equal(a.Bytes(), b.Bytes()), "checkpoints differ")
		}
		require.Equal(t, 144, edgesOfQuay)
	}
}

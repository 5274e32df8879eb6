package rtl_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/fused"
)

// tally counts edges, and has a wire with one more.
type tally struct {
	Out  rtl.Out[uint64]
	More rtl.Wire[uint64]

	n     uint64
	calls int // of generated code, each in its place
}

func (c *tally) Tick() {
	c.n++
	c.Out.Set(c.n)
}

func (c *tally) Comb() { c.More.Set(c.Out.Get() + 1) }

// newTallies makes islands of a tally each.
func newTallies(t *testing.T, n int, cfg rtl.Config) (*rtl.Sim, []tally) {
	sim := rtl.New(cfg)
	sc := sim.Scope("top").On(sim.Clock("clk", clock.MHz(100)))
	all := make([]tally, n)
	for i := range all {
		sc.Add(string(rune('a'+i)), &all[i])
	}
	require.NoError(t, sim.Elaborate())
	return sim, all
}

// tallyCalls is how many calls an instant of a tally's generated code has besides the Comb. The kernel makes eight
// calls in a turn of its loop and the rest one by one: 13 and the Comb are one turn and six calls.
const tallyCalls = 13

// byRun is a tally's generated code for a run of edges.
func (c *tally) byRun() fused.Island {
	out, more := fused.Place(&c.Out), fused.Place(&c.More)
	return fused.Island{Border: func(*fused.Border) {}, Run: func(edges int, watch *fused.Watch) {
		for range edges {
			c.n++
			*out, *more = c.n, c.n+1
			watch.Observe()
		}
	}}
}

// byCalls is a tally's generated code by calls at an instant: the last of them does all. Each counts if it comes in its
// place.
func (c *tally) byCalls() (d fused.Island) {
	out := fused.Place(&c.Out)
	for i := range tallyCalls {
		d.Domains = append(d.Domains, fused.Domain{Tick: []fused.Call{fused.Alone(func() {
			if c.calls%tallyCalls == i {
				c.calls++
			}
			if i == tallyCalls-1 {
				c.n++
				*out = c.n
			}
		})}})
	}
	d.Domains[0].Comb = []fused.Call{fused.Alone(c.Comb)}
	return d
}

// tallyWatch counts the instants at which it sees a tally's register and its wire at the instant's values.
type tallyWatch struct {
	of    *tally
	right uint64
	all   int
}

func (w *tallyWatch) Observe(edges rtl.Edges) {
	w.all++
	if len(edges) == 1 && w.of.Out.Get() == w.right+1 && w.of.More.Get() == w.right+2 {
		w.right++
	}
}

// answer counts on from an output of another clock's module.
type answer struct {
	Far rtl.Async[uint64]
	Out rtl.Out[uint64]

	n uint64
}

func (a *answer) Tick() {
	a.n++
	a.Out.Set(a.Far.Get()*5 + a.n)
}

// newAnswers makes two modules of two clocks that read each other. The second clock has a frequency and a phase. A
// third module, of a clock that never has an edge with the first, reads that one, too. A clock of no module comes
// before all, so that the numbers of clocks in the shape are not their own.
func newAnswers(t *testing.T, cfg rtl.Config, freq, late string) (*rtl.Clock, *[3]answer) {
	sim, m := rtl.New(cfg), new([3]answer)
	sim.Clock("idle", clock.MHz(20), clock.MustTime("1ns"))
	a := sim.Clock("a", clock.MHz(100))
	sim.Scope("a").On(a).Add("answer", &m[0])
	sim.Scope("b").On(sim.Clock("b", clock.MustFreq(freq), clock.MustTime(late))).Add("answer", &m[1])
	rtl.Connect(&m[0].Out, &m[1].Far)
	rtl.Connect(&m[1].Out, &m[0].Far)
	sim.Scope("c").On(sim.Clock("c", clock.MHz(100), clock.MustTime("7ns"))).Add("answer", &m[2])
	rtl.Connect(&m[0].Out, &m[2].Far)
	require.NoError(t, sim.Elaborate())
	return a, m
}

// answerCalls counts calls of the generated code for answers.
var answerCalls struct{ commits, inPlace int }

// fuseAnswers makes generated code known for them.
func fuseAnswers(t *testing.T) {
	answerCalls.commits, answerCalls.inPlace = 0, 0
	any, _ := newAnswers(t, rtl.Config{}, "100MHz", "0ns")
	fused.Register(fused.Shapes(any.Sim())[0].Text, func(m []fused.Module) fused.Island {
		a, b, c := m[0].(*answer), m[1].(*answer), m[2].(*answer)
		aOut, bOut, cOut, next := fused.Place(&a.Out), fused.Place(&b.Out), fused.Place(&c.Out), fused.NextPlace(&a.Out)
		return fused.Island{Domains: []fused.Domain{
			{Clock: 0, Readers: []int{2, 1},
				Tick:    []fused.Call{fused.Alone(func() { a.n++; *next = *bOut*5 + a.n })},
				Commit:  []fused.Call{fused.Alone(func() { answerCalls.commits++; *aOut = *next })},
				InPlace: func() { answerCalls.inPlace++; next = aOut }},
			{Clock: 1, Tick: []fused.Call{fused.Alone(func() { b.n++; *bOut = *aOut*5 + b.n })}},
			{Clock: 2, Tick: []fused.Call{fused.Alone(func() { c.n++; *cOut = *aOut*5 + c.n })}},
		}}
	})
}

// A clock's Commit is left out, and its registers are set in place, exactly where it never has an edge together with
// its readers.
func TestFusedClocksThatNeverMeet(t *testing.T) {
	for _, c := range []struct {
		freq, late string
		apart      bool
	}{{"100MHz", "0ns", false}, {"100MHz", "4ns", true}, {"50MHz", "10ns", false}, {"50MHz", "5ns", true},
		{"30MHz", "0ns", false}} {
		fuseAnswers(t)
		plain, want := newAnswers(t, rtl.Config{Plain: true}, c.freq, c.late)
		clk, got := newAnswers(t, rtl.Config{}, c.freq, c.late)
		for range 3 {
			require.NoError(t, clk.Run(100))
			require.NoError(t, plain.Run(100))
			for i := range want {
				require.Equal(t, want[i].Out.Get(), got[i].Out.Get(), "%s %s, %d", c.freq, c.late, i)
			}
		}
		require.True(t, fused.Shapes(clk.Sim())[0].Ran)
		require.Equal(t, c.apart, answerCalls.inPlace == 1, "%s %s", c.freq, c.late)
		require.Equal(t, c.apart, answerCalls.commits == 0, "%s %s", c.freq, c.late)
	}
}

// A checkpoint of a time before all clocks have begun, where the edges have no pattern yet, goes on without the
// generated code that ran before.
func TestFusedClocksThatBeginAgain(t *testing.T) {
	fuseAnswers(t)
	plain, want := newAnswers(t, rtl.Config{Plain: true}, "100MHz", "1.004us")
	clk, got := newAnswers(t, rtl.Config{}, "100MHz", "1.004us")
	var begin bytes.Buffer
	require.NoError(t, clk.Sim().Save(&begin))
	require.NoError(t, clk.Run(200)) // learns the pattern at its end
	require.NoError(t, clk.Run(200))
	require.True(t, fused.Shapes(clk.Sim())[0].Ran)
	require.NoError(t, clk.Sim().Restore(&begin))
	for range 4 {
		require.NoError(t, clk.Run(70))
		require.NoError(t, plain.Run(70))
		for i := range want {
			require.Equal(t, want[i].Out.Get(), got[i].Out.Get(), "%d", i)
		}
	}
}

// chain hears, by a delay, a signal that comes through a longer one from another island.
type chain struct {
	Heard rtl.In[uint64]
	Out   rtl.Out[uint64]

	n uint64
}

func (c *chain) Tick() {
	c.n = 5*c.n + c.Heard.Get() + 1
	c.Out.Set(c.n)
}

// chains are two islands that hear each other. A clock of no module comes before theirs.
type chains struct {
	sim    *rtl.Sim
	clk    *rtl.Clock
	far    [2]rtl.Delay[uint64] // from the other island
	near   [2]rtl.Delay[uint64] // within one
	chains [2]chain
}

func newChains(t require.TestingT, cfg rtl.Config, far, near int, idle string) *chains {
	c := &chains{sim: rtl.New(cfg)}
	c.sim.Clock("idle", clock.MHz(20), clock.MustTime(idle))
	c.clk = c.sim.Clock("clk", clock.MHz(100))
	for i := range c.chains {
		sc := c.sim.Scope(string(rune('a' + i))).On(c.clk)
		c.far[i].Edges, c.near[i].Edges = far, near
		sc.Add("far", &c.far[i])
		sc.Add("near", &c.near[i])
		sc.Add("chain", &c.chains[i])
		rtl.Connect(&c.chains[1-i].Out, &c.far[i].In)
		rtl.Connect(&c.far[i].Out, &c.near[i].In)
		rtl.Connect(&c.near[i].Out, &c.chains[i].Heard)
	}
	require.NoError(t, c.sim.Elaborate())
	return c
}

// fusedChain is the generated code of one of them.
func fusedChain(modules []fused.Module) fused.Island {
	far, near, c := fused.PipeOf[uint64](modules[0]), fused.PipeOf[uint64](modules[1]), modules[2].(*chain)
	heard, out := fused.Place(&c.Heard), fused.Place(&c.Out)
	return fused.Island{Domains: []fused.Domain{{
		Take: []fused.Call{fused.Alone(near.Take)},
		Tick: []fused.Call{fused.Alone(func() {
			c.n = 5*c.n + *heard + 1
			*out = c.n
		})},
		Commit: []fused.Call{fused.Alone(far.Arrive), fused.Alone(near.Give)},
	}}}
}

// Delays within an island and between two go on alike, whichever of generated code, modules in lockstep and modules
// that wait for a register set from outside has moved them before, in parallel mode too, and after a checkpoint of
// another simulation at another time.
func TestDelaysOfFusedAndOtherRuns(t *testing.T) {
	shapes := fused.Shapes(newChains(t, rtl.Config{}, 20, 2, "0ns").sim)
	require.Len(t, shapes, 2)
	require.Equal(t, shapes[0].Text, shapes[1].Text)
	fused.Register(shapes[0].Text, fusedChain)
	rapid.Check(t, func(t *rapid.T) {
		far, near := rapid.IntRange(17, 40).Draw(t, "far"), rapid.IntRange(1, 9).Draw(t, "near")
		idle := rapid.SampledFrom([]string{"0ns", "1ns"}).Draw(t, "idle clock's phase")
		var all [3]*chains
		for i, cfg := range []rtl.Config{{Plain: true}, {}, {Mode: rtl.Parallel, Workers: 2}} {
			all[i] = newChains(t, cfg, far, near, idle)
			require.NoError(t, all[i].clk.Run(60)) // outputs have been driven from here on
		}
		var file []byte // of a time before
		for range rapid.IntRange(1, 12).Draw(t, "runs") {
			n := uint64(rapid.IntRange(1, 200).Draw(t, "cycles"))
			kind := rapid.SampledFrom([]string{"run", "run", "observed", "poked"}).Draw(t, "kind")
			for _, c := range all {
				o := watch(func() {})
				switch kind {
				case "observed":
					c.sim.Observe(&o)
				case "poked":
					c.chains[1].Out.Set(n)
				}
				require.NoError(t, c.clk.Run(n))
				if kind == "observed" {
					c.sim.Unobserve(&o)
				}
			}
			from := rapid.IntRange(0, 2).Draw(t, "checkpoint of")
			if file != nil && rapid.Bool().Draw(t, "restore") {
				for _, c := range all {
					require.NoError(t, c.sim.Restore(bytes.NewReader(file)))
				}
			}
			var err error
			file, err = all[from].sim.Checkpoint()
			require.NoError(t, err)
			for _, c := range all {
				again, err := c.sim.Checkpoint()
				require.NoError(t, err)
				require.True(t, bytes.Equal(file, again), "checkpoints differ")
			}
		}
		for i, c := range all {
			require.NoError(t, c.clk.Run(100))
			for k := range c.chains {
				require.Equal(t, all[0].far[k].Out.Get(), c.far[k].Out.Get())
				require.Equal(t, all[0].near[k].Out.Get(), c.near[k].Out.Get())
				require.Equal(t, all[0].chains[k].Out.Get(), c.chains[k].Out.Get())
			}
			require.Equal(t, i > 0, fused.Shapes(c.sim)[0].Ran)
		}
	})
}

// tallyByRun asks for generated code of runs of edges, not of calls. Code is registered once in a process.
var tallyByRun bool

// Generated code by calls makes all of them in their order, observers see each instant, and wires are settled when a
// run ends.
func TestCallsOfFusedIslands(t *testing.T) {
	plain, _ := newTallies(t, 1, rtl.Config{})
	shape := fused.Shapes(plain)[0].Text
	tallyByRun = false
	fused.Register(shape, func(m []fused.Module) fused.Island {
		if tallyByRun {
			return m[0].(*tally).byRun()
		}
		return m[0].(*tally).byCalls()
	})
	for range 2 {
		for _, cfg := range []rtl.Config{{Workers: 1}, {Workers: 2}, {Mode: rtl.Parallel, Workers: 2}} {
			n := cfg.Workers // as many islands
			sim, all := newTallies(t, n, cfg)
			all, clk := all[n-1:], sim.Clocks()[0]
			require.NoError(t, clk.Run(40)) // outputs have been driven from here on
			before := all[0].calls
			require.NoError(t, clk.Run(60))
			require.True(t, fused.Shapes(sim)[0].Ran)
			require.Equal(t, []uint64{100, 100, 101}, []uint64{all[0].n, all[0].Out.Get(), all[0].More.Get()})
			if !tallyByRun {
				require.Equal(t, 60*tallyCalls, all[0].calls-before)
			}
			w := &tallyWatch{of: &all[0], right: 100}
			sim.Watch(w, &all[0])
			var called, want []int // two more watchers of the same island: at each instant in the order in which they came
			for i := range 2 {
				sim.Watch(watch(func() { called = append(called, i) }), &all[0])
			}
			require.NoError(t, clk.Run(50))
			require.EqualValues(t, 150, w.right)
			require.Equal(t, 50, w.all)
			for range 50 {
				want = append(want, 0, 1)
			}
			require.Equal(t, want, called)
		}
		tallyByRun = true
	}
}

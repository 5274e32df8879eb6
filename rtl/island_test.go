package rtl_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// archipelago is groups of nodes that long delays join, some of them with a clock of another phase or rate.
type archipelago struct {
	sim    *rtl.Sim
	clocks []*rtl.Clock
	groups [][]fib
	logs   []*islandLog
}

// islandLog condenses two nodes of a group at every instant that it is shown.
type islandLog struct {
	a, b *fib
	sum  uint64
	n    int
}

func (l *islandLog) Observe(edges rtl.Edges) {
	l.n++
	for _, v := range []uint64{uint64(len(edges)), l.a.Out.Get(), l.a.Xor.Get(), l.b.Out.Get()} {
		l.sum = (l.sum ^ v) * 0x100000001b3
		l.sum ^= l.sum >> 29
	}
}

func newArchipelago(t testing.TB, cfg rtl.Config, seed uint64) *archipelago {
	rng := rand.New(rand.NewPCG(seed, 15))
	a := &archipelago{sim: rtl.New(cfg)}
	a.clocks = []*rtl.Clock{a.sim.Clock("core", clock.MHz(400)), a.sim.Clock("twice", clock.MHz(800)),
		a.sim.Clock("line", clock.MHz(400), clock.MustTime("1.1ns")), a.sim.Clock("slow", clock.MHz(300))}
	groups := 2 + rng.IntN(5)
	a.groups = make([][]fib, groups)
	clocks := make([]*rtl.Clock, groups)
	for g := range a.groups {
		clocks[g] = a.clocks[rng.IntN(len(a.clocks))]
		a.groups[g] = make([]fib, 4+rng.IntN(6))
		sc := a.sim.Scope(fmt.Sprintf("g%d", g)).On(clocks[g])
		for i := range a.groups[g] {
			a.groups[g][i].seed = rng.Uint64()
			sc.Add(fmt.Sprintf("n%d", i), &a.groups[g][i])
		}
	}
	for g, nodes := range a.groups {
		n := len(nodes)
		for i := range nodes {
			rtl.Connect(&nodes[(i+1)%n].Out, &nodes[i].A)
			if i > 0 || g == 0 && groups > 2 {
				rtl.Connect(&nodes[(i+2)%n].Out, &nodes[i].B)
				continue
			}
			from := (g + 1 + rng.IntN(groups-1)) % groups
			far := &a.groups[from][rng.IntN(len(a.groups[from]))]
			d := &rtl.AsyncDelay[uint64]{
				Edges: []int{17, 18, 40, 90}[rng.IntN(4)],
			} // among them delays of one length from several groups
			a.sim.Scope(fmt.Sprintf("g%d", g)).On(clocks[g]).Add("far", d)
			rtl.Connect(&far.Out, &d.In)
			rtl.Connect(&d.Out, &nodes[i].B)
		}
	}
	require.NoError(t, a.sim.Elaborate())
	for _, nodes := range a.groups {
		l := &islandLog{a: &nodes[0], b: &nodes[len(nodes)-1]}
		a.logs = append(a.logs, l)
		a.sim.Watch(l, l.a, l.b)
	}
	return a
}

// state condenses all registers and wires.
func (a *archipelago) state() (sum uint64) {
	for _, s := range a.sim.Signals() {
		for i := range s.Leaves {
			sum = (sum ^ s.Value(i)) * 0x100000001b3
			sum ^= sum >> 29
		}
	}
	return sum
}

type nobody struct{}

func (nobody) Observe(rtl.Edges) {}

// Islands ahead of each other have all bits as in lockstep, at the end of every run and for observers, whatever the
// windows.
func TestModesOfIslands(t *testing.T) { testModesOfIslands(t, newArchipelago) }

// So have parts of a large island that read others without a delay.
func TestModesOfFlow(t *testing.T) { testModesOfIslands(t, newDelta) }

func testModesOfIslands(t *testing.T, build func(testing.TB, rtl.Config, uint64) *archipelago) {
	for seed := range uint64(5) {
		run := func(cfg rtl.Config, lockstep bool) (states []uint64) {
			a := build(t, cfg, seed)
			if lockstep {
				a.sim.Observe(nobody{})
			}
			if cfg.Mode == rtl.Fast {
				require.Len(t, a.sim.Islands(), len(a.groups))
			}
			rng := rand.New(rand.NewPCG(seed, 16))
			late := new(looks)
			for range 14 {
				clk := a.clocks[rng.IntN(len(a.clocks))]
				n := &a.groups[rng.IntN(len(a.groups))][rng.IntN(4)]
				switch rng.IntN(8) {
				case 0:
					require.NoError(t, a.sim.Step())
				case 1:
					a.sim.Observe(late)
				case 2:
					a.sim.Unobserve(late)
				case 3: // a testbench changes the inputs of wires
					n.sum += 3
				case 4:
					until := clk.Cycle() + 3
					done, err := clk.RunUntil(10, func() bool { return clk.Cycle() == until })
					require.NoError(t, err)
					require.True(t, done)
				}
				require.NoError(t, clk.Run([]uint64{rng.Uint64N(200), rng.Uint64N(8)}[rng.IntN(2)]))
				states = append(states, a.state(), uint64(*late))
			}
			for _, l := range a.logs {
				require.Greater(t, l.n, 100)
				states = append(states, l.sum, uint64(l.n))
			}
			return states
		}
		want := run(rtl.Config{}, true)
		require.Equal(t, want, run(rtl.Config{}, false), "seed %d", seed)
		require.Equal(t, want, run(rtl.Config{Mode: rtl.Strict, Seed: seed}, false), "seed %d", seed)
		for _, workers := range []int{2, 3} {
			require.Equal(t, want, run(rtl.Config{Mode: rtl.Parallel, Workers: workers}, false), "seed %d", seed)
			require.Equal(t, want, run(rtl.Config{Mode: rtl.Parallel, Workers: workers}, true), "seed %d", seed)
		}
	}
}

// tracer tells when it is run.
type tracer struct {
	In  rtl.In[uint64]
	Out rtl.Out[uint64]

	name  string
	trace *string
}

func (m *tracer) Tick() { *m.trace += m.name }

// twoTracers are islands that delays join, there and back.
func twoTracers(t *testing.T, cfg rtl.Config, trace *string, there, back int) (*rtl.Sim, *rtl.Clock, *tracer, *tracer) {
	sim := rtl.New(cfg)
	clk := sim.Clock("clk", clock.MHz(100))
	a, b := &tracer{name: "a", trace: trace}, &tracer{name: "b", trace: trace}
	to, from := &rtl.Delay[uint64]{Edges: there}, &rtl.Delay[uint64]{Edges: back}
	top := sim.Scope("top").On(clk)
	top.Add("a", a)
	top.Add("b", b)
	top.Add("there", to)
	top.Add("back", from)
	rtl.Connect(&a.Out, &to.In)
	rtl.Connect(&to.Out, &b.In)
	rtl.Connect(&b.Out, &from.In)
	rtl.Connect(&from.Out, &a.In)
	require.NoError(t, sim.Elaborate())
	return sim, clk, a, b
}

// Order of ticks: an island runs for as many edges as the shorter delay has beside its register, unless somebody looks
// at the whole.
func TestWindows(t *testing.T) {
	for _, c := range []struct {
		name    string
		observe func(*rtl.Sim, ...rtl.Module)
		want    string
	}{
		{"nobody looks", func(*rtl.Sim, ...rtl.Module) {}, "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbaaaabbbb"},
		{"each is watched", func(s *rtl.Sim, m ...rtl.Module) { s.Watch(nobody{}, m[0]); s.Watch(nobody{}, m[1]) },
			"aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbaaaabbbb"},
		{"both are watched by one", func(s *rtl.Sim, m ...rtl.Module) { s.Watch(nobody{}, m...) },
			"abababababababababababababababababababab"},
		{"all is observed", func(s *rtl.Sim, m ...rtl.Module) { s.Observe(nobody{}) },
			"abababababababababababababababababababab"},
	} {
		var trace string
		sim, clk, a, b := twoTracers(t, rtl.Config{}, &trace, 40, 17)
		require.Equal(t, []rtl.Island{{Modules: []string{"top.a", "top.back"}, Clocks: []*rtl.Clock{clk}},
			{Modules: []string{"top.b", "top.there"}, Clocks: []*rtl.Clock{clk}}}, sim.Islands())
		c.observe(sim, a, b)
		require.NoError(t, clk.Run(20))
		require.Equal(t, c.want, trace, c.name)
	}
}

// A window has 128 edges at most, however long the delays: more would overtake what their rings have.
func TestLongestWindow(t *testing.T) {
	var trace string
	_, clk, _, _ := twoTracers(t, rtl.Config{}, &trace, 300, 200)
	require.NoError(t, clk.Run(200))
	require.Equal(
		t, strings.Repeat("a", 128)+strings.Repeat("b", 128)+strings.Repeat("a", 72)+strings.Repeat("b", 72), trace,
	)
}

// Delays of one length from two islands to a third are sampled each in the window of its own sender.
func TestDelaysFromTwoIslands(t *testing.T) {
	var c [2]counter
	var d [2]rtl.Delay[uint8]
	both := &bank{Sums: make([]rtl.Out[uint8], 2)}
	sim, clk := build(t, rtl.Config{}, func(top *rtl.Scope) {
		for i := range c {
			top.Add(fmt.Sprintf("c%d", i), &c[i])
		}
		for i := range d {
			d[i].Edges = 40
			top.Add(fmt.Sprintf("d%d", i), &d[i])
			rtl.Connect(&c[i].Out, &d[i].In)
			rtl.Connect(&d[i].Out, &both.Lanes[i])
		}
		top.Add("both", both)
	})
	require.Len(t, sim.Islands(), 3)
	for n := uint8(50); n < 120; n += 10 {
		require.NoError(t, clk.Run(uint64(n)-clk.Cycle()))
		require.Equal(t, []uint8{n - 40, n - 40}, []uint8{d[0].Out.Get(), d[1].Out.Get()})
	}
}

// looks counts how often it is called.
type looks int

func (l *looks) Observe(rtl.Edges) { *l++ }

// meeting is over when somebody else has come to it too.
type meeting struct {
	come, others chan struct{}
	over, met    bool
}

func (m *meeting) Observe(rtl.Edges) {
	if m.over {
		return
	}
	m.over = true
	close(m.come)
	select {
	case <-m.others:
		m.met = true
	case <-time.After(5 * time.Second):
	}
}

// Two workers have an island each and run them at the same time: the observer of one can wait for the observer of the
// other.
func TestWorkersHaveIslandsEach(t *testing.T) {
	var as, bs string
	sim, clk, a, b := twoTracers(t, rtl.Config{Mode: rtl.Parallel, Workers: 2}, &as, 40, 40)
	b.trace = &bs
	one, other := make(chan struct{}), make(chan struct{})
	ma, mb := &meeting{come: one, others: other}, &meeting{come: other, others: one}
	sim.Watch(ma, a)
	sim.Watch(mb, b)
	require.NoError(t, clk.Run(30))
	require.True(t, ma.met && mb.met)
	require.Equal(t, []string{strings.Repeat("a", 30), strings.Repeat("b", 30)}, []string{as, bs})
}

// An observer that comes between two runs sees all of the second.
func TestWatchAfterARun(t *testing.T) {
	var trace string
	var first, second, whole looks
	sim, clk, a, b := twoTracers(t, rtl.Config{}, &trace, 40, 40)
	sim.Watch(&first, a)
	require.NoError(t, clk.Run(50))
	sim.Watch(&second, b)
	require.NoError(t, clk.Run(100))
	sim.Observe(&whole)
	require.NoError(t, clk.Run(30))
	require.Equal(t, []looks{180, 130, 30}, []looks{first, second, whole})
}

// A checkpoint from before a clock's first edge takes back the knowledge of later edges: islands run in lockstep again.
func TestRestoreBeforeThePattern(t *testing.T) {
	made := func() (*rtl.Sim, *rtl.Clock, *[2]counter) {
		sim := rtl.New(rtl.Config{})
		clk, late := sim.Clock("clk", clock.MHz(100)), sim.Clock("late", clock.MHz(50), clock.MustTime("1us"))
		var c [2]counter
		to := &rtl.Delay[uint8]{Edges: 40}
		r := &register{}
		top := sim.Scope("top").On(clk)
		top.Add("c", &c[0])
		top.Add("delay", to)
		top.Add("r", r)
		rtl.Connect(&c[0].Out, &to.In)
		rtl.Connect(&to.Out, &r.In)
		sim.Scope("late").On(late).Add("c", &c[1])
		require.NoError(t, sim.Elaborate())
		require.Len(t, sim.Islands(), 3)
		return sim, clk, &c
	}
	a, early, _ := made()
	require.NoError(t, early.Run(10))
	var file bytes.Buffer
	require.NoError(t, a.Save(&file))
	b, clk, c := made()
	require.NoError(t, clk.Run(300))
	require.NoError(t, clk.Run(100))
	require.NoError(t, b.Restore(&file))
	require.NoError(t, clk.Run(20))
	require.Equal(t, []uint8{30, 0}, []uint8{c[0].Out.Get(), c[1].Out.Get()})
	require.NoError(t, clk.Run(97))
	require.Equal(t, []uint8{127, 13}, []uint8{c[0].Out.Get(), c[1].Out.Get()}, "edge 13 of late is at 1,260 ns")
}

// Values on their way between islands are in a checkpoint, and go on in another mode.
func TestCheckpointOfIslands(t *testing.T) { testCheckpointOfIslands(t, newArchipelago) }

// So are values on their way between parts of a large island.
func TestCheckpointOfFlow(t *testing.T) { testCheckpointOfIslands(t, newDelta) }

func testCheckpointOfIslands(t *testing.T, build func(testing.TB, rtl.Config, uint64) *archipelago) {
	configs := []rtl.Config{{}, {Mode: rtl.Strict, Seed: 1}, {Mode: rtl.Parallel, Workers: 2}}
	for seed := range uint64(3) {
		for i, saved := range configs {
			a, b := build(t, saved, seed), build(t, configs[(i+1)%len(configs)], seed)
			roots := func(a *archipelago) (list []any) {
				for _, l := range a.logs {
					list = append(list, l)
				}
				return list
			}
			require.NoError(t, a.clocks[0].Run(150+seed))
			require.NoError(t, b.clocks[1].Run(91))
			var file bytes.Buffer
			require.NoError(t, a.sim.Save(&file, roots(a)...))
			require.NoError(t, b.sim.Restore(&file, roots(b)...))
			require.Equal(t, a.state(), b.state())
			for _, n := range []uint64{1, 70, 133} {
				require.NoError(t, a.clocks[0].Run(n))
				require.NoError(t, b.clocks[0].Run(n))
				require.Equal(t, a.state(), b.state(), "seed %d, after %d cycles", seed, n)
			}
			for g := range a.logs {
				require.Equal(t, a.logs[g].sum, b.logs[g].sum)
			}
		}
	}
}

package rtl_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/fusedcode"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/fused"
)

// However many calls an instant has, they are made in their order.
func TestCallAll(t *testing.T) {
	for n := range 20 {
		var made, all []int
		var calls []func()
		for i := range n {
			calls, all = append(calls, func() { made = append(made, i) }), append(all, i)
		}
		fusedcode.CallAll(calls)
		require.Equal(t, all, made)
	}
}

// diarist writes its number down when a function works on it.
type diarist struct {
	number int
	into   *[]int
}

func writes(first *fused.Group[diarist]) func() {
	return func() {
		for g := first; g != nil; g = g.Next {
			*g.Modules.into = append(*g.Modules.into, g.Modules.number)
		}
	}
}

// writesTwice is a second function for groups of the same type.
func writesTwice(first *fused.Group[diarist]) func() {
	return func() {
		for g := first; g != nil; g = g.Next {
			*g.Modules.into = append(*g.Modules.into, g.Modules.number, g.Modules.number)
		}
	}
}

// Calls of one function that come one after another are one, whatever comes before and after them, and each is made in
// its place. Lists may have the same calls.
func TestCallsInTurn(t *testing.T) {
	var log []int
	type call struct {
		fused.Call
		kind string
		logs []int
	}
	rapid.Check(t, func(t *rapid.T) {
		var all []call
		for i := range 12 { // anew: groups keep their successors
			a, b := &fused.Group[diarist]{Modules: diarist{2 * i, &log}}, &fused.Group[diarist]{Modules: diarist{2*i + 1, &log}}
			all = append(all, []call{
				{fused.InTurn(writes, a), "writes", []int{2 * i}},
				{fused.InTurn(writes, b, a), "writes", []int{2*i + 1, 2 * i}},
				{fused.InTurn(writesTwice, a), "writes twice", []int{2 * i, 2 * i}},
				{fused.Alone(func() { log = append(log, -i) }), "", []int{-i}},
			}[i%4])
		}
		var lists [][]fused.Call
		var want [][]int
		var functions []int
		for range rapid.IntRange(1, 5).Draw(t, "lists") {
			last, n := "", 0
			var calls []fused.Call
			var logs []int
			for range rapid.IntRange(0, 20).Draw(t, "calls") {
				c := all[rapid.IntRange(0, len(all)-1).Draw(t, "call")]
				calls, logs = append(calls, c.Call), append(logs, c.logs...)
				if c.kind == "" || c.kind != last {
					n++
				}
				last = c.kind
			}
			lists, want, functions = append(lists, calls), append(want, logs), append(functions, n)
		}
		for i, list := range functionsOf(lists...) {
			require.Len(t, list, functions[i])
			log = nil
			for _, function := range list {
				function()
			}
			require.Equal(t, want[i], log)
		}
	})
}

// Functions for which the same group comes next work on the same one. A later one has the groups as they are then, also
// copied groups.
func TestGroupsAreShared(t *testing.T) {
	var log []int
	var firsts []*fused.Group[diarist]
	notes := func(first *fused.Group[diarist]) func() {
		firsts = append(firsts, first)
		return writes(first)
	}
	groups := make([]*fused.Group[diarist], 3)
	for i := range groups {
		groups[i] = &fused.Group[diarist]{Modules: diarist{i, &log}}
	}
	a, b, c := groups[0], groups[1], groups[2]
	var all []func()
	for _, of := range [][]*fused.Group[diarist]{{a, b}, {a, b}, {b}, {a, c}, {a}, {c, b}, {c, a, b}} {
		all = append(all, functionsOf([]fused.Call{fused.InTurn(notes, of...)})[0]...)
	}
	require.Same(t, a, firsts[0])
	require.Same(t, a, firsts[1])
	require.Same(t, b, firsts[2])
	require.Same(t, b, a.Next)
	require.NotSame(t, a, firsts[3], "c comes next")
	require.Same(t, c, firsts[3].Next, "nothing comes next in both")
	require.NotSame(t, a, firsts[4], "nothing comes next")
	require.NotSame(t, c, firsts[5], "b comes next")
	require.Same(t, b, firsts[5].Next)
	require.Same(t, a, firsts[6].Next, "b comes next in both")
	for _, g := range groups {
		g.Modules.number += 10
	}
	all = append(all, functionsOf([]fused.Call{fused.InTurn(notes, a, c)})[0]...)
	for i, want := range [][]int{{10, 11}, {10, 11}, {11}, {0, 12}, {0}, {2, 11}, {2, 10, 11}, {10, 12}} {
		log = nil
		all[i]()
		require.Equal(t, want, log, i)
	}
}

// sentry reads itself and the one before it, and may have a last edge.
type sentry struct {
	Near rtl.In[uint64]
	Far  rtl.Async[uint64]
	Out  rtl.Out[uint64]

	n, last uint64
}

func (s *sentry) Tick() {
	s.count()
	s.Out.Set(s.Near.Get()*5 + s.Far.Get() + s.n)
}

func (s *sentry) count() {
	if s.n++; s.n == s.last {
		panic("its last edge")
	}
}

// newSentries makes a circle of them, each with a clock of its own: two clocks rise together, one now and then with
// them, and two alone, one right after the other.
func newSentries(t require.TestingT, cfg rtl.Config) (*rtl.Sim, []sentry) {
	sim, all := rtl.New(cfg), make([]sentry, 5)
	for i, c := range []struct {
		mhz  float64
		late string
	}{{100, "0ns"}, {100, "0ns"}, {50, "0ns"}, {100, "2ns"}, {100, "3ns"}} {
		name := string(rune('a' + i))
		sim.Scope(name).On(sim.Clock(name, clock.MHz(c.mhz), clock.MustTime(c.late))).Add("sentry", &all[i])
	}
	for i := range all {
		rtl.Connect(&all[(i+4)%5].Out, &all[i].Far)
		rtl.Connect(&all[i].Out, &all[i].Near)
	}
	require.NoError(t, sim.Elaborate())
	return sim, all
}

// fusedSentry is generated code for one of them.
type fusedSentry struct {
	m              *sentry
	far, out, next *uint64
}

var sentryTicks struct{ calls, groups int }

func tickSentries(first *fused.Group[fusedSentry]) func() {
	return func() {
		sentryTicks.calls++
		for g := first; g != nil; g = g.Next {
			sentryTicks.groups++
			s := &g.Modules
			s.m.count()
			*s.next = *s.out*5 + *s.far + s.m.n
		}
	}
}

func commitSentries(first *fused.Group[fusedSentry]) func() {
	return func() {
		for g := first; g != nil; g = g.Next {
			*g.Modules.out = *g.Modules.next
		}
	}
}

func fuseSentries(t *testing.T) {
	sim, _ := newSentries(t, rtl.Config{})
	fused.Register(fused.Shapes(sim)[0].Text, func(modules []fused.Module) (d fused.Island) {
		for i, m := range modules {
			m := m.(*sentry)
			s := &fused.Group[fusedSentry]{
				Modules: fusedSentry{m, fused.Place(&m.Far), fused.Place(&m.Out), fused.NextPlace(&m.Out)},
			}
			d.Domains = append(d.Domains, fused.Domain{Clock: i,
				Tick: []fused.Call{fused.InTurn(tickSentries, s)}, Commit: []fused.Call{fused.InTurn(commitSentries, s)},
				InPlace: func() { s.Modules.next = s.Modules.out }, Readers: []int{(i + 1) % 5}})
		}
		return d
	})
}

// What several clocks call in turn has the bits of the modules, after any run and any checkpoint of another time. There
// are fewer calls than edges.
func TestClocksInTurn(t *testing.T) {
	fuseSentries(t)
	rapid.Check(t, func(t *rapid.T) {
		plain, _ := newSentries(t, rtl.Config{Plain: true})
		quick, _ := newSentries(t, rtl.Config{})
		sims := []*rtl.Sim{plain, quick}
		var file []byte // of a time before
		for range rapid.IntRange(1, 8).Draw(t, "runs") {
			n := uint64(rapid.IntRange(1, 100).Draw(t, "cycles"))
			clk := rapid.IntRange(0, 4).Draw(t, "clock")
			for _, sim := range sims {
				require.NoError(t, sim.Clocks()[clk].Run(n))
			}
			from := rapid.IntRange(0, 1).Draw(t, "checkpoint of")
			if file != nil && rapid.Bool().Draw(t, "restore") {
				for _, sim := range sims {
					require.NoError(t, sim.Restore(bytes.NewReader(file)))
				}
			}
			var err error
			file, err = sims[from].Checkpoint()
			require.NoError(t, err)
			again, err := sims[1-from].Checkpoint()
			require.NoError(t, err)
			require.True(t, bytes.Equal(file, again), "checkpoints differ")
		}
	})
	quick, _ := newSentries(t, rtl.Config{})
	require.NoError(t, quick.Clocks()[0].Run(40)) // there is a pattern from here on
	sentryTicks.calls, sentryTicks.groups = 0, 0
	require.NoError(t, quick.Clocks()[0].Run(1000))
	require.True(t, fused.Shapes(quick)[0].Ran)
	require.Equal(t, 4500, sentryTicks.groups)
	require.Less(t, sentryTicks.calls, 2200) // a and b; d and e, often with their successors
}

// A panic comes out of a call of several groups. Those before it have ticked, those after it have not, and the
// simulation says that it cannot go on.
func TestPanicInTurn(t *testing.T) {
	fuseSentries(t)
	sim, all := newSentries(t, rtl.Config{})
	require.NoError(t, sim.Clocks()[0].Run(40))
	require.NoError(t, sim.Clocks()[0].Run(40))
	require.True(t, fused.Shapes(sim)[0].Ran)
	all[1].last = 201
	require.Equal(t, "its last edge", recovered(func() { _ = sim.Clocks()[0].Run(500) }).(*rtl.Panic).Value)
	require.EqualValues(t, []uint64{201, 201, 100}, []uint64{all[0].n, all[1].n, all[2].n})
	require.PanicsWithValue(
		t, "rtl: Run: a run panicked and left the simulation in the middle of an instant",
		func() { _ = sim.Clocks()[0].Run(1) },
	)
}

// functionsOf returns the functions that each of several lists calls.
func functionsOf(lists ...[]fused.Call) (functions [][]func()) {
	made := fusedcode.Functions{}
	for _, calls := range lists {
		functions = append(functions, made.Of(calls))
	}
	return functions
}

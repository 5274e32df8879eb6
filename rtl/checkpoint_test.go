package rtl_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// source makes numbers and keeps the last ones in a list that grows.
type source struct {
	Out rtl.Out[uint8]

	rng  *rand.Rand
	past []uint8
}

func (s *source) Tick() {
	s.past = append(s.past, uint8(s.rng.Uint32()))
	s.Out.Set(s.past[len(s.past)-1] ^ s.past[len(s.past)/2])
}

// late drives its output first at its fifth edge: strict mode remembers whether it has.
type late struct {
	Out rtl.Out[uint8]

	edges int
}

func (*late) Reset() {}

func (l *late) Tick() {
	if l.edges++; l.edges >= 5 {
		l.Out.Set(uint8(l.edges))
	}
}

// sums is a root beside the simulation: it adds the values that it sees.
type sums struct {
	from *source
	sum  uint64
	by   map[uint8]int
}

func (s *sums) Observe(rtl.Edges) {
	s.sum = s.sum*31 + uint64(s.from.Out.Get())
	s.by[s.from.Out.Get()]++
}

type crossing struct {
	sim   *rtl.Sim
	slow  *rtl.Clock
	hash  *rtl.TraceHash
	sums  *sums
	roots []any
}

// newCrossing builds modules on three clocks with crossings between them, wires, and an output that is driven late.
func newCrossing(t require.TestingT, cfg rtl.Config) *crossing {
	c := &crossing{sim: rtl.New(cfg)}
	slow, fast := c.sim.Clock("slow", clock.MHz(99.7)), c.sim.Clock("fast", clock.MHz(156.25), clock.MustTime("3ns"))
	from := &source{rng: rand.New(rand.NewPCG(1, 2))}
	a, b, inv, twice, l := &sampler{}, &sampler{}, &inverter{}, &register{}, &late{}
	pipe, wire := &rtl.Delay[uint8]{Edges: 7}, &rtl.AsyncDelay[uint8]{Edges: 5}
	c.sim.Scope("slow").On(slow).Add("source", from)
	c.sim.Scope("slow").On(slow).Add("late", l)
	top := c.sim.Scope("fast").On(fast)
	top.Add("a", a)
	top.Add("b", b)
	top.Add("inv", inv)
	top.Add("twice", twice)
	top.Add("pipe", pipe)
	top.Add("wire", wire)
	rtl.Connect(&from.Out, &a.In, &b.In, &wire.In)
	rtl.Connect(&a.Out, &pipe.In)
	rtl.Connect(&a.Out, &inv.In)
	rtl.Connect(&inv.Out, &twice.In)
	require.NoError(t, c.sim.Elaborate())
	c.slow, c.hash = slow, rtl.NewTraceHash(c.sim)
	c.sums = &sums{from: from, by: map[uint8]int{}}
	c.sim.Observe(c.sums)
	c.roots = []any{c.hash, c.sums}
	return c
}

// Run to the end is save, build anew, restore, run: at any cycle, in all modes and from one to another; with jitter
// from itself alone.
func TestCheckpointGoesOnAlike(t *testing.T) {
	plain := []rtl.Config{{}, {Mode: rtl.Strict, Seed: 9}, {Mode: rtl.Parallel, Workers: 2}}
	rapid.Check(t, func(t *rapid.T) {
		const cycles = 120
		saved, restored := rapid.SampledFrom(plain).Draw(t, "saved"), rapid.SampledFrom(plain).Draw(t, "restored")
		if rapid.Bool().Draw(t, "jitter") {
			saved = rtl.Config{Mode: rtl.Strict, Jitter: true, Seed: 4}
			restored = saved
		}
		straight := newCrossing(t, saved)
		require.NoError(t, straight.slow.Run(cycles))
		at := rapid.Uint64Range(0, cycles).Draw(t, "cycle")
		a := newCrossing(t, saved)
		require.NoError(t, a.slow.Run(at))
		var file, again bytes.Buffer
		require.NoError(t, a.sim.Save(&file, a.roots...))

		b := newCrossing(t, restored)
		require.NoError(t, b.slow.Run(rapid.Uint64Range(0, 50).Draw(t, "elsewhere")))
		require.NoError(t, b.sim.Restore(bytes.NewReader(file.Bytes()), b.roots...))
		require.Equal(t, a.hash.Sum(), b.hash.Sum())
		if restored == saved {
			require.NoError(t, b.sim.Save(&again, b.roots...))
			require.Equal(t, file.Bytes(), again.Bytes())
		}
		require.NoError(t, b.slow.Run(cycles-at))
		require.Equal(t, straight.hash.Sum(), b.hash.Sum())
		require.Equal(t, straight.sums.sum, b.sums.sum)
		require.Equal(t, straight.sums.by, b.sums.by)
		require.Equal(t, straight.slow.Time(), b.slow.Time())
		if restored.Mode == rtl.Strict {
			rest := b.slow
			require.NoError(t, straight.slow.Run(30))
			require.NoError(t, rest.Run(30))
			require.Equal(t, straight.hash.Sum(), b.hash.Sum())
		}
	})
}

// Strict mode goes on with its knowledge: an output that was driven before the checkpoint may be read after it, one
// that was not may not.
func TestCheckpointKeepsWhatWasDriven(t *testing.T) {
	for _, saved := range []rtl.Config{{}, {Mode: rtl.Strict}} {
		for cycle, want := range map[uint64]bool{3: false, 7: true} {
			made := func(cfg rtl.Config) (*rtl.Sim, *rtl.Clock, *watcher) {
				w, l := &watcher{from: 4}, &late{}
				sim, clk := build(t, cfg, func(top *rtl.Scope) {
					top.Add("late", l)
					top.Add("watcher", w)
					rtl.Connect(&l.Out, &w.In)
				})
				return sim, clk, w
			}
			sim, clk, _ := made(saved)
			for range cycle {
				_ = clk.Run(1) // strict mode reports the early reads
			}
			var file bytes.Buffer
			require.NoError(t, sim.Save(&file))
			sim, clk, _ = made(rtl.Config{Mode: rtl.Strict})
			require.NoError(t, sim.Restore(&file))
			err := clk.Run(1)
			if want {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, "read of undriven: top.watcher.in")
			}
		}
	}
}

// watcher reads its input from an edge on.
type watcher struct {
	In rtl.In[uint8]

	from, edges int
}

func (w *watcher) Tick() {
	if w.edges++; w.edges >= w.from {
		w.In.Get()
	}
}

type withFunc struct {
	Out  rtl.Out[uint8]
	part struct{ next []func() uint8 }
}

func (*withFunc) Tick() {}

func TestCheckpointsThatAreRefused(t *testing.T) {
	a := newCrossing(t, rtl.Config{})
	require.NoError(t, a.slow.Run(10))
	var file bytes.Buffer
	require.NoError(t, a.sim.Save(&file, a.roots...))

	refused := func(want string, b []byte, cfg rtl.Config, roots ...any) *crossing {
		t.Helper()
		c := newCrossing(t, cfg)
		if roots == nil {
			roots = c.roots
		}
		require.EqualError(t, c.sim.Restore(bytes.NewReader(b), roots...), want)
		return c
	}
	changed := bytes.Clone(file.Bytes())
	changed[len(changed)/2] ^= 1
	c := refused("checkpoint: the file was changed: its checksum does not match", changed, rtl.Config{})
	require.NoError(t, c.slow.Run(1), "nothing was touched")
	refused("checkpoint: the file is truncated", changed[:len(changed)-1], rtl.Config{})
	refused("checkpoint: the file is no state of goldwire", []byte("$date today $end\n"), rtl.Config{})
	refused(
		"checkpoint: the file is of another design, or of one built with other parameters", file.Bytes(), rtl.Config{},
		new(int),
	)
	jitter := rtl.Config{Mode: rtl.Strict, Jitter: true}
	c = refused("checkpoint: strict mode: it was saved without jitter, and goes on with it", file.Bytes(), jitter)
	require.Panics(t, func() { _ = c.slow.Run(1) }, "half restored")
	c = newCrossing(t, jitter)
	var jittered bytes.Buffer
	require.NoError(t, c.sim.Save(&jittered, c.roots...))
	for _, cfg := range []rtl.Config{{}, {Mode: rtl.Strict}} {
		refused("checkpoint: strict mode: it was saved with jitter, and goes on without", jittered.Bytes(), cfg)
	}

	w := &withFunc{}
	w.part.next = []func() uint8{nil, func() uint8 { return 1 }}
	sim, _ := build(t, rtl.Config{}, func(top *rtl.Scope) { top.Add("m", w) })
	require.EqualError(t, sim.Save(&file), "checkpoint: top.m.part.next[1]: a func() uint8 cannot be saved: "+
		"make it a struct or an interface with the state in fields, or say that it has none with the tag `state:\"none\"`")
	other := newCrossing(t, rtl.Config{})
	require.EqualError(
		t, sim.Restore(bytes.NewReader(file.Bytes())),
		"checkpoint: the file is of another design, or of one built with other parameters",
	)
	one := make([]int, 4)
	require.EqualError(
		t, other.sim.Save(&file, &struct{ a, b []int }{one[:3], one[2:]}),
		"checkpoint: struct { a []int; b []int }.b: shares its memory with another slice or pointer in part: keep an index "+
			"instead",
	)
}

// cursor has places of its own, and references that lead into them from cycle 3 on, or from the start.
type cursor struct {
	Out rtl.Out[uint8]

	rows   [2]row
	window []uint8
	beside *row // which points into the module
	inner  pointing
	cycle  int

	moves, returns func(*cursor) `state:"none"` // in cycles 3 and 6
}

type row struct {
	cells [4]uint8
	at    *uint8
}

// pointing is a module that is part of another and is not added itself.
type pointing struct{ at *uint8 }

func (*pointing) Tick() {}

func (c *cursor) Tick() {
	if c.cycle++; c.cycle == 3 && c.moves != nil {
		c.moves(c)
	} else if c.cycle == 6 && c.returns != nil {
		c.returns(c)
	}
	c.Out.Set(*c.rows[1].at)
}

// A reference that has moved within its module is refused when it is saved, as Restore would refuse it, and nothing is
// written. One that leads where it was built may be saved, as may one that left the module.
func TestCheckpointOfAModuleThatPointsIntoItself(t *testing.T) {
	const where = ": points to another place inside of an object than as built: keep an index instead"
	elsewhere := uint8(7)
	for name, c := range map[string]struct {
		moves func(*cursor)
		want  string
	}{
		"stays":           {nil, ""},
		"comes back":      {func(c *cursor) { c.rows[1].at, c.rows[0].at = &c.rows[1].cells[0], nil }, ""},
		"leaves":          {func(c *cursor) { c.rows[1].at, c.window = &elsewhere, []uint8{1, 2} }, ""},
		"grows":           {func(c *cursor) { c.window = append(c.window, 3) }, ""},
		"pointer moves":   {func(c *cursor) { c.rows[1].at = &c.rows[0].cells[3] }, "top.cursor.rows[1].at"},
		"pointer was nil": {func(c *cursor) { c.rows[0].at = &c.rows[0].cells[0] }, "top.cursor.rows[0].at"},
		"part's moves":    {func(c *cursor) { c.inner.at = &c.rows[1].cells[2] }, "top.cursor.inner.at"},
		"part's stays":    {func(c *cursor) { c.inner.at = &c.rows[0].cells[2] }, ""},
		"slice moves":     {func(c *cursor) { c.window = c.window[1:] }, "top.cursor.window"},
		"slice shrinks":   {func(c *cursor) { c.window = c.window[:1:2] }, "top.cursor.window"},
	} {
		t.Run(name, func(t *testing.T) {
			made := func() (*rtl.Sim, *rtl.Clock) {
				m := &cursor{moves: c.moves}
				m.rows[1].at, m.window = &m.rows[1].cells[0], m.rows[0].cells[:2:3]
				m.beside, m.inner.at = &row{at: &m.rows[0].cells[1]}, &m.rows[0].cells[2]
				return build(t, rtl.Config{}, func(top *rtl.Scope) { top.Add("cursor", m) })
			}
			for _, start := range []func(*rtl.Sim, *rtl.Clock) error{
				func(_ *rtl.Sim, clk *rtl.Clock) error { return clk.Run(2) },
				func(_ *rtl.Sim, clk *rtl.Clock) error { return clk.RunEach(2, func() {}) },
				func(sim *rtl.Sim, _ *rtl.Clock) error { return errors.Join(sim.Step(), sim.Step()) },
			} {
				sim, clk := made()
				var file bytes.Buffer
				require.NoError(t, sim.Save(&file), "before it runs")
				require.NoError(t, start(sim, clk))
				require.NoError(t, sim.Save(&file))
				file.Reset()
				require.NoError(t, start(sim, clk), "it moves")
				require.NoError(t, clk.Run(1))
				err := sim.Save(&file)
				if c.want != "" {
					require.EqualError(t, err, "checkpoint: "+c.want+where)
					require.Zero(t, file.Len(), "nothing is written")
					continue
				}
				require.NoError(t, err)
				other, _ := made()
				require.NoError(t, other.Restore(&file), "what is saved can be read")
			}
		})
	}
}

// What left its place before a checkpoint may come back to it after Restore, and to no other.
func TestCheckpointOfAReferenceThatComesBackAfterRestore(t *testing.T) {
	elsewhere := uint8(7)
	for _, home := range []bool{true, false} {
		made := func() (*rtl.Sim, *rtl.Clock) {
			m := &cursor{}
			m.moves = func(c *cursor) { c.rows[1].at = &elsewhere }
			m.rows[1].at = &m.rows[1].cells[0]
			m.returns = func(c *cursor) {
				if c.rows[1].at = &c.rows[1].cells[0]; !home {
					c.rows[1].at = &c.rows[1].cells[1]
				}
			}
			return build(t, rtl.Config{}, func(top *rtl.Scope) { top.Add("cursor", m) })
		}
		sim, clk := made()
		require.NoError(t, clk.Run(4))
		var file bytes.Buffer
		require.NoError(t, sim.Save(&file))
		restored, its := made()
		require.NoError(t, restored.Restore(bytes.NewReader(file.Bytes())))
		var first, second bytes.Buffer
		require.NoError(t, clk.Run(4))
		require.NoError(t, its.Run(4))
		err, errOfRestored := sim.Save(&first), restored.Save(&second)
		if !home {
			require.ErrorContains(t, err, "top.cursor.rows[1].at: points to another place")
			require.Equal(t, err, errOfRestored)
			continue
		}
		require.NoError(t, err)
		require.NoError(t, errOfRestored)
		require.Equal(t, first.Bytes(), second.Bytes())
		again, _ := made()
		require.NoError(t, again.Restore(&second))
	}
}

// shown looks at a module from beside the simulation.
type shown struct{ cell *uint8 }

// A root may point into a module, and a module into a root.
func TestCheckpointOfRootsThatPointIntoModules(t *testing.T) {
	made := func() (*rtl.Sim, *rtl.Clock, *shown, *row) {
		m, beside := &cursor{}, &row{}
		m.rows[1].at = &beside.cells[2]
		sim, clk := build(t, rtl.Config{}, func(top *rtl.Scope) { top.Add("cursor", m) })
		return sim, clk, &shown{&m.rows[0].cells[1]}, beside
	}
	sim, clk, s, r := made()
	require.NoError(t, clk.Run(3))
	var file bytes.Buffer
	require.NoError(t, sim.Save(&file, s, r))
	sim, _, s, r = made()
	require.NoError(t, sim.Restore(&file, s, r))
}

// A reference to a place in a module, from a root or from a value that a module points to, is refused by Restore if it
// has moved. Save cannot know that.
func TestCheckpointOfWhatMovesBesideModules(t *testing.T) {
	for name, c := range map[string]struct {
		moves func(*cursor, *shown)
		want  string
	}{
		"stay":                   {func(*cursor, *shown) {}, ""},
		"a root's":               {func(c *cursor, s *shown) { s.cell = &c.rows[0].cells[2] }, "rtl_test.shown.cell"},
		"what a module leads to": {func(c *cursor, _ *shown) { c.beside.at = &c.rows[0].cells[2] }, "top.cursor.beside.at"},
	} {
		t.Run(name, func(t *testing.T) {
			made := func() (*rtl.Sim, *rtl.Clock, *cursor, *shown) {
				m := &cursor{}
				m.rows[1].at, m.beside = &m.rows[1].cells[0], &row{at: &m.rows[0].cells[1]}
				sim, clk := build(t, rtl.Config{}, func(top *rtl.Scope) { top.Add("cursor", m) })
				return sim, clk, m, &shown{&m.rows[0].cells[1]}
			}
			sim, clk, m, s := made()
			require.NoError(t, clk.Run(3))
			c.moves(m, s)
			var file bytes.Buffer
			require.NoError(t, sim.Save(&file, s))
			other, _, _, s := made()
			err := other.Restore(&file, s)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(
				t, err,
				"checkpoint: "+c.want+": points to another place inside of an object than as built: keep an index instead",
			)
		})
	}
}

// A design with another path, phase or delay than the saved one is another design, though its types are the same.
func TestCheckpointOfAnotherDesign(t *testing.T) {
	made := func(name, phase string, edges int) *rtl.Sim {
		sim := rtl.New(rtl.Config{})
		top := sim.Scope("top").On(sim.Clock("clk", clock.MHz(100), clock.MustTime(phase)))
		l, d := &late{}, &rtl.Delay[uint8]{Edges: edges}
		top.Add(name, l)
		top.Add("delay", d)
		rtl.Connect(&l.Out, &d.In)
		require.NoError(t, sim.Elaborate())
		return sim
	}
	var file bytes.Buffer
	require.NoError(t, made("late", "1ns", 3).Save(&file))
	require.NoError(t, made("late", "1ns", 3).Restore(bytes.NewReader(file.Bytes())))
	for _, other := range []*rtl.Sim{made("later", "1ns", 3), made("late", "2ns", 3), made("late", "1ns", 4)} {
		require.EqualError(
			t, other.Restore(bytes.NewReader(file.Bytes())),
			"checkpoint: the file is of another design, or of one built with other parameters",
		)
	}
}

// fan drives three outputs, the last only now and then.
type fan struct {
	Out [3]rtl.Out[uint8]

	n uint8
}

func (f *fan) Tick() {
	f.n++
	for i := range f.Out {
		if i < 2 || f.n%3 == 0 {
			f.Out[i].Set(f.n)
		}
	}
}

// Ports in an array are joints like others: their targets are the kernel's.
func TestCheckpointOfPortsInAnArray(t *testing.T) {
	made := func() (*rtl.Sim, *rtl.Clock) {
		return build(t, rtl.Config{}, func(top *rtl.Scope) { top.Add("fan", &fan{}) })
	}
	a, clk := made()
	require.NoError(t, clk.Run(7))
	file, err := a.Checkpoint()
	require.NoError(t, err)
	b, _ := made()
	require.NoError(t, b.Restore(bytes.NewReader(file)))
	again, err := b.Checkpoint()
	require.NoError(t, err)
	require.Equal(t, file, again)
}

// Whatever a file says whose checksum is right, reading it ends, with an error or without.
func TestForgedCheckpoints(t *testing.T) {
	a := newCrossing(t, rtl.Config{})
	require.NoError(t, a.slow.Run(20))
	file, err := a.sim.Checkpoint(a.roots...)
	require.NoError(t, err)
	rng, refused := rand.New(rand.NewPCG(3, 4)), 0
	for range 400 {
		bad := bytes.Clone(file)
		n := len(bad) - sha256.Size
		bad[n-1-rng.IntN(n/2)] = byte(rng.Uint32())
		sum := sha256.Sum256(bad[:n])
		copy(bad[n:], sum[:])
		b := newCrossing(t, rtl.Config{})
		if b.sim.Restore(bytes.NewReader(bad), b.roots...) != nil {
			refused++
		}
	}
	require.Positive(t, refused)
}

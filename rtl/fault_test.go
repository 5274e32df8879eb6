package rtl_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

type unsized struct{ Out rtl.Out[int] }

func (*unsized) Tick() {}

type badTag struct {
	Out rtl.Out[struct {
		X uint8 `bits:"9"`
	}]
}

func (*badTag) Tick() {}

type withReset struct{ Reset rtl.In[bool] }

type twoResets struct {
	withReset
	Reset rtl.In[bool]
}

func (*twoResets) Tick() {}

// A port of an embedded struct that has the name of another would be a second signal of that name in waveforms and
// Verilog.
func TestPortsOfOneName(t *testing.T) {
	_, err := rtl.Ports(&twoResets{})
	require.ErrorContains(t, err, "bad name: two_resets.reset is the name of two ports")
}

// Elaboration reports every fault at once. The wanted text is the whole of it.
func TestElaborationReportsEverything(t *testing.T) {
	sim := rtl.New(rtl.Config{})
	a, b := sim.Clock("core", clock.MHz(390.625)), sim.Clock("line", clock.MHz(402.83203125))
	tx, rx := sim.Scope("tx").On(a), sim.Scope("rx").On(b)

	var lonely, twice, crossed, stranger, orphan register
	var c1, c2 counter
	var l1, l2 inverter
	tx.Add("lonely", &lonely)
	tx.Add("c1", &c1)
	tx.Add("c2", &c2)
	tx.Add("twice", &twice)
	rtl.Connect(&c1.Out, &twice.In)
	rtl.Connect(&c2.Out, &twice.In)
	rx.Add("crossed", &crossed)
	rtl.Connect(&c1.Out, &crossed.In)
	tx.Add("stranger", &stranger)
	rtl.Connect(&orphan.Out, &stranger.In)
	loop := tx.Scope("loop")
	loop.Add("b", &l2)
	loop.Add("a", &l1)
	rtl.Connect(&l1.Out, &l2.In)
	rtl.Connect(&l2.Out, &l1.In)
	tx.Add("unsized", &unsized{})
	tx.Add("bad_tag", &badTag{})
	rx.Add("again", &c1)
	rx.Add("c2", &c2)
	sim.Scope("nowhere").Add("c", &counter{})
	tx.Add("1st", &counter{})
	tx.Add("lonely", &counter{})
	var glitch sampler
	var inv inverter
	rx.Add("glitch", &glitch)
	rx.Add("inv", &inv)
	rtl.Tie(0, &inv.In)
	rtl.Connect(&inv.Out, &glitch.In)

	err := sim.Elaborate()
	require.IsType(t, rtl.Faults{}, err)
	want := `
bad name: tx.1st is not a name: want a letter or _, then letters, digits and _
no fixed width: tx.unsized.out is of type int: the value has type int, want bool, uint8 to uint64, or arrays and structs of them
no fixed width: tx.bad_tag.out is of type struct { X uint8 "bits:\"9\"" }: field x uint8 has the tag bits:"9", want 1 to the 8 bits of its type
added twice: rx.again is the same module as tx.c1
added twice: rx.c2 is the same module as tx.c2
no clock: nowhere.c has no clock: add it to a scope that is On a clock
added twice: tx.lonely is the path of two modules
unconnected: tx.lonely.in reads nothing: Connect it, or Tie it to a constant
driven twice: tx.twice.in is driven by tx.c1.out and by tx.c2.out
clock crossing: rx.crossed.in (clock line) reads tx.c1.out (clock core): use a synchroniser or an asynchronous FIFO
not added: tx.stranger.in reads an output of a module that was not added
clock crossing: rx.glitch.in reads the Wire rx.inv.out: combinational logic glitches, cross from a register
combinational loop: tx.loop.a.out depends on itself: tx.loop.a.out → tx.loop.b.out → tx.loop.a.out; tx.loop.b.out counts as depending on ` +
		"all inputs of its module: if it does not, a tag on it names those that it does, `comb:\"Valid,Data\"`, or none, " +
		"`comb:\"none\"`"
	require.Equal(t, strings.TrimSpace(want), err.Error())
	require.Panics(t, func() { _ = a.Run(1) }, "a design with faults does not run")
}

// All outputs that an input was connected to are named, in their order, and constants.
func TestInputOfManyDrivers(t *testing.T) {
	sim := rtl.New(rtl.Config{})
	sc := sim.Scope("s").On(sim.Clock("clk", clock.MHz(1)))
	var a, b counter
	var r register
	sc.Add("a", &a)
	sc.Add("b", &b)
	sc.Add("r", &r)
	rtl.Connect(&b.Out, &r.In)
	rtl.Tie(1, &r.In)
	rtl.Connect(&a.Out, &r.In)
	rtl.Connect(&b.Out, &r.In)
	require.EqualError(
		t, sim.Elaborate(), "driven twice: s.r.in is driven by s.b.out and by a constant and by s.a.out and by s.b.out",
	)
}

// part holds another module by value; adding both makes their ports one and the same.
type part struct {
	Inner register
}

func (*part) Tick() {}

func TestOutputOwnedByTwoModules(t *testing.T) {
	sim := rtl.New(rtl.Config{})
	sc := sim.Scope("s").On(sim.Clock("clk", clock.MHz(1)))
	p := &part{}
	sc.Add("p", p)
	sc.Add("inner", &p.Inner)
	rtl.Tie(0, &p.Inner.In)
	require.ErrorContains(t, sim.Elaborate(), "driven twice: s.inner.out is the same output as s.p.inner_out")
}

// counted shows its count twice by one name.
type counted struct {
	Count rtl.Out[uint8]

	count uint8 `bits:"8"`
}

func (c *counted) Tick() { c.count++; c.Count.Set(c.count) }

func TestProbeWithTheNameOfAnOutput(t *testing.T) {
	sim := rtl.New(rtl.Config{})
	sim.Scope("s").On(sim.Clock("clk", clock.MHz(1))).Add("c", &counted{})
	require.ErrorContains(t, sim.Elaborate(), "bad name: s.c.count is the name of two signals, one of them a probe")
}

// fed shows something else by the name of its input.
type fed struct {
	Word rtl.In[uint8]

	word uint8 `bits:"8"`
}

func (f *fed) Tick() { f.word = f.Word.Get() + 1 }

func TestProbeWithTheNameOfAnInput(t *testing.T) {
	sim := rtl.New(rtl.Config{})
	f := &fed{}
	sim.Scope("s").On(sim.Clock("clk", clock.MHz(1))).Add("f", f)
	rtl.Tie(1, &f.Word)
	require.ErrorContains(t, sim.Elaborate(), "bad name: s.f.word is the name of an input and of a probe")
}

func TestNoClockAtAll(t *testing.T) {
	require.ErrorContains(t, rtl.New(rtl.Config{}).Elaborate(), "bad clock: the simulation has no clock")
	sim := rtl.New(rtl.Config{})
	sim.Clock("a", clock.MustFreq("1e60GHz"))
	sim.Clock("b", clock.MustFreq("1Hz"))
	require.ErrorContains(t, sim.Elaborate(), "bad clock: the clocks cannot be scheduled: clock a")
}

type mistaggedComb struct {
	In  rtl.In[bool]
	Out rtl.Wire[bool] `comb:"Inn"`
}

func (m *mistaggedComb) Comb() { m.Out.Set(m.In.Get()) }
func (m *mistaggedComb) Tick() {}

func TestCombTagNamesAnInput(t *testing.T) {
	sim := rtl.New(rtl.Config{})
	m := &mistaggedComb{}
	sim.Scope("s").On(sim.Clock("clk", clock.MHz(1))).Add("m", m)
	rtl.Tie(true, &m.In)
	require.ErrorContains(
		t,
		sim.Elaborate(),
		`bad tag: s.m.out has "Inn" in its comb tag, which is no input of the module`,
	)
}

// The modules below break one rule each; strict mode finds each at the cycle where it happens.

type tooWide struct{ Out rtl.Out[nibble] }

type nibble struct {
	V uint8 `bits:"4"`
}

func (w *tooWide) Tick() { w.Out.Set(nibble{w.Out.Get().V + 5}) }

// quiet has a Reset but drives its output only from its third edge on.
type quiet struct {
	Out rtl.Out[uint8]
	n   int
}

func (q *quiet) Reset() {}
func (q *quiet) Tick() {
	if q.n++; q.n >= 3 {
		q.Out.Set(7)
	}
}

type latch struct {
	In  rtl.In[uint8]
	Out rtl.Wire[uint8]
}

func (l *latch) Comb() {
	if l.In.Get() < 3 {
		l.Out.Set(1)
	}
}
func (l *latch) Tick() {}

type impure struct {
	Out rtl.Wire[uint8]
	n   uint8
}

func (i *impure) Comb() { i.n++; i.Out.Set(i.n) }
func (i *impure) Tick() {}

type undeclared struct {
	In  rtl.In[uint8]
	Out rtl.Wire[uint8] `comb:"none"`
}

func (u *undeclared) Comb() { u.Out.Set(u.In.Get()) }
func (u *undeclared) Tick() {}

type misplaced struct {
	In  rtl.In[uint8]
	Out rtl.Out[uint8]
	W   rtl.Wire[uint8]
}

func (m *misplaced) Comb() { m.W.Set(0); m.Out.Set(1) }
func (m *misplaced) Tick() { m.W.Set(1) }

type asyncComb struct {
	In  rtl.Async[uint8]
	Out rtl.Wire[uint8]
}

func (m *asyncComb) Comb() { m.Out.Set(m.In.Get()) }
func (m *asyncComb) Tick() {}

func TestStrictModeFinds(t *testing.T) {
	for name, c := range map[string]struct {
		module func(top *rtl.Scope, count *counter)
		want   string
		cycles uint64
	}{
		"a value too wide": {func(top *rtl.Scope, _ *counter) { top.Add("m", &tooWide{}) },
			"too wide: top.m.out.v gets 0x14 at cycle 4 of clock clk, want 4 bits", 4},
		"a latch": {func(top *rtl.Scope, c *counter) {
			m := &latch{}
			top.Add("m", m)
			rtl.Connect(&c.Out, &m.In)
		}, "latch: top.m.out was not driven by Comb at cycle 4 of clock clk", 4},
		"an impure Comb": {func(top *rtl.Scope, _ *counter) { top.Add("m", &impure{}) },
			"impure comb: top.m.out was 0x3, then 0x4 when Comb was called again", 1},
		"an undeclared input": {func(top *rtl.Scope, c *counter) {
			m := &undeclared{}
			top.Add("m", m)
			rtl.Connect(&c.Out, &m.In)
		}, "undeclared input: top.m.in is read by Comb, but no comb tag of the module names it", 1},
		"misplaced drives": {func(top *rtl.Scope, c *counter) {
			m := &misplaced{}
			top.Add("m", m)
			rtl.Connect(&c.Out, &m.In)
		}, "misplaced drive: top.m.out is an Out, but Comb sets it\nmisplaced drive: top.m.w is a Wire, but Tick sets it", 1},
		"an Async read in Comb": {func(top *rtl.Scope, c *counter) {
			m := &asyncComb{}
			top.Add("m", m)
			rtl.Connect(&c.Out, &m.In)
		}, "clock crossing: top.m.in is an Async, but Comb reads it", 1},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(4) {
				_, clk := build(t, rtl.Config{Mode: rtl.Strict, Seed: seed}, func(top *rtl.Scope) {
					count := &counter{}
					top.Add("count", count)
					c.module(top, count)
				})
				err := clk.Run(10)
				require.EqualError(t, err, c.want)
				require.Equal(t, c.cycles, clk.Cycle(), "the run stops at the instant of the fault")
			}
			_, clk := build(t, rtl.Config{}, func(top *rtl.Scope) {
				count := &counter{}
				top.Add("count", count)
				c.module(top, count)
			})
			require.NoError(t, clk.Run(10), "fast mode does not look")
		})
	}
}

// A read of an output that neither Reset nor Tick has driven is found whatever the order of ticks. It is no longer a
// fault once the output is driven.
func TestStrictModeFindsReadsOfUndrivenOutputs(t *testing.T) {
	for seed := range uint64(8) {
		q, r := &quiet{}, &register{}
		_, clk := build(t, rtl.Config{Mode: rtl.Strict, Seed: seed}, func(top *rtl.Scope) {
			top.Add("q", q)
			top.Add("r", r)
			rtl.Connect(&q.Out, &r.In)
		})
		for cycle := 1; cycle <= 3; cycle++ {
			require.ErrorContains(
				t, clk.Run(1), "read of undriven: top.r.in reads top.q.out at cycle", "seed %d cycle %d", seed, cycle,
			)
		}
		require.NoError(t, clk.Run(5))
		require.EqualValues(t, 7, r.Out.Get())
	}
}

// resetReader reads its inputs in Reset alone.
type resetReader struct {
	In  rtl.In[uint8]
	Far rtl.Async[uint8]
}

func (r *resetReader) Reset() { _, _ = r.In.Get(), r.Far.Get() }
func (r *resetReader) Tick()  {}

// What Reset has read is not held against the first edge.
func TestStrictModeForgetsWhatResetRead(t *testing.T) {
	_, clk := build(t, rtl.Config{Mode: rtl.Strict}, func(top *rtl.Scope) {
		q, r := &quiet{}, &resetReader{}
		top.Add("q", q)
		top.Add("r", r)
		rtl.Connect(&q.Out, &r.In)
		rtl.Connect(&q.Out, &r.Far)
	})
	require.NoError(t, clk.Run(2))
}

// level is an input whose value prints its meaning.
type level struct{ rtl.In[uint8] }

func (l *level) high() bool { return l.Get() >= 4 }

type levelReader struct {
	Level level
	High  rtl.Out[bool]
}

func (l *levelReader) Tick() { l.High.Set(l.Level.high()) }

// A type that embeds an input is one: in all modes it reads its source, and strict mode sees its reads.
func TestInputOfAnotherType(t *testing.T) {
	for _, cfg := range []rtl.Config{{}, {Mode: rtl.Strict}, {Mode: rtl.Parallel, Workers: 2}} {
		c, l := &counter{}, &levelReader{}
		_, clk := build(t, cfg, func(top *rtl.Scope) {
			top.Add("c", c)
			top.Add("l", l)
			rtl.Connect(&c.Out, &l.Level)
		})
		for range 8 {
			high := c.Out.Get() >= 4
			require.NoError(t, clk.Run(1))
			require.Equal(t, high, l.High.Get())
		}
		require.True(t, l.High.Get())
	}
	_, clk := build(t, rtl.Config{Mode: rtl.Strict}, func(top *rtl.Scope) {
		q, l := &quiet{}, &levelReader{}
		top.Add("q", q)
		top.Add("l", l)
		rtl.Connect(&q.Out, &l.Level)
	})
	require.ErrorContains(t, clk.Run(1), "read of undriven: top.l.level reads top.q.out at cycle 1")
}

// A simulation that failed to elaborate says so, and not that it is elaborated already.
func TestRunAfterAFailedElaborate(t *testing.T) {
	sim := rtl.New(rtl.Config{})
	clk := sim.Clock("a", clock.MHz(1))
	sim.Scope("s").Add("none", &counter{})
	require.Error(t, sim.Elaborate())
	const want = "rtl: Run: the simulation is not elaborated: " +
		"call Elaborate, and see that it returns no error, before that"
	require.PanicsWithValue(t, want, func() { _ = clk.Run(1) })
}

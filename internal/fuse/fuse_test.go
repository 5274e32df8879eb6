package fuse_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/fuse"
	"github.com/goldwire/goldwire/internal/fuse/zoo"
	"github.com/goldwire/goldwire/internal/fuse/zoo/names"
	others "github.com/goldwire/goldwire/internal/fuse/zoo/others/names"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/tb"
)

const zooPath = "github.com/goldwire/goldwire/internal/fuse/zoo"

func clk(sim *rtl.Sim) *rtl.Clock { return sim.Clock("clk", clock.MHz(100)) }

// In an island of several clocks, too, a module that breaks the rules is refused. A module that could do anything stays
// one, by its name; there must be another.
func TestRefusalsOfSeveralClocks(t *testing.T) {
	var m struct {
		dice      zoo.Dice
		global    zoo.Global
		peeping   zoo.Peeping
		embedding zoo.Embedding
		closing   zoo.Closing
		deferring zoo.Deferring
		breaking  zoo.Breaking
		valuing   zoo.Valuing
		again     zoo.Again
		beyond    zoo.Beyond
		promoting zoo.Promoting
		wasting   zoo.Wasting
		asking    zoo.Asking
		rolling   zoo.Rolling
		printing  zoo.Printing
	}
	for _, c := range []struct {
		module rtl.Module
		in     rtl.Sink[uint64]
		out    *rtl.Out[uint64]
		reason string
		plain  bool
	}{
		{&m.dice, &m.dice.In, &m.dice.Out, "calls Uint64 of an interface, which could do anything (domains.go:", true},
		{&m.global, &m.global.In, &m.global.Out, "sets the package's variable count (refused.go:", false},
		{&m.peeping, &m.peeping.In, &m.peeping.Out, "has to do with another module, m.other (refused.go:", false},
		{&m.embedding, &m.embedding.In, &m.embedding.Out, "has ports inside of its field Cell", false},
		{&m.closing, &m.closing.In, &m.closing.Out, "has a function literal (plain.go:", true},
		{&m.deferring, &m.deferring.In, &m.deferring.Out, "defers a call (refused.go:", true},
		{&m.breaking, &m.breaking.In, &m.breaking.Out, "has a label (plain.go:", true},
		{&m.valuing, &m.valuing.In, &m.valuing.Out, "uses its method pass as a value (plain.go:", true},
		{&m.again, &m.again.In, &m.again.Out, "calls its own Tick (plain.go:", true},
		{&m.beyond, &m.beyond.In, &m.beyond.Out, "uses Far[0], and has 0 of them (plain.go:", true},
		{&m.promoting, &m.promoting.In, &m.promoting.Out, "uses n of an embedded field (plain.go:", true},
		{&m.wasting, &m.wasting.In, &m.wasting.Out, "gets Rest for nothing (plain.go:", true},
		{&m.asking, &m.asking.In, &m.asking.Out,
			"uses the package's variable oracle beside calls of what is not known (plain.go:", false},
		{&m.rolling, &m.rolling.In, &m.rolling.Out,
			"hands m.rng to (*math/rand/v2.Rand).Uint64, which may call it (plain.go:", true},
		{&m.printing, &m.printing.In, &m.printing.Out, "hands m.eye to fmt.Sprint, which may call it (plain.go:", true},
	} {
		sim := rtl.New(rtl.Config{})
		var lap zoo.Lap
		sim.Scope("a").On(clk(sim)).Add("lap", &lap)
		sim.Scope("b").On(sim.Clock("slow", clock.MHz(50))).Add("x", c.module)
		rtl.Tie(uint64(5), c.in)
		rtl.Connect(c.out, &lap.In)
		require.NoError(t, sim.Elaborate())
		file, err := fuse.Generate(t.Context(), ".", fuse.Target{Name: "x", Package: zooPath, Sim: sim})
		require.NoError(t, err)
		require.Len(t, file.Islands, 1)
		refused := file.Islands[0].Refused
		if c.plain {
			require.Nil(t, refused)
			refused = file.Islands[0].Plain
			if refused == nil {
				refused = file.Islands[0].Unseen
			}
		}
		require.Equal(t, c.plain, file.Text != nil)
		require.Len(t, refused, 1)
		require.ErrorContains(t, refused, "b.x "+c.reason)
	}
}

// Functions in a field whose tag promises that they look at no port are called without a look at their targets; others
// are not.
func TestPromise(t *testing.T) {
	sim := rtl.New(rtl.Config{})
	scope := sim.Scope("a").On(clk(sim))
	m := zoo.Promising{F: func(v uint64) uint64 { return ^v }}
	silent := zoo.Function{F: m.F} // promises nothing
	scope.Add("x", &m)
	scope.Add("silent", &silent)
	rtl.Tie(uint64(5), &m.In)
	rtl.Connect(&m.Out, &silent.In)
	require.NoError(t, sim.Elaborate())
	file, err := fuse.Generate(t.Context(), ".", fuse.Target{Name: "x", Package: zooPath, Sim: sim})
	require.NoError(t, err)
	require.Empty(t, file.Islands[0].Refused)
	require.Empty(t, file.Islands[0].Plain)
	require.Len(t, file.Islands[0].Unseen, 1)
	require.ErrorContains(t, file.Islands[0].Unseen[0], "a.silent calls the function value m.F, which could do anything")
	require.Contains(t, string(file.Text), "registers0.xOut = m.m.F(*m.In)")
}

// What cannot be understood, or cannot be named where the code goes, is refused, by its name and with the reason.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		home string
		add  func(*rtl.Scope) map[string]string
	}{
		{zooPath, zoo.AddRefused}, {zooPath, zoo.AddHiding}, {"github.com/goldwire/goldwire/internal/fuse", zoo.AddPrivate},
		{zooPath + "/names", zoo.AddLanguage},
	} {
		file, reasons := generateAll(t, c.home, c.add)
		require.Empty(t, string(file.Text))
		require.False(t, file.Stale())
		for _, i := range file.Islands {
			path := i.Modules[0]
			require.Len(t, i.Refused, 1, path)
			require.ErrorContains(t, i.Refused, path+" "+reasons[path])
		}
	}
}

// Modules with unknown calls are fused, and named: the kernel looks before each run at the calls' targets.
func TestUnseen(t *testing.T) {
	file, reasons := generateAll(t, zooPath, zoo.AddUnseen)
	for _, i := range file.Islands {
		path := i.Modules[0]
		require.Empty(t, i.Refused)
		require.Len(t, i.Unseen, 1, path)
		require.ErrorContains(t, i.Unseen, path+" "+reasons[path])
	}
}

// generateAll makes the code for modules that are islands each.
func generateAll(t *testing.T, home string, add func(*rtl.Scope) map[string]string) (*fuse.File, map[string]string) {
	sim := rtl.New(rtl.Config{})
	reasons := add(sim.Scope("top").On(clk(sim)))
	require.NoError(t, sim.Elaborate())
	file, err := fuse.Generate(t.Context(), ".", fuse.Target{Name: "refused", Package: home, Sim: sim})
	require.NoError(t, err)
	require.Len(t, file.Islands, len(reasons))
	return file, reasons
}

// Code in which two packages would have one name is refused: for an island of one clock, one of several, and where
// another island of the file has the first. Where one of them is the file's own, the modules of one name are told
// apart.
func TestPackagesOfOneName(t *testing.T) {
	const reason = "b.step needs " + zooPath + "/others/names, whose name the code needs for " + zooPath + "/names"
	for _, c := range []struct {
		home   string
		clocks int
		apart  bool
	}{{zooPath, 1, false}, {zooPath, 2, false}, {zooPath, 1, true}, {zooPath + "/names", 2, false}} {
		sim := rtl.New(rtl.Config{})
		clocks := []*rtl.Clock{clk(sim), clk(sim)}
		if c.clocks == 2 {
			clocks[1] = sim.Clock("slow", clock.MHz(50))
		}
		var a names.Step
		var b others.Step
		sim.Scope("a").On(clocks[0]).Add("step", &a)
		sim.Scope("b").On(clocks[1]).Add("step", &b)
		if c.apart {
			rtl.Connect(&a.Out, &a.In)
			rtl.Connect(&b.Out, &b.In)
		} else {
			rtl.Connect(&a.Out, &b.In)
			rtl.Connect(&b.Out, &a.In)
		}
		require.NoError(t, sim.Elaborate())
		file, err := fuse.Generate(t.Context(), ".", fuse.Target{Name: "x", Package: c.home, Sim: sim})
		require.NoError(t, err)
		last := file.Islands[len(file.Islands)-1]
		if c.apart {
			require.Len(t, file.Islands, 2)
			require.Nil(t, file.Islands[0].Refused)
		}
		if c.home == zooPath {
			require.EqualError(t, last.Refused, reason)
			continue
		}
		require.Nil(t, last.Refused)
		require.Contains(t, string(file.Text), "+ 1\n")
		require.Contains(t, string(file.Text), "+ 2\n")
	}
}

// A package that is not there, and a folder without a Go module, are errors that name them.
func TestNoSource(t *testing.T) {
	sim, err := zoo.NewCircle(rtl.Config{}, clk)
	require.NoError(t, err)
	_, err = fuse.Generate(t.Context(), ".", fuse.Target{Name: "x", Package: zooPath + "/nowhere", Sim: sim})
	require.ErrorContains(t, err, "zoo/nowhere")
	dir := t.TempDir()
	_, err = fuse.Generate(t.Context(), dir, fuse.Target{Name: "x", Package: zooPath, Sim: sim})
	require.ErrorContains(t, err, dir)
}

// A target with a name that is taken in its package would break the package: nothing comes of it.
func TestNamesThatAreTaken(t *testing.T) {
	sim, err := zoo.NewCircle(rtl.Config{Plain: true}, clk)
	require.NoError(t, err)
	file, err := fuse.Generate(t.Context(), ".", fuse.Target{Name: "taken", Package: zooPath, Sim: sim})
	require.Nil(t, file)
	require.Regexp(
		t,
		`^namesakes\.go:\d+:\d+: the generated code does not compile: fusedTaken redeclared in this block: `+
			`a fault of the generator, not of the modules; nothing is written$`,
		err,
	)
}

// The golden file shows what generated code looks like, and the package's documentation shows its function.
// GOLDWIRE_UPDATE=1 go test writes the file.
func TestPair(t *testing.T) {
	const golden = "testdata/pair.golden"
	sim, err := zoo.NewPair(rtl.Config{Plain: true})
	require.NoError(t, err)
	file, err := fuse.Generate(t.Context(), ".", fuse.Target{Name: "pair", Package: zooPath, Sim: sim})
	require.NoError(t, err)
	if tb.Updating() {
		require.NoError(t, os.WriteFile(golden, file.Text, 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), string(file.Text))
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	_, run, found := strings.Cut(string(want), "\nfunc (f *fusedPair) run(")
	require.True(t, found)
	run, _, _ = strings.Cut(run, "\n}\n")
	for line := range strings.Lines("func (f *fusedPair) run(" + run + "\n}\n") {
		require.Contains(t, string(doc), "\n//\t"+line)
	}
}

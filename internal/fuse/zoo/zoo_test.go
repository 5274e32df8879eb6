package zoo_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/fuse"
	"github.com/goldwire/goldwire/internal/fuse/fusetest"
	"github.com/goldwire/goldwire/internal/fuse/zoo"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/fused"
)

const zooPath = "github.com/goldwire/goldwire/internal/fuse/zoo"

// withCode is set in the process that has the zoo's generated code.
const withCode = "GOLDWIRE_ZOO_HAS_CODE"

type build = func(rtl.Config) (*rtl.Sim, error)

// target is a generated file, and the simulations that have it in common.
type target struct {
	name    string
	without map[string]string
	builds  []build
}

func clk(sim *rtl.Sim) *rtl.Clock { return sim.Clock("clk", clock.MHz(100)) }

// of builds a part of the zoo for its simulation alone.
func of[Z any](wire func(rtl.Config) (Z, error), sim func(Z) *rtl.Sim) build {
	return func(cfg rtl.Config) (*rtl.Sim, error) {
		z, err := wire(cfg)
		if err != nil {
			return nil, err
		}
		return sim(z), nil
	}
}

func apart(late string) build {
	return func(cfg rtl.Config) (*rtl.Sim, error) {
		a, err := zoo.NewApart(cfg, clock.MustTime(late))
		return a.Sim, err
	}
}

func both(late int) build {
	return func(cfg rtl.Config) (*rtl.Sim, error) {
		b, err := zoo.NewBoth(cfg, late)
		return b.Sim, err
	}
}

func borders(other bool) build {
	return func(cfg rtl.Config) (*rtl.Sim, error) {
		b, err := zoo.NewBorders(cfg, other)
		return b.Sim, err
	}
}

var targets = []target{
	// Circles of registers, wires, memories, constants.
	{"circle", nil, []build{func(cfg rtl.Config) (*rtl.Sim, error) { return zoo.NewCircle(cfg, clk) }}},
	// Several clocks, some with common edges; delays of one clock and from one to another; ports in slices and arrays,
	// used by modules' own methods; a module that stays one, and one with an unknown call.
	{"domains", nil, []build{of(zoo.NewDomains, func(d *zoo.Domains) *rtl.Sim { return d.Sim })}},
	// Rows of modules that are alike share a function. What one of them sets aside changes after others have read it,
	// those in other rows too.
	{"wheel", nil, []build{of(zoo.NewWheel, func(w *zoo.Wheel) *rtl.Sim { return w.Sim })}},
	// Scopes share a function also where their registers do not lie as in one struct.
	{"uneven", nil, []build{of(zoo.NewUnevenPair, func(p *zoo.UnevenPair) *rtl.Sim { return p.Sim })}},
	// A register that is set aside for a module of another clock is set in place where the two clocks never meet, and
	// not where they do.
	{"apart", nil, []build{apart("0ns"), apart("3ns")}},
	// Of two clocks whose modules read a register that was set aside, one meets the register's clock.
	{"both", nil, []build{both(0), both(1)}},
	// A clock with delays, or with a module that runs as it is, sets nothing in place that it would else set aside:
	// Commit has more to do there.
	{"kept", nil, []build{of(zoo.NewKept, func(k *zoo.Kept) *rtl.Sim { return k.Sim })}},
	// Of two scopes that share functions, a local variable keeps a register's old value for readers in its scope alone,
	// all Combs stand in one function, a method in a loop of one turn has no call, and a private field of another
	// package is found once.
	{"desks", nil, []build{of(zoo.NewDesks, func(d *zoo.Desks) *rtl.Sim { return d.Sim })}},
	// A local variable keeps a register's old value if all its readers are pasted, and reads it in each of the scopes
	// that share a function: after early exits, where it is set twice, or not at all. One that others read, or that is
	// one of several, is set aside.
	{"teams", nil, []build{of(zoo.NewTeams, func(t *zoo.Teams) *rtl.Sim { return t.Sim })}},
	// Scopes of different clocks share functions for their Ticks, their Combs and the values that they set aside,
	// whether or not the clocks rise together.
	{"guards", nil, []build{of(zoo.NewGuards, func(g *zoo.Guards) *rtl.Sim { return g.Sim })}},
	// Loops over integers that are known where the numbers of ports are have their turns one after another, with the
	// helpers that they call in them, if these need no labels.
	{"loops", nil, []build{of(zoo.NewLoops, func(l *zoo.Loops) *rtl.Sim { return l.Sim })}},
	// Modules, methods, fields and variables may be called as something in the code, or as each other's names joined.
	{"namesakes", nil, []build{of(zoo.NewNamesakes, func(n *zoo.Namesakes) *rtl.Sim { return n.Sim })}},
	// Rows of one clock share a function. A local variable keeps what a struct was that pasted code alone reads; values
	// with other readers are set aside. The only Comb of the clock is in none of the rows.
	{"benches", nil, []build{of(zoo.NewBenches, func(b *zoo.Benches) *rtl.Sim { return b.Sim })}},
	// A part of a large island has its inputs from other parts before its wires are settled.
	{"cut", map[string]string{"from.c0": "is there to be large"},
		[]build{of(zoo.NewCut, func(c *zoo.Cut) *rtl.Sim { return c.Sim })}},
	// Fused parts of a large island move the signals across their borders by themselves: through delays and at once, in
	// a design of one clock and of several.
	{"borders", map[string]string{"other.lap": "is another island"}, []build{borders(false), borders(true)}},
	// Unusual modules that are understood.
	{"allowed", nil, []build{of(zoo.NewAllowed, func(a *zoo.Allowed) *rtl.Sim { return a.Sim })}},
	// What Go's order of calls, its constants and its statements could make of a module is what the modules do.
	{"hostile", nil, []build{of(zoo.NewHostile, func(h *zoo.Hostile) *rtl.Sim { return h.Sim })}},
}

// The zoo's code is made of its modules, then this test runs again in a program that has it: there it compares the code
// with the modules, bit by bit.
func TestGeneratedCode(t *testing.T) {
	if os.Getenv(withCode) != "" {
		for _, c := range targets {
			t.Run(c.name, func(t *testing.T) {
				for _, build := range c.builds {
					for seed := range uint64(2) {
						fusetest.Compare(t, build, seed)
					}
				}
			})
		}
		t.Run("circles are islands", circlesAreIslands)
		t.Run("desks in two runs", desksInTwoRuns)
		t.Run("borders in parallel", bordersInParallel)
		t.Run("a module sees another", moduleSeesAnother)
		return
	}
	dir := t.TempDir()
	there := struct{ Replace map[string]string }{map[string]string{}} // as `go help build` has it for -overlay
	for _, c := range targets {
		var text string
		for _, build := range c.builds {
			sim, err := build(rtl.Config{Plain: true})
			require.NoError(t, err)
			file, err := fuse.Generate(
				t.Context(), ".", fuse.Target{Name: c.name, Package: zooPath, Sim: sim, Without: c.without},
			)
			require.NoError(t, err)
			require.NotNil(t, file.Text, "all islands of %s are refused: %v", c.name, file.Islands)
			require.NotRegexp(t, `\.go:[0-9]`, string(file.Text),
				"a place in the source: then a comment there makes the file stale")
			if text != "" {
				require.Equal(t, text, string(file.Text), "the simulations of %s have one file", c.name)
			}
			text = string(file.Text)
			made := filepath.Join(dir, filepath.Base(file.Path))
			require.NoError(t, os.WriteFile(made, file.Text, 0o644))
			there.Replace[file.Path] = made
		}
	}
	overlay, err := json.Marshal(there)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o644))
	again := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-overlay", filepath.Join(dir, "overlay.json"),
		"-run", "^TestGeneratedCode$", ".")
	again.Env = append(os.Environ(), withCode+"=1")
	out, err := again.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// requireSame compares all registers and wires.
func requireSame(t *testing.T, plain, fused *rtl.Sim) {
	t.Helper()
	for i, want := range plain.Signals() {
		for leaf := range want.Leaves {
			require.Equal(
				t, want.Value(leaf), fused.Signals()[i].Value(leaf), "%s after %d edges", want.Path,
				plain.Clocks()[0].Cycle(),
			)
		}
	}
}

// Two circles are two islands, which run in windows: registers and wires equal the modules' after any run.
func circlesAreIslands(t *testing.T) {
	quick, err := zoo.NewCircles(rtl.Config{}, clk)
	require.NoError(t, err)
	plain, err := zoo.NewCircles(rtl.Config{Plain: true}, clk)
	require.NoError(t, err)
	for _, n := range []uint64{1, 5, 64, 3, 200, 77} {
		for _, sim := range []*rtl.Sim{quick, plain} {
			require.NoError(t, sim.Clocks()[0].Run(n))
		}
		requireSame(t, plain, quick)
	}
	require.Len(t, fused.Shapes(quick), 2)
	for _, s := range fused.Shapes(quick) {
		require.True(t, s.Ran)
	}
}

// The code of desks runs also in the second of two runs.
func desksInTwoRuns(t *testing.T) {
	d, err := zoo.NewDesks(rtl.Config{})
	require.NoError(t, err)
	require.NoError(t, d.Sim.Clocks()[0].Run(100))
	require.NoError(t, d.Sim.Clocks()[0].Run(100))
	require.True(t, fused.Shapes(d.Sim)[0].Ran)
}

// Parts of an island that workers share move the signals across their borders, too.
func bordersInParallel(t *testing.T) {
	for _, other := range []bool{false, true} {
		plain, err := zoo.NewBorders(rtl.Config{Plain: true}, other)
		require.NoError(t, err)
		parallel, err := zoo.NewBorders(rtl.Config{Mode: rtl.Parallel, Workers: 2}, other)
		require.NoError(t, err)
		for _, n := range []uint64{100, 1, 64, 18, 300, 7} {
			require.NoError(t, plain.Sim.Clocks()[0].Run(n))
			require.NoError(t, parallel.Sim.Clocks()[0].Run(n))
			requireSame(t, plain.Sim, parallel.Sim)
		}
		require.True(t, fused.Shapes(parallel.Sim)[0].Ran)
	}
}

// A module that stays one must not see registers of others but by its inputs: else the modules are run.
func moduleSeesAnother(t *testing.T) {
	var sims []*rtl.Sim
	for _, plain := range []bool{false, true} {
		d, err := zoo.NewDomains(rtl.Config{Plain: plain})
		require.NoError(t, err)
		d.Dice.Source = rand.New(&zoo.Spy{On: &d.Mixes[1].Out})
		for range 2 {
			require.NoError(t, d.Sim.Clocks()[0].Run(300))
		}
		require.Equal(t, !plain, fused.Shapes(d.Sim)[0].Fused)
		require.False(t, fused.Shapes(d.Sim)[0].Ran)
		sims = append(sims, d.Sim)
	}
	requireSame(t, sims[1], sims[0])
}

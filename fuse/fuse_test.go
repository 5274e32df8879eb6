package fuse_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/design/designtest"
	"github.com/goldwire/goldwire/fuse"
	"github.com/goldwire/goldwire/fuse/zoo"
	"github.com/goldwire/goldwire/rtl"
)

const zooPath = "github.com/goldwire/goldwire/fuse/zoo"

func clk(sim *rtl.Sim) *rtl.Clock { return sim.Clock("clk", clock.MHz(100)) }

// Circles of registers, wires, memories, constants: the generated code has the bits of the modules. go test -update writes it.
func TestCircle(t *testing.T) {
	designtest.CheckFused(t, design.Fused{Name: "circle", Package: zooPath,
		Build: func(cfg rtl.Config) (*rtl.Sim, error) { return zoo.NewCircle(cfg, clk) }})
}

// Two circles are two islands, which run in windows: registers and wires are those of the modules after any run.
func TestCirclesAreIslands(t *testing.T) {
	fused, err := zoo.NewCircles(rtl.Config{}, clk)
	require.NoError(t, err)
	plain, err := zoo.NewCircles(rtl.Config{Plain: true}, clk)
	require.NoError(t, err)
	for _, n := range []uint64{1, 5, 64, 3, 200, 77} {
		for _, sim := range []*rtl.Sim{fused, plain} {
			require.NoError(t, sim.Clocks()[0].Run(n))
		}
		for i, want := range plain.Signals() {
			for leaf := range want.Leaves {
				require.Equal(t, want.Value(leaf), fused.Signals()[i].Value(leaf), "%s after a run of %d", want.Path, n)
			}
		}
	}
	require.Len(t, fused.Shapes(), 2)
	for _, s := range fused.Shapes() {
		require.True(t, s.Ran)
	}
}

// Modules of several clocks are refused.
func TestSeveralClocks(t *testing.T) {
	sim := rtl.New(rtl.Config{})
	slow := sim.Clock("slow", clock.MHz(50))
	var a, b zoo.Lap
	sim.Scope("a").On(clk(sim)).Add("lap", &a)
	sim.Scope("b").On(slow).Add("lap", &b)
	rtl.Connect(&a.Out, &b.In)
	rtl.Connect(&b.Out, &a.In)
	require.NoError(t, sim.Elaborate())
	file, err := fuse.Generate(t.Context(), ".", fuse.Target{Name: "clocks", Package: zooPath, Sim: sim})
	require.NoError(t, err)
	require.Len(t, file.Islands, 1)
	require.EqualError(t, file.Islands[0].Refused, "it has several clocks")
}

// What cannot be understood, or cannot be named where the code goes, is refused, by its name and with the reason.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		home string
		add  func(*rtl.Scope) map[string]string
	}{
		{zooPath, zoo.AddRefused}, {zooPath, zoo.AddHiding}, {"github.com/goldwire/goldwire/fuse", zoo.AddPrivate},
	} {
		sim := rtl.New(rtl.Config{})
		reasons := c.add(sim.Scope("top").On(clk(sim)))
		require.NoError(t, sim.Elaborate())
		file, err := fuse.Generate(t.Context(), ".", fuse.Target{Name: "refused", Package: c.home, Sim: sim})
		require.NoError(t, err)
		require.Nil(t, file.Text)
		require.False(t, file.Stale())
		require.Len(t, file.Islands, len(reasons))
		for _, i := range file.Islands {
			path := i.Modules[0]
			require.Len(t, i.Refused, 1)
			require.ErrorContains(t, i.Refused, path+" "+reasons[path])
			delete(reasons, path)
		}
		require.Empty(t, reasons)
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

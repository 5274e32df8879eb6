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

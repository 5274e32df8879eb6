package designtest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/fuse"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/fused"
	"github.com/goldwire/goldwire/tb"
)

// fusedCycles is how long a fused simulation is compared, in runs of random length.
const fusedCycles = 4000

// CheckFused checks fused code in two ways. The checked-in files are the ones `goldwire fuse` makes of the modules'
// source now. Runs of any length, some from a checkpoint, leave every register, wire and field the same as runs of the
// modules, in strict mode too. The simulations need stimuli of their own.
func CheckFused(t *testing.T, targets ...design.Fused) {
	t.Helper()
	for _, target := range targets {
		t.Run(target.Name, func(t *testing.T) {
			sim, err := target.Build(rtl.Config{Plain: true})
			require.NoError(t, err)
			file, err := fuse.Generate(t.Context(), ".", fuse.Target{Name: target.Name, Package: target.Package, Sim: sim,
				Without: target.Without})
			require.NoError(t, err)
			if target.Refused {
				require.Nil(t, file.Text, "not all islands are refused any more")
				return
			}
			require.NotNil(t, file.Text, "all islands are refused: %v", file.Islands)
			require.NotRegexp(t, `\.go:[0-9]`, string(file.Text),
				"a place in the source: then a comment there makes the file stale")
			if tb.Updating() && file.Stale() {
				require.NoError(t, os.WriteFile(file.Path, file.Text, 0o644))
				t.Skipf("%s is written: build and test again", file.Path)
			}
			require.False(t, file.Stale(), "%s is not what its modules make: run fuse of the command that has the design",
				file.Path)
			for seed := range uint64(2) {
				compareFused(t, target, seed)
			}
		})
	}
}

// compareFused runs a simulation three ways beside each other.
func compareFused(t *testing.T, target design.Fused, seed uint64) {
	var sims []*rtl.Sim
	for i, cfg := range []rtl.Config{{}, {Plain: true}, {Mode: rtl.Strict, Seed: seed}} {
		sim, err := target.Build(cfg)
		require.NoError(t, err)
		sims = append(sims, sim)
		some := false
		for _, s := range fused.Shapes(sim) {
			some = some || s.Fused
		}
		require.Equal(t, i == 0, some, "an island is fused")
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	var before []byte // a checkpoint
	for cycles := uint64(0); cycles < fusedCycles; {
		n := 1 + rng.Uint64N(1<<rng.IntN(10))
		cycles += n
		if before != nil && rng.IntN(8) == 0 { // from there on the clocks' edges may repeat from another instant
			for _, sim := range sims {
				require.NoError(t, sim.Restore(bytes.NewReader(before)))
			}
		}
		for _, sim := range sims {
			require.NoError(t, sim.Clocks()[0].Run(n))
		}
		at := fmt.Sprintf("after runs of %d cycles, the last of %d, seed %d", cycles, n, seed)
		for i, want := range sims[1].Signals() {
			for leaf := range want.Leaves {
				for s, sim := range sims {
					if got := sim.Signals()[i].Value(leaf); got != want.Value(leaf) {
						require.Equal(t, want.Value(leaf), got, "%s %s of simulation %d %s", want.Path, want.Leaves[leaf].Name, s, at)
					}
				}
			}
		}
		var fused, plain bytes.Buffer
		require.NoError(t, sims[0].Save(&fused))
		require.NoError(t, sims[1].Save(&plain))
		require.True(t, bytes.Equal(fused.Bytes(), plain.Bytes()), "checkpoints differ %s", at)
		if before == nil || rng.IntN(4) == 0 {
			before = fused.Bytes()
		}
	}
	for _, s := range fused.Shapes(sims[0]) {
		require.Equal(t, s.Fused, s.Ran, "the code of the island from %s has run", s.Paths[0])
	}
}

// Package fusetest runs generated code beside the modules that it was made of.
package fusetest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/fused"
)

// cycles is how long a simulation is compared, in runs of random length.
const cycles = 4000

// Compare runs a simulation three ways beside each other: generated code, modules, and modules in strict mode. Runs
// of any length, some from a checkpoint, leave every register, wire and field the same. The simulation needs stimuli of
// its own.
func Compare(t *testing.T, build func(rtl.Config) (*rtl.Sim, error), seed uint64) {
	t.Helper()
	var sims []*rtl.Sim
	for i, cfg := range []rtl.Config{{}, {Plain: true}, {Mode: rtl.Strict, Seed: seed}} {
		sim, err := build(cfg)
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
	for done := uint64(0); done < cycles; {
		n := 1 + rng.Uint64N(1<<rng.IntN(10))
		done += n
		if before != nil && rng.IntN(8) == 0 { // from there on the clocks' edges may repeat from another instant
			for _, sim := range sims {
				require.NoError(t, sim.Restore(bytes.NewReader(before)))
			}
		}
		for _, sim := range sims {
			require.NoError(t, sim.Clocks()[0].Run(n))
		}
		at := fmt.Sprintf("after runs of %d cycles, the last of %d, seed %d", done, n, seed)
		for i, want := range sims[1].Signals() {
			for leaf := range want.Leaves {
				for s, sim := range sims {
					if got := sim.Signals()[i].Value(leaf); got != want.Value(leaf) {
						name := want.Leaves[leaf].Name
						require.Equal(t, want.Value(leaf), got, "%s %s of simulation %d %s", want.Path, name, s, at)
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

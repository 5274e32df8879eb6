package house_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/house"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// A unit that is saved at a random cycle, built anew, restored and run on goes through the same values at every edge as one that runs
// straight on, whatever mode it is saved and restored in; and what it saves right after is the same bytes.
func TestUnitsGoOnFromACheckpoint(t *testing.T) {
	const cycles, seed = 700, 11
	modes := []rtl.Config{{}, {Mode: rtl.Strict, Seed: 3}, {Mode: rtl.Parallel, Workers: 2}}
	units := house.Designs().Units()
	require.Greater(t, len(units), 20)
	for i, u := range units {
		t.Run(strings.ReplaceAll(u.Name, "/", "_"), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(seed, uint64(i)))
			build := func(cfg rtl.Config) (*vectors.Instance, *rtl.TraceHash, []any) {
				in, err := u.Simulate(cfg, seed)
				require.NoError(t, err)
				h := rtl.NewTraceHash(in.Sim)
				return in, h, append(in.Roots(), h)
			}
			in, straight, _ := build(rtl.Config{})
			require.NoError(t, in.Clock.Run(cycles))

			for m, saved := range modes {
				at := 1 + rng.Uint64N(cycles-1)
				in, _, roots := build(saved)
				require.NoError(t, in.Clock.Run(at))
				var file bytes.Buffer
				require.NoError(t, in.Sim.Save(&file, roots...))
				var again bytes.Buffer
				for _, restored := range []rtl.Config{saved, modes[(m+1)%len(modes)]} {
					in, h, roots := build(restored)
					require.NoError(t, in.Sim.Restore(bytes.NewReader(file.Bytes()), roots...))
					require.Equal(t, at, in.Clock.Cycle())
					if restored == saved {
						require.NoError(t, in.Sim.Save(&again, roots...))
						require.True(t, bytes.Equal(file.Bytes(), again.Bytes()), "the state after the restore is another")
					}
					require.NoError(t, in.Clock.Run(cycles-at))
					require.Equal(t, straight.Sum(), h.Sum(), "saved %v at cycle %d, restored %v", saved.Mode, at, restored.Mode)
				}
			}
		})
	}
}

// Experiments that take longer than a moment can be left and taken up again. Not listed: those that are over soon, and SPFC's deadlock and compare,
// whose runs are kept in a file and shared with other points.
func TestExperimentsThatHaveCheckpoints(t *testing.T) {
	long := []string{"pcs loop", "edm load", "edm trace", "edm kv", "edm interference", "edm matching", "rifl traffic", "rifl timeline", "rifl campaign", "rifl sweep", "rifl limits",
		"drmt program", "shoal load", "shoal trace", "shoal peers", "shoal applications", "shoal epoch", "shoal permutation", "shoal fairness", "shoal incast", "shoal detour",
		"shoal prototype-incast", "shoal own-clock", "spfc burst", "spfc sweep", "spfc k", "spfc workload", "spfc fabric", "spfc trace"}
	var with []string
	for _, d := range house.Designs() {
		for _, e := range d.Experiments {
			if info := e.Info(); info.Checkpoints {
				with = append(with, d.Name+" "+info.Name)
			}
		}
	}
	require.Subset(t, with, long)
}

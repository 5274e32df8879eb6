package schedule

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// A search that gives up after a few clauses knows less, and nothing that is wrong: its bounds hold the number that a
// search to the end proves.
func TestASearchThatGivesUpKnowsNothingWrong(t *testing.T) {
	open := map[string]int{}
	for _, seed := range []uint64{1, 2, 18, 27, 44, 93} { // of 400 some that give up, and two others
		rng := rand.New(rand.NewPCG(seed, 9))
		g := RandomGraph(Random{Nodes: 10 + rng.IntN(10), Edges: float64(15 + rng.IntN(40))}, rng)
		for ipc := 1; ipc <= 2; ipc++ {
			limits := DRMT(ipc)
			limits.MatchLatency = 5 // shorter programs, as many ways to place them
			exact, err := Minimize(t.Context(), g, limits, Options{PeriodOnly: true, Clauses: 500})
			require.NoError(t, err)
			for _, clauses := range []int{1, 3} {
				some, err := Minimize(t.Context(), g, limits, Options{PeriodOnly: true, Clauses: clauses})
				require.NoError(t, err)
				require.LessOrEqual(t, some.Period.Low, exact.Period.High, "seed %d, IPC %d, %d clauses", seed, ipc, clauses)
				require.True(t, some.Period.High == 0 || some.Period.High >= exact.Period.Low, "seed %d", seed)
				if !some.Period.Proved() {
					open["periods"]++
				}
			}
		}
		for _, coarse := range []bool{true, false} {
			_, exact, err := MinimizeStages(t.Context(), g, RMT(32), coarse, Options{Clauses: 500})
			require.NoError(t, err)
			for _, clauses := range []int{1, 3} {
				_, some, err := MinimizeStages(t.Context(), g, RMT(32), coarse, Options{Clauses: clauses})
				require.NoError(t, err)
				require.LessOrEqual(t, some.Low, exact.High, "seed %d, %d clauses", seed, clauses)
				require.True(t, some.High == 0 || some.High >= exact.Low, "seed %d", seed)
				if !some.Proved() {
					open["stages"]++
				}
			}
		}
	}
	t.Logf("searches that gave up: %v", open)
	require.Positive(t, open["periods"])
	require.Positive(t, open["stages"])
}

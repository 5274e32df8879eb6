package schedule

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Without dependencies stages are bins of two capacities. A hundred operations of §4.2's recipe need as many stages as
// their key segments fill, which no pipeline can do with fewer, and the solver learns no clause.
func TestStagesWithoutDependencies(t *testing.T) {
	for seed := range uint64(10) {
		g := RandomGraph(Random{Nodes: 100}, rand.New(rand.NewPCG(seed, 6)))
		sum := 0
		for _, n := range g.Nodes {
			if n.Kind == Match {
				sum += (n.KeyBits + 79) / 80
			}
		}
		opt := Options{Clauses: 1}
		p, fine, err := MinimizeStages(context.Background(), g, RMT(32), false, opt)
		require.NoError(t, err)
		require.NoError(t, p.Validate())
		p, coarse, err := MinimizeStages(context.Background(), g, RMT(32), true, opt)
		require.NoError(t, err)
		require.NoError(t, p.Validate())
		for _, b := range []Bound{fine, coarse} {
			require.True(t, b.Proved(), "seed %d", seed)
			require.Equal(t, (sum+7)/8, b.High, "seed %d", seed)
		}
	}
}

package study

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/designs/drmt/schedule"
	"github.com/goldwire/goldwire/experiment"
)

// The report names the graph of the greatest reduction, and none where nothing is reduced.
func TestRandomReportNamesTheGraph(t *testing.T) {
	row := func(seed uint64, stages, processors int) experiment.Result[randomPoint, randomResult] {
		b := func(n int) schedule.Bound { return schedule.Bound{Low: n, High: n} }
		return experiment.Result[randomPoint, randomResult]{
			Seed: seed, Value: randomResult{RMT: b(stages), Fine: b(stages), IPC1: b(processors), IPC2: b(processors)},
		}
	}
	line := func(done ...experiment.Result[randomPoint, randomResult]) string {
		r, err := randomReport(&randomParams{}, done)
		require.NoError(t, err)
		var b strings.Builder
		require.NoError(t, r.WriteText(&b, 200))
		return b.String()
	}
	require.Contains(t, line(row(3, 4, 4), row(7, 4, 3)), "12.5 % fewer processors than RMT stages on average, "+
		"25.0 % at most (seed 7);")
	require.Contains(t, line(row(3, 4, 4), row(7, 2, 2)), "0.0 % at most; printed")
}

package study

import (
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/design/bench"
	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/spfc"
)

// Design returns the package's entry in the command's catalogue.
func Design() design.Design {
	return design.Design{
		Name: "spfc", Title: "A lossless shared-memory switch that pauses selectively",
		Paper: "Huang et al., IEEE/ACM ToN 2024",
		Units: spfc.Units(), Properties: spfc.Properties(), Claims: Claims(),
		Experiments: []experiment.Experiment{burst, sweep, surface, kTest, Workload, deadlockTest, fabricTest, compare,
			Trace, mmu}, Bench: []bench.Measure{{Name: "spfc", Run: speed}},
	}
}

package study

import (
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/design/bench"
	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/shoal"
)

// Design gives the command Shoal's units, claims and experiments.
func Design() design.Design {
	return design.Design{
		Name: "shoal", Title: "A rack of circuit switches without buffers", Paper: "Shrivastav et al., NSDI 2019",
		Units: shoal.Units(), Claims: Claims(), Bench: []bench.Measure{{Name: "shoal", Run: speed}},
		Experiments: []experiment.Experiment{
			latency, prototypeIncast, cellSize, permutation, Incast, fairness, Load, epochStudy, Trace, ownClock,
			synchronisation, clockMaster, Classes, peers, Detour, Applications,
		},
	}
}

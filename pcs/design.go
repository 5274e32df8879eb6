package pcs

import (
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/experiment"
)

// Design is what this package offers to the command.
func Design() design.Design {
	return design.Design{Name: "pcs", Title: "The 64b/66b PCS of IEEE 802.3 Clause 49", Units: Units(), Properties: properties(),
		Experiments: []experiment.Experiment{LoopExperiment}}
}

package rack

import (
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/experiment"
)

// Design gives the command the experiments compare, journey and lanes.
func Design() design.Design {
	return design.Design{
		Name: "rack", Title: "One workload through every fabric",
		Experiments: []experiment.Experiment{compare, journeys, lanes},
	}
}

package edm

import "github.com/goldwire/goldwire/experiment"

// Experiments returns what can be measured on EDM's fabric and scheduler, in the order of the paper's evaluation.
func Experiments() []experiment.Experiment {
	return []experiment.Experiment{matching}
}

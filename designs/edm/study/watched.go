package study

import (
	"github.com/goldwire/goldwire/designs/edm"
)

import "github.com/goldwire/goldwire/experiment"

// watched returns options of a run that an experiment's flags record, checkpoint and resume.
func watched(run *experiment.Run) edm.Options {
	return edm.Options{
		Watch: func(w edm.Watched) error {
			return run.Simulate(experiment.Simulation{
				Sim: w.Network.Sim, Clock: w.Network.Clock, Faulty: w.Violated, Roots: w.Roots, Knobs: w.Reload,
			})
		},
		Between:  run.Between,
		Progress: func(done, total int) { run.Progress(uint64(done), uint64(total)) },
	}
}

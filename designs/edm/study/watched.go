package study

import (
	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/edm"
)

// Watched returns the options of an edm.Run that records, keeps and resumes what the flags of an experiment ask for.
func Watched(run *experiment.Run) edm.Options {
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

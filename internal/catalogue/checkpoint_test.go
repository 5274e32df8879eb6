package catalogue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/catalogue"
)

// withoutCheckpoints are the experiments that take no --checkpoint, with the reason.
var withoutCheckpoints = map[string]string{
	"drmt area":       "no simulation: printed figures times counts",
	"drmt random":     "no simulation: a solver",
	"drmt schedule":   "no simulation: a solver",
	"edm faults":      "hundreds of short runs, each on a network of its own",
	"edm latency":     "one access in an idle network",
	"rifl efficiency": "one packet of each size through a framer, which keeps nothing between them",
	"rifl latency":    "one beat through an idle link",
	"shoal latency":   "one word through an idle rack",
	"spfc deadlock":   "--state keeps the runs that are finished, thousands of a few seconds each",
	"rack journey":    "one message alone",
	"rack lanes":      "two milliseconds of simulated time, a few seconds",
	"spfc mmu":        "at most a million events, two seconds",
	"spfc surface":    "half a millisecond of simulated time a point",
}

// An experiment that simulates can be left and taken up again; any other is listed.
func TestCheckpointsOfAllExperiments(t *testing.T) {
	found := 0
	for _, d := range catalogue.Designs() {
		for _, e := range d.Experiments {
			name := d.Name + " " + e.Info().Name
			_, without := withoutCheckpoints[name]
			require.NotEqual(t, without, e.Info().Checkpoints, "%s: want checkpoints, or a reason why there are none", name)
			if without {
				found++
			}
		}
	}
	require.Len(t, withoutCheckpoints, found, "an experiment in the list is gone")
}

package study

import (
	"context"

	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/spfc"
)

// runInParts is [Fabric.Run] for a measurement: from a checkpoint if there is one, with progress and checkpoints on
// the way.
func runInParts(ctx context.Context, run *experiment.Run, f *spfc.Fabric, until spfc.Time) error {
	if err := run.Simulate(simulation(f)); err != nil {
		return err
	}
	const parts = 50
	for f.Net.Now() < until {
		if err := f.Net.Run(ctx, min(f.Net.Now()+max(until/parts, 1), until)); err != nil {
			return err
		}
		run.Progress(uint64(f.Net.Now()), uint64(until))
		if err := run.Between(); err != nil {
			return err
		}
	}
	return f.Check()
}

// simulation is the network as [experiment.Run.Simulate] wants it. It counts nanoseconds. More are further parts of a
// measurement's state.
func simulation(f *spfc.Fabric, more ...any) experiment.Simulation {
	return experiment.Simulation{
		Cycle: func() uint64 { return uint64(f.Net.Now() / spfc.Nanosecond) },
		Roots: append([]any{f}, more...), Knobs: f.Knobs(),
	}
}

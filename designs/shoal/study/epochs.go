package study

import (
	"context"

	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/shoal"
)

// epochRun is a rack that runs for some epochs.
type epochRun[T any] struct {
	rack   *shoal.Rack
	epoch  int
	before []T
}

// runEpochs lets a rack settle, then runs it for the epochs that count. It returns what count found in between.
func runEpochs[T any](
	ctx context.Context, run *experiment.Run, r *shoal.Rack, settle, epochs int, count func() []T,
) ([]T, error) {
	x := &epochRun[T]{rack: r}
	if err := run.Simulate(experiment.Simulation{Cycle: r.Slot, Roots: []any{x}}); err != nil {
		return nil, err
	}
	for ; x.epoch < settle+epochs; x.epoch++ {
		if x.epoch >= settle && x.before == nil {
			x.before = count()
		}
		if err := run.Between(); err != nil {
			return nil, err
		}
		if err := r.Run(ctx, uint64(r.Epoch())); err != nil {
			return nil, err
		}
		run.Progress(uint64(x.epoch), uint64(settle+epochs))
	}
	return x.before, nil
}

package experiment

import (
	"bytes"
	"fmt"

	"github.com/goldwire/goldwire/wave"
)

// leastApart is how many cycles lie between two checkpoints of a replay at least: writing one takes as long as some
// hundred cycles.
const leastApart = 10_000

// replay waits for a fault without looking at every cycle: it keeps the last checkpoints, and once a fault is seen it
// goes back and runs the stretch again with everything recorded. So a run that waits for a fault is as fast as one that
// does not, in parallel mode too.
type replay struct {
	Simulation
	path     string
	recorded int       // cycles of the waveform
	whole    *wave.VCD // of the whole run, nil if nobody wants it: it sees no cycle twice
	apart    uint64
	kept     []kept
	good     uint64 // the last cycle at which there was no fault
	done     bool
}

type kept struct {
	cycle uint64
	state []byte
}

func newReplay(w *Waves, whole *wave.VCD, s Simulation) *replay {
	return &replay{
		Simulation: s, path: w.OnFault, recorded: w.Recorded, whole: whole, apart: max(leastApart, uint64(w.Recorded)),
	}
}

func errNoFault(path string) error {
	return fmt.Errorf("%s: this simulation knows no fault that a recorder could wait for", path)
}

// between keeps a checkpoint when it is time, or replays if there is a fault.
func (r *replay) between() error {
	now := r.Clock.Cycle()
	switch {
	case r.done:
		return nil
	case r.Faulty():
		r.done = true
		return r.run()
	}
	r.good = now
	if n := len(r.kept); n > 0 && now < r.kept[n-1].cycle+r.apart {
		return nil
	}
	b, err := r.Sim.Checkpoint(r.Roots...)
	if err != nil {
		return fmt.Errorf("%s: %w", r.path, err)
	}
	// the younger one may be too near to the fault for all cycles that shall be recorded
	if len(r.kept) == 2 {
		r.kept = r.kept[1:]
	}
	r.kept = append(r.kept, kept{now, b})
	return nil
}

// run goes back to the last checkpoint from which enough cycles can be recorded, runs until the fault is there, writes
// the recorded cycles, and returns to where the run was.
func (r *replay) run() error {
	if len(r.kept) == 0 {
		return fmt.Errorf("%s: the fault was there before the first edge", r.path)
	}
	back, err := r.Sim.Checkpoint(r.Roots...)
	if err != nil {
		return fmt.Errorf("%s: %w", r.path, err)
	}
	from := r.kept[0]
	for _, k := range r.kept {
		if k.cycle+uint64(r.recorded) <= r.good {
			from = k
		}
	}
	if r.whole != nil {
		r.Sim.Unobserve(r.whole)
		defer r.Sim.Observe(r.whole)
	}
	seen := r.Clock.Cycle()
	if err := r.Sim.Restore(bytes.NewReader(from.state), r.Roots...); err != nil {
		return fmt.Errorf("%s: %w", r.path, err)
	}
	recorder, err := wave.NewRecorder(r.Sim, r.Clock, r.recorded)
	if err != nil {
		return err
	}
	defer r.Sim.Unobserve(recorder)
	for !r.Faulty() {
		if r.Clock.Cycle() > seen {
			return fmt.Errorf(
				"%s: the fault of cycle %d is not there when it is run again: state is missing from the checkpoint", r.path,
				seen,
			)
		}
		if err := r.Sim.Step(); err != nil {
			return err
		}
	}
	if err := recorder.Trip(r.path); err != nil {
		return err
	}
	r.kept = nil
	return r.Sim.Restore(bytes.NewReader(back), r.Roots...)
}

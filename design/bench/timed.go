package bench

import (
	"context"
	"time"
)

// Rounds is how often a figure is taken.
const Rounds = 7

// Times are the seconds that something took, by round.
type Times struct {
	Wall Samples
	// CPU is the processor time of this process, of all its threads. It is the fair measure for one thread on a machine
	// with other users. On a system that does not report it, it equals Wall.
	CPU Samples
}

// Timed calls each of the functions once to warm up and then [Rounds] times, in turns. It stops when the context does,
// or at the first error.
func Timed(ctx context.Context, fs ...func() error) ([]Times, error) {
	times := make([]Times, len(fs))
	for round := range Rounds + 1 {
		for i, f := range fs {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			w := Start()
			if err := f(); err != nil {
				return nil, err
			}
			if round > 0 {
				times[i].Add(w)
			}
		}
	}
	return times, nil
}

// Add adds a round: what the watch shows.
func (t *Times) Add(w Watch) {
	wall, cpu := w.Seconds()
	t.Wall, t.CPU = append(t.Wall, wall), append(t.CPU, cpu)
}

// Watch is a stop watch.
type Watch struct {
	wall time.Time
	cpu  time.Duration
}

// Start returns a watch that runs.
func Start() Watch { return Watch{time.Now(), cpuTime()} }

// Seconds returns the wall clock's and the process's processor seconds since the start.
func (w Watch) Seconds() (wall, cpu float64) {
	wall = time.Since(w.wall).Seconds()
	if cpu = (cpuTime() - w.cpu).Seconds(); cpu == 0 {
		cpu = wall
	}
	return wall, cpu
}

package workers

import (
	"runtime"
	"time"
)

// Waiting is how a worker waits for others: it calls Turn each time that it has looked in vain.
type Waiting struct {
	crew         *Crew
	spins, turns int
}

// How long to spin before giving the processor away, first to other goroutines, then to other processes.
const (
	spins  = 50_000 // some 30 µs: giving away a tied thread costs as much, and workers' loads differ by a few µs
	yields = 200
	nap    = 20 * time.Microsecond
)

// Waiting returns how one of the workers waits.
func (c *Crew) Waiting() Waiting {
	if c.size > runtime.GOMAXPROCS(0) { // the awaited worker may need this processor
		return Waiting{crew: c}
	}
	return Waiting{c, spins, 0}
}

// Turn passes some time. It does not return if a worker has panicked.
func (w *Waiting) Turn() {
	switch {
	case w.turns < w.spins:
	case w.crew.Failed():
		panic(deserted{})
	case w.turns < w.spins+yields:
		runtime.Gosched()
	default:
		time.Sleep(nap)
	}
	w.turns++
}

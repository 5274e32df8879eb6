package workers

import (
	"runtime"
	"time"
)

// Waiting is how a worker waits for others: it calls Turn each time that it has looked in vain.
type Waiting struct{ spins, turns int }

// How long to spin before giving the processor away, first to other goroutines, then to other processes.
const (
	spins  = 50_000 // some 30 µs: giving away a tied thread costs as much, and workers' loads differ by a few µs
	yields = 200
	nap    = 20 * time.Microsecond
)

// NewWaiting returns how one of n workers waits.
func NewWaiting(n int) Waiting {
	if n > runtime.GOMAXPROCS(0) { // who is waited for may need this processor
		return Waiting{}
	}
	return Waiting{spins: spins}
}

// Turn passes some time.
func (w *Waiting) Turn() {
	switch {
	case w.turns < w.spins:
	case w.turns < w.spins+yields:
		runtime.Gosched()
	default:
		time.Sleep(nap)
	}
	w.turns++
}

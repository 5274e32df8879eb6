package experiment

import (
	"fmt"
	"math"
)

// Limits are what a point may take at most, by its own estimate; see [Run.Expect]. Zero is no limit.
type Limits struct {
	Cycles float64
	Memory float64 // bytes, of all points that are measured at a time
}

// Expect tells, before a measurement builds its simulation, about how many cycles that will run and how many bytes of
// memory it will hold. A model without clock edges counts in its own steps: slots, packets. The error, which the
// measurement returns, says that one of the two is more than the run's [Limits] allow. Estimates beyond a uint64 are
// estimates all the same, so both are float64.
func (r *Run) Expect(cycles, memory float64) error {
	memory *= float64(max(1, r.together))
	tooLong := r.limits.Cycles > 0 && !(cycles <= r.limits.Cycles)
	tooLarge := r.limits.Memory > 0 && !(memory <= r.limits.Memory)
	if !tooLong && !tooLarge {
		return nil
	}
	want := fmt.Sprintf("at most %.3g cycles, --most-cycles allows more", r.limits.Cycles)
	if tooLarge {
		want = fmt.Sprintf("at most %s, --most-memory allows more", megabytes(r.limits.Memory))
	}
	if tooLarge && tooLong {
		want = fmt.Sprintf(
			"at most %.3g cycles and %s, --most-cycles and --most-memory allow more", r.limits.Cycles,
			megabytes(r.limits.Memory),
		)
	}
	return fmt.Errorf("this run takes about %.3g cycles and %s of memory: want %s", cycles, megabytes(memory), want)
}

// megabytes writes a number of bytes; a number beyond any machine's as a power of ten.
func megabytes(bytes float64) string {
	if bytes < 1e12 {
		return fmt.Sprintf("%.0f MB", math.Ceil(bytes/1e6))
	}
	return fmt.Sprintf("%.3g MB", bytes/1e6)
}

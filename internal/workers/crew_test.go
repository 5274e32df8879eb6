package workers_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/workers"
)

// The first panic counts, and comes out when all workers have ended, whichever of them it was.
func TestCrewPanics(t *testing.T) {
	for first := range 3 {
		crew := workers.NewCrew(3)
		b := workers.NewBarrier(crew, func(int, int) bool { return true })
		ended := make([]bool, 3)
		func() {
			defer func() { require.Equal(t, first, recover().(*workers.Panic).Value) }()
			crew.Run(func(worker int) {
				defer func() { ended[worker] = true }()
				b.Wait(worker)
				if worker == first {
					panic(first)
				}
				time.Sleep(20 * time.Millisecond) // by now it has panicked
				if worker == (first+1)%3 {
					panic("too late")
				}
				b.Wait(worker)
				b.Wait(worker)
			})
		}()
		require.Equal(t, []bool{true, true, true}, ended)
	}
}

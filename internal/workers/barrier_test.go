package workers_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/internal/workers"
)

// Between two meetings a worker is at most one round away from those it is linked with, and never waits for others.
func TestBarrier(t *testing.T) {
	const n, rounds = 3, 2000
	linked := func(v, w int) bool { return v+w == 1 } // 0 and 1; 2 is alone
	b := workers.NewBarrier(workers.NewCrew(n), linked)
	for range rounds {
		b.Wait(2)
	}
	var at [n]atomic.Int64
	var apart atomic.Int64
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			defer workers.Spread(w)()
			for round := int64(1); round <= rounds; round++ {
				at[w].Store(round)
				b.Wait(w)
				if other := at[1-w].Load(); other < round || other > round+1 {
					apart.Add(1)
				}
			}
		})
	}
	wg.Wait()
	require.Zero(t, apart.Load())
}

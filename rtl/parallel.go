package rtl

import (
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// runParallel runs until the clock has had target edges, each worker on its own shards between two barriers an instant:
// one after all ticks, so that nobody commits what another still reads, and one after all commits.
func (s *Sim) runParallel(index int, target uint64) {
	b := newBarrier(s.cfg.Workers)
	observing := len(s.observers) > 0
	var edges uint64 // of the coming instant, 0 at the end; worker 0 writes it, the barrier publishes it
	var wg sync.WaitGroup
	for w := 1; w < s.cfg.Workers; w++ {
		wg.Go(func() {
			for {
				b.wait(w)
				if edges == 0 {
					return
				}
				work(s.shards[w], edges, b, w)
				if observing {
					b.wait(w)
				}
			}
		})
	}
	for s.schedule.Edges(index) < target {
		edges = s.schedule.Next()
		b.wait(0)
		work(s.shards[0], edges, b, 0)
		if observing {
			b.wait(0)
			s.observe(edges)
		}
	}
	edges = 0
	b.wait(0)
	wg.Wait()
}

func work(shards []*shard, edges uint64, b *barrier, worker int) {
	for e := edges; e != 0; e &= e - 1 {
		shards[bits.TrailingZeros64(e)].comb()
	}
	for e := edges; e != 0; e &= e - 1 {
		shards[bits.TrailingZeros64(e)].tick()
	}
	b.wait(worker)
	for e := edges; e != 0; e &= e - 1 {
		shards[bits.TrailingZeros64(e)].commit()
	}
}

// barrier lets nobody on before all have come. Each worker counts its arrivals in a word on a cache line of its own and
// watches the others': no read-modify-write, which for two workers costs about 100 ns an instant.
type barrier struct {
	arrived []padded
}

type padded struct {
	atomic.Uint64
	mine uint64 // the worker's own copy
	_    [cacheLine - 16]byte
}

func newBarrier(n int) *barrier { return &barrier{arrived: make([]padded, n)} }

// How long to spin before giving the processor away, first to other goroutines, then to other processes.
const (
	spins  = 2000
	yields = 200
	nap    = 20 * time.Microsecond
)

func (b *barrier) wait(worker int) {
	me := &b.arrived[worker]
	me.mine++
	round := me.mine
	me.Store(round)
	for i := range b.arrived {
		if i == worker {
			continue
		}
		for tries := 0; b.arrived[i].Load() < round; tries++ {
			switch {
			case tries < spins:
			case tries < spins+yields:
				runtime.Gosched()
			default:
				time.Sleep(nap)
			}
		}
	}
}

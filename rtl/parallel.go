package rtl

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// runParallel runs until the clock has had target edges, each worker on its own shards, with two barriers an instant: one
// after all ticks, so that nobody commits what another still reads, and one after all commits, before wires are settled. A worker waits only for
// those it exchanges signals with; for all of them if there are observers, who want to see everything at once.
func (s *Sim) runParallel(index int, target uint64) {
	observing := len(s.observers) > 0
	b := newBarrier(s.cfg.Workers, func(v, w int) bool { return observing || s.linked[v][w] })
	var wg, placed sync.WaitGroup
	placed.Add(s.cfg.Workers - 1)
	for w := 1; w < s.cfg.Workers; w++ {
		schedule := s.schedule.Clone()
		wg.Go(func() {
			defer spread(w)()
			placed.Done()
			for schedule.Edges(index) < target {
				b.instant(s.teams[w], w, schedule.Next(), schedule.Place())
				if observing {
					b.wait(w)
					b.wait(w) // until worker 0 has observed
				}
			}
		})
	}
	placed.Wait() // a worker that is not running yet would wait for this one's processor
	release := spread(0)
	for s.schedule.Edges(index) < target {
		edges := s.schedule.Next()
		b.instant(s.teams[0], 0, edges, s.schedule.Place())
		if observing {
			b.wait(0) // all wires are settled
			s.observe(edges)
			b.wait(0)
		}
	}
	release()
	wg.Wait()
}

// link finds which workers have a module that reads a register of the other's.
func (s *Sim) link() {
	worker := map[*shard]int{}
	s.linked = make([][]bool, len(s.shards))
	for w := range s.shards {
		s.linked[w] = make([]bool, len(s.shards))
		for _, sh := range s.shards[w] {
			worker[sh] = w
		}
	}
	for _, n := range s.nodes {
		for _, in := range n.ins {
			if o, ok := in.src.(*outPort); ok {
				v, w := worker[n.shard], worker[o.node.shard]
				s.linked[v][w], s.linked[w][v] = true, true
			}
		}
	}
}

// instant runs one worker's part of an instant.
func (b *barrier) instant(t *team, worker int, edges Edges, place int) {
	due := t.beats(edges, place)
	for _, x := range due {
		x.tick()
	}
	b.wait(worker)
	for _, x := range due {
		x.commit()
	}
	b.wait(worker)
	for _, x := range due {
		x.comb()
	}
}

// barrier lets a worker on when those it is linked with have come. Each worker counts its arrivals in a word on a cache line of its own and
// watches the others': no read-modify-write, which for two workers costs about 100 ns an instant.
type barrier struct {
	arrived []padded
	others  [][]int // whom each worker waits for
	spins   int
}

type padded struct {
	atomic.Uint64
	mine uint64                 // the worker's own copy
	_    [2*cacheLine - 16]byte // processors fetch lines in pairs
}

// newBarrier makes a barrier for n workers, of which linked tells who has to wait for whom.
func newBarrier(n int, linked func(v, w int) bool) *barrier {
	b := &barrier{arrived: make([]padded, n), others: make([][]int, n), spins: spins}
	if n > runtime.GOMAXPROCS(0) { // who is waited for may need this processor
		b.spins = 0
	}
	for v := range n {
		for w := range n {
			if v != w && linked(v, w) {
				b.others[v] = append(b.others[v], w)
			}
		}
	}
	return b
}

// How long to spin before giving the processor away, first to other goroutines, then to other processes.
const (
	spins  = 50_000 // some 30 µs: giving away a tied thread costs as much, and workers' loads differ by a few µs
	yields = 200
	nap    = 20 * time.Microsecond
)

func (b *barrier) wait(worker int) {
	me := &b.arrived[worker]
	me.mine++
	round := me.mine
	me.Store(round)
	for _, i := range b.others[worker] {
		for tries := 0; b.arrived[i].Load() < round; tries++ {
			switch {
			case tries < b.spins:
			case tries < b.spins+yields:
				runtime.Gosched()
			default:
				time.Sleep(nap)
			}
		}
	}
}

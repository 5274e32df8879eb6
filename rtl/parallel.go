package rtl

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/goldwire/goldwire/clock"
)

// runParallel runs until the clock has had target edges, each worker on its own parts. Islands are run in windows, with one barrier
// after each. Else there are two barriers an instant: one after all ticks, so that nobody commits what another still reads, and one after
// all commits, before wires are settled. A worker waits only for those it exchanges signals with; for all of them if there are observers,
// who want to see everything at once.
func (s *Sim) runParallel(index int, target uint64) {
	observing, free := len(s.observers) > 0, s.free()
	b := newBarrier(s.cfg.Workers, func(v, w int) bool { return observing && !free || s.linked[v][w] })
	work := func(worker int, schedule *clock.Schedule) {
		switch {
		case free:
			s.workIslands(b, worker, schedule, index, target)
		default:
			s.workInstants(b, worker, schedule, index, target, observing)
		}
	}
	var wg, placed sync.WaitGroup
	placed.Add(s.cfg.Workers - 1)
	for w := 1; w < s.cfg.Workers; w++ {
		schedule := s.schedule.Clone()
		wg.Go(func() {
			defer spread(w)()
			placed.Done()
			work(w, schedule)
		})
	}
	placed.Wait() // a worker that is not running yet would wait for this one's processor
	release := spread(0)
	work(0, s.schedule)
	release()
	wg.Wait()
}

// workIslands is a worker's part of a run in windows.
func (s *Sim) workIslands(b *barrier, worker int, schedule *clock.Schedule, index int, target uint64) {
	edges := make([]int, len(s.clocks))
	var window []int
	for schedule.Edges(index) < target {
		window = s.window(window[:0], schedule, index, target, edges)
		for _, p := range s.parts {
			if p.worker == worker {
				p.play(window, s.pattern)
			}
		}
		b.wait(worker)
	}
}

// workInstants is a worker's part of a run in lockstep. Worker 0 observes.
func (s *Sim) workInstants(b *barrier, worker int, schedule *clock.Schedule, index int, target uint64, observing bool) {
	for schedule.Edges(index) < target {
		edges := schedule.Next()
		b.instant(s.teams[worker], worker, edges, schedule.Place())
		if observing {
			b.wait(worker) // all wires are settled
			if worker == 0 {
				s.observe(edges)
			}
			b.wait(worker)
		}
	}
}

// link finds which workers have a module that reads a register of the other's.
func (s *Sim) link() {
	s.linked = make([][]bool, s.cfg.Workers)
	for w := range s.linked {
		s.linked[w] = make([]bool, s.cfg.Workers)
	}
	for _, n := range s.nodes {
		for _, in := range n.ins {
			if src := in.source(); src != nil {
				v, w := n.shard.part.worker, src.shard.part.worker
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

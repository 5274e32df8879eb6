package rtl

import (
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/edgecalls"
	"github.com/goldwire/goldwire/internal/workers"
)

// runParallel runs until the clock has had target edges. Islands are run in windows, by whichever worker has nothing to
// do. A large island is cut into parts that have levels, and a part starts when all parts of lower levels have ended.
//
// Where there are no islands each worker runs its own parts, and there are two barriers an instant: one after all
// ticks, so that nobody commits what another still reads, and one after all commits, before wires are settled. A worker
// waits only for those it exchanges signals with; for all of them if there are observers, which see everything at once.
//
// If a module or an observer panics, the other workers end at their next instant, or at the end of the window, and the
// run panics on this goroutine with a *[Panic].
func (s *Sim) runParallel(index int, target uint64) {
	observing, free := len(s.observers) > 0, s.windowed()
	crew := workers.NewCrew(s.cfg.Workers)
	schedules := []*clock.Schedule{s.schedule}
	for range s.cfg.Workers - 1 {
		schedules = append(schedules, s.schedule.Clone())
	}
	if free {
		s.openPassages(true)
		defer s.openPassages(false)
		levels := s.tasks()
		crew.Run(func(worker int) { s.workIslands(levels, crew, worker, schedules[worker], index, target) })
	} else {
		b := workers.NewBarrier(crew, func(v, w int) bool { return observing || s.linked[v][w] })
		crew.Run(func(worker int) { s.workInstants(crew, b, worker, schedules[worker], index, target, observing) })
	}
}

// tasks makes a task of each island, by its place in the list, for each level.
func (s *Sim) tasks() []*workers.Tasks {
	levels := make([]*workers.Tasks, s.levels)
	for l := range levels {
		lists := make([][]int, s.cfg.Workers)
		for i, p := range s.parts {
			if p.level == l {
				lists[p.worker] = append(lists[p.worker], i)
			}
		}
		levels[l] = workers.NewTasks(lists)
	}
	return levels
}

// workIslands is a worker's part of a run in windows. While it waits for others to end a level, it takes from the last
// one, which waits for nobody.
func (s *Sim) workIslands(
	levels []*workers.Tasks, crew *workers.Crew, worker int, schedule *clock.Schedule, index int, target uint64,
) {
	w := window{edges: make([]int, len(s.clocks))}
	play := func(level *workers.Tasks, round uint64) (played bool) {
		i, ok := level.Take(worker, round)
		if ok {
			s.parts[i].play(&w)
			level.Done()
		}
		return ok
	}
	last, waiting := levels[len(levels)-1], crew.Waiting()
	for round := uint64(1); schedule.Edges(index) < target; round++ {
		s.next(&w, schedule, index, target)
		for _, level := range levels {
			for play(level, round) {
			}
			for wait := waiting; !level.Ended(round); {
				if !play(last, round) {
					wait.Turn()
				}
			}
		}
	}
	for _, p := range s.parts {
		if p.worker == worker {
			p.stop()
		}
	}
}

// workInstants is a worker's part of a run in lockstep. Worker 0 observes. A worker may wait for nobody, or for others,
// which do not wait for a worker that panics: so each looks.
func (s *Sim) workInstants(
	crew *workers.Crew, b *workers.Barrier, worker int, schedule *clock.Schedule, index int, target uint64,
	observing bool,
) {
	for schedule.Edges(index) < target && !crew.Failed() {
		edges := schedule.Next()
		instantOf(s.teams[worker], worker, b, edges, schedule.Place())
		if observing {
			b.Wait(worker) // all wires are settled
			if worker == 0 {
				s.observe(edges)
			}
			b.Wait(worker)
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

// instantOf runs one worker's part of an instant.
func instantOf(t *edgecalls.Team, worker int, b *workers.Barrier, edges Edges, place int) {
	due := t.Due(edges, place)
	for _, x := range due {
		x.Tick()
	}
	b.Wait(worker)
	for _, x := range due {
		x.Commit()
	}
	b.Wait(worker)
	for _, x := range due {
		x.Comb()
	}
}

package engine

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
func (e *Engine) runParallel(index int, target uint64) {
	observing, free := len(e.observers) > 0, e.windowed()
	crew := workers.NewCrew(e.cfg.Workers)
	schedules := []*clock.Schedule{e.schedule}
	for range e.cfg.Workers - 1 {
		schedules = append(schedules, e.schedule.Clone())
	}
	if free {
		e.openPassages(true)
		defer e.openPassages(false)
		levels := e.tasks()
		crew.Run(func(worker int) { e.workIslands(levels, crew, worker, schedules[worker], index, target) })
	} else {
		b := workers.NewBarrier(crew, func(v, w int) bool { return observing || e.linked[v][w] })
		crew.Run(func(worker int) { e.workInstants(crew, b, worker, schedules[worker], index, target, observing) })
	}
}

// tasks makes a task of each island, by its place in the list, for each level.
func (e *Engine) tasks() []*workers.Tasks {
	levels := make([]*workers.Tasks, e.levels)
	for l := range levels {
		lists := make([][]int, e.cfg.Workers)
		for i, p := range e.parts {
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
func (e *Engine) workIslands(
	levels []*workers.Tasks, crew *workers.Crew, worker int, schedule *clock.Schedule, index int, target uint64,
) {
	w := window{edges: make([]int, len(e.clocks))}
	play := func(level *workers.Tasks, round uint64) (played bool) {
		i, ok := level.Take(worker, round)
		if ok {
			e.parts[i].play(&w)
			level.Done()
		}
		return ok
	}
	last, waiting := levels[len(levels)-1], crew.Waiting()
	for round := uint64(1); schedule.Edges(index) < target; round++ {
		e.next(&w, schedule, index, target)
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
	for _, p := range e.parts {
		if p.worker == worker {
			p.stop()
		}
	}
}

// workInstants is a worker's part of a run in lockstep. Worker 0 observes. A worker may wait for nobody, or for others,
// which do not wait for a worker that panics: so each looks.
func (e *Engine) workInstants(
	crew *workers.Crew, b *workers.Barrier, worker int, schedule *clock.Schedule, index int, target uint64,
	observing bool,
) {
	for schedule.Edges(index) < target && !crew.Failed() {
		edges := schedule.Next()
		instantOf(e.teams[worker], worker, b, edges, schedule.Place())
		if observing {
			b.Wait(worker) // all wires are settled
			if worker == 0 {
				e.observe(edges)
			}
			b.Wait(worker)
		}
	}
}

// link finds which workers have a module that reads a register of the other's.
func (e *Engine) link() {
	e.linked = make([][]bool, e.cfg.Workers)
	for w := range e.linked {
		e.linked[w] = make([]bool, e.cfg.Workers)
	}
	for _, n := range e.nodes {
		for _, in := range n.Ins {
			if src := in.source(); src != nil {
				v, w := n.shard.part.worker, src.shard.part.worker
				e.linked[v][w], e.linked[w][v] = true, true
			}
		}
	}
}

// instantOf runs one worker's part of an instant.
func instantOf(t *edgecalls.Team, worker int, b *workers.Barrier, edges []int, place int) {
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

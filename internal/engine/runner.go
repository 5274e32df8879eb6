package engine

import (
	"slices"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/edgecalls"
	"github.com/goldwire/goldwire/internal/fusedcode"
)

// A run goes window by window, and each island runs a whole window before the next island does. Of two islands of three
// edges a window:
//
//	               window 1              window 2
//	island a   1a → 2a → 3a          4a → 5a → 6a
//	island b                1b → 2b → 3b         4b → 5b → 6b
//
// So it is while the schedule's instants repeat and nobody observes the whole design; else the modules of all islands
// run instant by instant, in lockstep. One edge's way through an island:
//
//	delays read → Ticks → commit (cur = next) → values from other islands → Combs → values for other islands → observers

// window is instants one after another.
type window struct {
	first    int   // the place of the first one in the schedule's pattern
	instants int   // how many there are
	edges    []int // how many of them each clock has
}

// runner runs a window of an island. There are three: its modules, generated code that is one function for many edges,
// and generated code as lists of calls, one list for each instant of the pattern.
type runner interface {
	run(w *window)
}

// turn is what an island does at the instants at which the same clocks have edges.
type turn struct {
	beat  *edgecalls.Beat // by modules
	watch fusedcode.Watch
	clock int // index of the island's first clock: if the island has this turn alone, that is how often it comes
}

// turns are an island's, by place in the schedule's pattern; nil at instants without edges of the island.
type turns []*turn

// stretch returns how many of n instants, the first at a place of the pattern, are one after another the same turn.
// They end with the pattern.
func (t turns) stretch(at, n int) int {
	end := min(at+n, len(t))
	for i := at + 1; i < end; i++ {
		if t[i] != t[at] {
			return i - at
		}
	}
	return end - at
}

// byModules runs the modules.
type byModules struct {
	turns turns
	only  *edgecalls.Beat // of the only turn, if there is one and nobody observes the island
	clock int             // that it comes with
}

func (r *byModules) run(w *window) {
	if r.only != nil {
		for range w.edges[r.clock] {
			r.only.Run()
		}
		return
	}
	at := w.first
	for range w.instants {
		if t := r.turns[at]; t != nil {
			t.beat.Run()
			t.watch.Observe()
		}
		if at++; at == len(r.turns) {
			at = 0
		}
	}
}

// byFunction runs generated code that is one function for many edges of an island with one clock.
type byFunction struct {
	turns turns
	only  *turn // if it is the only one
	edges func(edges int, watch *fusedcode.Watch)
}

func (r *byFunction) run(w *window) {
	if r.only != nil {
		r.edges(w.edges[r.only.clock], &r.only.watch)
		return
	}
	for at, left := w.first, w.instants; left > 0; {
		n := r.turns.stretch(at, left)
		if t := r.turns[at]; t != nil {
			r.edges(n, &t.watch)
		}
		if left, at = left-n, at+n; at == len(r.turns) {
			at = 0
		}
	}
}

// byCalls runs generated code as lists of calls.
type byCalls struct {
	*callLists
	turns   turns
	watched bool
}

func (r *byCalls) run(w *window) {
	for at, left := w.first, w.instants; left > 0; {
		if at == 0 && left >= len(r.lists) && !r.watched {
			fusedcode.CallAll(r.round)
			left -= len(r.lists)
			continue
		}
		if fusedcode.CallAll(r.lists[at]); r.watched && r.turns[at] != nil {
			r.turns[at].watch.Observe()
		}
		left--
		if at++; at == len(r.lists) {
			at = 0
		}
	}
}

// windowed tells whether the parts are islands that can run by themselves now: their instants repeat, and nobody looks
// at more than one.
func (e *Engine) windowed() bool {
	return !slices.ContainsFunc(e.parts, func(p *part) bool { return p.team == nil || p.team.Table == nil }) &&
		!slices.ContainsFunc(e.observers, func(w watcher) bool { return w.part == nil })
}

// runWindows runs until the clock has had target edges, a window of each island after the other.
func (e *Engine) runWindows(index int, target uint64) {
	e.openPassages(true)
	for e.schedule.Edges(index) < target {
		e.next(&e.window, e.schedule, index, target)
		e.ahead = true
		for _, p := range e.parts {
			p.play(&e.window)
		}
		e.ahead = false
	}
	for _, p := range e.parts {
		p.stop()
	}
	e.openPassages(false)
}

// planWindows finds how many rounds of the pattern fit into a window.
func (e *Engine) planWindows(pattern [][]int) {
	e.round = make([]int, len(e.clocks))
	for _, due := range pattern {
		for _, c := range due {
			e.round[c]++
		}
	}
	e.window = window{edges: make([]int, len(e.clocks))}
}

// next advances a schedule by a window: until a clock has as many edges as fit into one, at most until a clock has had
// target edges.
func (e *Engine) next(w *window, schedule *clock.Schedule, index int, target uint64) {
	if len(e.clocks) == 1 {
		n := min(uint64(e.limits[0]), target-schedule.Edges(0))
		w.first, w.instants, w.edges[0] = 0, int(n), int(n)
		schedule.Skip(n)
		return
	}
	for c := range w.edges {
		w.edges[c] = -int(schedule.Edges(c)) // until the end of the window is known
	}
	w.instants, w.first = 0, schedule.Place()+1
	if w.first == len(e.pattern) {
		w.first = 0
	}
	bounded, toRound := len(e.parts) > 1, (len(e.pattern)-w.first)%len(e.pattern) // instants until the pattern begins
	for full := false; !full && schedule.Edges(index) < target; toRound-- {
		if toRound == 0 {
			toRound = len(e.pattern)
			if (!bounded || e.roundFits(w, schedule)) && schedule.Round(index, target) {
				w.instants += len(e.pattern)
				toRound = 1 // once more
				continue
			}
		}
		due := schedule.Next()
		if w.instants++; !bounded {
			continue
		}
		for _, c := range due {
			full = full || int(schedule.Edges(c))+w.edges[c] == e.limits[c]
		}
	}
	for c := range w.edges {
		w.edges[c] += int(schedule.Edges(c))
	}
}

// roundFits tells whether a window that is not at its end stays below its limits with a round of the pattern more.
func (e *Engine) roundFits(w *window, schedule *clock.Schedule) bool {
	for c, n := range e.round {
		if int(schedule.Edges(c))+w.edges[c]+n >= e.limits[c] {
			return false
		}
	}
	return true
}

// play runs a window, by generated code if that can be. Once it runs, it runs to the end of the run.
func (p *part) play(w *window) {
	if p.code.running = p.code.running || p.code.runner != nil && p.canFuse(); p.code.running {
		p.code.runner.run(w)
		return
	}
	p.modules.run(w)
}

// stop ends a run.
func (p *part) stop() {
	if p.code.running {
		p.rest()
	}
	p.code.running = false
}

// plan makes the island's turns and its runners for a pattern of the schedule.
func (p *part) plan(pattern [][]int, watchers []watcher) {
	p.team.Plan(pattern)
	all, watched, calls := make(turns, len(p.team.Table)), false, p.planCalls(pattern)
	of := map[*edgecalls.Beat]*turn{} // instants with the same clocks share it
	var only *turn
	for i, b := range p.team.Table { // none if there is no pattern
		if b.Empty() {
			continue
		}
		if of[b] == nil {
			t := &turn{beat: b, clock: p.clock()}
			var seen several
			for _, w := range watchers {
				if w.part == p && w.due(pattern[i]) {
					seen = append(seen, w.Observer)
				}
			}
			t.watch, watched = seen.watch(pattern[i]), watched || len(seen) > 0
			of[b], only = t, t
		}
		all[i] = of[b]
	}
	if len(of) != 1 {
		only = nil
	}
	modules := &byModules{turns: all}
	if only != nil && !watched {
		modules.only, modules.clock = only.beat, only.clock
	}
	p.modules, p.code.runner = modules, nil
	switch {
	case calls == nil:
	case p.code.island.Run != nil:
		p.code.runner = &byFunction{all, only, p.code.island.Run}
	default:
		p.code.runner = &byCalls{calls, all, watched}
	}
}

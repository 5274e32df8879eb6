package engine

// Run advances the design until a clock has had n more edges. Strict mode returns the faults of the first instant that
// has any, and ends there.
func (e *Engine) Run(clock int, n uint64) (found []Fault) {
	target := e.schedule.Edges(clock) + n
	e.Settle()
	e.learn()
	e.edge, e.windows = 0, true
	switch {
	case e.strict != nil:
		found = e.runStrict(clock, target)
	case e.cfg.Workers > 1 && n >= worthWorkers:
		e.runParallel(clock, target)
	case n >= worthWindows && e.windowed():
		e.runWindows(clock, target)
	default:
		e.runInstants(clock, target)
	}
	e.edge, e.windows = 0, false // a panic leaves them: Located asks
	return found
}

// worthWorkers is how many cycles are worth starting the workers for; fewer run on this goroutine.
const worthWorkers = 16

// worthWindows is how many cycles are worth the looks at the parts before a window; fewer run instant by instant.
const worthWindows = 4

// runStrict runs until the clock has had target edges, or an instant has faults.
func (e *Engine) runStrict(clock int, target uint64) []Fault {
	e.windows = false
	for e.schedule.Edges(clock) < target {
		if faults := e.strictInstant(); faults != nil {
			return faults
		}
	}
	return nil
}

// runInstants runs the modules of all parts together, instant by instant: in short runs, under observers of the whole,
// while the edges do not repeat, and where workers share the modules of an instant.
func (e *Engine) runInstants(clock int, target uint64) {
	e.windows = false
	for e.schedule.Edges(clock) < target {
		edges := e.schedule.Next()
		e.whole.Run(edges, e.schedule.Place())
		e.observe(edges)
	}
}

// Settle brings the wires of all clocks up to date: between runs, their inputs may have been changed from outside.
func (e *Engine) Settle() {
	if e.whole.Settle(); e.strict != nil {
		for i := range e.clocks {
			e.strict.forget(i)
		}
	}
}

// Single tells whether [Engine.Edge] can run the design: it has one clock, nobody observes it, and it is not in strict
// mode.
func (e *Engine) Single() bool { return e.strict == nil && len(e.clocks) == 1 && len(e.observers) == 0 }

// Edge runs the next edge of the only clock. The wires are settled.
func (e *Engine) Edge() {
	e.edge = 1
	e.whole.Clocks[0].Run()
	e.schedule.Skip(1)
	e.edge = 0
}

// Step runs the next instant, of whatever clocks.
func (e *Engine) Step() []Fault {
	if e.strict != nil {
		return e.strictInstant()
	}
	edges := e.schedule.Next()
	place := e.schedule.Place()
	for _, b := range e.whole.Due(edges, place) {
		b.Comb()
	}
	e.whole.Run(edges, place)
	e.observe(edges)
	return nil
}

// longestPattern bounds the tables of instants, in instants.
const longestPattern = 4096

// learn makes the teams' tables once the schedule's pattern is known, and again if it is another one: after a restored
// checkpoint.
func (e *Engine) learn() {
	if e.strict != nil {
		return
	}
	pattern := e.schedule.Learn(longestPattern)
	same := len(pattern) == len(e.pattern) && (len(pattern) == 0 || &pattern[0] == &e.pattern[0])
	if e.planned && same {
		return
	}
	e.pattern, e.planned = pattern, true
	e.whole.Plan(pattern)
	for _, t := range e.teams {
		t.Plan(pattern)
	}
	e.planWindows(pattern)
	for _, p := range e.parts {
		if p.team != nil {
			p.plan(pattern, e.observers)
		}
	}
}

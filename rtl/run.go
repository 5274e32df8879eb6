package rtl

// Run advances the simulation until this clock has had n more edges. All clocks advance; the other edges of the last
// instant are part of it. After it, wires are settled. Only strict mode returns an error, a [Faults]: those found at
// the first instant that has any. A panic of a module or an observer comes out as a *[Panic], which says where; the
// simulation refuses to go on.
func (c *Clock) Run(n uint64) (err error) {
	s := c.sim
	s.begin("Run")
	ended := false
	defer s.abandonUnless(&ended)
	target := c.Cycle() + n
	s.settle()
	s.learn()
	s.edge, s.windows = 0, true
	switch {
	case s.strict != nil:
		err = s.runStrict(c.index, target)
	case s.cfg.Workers > 1 && n >= worthWorkers:
		s.runParallel(c.index, target)
	case n >= worthWindows && s.windowed():
		s.runWindows(c.index, target)
	default:
		s.runInstants(c.index, target)
	}
	s.edge, s.windows = 0, false
	ended = true
	return err
}

// runStrict runs until the clock has had target edges, or an instant has faults.
func (s *Sim) runStrict(index int, target uint64) error {
	s.windows = false
	for s.schedule.Edges(index) < target {
		if err := s.strictInstant(); err != nil {
			return err
		}
	}
	return nil
}

// strictInstant runs the next instant in strict mode.
func (s *Sim) strictInstant() error {
	edges := s.schedule.Next()
	s.strict.instant(edges)
	s.strict.settle(edges)
	s.observe(edges)
	return s.takeFaults()
}

// runInstants runs the modules of all parts together, instant by instant: in short runs, under observers of the whole,
// while the edges do not repeat, and where workers share the modules of an instant.
func (s *Sim) runInstants(index int, target uint64) {
	s.windows = false
	for s.schedule.Edges(index) < target {
		edges := s.schedule.Next()
		s.whole.Run(edges, s.schedule.Place())
		s.observe(edges)
	}
}

// abandonUnless ends a simulation whose run did not end, but panicked or ended its goroutine: it is in the middle of an
// instant.
func (s *Sim) abandonUnless(ended *bool) {
	if !*ended {
		s.phase = abandoned
		if value := recover(); value != nil {
			panic(s.located(value))
		}
	}
}

// settle brings the wires of all clocks up to date: between runs, their inputs may have been changed from outside.
func (s *Sim) settle() {
	if s.whole.Settle(); s.strict != nil {
		for i := range s.clocks {
			s.strict.forget(i)
		}
	}
}

// RunEach is Run with a call after each edge, when wires are settled. The function reads and changes nothing.
func (c *Clock) RunEach(n uint64, each func()) error {
	s := c.sim
	s.begin("RunEach")
	if s.strict != nil || len(s.clocks) > 1 || len(s.observers) > 0 {
		for range n {
			if err := c.Run(1); err != nil {
				return err
			}
			each()
		}
		return nil
	}
	ended := false
	defer s.abandonUnless(&ended)
	s.whole.Settle()
	s.learn()
	b := s.whole.Clocks[0]
	for range n {
		ended, s.edge = false, 1
		b.Run()
		s.schedule.Skip(1)
		ended, s.edge = true, 0 // functions called now find the simulation between two instants
		each()
	}
	ended = true
	return nil
}

// worthWorkers is how many cycles are worth starting the workers for; fewer run on this goroutine.
const worthWorkers = 16

// worthWindows is how many cycles are worth the looks at the parts before a window; fewer run instant by instant.
const worthWindows = 4

// RunUntil runs cycle by cycle until done reports true after an edge of this clock, at most limit cycles, and returns
// whether it did.
func (c *Clock) RunUntil(limit uint64, done func() bool) (bool, error) {
	for range limit {
		if err := c.Run(1); err != nil {
			return false, err
		}
		if done() {
			return true, nil
		}
	}
	return false, nil
}

// Step advances the simulation by one instant: the next edge of any clock, and all edges at the same time.
func (s *Sim) Step() error {
	s.begin("Step")
	ended := false
	defer s.abandonUnless(&ended)
	if s.strict != nil {
		err := s.strictInstant()
		ended = true
		return err
	}
	edges := s.schedule.Next()
	place := s.schedule.Place()
	for _, b := range s.whole.Due(edges, place) {
		b.Comb()
	}
	s.whole.Run(edges, place)
	s.observe(edges)
	ended = true
	return nil
}

// longestPattern bounds the tables of instants, in instants.
const longestPattern = 4096

// learn makes the teams' tables once the schedule's pattern is known, and again if it is another one: after a restored
// checkpoint.
func (s *Sim) learn() {
	if s.strict != nil {
		return
	}
	pattern := s.schedule.Learn(longestPattern)
	same := len(pattern) == len(s.pattern) && (len(pattern) == 0 || &pattern[0] == &s.pattern[0])
	if s.planned && same {
		return
	}
	s.pattern, s.planned = pattern, true
	s.whole.Plan(pattern)
	for _, t := range s.teams {
		t.Plan(pattern)
	}
	s.planWindows(pattern)
	for _, p := range s.parts {
		if p.team != nil {
			p.plan(pattern, s.observers)
		}
	}
}

// observe calls the observers.
func (s *Sim) observe(edges Edges) {
	for i := range s.observers {
		if w := &s.observers[i]; w.due(edges) {
			w.Observe(edges)
		}
	}
}

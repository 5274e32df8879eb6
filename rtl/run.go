package rtl

// Run advances the simulation until this clock has had n more edges. All clocks advance; the other edges of the last
// instant are part of it. After it, wires are settled. Only strict mode returns an error, a [Faults]: those found at the
// first instant that has any. After a panic of a module or an observer the simulation refuses to go on.
func (c *Clock) Run(n uint64) error {
	s := c.sim
	s.begin("Run")
	ended := false
	defer s.abandonUnless(&ended)
	target := c.Cycle() + n
	s.settle()
	if s.strict != nil {
		for c.Cycle() < target {
			if err := s.Step(); err != nil {
				ended = true
				return err
			}
		}
		ended = true
		return nil
	}
	s.learn()
	switch {
	case s.cfg.Workers > 1 && n >= worthWorkers:
		s.runParallel(c.index, target)
	case n >= worthWindows && s.free():
		s.runIslands(c.index, target)
	case len(s.parts) == 1 && s.parts[0].domains != nil && len(s.observers) == 0 && n >= worthFused && s.parts[0].canFuse():
		s.runDomains(s.parts[0], c.index, target)
	case len(s.clocks) == 1 && len(s.observers) == 0:
		b := s.whole.Clocks[0]
		for range n {
			b.Run()
		}
		s.schedule.Skip(n)
	default:
		for c.Cycle() < target {
			edges := s.schedule.Next()
			s.whole.Run(edges, s.schedule.Place())
			s.observe(edges)
		}
	}
	ended = true
	return nil
}

// abandonUnless ends a simulation whose run did not end, but panicked or ended its goroutine: it is in the middle of an instant.
func (s *Sim) abandonUnless(ended *bool) {
	if !*ended {
		s.phase = abandoned
	}
}

// settle brings the wires of all clocks up to date: between runs, what they depend on may have been changed from outside.
func (s *Sim) settle() {
	if s.whole.Settle(); s.strict != nil {
		for i := range s.clocks {
			s.strict.forget(i)
		}
	}
}

// RunEach is Run with a call after each edge, when wires are settled. What is called reads and changes nothing.
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
		ended = false
		b.Run()
		s.schedule.Skip(1)
		ended = true // what is called now finds the simulation between two instants
		each()
	}
	ended = true
	return nil
}

// worthWorkers is how many cycles are worth starting the workers for; fewer run on this goroutine.
const worthWorkers = 16

// worthWindows is the same for windows of islands; fewer cycles run in lockstep.
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

// Step advances the simulation by one instant: the next edge of any clock, and all that coincide with it.
func (s *Sim) Step() error {
	s.begin("Step")
	ended := false
	defer s.abandonUnless(&ended)
	edges := s.schedule.Next()
	if s.strict != nil {
		s.strict.instant(edges)
		s.strict.settle(edges)
		s.observe(edges)
		ended = true
		return s.takeFaults()
	}
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

// learn makes the teams' tables once the schedule's pattern is known, and again if it is another one: after a restored checkpoint.
func (s *Sim) learn() {
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
	for _, p := range s.parts {
		p.planDomains(pattern)
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

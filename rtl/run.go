package rtl

// Run advances the simulation until this clock has had n more edges. All clocks advance; the other edges of the last
// instant are part of it. After it, wires are settled. Only strict mode returns an error, a [Faults]: those found at the
// first instant that has any.
func (c *Clock) Run(n uint64) error {
	s := c.sim
	s.mustBe(running, "Run")
	target := c.Cycle() + n
	if s.strict != nil {
		for c.Cycle() < target {
			if err := s.Step(); err != nil {
				return err
			}
		}
		return nil
	}
	s.settle(s.all) // between runs, what wires depend on may have been changed from outside
	switch {
	case s.cfg.Workers > 1 && n >= worthWorkers:
		s.runParallel(c.index, target)
	case len(s.clocks) == 1 && len(s.observers) == 0 && s.cfg.Workers == 1:
		sh := s.shards[0][0]
		for range n {
			sh.tick()
			sh.commit()
			sh.comb()
		}
		s.schedule.Skip(n)
	default:
		for c.Cycle() < target {
			s.instant(s.schedule.Next())
		}
	}
	return nil
}

// worthWorkers is how many cycles are worth starting the workers for; fewer run on this goroutine.
const worthWorkers = 16

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
	s.mustBe(running, "Step")
	edges := s.schedule.Next()
	if s.strict != nil {
		s.strict.instant(edges)
		s.strict.settle(edges)
		s.observe(edges)
		return s.takeFaults()
	}
	s.settle(edges)
	s.instant(edges)
	return nil
}

// instant runs one instant on this goroutine. The wires of its clocks are settled, before and after it: so each is driven
// once an instant, whether somebody observes or not.
func (s *Sim) instant(edges Edges) {
	for _, c := range edges {
		for _, worker := range s.shards {
			worker[c].tick()
		}
	}
	for _, c := range edges {
		for _, worker := range s.shards {
			worker[c].commit()
		}
	}
	s.settle(edges)
	s.observe(edges)
}

// observe calls the observers.
func (s *Sim) observe(edges Edges) {
	for _, o := range s.observers {
		o.Observe(edges)
	}
}

// settle brings the wires of the clocks to what the registers now say.
func (s *Sim) settle(clocks Edges) {
	for _, c := range clocks {
		for _, worker := range s.shards {
			worker[c].comb()
		}
	}
}

package rtl

// Run advances the simulation until this clock has had n more edges. All clocks advance; the other edges of the last
// instant are part of it. After it, wires are settled. Only strict mode returns an error, a [Faults]: those found at
// the first instant that has any. A panic of a module or an observer comes out as a *[Panic], which says where; the
// simulation refuses to go on.
func (c *Clock) Run(n uint64) error {
	s := c.sim
	s.begin("Run")
	ended := false
	defer s.abandonUnless(&ended)
	found := s.engine.Run(c.index, n)
	ended = true
	return s.takeStrict(found)
}

// abandonUnless ends a simulation whose run did not end, but panicked or ended its goroutine: it is in the middle of an
// instant.
func (s *Sim) abandonUnless(ended *bool) {
	if !*ended {
		s.phase = abandoned
		if value := recover(); value != nil {
			panic(s.engine.Located(value))
		}
	}
}

// RunEach is Run with a call after each edge, when wires are settled. The function reads and changes nothing.
func (c *Clock) RunEach(n uint64, each func()) error {
	s := c.sim
	s.begin("RunEach")
	if !s.engine.Single() {
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
	s.engine.Settle()
	for range n {
		ended = false
		s.engine.Edge()
		ended = true // functions called now find the simulation between two instants
		each()
	}
	ended = true
	return nil
}

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
	found := s.engine.Step()
	ended = true
	return s.takeStrict(found)
}

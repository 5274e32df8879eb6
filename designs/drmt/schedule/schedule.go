package schedule

// Schedule is a single-packet schedule (Appendix A.1).
type Schedule struct {
	Graph  *Graph
	Limits Limits
	// Period is P: a processor receives a packet every Period cycles.
	Period int
	// Start is the cycle, counted from the packet's arrival at 0, in which each node of the graph starts.
	Start []int
}

// Length returns T: the last start minus the first plus 1.
func (s *Schedule) Length() int {
	first, last := s.Start[0], s.Start[0]
	for _, t := range s.Start {
		first, last = min(first, t), max(last, t)
	}
	return last - first + 1
}

// Threads returns how many packets a processor holds at most: ceil(T/P), Proposition A.1.
func (s *Schedule) Threads() int { return (s.Length() + s.Period - 1) / s.Period }

// Class returns the equivalence class of a node: the cycle of the period in which it starts.
func (s *Schedule) Class(node int) int {
	c := s.Start[node] % s.Period
	if c < 0 {
		c += s.Period
	}
	return c
}

// Usage is what the operations of one class take together.
type Usage struct {
	// Segments of key and Fields written.
	Segments, Fields int
	// MatchTimes and ActionTimes are how many distinct start times the class's matches and its actions and conditions
	// have, which is how many packets start some in one cycle (Observation 3).
	MatchTimes, ActionTimes int
	// Actions is how many instruction pointers the class needs: [Limits.Actions].
	Actions int
	// ScratchPad is how many results wait in this cycle.
	ScratchPad int
}

// Usage returns what each class of the period takes.
func (s *Schedule) Usage() []Usage {
	g, p := s.Graph, s.Period
	use := make([]Usage, p)
	type at struct {
		time  int
		match bool
	}
	seen := map[at]bool{}
	fixed := make([]bool, p)
	matched := g.matched()
	for v, n := range g.Nodes {
		c, u := s.Class(v), &use[s.Class(v)]
		u.Segments += s.Limits.keySegments(n)
		u.Fields += n.Fields
		if key := (at{s.Start[v], n.Kind == Match}); !seen[key] {
			seen[key] = true
			if key.match {
				u.MatchTimes++
			} else {
				u.ActionTimes++
			}
		}
		switch {
		case n.Kind == Match:
		case matched[v]:
			u.Actions++
		case !fixed[c]:
			fixed[c] = true
			u.Actions++
		}
	}
	last := append([]int(nil), s.Start...)
	for v := range last {
		last[v] += s.Limits.MatchLatency
	}
	for _, e := range g.Edges {
		if e.Delay == AfterMatch {
			last[e.From] = max(last[e.From], s.Start[e.To])
		}
	}
	for v, n := range g.Nodes {
		if n.Kind != Match {
			continue
		}
		back := s.Start[v] + s.Limits.MatchLatency
		for t := back; t < last[v]; t++ {
			use[((t%p)+p)%p].ScratchPad++
		}
	}
	return use
}

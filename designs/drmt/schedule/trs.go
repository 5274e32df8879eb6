package schedule

import "math/rand/v2"

// TRS is the paper's topological random sieve (§3.4): operations are taken in a random topological order, from a
// depth-first search, and each starts at the first time after its predecessors at which its class has room. It is
// repeated, and the shortest schedule kept. Only Table 1's limits are looked at, as in the paper; the result is nil if
// an operation never finds room.
func TRS(g *Graph, l Limits, period, repetitions int, rng *rand.Rand) *Schedule {
	m := newModel(g, l.WithoutHardware())
	var best *Schedule
	for range repetitions {
		start := m.sieve(period, m.randomOrder(rng))
		if start == nil {
			continue
		}
		if s := m.schedule(period, start); best == nil || s.Length() < best.Length() {
			best = s
		}
	}
	return best
}

// randomOrder returns a topological order: the nodes in reverse order of leaving a depth-first search that visits at
// random.
func (m *model) randomOrder(rng *rand.Rand) []int {
	order := make([]int, 0, m.n)
	seen := make([]bool, m.n)
	var visit func(v int)
	visit = func(v int) {
		if seen[v] {
			return
		}
		seen[v] = true
		for _, i := range rng.Perm(len(m.out[v])) {
			visit(m.out[v][i].to)
		}
		order = append(order, v)
	}
	for _, v := range rng.Perm(m.n) {
		visit(v)
	}
	for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// sieve starts operations one by one, each as early as its predecessors and its class allow.
func (m *model) sieve(period int, order []int) []int {
	type class struct {
		used  int
		times []int
	}
	classes := [2][]class{make([]class, period), make([]class, period)}
	start := make([]int, m.n)
	for _, v := range order {
		earliest := 0
		for _, e := range m.in[v] {
			earliest = max(earliest, start[e.from]+e.cycles)
		}
		k := 0
		if !m.match[v] {
			k = 1
		}
		placed := false
		// A class that has room has it for one of IPC start times that it has already, or for a new one: look at every class
		// once for a new time, and further for one that is there.
		last := earliest + period
		for _, c := range classes[k] {
			for _, t := range c.times {
				last = max(last, t+1)
			}
		}
		for t := earliest; t < last && !placed; t++ {
			c := &classes[k][t%period]
			known := contains(c.times, t)
			if c.used+m.size[v] > m.capacity(m.match[v]) || !known && len(c.times) >= m.limits.IPC {
				continue
			}
			if !known {
				c.times = append(c.times, t)
			}
			c.used += m.size[v]
			start[v], placed = t, true
		}
		if !placed {
			return nil
		}
	}
	return start
}

// SR is the paper's sieve rotator (§3.4): RMT's stages, each half a bundle, start one after the other, each at the
// first time whose class has no bundle of its kind yet. Theorem 3.3 is that this always succeeds if the pipeline has no
// more stages than the period has cycles; the result is nil otherwise. Table 1's limits are kept, the length is free.
func SR(p *Pipeline, l Limits, period int) *Schedule {
	if p.Stages() > period {
		return nil
	}
	m := newModel(p.Graph, l.WithoutHardware())
	start := make([]int, m.n)
	taken := [2][]bool{make([]bool, period), make([]bool, period)}
	next := 0
	for stage := range p.Stages() {
		for k, match := range []bool{true, false} {
			for taken[k][next%period] {
				next++
			}
			taken[k][next%period] = true
			for v := range m.n {
				if p.Stage[v] == stage && m.match[v] == match {
					start[v] = next
				}
			}
			if match {
				next += l.MatchLatency
			} else {
				next += l.ActionLatency
			}
		}
	}
	return m.schedule(period, start)
}

package schedule

// timesProblem is the question whether a graph has a schedule of period P and length T at most: the paper's integer
// program (§3.3) with start times encoded by order, which a clause-learning solver propagates well, and with the
// hardware's limits if it is given any.
type timesProblem struct {
	*problem
	m              *model
	period, length int
	// from[v][t] says that v starts at t or later.
	from [][]literal
	// starting[v][t] says that v starts at t.
	starting [][]literal
}

func newTimesProblem(m *model, period, length int) *timesProblem {
	p := &timesProblem{
		problem: newProblem(), m: m, period: period, length: length, from: make([][]literal, m.n),
		starting: make([][]literal, m.n),
	}
	for v := range m.n {
		if m.head[v]+m.tail[v] >= length {
			p.impossible = true
			return p
		}
		p.from[v] = p.ordered(length, m.head[v], length-1-m.tail[v])
		p.starting[v] = make([]literal, length)
		for t := range length {
			p.starting[v][t] = p.within(p.from[v], t)
		}
	}
	for _, e := range m.edges {
		u, v := p.from[e.from], p.from[e.to]
		for t := range length {
			p.clause(-u[t], v[min(t+e.cycles, length)])
		}
	}
	for _, match := range []bool{true, false} {
		p.packets(match)
		p.capacities(match)
	}
	if m.limits.Actions > 0 {
		p.instructionPointers()
	}
	if m.limits.ScratchPad > 0 {
		p.scratchPad()
	}
	return p
}

// packets keeps the IPC: how many distinct start times a class has (Equations 7 and 8).
func (p *timesProblem) packets(match bool) {
	busy := make([]literal, p.length)
	for t := range busy {
		busy[t] = p.variable()
		for v := range p.m.n {
			if p.m.match[v] == match {
				p.clause(-p.starting[v][t], busy[t])
			}
		}
	}
	for c := range p.period {
		var times []literal
		for t := c; t < p.length; t += p.period {
			times = append(times, busy[t])
		}
		p.atMost(times, ones(len(times)), p.m.limits.IPC)
	}
}

// capacities keeps Equations 5 and 6 for each class, and the consequence for each cycle: at IPC 1 that is the same.
func (p *timesProblem) capacities(match bool) {
	capacity := p.m.capacity(match)
	for c := range p.period {
		var class []literal
		var sizes []int
		for t := c; t < p.length; t += p.period {
			start := len(class)
			for v := range p.m.n {
				if x := p.starting[v][t]; p.m.match[v] == match && x != no {
					class, sizes = append(class, x), append(sizes, p.m.size[v])
				}
			}
			p.atMost(class[start:], sizes[start:], capacity)
		}
		if p.m.limits.IPC > 1 {
			p.atMost(class, sizes, capacity)
		}
	}
}

// instructionPointers asks that no class needs more distinct actions than there are (§5.1).
func (p *timesProblem) instructionPointers() {
	for c := range p.period {
		shared := p.variable() // by all operations equal for every packet
		in := []literal{shared}
		for v := range p.m.n {
			for t := c; t < p.length; t += p.period {
				if x := p.starting[v][t]; p.m.pointer[v] {
					in = append(in, x)
				} else if p.m.fixed[v] {
					p.clause(-x, shared)
				}
			}
		}
		p.atMost(in, ones(len(in)), p.m.limits.Actions)
	}
}

// scratchPad asks that no more results wait in a class than there are entries.
func (p *timesProblem) scratchPad() {
	m := p.m
	classes := make([][]literal, p.period)
	for v := range m.n {
		for t := m.head[v] + m.limits.MatchLatency; m.match[v] && t < p.length; t++ {
			waiting := p.from[v][t-m.limits.MatchLatency+1] // for the result, in cycle t
			held := no
			for _, e := range m.out[v] {
				later := p.from[e.to][t+1]
				if !e.result || waiting == yes || later == no {
					continue
				}
				if held == no {
					held = p.variable()
				}
				p.clause(waiting, -later, held)
			}
			if held != no {
				classes[t%p.period] = append(classes[t%p.period], held)
			}
		}
	}
	for _, held := range classes {
		p.atMost(held, ones(len(held)), m.limits.ScratchPad)
	}
}

// linkBundles adds the facts about bundles at IPC 1: every operation is in one of at most P of its kind, they start as
// a whole and one after the other. It is redundant, and shortens the search where classes are nearly full.
func (p *timesProblem) linkBundles() {
	m := p.m
	x := newBinProblem(p.problem, newBins(m, false, false), p.period)
	if p.impossible {
		return
	}
	for _, match := range []bool{true, false} {
		begin := make([][]literal, p.period) // of each bundle, ordered
		for i := range begin {
			begin[i] = p.ordered(p.length, i, p.length-1)
			for t := 1; i > 0 && t <= p.length; t++ {
				p.clause(-begin[i-1][t-1], begin[i][t])
			}
			for v := range m.n {
				if m.match[v] != match || i < x.low[v] || i > x.high[v] {
					continue
				}
				here, later := x.from[v][i], x.from[v][i+1]
				for t := m.head[v]; t < p.length-m.tail[v]; t++ {
					p.clause(-here, -begin[i][t], p.from[v][t])
					p.clause(later, begin[i][t+1], -p.from[v][t+1])
				}
			}
		}
	}
}

// starts reads the start times off a solution.
func (p *timesProblem) starts(model []bool) []int {
	start := make([]int, p.m.n)
	for v := range start {
		start[v] = position(model, p.from[v])
	}
	return start
}

func ones(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = 1
	}
	return list
}

package schedule

// bins is the question at the heart of three others: can the operations be put into numbered bins, matches and actions
// apart, each within a cycle's capacity, so that dependencies are met?
//
// For dRMT at IPC 1 the bins are bundles: all operations of a kind in one class start together, so a schedule of period
// P is at most P bundles of each kind, in some order in time. For RMT they are the match and action halves of its
// stages (Appendix B), whose order is fixed.
type bins struct {
	m *model
	// pipeline says that match bin i comes before action bin i and that before match bin i+1: RMT. Otherwise only the bins
	// of one kind are in order, and how the two orders mix is part of the question: dRMT.
	pipeline bool
	// coarse asks for a table's match and action in bins of one number: RMT without the "fine".
	coarse bool
	// lag[u][v] is the least number of bins from u to v, never if nothing is known.
	lag [][]int
	// known is what least has found, forwards and backwards: of each operation, in the order in which it was found.
	known [2][][]reason
}

func newBins(m *model, pipeline, coarse bool) *bins {
	b := &bins{m: m, pipeline: pipeline, coarse: coarse, lag: make([][]int, m.n)}
	for u := range m.n {
		if pipeline {
			b.lag[u] = b.stageLags(u)
		} else {
			b.lag[u] = b.bundleLags(u)
		}
	}
	return b
}

// stageLag returns how many stages an edge is in RMT: an action follows a match in the same stage, a match an action in
// the next.
func (b *bins) stageLag(e wait) int {
	if e.cycles == 0 || b.m.match[e.from] && !b.m.match[e.to] {
		return 0
	}
	return 1
}

func (b *bins) stageLags(u int) []int {
	lag := make([]int, b.m.n)
	for v := range lag {
		lag[v] = never
	}
	lag[u] = 0
	for _, v := range b.m.order {
		if lag[v] == never {
			continue
		}
		for _, e := range b.m.out[v] {
			lag[e.to] = max(lag[e.to], lag[v]+b.stageLag(e))
		}
	}
	return lag
}

// bundleLags counts, on the paths from u, how often a node of u's kind starts later than the node of that kind before
// it.
func (b *bins) bundleLags(u int) []int {
	type passed struct {
		lag   int
		later bool // than the last node of u's kind
	}
	m := b.m
	at := make([]passed, m.n)
	lag := make([]int, m.n)
	for v := range lag {
		at[v].lag, lag[v] = never, never
	}
	at[u].lag, lag[u] = 0, 0
	for _, v := range m.order {
		if at[v].lag == never {
			continue
		}
		if v != u && m.match[v] == m.match[u] {
			if at[v].later {
				at[v] = passed{at[v].lag + 1, false}
			}
			lag[v] = at[v].lag
		}
		for _, e := range m.out[v] {
			p := passed{at[v].lag, at[v].later || e.cycles > 0}
			if q := at[e.to]; p.lag > q.lag || p.lag == q.lag && p.later {
				at[e.to] = p
			}
		}
	}
	return lag
}

// ranges returns the first and the last of count bins that each operation can be in. The operations before an operation
// have to fit into the bins before its own: operations that come at least g bins before it and cannot be in a bin
// earlier than i take a whole number of bins from i on, and g-1 more lie between. The same from the end. If a range is
// empty, there is no solution.
func (b *bins) ranges(count int) (low, high []int) {
	before, after := b.least(false), b.least(true)
	low, high = make([]int, b.m.n), make([]int, b.m.n)
	for v := range b.m.n {
		low[v], high[v] = before[v].bins, count-1-after[v].bins
	}
	return low, high
}

// reason says why at least some number of bins come before an operation, or after it: the operations of one kind that
// come gap bins or more before it, and none of them earlier than bin from, fit into no fewer.
type reason struct {
	bins, from, gap int
	match           bool
	// step counts up: a reason rests on steps with smaller numbers.
	step int
}

// least returns how many bins come before each operation at least, or after it if backwards is set.
func (b *bins) least(backwards bool) []reason {
	last := make([]reason, b.m.n)
	for v, found := range b.history(backwards) {
		if len(found) > 0 {
			last[v] = found[len(found)-1]
		}
	}
	return last
}

// history returns every step of least.
func (b *bins) history(backwards bool) [][]reason {
	i := 0
	if backwards {
		i = 1
	}
	if b.known[i] == nil {
		b.known[i] = b.findLeast(backwards)
	}
	return b.known[i]
}

func (b *bins) findLeast(backwards bool) [][]reason {
	m := b.m
	low, all := make([]reason, m.n), make([][]reason, m.n)
	step := 0
	raise := func(v int, r reason) {
		step++
		r.step = step
		low[v], all[v] = r, append(all[v], r)
	}
	for changed := true; changed; {
		changed = false
		for i := range m.order {
			v := m.order[i]
			if backwards {
				v = m.order[m.n-1-i]
			}
			if r := b.leastOf(v, low, backwards); r.bins > low[v].bins {
				raise(v, r)
				changed = true
			}
		}
		if !b.coarse {
			break
		}
		for _, e := range m.edges {
			if e.table && low[e.from].bins != low[e.to].bins {
				u, v := e.from, e.to
				if low[u].bins < low[v].bins {
					u, v = v, u
				}
				raise(v, reason{bins: low[u].bins, from: low[u].bins, match: m.match[u]})
				changed = true
			}
		}
	}
	return all
}

func (b *bins) between(u, v int, backwards bool) int {
	if backwards {
		return b.lag[v][u]
	}
	return b.lag[u][v]
}

// leastOf returns v's bound from the bounds of the others.
func (b *bins) leastOf(v int, low []reason, backwards bool) reason {
	m := b.m
	least := low[v]
	for _, kind := range []bool{true, false} {
		// volume[g][i]: of operations at least g bins before v that cannot be in a bin earlier than i; -1 if there are none.
		var volume [][]int
		for u := range m.n {
			d := b.between(u, v, backwards)
			if u == v || d == never || m.match[u] != kind {
				continue
			}
			for len(volume) <= d {
				volume = append(volume, nil)
			}
			for g := 0; g <= d; g++ {
				for len(volume[g]) <= low[u].bins {
					volume[g] = append(volume[g], -1)
				}
				for i := 0; i <= low[u].bins; i++ {
					volume[g][i] = max(volume[g][i], 0) + m.size[u]
				}
			}
		}
		for g, of := range volume {
			for i, size := range of {
				if size < 0 {
					continue
				}
				take := 1
				if g > 0 {
					take = b.take(size, kind)
				}
				if n := i + take + g - 1; n > least.bins {
					least = reason{bins: n, from: i, gap: g, match: kind}
				}
			}
		}
	}
	return least
}

// take returns how many bins a volume of one kind takes, at least one.
func (b *bins) take(size int, match bool) int {
	capacity := b.m.capacity(match)
	return max(1, (size+capacity-1)/capacity)
}

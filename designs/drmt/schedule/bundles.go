package schedule

// binProblem is bins as a pseudo-Boolean problem.
type binProblem struct {
	*problem
	*bins
	count     int
	low, high []int
	// from[v][i] says that v is in bin i of its kind or in a later one.
	from [][]literal
	// first[i][j] says that match bin i comes before action bin j; otherwise it comes after it.
	first [][]literal
}

// newBinProblem adds bins in the given number to a problem.
func newBinProblem(p *problem, b *bins, count int) *binProblem {
	x := &binProblem{problem: p, bins: b, count: count, from: make([][]literal, b.m.n)}
	x.low, x.high = b.ranges(count)
	for v := range b.m.n {
		if x.low[v] > x.high[v] {
			p.impossible = true
			return x
		}
		x.from[v] = p.ordered(count, x.low[v], x.high[v])
	}
	x.orderKinds()
	for _, e := range b.m.edges {
		if b.m.match[e.from] == b.m.match[e.to] {
			x.sameKind(e)
		} else {
			x.otherKind(e)
		}
		if b.coarse && e.table {
			for i := range count {
				p.clause(-x.from[e.from][i], x.from[e.to][i])
				p.clause(x.from[e.from][i], -x.from[e.to][i])
			}
		}
	}
	x.capacities()
	return x
}

func (x *binProblem) orderKinds() {
	x.first = make([][]literal, x.count)
	for i := range x.first {
		x.first[i] = make([]literal, x.count)
		for j := range x.first[i] {
			if x.pipeline {
				x.first[i][j] = no
				if i <= j {
					x.first[i][j] = yes
				}
				continue
			}
			x.first[i][j] = x.variable()
			if j > 0 {
				x.clause(-x.first[i][j-1], x.first[i][j])
			}
			if i > 0 {
				x.clause(-x.first[i][j], x.first[i-1][j])
			}
		}
	}
}

func (x *binProblem) sameKind(e wait) {
	u, v := x.from[e.from], x.from[e.to]
	for i := range x.count {
		if e.cycles > 0 {
			x.clause(-u[i], v[i+1])
		} else {
			x.clause(-u[i], v[i])
		}
	}
}

// otherKind asks that the bin of one operation comes before another's of the other kind. An edge without latency would
// allow both to start together; none joins the kinds, as a match writes nothing and is read by nothing but through its
// result. To a graph that has one all the same this is stricter than it must be: newBins' callers ask mixed first.
func (x *binProblem) otherKind(e wait) {
	u, v := x.from[e.from], x.from[e.to]
	for i := range x.count {
		for j := range x.count {
			before := x.first[i][j]
			if !x.m.match[e.from] {
				before = -x.first[j][i]
			}
			x.clause(-u[i], v[j+1], before)
		}
	}
}

// capacities keeps a bin's capacity, and the sums for all bins from the first to one and from one to the last, which
// shortens refutations.
func (x *binProblem) capacities() {
	for _, match := range []bool{true, false} {
		capacity := x.m.capacity(match)
		for i := range x.count {
			var in, early, late []literal
			var sizes []int
			for v := range x.m.n {
				if x.m.match[v] == match {
					in, sizes = append(in, x.within(x.from[v], i)), append(sizes, x.m.size[v])
					early, late = append(early, -x.from[v][i]), append(late, x.from[v][i])
				}
			}
			x.atMost(in, sizes, capacity)
			x.atMost(early, sizes, i*capacity)
			x.atMost(late, sizes, (x.count-i)*capacity)
		}
	}
}

// read reads the bins off a solution.
func (x *binProblem) read(model []bool) []int {
	bin := make([]int, x.m.n)
	for v := range bin {
		bin[v] = position(model, x.from[v])
	}
	return bin
}

// mixed returns an edge without latency between a match and another kind of operation, if there is one.
func (m *model) mixed() (wait, bool) {
	for _, e := range m.edges {
		if e.cycles == 0 && m.match[e.from] != m.match[e.to] {
			return e, true
		}
	}
	return wait{}, false
}

// pairProblem is the question whether a graph has a schedule of period P at an IPC above 1, however long: up to IPC
// bundles of each kind share a class and its capacity. Bundles are in order as at IPC 1, and each is given a class.
type pairProblem struct {
	*binProblem
	// class[kind][i][c] says that bin i is in class c; 0 matches, 1 actions.
	class [2][][]literal
}

func newPairProblem(m *model, period int) *pairProblem {
	ipc := m.limits.IPC
	x := &pairProblem{binProblem: newBinProblem(newProblem(), newBins(m, false, false), ipc*period)}
	if x.impossible {
		return x
	}
	for k, match := range []bool{true, false} {
		x.class[k] = make([][]literal, x.count)
		for i := range x.class[k] {
			row := make([]literal, period)
			for c := range row {
				row[c] = no
				if c <= i { // classes are numbered as bins open them
					row[c] = x.variable()
				}
			}
			x.clause(row...)
			x.class[k][i] = row
		}
		for c := range period {
			var in []literal
			for i := range x.count {
				in = append(in, x.class[k][i][c])
			}
			x.atMost(in, ones(len(in)), ipc)
			x.load(m, match, c, x.class[k])
		}
	}
	return x
}

// load keeps the capacity of class c.
func (x *pairProblem) load(m *model, match bool, c int, class [][]literal) {
	var in []literal
	var sizes []int
	for v := range m.n {
		if m.match[v] != match || m.size[v] == 0 {
			continue
		}
		here := x.variable()
		for i := range x.count {
			if at := x.within(x.from[v], i); at != no {
				x.clause(-at, -class[i][c], here)
			}
		}
		in, sizes = append(in, here), append(sizes, m.size[v])
	}
	x.atMost(in, sizes, m.capacity(match))
}

package schedule

// never is the distance between nodes without a path.
const never = -1 << 30

// model is a graph under limits, prepared for searching: what each operation takes and how far apart operations must
// be.
type model struct {
	graph  *Graph
	limits Limits
	n      int
	match  []bool
	// size is what an operation takes of its kind's capacity: key segments of a match, fields of an action or condition.
	size []int
	// pointer says that an action takes an instruction pointer of its own, fixed that it shares the default actions' one.
	pointer, fixed []bool
	edges          []wait
	in, out        [][]wait
	order          []int
	// distance[u][v] is the latency of the longest path from u to v, never if there is none; 0 from u to u.
	distance [][]int32
	// before[v][u] is the same, for readers that ask for all operations before one.
	before [][]int32
	// head and tail are the longest paths into and out of an operation.
	head, tail []int
	// critical is the least length of any schedule: the longest path plus 1.
	critical int
}

// wait is an edge with its latency; result says that it waits for a match's result, table that both are of one table.
type wait struct {
	from, to, cycles int
	result, table    bool
}

func newModel(g *Graph, l Limits) *model {
	n := len(g.Nodes)
	m := &model{
		graph: g, limits: l, n: n, match: make([]bool, n), size: make([]int, n), pointer: g.matched(),
		fixed: make([]bool, n), in: make([][]wait, n), out: make([][]wait, n), order: g.order(), head: make([]int, n),
		tail: make([]int, n),
	}
	for v, node := range g.Nodes {
		m.match[v] = node.Kind == Match
		m.size[v] = node.Fields
		if m.match[v] {
			m.size[v] = l.keySegments(node)
		}
		m.fixed[v] = !m.match[v] && !m.pointer[v]
	}
	for _, e := range g.Edges {
		w := wait{e.From, e.To, l.Latency(e.Delay), e.Delay == AfterMatch, e.SameTable}
		m.edges = append(m.edges, w)
		m.out[e.From] = append(m.out[e.From], w)
		m.in[e.To] = append(m.in[e.To], w)
	}
	m.distance = make([][]int32, n)
	for i := n - 1; i >= 0; i-- {
		u := m.order[i]
		row := make([]int32, n)
		for v := range row {
			row[v] = never
		}
		row[u] = 0
		for _, e := range m.out[u] {
			for v, d := range m.distance[e.to] {
				if d != never {
					row[v] = max(row[v], d+int32(e.cycles))
				}
			}
		}
		m.distance[u] = row
		for _, d := range row {
			m.tail[u] = max(m.tail[u], int(d))
		}
		m.critical = max(m.critical, m.tail[u]+1)
	}
	m.before = make([][]int32, n)
	for v := range n {
		m.before[v] = make([]int32, n)
		for u := range n {
			m.before[v][u] = m.distance[u][v]
			m.head[v] = max(m.head[v], int(m.distance[u][v]))
		}
	}
	return m
}

// capacity is what a class has for operations of v's kind.
func (m *model) capacity(match bool) int {
	if match {
		return m.limits.Segments
	}
	return m.limits.Fields
}

// schedule wraps start times.
func (m *model) schedule(period int, start []int) *Schedule {
	return &Schedule{Graph: m.graph, Limits: m.limits, Period: period, Start: start}
}

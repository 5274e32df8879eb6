package schedule

// Stretch turns a schedule for short latencies into one for the latencies of the given limits, of the same period and
// with the same class for every operation: what Theorem 3.7 promises and compressed schedules (CS, §3.4) are made by.
//
// The paper's proof moves operations one by one, each to the first start time of its class that its predecessors allow.
// That can part operations that started together, and then more packets start some in one cycle than IPC allows. So
// here operations that start together move together, matches and actions apart. The result keeps every limit of Table 1
// that the short schedule keeps, but may be as long as it likes: bounds of the length, such as the number of threads,
// are not promised.
func (s *Schedule) Stretch(l Limits) *Schedule {
	m := newModel(s.Graph, l)
	type bundle struct {
		time  int
		match bool
	}
	members := map[bundle][]int{}
	var bundles []bundle // in the order of the short schedule, which is a topological one
	for _, v := range m.order {
		b := bundle{s.Start[v], m.match[v]}
		if members[b] == nil {
			bundles = append(bundles, b)
		}
		members[b] = append(members[b], v)
	}
	// Bundles at one time depend on each other by edges without latency alone, from one kind to the other. There are none
	// in both directions between a match and an action; sorting matches first would not do for an action before a match,
	// so repeat instead.
	start := make([]int, m.n)
	for changed := true; changed; {
		changed = false
		for _, b := range bundles {
			earliest := start[members[b][0]]
			for _, v := range members[b] {
				for _, e := range m.in[v] {
					if e.from != v {
						earliest = max(earliest, start[e.from]+e.cycles)
					}
				}
			}
			for ((earliest-b.time)%s.Period+s.Period)%s.Period != 0 {
				earliest++
			}
			for _, v := range members[b] {
				if start[v] != earliest {
					start[v], changed = earliest, true
				}
			}
		}
	}
	return &Schedule{Graph: s.Graph, Limits: l, Period: s.Period, Start: start}
}

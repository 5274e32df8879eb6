package schedule

import "slices"

// settle returns start times that keep all limits, made from ones that keep those of Table 1: matches move later and actions earlier,
// to times at which others of their kind start already, so that fewer results wait in the scratch pad, and actions leave cycles
// that have too many. It returns nil if that is not enough, or if there are no start times.
func (m *model) settle(period int, start []int) []int {
	if start == nil {
		return nil
	}
	if m.schedule(period, start).Validate() == nil {
		return start
	}
	start = slices.Clone(start)
	for range 8 {
		moved := false
		for i := m.n - 1; i >= 0; i-- {
			if v := m.order[i]; m.match[v] {
				moved = m.move(period, start, v, true) || moved
			}
		}
		for _, v := range m.order {
			if !m.match[v] {
				moved = m.move(period, start, v, false) || moved
			}
		}
		if !moved {
			break
		}
	}
	if m.schedule(period, start).Validate() == nil {
		return start
	}
	return nil
}

// move moves one operation as late or as early as it can go among the start times of its kind.
func (m *model) move(period int, start []int, v int, later bool) bool {
	earliest, latest := 0, 1<<30
	for _, e := range m.in[v] {
		earliest = max(earliest, start[e.from]+e.cycles)
	}
	for _, e := range m.out[v] {
		latest = min(latest, start[e.to]-e.cycles)
	}
	best := start[v]
	for w := range m.n {
		t := start[w]
		if m.match[w] != m.match[v] || t < earliest || t > latest || later && t <= best || !later && t >= best {
			continue
		}
		if m.room(period, start, v, t) {
			best = t
		}
	}
	if best == start[v] {
		return false
	}
	start[v] = best
	return true
}

// room reports whether v could start at t, at which others of its kind start: the class has capacity and instruction pointers left.
func (m *model) room(period int, start []int, v, t int) bool {
	size, pointers, fixed := m.size[v], 0, m.fixed[v]
	if m.pointer[v] {
		pointers++
	}
	for w := range m.n {
		if w != v && m.match[w] == m.match[v] && start[w]%period == t%period {
			size += m.size[w]
			fixed = fixed || m.fixed[w]
			if m.pointer[w] {
				pointers++
			}
		}
	}
	if fixed {
		pointers++
	}
	return size <= m.capacity(m.match[v]) && (m.match[v] || m.limits.Actions == 0 || pointers <= m.limits.Actions)
}

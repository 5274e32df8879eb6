package clock

import "slices"

// pattern is a stretch of instants after which the edges of all clocks repeat.
type pattern struct {
	due    [][]int  // by instant: the clocks
	at     int      // of the instant that comes next
	counts []uint64 // of a round, by clock: its edges
}

// Learn looks for the pattern in which the edges repeat from here on: the instants of one common period. From then on
// [Schedule.Next] takes them from a table. It returns the table, the clocks of each instant, or nil if there are more
// than most instants or a clock has yet to start; in the second case a later call may find it. The table is for
// reading.
func (s *Schedule) Learn(most int) [][]int {
	if s.known != nil {
		if len(s.known.due) > most {
			return nil
		}
		return s.known.due
	}
	if most <= s.searched || !s.started() {
		return nil
	}
	ahead := s.Clone()
	var due [][]int
	for len(due) < most {
		due = append(due, slices.Clone(ahead.Next()))
		if ahead.alike(s) {
			s.known = &pattern{due: due, counts: make([]uint64, len(s.edges))}
			for i, n := range ahead.edges {
				s.known.counts[i] = n - s.edges[i]
			}
			return due
		}
	}
	s.searched = most
	return nil
}

// Place returns where in the table that Learn returned the instant is that Next returned last, -1 if there is none.
func (s *Schedule) Place() int {
	switch {
	case s.known == nil:
		return -1
	case s.known.at == 0:
		return len(s.known.due) - 1
	}
	return s.known.at - 1
}

// Round counts all instants of the table that Learn returned, as that many calls of Next would, if the first of them
// comes next and clock i stays below limit edges. It tells whether it did.
func (s *Schedule) Round(i int, limit uint64) bool {
	k := s.known
	if k == nil || k.at != 0 || s.edges[i]+k.counts[i] >= limit {
		return false
	}
	for c, n := range k.counts {
		s.edges[c] += n
	}
	return true
}

// started tells whether each clock's next edge is less than a period after the next instant: else its phase is still
// to pass.
func (s *Schedule) started() bool {
	next := slices.Min(s.whole)
	for i, w := range s.whole {
		if w > next && w >= next+s.step[i] {
			return false
		}
	}
	return true
}

// alike tells whether the next edges of all clocks lie to each other as in the other schedule.
func (s *Schedule) alike(t *Schedule) bool {
	for i := range s.whole {
		if s.whole[i]-s.whole[0] != t.whole[i]-t.whole[0] || s.timers[i].part != t.timers[i].part {
			return false
		}
	}
	return true
}

// next is [Schedule.Next] where the edges repeat. Only the counts of edges go on: times wait at the start of the
// pattern, where they are after each round.
func (p *pattern) next(edges []uint64) []int {
	due := p.due[p.at]
	for _, i := range due {
		edges[i]++
	}
	if p.at++; p.at == len(p.due) {
		p.at = 0
	}
	return due
}

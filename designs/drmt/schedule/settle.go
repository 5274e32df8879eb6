package schedule

import (
	"math"
	"math/rand/v2"
	"slices"
)

// settle returns start times that keep all limits, made from ones that keep Table 1's limits; nil if it finds none, or
// if it is given none. Operations move one by one to times at which others of their kind start already, bundles by
// whole periods, so that every cycle keeps its capacities and its packets; by simulated annealing, until few enough
// results wait in the scratch pad and no cycle has too many actions.
func (m *model) settle(period int, start []int) []int {
	if start == nil {
		return nil
	}
	if m.schedule(period, start).Validate() == nil {
		return start
	}
	if m.limits.ScratchPad == 0 && m.limits.Actions == 0 {
		return nil
	}
	s := newSettler(m, period, slices.Clone(start))
	const moves = 150000
	for i := 0; i < moves; i++ {
		if i%64 == 0 && s.excess() == 0 {
			break
		}
		s.heat = 4 * (1 - float64(i)/moves)
		s.step()
	}
	if m.schedule(period, s.start).Validate() == nil {
		return s.start
	}
	return nil
}

type settler struct {
	*model
	period int
	start  []int
	rng    *rand.Rand
	heat   float64
	// Of each class: the segments and fields of its matches and actions, results that wait, instruction pointers, and
	// operations that share one.
	size            [2][]int
	waiting         []int
	pointers, fixed []int
	feeds           [][]int // the matches whose results an operation waits for
	total           int     // of waiting
}

func newSettler(m *model, period int, start []int) *settler {
	s := &settler{model: m, period: period, start: start, rng: rand.New(rand.NewPCG(uint64(period), uint64(m.n))),
		size: [2][]int{make([]int, period), make([]int, period)}, waiting: make([]int, period), pointers: make([]int, period),
		fixed: make([]int, period),
		feeds: make([][]int, m.n)}
	for _, e := range m.edges {
		if e.result {
			s.feeds[e.to] = append(s.feeds[e.to], e.from)
		}
	}
	for v := range m.n {
		s.occupy(v, 1)
		if m.match[v] {
			s.wait(v, 1)
		}
	}
	return s
}

// occupy adds an operation to its class, or takes it away.
func (s *settler) occupy(v, sign int) {
	c := s.start[v] % s.period
	if s.match[v] {
		s.size[0][c] += sign * s.model.size[v]
		return
	}
	s.size[1][c] += sign * s.model.size[v]
	if s.pointer[v] {
		s.pointers[c] += sign
	} else {
		s.fixed[c] += sign
	}
}

// wait adds the time in which a match's result waits, or takes it away.
func (s *settler) wait(v, sign int) {
	last := 0
	for _, e := range s.out[v] {
		if e.result {
			last = max(last, s.start[e.to])
		}
	}
	for t := s.start[v] + s.limits.MatchLatency; t < last; t++ {
		s.waiting[t%s.period] += sign
		s.total += sign
	}
}

// excess is by how much the hardware's limits are broken.
func (s *settler) excess() int {
	n := 0
	for c := range s.period {
		if limit := s.limits.ScratchPad; limit > 0 {
			n += max(0, s.waiting[c]-limit)
		}
		if limit := s.limits.Actions; limit > 0 {
			p := s.pointers[c]
			if s.fixed[c] > 0 {
				p++
			}
			n += 16 * max(0, p-limit)
		}
	}
	return n
}

func (s *settler) cost() float64 { return float64(s.excess()) + 0.02*float64(s.total) }

// step tries one move and takes it back if it is not worth its cost.
func (s *settler) step() {
	v := s.rng.IntN(s.n)
	group := []int{v}
	to := 0
	if s.rng.IntN(8) == 0 {
		for w := range s.n {
			if w != v && s.match[w] == s.match[v] && s.start[w] == s.start[v] {
				group = append(group, w)
			}
		}
		to = s.start[v] + s.period*(2*s.rng.IntN(2)-1)
	} else {
		w := s.rng.IntN(s.n)
		if s.match[w] != s.match[v] {
			return
		}
		to = s.start[w]
	}
	from := s.start[v]
	if to == from || !s.allowed(group, to) {
		return
	}
	before := s.cost()
	s.shift(group, to)
	c := to % s.period
	if s.size[0][c] <= s.limits.Segments && s.size[1][c] <= s.limits.Fields {
		if d := s.cost() - before; d <= 0 || s.rng.Float64() < math.Exp(-d/s.heat) {
			return
		}
	}
	s.shift(group, from)
}

// allowed reports whether dependencies and the length of the schedule let a group start at a time.
func (s *settler) allowed(group []int, t int) bool {
	if t < 0 || t > slices.Max(s.start) {
		return false
	}
	for _, v := range group {
		for _, e := range s.in[v] {
			if !contains(group, e.from) && s.start[e.from]+e.cycles > t {
				return false
			}
		}
		for _, e := range s.out[v] {
			if !contains(group, e.to) && t+e.cycles > s.start[e.to] {
				return false
			}
		}
	}
	return true
}

func (s *settler) shift(group []int, to int) {
	touched := map[int]bool{}
	for _, v := range group {
		if s.match[v] {
			touched[v] = true
		}
		for _, u := range s.feeds[v] {
			touched[u] = true
		}
	}
	for u := range touched {
		s.wait(u, -1)
	}
	for _, v := range group {
		s.occupy(v, -1)
		s.start[v] = to
		s.occupy(v, 1)
	}
	for u := range touched {
		s.wait(u, 1)
	}
}

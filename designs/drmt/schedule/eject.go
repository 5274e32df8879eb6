package schedule

import (
	"context"
	"math"
	"math/rand/v2"
)

// ejector searches for a schedule of a given period within a given length by modulo scheduling with ejection (iterative
// modulo scheduling: Rau, MICRO 1994). Operations are placed one by one, each where it does least harm; those in its
// way lose their place and wait to be placed again. An operation that has been ejected often weighs more, so that the
// search does not go round in circles.
type ejector struct {
	*model
	period, length int
	rng            *rand.Rand

	start   []int // -1 while an operation waits
	weight  []int
	waiting []int
	// classes holds the placed operations of each class, matches in even, actions in odd elements.
	classes [][]int
	harm    []int // of each start time, for one operation
	clash   []int // scratch: the operations of a class that leave for one to come in
	times   [16]busy
}

// busy is a start time of a class, and what the operations weigh that have it.
type busy struct{ t, weight int }

func newEjector(m *model, period, length int, rng *rand.Rand) *ejector {
	return &ejector{model: m, period: period, length: length, rng: rng, start: make([]int, m.n), weight: make([]int, m.n),
		classes: make([][]int, 2*period), harm: make([]int, length+1)}
}

// run tries for at most the given number of placements. It returns the start times, or nil.
func (e *ejector) run(ctx context.Context, placements int) []int {
	for v := range e.start {
		e.start[v] = -1
		e.weight[v] = 1
		if e.head[v]+e.tail[v] >= e.length {
			return nil
		}
	}
	for i := range e.classes {
		e.classes[i] = e.classes[i][:0]
	}
	// The last one is taken first: a topological order from the back.
	e.waiting = e.waiting[:0]
	for i := e.n - 1; i >= 0; i-- {
		e.waiting = append(e.waiting, e.order[i])
	}
	for step := 0; len(e.waiting) > 0; step++ {
		if step >= placements || step%1024 == 0 && ctx.Err() != nil {
			return nil
		}
		v := e.waiting[len(e.waiting)-1]
		e.waiting = e.waiting[:len(e.waiting)-1]
		e.place(v, e.best(v))
	}
	return append([]int(nil), e.start...)
}

func (e *ejector) class(v, t int) int {
	c := 2 * (t % e.period)
	if !e.match[v] {
		c++
	}
	return c
}

// best returns the start time for v that costs the least weight of operations ejected; among equals the first or one
// drawn.
func (e *ejector) best(v int) int {
	from, to := e.head[v], e.length-1-e.tail[v]
	harm := e.harm[:to-from+2]
	clear(harm)
	// Dependencies: w placed at t forbids v later than t-d(v,w) and earlier than t+d(w,v).
	after, before := e.distance[v], e.before[v]
	for w, t := range e.start {
		if t < 0 {
			continue
		}
		if d := after[w]; d != never {
			if first := max(t-int(d)+1, from); first <= to {
				harm[first-from] += e.weight[w]
			}
		}
		if d := before[w]; d != never {
			if end := min(t+int(d), to+1); end > from {
				harm[0] += e.weight[w]
				harm[end-from] -= e.weight[w]
			}
		}
	}
	for i := 1; i < len(harm); i++ {
		harm[i] += harm[i-1]
	}
	best, least, same := from, math.MaxInt, 0
	class, end := e.class(v, from), len(e.classes)
	for t := from; t <= to; t, class = t+1, class+2 {
		if class >= end {
			class -= end
		}
		h := harm[t-from]
		if h > least {
			continue
		}
		for _, w := range e.crowded(v, t, class) {
			h += e.weight[w]
		}
		if h == 0 {
			return t
		}
		switch {
		case h < least:
			best, least, same = t, h, 1
		case h == least:
			if same++; e.rng.IntN(same) == 0 {
				best = t
			}
		}
	}
	return best
}

// crowded returns the operations that must leave v's class for v to start at t. The slice is valid until the next call.
func (e *ejector) crowded(v, t, class int) []int {
	in := e.classes[class]
	e.clash = e.clash[:0]
	if len(in) == 0 {
		return nil
	}
	// IPC: at most IPC distinct start times; the lightest of the others leaves.
	left := in
	times := &e.times
	distinct, mine := 0, false
	for _, w := range in {
		tw := e.start[w]
		if tw == t {
			mine = true
		}
		i := 0
		for i < distinct && times[i].t != tw {
			i++
		}
		if i == distinct {
			if distinct == len(times) {
				continue
			}
			times[i].t, times[i].weight = tw, 0
			distinct++
		}
		times[i].weight += e.weight[w]
	}
	gone := -1
	if !mine && distinct >= e.limits.IPC {
		least := math.MaxInt
		for _, x := range times[:distinct] {
			if x.weight < least {
				least, gone = x.weight, x.t
			}
		}
	}
	used, pointers, fixed := e.size[v], 0, e.fixed[v]
	if e.pointer[v] {
		pointers++
	}
	for _, w := range left {
		if e.start[w] == gone {
			e.clash = append(e.clash, w)
			continue
		}
		used += e.size[w]
		fixed = fixed || e.fixed[w]
		if e.pointer[w] {
			pointers++
		}
	}
	limit := e.limits.Actions
	if e.match[v] || limit == 0 {
		limit = 1 << 30
	}
	total := func() int {
		if fixed {
			return pointers + 1
		}
		return pointers
	}
	for used > e.capacity(e.match[v]) || total() > limit {
		// Which operation frees the most for its weight?
		out, score := -1, -1.0
		for _, w := range left {
			if e.start[w] == gone || contains(e.clash, w) {
				continue
			}
			free := 0.0
			if over := used - e.capacity(e.match[v]); over > 0 {
				free += float64(min(over, e.size[w]))
			}
			if total() > limit && e.pointer[w] {
				free++
			}
			if s := free / float64(e.weight[w]); s > score {
				out, score = w, s
			}
		}
		if out < 0 || score == 0 {
			break // only operations that free nothing are left: v alone is too large, or shares the pointer of the fixed ones
		}
		e.clash = append(e.clash, out)
		used -= e.size[out]
		if e.pointer[out] {
			pointers--
		}
	}
	return e.clash
}

func contains(list []int, x int) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}

// place starts v at t and ejects the operations in its way.
func (e *ejector) place(v, t int) {
	for _, w := range e.crowded(v, t, e.class(v, t)) {
		e.remove(w)
	}
	after, before := e.distance[v], e.before[v]
	for w, tw := range e.start {
		if tw < 0 {
			continue
		}
		if d := after[w]; d != never && tw < t+int(d) {
			e.remove(w)
		} else if d := before[w]; d != never && t < tw+int(d) {
			e.remove(w)
		}
	}
	e.start[v] = t
	c := e.class(v, t)
	e.classes[c] = append(e.classes[c], v)
}

func (e *ejector) remove(w int) {
	c := e.class(w, e.start[w])
	list := e.classes[c]
	for i, x := range list {
		if x == w {
			list[i] = list[len(list)-1]
			e.classes[c] = list[:len(list)-1]
			break
		}
	}
	e.start[w] = -1
	e.weight[w]++
	e.waiting = append(e.waiting, w)
}

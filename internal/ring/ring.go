// Package ring delays values by whole edges: those of several delays together, so that none of them is moved.
package ring

// Ring is delays of one length. Each has a column: its values, in the order of the edges. Starts sample what some of the delays read, ends
// give what comes out of some of them. A delay has its length if its start and its end have run as often. Where there are rows for it, a
// start may run ahead of an end in the meantime, or after it.
type Ring[T any] struct {
	mem         []T
	edges, rows int
	starts      []*Start[T]
}

// Start samples what the delays read.
type Start[T any] struct {
	From []*T // by delay

	mem      []T // a column for each
	rows, at int // at is the row for this edge
}

// End gives what comes out.
type End[T any] struct {
	next     []T // by delay: what is in its register after this edge
	mem      []T // a column for each
	rows, at int // at is the row for this edge
}

// New returns delays of a number of edges, with rows for what was read at the last edges, or more.
func New[T any](delays, edges, rows int) *Ring[T] {
	return &Ring[T]{mem: make([]T, delays*rows), edges: edges, rows: rows}
}

// Start adds what samples some delays, from the first of them on.
func (r *Ring[T]) Start(first, delays int) *Start[T] {
	s := &Start[T]{From: make([]*T, delays), mem: r.mem[first*r.rows:][:delays*r.rows], rows: r.rows}
	r.starts = append(r.starts, s)
	return s
}

// End returns what gives the values of some delays to next, from the first of them on.
func (r *Ring[T]) End(first int, next []T) *End[T] {
	return &End[T]{next: next, mem: r.mem[first*r.rows:][:len(next)*r.rows], rows: r.rows, at: (r.rows - r.edges + 1) % r.rows}
}

// Tick samples at an edge.
func (s *Start[T]) Tick() {
	at, mem, rows := s.at, s.mem, s.rows // loaded once: a store through mem might change the fields
	for _, p := range s.From {
		mem[at] = *p
		at += rows
	}
	if s.at++; s.at == s.rows {
		s.at = 0
	}
}

// Call returns what does the same as Tick, faster if there is one delay: then there is no list to go through.
func (s *Start[T]) Call() func() {
	if len(s.From) != 1 {
		return s.Tick
	}
	from := s.From[0]
	return func() { // as Put, which Go does not inline here
		s.mem[s.at] = *from
		if s.at++; s.at == len(s.mem) {
			s.at = 0
		}
	}
}

// Tick gives what comes out at an edge.
func (e *End[T]) Tick() {
	at, next, mem, rows := e.at, e.next, e.mem, e.rows // loaded once: a store through next might change the fields
	for i := range next {
		next[i] = mem[at]
		at += rows
	}
	if e.at++; e.at == e.rows {
		e.at = 0
	}
}

// Call returns what does the same as Tick, faster if there is one delay.
func (e *End[T]) Call() func() {
	if len(e.next) != 1 {
		return e.Tick
	}
	to := &e.next[0]
	return func() { // as Get
		*to = e.mem[e.at]
		if e.at++; e.at == len(e.mem) {
			e.at = 0
		}
	}
}

// Put is a Tick of one delay that reads *from. Values go by their places: a large one that is passed is copied twice more.
func (s *Start[T]) Put(from *T) {
	s.mem[s.at] = *from
	if s.at++; s.at == len(s.mem) {
		s.at = 0
	}
}

// Get is a Tick of one delay that gives *to.
func (e *End[T]) Get(to *T) {
	*to = e.mem[e.at]
	if e.at++; e.at == len(e.mem) {
		e.at = 0
	}
}

// Next gives *to what comes out at an edge at which Put was called before. It is for a delay of a ring without spare rows, whose start knows the
// place: so one index does for both. An end of such a ring counts by itself and has to [End.Follow].
func (s *Start[T]) Next(to *T) { *to = s.mem[s.at] }

// Follow puts an end of a ring without spare rows where a start has come to, before the end runs.
func (e *End[T]) Follow(s *Start[T]) { e.at = s.at }

// UnderWay returns the place of a delay's value that was read a number of edges ago, from 0 to the delay's edges less 1. All starts have
// had the same number of edges.
func (r *Ring[T]) UnderWay(delay, age int) *T {
	at := r.starts[0].at - (age + 1)
	if at < 0 {
		at += r.rows
	}
	return &r.mem[delay*r.rows+at]
}

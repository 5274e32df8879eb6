// Package ring delays values by whole edges: those of several delays together, a row an edge, so that none of them is moved.
package ring

// Ring is delays of one length. A start and an end that run in turns make it what its length says; where its rows allow it the start may run
// ahead of the end, or after it.
type Ring[T any] struct {
	Start Start[T]
	End   End[T]
}

// Start samples what the delays read.
type Start[T any] struct {
	From []*T // by delay

	rows []T // of a value for each delay
	at   int // of the row for this edge
}

// End gives what comes out.
type End[T any] struct {
	next []T // by delay: what is in its register after this edge
	rows []T // the start's
	at   int // of the row for this edge
}

// New returns delays of a number of edges that set next, with rows for what was read at the last edges, or more.
func New[T any](next []T, edges, rows int) *Ring[T] {
	n := len(next)
	mem := make([]T, n*rows)
	return &Ring[T]{
		Start: Start[T]{From: make([]*T, n), rows: mem},
		End:   End[T]{next: next, rows: mem, at: (rows - edges + 1) % rows * n},
	}
}

// Tick moves all values on by one edge.
func (r *Ring[T]) Tick() {
	r.Start.Tick()
	r.End.Tick()
}

// Tick samples at an edge.
func (s *Start[T]) Tick() {
	row := s.rows[s.at:][:len(s.From)]
	for i, p := range s.From {
		row[i] = *p
	}
	if s.at += len(row); s.at == len(s.rows) {
		s.at = 0
	}
}

// Tick gives what comes out at an edge.
func (e *End[T]) Tick() {
	row := e.rows[e.at:][:len(e.next)]
	for i := range row { // mostly few: a call of memmove costs more
		e.next[i] = row[i]
	}
	if e.at += len(row); e.at == len(e.rows) {
		e.at = 0
	}
}

// Put samples at an edge for a ring of one delay.
func (s *Start[T]) Put(v T) {
	s.rows[s.at] = v
	if s.at++; s.at == len(s.rows) {
		s.at = 0
	}
}

// Get returns what comes out at an edge, in its Tick's stead, of a ring of one delay.
func (e *End[T]) Get() T {
	v := e.rows[e.at]
	if e.at++; e.at == len(e.rows) {
		e.at = 0
	}
	return v
}

// UnderWay returns the place of a delay's value that was read a number of edges ago, from 0 to the delay's edges less 1.
func (r *Ring[T]) UnderWay(delay, age int) *T {
	n := len(r.Start.From)
	at := r.Start.at - (age+1)*n
	if at < 0 {
		at += len(r.Start.rows)
	}
	return &r.Start.rows[at+delay]
}

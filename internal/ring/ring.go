// Package ring delays values by whole edges. Several delays share one ring buffer, so no value is moved.
//
// Places in a ring are byte offsets, wrapped with one comparison an edge: an edge of a few delays costs little more
// than the copies. An offset never leaves the ring, since starts and ends cover whole columns and wrap inside them.
package ring

import "unsafe"

// Ring holds delays of one length, in edges. Each delay has a column of rows values, a ring buffer. A Start samples
// the inputs of some of the delays, an End delivers the outputs of some of them. A delay has its length if its start
// and its end have run as often. With spare rows, a start may run ahead of an end in the meantime, or after it. Values
// have no pointers in them, and a size above 0.
//
//	mem:  | delay 0: row 0, 1, …, rows-1 | delay 1: row 0, 1, …, rows-1 | …
//	              ^ end.at   ^ start.at     the same rows in each column
//
// A start and an end that have run as often are edges-1 rows apart: end.at + edges-1 = start.at, modulo rows.
type Ring[T any] struct {
	mem         []T
	edges, rows int
	starts      []*Start[T]
}

// Start samples what the delays read.
type Start[T any] struct {
	From []*T // by delay
	turn[T]
}

// End delivers the outputs of some delays.
type End[T any] struct {
	next []T // by delay: the value of its register after this edge
	turn[T]
}

// turn is a way around columns that lie beside each other.
type turn[T any] struct {
	column  unsafe.Pointer // the first
	at, end uintptr        // in a column, in bytes: the row for this edge, and where the column ends
}

// New returns delays of a number of edges. Rows is the size of a column, at least edges.
func New[T any](delays, edges, rows int) *Ring[T] {
	if edges < 1 || rows < edges || size[T]() == 0 {
		panic("ring: no room for what is under way") // nor would anything end the way around
	}
	return &Ring[T]{mem: make([]T, delays*rows), edges: edges, rows: rows}
}

// turn returns the way around the columns of some delays, from a row on.
func (r *Ring[T]) turn(first, delays, row int) turn[T] {
	columns := r.mem[first*r.rows:][:delays*r.rows]
	return turn[T]{unsafe.Pointer(unsafe.SliceData(columns)), uintptr(row) * size[T](), uintptr(r.rows) * size[T]()}
}

// size is a value's size in bytes.
func size[T any]() uintptr {
	var v T
	return unsafe.Sizeof(v)
}

// Start adds a sampler of some delays, beginning with number first. The caller sets From.
func (r *Ring[T]) Start(first, delays int) *Start[T] {
	s := &Start[T]{make([]*T, delays), r.turn(first, delays, 0)}
	r.starts = append(r.starts, s)
	return s
}

// End adds an output of the delays from number first on: each Tick stores their values in next.
func (r *Ring[T]) End(first int, next []T) *End[T] {
	return &End[T]{next, r.turn(first, len(next), (r.rows-r.edges+1)%r.rows)}
}

// here is the place of the first delay's value at this edge.
func (t *turn[T]) here() *T { return (*T)(unsafe.Add(t.column, t.at)) }

// step goes to the next edge.
func (t *turn[T]) step() {
	if t.at += size[T](); t.at == t.end {
		t.at = 0
	}
}

// Tick samples at an edge.
func (s *Start[T]) Tick() {
	at, end := s.at, s.end // loaded once: a store to a column might change the fields
	for _, from := range s.From {
		*(*T)(unsafe.Add(s.column, at)) = *from
		at += end
	}
	s.step()
}

// Call returns a function with the effect of Tick, faster if there is one delay: then there is no list to go through.
func (s *Start[T]) Call() func() {
	if len(s.From) != 1 {
		return s.Tick
	}
	from := s.From[0]
	return func() { s.Put(from) }
}

// Tick delivers the values that come out at an edge.
func (e *End[T]) Tick() {
	at, end, next := e.at, e.end, e.next // loaded once: a store through next might change the fields
	for i := range next {
		next[i] = *(*T)(unsafe.Add(e.column, at))
		at += end
	}
	e.step()
}

// Call returns a function with the effect of Tick, faster if there is one delay.
func (e *End[T]) Call() func() {
	if len(e.next) != 1 {
		return e.Tick
	}
	to := &e.next[0]
	return func() { e.Get(to) }
}

// Put is a Tick of one delay that reads *from. Values go by their places: a large one that is passed is copied twice
// more.
func (s *Start[T]) Put(from *T) {
	*s.here() = *from
	s.step()
}

// Get is a Tick of one delay that gives *to.
func (e *End[T]) Get(to *T) {
	*to = *e.here()
	e.step()
}

// Next stores in *to the value that comes out at an edge, once Put was called for that edge. It is for a delay of a
// ring without spare rows: there the start's place is also the end's, so one index does for both. An end of such a
// ring counts by itself and has to [End.Follow].
func (s *Start[T]) Next(to *T) { *to = *s.here() }

// Follow puts an end of a ring without spare rows where a start has come to, before the end runs.
func (e *End[T]) Follow(s *Start[T]) { e.at = s.at }

// UnderWay returns the place of a delay's value that was read a number of edges ago, from 0 to the delay's edges less
// 1. All starts have had the same number of edges.
func (r *Ring[T]) UnderWay(delay, age int) *T {
	at := int(r.starts[0].at/size[T]()) - (age + 1)
	if at < 0 {
		at += r.rows
	}
	return &r.mem[delay*r.rows+at]
}

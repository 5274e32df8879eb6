package tb

import "fmt"

// Scoreboard compares the values that a design puts out with the expected ones, in order. It keeps the first
// difference and reports it at the end. It belongs to one module or to the code between two runs: it is not safe for
// concurrent use.
type Scoreboard[T comparable] struct {
	Name string // of the compared values, for messages

	expected []T
	observed int // how many of expected have come
	err      error
}

// Expect appends a value to the expected ones.
func (s *Scoreboard[T]) Expect(v T) { s.expected = append(s.expected, v) }

// Observe takes the value that came out in a cycle.
func (s *Scoreboard[T]) Observe(cycle uint64, v T) {
	if s.err != nil {
		return
	}
	if s.observed == len(s.expected) {
		s.err = fmt.Errorf("%s: cycle %d: got %+v, want nothing after %d items", s.Name, cycle, v, s.observed)
		return
	}
	if want := s.expected[s.observed]; v != want {
		s.err = fmt.Errorf("%s: cycle %d: item %d is %+v, want %+v", s.Name, cycle, s.observed, v, want)
		return
	}
	s.observed++
}

// Matched returns how many items came as expected.
func (s *Scoreboard[T]) Matched() int { return s.observed }

// Finish returns the first difference, or an error if something expected has not come.
func (s *Scoreboard[T]) Finish() error {
	if s.err == nil && s.observed < len(s.expected) {
		return fmt.Errorf("%s: %d of %d items have not come, the next is %+v",
			s.Name, len(s.expected)-s.observed, len(s.expected), s.expected[s.observed])
	}
	return s.err
}

package blocks

import "fmt"

// ShiftRegister is a chain of n stages with every stage visible. It moves only when Shift is called, so a cycle
// without a call is a cycle without clock enable. It cannot be loaded in parallel. For a plain delay use DelayLine,
// which also comes in length 0; for a register with feedback use LFSR.
type ShiftRegister[T any] struct {
	buf    []T
	newest int // index of stage 0
}

// NewShiftRegister returns a register of n stages, each holding the zero value. It panics if n is less than 1.
func NewShiftRegister[T any](n int) *ShiftRegister[T] {
	if n < 1 {
		panic(fmt.Sprintf("blocks: shift register of %d stages, want at least 1", n))
	}
	return &ShiftRegister[T]{buf: make([]T, n)}
}

// Shift moves every stage on by one, puts v into stage 0 and returns the value that left the last stage: the v of n
// calls before.
func (s *ShiftRegister[T]) Shift(v T) T {
	// The values stay in their slots: the slot of the last stage becomes the slot of stage 0.
	if s.newest == 0 {
		s.newest = len(s.buf)
	}
	s.newest--
	out := s.buf[s.newest]
	s.buf[s.newest] = v
	return out
}

// Tap returns stage i: for i = 0 the value of the last Shift, for i the value i Shifts earlier. It panics unless 0 <=
// i < Len.
func (s *ShiftRegister[T]) Tap(i int) T {
	if uint(i) >= uint(len(s.buf)) {
		panic(fmt.Sprintf("blocks: tap %d of a shift register of %d stages", i, len(s.buf)))
	}
	at := s.newest + i
	if at >= len(s.buf) {
		at -= len(s.buf)
	}
	return s.buf[at]
}

// Len returns the number of stages.
func (s *ShiftRegister[T]) Len() int { return len(s.buf) }

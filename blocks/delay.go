package blocks

import "fmt"

// DelayLine delays a stream by exactly n cycles, n >= 0: call k+n returns the value given to call k. It models a wire
// whose length is known in clock cycles. It moves on every call and shows only its end: for a pipeline that can stall,
// or that is tapped, use ShiftRegister; for a delay that depends on the traffic use FIFO.
type DelayLine[T any] struct {
	buf  []T
	head uint // index of the value that comes out next
}

// NewDelayLine returns a delay of n cycles that gives out fill (an idle, say) until the first value arrives. With n = 0
// it is a wire. It panics if n is negative.
func NewDelayLine[T any](n int, fill T) *DelayLine[T] {
	if n < 0 {
		panic(fmt.Sprintf("blocks: delay of %d cycles, want at least 0", n))
	}
	d := &DelayLine[T]{buf: make([]T, n)}
	for i := range d.buf {
		d.buf[i] = fill
	}
	return d
}

// Shift is one cycle: it takes v and returns the value of n calls before.
func (d *DelayLine[T]) Shift(v T) T {
	buf, at := d.buf, d.head
	if at >= uint(len(buf)) { // none
		return v
	}
	out := buf[at]
	buf[at] = v
	if at++; at == uint(len(buf)) {
		at = 0
	}
	d.head = at
	return out
}

// Len returns the delay in cycles.
func (d *DelayLine[T]) Len() int { return len(d.buf) }

package blocks

import "fmt"

// FIFO is a first-in, first-out queue of fixed capacity in one clock domain: a ring of entries with a read and a write
// pointer. It does not cross clocks (use an asynchronous FIFO), does not change the width of its entries (use
// WidthConverter) and does not time its entries (use DelayLine).
//
// The order of the calls within a cycle says which combinational path the hardware has:
//
//   - Pop, then Push: from the read side to the write side. A full FIFO accepts a word in the cycle in which it gives
//     one up; a word leaves in the cycle after its own at the earliest.
//   - Push, then Pop: from the write side to the read side. A word falls through an empty FIFO within the cycle; a full
//     FIFO refuses.
//   - Full and Empty both asked before either: none. The flags are registers.
type FIFO[T any] struct {
	buf  []T
	head int // index of the oldest entry
	n    int // entries held
	high int // the largest n so far
}

// NewFIFO returns an empty FIFO of the given capacity in entries. It panics if capacity is less than 1.
func NewFIFO[T any](capacity int) *FIFO[T] {
	if capacity < 1 {
		panic(fmt.Sprintf("blocks: FIFO capacity %d, want at least 1", capacity))
	}
	return &FIFO[T]{buf: make([]T, capacity)}
}

// Push appends v and reports whether there was room. A full FIFO is left as it is: v is lost unless the caller keeps
// it.
func (f *FIFO[T]) Push(v T) bool {
	if f.n == len(f.buf) {
		return false
	}
	tail := f.head + f.n
	if tail >= len(f.buf) {
		tail -= len(f.buf)
	}
	f.buf[tail] = v
	f.n++
	f.high = max(f.high, f.n)
	return true
}

// Pop removes and returns the oldest entry. An empty FIFO returns the zero value and false, and stays empty.
func (f *FIFO[T]) Pop() (v T, ok bool) {
	if f.n == 0 {
		return v, false
	}
	v = f.buf[f.head]
	if f.head++; f.head == len(f.buf) {
		f.head = 0
	}
	if f.n--; f.n == 0 {
		f.head = 0 // an idle queue stays in one place of the processor's cache
	}
	return v, true
}

// Peek returns the entry that Pop would return, and removes nothing.
func (f *FIFO[T]) Peek() (v T, ok bool) {
	if f.n == 0 {
		return v, false
	}
	return f.buf[f.head], true
}

// Len returns the number of entries held.
func (f *FIFO[T]) Len() int { return f.n }

// Cap returns the capacity in entries.
func (f *FIFO[T]) Cap() int { return len(f.buf) }

// Full reports whether Push would refuse.
func (f *FIFO[T]) Full() bool { return f.n == len(f.buf) }

// Empty reports whether Pop would fail.
func (f *FIFO[T]) Empty() bool { return f.n == 0 }

// HighWater returns the largest number of entries held at once since construction or Reset: the depth that the FIFO
// needed.
func (f *FIFO[T]) HighWater() int { return f.high }

// Reset empties the FIFO and its high-water mark.
func (f *FIFO[T]) Reset() { f.head, f.n, f.high = 0, 0, 0 }

package edm

import "github.com/goldwire/goldwire/blocks"

// backlogFirst is how many entries a backlog has memory for at first. One that is not larger never grows, so that its
// Verilog has the whole of it.
const backlogFirst = 64

// backlog is a FIFO that holds much and mostly has little: its memory is doubled when it is full, up to the hardware's
// size. It is a part.
type backlog[T any] struct {
	blocks.FIFO[T] // by value: a look whether there is something reads the module alone
	most           int
}

func newBacklog[T any](most int) backlog[T] {
	return backlog[T]{*blocks.NewFIFO[T](min(most, backlogFirst)), most}
}

// Cap is how many entries there can be: a watchdog asks.
func (b *backlog[T]) Cap() int { return b.most }

// Full reports whether Push would refuse.
func (b *backlog[T]) Full() bool { return b.Len() == b.most }

// Push appends an entry and reports whether there was room.
func (b *backlog[T]) Push(v T) bool {
	return b.FIFO.Push(v) || b.FIFO.Cap() < b.most && b.grow(v)
}

// grow appends an entry for which there is no memory yet.
func (b *backlog[T]) grow(v T) bool {
	if b.Full() {
		return false
	}
	more := blocks.NewFIFO[T](min(2*b.Len(), b.most))
	for !b.Empty() {
		old, _ := b.Pop()
		more.Push(old)
	}
	b.FIFO = *more
	return b.FIFO.Push(v)
}

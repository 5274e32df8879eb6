package rtl

import "github.com/goldwire/goldwire/internal/engine"

// Delay gives every value on unchanged, Edges edges after it could be read: a pipeline that does nothing else. It gives
// zero values until the first one arrives. The kernel moves the values of all delays that are alike together, so that
// none has a call of its own.
type Delay[T any] struct {
	In  In[T]
	Out Out[T]

	Edges int // 1 or more

	moved engine.Moved `state:"none"`
}

// AsyncDelay is a Delay that may read a register of another clock: the end of a wire, whose clock is recovered from the
// arriving signal.
type AsyncDelay[T any] struct {
	In  Async[T]
	Out Out[T]

	Edges int // 1 or more

	moved engine.Moved `state:"none"`
}

// Tick does nothing: the kernel does.
func (d *Delay[T]) Tick() {}

// Tick does nothing: the kernel does.
func (d *AsyncDelay[T]) Tick() {}

// delay is how elaboration sees a Delay, whatever its type.
type delay interface {
	Module
	itself() Module
	length() (edges *int, moved *engine.Moved)
}

func (d *Delay[T]) itself() Module      { return d }
func (d *AsyncDelay[T]) itself() Module { return d }

func (d *Delay[T]) length() (edges *int, moved *engine.Moved)      { return &d.Edges, &d.moved }
func (d *AsyncDelay[T]) length() (edges *int, moved *engine.Moved) { return &d.Edges, &d.moved }

package fused

import (
	"github.com/goldwire/goldwire/internal/fusedcode"
	"github.com/goldwire/goldwire/internal/ring"
)

// Pipe is a delay as generated code moves it. An edge is a Take and a Give, or an Arrive alone if the delay begins in
// another island.
type Pipe[T any] struct {
	start    *ring.Start[T]
	end      *ring.End[T]
	from, to *T
}

// PipeOf returns a delay as generated code moves it.
func PipeOf[T any](delay Module) Pipe[T] {
	start, end, register := fusedcode.Kernel.Line(delay)
	s := start.(*ring.Start[T])
	return Pipe[T]{s, end.(*ring.End[T]), s.From[0], (*T)(register)}
}

// Take reads, before any register is set at the instant.
func (p *Pipe[T]) Take() { p.start.Put(p.from) }

// Give gives the register its value, after all ticks of the instant.
func (p *Pipe[T]) Give() { p.start.Next(p.to) }

// Arrive is the Give of a delay that another island reads for.
func (p *Pipe[T]) Arrive() { p.end.Get(p.to) }

// Exit takes a value out of an island.
type Exit[T any] struct {
	start *ring.Start[T]
	from  *T
}

// Leaves returns the exit to a delay of another island, by its line of those in the shape that say "leaves". A Put
// comes at each edge, before any register is set.
func Leaves[T any](b *Border, line int) Exit[T] { return exit[T](b.Leaves[line]) }

// Gives returns the exit of signals that other parts of a large island read at once, by its line among the shape's
// lines that say "gives". A Put comes after each edge, when wires are settled.
func Gives[T any](b *Border, line int) Exit[T] { return exit[T](b.Gives[line]) }

func exit[T any](m any) Exit[T] {
	s := m.(*ring.Start[T])
	return Exit[T]{s, s.From[0]}
}

// Put keeps the value for those outside.
func (e *Exit[T]) Put() { e.start.Put(e.from) }

// Entry brings a value to an input that reads another part of a large island.
type Entry[T any] struct {
	end *ring.End[T]
	to  *T
}

// Comes returns the entry to an input. A Get comes at each edge, after all ticks and before wires are settled.
func Comes[T any](b *Border, in interface{ Get() T }) Entry[T] {
	return Entry[T]{b.Comes(fusedcode.Kernel.Place(in)).(*ring.End[T]), Place(in)}
}

// Get gives the input its value.
func (e *Entry[T]) Get() { e.end.Get(e.to) }

package rtl

import "github.com/goldwire/goldwire/internal/ring"

// Border has what generated code moves of what comes to an island and leaves it: see [FusedDomains]. What comes by a delay of the island's own is
// moved by its [Pipe].
type Border struct {
	part   *part
	leaves map[*node]mover // by the delay outside that reads
	gives  map[any]mover   // by output
	comes  map[sink]mover  // by input
}

// alone tells whether generated code moves each value that crosses the part's border by itself.
func (p *part) alone() bool { return p.newDomains != nil }

// Exit takes a value out of an island.
type Exit[T any] struct {
	start *ring.Start[T]
	from  *T
}

// Leaves returns the exit to a delay of another island, by its line of those in the shape that say "leaves". A Put comes at each edge, before any
// register is set.
func Leaves[T any](b *Border, line int) Exit[T] { return exit[T](b.leaves[b.part.leaves[line]]) }

// Gives returns the exit of what other parts of a large island read at once, by its line of those in the shape that say "gives". A Put comes
// after each edge, when wires are settled.
func Gives[T any](b *Border, line int) Exit[T] { return exit[T](b.gives[b.part.gives[line]]) }

func exit[T any](m mover) Exit[T] {
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
func Comes[T any](b *Border, in Sink[T]) Entry[T] {
	return Entry[T]{b.comes[in].(*ring.End[T]), (*T)(in.(reader).pointer())}
}

// Get gives the input its value.
func (e *Entry[T]) Get() { e.end.Get(e.to) }

package blocks

import "github.com/goldwire/goldwire/rtl"

// Synchroniser brings a slow signal of one bit, or a Gray code, into its clock domain: two flip-flops in a row. It
// does not keep the bits of a wider value together (use AsyncFIFO) and it loses pulses shorter than its clock's
// period. Latency 2 cycles of its clock, 3 if the first flip-flop just misses the change.
type Synchroniser[T comparable] struct {
	In  rtl.Async[T]
	Out rtl.Out[T]

	meta T // the first flip-flop, which may go metastable
}

// Tick samples the input.
func (s *Synchroniser[T]) Tick() {
	s.Out.Set(s.meta)
	s.meta = s.In.Get()
}

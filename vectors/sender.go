package vectors

import (
	"fmt"

	"github.com/goldwire/goldwire/rtl"
)

// Sender is the producer of a stream in a testbench. It offers the beats of Next under the rules of [rtl.Producer]'s
// streams: a beat stands until it is taken.
type Sender[T rtl.Offer] struct {
	Out   rtl.Out[T]
	Ready rtl.In[bool]

	// Next is called at every edge after which no earlier beat waits, with the cycle that begins at that edge, from 1 on.
	// It returns the beat to offer in that cycle, or one that is not valid to pause. It must not share state that it
	// changes with another driver, a rand.Rand included. A checkpoint holds such state only if it is registered: see
	// [Bench.Keep].
	Next func(cycle uint64) T `state:"none"`

	cycle uint64
}

// Output is the sender's side of the stream.
func (s *Sender[T]) Output() rtl.Producer[T] {
	return rtl.Producer[T]{Beat: &s.Out, Ready: &s.Ready}
}

// Reset offers nothing in cycle 0.
func (s *Sender[T]) Reset() {
	var none T
	s.cycle = 0
	s.Out.Set(none)
}

// Tick offers the next beat when none waits.
func (s *Sender[T]) Tick() {
	s.cycle++
	if s.Out.Get().Offered() && !s.Ready.Get() {
		return
	}
	s.Out.Set(s.Next(s.cycle))
}

// DriveStream drives an input that has a handshake with a [Sender], as [Drive] does one that has none.
func DriveStream[T rtl.Offer](b *Bench, in rtl.Consumer[T], next func(cycle uint64) T) {
	s := &Sender[T]{Next: next}
	b.Add(fmt.Sprintf("sender_%d", b.base().senders), s)
	b.base().senders++
	rtl.ConnectStream(s.Output(), in)
}

package tb

import (
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/rtl"
)

// A ready/valid stream: a beat is taken at the edge that ends a cycle in which valid and ready are both high. Once valid is
// high, it stays so with the same data until the beat is taken; ready may change at any time.

// Beat is one transfer. Its cycle is that in which valid and ready were high; the edge after it takes the beat.
type Beat[T comparable] struct {
	Cycle uint64
	Data  T
}

// Cycles returns when the beats were.
func Cycles[T comparable](beats []Beat[T]) []uint64 {
	cycles := make([]uint64, len(beats))
	for i, b := range beats {
		cycles[i] = b.Cycle
	}
	return cycles
}

// Stalls returns a pattern for Sender and Receiver that pauses a cycle with probability p. Each takes a generator of its
// own: they tick in any order.
func Stalls(rng *rand.Rand, p float64) func() bool {
	return func() bool { return rng.Float64() < p }
}

// Sender is the source of a stream. It offers what Next returns, one beat a cycle if nothing stalls it, from cycle 1 on. It
// notes nothing: a Monitor beside it does.
type Sender[T comparable] struct {
	Data  rtl.Out[T]
	Valid rtl.Out[bool]
	Ready rtl.In[bool]

	Next  func() (data T, ok bool) // called once a beat; not ok: nothing to send in this cycle
	Stall func() bool              // if not nil, asked before Next; true: nothing in this cycle
}

// Tick offers the next beat when none waits.
func (s *Sender[T]) Tick() {
	if s.Valid.Get() && !s.Ready.Get() {
		return
	}
	if s.Stall != nil && s.Stall() {
		s.Valid.Set(false)
		return
	}
	data, ok := s.Next()
	if ok {
		s.Data.Set(data)
	}
	s.Valid.Set(ok)
}

// Receiver is the sink of a stream. It is ready in every cycle that Stall does not pause, from cycle 1 on, and notes
// every beat and the first breach of the protocol.
type Receiver[T comparable] struct {
	Data  rtl.In[T]
	Valid rtl.In[bool]
	Ready rtl.Out[bool]

	Stall func() bool // nil: always ready

	log stream[T]
}

// Tick takes a beat and decides on the next cycle's ready.
func (r *Receiver[T]) Tick() {
	r.log.tick(r.Data.Get(), r.Valid.Get(), r.Ready.Get())
	r.Ready.Set(r.Stall == nil || !r.Stall())
}

// Beats returns what was taken so far.
func (r *Receiver[T]) Beats() []Beat[T] { return r.log.beats }

// Err returns the first breach of the protocol: valid dropped, or data changed, before ready.
func (r *Receiver[T]) Err() error { return r.log.err }

// Monitor watches a stream between two other modules and drives nothing.
type Monitor[T comparable] struct {
	Data  rtl.In[T]
	Valid rtl.In[bool]
	Ready rtl.In[bool]

	log stream[T]
}

// Tick notes a beat.
func (m *Monitor[T]) Tick() { m.log.tick(m.Data.Get(), m.Valid.Get(), m.Ready.Get()) }

// Beats returns what was taken so far.
func (m *Monitor[T]) Beats() []Beat[T] { return m.log.beats }

// Err returns the first breach of the protocol: valid dropped, or data changed, before ready.
func (m *Monitor[T]) Err() error { return m.log.err }

// stream notes beats and breaches.
type stream[T comparable] struct {
	beats   []Beat[T]
	err     error
	cycle   uint64
	waiting bool // a beat was offered in the last cycle and not taken
	offered T
}

func (s *stream[T]) tick(data T, valid, ready bool) {
	if s.waiting && s.err == nil {
		if !valid {
			s.err = fmt.Errorf("cycle %d: valid fell before %+v was taken", s.cycle, s.offered)
		} else if data != s.offered {
			s.err = fmt.Errorf("cycle %d: data changed from %+v to %+v before it was taken", s.cycle, s.offered, data)
		}
	}
	if valid && ready {
		s.beats = append(s.beats, Beat[T]{s.cycle, data})
	}
	s.waiting, s.offered = valid && !ready, data
	s.cycle++
}

package tb

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// The rules of a stream stand beside [rtl.Producer]. Its producer in a testbench is [vectors.Sender].

// Beat is one transfer. Its cycle is that in which the beat was offered and ready was set; the edge after it takes the
// beat.
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

// Stalls returns a pattern for a Receiver that pauses a cycle with probability p. Each takes a generator of its own:
// they tick in any order.
func Stalls(rng *rand.Rand, p float64) func() bool {
	return func() bool { return rng.Float64() < p }
}

// Receiver is the consumer of a stream. It is ready in every cycle that Stall does not pause, from cycle 1 on, and
// notes every beat and the first broken rule.
type Receiver[T rtl.Offer] struct {
	In    rtl.In[T]
	Ready rtl.Out[bool]

	Stall func() bool // nil: always ready

	log stream[T]
}

// Input is the receiver's side of the stream.
func (r *Receiver[T]) Input() rtl.Consumer[T] {
	return rtl.Consumer[T]{Beat: &r.In, Ready: &r.Ready}
}

// Tick takes a beat and decides on the next cycle's ready.
func (r *Receiver[T]) Tick() {
	r.log.tick(r.In.Get(), nil, r.Ready.Get())
	r.Ready.Set(r.Stall == nil || !r.Stall())
}

// Beats returns the beats taken so far.
func (r *Receiver[T]) Beats() []Beat[T] { return r.log.beats }

// Err returns the first broken rule: the cycle, and whether the offer was withdrawn or changed before it was taken.
func (r *Receiver[T]) Err() error { return r.log.err }

// Monitor watches a stream between two other modules and drives nothing.
type Monitor[T rtl.Offer] struct {
	In    rtl.In[T]
	Words []rtl.In[uint64]
	Ready rtl.In[bool]

	words []uint64
	log   stream[T]
}

// NewMonitor returns a monitor of a stream with words besides its beat. Without them the zero Monitor does.
func NewMonitor[T rtl.Offer](words int) *Monitor[T] {
	return &Monitor[T]{Words: make([]rtl.In[uint64], words), words: make([]uint64, words)}
}

// Tap is the monitor's side of a stream, for [rtl.ConnectStream].
func (m *Monitor[T]) Tap() rtl.StreamTap[T] {
	return rtl.StreamTap[T]{Beat: &m.In, Words: m.Words, Ready: &m.Ready}
}

// Tick notes a beat.
func (m *Monitor[T]) Tick() {
	for i := range m.Words {
		m.words[i] = m.Words[i].Get()
	}
	m.log.tick(m.In.Get(), m.words, m.Ready.Get())
}

// Beats returns the beats taken so far.
func (m *Monitor[T]) Beats() []Beat[T] { return m.log.beats }

// Waits returns in how many cycles a beat was offered and not taken: those in which the rules bind.
func (m *Monitor[T]) Waits() int { return m.log.waits }

// Err returns the first broken rule: the cycle, and whether the offer was withdrawn or changed before it was taken.
func (m *Monitor[T]) Err() error { return m.log.err }

// stream notes beats and broken rules.
type stream[T rtl.Offer] struct {
	beats   []Beat[T]
	err     error
	cycle   uint64
	waits   int
	waiting bool // a beat was offered in the last cycle and not taken
	offered T
	words   []uint64
}

func (s *stream[T]) tick(beat T, words []uint64, ready bool) {
	if s.waiting && s.err == nil {
		if !beat.Offered() {
			s.err = fmt.Errorf("cycle %d: valid fell before %+v was taken", s.cycle, s.offered)
		} else if beat != s.offered {
			s.err = fmt.Errorf("cycle %d: the beat changed from %+v to %+v before it was taken", s.cycle, s.offered, beat)
		} else if !slices.Equal(words, s.words) {
			s.err = fmt.Errorf("cycle %d: the words of %+v changed from %x to %x before it was taken", s.cycle,
				beat, s.words, words)
		}
	}
	if beat.Offered() && ready {
		s.beats = append(s.beats, Beat[T]{s.cycle, beat})
	}
	s.waiting, s.offered = beat.Offered() && !ready, beat
	s.words = append(s.words[:0], words...)
	if s.waiting {
		s.waits++
	}
	s.cycle++
}

// keepsStreams returns an error unless the driver keeps every handshake that the unit declares, in a run in which
// beats are taken and beats wait.
func keepsStreams(u vectors.Unit) error {
	if len(u.Ready) == 0 {
		return nil
	}
	s, err := vectors.Capture(u, ladderCycles, ladderSeed)
	if err != nil {
		return err
	}
	for port, ready := range u.Ready {
		if err := keepsStream(s, port, ready); err != nil {
			return fmt.Errorf("unit %s: port %s: %w", u.Name, port, err)
		}
	}
	return nil
}

func keepsStream(s *vectors.Set, port, ready string) error {
	valid, taker := -1, -1
	for c, f := range s.Fields {
		switch f.Name {
		case port + "_valid":
			valid = c
		case ready:
			taker = c
		}
	}
	if valid < 0 || taker < 0 {
		return fmt.Errorf("declares a handshake with %s_valid and %s, which it does not have", port, ready)
	}
	taken, waits := 0, 0
	for k, row := range s.Rows {
		if k > 0 && s.Rows[k-1][valid] == 1 && s.Rows[k-1][taker] == 0 {
			waits++
			for c, f := range s.Fields {
				if before := s.Rows[k-1][c]; f.Port == port && row[c] != before {
					return fmt.Errorf("cycle %d: %s changed from %#x to %#x before the beat was taken", k, f.Name, before, row[c])
				}
			}
		}
		if row[valid] == 1 && row[taker] == 1 {
			taken++
		}
	}
	if taken == 0 || waits == 0 {
		return fmt.Errorf("%d beats were taken and %d waited in %d cycles, want some of each", taken, waits, len(s.Rows))
	}
	return nil
}

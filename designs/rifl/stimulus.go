package rifl

import (
	"math/rand/v2"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// driveTransmitter drives a TX controller: users that pause, and every event at random, rare enough that passes end.
func driveTransmitter(b *vectors.Bench, t *Transmitter, ids int) {
	for i := range t.Segment {
		rng := b.Rand()
		first := i == 0
		vectors.Drive(b, &t.Segment[i], func(uint64) uint64 {
			w := rng.Uint64()
			if first {
				w = w&^(3<<synShift) | SynData<<synShift
			}
			return w
		})
	}
	quiet := uint64(3*ids + 4) // the user's first frames come early
	chance := func(in rtl.Sink[bool], on bool, rise, fall int) {
		rng := b.Rand()
		b.Keep(&on)
		vectors.Drive(b, in, func(cycle uint64) bool {
			if cycle < quiet {
				return on
			}
			if on && rng.IntN(fall) == 0 || !on && rng.IntN(rise) == 0 {
				on = !on
			}
			return on
		})
	}
	chance(&t.Valid, true, 2, 6)
	chance(&t.Up[0], true, 10, 22*ids)
	chance(&t.PauseRequest, false, 12*ids, 8)
	chance(&t.Retransmit, false, 16*ids, 30)
	chance(&t.Missing, false, 12*ids, 40)
	chance(&t.RemotePaused, false, 100, 20)
	chance(&t.LocalFull, false, 40, 40)
	chance(&t.Compensate, false, 25, 2)
}

// randomFrames returns words of frames of four words, with pauses.
func randomFrames(b *vectors.Bench) func(uint64) Word {
	rng, at, id := b.Rand(), 0, uint16(0)
	b.Keep(&at, &id)
	return func(uint64) Word {
		w := Word{rng.Uint64(), id, WordPlace{at == 0, at == unitWords-1}, rng.IntN(10) > 0}
		if w.Valid {
			if at++; at == unitWords {
				at, id = 0, uint16(rng.IntN(1<<CodeBits))
			}
		}
		return w
	}
}

// unalignedFrames returns words of random frames, from a place in a frame on, with legal SYNs at an offset that
// changes at times, and with a few errors. The first offset is one slide away.
func unalignedFrames(b *vectors.Bench, words, at int) func(uint64) uint64 {
	rng, offset, last := b.Rand(), 55, uint64(0)
	b.Keep(&at, &offset, &last)
	return func(uint64) uint64 {
		w := rng.Uint64()
		if at == 0 {
			w = w&^(3<<synShift) | uint64(1+rng.IntN(2))<<synShift
			if rng.IntN(200) == 0 {
				w ^= 1 << synShift
			}
		}
		at = (at + 1) % words
		if rng.IntN(1500*words) == 0 {
			offset, at = rng.IntN(64), rng.IntN(words)
		}
		out := last>>(64-offset) | w<<offset
		last = w
		return out
	}
}

// farEnd is a far end as a receiver meets it: data frames in order, requests and idles in rows, notifications of
// flow control, errors, and retransmissions that go back far enough.
type farEnd struct {
	rng   *rand.Rand
	ids   uint16
	frame []uint64
	at    int
	state uint64
	id    uint16
	row   int // control frames still to come, all of one key
	key   uint16
	back  int // frames until the retransmission of an error begins; 0: none is due
}

func newFarEnd(rng *rand.Rand, words, s int) *farEnd {
	return &farEnd{rng: rng, ids: 1 << s, frame: make([]uint64, words)}
}

func (s *farEnd) word(uint64) LineWord {
	if s.at == 0 {
		s.next()
	}
	w := LineWord{s.frame[s.at], s.at == 0}
	s.at = (s.at + 1) % len(s.frame)
	return w
}

// next makes a frame.
func (s *farEnd) next() {
	mask := s.ids - 1
	if s.back > 0 {
		if s.back--; s.back == 0 {
			s.id = (s.id - lookback - 6) & mask // at least 16 before the one with the error
		}
	}
	id := s.id
	switch k := s.rng.IntN(60); {
	case s.row > 0:
		s.row--
		controlFrame(s.frame, s.key)
	case k == 0:
		s.row, s.key = s.rng.IntN(14), []uint16{KeyIdle, KeyPause, KeyRetrans, 0x4001}[s.rng.IntN(4)]
		controlFrame(s.frame, s.key)
	default:
		for i := range s.frame {
			s.frame[i] = s.rng.Uint64()
		}
		s.frame[0] = s.frame[0]&^(3<<synShift) | SynData<<synShift
		s.frame[len(s.frame)-1] &^= codeMask
		if k < 6 {
			invalidFrame(s.frame, uint8(s.rng.IntN(4)))
		}
		s.id = (s.id + 1) & mask
	}
	s.state = ScrambleFrame(s.frame, s.state)
	Seal(s.frame, id)
	if s.back == 0 && s.rng.IntN(70) == 0 {
		s.back = 1 + s.rng.IntN(5)
		bit := s.rng.IntN(64 * len(s.frame))
		if s.rng.IntN(4) == 0 {
			bit = 62 + s.rng.IntN(2) // in the SYN
		}
		s.frame[bit/64] ^= 1 << (bit % 64)
	}
}

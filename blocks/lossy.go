package blocks

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// LossyLogCap is the number of flipped positions that a Lossy keeps until they are drained.
const LossyLogCap = 256

// noFlip is the position of a flip that never comes.
const noFlip = math.MaxUint64

// Lossy is a channel that flips bits: each with the same probability and independently of all others (a binary
// symmetric channel), and besides at planned positions. It does not make bursts (plan them), lose words or delay them
// (use DelayLine). It returns masks and does not see the data, so one type serves words of every width.
//
// The number of bits from one error to the next is drawn from the geometric distribution, so a clean word costs one
// comparison. Positions count all bits since the start: the same seed flips the same positions whatever the words'
// widths.
type Lossy struct {
	next uint64 // position of the next flip, random or planned
	pos  uint64 // position of the next bit

	random  uint64     // position of the next random flip
	meanGap float64    // -1/ln(1-ber); 0 for a rate of 1, +Inf for 0
	rng     *rand.Rand `ports:"none"` // of a PCG

	planned []uint64 // positions still to flip, ascending
	log     *FIFO[uint64]
	count   uint64
	lost    uint64
}

// NewLossy returns a channel at position 0 with the given bit error rate, 0 to 1, and the seed of its PCG. Distances
// are drawn from 53 random bits, so they resolve single bits down to a rate of 1e-16, and none exceeds 37 times the
// mean. The error says if the rate is not one.
func NewLossy(ber float64, seed uint64) (*Lossy, error) {
	l := &Lossy{meanGap: math.NaN(), rng: rand.New(rand.NewPCG(seed, 0)), log: NewFIFO[uint64](LossyLogCap)}
	if err := l.SetRate(ber); err != nil {
		return nil, err
	}
	return l, nil
}

// SetRate changes the bit error rate from the next bit on. Planned flips stay; random flips stay if the rate does not
// change.
func (l *Lossy) SetRate(ber float64) error {
	if !(ber >= 0 && ber <= 1) {
		return fmt.Errorf("blocks: bit error rate %v, want 0 to 1", ber)
	}
	if gap := -1 / math.Log1p(-ber); gap != l.meanGap {
		l.meanGap = gap
		l.drawFrom(l.pos) // the distribution has no memory
		l.schedule()
	}
	return nil
}

// Errors passes the next n bits, 0 <= n <= 128, and returns which of them are flipped: bit i for the i-th. It panics
// for any other n.
func (l *Lossy) Errors(n int) Bits128 {
	bits := uint64(n)
	if bits > 128 || l.next-l.pos < bits {
		return l.flip(n)
	}
	l.pos += bits
	return Bits128{}
}

// flip is Errors for a word that has a flip in it.
func (l *Lossy) flip(n int) (mask Bits128) {
	if uint(n) > 128 {
		panic(fmt.Sprintf("blocks: word of %d bits on a lossy channel, want 0 to 128", n))
	}
	end := l.pos + uint64(n)
	for l.next < end {
		if i := l.next - l.pos; i < 64 {
			mask.Lo |= 1 << i
		} else {
			mask.Hi |= 1 << (i - 64)
		}
		l.count++
		if !l.log.Push(l.next) {
			l.lost++
		}
		l.consume()
	}
	l.pos = end
	return mask
}

// consume retires the flip at next. A position that is both random and planned is flipped once.
func (l *Lossy) consume() {
	if l.random == l.next {
		l.drawFrom(l.next + 1)
	}
	if len(l.planned) > 0 && l.planned[0] == l.next {
		l.planned = l.planned[1:]
	}
	l.schedule()
}

// drawFrom sets the next random flip at or after position from. The integer part of an exponential variate of mean m is
// geometric with success probability 1-exp(-1/m), and m is such that this is the bit error rate.
func (l *Lossy) drawFrom(from uint64) {
	gap := 0.0
	if l.meanGap > 0 {
		gap = -math.Log1p(-l.rng.Float64()) * l.meanGap // 0*Inf, not a number, means never too
	}
	if !(gap < 1<<63) {
		l.random = noFlip
		return
	}
	l.random = from + uint64(gap)
}

// schedule sets next to the nearer of the random and the planned flip.
func (l *Lossy) schedule() {
	l.next = l.random
	if len(l.planned) > 0 {
		l.next = min(l.next, l.planned[0])
	}
}

// SetFlips plans a flip at each of the given positions, in any order, in place of the flips planned before. The slice
// is copied. A position that has passed is an error, and then nothing changes.
func (l *Lossy) SetFlips(positions []uint64) error {
	for _, p := range positions {
		if p < l.pos || p == noFlip {
			return fmt.Errorf("blocks: flip planned at bit %d, want at least %d, the next bit of the channel", p, l.pos)
		}
	}
	planned := slices.Clone(positions)
	slices.Sort(planned)
	l.planned = slices.Compact(planned)
	l.schedule()
	return nil
}

// StartAt lets random flips come from a position on only. Planned ones stay. Positions that have passed change nothing.
func (l *Lossy) StartAt(position uint64) {
	if l.random < position { // the distribution has no memory
		l.drawFrom(position)
		l.schedule()
	}
}

// Position returns the number of bits passed so far, which is the position of the next.
func (l *Lossy) Position() uint64 { return l.pos }

// NextError returns the position of the next flip, at or after Position, and false if there will be none.
func (l *Lossy) NextError() (position uint64, ok bool) { return l.next, l.next != noFlip }

// Skip passes n bits that the caller knows from NextError to be clean, without looking at them. It panics if one of
// them is to be flipped.
func (l *Lossy) Skip(n uint64) {
	if !l.Clean(n) {
		panic(fmt.Sprintf("blocks: skip of %d bits from bit %d passes the flip at bit %d", n, l.pos, l.next))
	}
}

// Clean passes the next n bits if none of them is to be flipped, and reports whether it did.
func (l *Lossy) Clean(n uint64) bool {
	if n > l.next-l.pos {
		return false
	}
	l.pos += n
	return true
}

// Count returns the number of bits flipped so far.
func (l *Lossy) Count() uint64 { return l.count }

// Drain appends the positions flipped since the last call to dst, ascending, and forgets them. The log holds
// LossyLogCap positions; when it is full, further ones are counted by Unlogged and dropped.
func (l *Lossy) Drain(dst []uint64) []uint64 {
	for {
		p, ok := l.log.Pop()
		if !ok {
			return dst
		}
		dst = append(dst, p)
	}
}

// Unlogged returns the number of flips whose positions found the log full.
func (l *Lossy) Unlogged() uint64 { return l.lost }

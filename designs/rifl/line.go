package rifl

import (
	"math/rand/v2"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/rtl"
)

// Line is the path between two transceivers' parallel sides: both transceivers and the cable. It is clocked by the
// recovered clock, which has the far transmitter's frequency, so that its phase is the fraction of a word in the
// delay. Bits flip after the code generator, each with the same probability, SYN and code included.
//
// A receiving transceiver does not know where words begin: Offset says how many bits late its words are.
type Line struct {
	In  rtl.Async[Word] // the far code generator
	Out rtl.Out[uint64]

	wire   *blocks.DelayLine[uint64]
	loss   *blocks.Lossy
	rng    *rand.Rand `ports:"none"` // of a PCG
	offset uint8
	last   uint64
	plans  []LineDamage
}

// LineDamage is damage to the words From to To-1. Words are counted as they leave the line, from its first edge.
type LineDamage struct {
	From, To uint64
	Kind     DamageKind
	Offset   int // the bit offset from then on
}

// newLine returns a line with a delay of the given number of words, and the register that it ends in.
func newLine(words, offset int, loss *blocks.Lossy, seed uint64) *Line {
	return &Line{
		wire: blocks.NewDelayLine[uint64](words, darkWord), loss: loss, offset: uint8(offset & 63), last: darkWord,
		rng: rand.New(rand.NewPCG(seed, 9)),
	}
}

// Damage plans damage; plans are looked at in order and must not overlap.
func (l *Line) Damage(d ...LineDamage) { l.plans = append(l.plans, d...) }

// Flip plans flips of bits, counted from the first bit of the run.
func (l *Line) Flip(bits ...uint64) error { return l.loss.SetFlips(bits) }

// Flips returns how many bits were flipped so far.
func (l *Line) Flips() uint64 { return l.loss.Count() }

// Position returns how many bits have passed.
func (l *Line) Position() uint64 { return l.loss.Position() }

// darkWord is what a line holds before the far end's first word has come: any frame of such words has a legal SYN, as
// the idle transmitter of a core in reset sends.
const darkWord = synControl << synShift

// Reset starts with such words.
func (l *Line) Reset() { l.Out.Set(darkWord) }

// Tick moves the line on by a word.
func (l *Line) Tick() {
	in := l.In.Get()
	if !in.Valid {
		in.Data = darkWord
	}
	w := l.wire.Shift(in.Data)
	if len(l.plans) > 0 || !l.loss.Clean(64) {
		w = l.damage(w)
	}
	out := w
	if l.offset > 0 {
		out = l.last>>(64-l.offset) | w<<l.offset
	}
	l.Out.Set(out)
	l.last = w
}

// damage flips bits of a word, and applies the planned damage to it.
func (l *Line) damage(w uint64) uint64 {
	word := l.loss.Position() / 64
	w ^= l.loss.Errors(64).Lo
	for len(l.plans) > 0 && word >= l.plans[0].To {
		l.offset = uint8(l.plans[0].Offset & 63)
		l.plans = l.plans[1:]
	}
	switch {
	case len(l.plans) == 0 || word < l.plans[0].From:
		return w
	case l.plans[0].Kind == Noise:
		return l.rng.Uint64()
	}
	return 0
}

package rifl

import "github.com/goldwire/goldwire/rtl"

// Aligner finds where frames begin (§5.B): it looks at the SYN of each and slides by one bit, towards the most
// significant first, when too many were illegal. It is "a two-level cascaded multiplexer chain": the first multiplexer
// moves by eight bits, the second by up to seven. Latency 3 cycles, one for the register of the words as they come and
// one for each multiplexer.
//
// Up follows the alignment through a counter of 2^bit cycles (see [Config].UpBit).
type Aligner struct {
	In      rtl.In[uint64]
	Out     rtl.Out[LineWord]
	Aligned rtl.Out[bool]
	Up      rtl.Out[bool]

	words int
	look  alignment
	live  liveness

	slid   uint8     `bits:"6"` // bits slid so far; the first multiplexer's choice follows from it
	fine   uint8     `bits:"3"` // the second multiplexer's choice
	moving uint8     `bits:"2"` // cycles until a slide has reached the second multiplexer; at the start, until a word has
	phase  int       // the place in its frame of the word that leaves next
	raw    [3]uint64 // the words as they came, the latest first
	coarse uint8     `bits:"3"` // the first multiplexer's choice, in bytes, for the two words before the latest
}

// slideCycles is how long a slide takes to the second multiplexer. SYNs are not looked at meanwhile.
const slideCycles = 2

// newAligner returns an aligner for frames of the given number of words and a counter of 2^upBit cycles.
func newAligner(p Profile, words, upBit int) *Aligner {
	return &Aligner{words: words, look: newAlignment(p), live: newLiveness(upBit), moving: slideCycles + 1}
}

// Tick takes a word.
func (a *Aligner) Tick() {
	w := a.Out.Get()
	a.live.cycle(a.look.aligned)

	// Both multiplexers move the same two words, the second a cycle after the first.
	bits := (8*a.coarse + a.fine) & 63
	a.Out.Set(LineWord{a.raw[1]<<bits | a.raw[2]>>1>>(63&^bits), a.phase == 0})

	a.raw[2], a.raw[1], a.raw[0] = a.raw[1], a.raw[0], a.In.Get()

	extra := false
	if a.moving > 0 {
		// The first multiplexer's choice moves on with the first slide of eight. The last of the 64 positions is a whole
		// word earlier.
		a.coarse = (a.slid + 7) >> 3 & 7
		if a.moving--; a.moving == 0 {
			a.fine = a.slid & 7
			extra = a.slid == 1
		}
	} else if w.First {
		syn := w.Data >> synShift
		if a.look.look(syn == SynData || syn == synControl) {
			a.slid = (a.slid + 1) & 63
			a.moving = slideCycles
		}
		a.Aligned.Set(a.look.aligned)
	}
	if !extra { // from the start of a word into the one before it: this frame has a word more
		if a.phase++; a.phase == a.words {
			a.phase = 0
		}
	}
	a.Up.Set(a.live.up)
}

package rifl

import "github.com/goldwire/goldwire/rtl"

// Aligner finds where frames begin (§5.B): it looks at the SYN of each and slides by one bit while they are illegal. Latency
// 3 cycles, two for the multiplexers and one for the frame's phase.
type Aligner struct {
	In      rtl.In[uint64]
	Out     rtl.Out[Word]
	Aligned rtl.Out[bool]

	words  int
	look   Alignment
	shift  uint8 `bits:"6"` // 0 is a whole word, 1 the last 63 bits of the word before it and a bit of this one
	phase  int
	raw    [2]uint64
	picked uint64
}

// NewAligner returns an aligner for frames of so many words.
func NewAligner(p Profile, words int) *Aligner { return &Aligner{words: words, look: NewAlignment(p)} }

// Tick takes a word.
func (a *Aligner) Tick() {
	w := Word{Data: a.picked, First: a.phase == 0, Last: a.phase == a.words-1, Valid: true}
	a.Out.Set(w)
	if a.picked = a.raw[0]; a.shift != 0 {
		a.picked = a.raw[1]>>a.shift | a.raw[0]<<(64-a.shift)
	}
	a.raw[1], a.raw[0] = a.raw[0], a.In.Get()
	if a.phase++; a.phase == a.words {
		a.phase = 0
	}
	if w.First {
		syn := w.Data >> synShift
		if a.look.Frame(syn == SynData || syn == SynControl) {
			if a.shift = (a.shift + 1) & 63; a.shift == 1 { // from a whole word into the next one
				a.phase = (a.phase + a.words - 1) % a.words
			}
		}
	}
	a.Aligned.Set(a.look.Aligned)
}

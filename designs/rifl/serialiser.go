package rifl

import "github.com/goldwire/goldwire/rtl"

// Serialiser is the TX width converter: frames of the frame clock as words of the transceiver clock, which is R times
// as fast and whose every R-th edge coincides with one of the frame clock. So its inputs are Async without a
// synchroniser. Latency 1 cycle from a frame to its first word.
type Serialiser struct {
	Frame []rtl.Async[uint64]
	ID    rtl.Async[TransmitID]
	Out   rtl.Out[Word]

	at int // the word to come
}

// newSerialiser returns a serialiser for frames of the given number of words.
func newSerialiser(words int) *Serialiser {
	return &Serialiser{Frame: make([]rtl.Async[uint64], words)}
}

// Reset starts with the first word.
func (s *Serialiser) Reset() {
	s.at = 0
	s.Out.Set(Word{})
}

// Tick sends a word.
func (s *Serialiser) Tick() {
	last := len(s.Frame) - 1
	s.Out.Set(Word{s.Frame[s.at].Get(), s.ID.Get().Value, WordPlace{s.at == 0, s.at == last}, true})
	if s.at++; s.at > last {
		s.at = 0
	}
}

// Scrambler scrambles the words of frames, all but SYN and code (§5.B). Latency 1 cycle.
type Scrambler struct {
	In  rtl.In[Word]
	Out rtl.Out[Word]

	state uint64 `bits:"33"`
}

// Tick scrambles a word.
func (s *Scrambler) Tick() {
	w := s.In.Get()
	if w.Valid {
		w.Data, s.state = scrambleWord(w.Data, w.WordPlace, s.state)
	}
	s.Out.Set(w)
}

// CodeGenerator puts the verification code into the last word of each frame: CRC-12 over all of it, xor its ID (§3.B).
// Latency 1 cycle.
type CodeGenerator struct {
	In  rtl.In[Word]
	Out rtl.Out[Word]

	crc uint16 `bits:"12"`
}

// Tick takes a word into the code.
func (c *CodeGenerator) Tick() {
	w := c.In.Get()
	if w.Valid {
		state := c.crc
		if w.First {
			state = 0
		}
		if w.Last {
			w.Data &^= codeMask
		}
		state = crcWord(after(state, w.Data))
		if w.Last {
			w.Data |= uint64(state ^ w.ID)
		}
		c.crc = state
	}
	c.Out.Set(w)
}

package pcs

import "github.com/goldwire/goldwire/rtl"

// scramblerReset is the scrambler's state after reset. 49.2.6 leaves it open; all ones is what most cores take.
const scramblerReset = 1<<58 - 1

// Scramble is the self-synchronous scrambler 1 + x^39 + x^58 of 49.2.6 on 64 bits at once. State has the last 58 bits
// sent, the oldest in bit 0. Each bit is XORed with the bits sent 39 and 58 before it; bits of the same word are among
// these, so t is folded once more.
func Scramble(data, state uint64) (scrambled, next uint64) {
	t := data ^ state>>19 ^ state
	scrambled = t ^ t<<39 ^ t<<58
	return scrambled, scrambled >> 6
}

// Descramble inverts Scramble. State has the last 58 bits received, so any 58 bits bring it into step.
func Descramble(scrambled, state uint64) (data, next uint64) {
	return scrambled ^ scrambled<<39 ^ scrambled<<58 ^ state>>19 ^ state, scrambled >> 6
}

// Scrambler scrambles the payload of each block; the sync header passes through. Latency 1 cycle.
type Scrambler struct {
	In  rtl.In[Block]
	Out rtl.Out[Block]

	Start uint64 // the state after reset, each bit inverted: 0 is all ones

	state uint64 `bits:"58"`
}

// Reset fills the state with ones, unless Start says otherwise.
func (s *Scrambler) Reset() {
	s.state = scramblerReset &^ s.Start
	s.Out.Set(Block{})
}

// Tick scrambles one block.
func (s *Scrambler) Tick() {
	b := s.In.Get()
	if b.Valid {
		b.Payload, s.state = Scramble(b.Payload, s.state)
	}
	s.Out.Set(b)
}

// Descrambler recovers the payload of each block. Latency 1 cycle.
//
// Next is the block on its way into the register, for the decoder's look at the following block. Out keeps its block
// until the next valid one comes, so that both stand side by side.
type Descrambler struct {
	In   rtl.In[Block]
	Out  rtl.Out[Block]
	Next rtl.Wire[Block] `comb:"In"`

	Start uint64 // the state after reset, each bit inverted: 0 is all ones

	state uint64 `bits:"58"`
}

// Reset fills the state with ones, unless Start says otherwise.
func (d *Descrambler) Reset() {
	d.state = scramblerReset &^ d.Start
	d.Out.Set(Block{})
}

// Comb descrambles the block at the input.
func (d *Descrambler) Comb() {
	b := d.In.Get()
	b.Payload, _ = Descramble(b.Payload, d.state)
	d.Next.Set(b)
}

// Tick takes it into the register.
func (d *Descrambler) Tick() {
	if b := d.Next.Get(); b.Valid {
		d.Out.Set(b)
		d.state = d.In.Get().Payload >> 6
	}
}

// Package parity is the module of the page "Your first module".
package parity

import (
	"math/bits"

	"github.com/goldwire/goldwire/rtl"
)

// Word is a byte with its parity.
type Word struct {
	Data   uint8
	Parity uint8 `bits:"1"`
}

// Parity appends even parity. Latency 1 cycle.
type Parity struct {
	In  rtl.In[uint8]
	Out rtl.Out[Word]

	seen uint32 `bits:"32"` // a private register; the tag makes it visible in waveforms
}

// Tick is one rising edge of the clock.
func (p *Parity) Tick() {
	b := p.In.Get()
	p.Out.Set(Word{b, uint8(bits.OnesCount8(b) & 1)})
	p.seen++
}

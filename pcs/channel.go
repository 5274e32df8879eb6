package pcs

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/rtl"
)

// Channel is the wire between two gearboxes: it delays words by a fixed number of cycles and flips bits. Latency 1
// cycle more than its Delay.
type Channel struct {
	In  rtl.In[Line]
	Out rtl.Out[Line]

	width int
	wire  *blocks.DelayLine[Line]
	Loss  *blocks.Lossy
	flips *[]uint64
}

// NewChannel returns a channel for words of width bits. Loss may be nil for a clean one. Flips, if not nil, is the
// list to which the positions of flipped bits are added, counted from the first bit sent.
func NewChannel(width, delay int, loss *blocks.Lossy, flips *[]uint64) *Channel {
	checkWidth(width)
	return &Channel{width: width, wire: blocks.NewDelayLine(delay, Line{}), Loss: loss, flips: flips}
}

// Tick moves the line on by one word.
func (c *Channel) Tick() {
	w := c.In.Get()
	if w.Valid && c.Loss != nil {
		if e := c.Loss.Errors(c.width); e != (blocks.Bits128{}) {
			w.Lo ^= e.Lo
			w.Hi ^= uint8(e.Hi)
			if c.flips != nil {
				*c.flips = c.Loss.Drain(*c.flips)
			}
		}
	}
	c.Out.Set(c.wire.Shift(w))
}

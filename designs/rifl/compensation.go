package rifl

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/rtl"
)

// FrameCounter counts the frames that a clock could carry, in Gray code, for another clock to look at.
type FrameCounter struct {
	Gray rtl.Out[uint16]

	words int // of a frame
	at    int
	n     uint16
}

// NewFrameCounter returns a counter for frames of so many words.
func NewFrameCounter(words int) *FrameCounter { return &FrameCounter{words: words} }

// Tick counts a word.
func (c *FrameCounter) Tick() {
	if c.at++; c.at == c.words {
		c.at = 0
		c.n++
		c.Gray.Set(uint16(blocks.BinaryToGray(uint64(c.n))))
	}
}

// Compensation compares the transmitter's clock with the recovered one, on a clock that is neither (§4.E, §5.B): whenever ours
// has gained a frame more than ever before, the transmitter has to send one frame without data.
type Compensation struct {
	Local, Remote rtl.Async[uint16] // FrameCounters
	Requests      rtl.Out[uint16]   // frames asked for so far, in Gray code

	sync     [2][2]uint16
	most     int16
	began    bool
	requests uint16
}

// Tick compares.
func (c *Compensation) Tick() {
	local, remote := c.sync[0][1], c.sync[1][1]
	c.sync[0][1], c.sync[0][0] = c.sync[0][0], c.Local.Get()
	c.sync[1][1], c.sync[1][0] = c.sync[1][0], c.Remote.Get()
	ahead := int16(blocks.GrayToBinary(uint64(local)) - blocks.GrayToBinary(uint64(remote)))
	if remote == 0 && !c.began { // the recovered clock has not begun: no difference to judge
		return
	}
	if !c.began {
		c.began, c.most = true, ahead
	}
	// a step of one, so that the Gray code changes in one bit; what is left comes in the next cycle
	if int16(ahead-c.most) > 0 {
		c.most++
		c.requests++
		c.Requests.Set(uint16(blocks.BinaryToGray(uint64(c.requests))))
	}
}

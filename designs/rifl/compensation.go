package rifl

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/rtl"
)

// frameCounter counts the frames that a clock could carry, modulo 16 and in Gray code, for another clock to look at.
type frameCounter struct {
	Gray rtl.Out[frameCount]

	words int // of a frame
	at    int
	n     uint8 `bits:"4"`
}

// frameCount is 4 bits of Gray code.
type frameCount struct {
	Value uint8 `bits:"4"`
}

// newFrameCounter returns a counter for frames of the given number of words.
func newFrameCounter(words int) *frameCounter { return &frameCounter{words: words} }

// Tick counts a word.
func (c *frameCounter) Tick() {
	if c.at++; c.at == c.words {
		c.at = 0
		c.n = (c.n + 1) & 15
		c.Gray.Set(frameCount{uint8(blocks.BinaryToGray(uint64(c.n)))})
	}
}

// compensation compares the transmitter's clock with the recovered one, on a clock that is neither (§4.E, §5.B): when
// ours has gained a frame more than ever before, the transmitter has to send one frame without data.
//
// Each counter crosses through five flip-flops. The faster end is fixed once, at the first difference; only that end
// compensates. The frames that it owes are handed over with a handshake, at most three at a time. The paper leaves all
// of this open; the published core does it this way.
type compensation struct {
	Local, Remote rtl.Async[frameCount] // FrameCounters
	Request       rtl.Out[compensationRequest]
	Done          rtl.Async[bool] // CompensationPulse.Done

	local, remote counterSync
	done          [2]bool
	owed          int32 // frames that ours is ahead and that were not asked for; of the slower end, nobody looks at it
	decided       bool
	faster        bool
}

// compensationRequest asks for Frames frames without data when Toggle changes.
type compensationRequest struct {
	Frames uint8 `bits:"2"`
	Toggle bool
}

const (
	compensationSync = 5 // flip-flops
	compensationStep = 3 // frames at a time
)

// counterSync is a counter's way into another clock.
type counterSync struct {
	stages uint64 // a byte each, the first in bits 7:0
	last   uint8
}

// step takes the counter and returns its increase since the last cycle, at the far side of the flip-flops.
func (s *counterSync) step(gray uint8) int32 {
	now := blocks.GrayToBinary(uint8(s.stages >> (8 * (compensationSync - 1))))
	s.stages = s.stages<<8 | uint64(gray)
	d := (now - s.last) & 15
	s.last = now
	return int32(d)
}

// Tick compares.
func (c *compensation) Tick() {
	done := c.done[1]
	c.done[1], c.done[0] = c.done[0], c.Done.Get()
	c.owed += c.local.step(c.Local.Get().Value) - c.remote.step(c.Remote.Get().Value)
	if !c.decided && c.owed != 0 {
		c.decided, c.faster = true, c.owed > 0
	}
	r := c.Request.Get()
	if c.faster && c.owed > 0 && done == r.Toggle {
		step := min(c.owed, compensationStep)
		c.owed -= step
		c.Request.Set(compensationRequest{uint8(step), !r.Toggle})
	}
}

// compensationPulse is the frame clock's side of a compensation: Active is up for the number of frame cycles asked
// for, whatever the transmitter does meanwhile.
type compensationPulse struct {
	Request rtl.Async[compensationRequest]
	Active  rtl.Out[bool]
	Done    rtl.Out[bool] // the Toggle of the last request served

	sync   [2]bool
	frames uint8 `bits:"2"` // still to come
}

// Tick is a frame cycle.
func (p *compensationPulse) Tick() {
	asked := p.sync[1]
	p.sync[1], p.sync[0] = p.sync[0], p.Request.Get().Toggle
	switch {
	case p.frames > 0:
		p.frames--
	case asked != p.Done.Get():
		p.frames = p.Request.Get().Frames // stable: the request waits for our answer
		p.Done.Set(asked)
	}
	p.Active.Set(p.frames > 0)
}

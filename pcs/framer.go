package pcs

import (
	"math/bits"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/rtl"
)

// Framer is the transmit side of a MAC: it puts preamble, padding, FCS and inter-frame gap around frames and sends
// them as XGMII characters. A frame starts in lane 0 or 4. The gap is 12 bytes on average and never under 9, by the
// deficit idle count of 46.3.1.4. Latency 1 cycle from a frame's first beat to the word with its /S/, if the line is
// idle.
//
// Input is a stream of beats. Once a frame has begun, its beats have to keep coming; if
// one is late the frame is aborted with /E/, and its rest is dropped.
//
// Enable is the line's clock enable (see [TxGearbox]); Tie it to true for a line of 66 bits.
type Framer struct {
	In     rtl.In[Beat]
	Enable rtl.In[bool]
	Out    rtl.Out[XGMII]
	Ready  rtl.Out[bool]

	// AlwaysLane0 starts every frame in lane 0, as a 64-bit interface of 40 Gb/s and more does (82.2.3.3).
	AlwaysLane0 bool

	state   framerState `bits:"3"`
	beats   *blocks.FIFO[Beat]
	line    chars
	crc     uint64 `bits:"32"`
	sent    int    // bytes of the frame so far, without preamble
	gap     int    // idle characters still owed before the next start
	deficit int    // 0 to 3: gap bytes left out and to be made up for (0 to 7 with AlwaysLane0)
}

type framerState uint8

const (
	framerGap  framerState = iota
	framerData             // frame bytes
	framerEnd              // zeros up to the least length, then FCS and /T/
	framerDrop             // the rest of an aborted frame
)

// framerDepth is the input buffer: one beat being taken, one on its way while Ready falls.
const framerDepth = 2

// Input is the stream of frames.
func (f *Framer) Input() rtl.Consumer[Beat] { return rtl.Consumer[Beat]{Beat: &f.In, Ready: &f.Ready} }

// Reset starts in a gap.
func (f *Framer) Reset() {
	f.state, f.line, f.gap, f.deficit = framerGap, chars{}, 0, 0
	f.beats = blocks.NewFIFO[Beat](framerDepth)
	x := IdleWord()
	x.Valid = false
	f.Out.Set(x)
	f.Ready.Set(true)
}

// Tick sends one word.
func (f *Framer) Tick() {
	if b := f.In.Get(); b.Valid && f.Ready.Get() {
		f.beats.Push(b)
	}
	x := XGMII{}
	if f.Enable.Get() {
		for f.line.n < 8 {
			f.extend()
		}
		x.Data, x.Ctrl = f.line.pop()
		x.Valid = true
	}
	f.Out.Set(x)
	f.Ready.Set(f.beats.Len() < framerDepth)
}

// extend appends to the line the next one to eight characters.
func (f *Framer) extend() {
	switch f.state {
	case framerGap:
		if f.gap > 0 {
			k := min(f.gap, 8-f.line.n)
			f.line.push(idleData, 0xff, k)
			f.gap -= k
			return
		}
		if _, ok := f.beats.Peek(); !ok {
			f.line.push(idleData, 0xff, 8-f.line.n)
			return
		}
		f.line.push(preamble, 0x01, 8)
		f.state, f.crc, f.sent = framerData, crc32.Init(), 0
	case framerData:
		b, ok := f.beats.Pop()
		if !ok { // underrun
			f.line.push(errorData, 0xff, 1)
			f.endFrame()
			f.state = framerDrop
			return
		}
		f.append(b.Data, bits.OnesCount8(b.Keep))
		if b.Last {
			f.state = framerEnd
		}
	case framerEnd:
		if missing := MinFrameBytes - FCSBytes - f.sent; missing > 0 {
			f.append(0, min(missing, 8))
			return
		}
		f.line.push(crc32.Final(f.crc), 0, FCSBytes)
		f.endFrame()
		f.state = framerGap
	case framerDrop:
		f.line.push(idleData, 0xff, 1)
		f.gap--
		if b, ok := f.beats.Pop(); ok && b.Last {
			f.state = framerGap
			f.align()
		}
	}
}

// append sends k bytes of the frame.
func (f *Framer) append(data uint64, k int) {
	f.line.push(data, 0, k)
	if k == 8 {
		f.crc = crc32.Update64(f.crc, data)
	} else {
		f.crc = crc32.UpdateBytes(f.crc, data, k)
	}
	f.sent += k
}

// endFrame sends the /T/ and sets the gap, counted from the /T/: 12 bytes, then as many fewer as the deficit allows to
// start the next frame in an earlier lane that may start one, else as many more as reach the next such lane.
func (f *Framer) endFrame() {
	step := 4
	if f.AlwaysLane0 {
		step = 8
	}
	excess := (f.line.n + MinGapBytes) % step
	f.gap = MinGapBytes - excess
	f.deficit += excess
	if f.deficit >= step {
		f.deficit -= step
		f.gap += step
	}
	f.line.push(CharTerm, 0xff, 1)
	f.gap--
}

// align makes the gap after dropped beats end at a start lane.
func (f *Framer) align() {
	step := 4
	if f.AlwaysLane0 {
		step = 8
	}
	f.gap = max(f.gap, 0)
	f.gap += (step - (f.line.n+f.gap)%step) % step
}

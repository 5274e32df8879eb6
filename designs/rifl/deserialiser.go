package rifl

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/rtl"
)

// Deserialiser is the read side of the clock crossing, followed by the RX width converter: words that
// [blocks.AsyncWriter] wrote in the recovered clock's domain become frames in the transceiver clock's. All words of a
// frame but the last go into the converter as they come; the last waits in the FIFO for the frame clock, whose every
// edge coincides with one in R of ours. So a frame stands at the output from the second edge after its last word was
// written until the next frame edge.
//
// Only words of data frames come; Valid says that the frame is the expected one.
type Deserialiser struct {
	Memory  []rtl.Async[RxWord]
	Writer  rtl.Async[uint16]
	Pointer rtl.Out[uint16]

	Frame []rtl.Out[uint64]
	Valid rtl.Out[bool]

	sync  [2]uint16
	next  uint64 `bits:"16"`
	edge  int    // of the frame clock: our edges until the next
	at    int    // words of the frame in the converter
	first []uint64
}

// newDeserialiser returns one for frames of the given number of words and a memory of depth words, a power of two.
func newDeserialiser(words, depth int) *Deserialiser {
	return &Deserialiser{Memory: make([]rtl.Async[RxWord], depth), Frame: make([]rtl.Out[uint64], words)}
}

// Reset starts empty.
func (d *Deserialiser) Reset() {
	d.sync, d.next, d.edge, d.at = [2]uint16{}, 0, 0, 0
	d.first = make([]uint64, len(d.Frame))
	d.Pointer.Set(0)
	d.Valid.Set(false)
	for i := range d.Frame {
		d.Frame[i].Set(0)
	}
}

// Tick takes a word, or lets the frame clock take a frame.
func (d *Deserialiser) Tick() {
	last := len(d.Frame) - 1
	frameEdge := d.edge == last
	if d.edge++; frameEdge {
		d.edge = 0
	}
	depth := uint64(len(d.Memory))
	at, next, pointer := d.at, d.next, d.Pointer.Get()
	if d.sync[1] != pointer {
		w := d.Memory[next&(depth-1)].Get()
		if !w.Last || frameEdge {
			if w.First {
				at = 0
			}
			if at <= last { // a frame of which a word found no room may be followed by the next without an end
				d.first[at] = w.Data
				at++
			}
			next = (next + 1) & (2*depth - 1)
			pointer = uint16(blocks.BinaryToGray(next))
			d.at, d.next = at, next
			d.Pointer.Set(pointer)
		}
	}
	d.sync[1], d.sync[0] = d.sync[0], d.Writer.Get()

	valid := false
	if at == last && d.sync[1] != pointer {
		if w := d.Memory[next&(depth-1)].Get(); w.Last {
			valid = w.Good
			frame := d.first[:len(d.Frame)]
			frame[last] = w.Data
			for i := range d.Frame {
				d.Frame[i].Set(frame[i])
			}
		}
	}
	d.Valid.Set(valid)
}

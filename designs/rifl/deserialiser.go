package rifl

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/rtl"
)

// Deserialiser is the read side of the clock crossing with the RX width converter behind it: words that [blocks.AsyncWriter]
// wrote in the recovered clock's domain become frames in the transceiver clock's. A word is read 3 edges after it was
// written: two to synchronise the pointer, and one that takes it into the converter.
//
// Frames that were not verified go no further. Count rises with each that does; the frame stands for at least R cycles, so
// the frame clock, R times slower and synchronous, sees each once.
type Deserialiser struct {
	Memory  []rtl.Async[RxWord]
	Writer  rtl.Async[uint16]
	Pointer rtl.Out[uint16]

	Frame []rtl.Out[uint64]
	Count rtl.Out[uint8]

	sync  [2]uint16
	next  uint64 `bits:"16"`
	at    int
	count uint8
	frame []uint64
}

// NewDeserialiser returns one for frames of so many words and a memory of so many, a power of two.
func NewDeserialiser(words, depth int) *Deserialiser {
	return &Deserialiser{Memory: make([]rtl.Async[RxWord], depth), Frame: make([]rtl.Out[uint64], words)}
}

// Reset starts empty.
func (d *Deserialiser) Reset() {
	d.sync, d.next, d.at, d.count = [2]uint16{}, 0, 0, 0
	d.frame = make([]uint64, len(d.Frame))
	d.Pointer.Set(0)
	d.Count.Set(0)
	for i := range d.Frame {
		d.Frame[i].Set(0)
	}
}

// Tick reads a word if there is one.
func (d *Deserialiser) Tick() {
	depth := uint64(len(d.Memory))
	written := blocks.GrayToBinary(uint64(d.sync[1]))
	d.sync[1], d.sync[0] = d.sync[0], d.Writer.Get()
	if written == d.next {
		return
	}
	w := d.Memory[d.next&(depth-1)].Get()
	d.next = (d.next + 1) & (2*depth - 1)
	d.Pointer.Set(uint16(blocks.BinaryToGray(d.next)))
	if w.First {
		d.at = 0
	}
	if d.at < len(d.frame) { // a frame whose first word is missing may be longer
		d.frame[d.at] = w.Data
		d.at++
	}
	if w.Last && w.Deliver && d.at == len(d.frame) {
		for i, x := range d.frame {
			d.Frame[i].Set(x)
		}
		d.count++
		d.Count.Set(d.count)
	}
}

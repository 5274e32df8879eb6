package blocks

import "github.com/goldwire/goldwire/rtl"

// StreamConverter is a WidthConverter between two streams: words of in bits become words of out bits, the first bit of
// the stream in bit 0. The narrower side never pauses of itself. Ready follows from registers alone. Latency 2 cycles
// from the word that has the last bit of an out word.
type StreamConverter struct {
	In       rtl.In[StreamWord] // bits of in and above are ignored
	Ready    rtl.Wire[bool]     `comb:"none"`
	Out      rtl.Out[StreamWord]
	OutReady rtl.In[bool]
	Held     rtl.Out[uint8] // bits, without those at Out: at most 2 × in + out - 1

	convert *WidthConverter
}

// NewStreamConverter returns a converter of words of 1 to 64 bits. It panics on other widths.
func NewStreamConverter(in, out int) *StreamConverter {
	if in > 64 || out > 64 {
		panic("blocks: stream of words of more than 64 bits")
	}
	return &StreamConverter{convert: NewWidthConverter(in, out).WithSlack(in)}
}

// Input is the side that takes words.
func (c *StreamConverter) Input() rtl.Consumer[StreamWord] {
	return rtl.Consumer[StreamWord]{Beat: &c.In, Ready: &c.Ready}
}

// Output is the stream of the words that the converter offers.
func (c *StreamConverter) Output() rtl.Producer[StreamWord] {
	return rtl.Producer[StreamWord]{Beat: &c.Out, Ready: &c.OutReady}
}

// Reset empties the converter.
func (c *StreamConverter) Reset() {
	c.convert.Reset()
	c.Out.Set(StreamWord{})
	c.Held.Set(0)
}

// Comb tells whether there is room for a word.
func (c *StreamConverter) Comb() { c.Ready.Set(c.convert.Ready()) }

// Tick moves the next word to Out if that is free, and takes one.
func (c *StreamConverter) Tick() {
	in, room := c.In.Get(), c.convert.Ready()
	if out := c.Out.Get(); !out.Valid || c.OutReady.Get() {
		w, ok := c.convert.Pop()
		c.Out.Set(StreamWord{w.Lo, ok})
	}
	if in.Valid && room {
		c.convert.Push(Bits128{Lo: in.Data})
	}
	c.Held.Set(uint8(c.convert.Len()))
}

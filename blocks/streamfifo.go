package blocks

import "github.com/goldwire/goldwire/rtl"

// StreamFIFO is a FIFO between two streams of one clock: depth words and the register that offers the oldest. Ready
// says that one of the depth is free; it follows from registers alone, so that no path leads from the read side to the
// write side: a full FIFO that gives up a word takes the next one a cycle later. Latency 2 cycles through an empty
// FIFO. For two clocks use AsyncFIFO.
type StreamFIFO struct {
	In       rtl.In[StreamWord]
	Ready    rtl.Wire[bool] `comb:"none"`
	Out      rtl.Out[StreamWord]
	OutReady rtl.In[bool]
	Level    rtl.Out[uint16] // words held, without that at Out

	q *FIFO[uint64]
}

// StreamWord is a beat of a stream of words.
type StreamWord struct {
	Data  uint64
	Valid bool
}

// Offered returns the valid bit.
func (w StreamWord) Offered() bool { return w.Valid }

// NewStreamFIFO returns a FIFO of the given depth in words. It panics if the depth is not 1 to 65535.
func NewStreamFIFO(depth int) *StreamFIFO {
	if depth > 1<<16-1 {
		panic("blocks: a FIFO deeper than its level counts")
	}
	return &StreamFIFO{q: NewFIFO[uint64](depth)}
}

// Input is the side that takes beats.
func (f *StreamFIFO) Input() rtl.Consumer[StreamWord] {
	return rtl.Consumer[StreamWord]{Beat: &f.In, Ready: &f.Ready}
}

// Output is the stream of the words that the FIFO offers.
func (f *StreamFIFO) Output() rtl.Producer[StreamWord] {
	return rtl.Producer[StreamWord]{Beat: &f.Out, Ready: &f.OutReady}
}

// Reset empties the FIFO.
func (f *StreamFIFO) Reset() {
	f.q.Reset()
	f.Out.Set(StreamWord{})
	f.Level.Set(0)
}

// Comb tells whether there is room.
func (f *StreamFIFO) Comb() { f.Ready.Set(!f.q.Full()) }

// Tick moves the oldest word to Out if that is free, and takes one.
func (f *StreamFIFO) Tick() {
	in, full := f.In.Get(), f.q.Full()
	if out := f.Out.Get(); !out.Valid || f.OutReady.Get() {
		data, ok := f.q.Pop()
		f.Out.Set(StreamWord{data, ok})
	}
	if in.Valid && !full {
		f.q.Push(in.Data)
	}
	f.Level.Set(uint16(f.q.Len()))
}

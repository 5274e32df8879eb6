package shoal

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// rateLevel is how many words a rate FIFO wants to see when an idle word is next: with fewer it adds one, with more it
// leaves one out. With two, one more waits while a frame passes, so that the reader does not run dry within it.
const rateLevel = 2

// rateDepth is the depth of a rate FIFO in words.
const rateDepth = 8

// RateReader is the read side of a FIFO between two clocks of nearly the same frequency: where few words wait, it
// repeats an idle word instead of taking it, and where many wait, it leaves one out. The PCS of IEEE 802.3 does the
// same (49.2.4.7). The write side is blocks.AsyncFIFO's. Only whole idle words are added or left out, so that frames
// and messages stay whole as long as an idle word comes often enough. Latency 4 to 5 read cycles from a word's write
// edge.
//
// A node on the distributed clock needs none. The 4-cycle FIFO of §4.1 neither adds nor takes.
type RateReader struct {
	Out    rtl.Out[pcs.XGMII]
	Filled rtl.Out[bool] // there was a word

	Memory  []rtl.Async[pcs.XGMII]
	Pointer rtl.Out[uint16]
	Writer  rtl.Async[uint16]

	sync [2]uint16
	next uint64 `bits:"16"` // words read or left out so far

	Added, Removed uint64 // idle words
}

// Reset starts empty.
func (r *RateReader) Reset() {
	r.sync, r.next, r.Added, r.Removed = [2]uint16{}, 0, 0, 0
	r.Out.Set(pcs.IdleWord())
	r.Filled.Set(false)
	r.Pointer.Set(0)
}

// Tick shows the next word.
func (r *RateReader) Tick() {
	const mask = 2*rateDepth - 1
	waiting := (blocks.GrayToBinary(uint64(r.sync[1])) - r.next) & mask
	r.sync[1], r.sync[0] = r.sync[0], r.Writer.Get()
	if waiting == 0 {
		r.Out.Set(pcs.IdleWord())
		r.Filled.Set(false)
		return
	}
	r.Filled.Set(true)
	w := r.Memory[r.next&(rateDepth-1)].Get()
	if w == pcs.IdleWord() {
		if waiting < rateLevel {
			r.Added++
			r.Out.Set(w)
			return
		}
		if waiting > rateLevel {
			r.Removed++
			r.next++
			w = r.Memory[r.next&(rateDepth-1)].Get()
		}
	}
	r.Out.Set(w)
	r.next = (r.next + 1) & mask
	r.Pointer.Set(uint16(blocks.BinaryToGray(r.next)))
}

// rateFIFO is both sides.
type rateFIFO struct {
	Write blocks.AsyncWriter[pcs.XGMII]
	Read  RateReader
}

func newRateFIFO() *rateFIFO {
	f := &rateFIFO{}
	f.Write.Memory = make([]rtl.Out[pcs.XGMII], rateDepth)
	f.Read.Memory = make([]rtl.Async[pcs.XGMII], rateDepth)
	for i := range f.Write.Memory {
		rtl.Connect(&f.Write.Memory[i], &f.Read.Memory[i])
	}
	rtl.Connect(&f.Write.Pointer, &f.Read.Writer)
	rtl.Connect(&f.Read.Pointer, &f.Write.Reader)
	return f
}

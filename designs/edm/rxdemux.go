package edm

import (
	"goldwire/blocks"
	"goldwire/pcs"
	"goldwire/rtl"
)

// RxDemux stands between descrambler and decoder (Figure 3, §3.2.3). It takes the memory blocks out and gives the decoder idle
// instead. Latency 1 cycle for memory blocks.
//
// A frame's blocks may come with gaps; the decoder and the MAC want them one behind the other. So a frame is kept until its
// /T/, and leaves in consecutive cycles, no idle inside it. The buffer takes MaxFrame blocks, of which a longer frame loses
// its rest: it then ends in an error block.
//
// A message whose blocks are followed by one without a sync header ends there, and that block goes on as its end.
//
// Corrupt rises when a block cannot be right: an invalid sync header, a data block outside of frames and messages, an /MT/
// without an /MS/. Errors in the payload are not seen here; nor does the descrambler see them, which §3.3 relies on.
type RxDemux struct {
	In      rtl.In[pcs.Block]
	Control rtl.Out[pcs.Block]  // /N/, /G/, requests
	Data    rtl.Out[pcs.Block]  // RRES and WREQ
	Push    rtl.Out[bool]       // Data is valid
	Frame   rtl.Out[pcs.Block]  // for the decoder
	Next    rtl.Wire[pcs.Block] `comb:"none"` // the block behind Frame's, for the decoder's look at it
	Corrupt rtl.Out[bool]

	Types    BlockTypes
	MaxFrame int // blocks; 0 if there are no frames on this link

	inControl, inData, inFrame bool
	frames                     *blocks.FIFO[pcs.Block]
	whole                      int // frames that have come to their /T/
	releasing                  bool
	ahead                      pcs.Block // the one at Next
	corrupt                    bool
}

// Reset waits for a message or a frame.
func (d *RxDemux) Reset() {
	d.inControl, d.inData, d.inFrame, d.whole, d.releasing, d.corrupt = false, false, false, 0, false, false
	d.frames = blocks.NewFIFO[pcs.Block](max(d.MaxFrame, 1))
	d.ahead = pcs.IdleBlock()
	d.Control.Set(pcs.Block{})
	d.Data.Set(pcs.Block{})
	d.Push.Set(false)
	d.Frame.Set(pcs.IdleBlock())
	d.Corrupt.Set(false)
}

// Comb shows the block behind Frame's.
func (d *RxDemux) Comb() { d.Next.Set(d.ahead) }

// Tick sorts one block.
func (d *RxDemux) Tick() {
	b := d.In.Get()
	control, data := false, false
	if b.Valid {
		control, data = d.sort(b)
	}
	switch {
	case control:
		d.Control.Set(b)
	default:
		d.Control.Set(pcs.Block{})
	}
	if data {
		d.Data.Set(b)
	} else {
		d.Data.Set(pcs.Block{})
	}
	d.Push.Set(data)
	d.Corrupt.Set(d.corrupt)
	d.Frame.Set(d.ahead)
	d.ahead = d.release()
}

// sort finds where a block belongs. What belongs to a frame is kept here.
func (d *RxDemux) sort(b pcs.Block) (control, data bool) {
	switch d.Types.Classify(b) {
	case Data:
		switch {
		case d.inControl:
			return true, false
		case d.inData:
			return false, true
		case d.inFrame:
			d.keep(b)
		default:
			d.corrupt = true
		}
	case MS:
		if headerOf(b).Kind.IsRequest() {
			d.inControl = true
			return true, false
		}
		d.inData = true
		return false, true
	case MT:
		switch {
		case d.inControl:
			d.inControl = false
			return true, false
		case d.inData:
			d.inData = false
			return false, true
		}
		d.corrupt = true
	case MST:
		if headerOf(b).Kind.IsRequest() {
			return true, false
		}
		return false, true
	case N, G:
		return true, false
	case Other:
		d.ofFrame(b)
	default:
		d.corrupt = true
		if d.inData {
			d.inData = false
			return false, true
		}
	}
	return false, false
}

// ofFrame takes a control block of the standard.
func (d *RxDemux) ofFrame(b pcs.Block) {
	switch k := pcs.Classify(b); k {
	case pcs.KindS:
		d.corrupt = d.corrupt || d.inFrame
		d.inFrame = true
		d.inData, d.inControl = false, false // a message that was broken off
		d.keep(b)
	case pcs.KindT:
		if !d.inFrame {
			d.corrupt = true
			return
		}
		d.inFrame = false
		d.keep(b)
		d.whole++
	case pcs.KindC:
	default:
		d.corrupt = true
	}
}

// keep stores a frame's block. The last place is for its end.
func (d *RxDemux) keep(b pcs.Block) {
	if room := d.frames.Cap() - d.frames.Len(); room > 1 || room == 1 && pcs.Classify(b) == pcs.KindT {
		d.frames.Push(b)
	}
}

// release returns the block that goes to the decoder next.
func (d *RxDemux) release() pcs.Block {
	if !d.releasing && d.whole == 0 {
		return pcs.IdleBlock()
	}
	b, _ := d.frames.Pop()
	d.releasing = pcs.Classify(b) != pcs.KindT
	if !d.releasing {
		d.whole--
	}
	return b
}

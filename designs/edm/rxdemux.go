package edm

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// RxDemux stands between descrambler and decoder (Figure 3, §3.2.3). It takes the memory blocks out and gives the
// decoder idle instead. Latency 1 cycle for memory blocks, 2 from a frame's /T/ to its /S/.
//
// A frame's blocks may come with gaps; the decoder and the MAC want them one after the other. So a frame is kept until
// its /T/, and leaves in consecutive cycles, no idle inside it. A frame of up to MaxFrame blocks always finds room,
// since the blocks before it leave as fast as it comes. A longer one is cut: for its rest, up to the /T/, stands an
// error block, so that the decoder aborts it and is ready for another frame at once. Ordered sets end here.
//
// A data message may be broken off, when its sender dies: by a block without a sync header, which goes on as its end,
// or by another start.
//
// Corrupt is high for a cycle after a block that cannot be right: an invalid sync header, an unknown type, a data block
// outside of frames and messages, an end without a start, a start where none can be; that ends the message that was
// open. A frame that is open is cut. Its outputs are no streams of valid and ready ([rtl.ConnectStream]): a line does
// not wait. Errors in the payload are not seen here; nor does the descrambler see them, which §3.3 relies on.
type RxDemux struct {
	In      rtl.In[pcs.Block]
	Control rtl.Out[pcs.Block]  // /N/, /G/, requests
	Data    rtl.Out[pcs.Block]  // RRES and WREQ
	Push    rtl.Out[bool]       // Data is valid
	Frame   rtl.Out[pcs.Block]  // for the decoder
	Next    rtl.Wire[pcs.Block] `comb:"none"` // the block after Frame's, for the decoder's look at it
	Corrupt rtl.Out[bool]

	Types    BlockTypes
	MaxFrame int // blocks; 0 if there are no frames on this link

	inControl bool       `bits:"1"`
	inData    bool       `bits:"1"`
	state     frameState `bits:"2"`
	kept      int        // blocks of the frame that is coming
	frames    *blocks.FIFO[pcs.Block]
	whole     int       // frames that have come to their end, and not left
	ahead     pcs.Block // the one at Next
	corrupt   bool      // the block of this cycle is
}

// frameState is where in a frame the line is.
type frameState uint8

const (
	noFrame frameState = iota
	inFrame
	cutFrame // in one whose rest is lost
)

// Reset waits for a message or a frame.
func (d *RxDemux) Reset() {
	d.inControl, d.inData, d.state, d.kept, d.whole, d.corrupt = false, false, noFrame, 0, 0, false
	d.frames = blocks.NewFIFO[pcs.Block](d.MaxFrame + 1)
	d.ahead = pcs.IdleBlock()
	d.Control.Set(pcs.Block{})
	d.Data.Set(pcs.Block{})
	d.Push.Set(false)
	d.Frame.Set(pcs.IdleBlock())
	d.Corrupt.Set(false)
}

// Comb shows the block after Frame's.
func (d *RxDemux) Comb() { d.Next.Set(d.ahead) }

// MostFrames returns the greatest number of blocks of frames that were kept.
func (d *RxDemux) MostFrames() int { return d.frames.HighWater() }

// Tick sorts one block.
func (d *RxDemux) Tick() {
	b := d.In.Get()
	d.corrupt = false
	control, data := false, false
	switch {
	case !b.Valid || IsIdle(b):
	case b.Header == pcs.HeaderData && d.inData && !d.inControl: // as sort would find; most blocks are such
		data = true
	default:
		control, data = d.sort(b)
	}
	if control {
		d.Control.Set(b)
	} else {
		d.Control.Set(pcs.Block{})
	}
	if data {
		d.Data.Set(b)
	} else {
		d.Data.Set(pcs.Block{})
	}
	d.Push.Set(data)
	d.Corrupt.Set(d.corrupt)
	if d.MaxFrame > 0 { // else the decoder has idle for ever
		d.Frame.Set(d.ahead)
		d.ahead = d.release()
	}
}

// sort finds where a block belongs. Blocks of a frame are kept here.
func (d *RxDemux) sort(b pcs.Block) (control, data bool) {
	switch k := d.Types.Classify(b); k {
	case Data:
		switch {
		case d.inControl:
			return true, false
		case d.inData:
			return false, true
		case d.state != noFrame:
			d.keep(b)
		default:
			d.wrong()
		}
	case MS, MST, N, G:
		if d.inControl { // which is in one piece
			d.inControl = false
			d.wrong()
		}
		if k == N || k == G {
			return true, false
		}
		if HeaderOf(b).Kind.IsRequest() {
			d.inControl = k == MS
			return true, false
		}
		d.inData = k == MS
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
		d.wrong()
	case Other:
		d.ofFrame(b)
	default:
		d.wrong()
		if d.inData {
			d.inData = false
			return false, true
		}
	}
	return false, false
}

// ofFrame takes a control block of the standard.
func (d *RxDemux) ofFrame(b pcs.Block) {
	k := pcs.Classify(b)
	if k == pcs.KindS || k == pcs.KindT {
		d.corrupt = d.corrupt || d.inControl
		d.inControl, d.inData = false, false
	}
	switch {
	case k == pcs.KindC:
	case k == pcs.KindS && d.state == noFrame:
		d.state, d.kept = inFrame, 0
		d.keep(b)
	case k == pcs.KindT && d.state != noFrame:
		d.end(b)
	default: // an /S/ in a frame among them: the two run into one
		d.wrong()
	}
}

// wrong notes a block that cannot be right. It may have been one of the frame.
func (d *RxDemux) wrong() {
	d.corrupt = true
	if d.state == inFrame {
		d.cut()
	}
}

// keep stores a frame's block.
func (d *RxDemux) keep(b pcs.Block) {
	switch {
	case d.state == cutFrame:
	case d.kept < d.MaxFrame-1: // but for its end
		d.frames.Push(b)
		d.kept++
	default:
		d.cut()
	}
}

// cut gives the decoder an error block for the rest of the frame.
func (d *RxDemux) cut() {
	d.state = cutFrame
	if d.kept > 0 {
		d.frames.Push(pcs.ErrorBlock())
	}
}

// end stores a frame's last block.
func (d *RxDemux) end(b pcs.Block) {
	d.state = noFrame
	if d.kept > 0 { // a link without frames keeps none
		d.frames.Push(b)
		d.whole++
	}
}

// release returns the block that goes to the decoder next.
func (d *RxDemux) release() pcs.Block {
	if d.whole == 0 {
		return pcs.IdleBlock()
	}
	b, _ := d.frames.Pop()
	if pcs.Classify(b) == pcs.KindT {
		d.whole--
	}
	return b
}

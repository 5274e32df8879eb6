package pcs

import (
	"math/bits"

	"github.com/goldwire/goldwire/rtl"
)

// Deframer is the receive side of a MAC: it takes frames out of XGMII characters, strips preamble and FCS, and gives
// the frame's fault with the last beat. There is no backpressure. Padding is left in: only the layer above knows its
// length. A beat without bytes ends only frames that have none left but their FCS, or not even that. Latency: a
// frame's first beat leaves 2 cycles after the word with the 8th byte after its preamble, in whichever lane it began.
type Deframer struct {
	In  rtl.In[XGMII]
	Out rtl.Out[Beat]

	state deframerState `bits:"2"`
	line  chars         // frame bytes not yet delivered; the last four may be the FCS
	crc   uint64        `bits:"32"`
	got   int           // bytes of the frame, FCS included
	flush bool          // the frame has ended, its last beats are still to leave
	fault FrameFault
}

type deframerState uint8

const (
	deframerIdle deframerState = iota
	deframerHalf               // a /S/ in lane 4: the rest of the preamble is in the next word
	deframerData
)

// Reset waits for a frame.
func (d *Deframer) Reset() {
	d.state, d.line, d.got, d.flush = deframerIdle, chars{}, 0, false
	d.Out.Set(Beat{})
}

// Tick takes one word.
func (d *Deframer) Tick() {
	x := d.In.Get()
	if !x.Valid {
		d.Out.Set(Beat{})
		return
	}
	// At most one beat of a frame is left after the word with its end, and the next frame's bytes come a word after its
	// preamble at the earliest: the two never meet in the queue.
	var out Beat
	if d.flush {
		out = d.deliverRest()
	}
	switch d.state {
	case deframerIdle:
		d.start(x)
	case deframerHalf:
		if x.Ctrl == 0 && uint32(x.Data) == preamble>>32 {
			d.begin()
			d.take(x.Data>>32, 4)
		} else {
			d.abort(x, BadPreamble)
		}
	case deframerData:
		if x.Ctrl == 0 {
			d.take(x.Data, 8)
			break
		}
		k := bits.TrailingZeros8(x.Ctrl)
		d.take(x.Data, k)
		if c, _ := x.Lane(k); c == CharTerm {
			d.end(FrameOK)
		} else {
			d.abort(x, CodeError)
		}
	}
	// Eight bytes leave when more than an FCS is held after them. Until then they might be the frame's last. So no beat
	// is empty that a whole frame ends with.
	if n := d.line.n; !out.Valid && (n > 8+FCSBytes || d.flush && n == 8+FCSBytes) {
		out = Beat{Keep: 0xff, Valid: true}
		out.Data, _ = d.line.pop()
		if d.flush && d.line.n <= FCSBytes { // only the FCS is left
			d.finish(&out)
		}
	}
	d.Out.Set(out)
}

// start looks for a /S/.
func (d *Deframer) start(x XGMII) {
	switch {
	case x.Ctrl == 0 || x.Ctrl == 0xff:
	case x.Ctrl&0x0f == 0x01 && byte(x.Data) == CharStart:
		if x.Ctrl == 0x01 && x.Data == preamble {
			d.begin()
		} else if !d.flush { // an aborted frame's fault stands for both
			d.end(BadPreamble)
		}
	case x.Ctrl>>4 == 0x1 && byte(x.Data>>32) == CharStart:
		d.state = deframerHalf
	}
}

// begin starts a frame, after its preamble. Bytes of a frame before it have been delivered but for its last beat.
func (d *Deframer) begin() {
	d.state, d.crc, d.got = deframerData, crc32.Init(), 0
}

// take takes k bytes of the frame.
func (d *Deframer) take(data uint64, k int) {
	d.line.push(data, 0, k)
	d.got += k
	if k == 8 {
		d.crc = crc32.Update64(d.crc, data)
	} else {
		d.crc = crc32.UpdateBytes(d.crc, data, k)
	}
}

// end is at the frame's last character.
func (d *Deframer) end(f FrameFault) {
	d.state, d.flush, d.fault = deframerIdle, true, f
	if f != FrameOK {
		return
	}
	switch {
	case d.crc != crc32Residue:
		d.fault = BadFCS
	case d.got < MinFrameBytes:
		d.fault = Runt
	}
}

// crc32Residue is what the CRC register holds after a frame with its FCS.
var crc32Residue = func() uint64 {
	c := crc32.Init()
	return crc32.UpdateBytes(c, crc32.Final(c), FCSBytes)
}()

// abort ends the frame at a word that does not belong to it. The word may start another.
func (d *Deframer) abort(x XGMII, f FrameFault) {
	d.end(f)
	d.start(x)
}

// deliverRest gives the last beat of a frame that has ended, without the FCS.
func (d *Deframer) deliverRest() Beat {
	k := max(d.line.n-FCSBytes, 0)
	out := Beat{Data: d.line.data[0], Keep: keepMask(k), Valid: true}
	if k < 8 {
		out.Data &= 1<<(8*k) - 1
	}
	d.finish(&out)
	return out
}

// finish makes a beat the last of its frame.
func (d *Deframer) finish(b *Beat) {
	b.Last, b.Fault = true, d.fault
	d.line, d.flush = chars{}, false
}

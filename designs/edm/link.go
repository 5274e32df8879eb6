package edm

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// dark is what a receiver sees without light: no sync header.
var dark = pcs.Block{Valid: true}

// linkTx is the sender's end of a link: the part of the delay that is whole cycles, and the line's bit errors.
type linkTx struct {
	In  rtl.In[pcs.Block]
	Off rtl.In[bool] // the sender is off
	Out rtl.Out[pcs.Block]

	wire *blocks.DelayLine[pcs.Block]
	loss *blocks.Lossy

	cut   uint64 // from this edge on nothing comes through, 0 for never
	cycle uint64
}

// Tick moves the line on by one block.
func (l *linkTx) Tick() {
	l.cycle++
	b := l.In.Get()
	if l.loss != nil {
		if e := l.loss.Errors(pcs.BlockBits); e != (blocks.Bits128{}) && b.Valid {
			b.Header ^= uint8(e.Lo & 3)
			b.Payload ^= e.Lo>>2 | e.Hi<<62
		}
	}
	if l.cut != 0 && l.cycle >= l.cut || l.Off.Get() {
		b = dark
	}
	l.Out.Set(l.wire.Shift(b))
}

// linkRx is the receiver's end: the register that the recovered clock fills. Link and register together delay by exactly the
// link's time. A receiver that saw an error passes nothing on: EDM disables a link on which corruption is seen (§3.3).
type linkRx struct {
	In      rtl.Async[pcs.Block]
	Corrupt rtl.In[bool]
	Out     rtl.Out[pcs.Block]
	Down    rtl.Out[bool]

	KeepUp bool // do not disable the link

	down bool
}

// Tick takes a block from the line.
func (l *linkRx) Tick() {
	if l.Corrupt.Get() && !l.KeepUp {
		l.down = true
	}
	l.Down.Set(l.down)
	b := l.In.Get()
	if l.down {
		b = dark
	}
	l.Out.Set(b)
}

// linkEdges is how many edges of a link are those of its ends' registers; the delay line has the others.
const linkEdges = 2

package pcs

import (
	"fmt"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/rtl"
)

// Line is a word of the serial line, as wide as its gearboxes say: at most 66 bits, bit 0 of Lo first.
type Line struct {
	Lo    uint64
	Hi    uint8 `bits:"2"` // bits 65:64 of a 66-bit word
	Valid bool
}

// BlockBits is the length of a block on the line.
const BlockBits = 66

func checkWidth(width int) {
	if width < 1 || width > BlockBits {
		panic(fmt.Sprintf("pcs: line of %d bits, want 1 to %d", width, BlockBits))
	}
}

// TxGearbox cuts blocks into line words of Width bits, one a cycle: 66:64 for a 64-bit transceiver. Latency 1 cycle at
// 66 bits. Narrower words start to flow when enough is held that they never stop: the first bit of the first block
// leaves after it at least 66 bits later.
//
// A line narrower than a block takes more cycles than there are blocks. Enable tells the head of the transmit path in
// which cycles to start a word: Width in 66 on average, 32 of 33 at 64 bits, in a fixed cadence. The path's delay must
// be the same for each block.
type TxGearbox struct {
	In     rtl.In[Block]
	Out    rtl.Out[Line]
	Enable rtl.Out[bool]

	width   int
	convert *blocks.WidthConverter
	credit  int  // bits of line not yet given to a block
	flowing bool // the first word has left
}

// NewTxGearbox returns a gearbox for line words of 1 to 66 bits.
func NewTxGearbox(width int) *TxGearbox {
	checkWidth(width)
	return &TxGearbox{width: width, convert: blocks.NewWidthConverter(BlockBits, width).WithSlack(128)}
}

// Reset empties the gearbox.
func (g *TxGearbox) Reset() {
	g.convert.Reset()
	g.credit, g.flowing = 0, false
	g.Out.Set(Line{})
	g.Enable.Set(false)
}

// Tick takes a block, if there is one, and gives a line word.
func (g *TxGearbox) Tick() {
	g.credit += g.width
	enable := g.credit >= BlockBits
	if enable {
		g.credit -= BlockBits
	}
	g.Enable.Set(enable)

	b := g.In.Get()
	if g.width == BlockBits {
		g.Out.Set(Line{uint64(b.Header&3) | b.Payload<<2, uint8(b.Payload >> 62), b.Valid})
		return
	}
	// Blocks come in a cadence that is up to a block late against the line, so this much keeps the line busy.
	g.flowing = g.flowing || g.convert.Len() >= g.width+BlockBits-1
	var word blocks.Bits128
	ok := false
	if g.flowing {
		word, ok = g.convert.Pop()
	}
	if b.Valid {
		g.convert.Push(blocks.Bits128{Lo: uint64(b.Header&3) | b.Payload<<2, Hi: b.Payload >> 62})
	}
	g.Out.Set(Line{word.Lo, uint8(word.Hi), ok})
}

// RxGearbox cuts line words of Width bits back into blocks. Each cycle in which Slip is set moves the cut by one bit,
// as BlockSync asks for. Latency 1 cycle, counted from the word with the block's last bit.
type RxGearbox struct {
	In   rtl.In[Line]
	Slip rtl.In[bool]
	Out  rtl.Out[Block]

	// Skew is how many bits of the line are dropped at the start: the receiver wakes up somewhere in a block.
	Skew int

	width   int
	convert *blocks.WidthConverter
}

// NewRxGearbox returns a gearbox for line words of 1 to 66 bits.
func NewRxGearbox(width, skew int) *RxGearbox {
	checkWidth(width)
	return &RxGearbox{width: width, Skew: skew, convert: blocks.NewWidthConverter(width, BlockBits)}
}

// Reset empties the gearbox.
func (g *RxGearbox) Reset() {
	g.convert.Reset()
	g.convert.Slip(g.Skew)
	g.Out.Set(Block{})
}

// Tick takes a line word and gives a block, if it has one.
func (g *RxGearbox) Tick() {
	if g.Slip.Get() {
		g.convert.Slip(1)
	}
	if w := g.In.Get(); w.Valid {
		g.convert.Push(blocks.Bits128{Lo: w.Lo, Hi: uint64(w.Hi)})
	}
	word, ok := g.convert.Pop()
	g.Out.Set(Block{word.Lo>>2 | word.Hi<<62, uint8(word.Lo & 3), ok})
}

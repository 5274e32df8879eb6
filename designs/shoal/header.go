package shoal

import "github.com/goldwire/goldwire/blocks"

// Fields of the 8-byte cell header (Fig. 5), widths in bits, from the most significant bit down:
//
//	63      54 53      44 43         22 21       11  10   9    8    7    0
//	source 10 | dest 10  | sequence 22 | feedback 11 | SOP | EOP | LCD | CRC 8
//
// The paper gives the fields and their widths, not their order or the polynomial. The order is the figure's; the CRC is
// ATM's header error control (ITU-T I.432), x^8+x^2+x+1 over the 56 bits before it: it finds all errors of up to three
// bits in up to 119.
const (
	idBits       = 10
	sequenceBits = 22
	feedbackBits = 11
	CRCBits      = 8

	sourceShift   = 54
	destShift     = 44
	sequenceShift = 22
	feedbackShift = 11
	startShift    = 10
	endShift      = 9
	droppedShift  = 8

	idMask       = 1<<idBits - 1
	sequenceMask = 1<<sequenceBits - 1
	feedbackMask = 1<<feedbackBits - 1
)

// Values of the rate limit feedback that are no lengths. Lengths above FeedbackMax stand as FeedbackMax.
const (
	FeedbackNone    = 2047 // nothing has come from the receiver of this header yet
	FeedbackCorrupt = 2046 // the received cell was corrupt
	FeedbackMine    = 2045 // the received cell was for the sender of this header, or a dummy: nothing waits
	FeedbackMax     = 2044
)

// Cell is a header without its CRC. A cell whose source is its destination is a dummy: it is sent where nothing waits.
type Cell uint64

// NewCell returns the header of a cell without feedback.
func NewCell(source, dest int, sequence uint32, start, end bool) Cell {
	c := Cell(source)<<sourceShift | Cell(dest)<<destShift | Cell(sequence&sequenceMask)<<sequenceShift
	if start {
		c |= 1 << startShift
	}
	if end {
		c |= 1 << endShift
	}
	return c
}

// dummy returns an empty cell.
func dummy(source int) Cell { return NewCell(source, source, 0, false, false) }

// Source is the node whose cell it is.
func (c Cell) Source() int { return int(c >> sourceShift & idMask) }

// Dest is the node it is for.
func (c Cell) Dest() int { return int(c >> destShift & idMask) }

// Sequence counts the cells of a flow, modulo 2^22.
func (c Cell) Sequence() uint32 { return uint32(c>>sequenceShift) & sequenceMask }

// Feedback is the rate limit feedback.
func (c Cell) Feedback() int { return int(c >> feedbackShift & feedbackMask) }

// Start tells whether a packet starts here.
func (c Cell) Start() bool { return c>>startShift&1 != 0 }

// End tells whether a packet ends here.
func (c Cell) End() bool { return c>>endShift&1 != 0 }

// Dropped is the last-cell-dropped bit.
func (c Cell) Dropped() bool { return c>>droppedShift&1 != 0 }

// Dummy tells whether there is nothing in the cell.
func (c Cell) Dummy() bool { return c.Source() == c.Dest() }

func (c Cell) withFeedback(f int) Cell {
	return c&^(feedbackMask<<feedbackShift) | Cell(f)<<feedbackShift
}

func (c Cell) withDropped() Cell { return c | 1<<droppedShift }

// bare is the cell as it waits in a queue: without the fields about its last link.
func (c Cell) bare() Cell {
	return c &^ (feedbackMask<<feedbackShift | 1<<droppedShift | (1<<CRCBits - 1))
}

var headerCRC = blocks.MustCRC(
	blocks.CRCParams{Name: "CRC-8/I-432-1 without xor", Width: CRCBits, Poly: 0x07, Check: 0xf4},
)

// Seal returns the header with its CRC.
func (c Cell) Seal() Cell {
	c &^= 1<<CRCBits - 1
	return c | Cell(headerCRC.UpdateBits(headerCRC.Init(), uint64(c)>>CRCBits, 64-CRCBits))
}

// Intact tells whether the CRC is the header's.
func (c Cell) Intact() bool { return c.Seal() == c }

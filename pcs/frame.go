package pcs

import "github.com/goldwire/goldwire/blocks"

// Beat is one transfer of a frame stream, as on a 64-bit AXI4-Stream.
type Beat struct {
	Data  uint64 // first byte in bits 7:0
	Keep  uint8  // which bytes are there: a run of ones from bit 0; 0xff unless Last
	Last  bool
	Valid bool
	Fault FrameFault `bits:"3"` // from Deframer, with Last: the frame's fault
}

// Offered returns Valid.
func (b Beat) Offered() bool { return b.Valid }

// FrameFault is the fault of a received frame.
type FrameFault uint8

// Faults of a frame.
const (
	FrameOK     FrameFault = iota
	BadFCS                 // the frame check sequence does not fit (3.2.9)
	CodeError              // a control character before the /T/: the PCS signalled an error inside the frame
	Runt                   // shorter than 64 bytes with its FCS (4.2.4.2.2)
	BadPreamble            // a start without its start frame delimiter: nothing of the frame is delivered but this
)

func (f FrameFault) String() string {
	return [...]string{"ok", "bad FCS", "code error", "runt", "bad preamble", "?", "?", "?"}[f&7]
}

// Sizes of Clause 3 and Clause 4, in bytes.
const (
	MinFrameBytes = 64 // destination address to FCS
	FCSBytes      = 4
	PreambleBytes = 8  // with the start frame delimiter
	MinGapBytes   = 12 // the /T/ counts as part of the gap (46.2.1)

	preamble = 0xd555555555555500 | CharStart // /S/ takes the place of the first preamble byte (46.2.2)
)

// crc32 is the FCS: 3.2.9.
var crc32 = blocks.MustCRC(blocks.CRC32Ethernet)

// chars is a short queue of XGMII characters. The next to go is in the low byte of data[0].
type chars struct {
	data [3]uint64
	ctrl uint32
	n    int
}

// push appends the low k characters of a word, k at most 8. The queue holds at most 16 before it.
func (q *chars) push(data uint64, ctrl uint8, k int) {
	if k < 8 {
		data &= 1<<(8*k) - 1
		ctrl &= 1<<k - 1
	}
	w, shift := q.n>>3, uint(q.n&7)*8
	q.data[w] |= data << shift
	if shift > 0 {
		q.data[w+1] |= data >> (64 - shift)
	}
	q.ctrl |= uint32(ctrl) << q.n
	q.n += k
}

// pop takes the next eight characters.
func (q *chars) pop() (data uint64, ctrl uint8) {
	data, ctrl = q.data[0], uint8(q.ctrl)
	q.data[0], q.data[1], q.data[2] = q.data[1], q.data[2], 0
	q.ctrl >>= 8
	q.n -= 8
	return data, ctrl
}

// keepMask is the Keep of a beat with n bytes.
func keepMask(n int) uint8 { return uint8(1<<n - 1) }

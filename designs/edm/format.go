package edm

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/pcs"
)

// BlockTypes are the block type fields that EDM adds to Figure 49-7. The paper asks for unused values and gives none.
type BlockTypes struct {
	MS  byte // /MS/: start of a message
	MT  byte // /MT/: end of a message, with its last 0 to 7 bytes
	MST byte // /MST/: a message of one block
	N   byte // /N/: demand notification
	G   byte // /G/: grant
}

// DefaultTypes differ from each other in 4 bits and from all types of the standard in at least 2. No byte is further
// away: the types of the standard are all words but one, 0x00, of the extended Hamming code of 8 bits, and every byte
// lies within 2 bits of one of its words. So a single bit error never makes an EDM block of a standard one, or the
// other way round.
var DefaultTypes = BlockTypes{MS: 0x1d, MT: 0x2e, MST: 0x48, N: 0x7b, G: 0x84}

// Kind is what a message is (§2.3).
type Kind uint8

// The kinds of messages.
const (
	RREQ   Kind = iota // read request: /MS/ and /MT/ with the address
	RRES               // read response: /MS/, data, /MT/; a single byte in an /MST/
	WREQ               // write request: /MS/, an /MD/ with the address, data, /MT/
	RMWREQ             // read-modify-write: /MS/, /MD/ with address and two operands, /MT/
)

var kindNames = [...]string{"RREQ", "RRES", "WREQ", "RMWREQ"}

// String returns the paper's name.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// IsRequest tells whether the switch keeps the message as a demand, instead of forwarding it through a circuit.
func (k Kind) IsRequest() bool { return k == RREQ || k == RMWREQ }

// Header is what the 56 bits of /MS/, /MST/, /N/ and /G/ hold:
//
//	 7:0   block type
//	10:8   kind        of an /N/ or /G/: WREQ, or RRES in a /G/ to a memory node
//	18:11  id          tells the messages of a pair apart; a response has its request's
//	28:19  source      the node that sends the message; in a /G/ the node that shall send
//	38:29  destination
//	54:39  bytes       of an RREQ, RMWREQ, /N/: of the whole message; of RRES and WREQ: in this chunk;
//	                   of a /G/: that may be sent
//	62:55  high        of an RREQ: address bits 63:56; of an RMWREQ: opcode; of an /MST/: its byte;
//	                   of a WREQ: megaChunk or 0
//	63     long        of an RREQ or /N/: bytes counts the message from here on, in units of 256, of which
//	                   this asks for the first 60 KiB
//
// The paper gives 9 + 8 + 16 bits (§3.1.4) and no layout. Source and destination stand in every header, so that a
// header means the same on every link and the switch can check a circuit. Its 16 bits of size are too few for the
// messages of Figure 8b: a longer one is asked for in pieces, and bit 63 tells the scheduler how much of it remains
// whole, which is what SRPT ranks.
type Header struct {
	Kind   Kind `bits:"3"`
	ID     uint8
	Source uint16 `bits:"10"`
	Dest   uint16 `bits:"10"`
	Bytes  uint16
	High   uint8
	Long   bool
}

// Places of the fields in the payload of a block.
const (
	kindAt   = 8
	idAt     = 11
	sourceAt = 19
	destAt   = 29
	bytesAt  = 39
	highAt   = 55
	longAt   = 63

	// MaxNodes is what 10 bits of node number allow; the paper's 9 bits allow 512.
	MaxNodes = 1 << (destAt - sourceAt)
	// MaxBytes is the greatest message that 16 bits of size allow: a whole number of words.
	MaxBytes = 1<<16 - 8
	// megaChunk marks a chunk of a mega message: its words of data belong to several writes.
	megaChunk = 1
	// MostPiece is the most bytes of a message that one request asks for; a longer one is asked for in pieces.
	MostPiece = 60 << 10
	// longUnit is the unit of Bytes in a long message: its size is known to within a chunk, up to 16 MB.
	longUnit = 256
	// tailBytes is what an /MT/ carries at most.
	tailBytes = 7
)

// block returns a control block with the header.
func (h Header) block(typ byte) pcs.Block {
	long := uint64(0)
	if h.Long {
		long = 1 << longAt
	}
	return pcs.Block{
		Header: pcs.HeaderControl,
		Valid:  true,
		Payload: long | uint64(typ) | uint64(h.Kind)<<kindAt | uint64(h.ID)<<idAt |
			uint64(h.Source)<<sourceAt | uint64(h.Dest)<<destAt | uint64(h.Bytes)<<bytesAt | uint64(h.High)<<highAt,
	}
}

// HeaderOf reads the header of a block.
func HeaderOf(b pcs.Block) Header {
	p := b.Payload
	return Header{
		Kind(p >> kindAt & 7), uint8(p >> idAt), uint16(p >> sourceAt & (MaxNodes - 1)),
		uint16(p >> destAt & (MaxNodes - 1)), uint16(p >> bytesAt), uint8(p >> highAt), p>>longAt != 0,
	}
}

// lengthOf returns how many bytes a request or an /N/ asks for, and how many of its message come after them.
func lengthOf(bytes uint16, long bool) (asked uint16, after uint32) {
	if !long {
		return bytes, 0
	}
	return MostPiece, uint32(max(0, int(bytes)*longUnit-MostPiece))
}

// sizeOf is the inverse: the values of Bytes and Long for a piece of a message that has further bytes after it.
func sizeOf(bytes uint16, after uint32) (uint16, bool) {
	if bytes != MostPiece || after == 0 {
		return bytes, false
	}
	return uint16(min(math.MaxUint16, (MostPiece+uint64(after)+longUnit-1)/longUnit)), true
}

// asked is how many bytes a request asks for.
func (h Header) asked() uint16 {
	n, _ := lengthOf(h.Bytes, h.Long)
	return n
}

// tail returns an /MT/ with 56 bits.
func (t BlockTypes) tail(x uint64) pcs.Block {
	return pcs.Block{Payload: x<<8 | uint64(t.MT), Header: pcs.HeaderControl, Valid: true}
}

// data returns an /MD/, or any data block.
func data(x uint64) pcs.Block { return pcs.Block{Payload: x, Header: pcs.HeaderData, Valid: true} }

// BlockKind is what a block is to EDM.
type BlockKind uint8

// The kinds of blocks. A block that is neither EDM's nor data is of a frame, or idle.
const (
	Other BlockKind = iota
	Data            // /MD/ or /D/: which of them, the blocks before it tell
	MS
	MT
	MST
	N
	G
	Bad // a sync header that is none
)

// Classify returns what a block is.
func (t *BlockTypes) Classify(b pcs.Block) BlockKind {
	switch b.Header {
	case pcs.HeaderData:
		return Data
	case pcs.HeaderControl:
		switch byte(b.Payload) {
		case t.MS:
			return MS
		case t.MT:
			return MT
		case t.MST:
			return MST
		case t.N:
			return N
		case t.G:
			return G
		}
		return Other
	}
	return Bad
}

// IsIdle tells whether a frame's side has nothing to send.
func IsIdle(b pcs.Block) bool {
	return b.Header == pcs.HeaderControl && b.Payload == pcs.TypeC8
}

// Operation is what an RMWREQ does with an eight-byte word. All but CompareSwap return the word as it was.
type Operation uint8

// The operations.
const (
	CompareSwap Operation = iota // if the word is the first operand it becomes the second; returns one byte, 1 if it did
	FetchAdd                     // the word becomes word + first operand
	Exchange                     // the first operand
	FetchAnd                     // word & first operand
	FetchOr                      // word | first operand
	FetchXor                     // word ^ first operand
	FetchMin                     // the smaller, unsigned
	FetchMax                     // the greater, unsigned
)

// Apply returns the new word and the returned value.
func (o Operation) Apply(word, first, second uint64) (next, result uint64) {
	switch o {
	case CompareSwap:
		if word == first {
			return second, 1
		}
		return word, 0
	case FetchAdd:
		return word + first, word
	case Exchange:
		return first, word
	case FetchAnd:
		return word & first, word
	case FetchOr:
		return word | first, word
	case FetchXor:
		return word ^ first, word
	case FetchMin:
		return min(word, first), word
	case FetchMax:
		return max(word, first), word
	}
	return word, word
}

// ResponseBytes is the size of the response, which the switch infers from the opcode (§3.1.1).
func (o Operation) ResponseBytes() int {
	if o == CompareSwap {
		return 1
	}
	return 8
}

// MessageBlocks returns how many blocks a message of a kind has on the line, or a chunk of it of some bytes.
func MessageBlocks(k Kind, bytes int) int {
	switch k {
	case RREQ:
		return 2
	case RMWREQ:
		return 5
	case WREQ:
		return 3 + bytes/8
	}
	if bytes == 1 {
		return 1 // /MST/
	}
	return 2 + bytes/8
}

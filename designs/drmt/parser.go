package drmt

// Piece is a run of bits of a header and the field that has them: a P4 field of 48 bits is two pieces, of 16 and 32 bits.
type Piece struct {
	Field Field
	Bits  uint8 // at most the field's
}

// ParserState is a state of a parser: it takes headers, sets fields, and selects the next state.
type ParserState struct {
	Ops []ParserOp
	Key []Piece // what the next state is selected by, together at most 64 bits, the first uppermost
	// Transitions are tried in order; a packet that none takes is done.
	Transitions []Transition
}

// ParserOp takes a header of Bytes bytes: its pieces follow each other on the wire, and Valid becomes 1. Without pieces it sets Valid to Const.
type ParserOp struct {
	Pieces []Piece
	Bytes  int
	Valid  Field
	Const  uint32
}

// Transition goes to a state if key & Mask == Value; Next is -1 at the end.
type Transition struct {
	Value, Mask uint64
	Next        int
}

// Parser makes header vectors of packets. The paper has parser and deparser in common with RMT and says nothing of them.
type Parser struct {
	States []ParserState
	Start  int
	Port   []Piece // where the port of arrival stands; empty if no operation reads it
	Length []Piece // where the packet's length stands
	// Error is where the number of an error stands, None, TooShort and Endless are the numbers.
	Error                   []Piece
	None, TooShort, Endless uint64
	// Verify are checksums that are compared when all headers are there; Wrong becomes 1 if one is wrong.
	Verify []Checksum
	Wrong  []Piece
}

// maxParserStates bounds a packet's way, so that a parser that goes round without taking anything ends.
const maxParserStates = 256

// Parse fills a header vector and returns where the payload begins. A packet that ends within a header, or that goes round without an end, ends the
// parser there: the headers before are valid, and Error tells.
func (p *Parser) Parse(packet []byte, port uint16, h *HeaderVector) (payload int) {
	payload = p.parse(packet, port, h)
	for i := range p.Verify {
		if p.Verify[i].wrong(h) {
			setPieces(h, p.Wrong, 1)
		}
	}
	return payload
}

func (p *Parser) parse(packet []byte, port uint16, h *HeaderVector) (payload int) {
	*h = HeaderVector{}
	setPieces(h, p.Port, uint64(port))
	setPieces(h, p.Length, uint64(len(packet)))
	setPieces(h, p.Error, p.None)
	at, state := 0, p.Start
	for range maxParserStates {
		if state < 0 {
			return at
		}
		s := &p.States[state]
		for i := range s.Ops {
			op := &s.Ops[i]
			if op.Pieces == nil {
				h.Set(op.Valid, op.Const)
				continue
			}
			if at+op.Bytes > len(packet) {
				setPieces(h, p.Error, p.TooShort)
				return at
			}
			bit := 8 * at
			for _, piece := range op.Pieces {
				h.Set(piece.Field, readBits(packet, bit, int(piece.Bits)))
				bit += int(piece.Bits)
			}
			at += op.Bytes
			h.Set(op.Valid, 1)
		}
		key := getPieces(h, s.Key)
		state = -1
		for _, t := range s.Transitions {
			if key&t.Mask == t.Value {
				state = t.Next
				break
			}
		}
	}
	setPieces(h, p.Error, p.Endless)
	return at
}

// readBits returns up to 32 bits of a packet, most significant first.
func readBits(packet []byte, bit, n int) uint32 {
	var v uint64
	first, last := bit/8, (bit+n-1)/8
	for i := first; i <= last; i++ {
		v = v<<8 | uint64(packet[i])
	}
	v >>= 8*(last+1) - bit - n
	return uint32(v & (1<<n - 1))
}

// getPieces returns the bits of pieces, the first uppermost.
func getPieces(h *HeaderVector, pieces []Piece) uint64 {
	var v uint64
	for _, p := range pieces {
		v = v<<p.Bits | uint64(h.Get(p.Field))&(1<<p.Bits-1)
	}
	return v
}

// setPieces spreads a value over pieces.
func setPieces(h *HeaderVector, pieces []Piece, v uint64) {
	for i := len(pieces) - 1; i >= 0; i-- {
		h.Set(pieces[i].Field, uint32(v&(1<<pieces[i].Bits-1)))
		v >>= pieces[i].Bits
	}
}

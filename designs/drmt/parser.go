package drmt

// Piece is a run of bits of a header and the field that has them: a P4 field of 48 bits is two pieces, of 16 and 32
// bits.
type Piece struct {
	Field Field
	Bits  uint8 // at most the field's
	// Shift is how many bits of the field are below them. Only a reader of pieces may have one.
	Shift uint8
	// Held says that the bits stay in the packet: Field, of 32 bits, has a [Held].
	Held bool
}

// Held is a field of variable length, which no header vector has room for. Its bytes stay in the packet that came, and
// the header vector has their place there: the first byte's number in the upper 16 bits, their count in the lower.
type Held uint32

// first and bytes are a held field's place in the packet.
func (h Held) first() int { return int(h >> 16) }
func (h Held) bytes() int { return int(h & 0xffff) }

// ParserState is a state of a parser: it takes headers, sets fields, and selects the next state.
type ParserState struct {
	Ops []ParserOp
	Key []Piece // what the next state is selected by, together at most 64 bits, the first uppermost
	// Ahead, if not 0, are that many bits of the packet, from bit From on, that come after Key, lowest.
	From, Ahead int
	// Transitions are tried in order; a packet that none takes is done.
	Transitions []Transition
}

// ParserOpKind is what a parser does.
type ParserOpKind uint8

const (
	// Take takes a header of Bytes bytes: its pieces follow each other on the wire, and Valid becomes 1. Without pieces it
	// sets Valid to Const. A held piece among them has Value bits, which Bytes does not count.
	Take ParserOpKind = iota
	// Assign sets Pieces to Value.
	Assign
	// Demand ends the parser with the error Error unless Value is not 0.
	Demand
	// Skip passes over Value bits, which must be whole bytes.
	Skip
	// Peek ends the parser if the packet has fewer than Bytes bytes left.
	Peek
	// Fail ends the parser with the error Error.
	Fail
)

// ParserOp is one thing that a parser does.
type ParserOp struct {
	Kind   ParserOpKind
	Pieces []Piece
	Bytes  int
	Valid  Field
	Const  uint32
	Value  *ParserExpr
	Error  *ParserExpr
	// Of a header with a held piece: Late computes Value from the pieces before it, when they are there. Most is how many
	// bytes the header may have, 0 for any number; a longer one ends the parser with Error. Sum is where the ones'
	// complement sum of the held bytes stands.
	Late bool
	Most int
	Sum  []Piece
}

// ParserExpr is what a parser computes, in 64 bits: pieces, a constant (of an Op of Nop), bits of the packet, or an
// ALU's operation on Left and Right. The paper has no ALU in the parser; P4 programs want one.
type ParserExpr struct {
	Op          Opcode
	Left, Right *ParserExpr
	Pieces      []Piece
	Const       uint64
	From, Ahead int
}

func (e *ParserExpr) value(h *HeaderVector, rest []byte) uint64 {
	switch {
	case e.Op == Nop && e.Ahead > 0:
		return aheadBits(rest, e.From, e.Ahead)
	case e.Op == Nop && e.Pieces != nil:
		return getPieces(h, e.Pieces)
	case e.Op == Nop:
		return e.Const
	}
	l, r := e.Left.value(h, rest), e.Right.value(h, rest)
	is := func(b bool) uint64 { return uint64(bit(b)) }
	switch e.Op {
	case Add:
		return l + r
	case Subtract:
		return l - r
	case And:
		return l & r
	case Or:
		return l | r
	case Xor:
		return l ^ r
	case ShiftLeft:
		return l << r
	case ShiftRight:
		return l >> r
	case Equal:
		return is(l == r)
	case NotEqual:
		return is(l != r)
	case Less:
		return is(l < r)
	case LessEqual:
		return is(l <= r)
	case Greater:
		return is(l > r)
	case GreaterEqual:
		return is(l >= r)
	}
	return 0
}

// aheadBits returns up to 64 bits of a packet's rest, 0 beyond its end.
func aheadBits(rest []byte, from, n int) (v uint64) {
	for i := from; i < from+n; i++ {
		v <<= 1
		if i/8 < len(rest) {
			v |= uint64(rest[i/8] >> (7 - i%8) & 1)
		}
	}
	return v
}

// Transition goes to a state if key & Mask == Value; Next is -1 at the end.
type Transition struct {
	Value, Mask uint64
	Next        int
}

// Parser makes header vectors of packets. The paper has parser and deparser in common with RMT and says nothing of
// them.
type Parser struct {
	States []ParserState
	Start  int
	Port   []Piece // where the port of arrival stands; empty if no operation reads it
	Length []Piece // where the packet's length stands
	// Instance is where a packet's [InstanceType] stands; empty if no operation reads it.
	Instance []Piece
	// Error is where the number of an error stands, None, TooShort, Endless and Odd, of a skip that is no whole bytes, are
	// the numbers.
	Error                        []Piece
	None, TooShort, Endless, Odd uint64
	// Verify are checksums that are compared when all headers are there; Wrong becomes 1 if one is wrong.
	Verify []Checksum
	Wrong  []Piece
	// Payload is where the ones' complement sum of the packet's payload stands, by words of 16 bits from its first byte
	// on.
	Payload []Piece
	// Time is where the microseconds since the reset stand at which a packet came, in all its runs; Stamp is the same for
	// its first run alone.
	Time, Stamp []Piece
	// Draws are random numbers, of which each packet gets its own when it comes.
	Draws []RandomDraw
}

// RandomDraw is a random number in the header vector. Number returns a packet's number, counted from 0.
type RandomDraw struct {
	Pieces []Piece
	Number func(packet uint64) uint64 `state:"none"` // as built
}

// payloadSum is the ones' complement sum of words of 16 bits, the last one filled with zeros.
func payloadSum(data []byte) (sum uint64) {
	for ; len(data) > 1; data = data[2:] {
		sum += uint64(data[0])<<8 | uint64(data[1])
	}
	if len(data) > 0 {
		sum += uint64(data[0]) << 8
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return sum
}

// draw puts a packet's random numbers into its header vector.
func (p *Parser) draw(packet uint32, h *HeaderVector) {
	for i := range p.Draws {
		setPieces(h, p.Draws[i].Pieces, p.Draws[i].Number(uint64(packet)))
	}
}

// maxParserStates bounds a packet's way, so that a parser that goes round without taking anything ends.
const maxParserStates = 256

// Parse fills a header vector and returns where the payload begins. A packet that ends within a header, or that goes
// round without an end, ends the parser there: the headers before are valid, and Error tells.
func (p *Parser) Parse(packet []byte, port uint16, h *HeaderVector) (payload int) {
	return p.parseNew(packet, port, 0, h)
}

// parseNew is Parse for a packet that came at a time in microseconds.
func (p *Parser) parseNew(packet []byte, port uint16, now uint32, h *HeaderVector) (payload int) {
	*h = HeaderVector{}
	setPieces(h, p.Port, uint64(port))
	if p.tellsTime() {
		p.stamp(now, h)
	}
	return p.fill(packet, h)
}

// ParseAgain parses a packet that the program sends through the machine once more. Kept has the fields that it keeps.
func (p *Parser) ParseAgain(packet []byte, kind InstanceType, kept, h *HeaderVector) (payload int) {
	*h = *kept
	setPieces(h, p.Instance, uint64(kind))
	return p.fill(packet, h)
}

func (p *Parser) fill(packet []byte, h *HeaderVector) (payload int) {
	payload = p.parse(packet, h)
	if p.Payload != nil {
		setPieces(h, p.Payload, payloadSum(packet[payload:]))
	}
	for i := range p.Verify {
		if p.Verify[i].wrong(h) {
			setPieces(h, p.Wrong, 1)
		}
	}
	return payload
}

func (p *Parser) parse(packet []byte, h *HeaderVector) (payload int) {
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
			if op.Kind != Take {
				n, ok := p.compute(op, packet[at:], h)
				if !ok {
					return at
				}
				at += n
				continue
			}
			if op.Pieces == nil {
				h.Set(op.Valid, op.Const)
				continue
			}
			next, code, ok := p.take(op, packet, at, h)
			if !ok {
				setPieces(h, p.Error, code)
				return at
			}
			at = next
			h.Set(op.Valid, 1)
		}
		key := getPieces(h, s.Key)
		if s.Ahead > 0 {
			key = key<<s.Ahead | aheadBits(packet[at:], s.From, s.Ahead)
		}
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

// mostHeld bounds a packet's bytes whose places a [Held] can have.
const mostHeld = 1<<16 - 1

// take takes a header from a byte on and returns the byte after it; ok is false if it ends the parser with an error.
func (p *Parser) take(op *ParserOp, packet []byte, at int, h *HeaderVector) (next int, code uint64, ok bool) {
	rest, held := packet[at:], 0
	if op.Value != nil && !op.Late {
		if held, code, ok = p.held(op, rest, h); !ok {
			return at, code, false
		}
	}
	if op.Bytes+held > len(rest) {
		return at, p.TooShort, false
	}
	bit := 8 * at
	for _, piece := range op.Pieces {
		if !piece.Held {
			h.Set(piece.Field, readBits(packet, bit, int(piece.Bits)))
			bit += int(piece.Bits)
			continue
		}
		if op.Late {
			if held, _, ok = p.held(op, rest, h); !ok {
				return at, p.TooShort, false
			}
		}
		h.Set(piece.Field, uint32(bit/8)<<16|uint32(held))
		if op.Sum != nil {
			setPieces(h, op.Sum, payloadSum(packet[bit/8:bit/8+held]))
		}
		bit += 8 * held
	}
	return at + op.Bytes + held, 0, true
}

// held computes the bytes of a header's held piece; ok is false if the packet or the header has too few.
func (p *Parser) held(op *ParserOp, rest []byte, h *HeaderVector) (n int, code uint64, ok bool) {
	bits := op.Value.value(h, rest)
	switch {
	case bits%8 != 0:
		return 0, p.Odd, false
	case bits/8 > mostHeld || op.Bytes+int(bits/8) > len(rest):
		return 0, p.TooShort, false
	case !op.Late && op.Most > 0 && op.Bytes+int(bits/8) > op.Most:
		return 0, op.Error.value(h, rest), false
	}
	return int(bits / 8), 0, true
}

// compute does every operation but taking a header. It returns the bytes passed over; ok is false if the parser ends.
func (p *Parser) compute(op *ParserOp, rest []byte, h *HeaderVector) (skip int, ok bool) {
	switch op.Kind {
	case Assign:
		setPieces(h, op.Pieces, op.Value.value(h, rest))
	case Demand:
		if op.Value.value(h, rest) == 0 {
			setPieces(h, p.Error, op.Error.value(h, rest))
			return 0, false
		}
	case Skip:
		n := op.Value.value(h, rest)
		if n%8 != 0 {
			setPieces(h, p.Error, p.Odd)
			return 0, false
		}
		if n/8 > uint64(len(rest)) {
			setPieces(h, p.Error, p.TooShort)
			return 0, false
		}
		return int(n / 8), true
	case Peek:
		if op.Bytes > len(rest) {
			setPieces(h, p.Error, p.TooShort)
			return 0, false
		}
	case Fail:
		setPieces(h, p.Error, op.Error.value(h, rest))
		return 0, false
	}
	return 0, true
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
		v = v<<p.Bits | uint64(h.Get(p.Field)>>p.Shift)&(1<<p.Bits-1)
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

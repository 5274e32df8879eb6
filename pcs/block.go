package pcs

// Block is a 66-bit block.
type Block struct {
	Payload uint64 // bits 2 to 65 of Figure 49-5: of a control block, the block type field in bits 7:0
	Header  uint8  `bits:"2"` // sync header; bit 0 goes on the line first
	Valid   bool
}

// Sync headers. The standard writes them in the order of the line, 01 for data and 10 for control; 00 and 11 are
// invalid.
const (
	HeaderControl = 0b01 // on the line: 1, then 0
	HeaderData    = 0b10 // on the line: 0, then 1
)

// HeaderOK tells whether the sync header is one of the two that have a transition.
func (b Block) HeaderOK() bool { return (b.Header^b.Header>>1)&1 == 1 }

// Block type fields (Figure 49-7). The name has what the eight characters are: C control, O ordered set, S start,
// T terminate, D data; a digit tells the lane.
const (
	TypeC8   = 0x1e // C0-C7
	TypeC4O4 = 0x2d // C0-C3, O4 D5-D7
	TypeC4S4 = 0x33 // C0-C3, S4 D5-D7
	TypeO0S4 = 0x66 // O0 D1-D3, S4 D5-D7
	TypeO0O4 = 0x55 // O0 D1-D3, O4 D5-D7
	TypeS0   = 0x78 // S0 D1-D7
	TypeO0C4 = 0x4b // O0 D1-D3, C4-C7
	TypeT0   = 0x87 // T0 C1-C7
	TypeT1   = 0x99 // D0 T1 C2-C7
	TypeT2   = 0xaa
	TypeT3   = 0xb4
	TypeT4   = 0xcc
	TypeT5   = 0xd2
	TypeT6   = 0xe1
	TypeT7   = 0xff // D0-D6 T7
)

// termType is the block type field by the lane of the terminate character.
var termType = [8]byte{TypeT0, TypeT1, TypeT2, TypeT3, TypeT4, TypeT5, TypeT6, TypeT7}

// termLane is the lane of the terminate character by block type field, plus one; 0 for other types.
var termLane = func() (t [256]uint8) {
	for lane, typ := range termType {
		t[typ] = uint8(lane + 1)
	}
	return t
}()

// Control codes of 7 bits and O codes of 4 bits (Table 49-1).
const (
	codeIdle  = 0x00
	codeLPI   = 0x06
	codeError = 0x1e

	oCodeSequence = 0x0
	oCodeSignal   = 0xf

	badCode = 0xff // in the tables below: no such character or code
)

var controlCodes = []struct{ char, code byte }{
	{CharIdle, codeIdle}, {CharLPI, codeLPI}, {CharError, codeError},
	{charReserved0, 0x2d}, {charReserved1, 0x33}, {charReserved2, 0x4b},
	{charReserved3, 0x55}, {charReserved4, 0x66}, {charReserved5, 0x78},
}

// codeOfChar and charOfCode are Table 49-1 both ways. It leaves out the characters with a block format of their own:
// /S/, /T/ and the first of an ordered set.
var codeOfChar, charOfCode = func() (code [256]byte, char [128]byte) {
	for i := range code {
		code[i] = badCode
	}
	for i := range char {
		char[i] = badCode
	}
	for _, c := range controlCodes {
		code[c.char], char[c.code] = c.code, c.char
	}
	return code, char
}()

// IdleBlock is a control block of eight idles.
func IdleBlock() Block { return Block{TypeC8, HeaderControl, true} }

// ErrorBlock is EBLOCK_T of 49.2.13.2.1: a control block of eight /E/.
func ErrorBlock() Block {
	p := uint64(TypeC8)
	for i := range 8 {
		p |= codeError << (8 + 7*i)
	}
	return Block{p, HeaderControl, true}
}

// LocalFaultBlock is LBLOCK_T of 49.2.13.2.1: a control block of two local fault ordered sets.
func LocalFaultBlock() Block {
	return Block{TypeO0O4 | 1<<24 | 1<<56, HeaderControl, true} // D3 and D7 are 1, the O codes 0
}

package blocks

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// CRCParams describes a CRC in the Rocksoft model (R. Williams, "A painless guide to CRC error detection algorithms",
// 1993), as the catalogue of parametrised CRC algorithms lists it. All values are right-aligned in Width bits and
// written most significant coefficient first, whatever RefIn and RefOut say.
type CRCParams struct {
	Name    string
	Width   int    // degree of the generator polynomial, 1 to 64
	Poly    uint64 // generator without its x^Width term; bit i is the coefficient of x^i
	Init    uint64 // register before the first bit
	RefIn   bool   // true: the least significant bit of each byte goes first, as on an Ethernet line
	RefOut  bool   // true: the register is reflected before XorOut
	XorOut  uint64 // flips bits of the result
	Check   uint64 // result for the nine ASCII bytes "123456789"; NewCRC verifies it unless it is 0
	Residue uint64 // Residue() after any message followed by its own CRC
}

// CRC computes one CRC, by bits, bytes and words. Its methods are combinational: the caller keeps the register and
// passes it in as state, so that one CRC serves any number of lanes. It finds errors, and corrects none.
//
// The state is the register in the low Width bits: x^(Width-1) is bit Width-1 without RefIn, and bit 0 with it, so that
// a register whose input goes least significant bit first shifts right.
//
// One function, UpdateBit, defines the CRC. All tables and matrices are derived from it.
type CRC struct {
	p    CRCParams
	mask uint64 // the Width low bits
	poly uint64 // in the state's bit order
	init uint64 // in the state's bit order
	left int    // 64-Width: the shift that aligns the state with the top of a word

	// tab[k][b] is the state after 64 bits that are all zero but for byte k (bits 8k+7:8k), which is b, when
	// the state before was 0. The update is linear, so a word's effect is the XOR of eight entries.
	tab [8][256]uint64
}

// NewCRC builds the tables of a CRC. The error names the wrong parameter: a width outside 1..64, a value that does not
// fit the width, a polynomial without its +1 term (it may be written in reverse), or a Check that differs.
func NewCRC(p CRCParams) (*CRC, error) {
	if p.Width < 1 || p.Width > 64 {
		return nil, fmt.Errorf("blocks: CRC %q: width %d, want 1 to 64", p.Name, p.Width)
	}
	c := &CRC{p: p, mask: mask64(p.Width), poly: p.Poly, init: p.Init, left: 64 - p.Width}
	for _, f := range []struct {
		name  string
		value uint64
	}{{"Poly", p.Poly}, {"Init", p.Init}, {"XorOut", p.XorOut}, {"Check", p.Check}, {"Residue", p.Residue}} {
		if f.value&^c.mask != 0 {
			return nil, fmt.Errorf("blocks: CRC %q: %s %#x, want at most %d bits", p.Name, f.name, f.value, p.Width)
		}
	}
	if p.Poly&1 == 0 {
		return nil, fmt.Errorf("blocks: CRC %q: Poly %#x has no +1 term, want it with x^%d in bit %d and x^0 in bit 0",
			p.Name, p.Poly, p.Width-1, p.Width-1)
	}
	if p.RefIn {
		c.poly, c.init = c.reflect(p.Poly), c.reflect(p.Init)
	}
	c.buildTables()
	if got := c.Checksum([]byte("123456789")); p.Check != 0 && got != p.Check {
		return nil, fmt.Errorf("blocks: CRC %q: the check value is %#x, want %#x", p.Name, got, p.Check)
	}
	return c, nil
}

// MustCRC is NewCRC for parameters that are known to be right. It panics if they are not.
func MustCRC(p CRCParams) *CRC {
	c, err := NewCRC(p)
	if err != nil {
		panic(err)
	}
	return c
}

// Params returns the CRC's parameters.
func (c *CRC) Params() CRCParams { return c.p }

// Init returns the state before the first bit.
func (c *CRC) Init() uint64 { return c.init }

// UpdateBit is the definition of the CRC: one step of the shift register for the data bit in bit 0 of b. The tests hold
// every other form to it.
func (c *CRC) UpdateBit(state, b uint64) uint64 {
	if c.p.RefIn {
		feedback := (state ^ b) & 1
		return state>>1 ^ -feedback&c.poly
	}
	feedback := (state>>(c.p.Width-1) ^ b) & 1
	return (state<<1 ^ -feedback&c.poly) & c.mask
}

// UpdateBits takes the low n bits of data in one step, 0 <= n <= 64, in the time of one Update64. With RefIn bit 0 goes
// first; without, bit n-1 does. It panics for any other n.
func (c *CRC) UpdateBits(state, data uint64, n int) uint64 {
	// The first n bits of the state meet the data; the others only shift. Zeros that go into a zero state leave it zero,
	// so n bits are a whole word with zeros before them.
	if c.p.RefIn {
		return c.fold((state^data)<<(64-n)) ^ state>>n
	}
	return c.fold((state<<c.left^data<<(64-n))>>(64-n)) ^ state<<n&c.mask
}

// UpdateByte takes one byte.
func (c *CRC) UpdateByte(state uint64, b byte) uint64 {
	if c.p.RefIn {
		return c.tab[7][byte(state)^b] ^ state>>8
	}
	return c.tab[0][byte(state<<c.left>>56)^b] ^ state<<8&c.mask
}

// Update64 takes eight bytes, the first of them in bits 7:0 of word, whatever RefIn is. It is the step of a MAC with a
// 64-bit data path.
func (c *CRC) Update64(state, word uint64) uint64 {
	if c.p.RefIn {
		return c.fold(state ^ word)
	}
	return c.fold(state<<c.left ^ bits.ReverseBytes64(word))
}

// UpdateBytes takes the low n bytes of word, 0 <= n <= 8, the first of them in bits 7:0: the last word of a frame. It
// panics for any other n.
func (c *CRC) UpdateBytes(state, word uint64, n int) uint64 {
	if !c.p.RefIn {
		word = bits.ReverseBytes64(word) >> (64 - 8*n)
	}
	return c.UpdateBits(state, word, 8*n)
}

// Update takes the bytes of p in order.
func (c *CRC) Update(state uint64, p []byte) uint64 {
	for len(p) >= 8 {
		state = c.Update64(state, binary.LittleEndian.Uint64(p))
		p = p[8:]
	}
	for _, b := range p {
		state = c.UpdateByte(state, b)
	}
	return state
}

// Residue returns the register as the receiver sees it, reflected if RefOut, without XorOut. After an error-free
// message and its CRC it equals CRCParams.Residue.
func (c *CRC) Residue(state uint64) uint64 {
	if c.p.RefIn != c.p.RefOut {
		return c.reflect(state)
	}
	return state
}

// Final returns the CRC of the bytes that Update folded into the state.
func (c *CRC) Final(state uint64) uint64 { return c.Residue(state) ^ c.p.XorOut }

// Checksum returns the CRC of the bytes of p.
func (c *CRC) Checksum(p []byte) uint64 { return c.Final(c.Update(c.init, p)) }

// reflect reverses the Width low bits of v.
func (c *CRC) reflect(v uint64) uint64 { return bits.Reverse64(v) >> c.left }

// fold returns the state after the 64 bits of x when the state before was 0.
func (c *CRC) fold(x uint64) uint64 {
	return c.tab[0][byte(x)] ^ c.tab[1][byte(x>>8)] ^ c.tab[2][byte(x>>16)] ^ c.tab[3][byte(x>>24)] ^
		c.tab[4][byte(x>>32)] ^ c.tab[5][byte(x>>40)] ^ c.tab[6][byte(x>>48)] ^ c.tab[7][byte(x>>56)]
}

// buildTables fills tab: an entry is the XOR of the columns of the bits that are 1 in its index.
func (c *CRC) buildTables() {
	column := c.dataColumns(64)
	for k := range c.tab {
		t := &c.tab[k]
		for b := 1; b < 256; b++ {
			t[b] = t[b&(b-1)] ^ column[8*k+bits.TrailingZeros(uint(b))]
		}
	}
}

// dataColumns returns, for each bit of an n-bit word numbered as UpdateBits does, the state after the word
// if only this bit is 1 and the state before was 0.
func (c *CRC) dataColumns(n int) []uint64 {
	column := make([]uint64, n)
	state := c.UpdateBit(0, 1) // the bit that goes last
	for i := range column {
		if c.p.RefIn {
			column[n-1-i] = state
		} else {
			column[i] = state
		}
		state = c.UpdateBit(state, 0)
	}
	return column
}

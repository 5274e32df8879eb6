package shoal

import (
	"fmt"

	"github.com/goldwire/goldwire/rtl"
)

// Header is the fields of Figure 5.
type Header struct {
	Source   uint16 `bits:"10"`
	Dest     uint16 `bits:"10"`
	Sequence uint32 `bits:"22"`
	Feedback uint16 `bits:"11"`
	Start    bool
	End      bool
	Dropped  bool
	Valid    bool
}

// header returns the fields of a cell.
func (c Cell) header() Header {
	return Header{
		Source: uint16(c.Source()), Dest: uint16(c.Dest()), Sequence: c.Sequence(), Feedback: uint16(c.Feedback()),
		Start: c.Start(), End: c.End(), Dropped: c.Dropped(), Valid: true,
	}
}

func (h Header) cell() Cell {
	c := NewCell(int(h.Source), int(h.Dest), h.Sequence, h.Start, h.End).withFeedback(int(h.Feedback))
	if h.Dropped {
		c = c.withDropped()
	}
	return c
}

// HeaderWord is a header as it goes over the link: eight bytes with the CRC.
type HeaderWord struct {
	Bits  uint64
	Valid bool
}

// headerPolynomial is the polynomial of the header's CRC without its highest term. The paper does not give it: see
// headerCRC.
const headerPolynomial = 0x07

// checkPolynomial refuses a number that is no polynomial of degree 8 with a term 1: without it a single wrong bit could
// pass.
func checkPolynomial(polynomial int) error {
	if polynomial < 1 || polynomial > 0xff || polynomial%2 == 0 {
		return fmt.Errorf("header CRC of polynomial %#x, want an odd one of 0x1 to 0xff", polynomial)
	}
	return nil
}

// sealBy puts the CRC of a polynomial after a header, bit by bit.
func sealBy(c Cell, polynomial uint8) uint64 {
	crc := uint8(0)
	for bit := 63; bit >= CRCBits; bit-- {
		over := crc>>7 ^ uint8(c>>bit)&1
		crc = crc<<1 ^ over*polynomial
	}
	return uint64(c)&^(1<<CRCBits-1) | uint64(crc)
}

// HeaderEncoder packs a header and puts its CRC after it. Latency 1 cycle.
type HeaderEncoder struct {
	In  rtl.In[Header]
	Out rtl.Out[HeaderWord]

	polynomial uint8
}

// NewHeaderEncoder returns an encoder with the CRC of a polynomial, without its highest term: an odd number of 0x1 to
// 0xff. The racks have 0x07.
func NewHeaderEncoder(polynomial int) (*HeaderEncoder, error) {
	return &HeaderEncoder{polynomial: uint8(polynomial)}, checkPolynomial(polynomial)
}

// Tick packs one header.
func (e *HeaderEncoder) Tick() {
	h := e.In.Get()
	e.Out.Set(HeaderWord{Bits: sealBy(h.cell(), e.polynomial), Valid: h.Valid})
}

// HeaderDecoder splits a header into its fields. If the CRC is wrong, the fields come out unchanged and Corrupt is set:
// Appendix D uses some of them. Latency 1 cycle.
type HeaderDecoder struct {
	In      rtl.In[HeaderWord]
	Out     rtl.Out[Header]
	Corrupt rtl.Out[bool]

	polynomial uint8
}

// NewHeaderDecoder returns a decoder with the CRC of a polynomial, as [NewHeaderEncoder] has it.
func NewHeaderDecoder(polynomial int) (*HeaderDecoder, error) {
	return &HeaderDecoder{polynomial: uint8(polynomial)}, checkPolynomial(polynomial)
}

// Tick splits one header.
func (d *HeaderDecoder) Tick() {
	w := d.In.Get()
	h := Cell(w.Bits).header()
	h.Valid = w.Valid
	d.Out.Set(h)
	d.Corrupt.Set(w.Valid && sealBy(Cell(w.Bits), d.polynomial) != w.Bits)
}

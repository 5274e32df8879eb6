package shoal

import "github.com/goldwire/goldwire/rtl"

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
	return Header{Source: uint16(c.Source()), Dest: uint16(c.Dest()), Sequence: c.Sequence(), Feedback: uint16(c.Feedback()),
		Start: c.Start(), End: c.End(), Dropped: c.Dropped(), Valid: true}
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

// HeaderEncoder packs a header and puts its CRC after it. Latency 1 cycle.
type HeaderEncoder struct {
	In  rtl.In[Header]
	Out rtl.Out[HeaderWord]
}

// Tick packs one header.
func (e *HeaderEncoder) Tick() {
	h := e.In.Get()
	e.Out.Set(HeaderWord{Bits: uint64(h.cell().Seal()), Valid: h.Valid})
}

// HeaderDecoder splits a header into its fields. If the CRC is wrong, the fields come out unchanged and Corrupt is set: Appendix D uses
// some of them. Latency 1 cycle.
type HeaderDecoder struct {
	In      rtl.In[HeaderWord]
	Out     rtl.Out[Header]
	Corrupt rtl.Out[bool]
}

// Tick splits one header.
func (d *HeaderDecoder) Tick() {
	w := d.In.Get()
	h := Cell(w.Bits).header()
	h.Valid = w.Valid
	d.Out.Set(h)
	d.Corrupt.Set(w.Valid && !Cell(w.Bits).Intact())
}

package blocks

import "github.com/goldwire/goldwire/rtl"

// Checksum computes a CRC over messages that come eight bytes a cycle. It only computes: comparing is the receiver's,
// and framing too. Latency 1 cycle from a message's last word to its CRC.
type Checksum struct {
	In  rtl.In[ChecksumWord]
	Out rtl.Out[ChecksumResult]

	CRC *CRC

	state uint64 `bits:"64"`
}

// ChecksumWord is up to eight bytes of a message.
type ChecksumWord struct {
	Data  uint64 // first byte in bits 7:0
	Bytes uint8  `bits:"4"` // how many count: 0 to 8; more count as 8
	First bool   // starts a message
	Last  bool   // ends it
	Valid bool
}

// ChecksumResult is the CRC of a message.
type ChecksumResult struct {
	CRC   uint64
	Valid bool
}

// Tick takes one word.
func (c *Checksum) Tick() {
	w := c.In.Get()
	if !w.Valid {
		c.Out.Set(ChecksumResult{})
		return
	}
	if w.First {
		c.state = c.CRC.Init()
	}
	c.state = c.CRC.UpdateBytes(c.state, w.Data, int(min(w.Bytes, 8)))
	out := ChecksumResult{Valid: w.Last}
	if w.Last {
		out.CRC = c.CRC.Final(c.state)
	}
	c.Out.Set(out)
}

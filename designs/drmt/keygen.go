package drmt

import (
	"fmt"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/xbar"
)

// A key of up to 640 bits is sent in segments of 80 bits (§5.1).
const (
	Segments     = 8
	SegmentBytes = 10
)

// Key is a segment of a match key: bytes 0 to 7 in Lo, the first in the least significant bits, 8 and 9 in Hi.
type Key struct {
	Lo uint64
	Hi uint16
}

// SegmentConfig says which bytes of which packet make a key segment: its part of an entry of the key configuration
// table.
type SegmentConfig struct {
	Lo     uint64 `bits:"63"` // bytes 0 to 6 of the key, 9 bits each: a byte of the header vector
	Hi     uint32 `bits:"27"` // bytes 7 to 9
	Second bool   // of the second of the packets that start matches in this cycle (IPC 2)
	Enable bool
}

const selectBits = 9

// SetByte lets key byte i be byte b of the header vector.
func (c *SegmentConfig) SetByte(i, b int) {
	if i < 7 {
		c.Lo = c.Lo&^(0x1ff<<(selectBits*i)) | uint64(b)<<(selectBits*i)
	} else {
		c.Hi = c.Hi&^(0x1ff<<(selectBits*(i-7))) | uint32(b)<<(selectBits*(i-7))
	}
}

// KeyOf returns the segment's key for a packet.
func (c SegmentConfig) KeyOf(h *HeaderVector) Key {
	var k Key
	sel := c.Lo
	for i := range 7 {
		b := sel & 0x1ff
		sel >>= selectBits
		k.Lo |= (h.Words[b/8%vectorWords] >> (b % 8 * 8) & 0xff) << (8 * i)
	}
	k.Lo |= uint64(h.Byte(int(c.Hi&0x1ff))) << 56
	k.Hi = uint16(h.Byte(int(c.Hi>>selectBits&0x1ff))) | uint16(h.Byte(int(c.Hi>>(2*selectBits)&0x1ff)))<<8
	return k
}

// KeyGenerator is key generation as a module: the 4-kbit-to-640-bit crossbar of §5.1, of any smaller size, with the
// vectors of two packets. Bytes beyond a vector are 0. Latency 1 cycle.
type KeyGenerator struct {
	First, Second []rtl.In[uint64] // words of the two packets' vectors
	Config        []rtl.In[SegmentConfig]
	Key           []rtl.Out[xbar.Word[Key]]

	vectors [2]HeaderVector
}

// NewKeyGenerator returns a generator of 1 to 8 segments from vectors of 1 to 64 words.
func NewKeyGenerator(words, segments int) (*KeyGenerator, error) {
	if words < 1 || words > vectorWords || segments < 1 || segments > Segments {
		return nil, fmt.Errorf(
			"key generation of %d segments from %d words, want 1 to %d and 1 to %d", segments, words, Segments,
			vectorWords,
		)
	}
	return &KeyGenerator{First: make([]rtl.In[uint64], words), Second: make([]rtl.In[uint64], words),
		Config: make([]rtl.In[SegmentConfig], segments), Key: make([]rtl.Out[xbar.Word[Key]], segments)}, nil
}

// Tick makes keys.
func (g *KeyGenerator) Tick() {
	for i := range g.First {
		g.vectors[0].Words[i], g.vectors[1].Words[i] = g.First[i].Get(), g.Second[i].Get()
	}
	for s := range g.Config {
		c := g.Config[s].Get()
		if !c.Enable {
			g.Key[s].Set(xbar.Word[Key]{})
			continue
		}
		h := &g.vectors[0]
		if c.Second {
			h = &g.vectors[1]
		}
		g.Key[s].Set(xbar.Word[Key]{Data: c.KeyOf(h), Valid: true})
	}
}

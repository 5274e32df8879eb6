package rifl

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/rtl"
)

// metaEncoder is [encode] with a register after it: what a framer has between its width conversion and the
// transmitter, by itself. Latency 1 cycle.
type metaEncoder struct {
	Data    []rtl.In[uint64] // byte 0 in bits 7:0 of word 0
	Control rtl.In[BeatControl]
	Frame   []rtl.Out[uint64]

	bytes []byte
	frame []uint64
}

// newMetaEncoder returns an encoder for frames of the given number of words.
func newMetaEncoder(words int) *metaEncoder {
	return &metaEncoder{Data: make([]rtl.In[uint64], words), Frame: make([]rtl.Out[uint64], words),
		bytes: make([]byte, 8*words), frame: make([]uint64, words)}
}

// Tick encodes a frame. More bytes than fit are cut.
func (m *metaEncoder) Tick() {
	for i := range m.Data {
		binary.LittleEndian.PutUint64(m.bytes[8*i:], m.Data[i].Get())
	}
	c := m.Control.Get()
	Encode(m.frame, m.bytes[:beatBytes(c, 8*len(m.frame)-2)], c.Last)
	for i, w := range m.frame {
		m.Frame[i].Set(w)
	}
}

// metaDecoder is [decode] with a register after it. Bytes that are not valid are 0. Latency 1 cycle.
type metaDecoder struct {
	Frame   []rtl.In[uint64]
	Data    []rtl.Out[uint64]
	Control rtl.Out[BeatControl]

	bytes []byte
	frame []uint64
}

// newMetaDecoder returns a decoder for frames of the given number of words.
func newMetaDecoder(words int) *metaDecoder {
	return &metaDecoder{Frame: make([]rtl.In[uint64], words), Data: make([]rtl.Out[uint64], words),
		bytes: make([]byte, 8*words), frame: make([]uint64, words)}
}

// Tick decodes a frame. Control frames and those without valid data give no beat.
func (m *metaDecoder) Tick() {
	for i := range m.Frame {
		m.frame[i] = m.Frame[i].Get()
	}
	valid := SynOf(m.frame) == SynData && MetaOf(m.frame) != metaNone
	n, last := 0, false
	if valid {
		n, last = Decode(m.bytes, m.frame)
	}
	for i := range m.Data {
		m.Data[i].Set(littleEndian(m.bytes[:n], 8*i))
	}
	m.Control.Set(BeatControl{Bytes: uint16(n), Last: last, Valid: valid})
}

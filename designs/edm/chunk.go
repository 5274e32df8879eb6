package edm

import "github.com/goldwire/goldwire/pcs"

// response is the memory node's entry for an RREQ or RMWREQ: the part of its response that is still to be sent.
type response struct {
	atomic  bool
	address uint64
	left    int
}

// granted is an entry of the grant queue's end in the transmit side.
type granted struct {
	from  uint64 // the edge from which the data is there
	kind  Kind
	peer  uint16
	id    uint8
	bytes int
}

// chunk is the message that is being sent.
type chunk struct {
	open    bool
	begun   bool
	header  Header
	named   bool // its address is sent
	address uint64
	local   uint64
	left    int
	atomic  bool
	mega    *mega // nil for a single message
	slot    int   // of a write, to be given up after its last chunk; else -1
}

// piece is a block on its way through the pipeline.
type piece struct {
	part   part
	header Header
	value  uint64
	memory bool // the value comes from Memory
	bytes  int
}

// part is the kind of block that a piece becomes.
type part uint8

const (
	nothing part = iota
	start
	single
	word
	tail
)

// block creates the block of a piece. Loaded is the word that the memory has read.
func (p *piece) block(t *BlockTypes, loaded uint64) pcs.Block {
	if p.memory {
		p.value = loaded
	}
	switch p.part {
	case start:
		return p.header.block(t.MS)
	case single:
		p.header.High = uint8(p.value)
		return p.header.block(t.MST)
	case word:
		return data(p.value)
	case tail:
		return t.tail(p.value & (1<<(8*p.bytes) - 1))
	}
	return pcs.Block{}
}

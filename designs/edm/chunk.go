package edm

import (
	"github.com/goldwire/goldwire/pcs"
)

// response is the memory node's entry: what is still to be sent of what an RREQ or RMWREQ asks for.
type response struct {
	atomic  bool
	address uint64
	left    int
}

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

type part uint8

const (
	nothing part = iota
	start
	single
	word
	tail
)

// grant adds to the grant queue's end on this side.
func (h *HostTx) grant(e Event) {
	g := granted{h.now + uint64(h.Wait), e.Header.Kind, e.Header.Dest, e.Header.ID, int(e.Header.Bytes)}
	if e.Request {
		slot, ok := h.slot(e.Header.Source, e.Header.ID)
		if !ok {
			return
		}
		r := response{e.Header.Kind == RMWREQ, e.Address, int(e.Header.asked())}
		if r.atomic {
			r.address, r.left = uint64(slot), e.Operation.ResponseBytes()
		}
		if r.left > 0 {
			*h.Responses.entry(slot) = r
		} else { // a request of no bytes, after a bit error: there is nothing to send, also not of what was asked before with this ID
			h.Responses.free(slot)
		}
		g = granted{h.now + uint64(h.DRAM), RRES, e.Header.Source, e.Header.ID, min(h.Chunk, r.left)} // the first chunk is granted with it (§3.1.1)
	}
	if !h.Grants.Push(g) {
		h.lost++
	}
}

// look reads the message state table for the next grant, and goes on with its chunk: p is its next block.
func (h *HostTx) look(p *piece) {
	if h.Load.Get().Valid {
		h.Load.Set(MemoryRead{})
	}
	if p.part != nothing {
		*p = piece{}
	}
	if h.HoldData.Get() {
		return
	}
	if !h.chunk.open {
		if h.Grants.Empty() {
			return
		}
		g, _ := h.Grants.Peek()
		if g.from > h.now {
			return
		}
		h.Grants.Pop()
		h.open(g)
		if !h.chunk.open {
			return
		}
	}
	h.step(p)
}

// open begins the chunk of a grant.
func (h *HostTx) open(g granted) {
	slot, ok := h.slot(g.peer, g.id)
	if !ok {
		return
	}
	c := chunk{open: true, header: Header{Kind: g.kind, ID: g.id, Source: uint16(h.Node), Dest: g.peer}}
	if g.kind == WREQ {
		m := h.Messages.look(h.number(WREQ, slot))
		n := min(g.bytes, int(m.left)) // 0 if there is no such message
		if n == 0 {
			return
		}
		c.address, c.local, c.left, c.slot = m.address, m.local, n, -1
		m.address += uint64(n)
		m.local += uint64(n)
		m.left -= int32(n)
		if h.Batch > 0 && h.megas[slot].n > 1 {
			c.mega, c.header.High = &h.megas[slot], megaChunk
		}
		if m.left == 0 {
			c.slot = slot
		}
	} else {
		r := h.Responses.look(slot)
		n := min(g.bytes, r.left)
		if n == 0 {
			return
		}
		c.named, c.address, c.left, c.atomic, c.slot = true, r.address, n, r.atomic, -1
		r.address += uint64(n)
		if r.left -= n; r.left == 0 {
			h.Responses.free(slot)
		}
	}
	c.header.Bytes = uint16(c.left)
	h.chunk = c
}

// step makes the chunk's next block, and asks the memory for it.
func (h *HostTx) step(p *piece) {
	c := &h.chunk
	p.header = c.header
	switch {
	case !c.begun && c.header.Kind == RRES && c.left == 1:
		p.part, p.bytes = single, 1
		h.load(p)
		c.open = false
	case !c.begun:
		p.part, c.begun = start, true
	case !c.named:
		p.part, p.value, c.named = word, c.address, true
		if c.mega != nil {
			p.value = placeWord(c.mega.address, c.mega.left)
		}
	default:
		p.part, p.bytes = word, 8
		if c.left < 8 {
			p.part, p.bytes, c.open = tail, c.left, false
		}
		switch {
		case c.left == 0:
		case c.header.Kind == RRES:
			h.load(p)
		case c.mega != nil:
			place, local, isData := c.mega.next()
			if p.value = place; isData {
				p.value = h.Buffer(local)
			}
		default:
			p.value = h.Buffer(c.local)
		}
		c.address += 8
		c.local += 8
		c.left -= p.bytes
		if !c.open && c.slot >= 0 {
			h.wrote(c)
		}
	}
}

// load asks the memory for what a block of the chunk needs.
func (h *HostTx) load(p *piece) {
	h.Load.Set(MemoryRead{true, h.chunk.atomic, h.chunk.address})
	p.memory = true
}

// wrote gives up the slot of a write, or a mega message, whose last block is on its way.
func (h *HostTx) wrote(c *chunk) {
	number := h.number(WREQ, c.slot)
	m := h.Messages.look(number)
	switch {
	case m.lost: // the application has been told
	case c.mega == nil:
		h.done.Push(Completion{true, m.tag, false})
	default:
		for _, w := range c.mega.writes[:c.mega.n] {
			h.done.Push(Completion{true, w.Tag, false})
		}
	}
	h.end(number)
}

// build creates the block.
func (h *HostTx) build(p *piece) pcs.Block {
	if p.memory {
		p.value = h.Loaded.Get()
	}
	switch p.part {
	case start:
		return p.header.block(h.Types.MS)
	case single:
		p.header.High = uint8(p.value)
		return p.header.block(h.Types.MST)
	case word:
		return data(p.value)
	case tail:
		return h.Types.tail(p.value & (1<<(8*p.bytes) - 1))
	}
	return pcs.Block{}
}

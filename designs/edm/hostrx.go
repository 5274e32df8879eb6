package edm

import (
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// Event is an entry of the grant queue: a grant, or a request, which is the implicit grant of its response (§3.2.1).
type Event struct {
	Valid     bool
	Request   bool // not a /G/
	Header    Header
	Address   uint64    // of a request
	Operation Operation `bits:"8"`
	First     uint64    // operands of an RMWREQ
	Second    uint64
}

// Word is a piece of a received RRES or WREQ: up to eight bytes. The header of a chunk comes first, with no bytes; an
// /MST/ has both.
type Word struct {
	Valid   bool
	Kind    Kind   `bits:"3"`
	Source  uint16 `bits:"10"`
	ID      uint8
	Address uint64 // in the local memory for an RRES, in the memory node's for a WREQ
	Data    uint64 // byte 0 in the lowest bits
	Bytes   uint8  `bits:"4"` // 0 to 8
	Last    bool   // of the chunk, unless a mega message's ends with the place of the next write
}

// Placement tells the receiver where a response goes: an entry of the message state table.
type Placement struct {
	Valid   bool
	Peer    uint16 `bits:"10"` // the memory node
	ID      uint8
	Address uint64
}

// HostRx is the host's receive side in the recovered clock (§3.2.1). Latencies: a /G/ is in the grant queue 2 cycles
// after it stood at the input (parse 1, add 1), a request 3 cycles after its first block (parse 1, to the memory
// controller 1, add 1; a longer one follows its end), a block of RRES or WREQ at Word after 3 (parse 1, address 1,
// deliver 1).
type HostRx struct {
	Control rtl.In[pcs.Block]
	Data    rtl.In[pcs.Block]
	Place   rtl.In[Placement] // from the transmit side, through a FIFO
	Placed  rtl.In[bool]      // it is valid

	Event     rtl.Out[Event] // parsed; the next edge writes it into the grant queue
	PushEvent rtl.Out[bool]
	Word      rtl.Out[Word]
	PushWord  rtl.Out[bool]

	Types  BlockTypes
	Nodes  int
	Active int // IDs that a pair has

	request requestParser
	places  []uint64 // message state table: where the next byte of a response goes, by source and ID
	data    dataParser
	parsed  [2]Word // after the parser, after the address stage
}

// Reset knows of no message.
func (h *HostRx) Reset() {
	h.request, h.data, h.parsed = requestParser{}, dataParser{}, [2]Word{}
	h.places = make([]uint64, h.Nodes*h.Active)
	h.Event.Set(Event{})
	h.PushEvent.Set(false)
	h.Word.Set(Word{})
	h.PushWord.Set(false)
}

// Tick takes a block of each stream.
func (h *HostRx) Tick() {
	if h.Placed.Get() {
		if p := h.Place.Get(); h.known(p.Peer, p.ID) {
			h.places[int(p.Peer)*h.Active+int(p.ID)] = p.Address
		}
	}
	// An invalid stage is zero, and need not be moved.
	if b := h.Control.Get(); b.Valid {
		e := h.request.next(&h.Types, b)
		h.Event.Set(e)
		h.PushEvent.Set(e.Valid)
	} else if h.PushEvent.Get() {
		h.Event.Set(Event{})
		h.PushEvent.Set(false)
	}
	if valid := h.parsed[1].Valid; valid || h.PushWord.Get() {
		h.Word.Set(h.parsed[1])
		h.PushWord.Set(valid)
	}
	if h.parsed[0].Valid || h.parsed[1].Valid {
		h.parsed[1] = h.parsed[0]
		h.locate(&h.parsed[1])
	}
	if b := h.Data.Get(); b.Valid {
		h.data.next(&h.Types, b, &h.parsed[0])
	} else if h.parsed[0].Valid {
		h.parsed[0] = Word{}
	}
}

func (h *HostRx) known(peer uint16, id uint8) bool { return int(peer) < h.Nodes && int(id) < h.Active }

// locate is the address stage: a response's place is in the state table, a write brings its own.
func (h *HostRx) locate(w *Word) {
	if !w.Valid || w.Kind != RRES {
		return
	}
	if !h.known(w.Source, w.ID) {
		*w = Word{}
		return
	}
	a := &h.places[int(w.Source)*h.Active+int(w.ID)]
	w.Address = *a
	*a += uint64(w.Bytes)
}

// requestParser puts the blocks of a control message together.
type requestParser struct {
	open   bool
	n      int // blocks after the /MS/
	header Header
	words  [3]uint64
}

// next takes a valid block.
func (p *requestParser) next(t *BlockTypes, b pcs.Block) Event {
	switch t.Classify(b) {
	case G:
		return Event{Valid: true, Header: HeaderOf(b)}
	case MS:
		*p = requestParser{open: true, header: HeaderOf(b)}
	case Data:
		if p.open && p.n < len(p.words) {
			p.words[p.n] = b.Payload
			p.n++
		}
	case MT:
		if !p.open {
			break
		}
		e := Event{Valid: true, Request: true, Header: p.header}
		if p.header.Kind == RREQ {
			e.Address = uint64(p.header.High)<<56 | b.Payload>>8
		} else {
			e.Operation = Operation(p.header.High)
			e.Address, e.First, e.Second = p.words[0], p.words[1], p.words[2]
		}
		p.open = false
		return e
	}
	return Event{}
}

// dataParser takes the words out of data messages.
type dataParser struct {
	open    bool
	header  Header
	address uint64 // of the next word of a WREQ
	named   bool   // the address has come
	left    int    // bytes
	mega    bool   // of several writes, see [HostTx]
	record  int    // bytes of the current one to come
}

// next takes a valid block, and sets w to the word that it brings, or to none. It sets field by field where the word is
// kept: a processor that copies a struct at once waits for the stores of its fields.
func (p *dataParser) next(t *BlockTypes, b pcs.Block, w *Word) {
	w.Valid = false
	switch t.Classify(b) {
	case MST:
		h := HeaderOf(b)
		*w = Word{true, h.Kind, h.Source, h.ID, 0, uint64(h.High), 1, true}
	case MS:
		*p = dataParser{open: true, header: HeaderOf(b)}
		p.left = int(p.header.Bytes)
		p.named = p.header.Kind != WREQ
		p.mega = p.header.Kind == WREQ && p.header.High == megaChunk
		*w = Word{Valid: true, Kind: p.header.Kind, Source: p.header.Source, ID: p.header.ID}
	case Data:
		switch {
		case !p.open:
		case !p.named && p.mega:
			p.address, p.record = placeOf(b.Payload)
			p.named = true
		case !p.named:
			p.address, p.named = b.Payload, true
		case p.mega:
			p.megaWord(b.Payload, w)
		default:
			p.word(b.Payload, 8, w)
		}
	case MT:
		if p.open && p.left > 0 {
			p.word(b.Payload>>8, tailBytes, w)
		}
		p.open = false
	}
	if !w.Valid {
		*w = Word{}
	}
}

// word takes up to n bytes.
func (p *dataParser) word(x uint64, n int, w *Word) {
	n = min(n, p.left)
	if n <= 0 {
		return
	}
	if n < 8 {
		x &= 1<<(8*n) - 1
	}
	p.left -= n
	w.Valid, w.Kind, w.Source, w.ID = true, p.header.Kind, p.header.Source, p.header.ID
	w.Address, w.Data, w.Bytes, w.Last = p.address, x, uint8(n), p.left == 0
	p.address += 8
}

// megaWord takes a word of a mega message: data, or the place of the next write's.
func (p *dataParser) megaWord(x uint64, w *Word) {
	if p.left -= 8; p.left < 0 {
		return
	}
	if p.record == 0 {
		p.address, p.record = placeOf(x)
		return
	}
	n := min(8, p.record)
	if n < 8 {
		x &= 1<<(8*n) - 1
	}
	w.Valid, w.Kind, w.Source, w.ID = true, WREQ, p.header.Source, p.header.ID
	w.Address, w.Data, w.Bytes, w.Last = p.address, x, uint8(n), p.left == 0
	p.address += 8
	p.record -= n
}

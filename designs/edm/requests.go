package edm

import (
	"github.com/goldwire/goldwire/pcs"
)

type outgoing struct {
	valid bool
	id    uint8
	Request
}

// dequeue reads the message queue.
func (h *HostTx) dequeue() {
	if h.next.valid || h.HoldControl.Get() || h.Waiting.Count == 0 {
		return
	}
	d := h.Waiting.candidate()
	var id uint8
	free := false
	for ; d >= 0; d = h.Waiting.candidate() {
		r := h.Waiting.first(d)
		if id, free = h.freeID(r.Kind, r.Dest); free || h.unreachable(r.Kind, r.Dest) {
			break
		}
		h.Waiting.block(d)
	}
	if d < 0 {
		return
	}
	r := h.Waiting.takeInTurn(d)
	if !free { // nobody answers there
		h.done.Push(Completion{true, r.Tag, true})
		return
	}
	m := h.Messages.entry(h.number(r.Kind, int(r.Dest)*h.Active+int(id)))
	*m = activeMessage{tag: r.Tag, address: r.Address, local: r.Local, left: int32(r.Bytes)}
	if h.Batch > 0 && r.Kind == WREQ {
		r.Bytes = h.gather(r, id)
		m.left = int32(r.Bytes)
	}
	h.next = outgoing{true, id, r}
}

// create makes the blocks of /N/ and requests, one a cycle.
func (h *HostTx) create() {
	h.Placed.Set(false)
	if !h.current.valid {
		if !h.next.valid {
			h.Control.Set(pcs.Block{})
			return
		}
		h.current, h.next = h.next, outgoing{}
		h.sent = 0
		r := &h.current
		if r.Kind != WREQ {
			h.Place.Set(Placement{true, r.Dest, r.id, r.Local})
			h.Placed.Set(true)
		}
		if h.Timeout > 0 && (r.Kind != WREQ || h.TimeWrites) {
			// An undetected error may have ended the message already: a response that seemed to be its own.
			if i := h.number(r.Kind, int(r.Dest)*h.Active+int(r.id)); h.Messages.has(i) {
				h.startTimer(int32(i))
			}
		}
	}
	h.Control.Set(h.requestBlock())
}

// requestBlock returns the next block of the request whose blocks are leaving.
func (h *HostTx) requestBlock() pcs.Block {
	r := &h.current
	head := Header{Kind: r.Kind, ID: r.id, Source: uint16(h.Node), Dest: r.Dest}
	head.Bytes, head.Long = sizeOf(r.Bytes, r.Rest)
	var b pcs.Block
	last := 0
	switch r.Kind {
	case WREQ:
		b = head.block(h.Types.N)
	case RREQ:
		last = 1
		if h.sent == 0 {
			head.High = uint8(r.Address >> 56)
			b = head.block(h.Types.MS)
		} else {
			b = h.Types.tail(r.Address)
		}
	default:
		last = 4
		switch h.sent {
		case 0:
			head.High = uint8(r.Operation)
			b = head.block(h.Types.MS)
		case 1:
			b = data(r.Address)
		case 2:
			b = data(r.First)
		case 3:
			b = data(r.Second)
		default:
			b = h.Types.tail(0)
		}
	}
	if h.sent++; h.sent > last {
		r.valid = false
	}
	return b
}

package edm

import "github.com/goldwire/goldwire/pcs"

// outgoing is a request that was read from the message queue, with the ID of its message.
type outgoing struct {
	valid bool
	id    uint8
	Request
}

// leaving is the request whose blocks are leaving, one a cycle. It is a part.
type leaving struct {
	outgoing
	sent int // blocks of it
}

// next returns the next block of the request, which a node sends. With the last one the request is not valid any more.
func (r *leaving) next(t *BlockTypes, node int) pcs.Block {
	head := Header{Kind: r.Kind, ID: r.id, Source: uint16(node), Dest: r.Dest}
	head.Bytes, head.Long = sizeOf(r.Bytes, r.Rest)
	var b pcs.Block
	last := 0
	switch r.Kind {
	case WREQ:
		b = head.block(t.N)
	case RREQ:
		last = 1
		if r.sent == 0 {
			head.High = uint8(r.Address >> 56)
			b = head.block(t.MS)
		} else {
			b = t.tail(r.Address)
		}
	default:
		last = 4
		switch r.sent {
		case 0:
			head.High = uint8(r.Operation)
			b = head.block(t.MS)
		case 1:
			b = data(r.Address)
		case 2:
			b = data(r.First)
		case 3:
			b = data(r.Second)
		default:
			b = t.tail(0)
		}
	}
	if r.sent++; r.sent > last {
		r.valid = false
	}
	return b
}

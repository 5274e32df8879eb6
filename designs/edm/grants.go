package edm

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// Grants turns the scheduler's grants into blocks (§3.2.2): a /G/ to the source, or, the first time for a read, the
// buffered request, which is the grant of its first chunk (§3.1.1). Latency 1 cycle to the first block.
//
// The paper keeps requests in the notification queue; here the scheduler has their demands and this module their
// blocks.
type Grants struct {
	Body    []rtl.In[pcs.Block] // of requests, by port
	Grant   []rtl.In[Grant]
	Control []rtl.Out[pcs.Block] // to the port's transmit multiplexer
	Refused rtl.Out[uint32]      // requests with an ID or a destination that cannot be, and blocks without room

	Types  BlockTypes
	Active int

	requests slots[bufferedRequest] // by requester, memory node and ID: requests not granted yet
	more     slots[moreBlocks]      // the blocks after the first two, of the same
	open     []int                  // by port: the request whose blocks come, or none
	leaving  []*blocks.FIFO[pcs.Block]
	busy     blocks.Bits // ports with blocks that leave, one of them at Control or none
	refused  uint32
}

// noRequest stands for a request that is not kept.
const noRequest = -1

// requestBlocks is the longest request: an RMWREQ's. Most, RREQs, have but shortRequest.
const (
	requestBlocks = 5
	shortRequest  = 2
)

// bufferedRequest is what a request has in the table.
type bufferedRequest struct {
	payload [shortRequest]uint64
	headers uint16 // sync headers of all its blocks, 2 bits each, the first in the lowest
	n       uint8  // blocks
	// first grants to come: more than one if an undetected error gave another request its ID, whose blocks then go twice
	granted uint32
}

// moreBlocks are the payloads of an RMWREQ's further blocks.
type moreBlocks [requestBlocks - shortRequest]uint64

// Reset keeps no request.
func (g *Grants) Reset() {
	n := len(g.Body)
	g.requests, g.more = newSlots[bufferedRequest](n*n*g.Active), newSlots[moreBlocks](n*n*g.Active)
	g.open, g.busy, g.refused = make([]int, n), blocks.NewBits(n), 0
	g.leaving = make([]*blocks.FIFO[pcs.Block], n)
	for p := range n {
		g.open[p] = noRequest
		g.leaving[p] = blocks.NewFIFO[pcs.Block](4 * requestBlocks)
		g.Control[p].Set(pcs.Block{})
	}
	g.Refused.Set(0)
}

// Tick stores arriving requests, and sends.
func (g *Grants) Tick() {
	grant, body := g.Grant, g.Body // a loop over local slices does not load them again for each port
	for p := range grant {
		if grant[p].Get().Valid { // asked first: a Grant does not fit into registers, and mostly there is none
			g.grant(p, grant[p].Get())
		}
		if b := body[p].Get(); b.Valid {
			g.store(p, b)
		}
	}
	for p := g.busy.Next(0); p >= 0; p = g.busy.Next(p + 1) {
		b, ok := g.leaving[p].Pop()
		g.Control[p].Set(b)
		if !ok { // there is none, and Control is clear
			g.busy.Clear(p)
		}
	}
	g.Refused.Set(g.refused)
}

func (g *Grants) slot(requester, memory int, id uint8) int {
	if memory >= len(g.Body) || int(id) >= g.Active {
		return noRequest
	}
	return (requester*len(g.Body)+memory)*g.Active + int(id)
}

// store keeps a block of a request.
func (g *Grants) store(port int, b pcs.Block) {
	if g.Types.Classify(b) == MS {
		h := HeaderOf(b)
		r := g.slot(port, int(h.Dest), h.ID)
		if r == noRequest {
			g.refused++
		} else {
			e := g.requests.entry(r)
			e.n, e.headers = 0, 0
			e.granted++
		}
		g.open[port] = r
	}
	if g.open[port] == noRequest || !g.requests.has(g.open[port]) {
		return
	}
	slot := g.open[port]
	r := g.requests.look(slot)
	if r.n == requestBlocks {
		return
	}
	if r.n < shortRequest {
		r.payload[r.n] = b.Payload
	} else {
		g.more.entry(slot)[r.n-shortRequest] = b.Payload
	}
	r.headers |= uint16(b.Header) << (2 * r.n)
	r.n++
}

// grant queues the blocks of a grant to a source.
func (g *Grants) grant(source int, x Grant) {
	q := g.leaving[source]
	g.busy.Set(source)
	if x.Read && x.First {
		if i := g.slot(int(x.Dest), source, x.ID); i != noRequest {
			g.release(q, i)
		}
		return
	}
	h := Header{Kind: WREQ, ID: x.ID, Source: uint16(source), Dest: x.Dest, Bytes: x.Bytes}
	if x.Read {
		h.Kind = RRES
	}
	g.push(q, h.block(g.Types.G))
}

// release queues the blocks of a request.
func (g *Grants) release(q *blocks.FIFO[pcs.Block], slot int) {
	if !g.requests.has(slot) {
		return
	}
	r := g.requests.look(slot)
	for i := range r.n {
		b := pcs.Block{Header: uint8(r.headers >> (2 * i) & 3), Valid: true}
		if i < shortRequest {
			b.Payload = r.payload[i]
		} else {
			b.Payload = g.more.look(slot)[i-shortRequest]
		}
		g.push(q, b)
	}
	if r.granted--; r.granted == 0 {
		g.requests.free(slot)
		g.more.free(slot)
	}
}

func (g *Grants) push(q *blocks.FIFO[pcs.Block], b pcs.Block) {
	if !q.Push(b) {
		g.refused++
	}
}

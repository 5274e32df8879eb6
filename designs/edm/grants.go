package edm

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// Grants turns the scheduler's grants into blocks (§3.2.2): a /G/ to the source, or, the first time for a read, the buffered
// request, which is the grant of its first chunk (§3.1.1). Latency 1 cycle to the first block.
//
// The paper keeps requests in the notification queue; here the scheduler has their demands and this module their blocks.
type Grants struct {
	Body    []rtl.In[pcs.Block] // of requests, by port
	Grant   []rtl.In[Grant]
	Control []rtl.Out[pcs.Block] // to the port's transmit multiplexer
	Refused rtl.Out[uint32]      // requests with an ID or a destination that cannot be, and blocks without room

	Types  BlockTypes
	Active int

	requests slots[bufferedRequest] // by requester, memory node and ID
	open     []int                  // by port: the request whose blocks come, or none
	leaving  []*blocks.FIFO[pcs.Block]
	busy     blocks.Bits // ports with blocks that leave, one of them at Control or none
	refused  uint32
}

// noRequest stands for a request that is not kept.
const noRequest = -1

// requestBlocks is the longest request: an RMWREQ's.
const requestBlocks = 5

type bufferedRequest struct {
	n      int // blocks; it lies beside the first two, which are all that most requests have
	blocks [requestBlocks]pcs.Block
}

// Reset keeps no request.
func (g *Grants) Reset() {
	n := len(g.Body)
	g.requests, g.open, g.busy, g.refused = newSlots[bufferedRequest](n*n*g.Active), make([]int, n), blocks.NewBits(n), 0
	g.leaving = make([]*blocks.FIFO[pcs.Block], n)
	for p := range n {
		g.open[p] = noRequest
		g.leaving[p] = blocks.NewFIFO[pcs.Block](4 * requestBlocks)
		g.Control[p].Set(pcs.Block{})
	}
	g.Refused.Set(0)
}

// Tick stores what comes, and sends.
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
		h := headerOf(b)
		r := g.slot(port, int(h.Dest), h.ID)
		if r == noRequest {
			g.refused++
		} else {
			g.requests.entry(r).n = 0
		}
		g.open[port] = r
	}
	if g.open[port] == noRequest {
		return
	}
	if r := g.requests.look(g.open[port]); r.n < requestBlocks {
		r.blocks[r.n] = b
		r.n++
	}
}

// grant queues the blocks of a grant to a source.
func (g *Grants) grant(source int, x Grant) {
	q := g.leaving[source]
	g.busy.Set(source)
	if x.Read && x.First {
		if i := g.slot(int(x.Dest), source, x.ID); i != noRequest {
			r := g.requests.look(i)
			for _, b := range r.blocks[:r.n] {
				g.push(q, b)
			}
		}
		return
	}
	h := Header{Kind: WREQ, ID: x.ID, Source: uint16(source), Dest: x.Dest, Bytes: x.Bytes}
	if x.Read {
		h.Kind = RRES
	}
	g.push(q, h.block(g.Types.G))
}

func (g *Grants) push(q *blocks.FIFO[pcs.Block], b pcs.Block) {
	if !q.Push(b) {
		g.refused++
	}
}

package edm

import (
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// Completion tells the application that a read's response has come, or that a write's last chunk has left. Null is the
// empty response to a read whose timer has expired (§3.3), or says that a write was not granted in time.
type Completion struct {
	Valid bool
	Tag   uint32
	Null  bool
}

// HostTx is the host's transmit side (§3.2.1), the same in compute and memory nodes. Latencies, from the edge that puts
// a request into the message queue to its first block: 2 cycles (read the queue 1, create the block and write the state
// table 1). From the edge that takes an event from the grant queue to the first block of its chunk: 3 cycles (state
// table 1, data buffer 1, create the block 1). Reading the grant queue across the clocks is 4 cycles, the FIFO's 3 and
// the edge that takes.
//
// At most Active messages of a host are under way to each other host, reads and writes counted together. If Apart is
// set, reads and writes are counted apart, with Active as the limit of each. The ID of a message is its place among the
// messages that are counted with it.
type HostTx struct {
	Request rtl.In[Request]
	Event   rtl.In[Event] // from the grant queue, which is emptied at every edge
	Arrived rtl.In[bool]
	Word    rtl.In[Word] // received; RRES' words count here
	Written rtl.In[bool]
	Loaded  rtl.In[uint64] // from Memory

	HoldControl rtl.In[bool]
	HoldData    rtl.In[bool]

	Ready   rtl.Out[bool]
	Control rtl.Out[pcs.Block]
	Data    rtl.Out[pcs.Block]
	Load    rtl.Out[MemoryRead]
	Place   rtl.Out[Placement]
	Placed  rtl.Out[bool]
	Done    rtl.Out[Completion]

	Types   BlockTypes
	Node    int
	Nodes   int
	Active  int
	Chunk   int  // the paper's c
	DRAM    int  // cycles from a request's arrival until its data can be sent
	Wait    int  // cycles from a /G/ until its data can be sent
	Apart   bool // reads and writes have Active messages each
	Timeout int  // of a read, in cycles; 0 for none
	// TimeWrites gives writes the timer of reads, from their /N/ to their last block: without it a write that is never
	// granted never ends. The paper has timers for reads alone (§3.3).
	TimeWrites bool
	Queue      int // requests that the message queue holds
	// bytes up to which waiting writes to one node go as one mega message; 0 for none
	Batch int
	// the data buffer: eight bytes at a multiple of 8, the same at each call
	Buffer func(address uint64) uint64 `state:"none" ports:"none"`

	now       uint64
	waiting   *messageQueue
	next      outgoing // read from the message queue
	current   leaving
	megas     []mega // by the slot of a write
	state     messageTable
	responses slots[response] // by requester and ID
	grants    backlog[granted]
	chunk     chunk
	pipe      [2]piece // after the state table, after the data buffer
	lost      int      // grants for which there was no room
	done      backlog[Completion]
}

// Requests returns how many requests wait in the message queue.
func (h *HostTx) Requests() int { return h.waiting.count }

// Granted returns how many grants have left the grant queue and wait for their data.
func (h *HostTx) Granted() int { return h.grants.Len() }

// Sending returns the header of the chunk that is being sent, or was last.
func (h *HostTx) Sending() Header { return h.chunk.header }

// Lost returns how many grants found no room. There is room for all grants of a scheduler.
func (h *HostTx) Lost() int { return h.lost }

// Input is the stream of the application's requests.
func (h *HostTx) Input() rtl.Consumer[Request] {
	return rtl.Consumer[Request]{Beat: &h.Request, Ready: &h.Ready}
}

// Reset has nothing to send.
func (h *HostTx) Reset() {
	n := h.Nodes * h.Active
	h.now, h.waiting = 0, newMessageQueue(h.Queue, 2*h.Nodes)
	h.next, h.current = outgoing{}, leaving{}
	h.megas = nil
	if h.Batch > 0 {
		h.megas = make([]mega, n)
	}
	h.state, h.responses = newMessageTable(h.Nodes, h.Active, h.Apart, h.Timeout), newSlots[response](n)
	h.grants, h.done = newBacklog[granted](4*n+h.Wait+h.DRAM), newBacklog[Completion](4*n+h.Queue)
	h.chunk, h.pipe, h.lost = chunk{}, [2]piece{}, 0
	h.Ready.Set(true)
	h.Control.Set(pcs.Block{})
	h.Data.Set(pcs.Block{})
	h.Load.Set(MemoryRead{})
	h.Place.Set(Placement{})
	h.Placed.Set(false)
	h.Done.Set(Completion{})
}

// Tick does one cycle of each stage, the last first.
func (h *HostTx) Tick() {
	h.now++
	if h.Written.Get() && h.Word.Get().Kind == RRES {
		h.receive(h.Word.Get().Source, h.Word.Get().ID, h.Word.Get().Bytes)
	}
	if h.state.oldest >= 0 {
		h.expire()
	}
	h.create()
	h.dequeue()
	if h.Request.Get().Valid &&
		h.Ready.Get() { // the whole request is looked at only then: copies of it would cost more than the rest
		r := h.Request.Get()
		if int(r.Dest) < h.Nodes && int(r.Dest) != h.Node && r.Bytes > 0 {
			if r.Kind == RMWREQ {
				r.Bytes = uint16(r.Operation.ResponseBytes())
			}
			h.waiting.push(r)
		} else { // there is nobody to ask
			h.done.Push(Completion{true, r.Tag, true})
		}
	}
	h.Ready.Set(!h.waiting.full())

	if h.pipe[1].part != nothing || h.Data.Get().Valid {
		h.Data.Set(h.pipe[1].block(&h.Types, h.Loaded.Get()))
	}
	if h.pipe[0].part != nothing || h.pipe[1].part != nothing {
		h.pipe[1] = h.pipe[0]
	}
	h.look(&h.pipe[0])
	if h.Arrived.Get() {
		h.grant(h.Event.Get())
	}
	c, _ := h.done.Pop()
	h.Done.Set(c)
}

// dequeue reads the message queue.
func (h *HostTx) dequeue() {
	if h.next.valid || h.HoldControl.Get() || h.waiting.count == 0 {
		return
	}
	d := h.waiting.candidate()
	var id uint8
	free := false
	for ; d >= 0; d = h.waiting.candidate() {
		r := h.waiting.first(d)
		if id, free = h.state.freeID(r.Kind, r.Dest); free || h.state.unreachable(r.Kind, r.Dest) {
			break
		}
		h.waiting.block(d)
	}
	if d < 0 {
		return
	}
	r := h.waiting.takeInTurn(d)
	if !free { // nobody answers there
		h.done.Push(Completion{true, r.Tag, true})
		return
	}
	m := h.state.messages.entry(h.state.number(r.Kind, int(r.Dest)*h.Active+int(id)))
	*m = activeMessage{tag: r.Tag, address: r.Address, local: r.Local, left: int32(r.Bytes)}
	if h.Batch > 0 && r.Kind == WREQ {
		r.Bytes = h.megas[int(r.Dest)*h.Active+int(id)].gather(h.waiting, r, h.Batch)
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
		h.current, h.next = leaving{outgoing: h.next}, outgoing{}
		r := &h.current
		if r.Kind != WREQ {
			h.Place.Set(Placement{true, r.Dest, r.id, r.Local})
			h.Placed.Set(true)
		}
		if h.Timeout > 0 && (r.Kind != WREQ || h.TimeWrites) {
			// An undetected error may have ended the message already: a response that seemed to be its own.
			if i := h.state.number(r.Kind, int(r.Dest)*h.Active+int(r.id)); h.state.messages.has(i) {
				h.state.startTimer(int32(i), h.now)
			}
		}
	}
	h.Control.Set(h.current.next(&h.Types, h.Node))
}

// freed lets the requests to a destination go that wait for an ID.
func (h *HostTx) freed(dest int) {
	h.waiting.unblock(2 * dest)
	h.waiting.unblock(2*dest + 1)
}

// receive counts the bytes of a response.
func (h *HostTx) receive(source uint16, id, bytes uint8) {
	slot, ok := h.state.slot(source, id)
	if !ok || !h.state.messages.has(slot) {
		return
	}
	m := h.state.messages.look(slot)
	if m.left -= int32(bytes); m.left > 0 {
		return
	}
	if !m.lost {
		h.done.Push(Completion{true, m.tag, false})
	}
	h.end(slot)
}

// end forgets a message, by its number.
func (h *HostTx) end(number int) {
	h.state.forget(number)
	h.freed(h.state.nodeOf(number))
}

// expire gives up the message whose timer was started first, if its time is over, and tells the application. It is
// called only while a timer runs.
func (h *HostTx) expire() {
	i := h.state.expired(h.now)
	if i < 0 {
		return
	}
	slot := h.state.slotOf(i)
	if h.Batch > 0 && i == h.state.number(WREQ, slot) {
		for _, w := range h.megas[slot].writes[:h.megas[slot].n] {
			h.done.Push(Completion{true, w.Tag, true})
		}
	} else {
		h.done.Push(Completion{true, h.state.messages.look(i).tag, true})
	}
	h.freed(h.state.nodeOf(i))
}

// grant adds to the grant queue's end on this side.
func (h *HostTx) grant(e Event) {
	g := granted{h.now + uint64(h.Wait), e.Header.Kind, e.Header.Dest, e.Header.ID, int(e.Header.Bytes)}
	if e.Request {
		slot, ok := h.state.slot(e.Header.Source, e.Header.ID)
		if !ok {
			return
		}
		r := response{e.Header.Kind == RMWREQ, e.Address, int(e.Header.asked())}
		if r.atomic {
			r.address, r.left = uint64(slot), e.Operation.ResponseBytes()
		}
		if r.left > 0 {
			*h.responses.entry(slot) = r
		} else {
			// a request of no bytes, after a bit error: nothing is to be sent, also not of an earlier request with its ID
			h.responses.free(slot)
		}
		g = granted{
			h.now + uint64(h.DRAM), RRES, e.Header.Source, e.Header.ID, min(h.Chunk, r.left),
		} // the first chunk is granted with it (§3.1.1)
	}
	if !h.grants.Push(g) {
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
		if h.grants.Empty() {
			return
		}
		g, _ := h.grants.Peek()
		if g.from > h.now {
			return
		}
		h.grants.Pop()
		h.open(g)
		if !h.chunk.open {
			return
		}
	}
	h.step(p)
}

// open begins the chunk of a grant.
func (h *HostTx) open(g granted) {
	slot, ok := h.state.slot(g.peer, g.id)
	if !ok {
		return
	}
	c := chunk{open: true, header: Header{Kind: g.kind, ID: g.id, Source: uint16(h.Node), Dest: g.peer}}
	if g.kind == WREQ {
		m := h.state.messages.look(h.state.number(WREQ, slot))
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
		r := h.responses.look(slot)
		n := min(g.bytes, r.left)
		if n == 0 {
			return
		}
		c.named, c.address, c.left, c.atomic, c.slot = true, r.address, n, r.atomic, -1
		r.address += uint64(n)
		if r.left -= n; r.left == 0 {
			h.responses.free(slot)
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

// load asks the memory for the words of a block of the chunk.
func (h *HostTx) load(p *piece) {
	h.Load.Set(MemoryRead{true, h.chunk.atomic, h.chunk.address})
	p.memory = true
}

// wrote gives up the slot of a write, or a mega message, whose last block is on its way.
func (h *HostTx) wrote(c *chunk) {
	number := h.state.number(WREQ, c.slot)
	m := h.state.messages.look(number)
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

package edm

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// Completion tells the application that a read's response has come, or that a write's last chunk has left. Null is the empty
// response to a read whose timer has expired (§3.3).
type Completion struct {
	Valid bool
	Tag   uint32
	Null  bool
}

// HostTx is the host's transmit side (§3.2.1), the same in compute and memory nodes. Latencies, from the edge that puts a request into
// the message queue to its first block: 2 cycles (read the queue 1, create the block and write the state table 1). From the
// edge that takes an event from the grant queue to the first block of its chunk: 3 cycles (state table 1, data buffer 1,
// create the block 1). Reading the grant queue across the clocks is 4 cycles, the FIFO's 3 and the edge that takes.
//
// A pair of nodes has Active reads and Active writes under way at most: the ID of a message is its place among them.
type HostTx struct {
	Request rtl.In[Request]
	Event   rtl.In[Event] // from the grant queue, which is emptied at every edge
	Arrived rtl.In[bool]
	Word    rtl.In[Word] // received; those of RRES count here
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
	Chunk   int                         // the paper's c
	DRAM    int                         // cycles from a request's arrival until its data can be sent
	Wait    int                         // cycles from a /G/ until its data can be sent
	Timeout int                         // of a read, in cycles; 0 for none
	Queue   int                         // requests that the message queue holds
	Batch   int                         // bytes up to which waiting writes to one node go as one mega message; 0 for none
	Buffer  func(address uint64) uint64 // the data buffer: eight bytes at a multiple of 8

	now       uint64
	queue     *messageQueue
	next      outgoing // read from the message queue
	current   outgoing // the request whose blocks are leaving
	sent      int      // blocks of it
	megas     []mega   // by the slot of a write
	reads     []activeMessage
	writes    []activeMessage
	responses []response // by requester and ID
	grants    *blocks.FIFO[granted]
	chunk     chunk
	pipe      [2]piece // behind the state table, behind the data buffer
	oldest    int32    // list of the reads under way, by their slots: the order in which their timers expire
	newest    int32
	lost      int // grants for which there was no room
	done      *blocks.FIFO[Completion]
}

type outgoing struct {
	valid bool
	id    uint8
	Request
}

// activeMessage is an entry of the message state table.
type activeMessage struct {
	used, lost bool // lost: its timer has expired
	tag        uint32
	address    uint64 // of the memory node
	local      uint64
	left       int    // bytes to come, or to send
	deadline   uint64 // of a read
	timed      bool   // in the list
	prev, next int32
}

// mega is several writes to one node under one notification (§3.1.2). Their data goes as a stream of words: each write but the first
// is preceded by a word with its place, and filled up to whole words.
type mega struct {
	writes  [megaMost]Request
	n, next int    // writes, and the one whose data comes after the current
	address uint64 // of the current write's next word, in both memories
	local   uint64
	left    int // bytes of it
}

// megaMost is how many writes a mega message has at most.
const megaMost = 8

// placeWord packs where data goes: 48 bits of address, 16 of size.
func placeWord(address uint64, bytes int) uint64 { return address | uint64(bytes)<<48 }

func placeOf(w uint64) (address uint64, bytes int) { return w & (1<<48 - 1), int(w >> 48) }

// begin starts the stream of a write.
func (m *mega) begin() {
	w := &m.writes[m.next]
	m.address, m.local, m.left = w.Address, w.Local, int(w.Bytes)
	m.next++
}

// word returns the stream's next word.
func (m *mega) word(buffer func(uint64) uint64) uint64 {
	if m.left == 0 {
		m.begin()
		return placeWord(m.address, m.left)
	}
	x := buffer(m.local)
	m.address += 8
	m.local += 8
	m.left = max(0, m.left-8)
	return x
}

// words is how many bytes of whole words so many bytes take.
func words(bytes int) int { return (bytes + 7) &^ 7 }

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
	slot    int   // of a write, to be given up behind its last chunk; else -1
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

// Reset has nothing to send.
func (h *HostTx) Reset() {
	h.now, h.queue = 0, newMessageQueue(h.Queue, 2*h.Nodes)
	h.next, h.current, h.sent = outgoing{}, outgoing{}, 0
	n := h.Nodes * h.Active
	h.megas = nil
	if h.Batch > 0 {
		h.megas = make([]mega, n)
	}
	h.reads, h.writes, h.responses = make([]activeMessage, n), make([]activeMessage, n), make([]response, n)
	h.grants, h.done = blocks.NewFIFO[granted](4*n+h.Wait+h.DRAM), blocks.NewFIFO[Completion](4*n+h.Queue)
	h.chunk, h.pipe = chunk{}, [2]piece{}
	h.oldest, h.newest, h.lost = -1, -1, 0
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
	h.receive()
	h.expire()
	h.create()
	h.dequeue()
	if r := h.Request.Get(); r.Valid && h.Ready.Get() {
		if int(r.Dest) < h.Nodes && int(r.Dest) != h.Node && r.Bytes > 0 {
			if r.Kind == RMWREQ {
				r.Bytes = uint16(r.Operation.ResponseBytes())
			}
			h.queue.push(r)
		} else { // there is nobody to ask
			h.done.Push(Completion{true, r.Tag, true})
		}
	}
	h.Ready.Set(!h.queue.full())

	h.Data.Set(h.build(h.pipe[1]))
	h.pipe[1] = h.pipe[0]
	h.pipe[0] = h.look()
	if h.Arrived.Get() {
		h.grant(h.Event.Get())
	}
	c, _ := h.done.Pop()
	h.Done.Set(c)
}

func (h *HostTx) slot(peer uint16, id uint8) (int, bool) {
	return int(peer)*h.Active + int(id), int(peer) < h.Nodes && int(id) < h.Active
}

// freeID returns an unused ID of a destination.
func (h *HostTx) freeID(messages []activeMessage, dest uint16) (uint8, bool) {
	for id := range h.Active {
		if !messages[int(dest)*h.Active+id].used {
			return uint8(id), true
		}
	}
	return 0, false
}

// unreachable tells whether all reads of a destination have timed out.
func (h *HostTx) unreachable(dest uint16) bool {
	for id := range h.Active {
		if m := h.reads[int(dest)*h.Active+id]; !m.used || !m.lost {
			return false
		}
	}
	return true
}

func (h *HostTx) table(k Kind) []activeMessage {
	if k == WREQ {
		return h.writes
	}
	return h.reads
}

// dequeue reads the message queue.
func (h *HostTx) dequeue() {
	if h.next.valid || h.HoldControl.Get() || h.queue.n == 0 {
		return
	}
	r, ok := h.queue.pop(func(r *Request) bool {
		if _, ok := h.freeID(h.table(r.Kind), r.Dest); ok {
			return true
		}
		return r.Kind != WREQ && h.unreachable(r.Dest)
	})
	if !ok {
		return
	}
	messages := h.table(r.Kind)
	id, ok := h.freeID(messages, r.Dest)
	if !ok { // nobody answers there
		h.done.Push(Completion{true, r.Tag, true})
		return
	}
	m := &messages[int(r.Dest)*h.Active+int(id)]
	*m = activeMessage{used: true, tag: r.Tag, address: r.Address, local: r.Local, left: int(r.Bytes)}
	if h.Batch > 0 && r.Kind == WREQ {
		r.Bytes = h.gather(r, id)
		m.left = int(r.Bytes)
	}
	h.next = outgoing{true, id, r}
}

// gather takes further writes to the same node along, and returns the bytes that all of them take.
func (h *HostTx) gather(first Request, id uint8) uint16 {
	g := &h.megas[int(first.Dest)*h.Active+int(id)]
	*g = mega{n: 1}
	g.writes[0] = first
	sum := words(int(first.Bytes))
	for g.n < megaMost && first.Address>>48 == 0 {
		r, ok := h.queue.popNext(queueOf(first), func(r *Request) bool {
			return r.Kind == WREQ && r.Address>>48 == 0 && sum+8+words(int(r.Bytes)) <= h.Batch
		})
		if !ok {
			break
		}
		g.writes[g.n] = r
		g.n++
		sum += 8 + words(int(r.Bytes))
	}
	if g.n == 1 {
		return first.Bytes
	}
	g.begin()
	return uint16(sum)
}

// create makes the blocks of /N/ and requests, one a cycle.
func (h *HostTx) create() {
	h.Placed.Set(false)
	if !h.current.valid {
		h.current, h.next = h.next, outgoing{}
		h.sent = 0
		if r := h.current; r.valid && r.Kind != WREQ {
			h.Place.Set(Placement{true, r.Dest, r.id, r.Local})
			h.Placed.Set(true)
			if h.Timeout > 0 {
				h.startTimer(int32(int(r.Dest)*h.Active + int(r.id)))
			}
		}
	}
	if !h.current.valid {
		h.Control.Set(pcs.Block{})
		return
	}
	h.Control.Set(h.requestBlock())
}

// requestBlock returns the next block of the request whose blocks are leaving.
func (h *HostTx) requestBlock() pcs.Block {
	r := &h.current
	head := Header{Kind: r.Kind, ID: r.id, Source: uint16(h.Node), Dest: r.Dest, Bytes: r.Bytes}
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

// grant adds to the grant queue's end on this side.
func (h *HostTx) grant(e Event) {
	g := granted{h.now + uint64(h.Wait), e.Header.Kind, e.Header.Dest, e.Header.ID, int(e.Header.Bytes)}
	if e.Request {
		slot, ok := h.slot(e.Header.Source, e.Header.ID)
		if !ok {
			return
		}
		r := response{e.Header.Kind == RMWREQ, e.Address, int(e.Header.Bytes)}
		if r.atomic {
			r.address, r.left = uint64(slot), e.Operation.ResponseBytes()
		}
		h.responses[slot] = r
		g = granted{h.now + uint64(h.DRAM), RRES, e.Header.Source, e.Header.ID, min(h.Chunk, r.left)} // the first chunk is granted with it (§3.1.1)
	}
	if !h.grants.Push(g) {
		h.lost++
	}
}

// look reads the message state table for the next grant, and goes on with its chunk.
func (h *HostTx) look() piece {
	h.Load.Set(MemoryRead{})
	if !h.chunk.open {
		g, ok := h.grants.Peek()
		if !ok || g.from > h.now || h.HoldData.Get() {
			return piece{}
		}
		h.grants.Pop()
		h.open(g)
		if !h.chunk.open {
			return piece{}
		}
	} else if h.HoldData.Get() {
		return piece{}
	}
	return h.step()
}

// open begins the chunk of a grant.
func (h *HostTx) open(g granted) {
	slot, ok := h.slot(g.peer, g.id)
	if !ok {
		return
	}
	c := chunk{open: true, header: Header{Kind: g.kind, ID: g.id, Source: uint16(h.Node), Dest: g.peer}}
	if g.kind == WREQ {
		m := &h.writes[slot]
		n := min(g.bytes, m.left)
		if !m.used || n == 0 {
			return
		}
		c.address, c.local, c.left, c.slot = m.address, m.local, n, -1
		m.address += uint64(n)
		m.local += uint64(n)
		m.left -= n
		if h.Batch > 0 && h.megas[slot].n > 1 {
			c.mega, c.header.High = &h.megas[slot], megaChunk
		}
		if m.left == 0 {
			c.slot = slot
		}
	} else {
		r := &h.responses[slot]
		n := min(g.bytes, r.left)
		if n == 0 {
			return
		}
		c.named, c.address, c.left, c.atomic, c.slot = true, r.address, n, r.atomic, -1
		r.address += uint64(n)
		r.left -= n
	}
	c.header.Bytes = uint16(c.left)
	h.chunk = c
}

// step returns the chunk's next block, and asks the memory for it.
func (h *HostTx) step() piece {
	c := &h.chunk
	p := piece{header: c.header}
	load := func() {
		h.Load.Set(MemoryRead{true, c.atomic, c.address})
		p.memory = true
	}
	switch {
	case !c.begun && c.header.Kind == RRES && c.left == 1:
		p.part, p.bytes = single, 1
		load()
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
			load()
		case c.mega != nil:
			p.value = c.mega.word(h.Buffer)
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
	return p
}

// wrote gives up the slot of a write, or a mega message, whose last block is on its way.
func (h *HostTx) wrote(c *chunk) {
	m := &h.writes[c.slot]
	if c.mega == nil {
		h.done.Push(Completion{true, m.tag, false})
	} else {
		for _, w := range c.mega.writes[:c.mega.n] {
			h.done.Push(Completion{true, w.Tag, false})
		}
	}
	m.used = false
	h.queue.unblock(2*(c.slot/h.Active) + 1)
}

// build creates the block.
func (h *HostTx) build(p piece) pcs.Block {
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

// receive counts the bytes of responses.
func (h *HostTx) receive() {
	w := h.Word.Get()
	if !h.Written.Get() || w.Kind != RRES {
		return
	}
	slot, ok := h.slot(w.Source, w.ID)
	if !ok || !h.reads[slot].used {
		return
	}
	m := &h.reads[slot]
	if m.left -= int(w.Bytes); m.left > 0 {
		return
	}
	if !m.lost {
		h.done.Push(Completion{true, m.tag, false})
	}
	h.stopTimer(int32(slot))
	m.used, m.lost = false, false
	h.queue.unblock(2 * int(w.Source))
}

// startTimer puts a read at the end of the list.
func (h *HostTx) startTimer(slot int32) {
	m := &h.reads[slot]
	m.deadline, m.timed, m.prev, m.next = h.now+uint64(h.Timeout), true, h.newest, -1
	if h.newest < 0 {
		h.oldest = slot
	} else {
		h.reads[h.newest].next = slot
	}
	h.newest = slot
}

// stopTimer takes a read out of the list.
func (h *HostTx) stopTimer(slot int32) {
	m := &h.reads[slot]
	if !m.timed {
		return
	}
	m.timed = false
	if m.prev < 0 {
		h.oldest = m.next
	} else {
		h.reads[m.prev].next = m.next
	}
	if m.next < 0 {
		h.newest = m.prev
	} else {
		h.reads[m.next].prev = m.prev
	}
}

// expire gives up the read that has waited longest, if it has waited too long. Its ID stays taken: its response may still come.
func (h *HostTx) expire() {
	slot := h.oldest
	if slot < 0 || h.now < h.reads[slot].deadline {
		return
	}
	h.stopTimer(slot)
	m := &h.reads[slot]
	m.lost = true
	h.done.Push(Completion{true, m.tag, true})
	h.queue.unblock(2 * (int(slot) / h.Active))
}

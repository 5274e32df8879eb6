package edm

import (
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// Completion tells the application that a read's response has come, or that a write's last chunk has left. Null is the empty
// response to a read whose timer has expired (§3.3), or says that a write was not granted in time.
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
// At most Active messages of a host are under way to each other host, reads and writes counted together. If Apart is set, reads and writes
// are counted apart, with Active as the limit of each. The ID of a message is its place among the messages that are counted with it.
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
	Chunk   int  // the paper's c
	DRAM    int  // cycles from a request's arrival until its data can be sent
	Wait    int  // cycles from a /G/ until its data can be sent
	Apart   bool // reads and writes have Active messages each
	Timeout int  // of a read, in cycles; 0 for none
	// TimeWrites gives writes the timer of reads, from their /N/ to their last block: without it a write that is never granted
	// never ends. The paper has timers for reads alone (§3.3).
	TimeWrites bool
	Queue      int                         // requests that the message queue holds
	Batch      int                         // bytes up to which waiting writes to one node go as one mega message; 0 for none
	Buffer     func(address uint64) uint64 `state:"none" ports:"none"` // the data buffer: eight bytes at a multiple of 8, the same at each call

	now       uint64
	Waiting   *messageQueue
	next      outgoing             // read from the message queue
	current   outgoing             // the request whose blocks are leaving
	sent      int                  // blocks of it
	megas     []mega               // by the slot of a write
	Messages  slots[activeMessage] // the message state table: those under way, by number
	Responses slots[response]      // by requester and ID
	Grants    backlog[granted]
	chunk     chunk
	pipe      [2]piece // after the state table, after the data buffer

	Timers slots[timer] // those that run, by the numbers of their messages
	oldest int32        // list of the messages whose timers run, in the order in which these expire
	newest int32
	lost   int // grants for which there was no room
	done   backlog[Completion]
}

// Input is the stream of the application's requests.
func (h *HostTx) Input() rtl.Consumer[Request] {
	return rtl.Consumer[Request]{Beat: &h.Request, Ready: &h.Ready}
}

// Reset has nothing to send.
func (h *HostTx) Reset() {
	h.now, h.Waiting = 0, newMessageQueue(h.Queue, 2*h.Nodes)
	h.next, h.current, h.sent = outgoing{}, outgoing{}, 0
	n := h.Nodes * h.Active
	h.megas = nil
	if h.Batch > 0 {
		h.megas = make([]mega, n)
	}
	h.Messages, h.Responses, h.Timers = newSlots[activeMessage](2*n), newSlots[response](n), slots[timer]{}
	if h.Timeout > 0 {
		h.Timers = newSlots[timer](2 * n)
	}
	h.Grants, h.done = newBacklog[granted](4*n+h.Wait+h.DRAM), newBacklog[Completion](4*n+h.Queue)
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
	if h.Written.Get() && h.Word.Get().Kind == RRES {
		h.receive(h.Word.Get().Source, h.Word.Get().ID, h.Word.Get().Bytes)
	}
	if h.oldest >= 0 {
		h.expire()
	}
	h.create()
	h.dequeue()
	if h.Request.Get().Valid && h.Ready.Get() { // the whole request is looked at only then: copies of it would cost more than the rest
		r := h.Request.Get()
		if int(r.Dest) < h.Nodes && int(r.Dest) != h.Node && r.Bytes > 0 {
			if r.Kind == RMWREQ {
				r.Bytes = uint16(r.Operation.ResponseBytes())
			}
			h.Waiting.push(r)
		} else { // there is nobody to ask
			h.done.Push(Completion{true, r.Tag, true})
		}
	}
	h.Ready.Set(!h.Waiting.full())

	if h.pipe[1].part != nothing || h.Data.Get().Valid {
		h.Data.Set(h.build(&h.pipe[1]))
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

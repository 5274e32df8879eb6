package edm

import (
	"fmt"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/pqueue"
	"github.com/goldwire/goldwire/rtl"
)

// Notification is a demand: Bytes from a source to a destination. An /N/ block is one for data of the node that sent
// it; an RREQ or RMWREQ is one for the response, whose source is the memory node (EDM §3.1.1).
type Notification struct {
	Valid  bool
	Source uint16 `bits:"10"` // of the data
	Dest   uint16 `bits:"10"` // of the data
	ID     uint8  // tells the messages of a pair apart
	Read   bool   // of an RREQ or RMWREQ
	Bytes  uint16
	Long   bool // Bytes counts the message from here on in units, as [Header] says
}

// Grant lets a source send a chunk: a /G/ block, or, the first time for a Read, the request itself.
type Grant struct {
	Valid bool
	Dest  uint16 `bits:"10"`
	ID    uint8
	Read  bool
	Bytes uint16 // of the chunk
	First bool   // the first of its message
	Last  bool   // the message has no more
}

// SchedulerConfig describes a [Scheduler].
type SchedulerConfig struct {
	Ports   int // 1 to 1024
	Active  int // X: notifications of one kind, reads or writes, that a pair may have at once; 3 in the paper (§4.3)
	Chunk   int // most bytes of a grant
	Policy  Policy
	Release Release

	// Busy returns how many cycles a chunk keeps its source and destination busy: l/B, with its whole overhead on the
	// line. That is the least time from its grant to the next one of these ports. At least 5: a request begins two cycles
	// before its grant, and the list takes two operations after a grant, one a cycle, until it is up to date. It has no
	// state.
	Busy func(bytes int, read bool) int `state:"none"`
}

// Scheduler is EDM's central scheduler (§3.1.2): an ordered list a destination, and priority-based parallel iterative
// matching, 3 cycles an iteration: request, grant, accept. An iteration starts as soon as there is something to
// request.
//
// A list takes one operation a cycle, an insert or a delete. After a grant these are a delete, and an insert of the
// rest or of the next message; before and after them notifications, which wait in order. A notification is in its list
// 2 cycles after it stood at the input, if the list is free. So a lone notification is granted 5 cycles after it stood
// at the input.
//
// Messages of a pair of a compute and a memory node are served in order, whatever the policy (§3.1.1, property 5): of
// each only the oldest is in the list. Data from one port to another belongs to two such pairs: responses to the node
// that asked for them, and writes of the node that sends them. They wait apart.
//
// SRPT ranks a message by the bytes that remain of it whole, also if it is so long that it is asked for in pieces.
//
// §3.1.2 has an array a source port, which keeps the destinations in the order of their bytes from that source, so that
// the second cycle is a priority encoder. Here each source compares the keys of the requests that it got, in the same
// cycle. The result equals an up-to-date array's (pqueue.SourceArray, held to the comparison by a test); one that takes
// one operation a cycle would not always be, since requests of many nodes for one memory node come at the same edge,
// and each changes that node's array.
//
// Source and destination of a grant are busy until its chunk has passed: there is one source a destination at any time,
// and nothing queues after the switch. More than Active notifications of a pair, notifications for a port that is not
// there, and notifications of no bytes are refused and counted in Refused.
type Scheduler struct {
	Notify  []rtl.In[Notification] // by the port on which it came
	Grant   []rtl.Out[Grant]       // to the source
	Refused rtl.Out[uint32]

	Config  SchedulerConfig
	match   *pqueue.PriorityPIM
	dests   []destQueue
	waiting blocks.Bits // destinations whose notifications wait for their list
	listed  blocks.Bits // destinations whose lists have an entry
	asking  blocks.Bits // the free ports among them, when an iteration starts

	freeSources, freeDests blocks.Bits
	until                  []uint64 // by source: the cycle from which the pair may be requested again
	destOf                 []int32  // of each busy source
	// by until, modulo its length: the first of a list of busy sources, -1 for none; empty if freed by slot
	due      []int32
	dueAfter []int32 // by busy source: the next one of its list
	slotEnd  uint64  // by slot: the cycle from which all may be requested again, 0 if none is busy
	formed   bool    // by slot: the matching is maximal, and waits for its end

	state   schedulerState `bits:"2"`
	now     uint64
	arrived uint32 // notifications so far: FCFS's key
	refused uint32
	granted blocks.Bits // sources that have a Grant standing
	pairs   []pairing
}

type schedulerState uint8

const (
	requesting schedulerState = iota
	granting
	accepting
)

type pairing struct{ pair, dest int } // pair as of pairOf

// destQueue is what a destination has: its list, the operations that wait for the list, and the messages of each
// source.
type destQueue struct {
	list     *pqueue.List          // an entry is a source and a kind, with the priority of its oldest message
	queue    backlog[pqueue.Entry] // notifications that wait for the list
	pairs    slots[pairQueue]      // by source and kind
	messages []message             // a ring of Active for each entry that pairs has room for

	remove, renew bool // operations after a grant: the entry granted leaves, and again comes
	again         pqueue.Entry
	granted       uint32
}

type pairQueue struct{ head, n uint16 }

type message struct {
	arrived   uint32
	after     uint32 // bytes of the same message that later notifications ask for
	remaining uint16
	id        uint8
	begun     bool
}

// Kinds of a source's messages to a destination, which belong to different pairs of compute and memory node.
const (
	pairWrites = iota // the source writes to the destination
	pairReads         // the destination reads from the source
	pairKinds
)

// pairOf is the place of a source and a kind in a destination's tables.
func pairOf(source int, read bool) int {
	if read {
		return pairKinds*source + pairReads
	}
	return pairKinds*source + pairWrites
}

// leastBusy is two cycles of the list after a grant, and the iteration that then begins.
const leastBusy = 5

// dueLists is how many lists of busy ports there are. A port that is busy for more than dueLists cycles is looked at
// before its time, once in dueLists cycles. At twice the ports' clock 256 bytes keep a port busy for some 80 cycles.
const dueLists = 128

// NewScheduler returns a scheduler.
func NewScheduler(cfg SchedulerConfig) (*Scheduler, error) {
	switch {
	case cfg.Ports < 1 || cfg.Ports > 1024:
		return nil, fmt.Errorf("scheduler of %d ports, want 1 to 1024", cfg.Ports)
	case cfg.Active < 1 || cfg.Active > 256:
		return nil, fmt.Errorf("%d active notifications a pair, want 1 to 256", cfg.Active)
	case cfg.Chunk < 1 || cfg.Chunk > 0xffff:
		return nil, fmt.Errorf("chunk of %d bytes, want 1 to 65535", cfg.Chunk)
	case cfg.Busy == nil:
		return nil, fmt.Errorf("Busy is nil")
	}
	for n := 1; n <= cfg.Chunk; n++ {
		for _, read := range []bool{false, true} {
			if c := cfg.Busy(n, read); c < leastBusy {
				return nil, fmt.Errorf("a chunk of %d bytes keeps its ports busy for %d cycles, want at least %d", n, c, leastBusy)
			}
		}
	}
	return &Scheduler{
		Config: cfg, Notify: make([]rtl.In[Notification], cfg.Ports), Grant: make([]rtl.Out[Grant], cfg.Ports),
	}, nil
}

// Reset forgets all demands and circuits.
func (s *Scheduler) Reset() {
	if s.dests == nil {
		s.allocate()
	}
	for i := range s.dests {
		d := &s.dests[i]
		d.list.Reset()
		d.queue, d.remove, d.renew = newBacklog[pqueue.Entry](pairKinds*s.Config.Ports), false, false
		d.pairs, d.messages = newSlots[pairQueue](pairKinds*s.Config.Ports), nil
	}
	s.waiting.Reset()
	s.listed.Reset()
	s.freeSources.Fill(s.Config.Ports)
	s.freeDests.Fill(s.Config.Ports)
	s.granted.Reset()
	s.state, s.now, s.arrived, s.refused = requesting, 0, 0, 0
	s.slotEnd, s.formed = 0, false
	for i := range s.due {
		s.due[i] = -1
	}
	for p := range s.Grant {
		s.Grant[p].Set(Grant{})
	}
	s.Refused.Set(0)
}

func (s *Scheduler) allocate() {
	n := s.Config.Ports
	s.dests = make([]destQueue, n)
	lists := make([]*pqueue.List, n)
	for d := range s.dests {
		lists[d] = pqueue.NewList(pairKinds*n, pairKinds*n)
		s.dests[d] = destQueue{list: lists[d]}
	}
	s.match, s.waiting = pqueue.NewPriorityPIM(lists), blocks.NewBits(n)
	s.listed, s.asking = blocks.NewBits(n), blocks.NewBits(n)
	s.freeSources, s.freeDests, s.granted = blocks.NewBits(n), blocks.NewBits(n), blocks.NewBits(n)
	s.until, s.destOf = make([]uint64, n), make([]int32, n)
	s.due, s.dueAfter = make([]int32, dueLists), make([]int32, n)
	s.pairs = make([]pairing, 0, n)
}

// Tick is one cycle of the pipeline.
func (s *Scheduler) Tick() {
	s.now++
	for p := s.granted.Next(0); p >= 0; p = s.granted.Next(p + 1) {
		s.Grant[p].Set(Grant{})
		s.granted.Clear(p)
	}
	s.release()
	switch s.state {
	case requesting:
		switch {
		case s.formed:
		case s.request():
			s.state = granting
		default:
			s.formed = s.Config.Release == ReleaseBySlot && s.slotEnd > 0
		}
		s.operate()
	case granting:
		s.pairs = s.pairs[:0]
		s.match.Grant(func(_, dest int, e pqueue.Entry) { s.pairs = append(s.pairs, pairing{int(e.ID), dest}) })
		s.state = accepting
		s.operate()
	case accepting:
		s.operate()
		for _, p := range s.pairs { // the lists have it from the next cycle on
			s.accept(p)
		}
		s.state = requesting
	}
	notify := s.Notify // a loop over a local slice does not load it again for each port
	for port := range notify {
		if notify[port].Get().Valid { // asked first: a Notification does not fit into registers, and mostly there is none
			s.notify(notify[port].Get())
		}
	}
	s.Refused.Set(s.refused)
}

// request is the first cycle of an iteration. It tells whether there is something to request.
func (s *Scheduler) request() bool {
	for i := range s.asking {
		s.asking[i] = s.freeDests[i] & s.listed[i]
	}
	return s.match.Request(s.freeSources, s.asking)
}

// release frees the ports whose chunks will have passed when an iteration that starts now grants.
func (s *Scheduler) release() {
	if s.Config.Release == ReleaseBySlot {
		if s.formed && s.slotEnd <= s.now {
			s.freeSources.Fill(s.Config.Ports)
			s.freeDests.Fill(s.Config.Ports)
			s.formed, s.slotEnd = false, 0
		}
		return
	}
	first := &s.due[s.now%dueLists]
	p := *first
	*first = -1
	for p >= 0 {
		next := s.dueAfter[p]
		if s.until[p] > s.now { // its time comes when this list has its turn again, or later
			s.dueAfter[p], *first = *first, p
		} else {
			s.freeSources.Set(int(p))
			s.freeDests.Set(int(s.destOf[p]))
		}
		p = next
	}
}

// notify is the first cycle of a notification.
func (s *Scheduler) notify(n Notification) {
	at := pairOf(int(n.Source), n.Read)
	if int(n.Source) >= s.Config.Ports || int(n.Dest) >= s.Config.Ports || n.Bytes == 0 ||
		int(s.dests[n.Dest].pairs.look(at).n) == s.Config.Active {
		s.refused++
		return
	}
	d := &s.dests[n.Dest]
	pair := d.pairs.entry(at)
	if missing := d.pairs.room()*s.Config.Active - len(d.messages); missing > 0 {
		d.messages = append(d.messages, make([]message, missing)...)
	}
	m := s.message(d, at, wrap(int(pair.head)+int(pair.n), s.Config.Active))
	bytes, after := lengthOf(n.Bytes, n.Long)
	*m = message{s.arrived, after, bytes, n.ID, false}
	s.arrived++
	if pair.n++; pair.n > 1 {
		return // after an older one of its pair
	}
	d.queue.Push(s.entry(at, m)) // there is room for all pairs
	s.waiting.Set(int(n.Dest))
}

// wrap is i modulo a ring's size, for i below twice the size: a division less.
func wrap(i, size int) int {
	if i >= size {
		return i - size
	}
	return i
}

// operate is the second cycle of a change of a list: each list takes one operation.
func (s *Scheduler) operate() {
	for p := s.waiting.Next(0); p >= 0; p = s.waiting.Next(p + 1) {
		d := &s.dests[p]
		switch {
		case d.remove:
			d.list.Delete(d.granted)
			d.remove = false
		case d.renew:
			d.list.Insert(d.again)
			d.renew = false
		default:
			e, _ := d.queue.Pop()
			d.list.Insert(e)
		}
		if d.list.Len() > 0 {
			s.listed.Set(p)
		} else {
			s.listed.Clear(p)
		}
		if d.queue.Empty() && !d.remove && !d.renew {
			s.waiting.Clear(p)
		}
	}
}

// entry is what the list has of a message.
func (s *Scheduler) entry(pair int, m *message) pqueue.Entry {
	key := uint64(m.arrived)
	if s.Config.Policy == SRPT {
		key |= (uint64(m.after) + uint64(m.remaining)) << 32
	}
	return pqueue.Entry{Key: key, ID: uint32(pair), Flow: uint16(pair / pairKinds)}
}

func (s *Scheduler) oldest(d *destQueue, pair int) *message {
	return s.message(d, pair, int(d.pairs.look(pair).head))
}

// message returns a place of the ring of a source and a kind, which has had a notification.
func (s *Scheduler) message(d *destQueue, pair, place int) *message {
	return &d.messages[d.pairs.index(pair)*s.Config.Active+place]
}

// accept is the third cycle of an iteration for a pair: both are busy, the source is told, the message has a chunk
// less.
func (s *Scheduler) accept(p pairing) {
	d := &s.dests[p.dest]
	m := s.oldest(d, p.pair)
	source, read := p.pair/pairKinds, p.pair%pairKinds == pairReads
	chunk := min(int(m.remaining), s.Config.Chunk)
	m.remaining -= uint16(chunk)
	g := Grant{true, uint16(p.dest), m.id, read, uint16(chunk), !m.begun, m.remaining == 0}
	m.begun = true
	d.remove, d.granted = true, uint32(p.pair)
	s.waiting.Set(p.dest)
	pair := d.pairs.look(p.pair)
	if g.Last {
		pair.head = (pair.head + 1) % uint16(s.Config.Active)
		pair.n--
	}
	if d.renew = pair.n > 0; d.renew {
		d.again = s.entry(p.pair, s.oldest(d, p.pair))
	} else {
		d.pairs.free(p.pair)
	}
	s.freeSources.Clear(source)
	s.freeDests.Clear(p.dest)
	s.until[source], s.destOf[source] = s.now+uint64(s.Config.Busy(chunk, g.Read))-2, int32(p.dest)
	s.slotEnd = max(s.slotEnd, s.until[source])
	if s.Config.Release != ReleaseBySlot {
		first := &s.due[s.until[source]%dueLists] // of a later cycle, by leastBusy
		s.dueAfter[source], *first = *first, int32(source)
	}
	s.Grant[source].Set(g)
	s.granted.Set(source)
}

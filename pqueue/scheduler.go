package pqueue

import (
	"fmt"

	"goldwire/rtl"
)

// Notification is a source's demand: so many bytes for a destination (an /N/ block, or an RREQ, EDM §3.1.1).
type Notification struct {
	Valid bool
	Dest  uint16 `bits:"10"`
	ID    uint8  // tells the messages of a pair apart
	Bytes uint16
}

// Grant lets a source send a chunk (a /G/ block).
type Grant struct {
	Valid bool
	Dest  uint16 `bits:"10"`
	ID    uint8
	Bytes uint16 // of the chunk
	Last  bool   // the message has no more
}

// Policy is the order in which messages of different sources are served.
type Policy uint8

// The policies (§3.1.1). Ties go to the message that came first.
const (
	SRPT Policy = iota // least bytes remaining first
	FCFS               // in the order of arrival
)

// SchedulerConfig describes a [Scheduler].
type SchedulerConfig struct {
	Ports  int // 1 to 1024
	Active int // X: notifications that a pair may have at once; 3 in the paper (§4.3)
	Chunk  int // most bytes of a grant
	Policy Policy

	// Busy returns how many cycles a chunk keeps its source and destination busy: l/B, with all that goes on the line for it.
	// At least 3: meanwhile the list of the destination is brought up to date.
	Busy func(bytes int) int
}

// Scheduler is EDM's central scheduler (§3.1.2): an ordered list a destination, and priority-based parallel iterative
// matching, 3 cycles an iteration: request, grant, accept. An iteration starts as soon as there is something to request.
//
// A notification is in its list 2 cycles after it stood at the input, if the list is free: a list takes one a cycle, others
// wait in order. So a lone notification is granted 5 cycles after it stood at the input.
//
// Source and destination of a grant are busy until its chunk has passed: there is one source a destination at any time, and
// nothing queues behind the switch. More than Active notifications of a pair, those for a port that is not there, and
// those of no bytes are refused and counted in Refused.
type Scheduler struct {
	Notify  []rtl.In[Notification] // by source
	Grant   []rtl.Out[Grant]       // to the source
	Refused rtl.Out[uint32]

	cfg     SchedulerConfig
	match   *PriorityPIM
	dests   []destQueue
	waiting Bits // destinations whose notifications wait for their list

	freeSources, freeDests Bits
	until                  []uint64 // by source: the cycle from which the pair is free
	destOf                 []int32  // of each busy source

	state   schedulerState `bits:"2"`
	now     uint64
	arrived uint32 // notifications so far: FCFS's key
	refused uint32
	granted Bits // sources that have a Grant standing
	pairs   []pairing
}

type schedulerState uint8

const (
	requesting schedulerState = iota
	granting
	accepting
)

type pairing struct {
	source, dest int
	entry        Entry
}

// destQueue is what a destination has: its list, what waits for the list, and the state of each message in it.
type destQueue struct {
	list     *List
	queue    []Entry // a ring
	head, n  int
	messages []message // by entry ID: source × Active + slot
}

type message struct {
	id        uint8
	used      bool
	remaining uint16
}

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
		if c := cfg.Busy(n); c < 3 {
			return nil, fmt.Errorf("a chunk of %d bytes keeps its ports busy for %d cycles, want at least the 3 of an iteration", n, c)
		}
	}
	return &Scheduler{cfg: cfg, Notify: make([]rtl.In[Notification], cfg.Ports), Grant: make([]rtl.Out[Grant], cfg.Ports)}, nil
}

// Reset forgets all demands.
func (s *Scheduler) Reset() {
	n, x := s.cfg.Ports, s.cfg.Active
	s.dests = make([]destQueue, n)
	lists := make([]*List, n)
	for d := range s.dests {
		lists[d] = NewList(n*x, n*x)
		s.dests[d] = destQueue{list: lists[d], queue: make([]Entry, n*x), messages: make([]message, n*x)}
	}
	s.match, s.waiting = NewPriorityPIM(lists), NewBits(n)
	s.freeSources, s.freeDests, s.granted = NewBits(n), NewBits(n), NewBits(n)
	s.freeSources.Fill(n)
	s.freeDests.Fill(n)
	s.until, s.destOf = make([]uint64, n), make([]int32, n)
	s.state, s.now, s.arrived, s.refused = requesting, 0, 0, 0
	s.pairs = make([]pairing, 0, n)
	for p := range s.Grant {
		s.Grant[p].Set(Grant{})
	}
	s.Refused.Set(0)
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
		if s.match.Request(s.freeSources, s.freeDests) {
			s.state = granting
		}
	case granting:
		s.pairs = s.pairs[:0]
		s.match.Grant(func(source, dest int, e Entry) { s.pairs = append(s.pairs, pairing{source, dest, e}) })
		s.state = accepting
	case accepting:
		for _, p := range s.pairs {
			s.accept(p)
		}
		s.state = requesting
	}
	s.insert()
	for source := range s.Notify {
		if n := s.Notify[source].Get(); n.Valid {
			s.notify(source, n)
		}
	}
	s.Refused.Set(s.refused)
}

// release frees the ports whose chunks have passed.
func (s *Scheduler) release() {
	for p := range s.until {
		if s.until[p] != 0 && s.until[p] <= s.now {
			s.until[p] = 0
			s.freeSources.Set(p)
			s.freeDests.Set(int(s.destOf[p]))
		}
	}
}

// notify is the first cycle of a notification.
func (s *Scheduler) notify(source int, n Notification) {
	slot := -1
	if int(n.Dest) < s.cfg.Ports && n.Bytes > 0 {
		d := &s.dests[n.Dest]
		for x := range s.cfg.Active {
			if !d.messages[source*s.cfg.Active+x].used {
				slot = source*s.cfg.Active + x
				break
			}
		}
	}
	if slot < 0 {
		s.refused++
		return
	}
	d := &s.dests[n.Dest]
	d.messages[slot] = message{n.ID, true, n.Bytes}
	e := Entry{Key: uint32(n.Bytes), ID: uint32(slot), Flow: uint16(source)}
	if s.cfg.Policy == FCFS {
		e.Key = s.arrived
	}
	s.arrived++
	d.queue[(d.head+d.n)%len(d.queue)] = e
	d.n++
	s.waiting.Set(int(n.Dest))
}

// insert is the second cycle: each list takes one notification.
func (s *Scheduler) insert() {
	for p := s.waiting.Next(0); p >= 0; p = s.waiting.Next(p + 1) {
		d := &s.dests[p]
		d.list.Insert(d.queue[d.head])
		d.head = (d.head + 1) % len(d.queue)
		if d.n--; d.n == 0 {
			s.waiting.Clear(p)
		}
	}
}

// accept is the third cycle of an iteration for a pair: both are busy, the source is told, the message has a chunk less.
func (s *Scheduler) accept(p pairing) {
	d := &s.dests[p.dest]
	m := &d.messages[p.entry.ID]
	chunk := min(int(m.remaining), s.cfg.Chunk)
	m.remaining -= uint16(chunk)
	d.list.Delete(p.entry.ID)
	if m.remaining > 0 {
		e := p.entry
		if s.cfg.Policy == SRPT {
			e.Key = uint32(m.remaining)
		}
		d.list.Insert(e)
	} else {
		m.used = false
	}
	s.freeSources.Clear(p.source)
	s.freeDests.Clear(p.dest)
	s.until[p.source], s.destOf[p.source] = s.now+uint64(s.cfg.Busy(chunk)), int32(p.dest)
	s.Grant[p.source].Set(Grant{true, uint16(p.dest), m.id, uint16(chunk), m.remaining == 0})
	s.granted.Set(p.source)
}

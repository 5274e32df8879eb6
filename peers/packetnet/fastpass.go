package packetnet

import (
	"github.com/goldwire/goldwire/internal/calendar"
	"github.com/goldwire/goldwire/internal/heap"
)

// server is Fastpass (Perry et al., SIGCOMM 2014) as EDM §4.3 has it: a central server on one link of the common rate
// gets a demand for every write and every response, and sends the grants. It decides in no time, and just when its
// link can take a grant: the demand with the least bytes whose source and destination are both free.
type server struct {
	*fabric
	self     int32            // the server's node
	demands  heap.Heap[int32] // flows by the bytes that are left, and their ages
	ages     int64
	busyFrom []bool
	busyTo   []bool
	byFrom   []int32 // flows that wait for a source, linked by next; -1 is none
	byTo     []int32 // and for a destination
	age      []int64 // by flow: of its demand
}

func newServer(f *fabric) *server {
	s := &server{fabric: f, self: int32(f.n - 1), busyFrom: make([]bool, f.n), busyTo: make([]bool, f.n),
		byFrom: make([]int32, f.n),
		byTo:   make([]int32, f.n), age: make([]int64, len(f.flows))}
	for p := range f.n {
		s.byFrom[p], s.byTo[p] = -1, -1
	}
	return s
}

func (s *server) start(m int32) {
	if !s.asks(2 * m) {
		s.demand(2 * m)
		return
	}
	fl := &s.flows[2*m]
	s.result.PayloadSent += uint64(fl.size)
	s.enqueue(
		int(fl.from),
		s.packet(packet{flow: 2 * m, wire: s.wire(fl.size), payload: int32(fl.size), from: int16(fl.from),
			to: int16(fl.to), class: fl.class, kind: request}),
		true,
	)
}

func (s *server) respond(flow int32) { s.demand(flow) }
func (s *server) decide()            {}

func (s *server) event(e calendar.Event) {
	if e.Kind == pairFree {
		s.busyFrom[e.A], s.busyTo[e.B] = false, false
		s.unpark(&s.byFrom[e.A])
		s.unpark(&s.byTo[e.B])
		s.wake(int(s.self))
	}
}

// demand tells the server of a flow.
func (s *server) demand(id int32) {
	fl := &s.flows[id]
	s.result.Demands++
	s.enqueue(
		int(fl.from),
		s.packet(packet{flow: id, wire: s.wire(int64(s.cfg.RequestBytes)), from: int16(fl.from), to: int16(s.self),
			class: fl.class, kind: demand}),
		true,
	)
}

// serve sends a node's next frame.
func (s *server) serve(p int) {
	id := s.dequeue(p, s.paused[p])
	if id == 0 && p == int(s.self) {
		id = s.grant()
	}
	if id != 0 {
		s.transmit(p, id)
	}
}

// grant takes the demand with the least bytes that may be served; those before it wait for the node that is busy.
// Source and destination are then busy for as long as the bytes granted take on the line.
func (s *server) grant() int32 {
	for len(s.demands) > 0 {
		top := s.demands.Pop()
		fl := &s.flows[top.Value]
		switch {
		case s.busyFrom[fl.from]:
			fl.next, s.byFrom[fl.from] = s.byFrom[fl.from], top.Value
			continue
		case s.busyTo[fl.to]:
			fl.next, s.byTo[fl.to] = s.byTo[fl.to], top.Value
			continue
		}
		bytes := min(int64(s.cfg.GrantBytes), fl.size-fl.sent)
		fl.sent += bytes
		if fl.sent < fl.size {
			s.demands.Push(entryOf(s.rank(top.Value, fl.sent), int64(top.Second), top.Value))
		}
		s.busyFrom[fl.from], s.busyTo[fl.to] = true, true
		line := bytes / s.mss * int64(s.wire(s.mss))
		if rest := bytes % s.mss; rest > 0 {
			line += int64(s.wire(rest))
		}
		s.At(s.Now+line, pairFree, fl.from, fl.to)
		s.result.Grants++
		return s.packet(packet{key: bytes, flow: top.Value, wire: s.wire(int64(s.cfg.RequestBytes)), from: int16(s.self),
			to: int16(fl.from), class: fl.class, kind: grant})
	}
	return 0
}

// unpark has the flows of a list compete again.
func (s *server) unpark(first *int32) {
	for id := *first; id >= 0; id = s.flows[id].next {
		s.demands.Push(entryOf(s.rank(id, s.flows[id].sent), s.age[id], id))
	}
	*first = -1
}

// receive takes a frame in.
func (s *server) receive(id int32) {
	k := s.release(id)
	fl := &s.flows[k.flow]
	switch k.kind {
	case data, request:
		s.deliver(k.flow, int64(k.payload))
	case demand:
		s.ages++
		s.age[k.flow] = s.ages
		s.demands.Push(entryOf(s.rank(k.flow, 0), s.ages, k.flow))
		s.wake(int(s.self))
	case grant:
		s.result.PayloadSent += uint64(k.key)
		for left := k.key; left > 0; left -= s.mss {
			bytes := min(left, s.mss)
			s.enqueue(
				int(fl.from),
				s.packet(packet{flow: k.flow, wire: s.wire(bytes), payload: int32(bytes), from: int16(fl.from),
					to: int16(fl.to), class: fl.class, kind: data}),
				false,
			)
		}
	}
}

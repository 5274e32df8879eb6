package packetnet

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/internal/calendar"
)

// windowed is the hosts of DCTCP (Alizadeh et al., SIGCOMM 2010), pFabric and PFC: a connection for each class and
// ordered pair of nodes, or for each message, with a window in bytes, and segments that are acknowledged one by one.
// Marks of switches shrink the window.
type windowed struct {
	*fabric
	shortest bool   // pFabric: the shortest flow first
	conns    []conn // by (class × n + from) × n + to; with Config.PerMessage a pool in which 0 is none
	freeConn int32
	lines    []list // with Config.PerMessage, by node × classes + class: connections that may send, in turn
	segments []segment
	free     int32
	sendable []blocks.Bits // by node: class × n + peer to which there is something to send, and window for it
	last     [][]int32     // by node and class: the peer served last, drawn at first
	replies  []reply       // by message
	minRTO   int64
	ackDelay int64
}

// conn is a sender's state towards one peer.
type conn struct {
	window, threshold int64 // cwnd and ssthresh, in bytes
	inflight          int64
	alpha             int64 // estimated share of marked bytes in 1/1024, as Linux has it
	acked, marked     int64 // bytes in this round trip
	limited           bool  // in this round trip the window was too small
	sequence          int64 // of the next segment sent
	roundEnd          int64 // a round trip ends with the acknowledgement of this one
	cutEnd            int64 // losses of segments before this one have been answered

	rtt, deviation int64 // RFC 6298, in byte times; 0 before the first sample
	backoff        uint8
	timer          bool

	flow         int32 // with Config.PerMessage
	next         int32 // in a line, or of the free ones
	ready, lined bool  // it may send; it is in its line
	over         bool  // all its bytes are acknowledged

	head, tail int32 // flows to send, -1 is none
	out        chain // sent and not acknowledged, in the order of sending
	lost       chain // to be sent again
}

// segment is a part of a flow that has been sent. It also holds whether the receiver has got it.
type segment struct {
	flow       int32
	bytes      int32
	gen        uint32 // a packet of an older generation is about a segment that was acknowledged
	prev, next int32
	sent       int64
	sequence   int64
	dups       int8
	lost       bool
	again      bool // sent more than once
	arrived    bool
}

// chain is a doubly linked list of segments; 0 is none.
type chain struct{ head, tail int32 }

// reply is the acknowledgement of a request that waits for the response to carry it.
type reply struct {
	ref    int32 // 0 is none
	gen    uint32
	marked bool
}

func newWindowed(f *fabric, shortest bool) *windowed {
	n, all := f.n, f.cfg.Classes
	w := &windowed{fabric: f, shortest: shortest, segments: make([]segment, 1, 4096), replies: make([]reply, len(f.msgs)),
		minRTO: f.round(f.cfg.MinTimeout), ackDelay: f.round(f.cfg.AckDelay)}
	if f.cfg.PerMessage {
		w.conns, w.lines = make([]conn, 1, 1024), make([]list, n*classes)
		return w
	}
	w.conns, w.sendable, w.last = make([]conn, all*n*n), make([]blocks.Bits, n), make([][]int32, n)
	for k := range w.conns {
		w.conns[k] = w.open()
	}
	for p := range n {
		w.sendable[p], w.last[p] = blocks.NewBits(all*n), make([]int32, all)
		for c := range all {
			w.last[p][c] = int32(f.rng.IntN(n))
		}
	}
	return w
}

func (w *windowed) start(m int32)      { w.begin(2 * m) }
func (w *windowed) respond(flow int32) { w.begin(flow) }
func (w *windowed) decide()            {}

func (w *windowed) event(e calendar.Event) {
	switch e.Kind {
	case timerDue:
		w.expire(int(e.A))
	case ackDue:
		if r := w.replies[e.A]; r.ref != 0 {
			w.replies[e.A] = reply{}
			w.acknowledge(2*e.A, r)
		}
	}
}

// open returns a connection on which nothing has been sent.
func (w *windowed) open() conn {
	return conn{window: int64(w.cfg.InitialWindow), threshold: int64(w.cfg.MaxWindow), alpha: 1024, head: -1, tail: -1}
}

// conn returns the index of a flow's connection.
func (w *windowed) conn(fl *flow) int {
	if w.cfg.PerMessage {
		return int(fl.state)
	}
	return (int(fl.class)*w.n+int(fl.from))*w.n + int(fl.to)
}

// begin gives a flow to its connection: first come first served, with pFabric the shortest first.
func (w *windowed) begin(id int32) {
	fl := &w.flows[id]
	if w.cfg.PerMessage {
		fl.state = w.connect(id)
	}
	k := w.conn(fl)
	c := &w.conns[k]
	fl.next = -1
	before := c.tail
	if w.shortest {
		before = -1
		for at := c.head; at >= 0 && w.rank(at, w.flows[at].sent) <= w.rank(id, 0); at = w.flows[at].next {
			before = at
		}
	}
	if before < 0 {
		fl.next, c.head = c.head, id
	} else {
		fl.next, w.flows[before].next = w.flows[before].next, id
	}
	if fl.next < 0 {
		c.tail = id
	}
	w.refresh(k)
}

// refresh finds out whether a connection may send.
func (w *windowed) refresh(k int) {
	c := &w.conns[k]
	var bytes int64
	switch {
	case c.lost.head != 0:
		bytes = int64(w.segments[c.lost.head].bytes)
	case c.head >= 0:
		bytes = min(w.mss, w.flows[c.head].size-w.flows[c.head].sent)
	}
	may := bytes > 0 && (c.inflight == 0 || c.inflight+bytes <= c.window)
	if bytes > 0 && !may {
		c.limited = true
	}
	if w.cfg.PerMessage {
		w.line(k, may)
		return
	}
	from, to := k/w.n%w.n, k/(w.n*w.n)*w.n+k%w.n // in sendable
	if !may {
		w.sendable[from].Clear(to)
		return
	}
	w.sendable[from].Set(to)
	w.wake(from)
}

// choose returns the connection on which a node sends, or -1: of the highest class that is not paused, and in it each
// peer in turn, with pFabric the one with the shortest flow, equals in turn; or each message in turn.
func (w *windowed) choose(p int) int {
	for c := w.cfg.Classes - 1; c >= 0; c-- {
		if w.paused[p]>>c&1 != 0 {
			continue
		}
		if w.cfg.PerMessage {
			if k := w.step(p, c); k > 0 {
				return k
			}
		} else if to := w.chooseOf(p, c); to >= 0 {
			w.last[p][c] = int32(to)
			return (c*w.n+p)*w.n + to
		}
	}
	return -1
}

// next returns the first peer from one on to which a node may send in a class, -1 if there is none.
func (w *windowed) next(p, class, from int) int {
	if to := w.sendable[p].Next(class*w.n + from); to >= 0 && to < (class+1)*w.n {
		return to - class*w.n
	}
	return -1
}

func (w *windowed) chooseOf(p, class int) int {
	first := w.next(p, class, int(w.last[p][class])+1)
	if first < 0 {
		first = w.next(p, class, 0)
	}
	if !w.shortest || first < 0 {
		return first
	}
	best, least := first, w.left(p, class, first)
	for to := first; ; {
		if to = w.next(p, class, to+1); to < 0 {
			to = w.next(p, class, 0)
		}
		if to == first {
			return best
		}
		if left := w.left(p, class, to); left < least {
			best, least = to, left
		}
	}
}

// left returns the rank of the flow from which a node would send next to a peer.
func (w *windowed) left(p, class, to int) int64 {
	c := &w.conns[(class*w.n+p)*w.n+to]
	if c.lost.head != 0 {
		id := w.segments[c.lost.head].flow
		return w.rank(id, w.flows[id].arrived)
	}
	return w.rank(c.head, w.flows[c.head].sent)
}

// serve sends a node's next frame: acknowledgements first.
func (w *windowed) serve(p int) {
	if id := w.dequeue(p, w.paused[p]); id != 0 {
		w.transmit(p, id)
		return
	}
	k := w.choose(p)
	if k < 0 {
		return
	}
	c := &w.conns[k]
	ref := c.lost.head
	if ref != 0 {
		w.unlink(&c.lost, ref)
		w.segments[ref].lost, w.segments[ref].again = false, true
		w.result.Retransmissions++
	} else {
		ref = w.segment(c)
	}
	s := &w.segments[ref]
	s.sent, s.sequence, s.dups = w.Now, c.sequence, 0
	c.sequence++
	c.inflight += int64(s.bytes)
	w.append(&c.out, ref)
	fl := &w.flows[s.flow]
	x := packet{key: w.rank(s.flow, fl.arrived), flow: s.flow, ref: ref, gen: s.gen, wire: w.wire(int64(s.bytes)),
		payload: s.bytes, from: int16(p), to: int16(fl.to), class: fl.class, kind: data}
	if s.flow&1 == 1 {
		r := &w.replies[s.flow/2]
		x.ackRef, x.ackGen, x.ackMarked = r.ref, r.gen, r.marked
		*r = reply{}
	}
	if w.minRTO > 0 && !c.timer {
		c.timer = true
		w.At(w.Now+w.timeout(c), timerDue, int32(k), 0)
	}
	w.refresh(k)
	w.transmit(p, w.packet(x))
}

// segment cuts the next one from the connection's first flow.
func (w *windowed) segment(c *conn) int32 {
	fl := &w.flows[c.head]
	bytes := min(w.mss, fl.size-fl.sent)
	ref := w.free
	if ref == 0 {
		w.segments = append(w.segments, segment{gen: 1})
		ref = int32(len(w.segments) - 1)
	} else {
		w.free = w.segments[ref].next
	}
	w.segments[ref] = segment{flow: c.head, bytes: int32(bytes), gen: w.segments[ref].gen}
	fl.sent += bytes
	w.result.PayloadSent += uint64(bytes)
	if fl.sent == fl.size {
		if c.head = fl.next; c.head < 0 {
			c.tail = -1
		}
	}
	return ref
}

func (w *windowed) append(l *chain, ref int32) {
	s := &w.segments[ref]
	s.prev, s.next = l.tail, 0
	if l.tail == 0 {
		l.head = ref
	} else {
		w.segments[l.tail].next = ref
	}
	l.tail = ref
}

func (w *windowed) unlink(l *chain, ref int32) {
	s := &w.segments[ref]
	if s.prev == 0 {
		l.head = s.next
	} else {
		w.segments[s.prev].next = s.next
	}
	if s.next == 0 {
		l.tail = s.prev
	} else {
		w.segments[s.next].prev = s.prev
	}
}

// receive takes a frame in. A segment that came before is acknowledged again, since its sender does not know.
func (w *windowed) receive(id int32) {
	k := w.release(id)
	if k.ackRef != 0 {
		w.acknowledged(k.ackRef, k.ackGen, k.ackMarked)
	}
	if k.kind == ack {
		w.acknowledged(k.ref, k.gen, k.marked)
		return
	}
	s := &w.segments[k.ref]
	if s.gen != k.gen {
		return
	}
	again := s.arrived
	if !again {
		s.arrived = true
		w.deliver(k.flow, int64(k.payload))
	}
	r := reply{k.ref, k.gen, k.marked}
	if w.asks(k.flow) {
		if waiting := &w.replies[k.flow/2]; !again {
			*waiting = r
			w.At(w.Now+w.ackDelay, ackDue, k.flow/2, 0)
			return
		} else if waiting.ref == k.ref {
			return
		}
	}
	w.acknowledge(k.flow, r)
}

// maxBackoff and pfabricBackoff are how often a timeout doubles.
const (
	maxBackoff     = 6
	pfabricBackoff = 3
)

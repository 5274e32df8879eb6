package packetnet

import "github.com/goldwire/goldwire/internal/calendar"

// ndp is the hosts of NDP (Handley et al., SIGCOMM 2017): a sender begins with a window of frames at line rate, and
// sends one more for each pull of the receiver. A receiver acknowledges data, and answers a header that lost its
// payload with a NACK, upon which the sender sends the frame again, before new ones. It paces the pulls of all its
// flows, which take turns, so that the pulled frames fill its link.
type ndp struct {
	turns
	pool    []transfer
	free    int32
	pulling []list // by receiver: transfers in its pull queue
	next    []int64
	pacing  []bool
}

// transfer is a flow at both its ends.
type transfer struct {
	flow int32
	next int32 // in the pool, or in the pull queue

	// The sender.
	may    int32 // frames that it may send
	flight int32 // frames of which it has not heard
	again  list  // frames to send again
	pulled int64 // pulls that have come
	acks   int64
	nacks  int64
	rest   int64 // frames beyond the first window
	turn   bool  // it has a turn

	// The receiver.
	known  bool
	wanted int64 // frames that are still to be pulled
	pulls  int64 // in the pull queue
}

func newNDP(f *fabric) *ndp {
	return &ndp{turns: newTurns(f), pool: make([]transfer, 1, 1024), pulling: make([]list, f.n),
		next: make([]int64, f.n), pacing: make([]bool, f.n)}
}

func (h *ndp) start(m int32)      { h.begin(2 * m) }
func (h *ndp) respond(flow int32) { h.begin(flow) }
func (h *ndp) decide()            {}

// begin gives a flow its first window (§3.1).
func (h *ndp) begin(id int32) {
	at := h.free
	if at == 0 {
		h.pool = append(h.pool, transfer{})
		at = int32(len(h.pool) - 1)
	} else {
		h.free = h.pool[at].next
	}
	frames := (h.flows[id].size + h.mss - 1) / h.mss
	first := min(frames, int64(h.cfg.FirstPackets))
	h.pool[at] = transfer{flow: id, may: int32(first), rest: frames - first}
	h.flows[id].state = at
	h.proceed(at)
}

// proceed has a transfer take its turn if it has something to send and may.
func (h *ndp) proceed(at int32) {
	t := &h.pool[at]
	fl := &h.flows[t.flow]
	if !t.turn && t.may > 0 && (t.again.head != 0 || fl.sent < fl.size) {
		t.turn = true
		h.join(t.flow)
	}
}

// serve sends a node's next frame: control frames first, then one of each transfer in turn.
func (h *ndp) serve(p int) {
	if id := h.dequeue(p, 0); id != 0 {
		h.transmit(p, id)
		return
	}
	id := h.leave(p)
	if id < 0 {
		return
	}
	at := h.flows[id].state
	t := &h.pool[at]
	t.turn = false
	t.may--
	t.flight++
	x := h.pop(&t.again)
	if x != 0 {
		h.result.Retransmissions++
	} else {
		x = h.packet(h.cut(id))
	}
	h.proceed(at)
	h.transmit(p, x)
}

// receive takes a frame in.
func (h *ndp) receive(id int32) {
	k := &h.packets[id]
	at := h.flows[k.flow].state
	t := &h.pool[at]
	switch k.kind {
	case data:
		h.result.Acks++
		h.answer(k.flow, ack)
		h.addPull(at, 0)
		h.deliver(k.flow, int64(k.payload))
		h.release(id)
	case header: // it turns round as a NACK
		k.kind, k.from, k.to = nack, k.to, k.from
		h.enqueue(int(k.from), id, true)
		h.addPull(at, 1)
	case ack:
		t.acks++
		t.flight--
		h.release(id)
		h.settle(at)
	case nack:
		t.nacks++
		h.resend(at, id)
	case returned:
		h.resend(at, id)
	case pull:
		t.pulled++
		t.may++
		h.release(id)
		h.settle(at)
	}
}

// answer sends a control frame from a flow's receiver to its sender.
func (h *ndp) answer(flow int32, kind packetKind) {
	fl := &h.flows[flow]
	h.enqueue(int(fl.to), h.packet(packet{flow: flow, wire: h.wire(int64(h.cfg.AckBytes)), from: int16(fl.to),
		to: int16(fl.from), kind: kind}), true)
}

// resend lists a frame that has come back without its payload.
func (h *ndp) resend(at, id int32) {
	k, t := &h.packets[id], &h.pool[at]
	k.kind, k.from, k.to, k.wire = data, k.to, k.from, h.wire(int64(k.payload))
	t.flight--
	h.push(&t.again, id)
	h.settle(at)
}

// settle goes on after news of a transfer. Each NACK brings a pull, each acknowledgement does as long as there are
// frames beyond the first window, and a frame that a switch returned brings none. When all pulls have come and nothing
// is under way, the sender sends one frame unasked (§3.2.4).
func (h *ndp) settle(at int32) {
	t := &h.pool[at]
	fl := &h.flows[t.flow]
	if t.flight == 0 && t.may == 0 {
		if t.again.head == 0 && fl.sent == fl.size {
			fl.state = 0
			t.next, h.free = h.free, at
			return
		}
		if t.pulled == t.nacks+min(t.acks, t.rest) {
			t.may = 1
		}
	}
	h.proceed(at)
}

// addPull adds a pull for a frame that has come, whole or trimmed, if the sender will have a frame to send for it: one
// that was trimmed, or one beyond the first window.
func (h *ndp) addPull(at int32, trimmed int64) {
	t := &h.pool[at]
	if !t.known {
		t.known = true
		t.wanted = t.rest
	}
	if t.wanted += trimmed; t.wanted == 0 {
		return
	}
	t.wanted--
	t.pulls++
	p := int(h.flows[t.flow].to)
	if t.pulls == 1 {
		h.queuePull(p, at)
	}
	h.pace(p)
}

// queuePull puts a transfer at the end of a pull queue.
func (h *ndp) queuePull(p int, at int32) {
	l := &h.pulling[p]
	h.pool[at].next = 0
	if l.head == 0 {
		l.head = at
	} else {
		h.pool[l.tail].next = at
	}
	l.tail = at
}

func (h *ndp) event(e calendar.Event) {
	if e.Kind == paceDue {
		h.pacing[e.A] = false
		h.pace(int(e.A))
	}
}

// pace sends a receiver's next pull if it may: one in the time of a full frame.
func (h *ndp) pace(p int) {
	l := &h.pulling[p]
	if l.head != 0 && h.Now >= h.next[p] {
		at := l.head
		t := &h.pool[at]
		l.head = t.next
		h.next[p] = h.Now + int64(h.wire(h.mss))
		h.result.Pulls++
		h.answer(t.flow, pull)
		if t.pulls--; t.pulls > 0 {
			h.queuePull(p, at)
		}
	}
	if l.head != 0 && !h.pacing[p] {
		h.pacing[p] = true
		h.At(h.next[p], paceDue, int32(p), 0)
	}
}

package packetnet

import (
	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/internal/calendar"
	"github.com/goldwire/goldwire/internal/heap"
)

// receivers implements the idealised receiver-driven scheme of EDM §4.3. A receiver knows of every flow to it from the
// moment the message starts. It grants a frame at a time, the flow with the least bytes to be granted first, no faster
// than its link takes the frames. It does not know the grants of other receivers: a sender asked by several serves the
// shortest, and a grant that it cannot serve within its slot is void. The receiver learns of a void grant at once.
//
// A read request is the first grant of its response.
type receivers struct {
	*fabric
	wanted  []heap.Heap[int32] // by receiver: flows with bytes to be granted
	next    []int64            // when it may grant again
	granted []int64            // bytes on the line that it has granted and not got
	pacing  []bool             // it will look again at next
	looking blocks.Bits        // receivers that may grant now
	ages    int64

	asked  []bool // by message: its request was sent
	grants []slot // 0 is none
	free   int32
	held   []chain // by sender: grants that it may use
}

// slot is a grant.
type slot struct {
	flow       int32
	bytes      int32
	wire       int32
	gen        uint32
	prev, next int32
}

func newReceivers(f *fabric) *receivers {
	return &receivers{fabric: f, wanted: make([]heap.Heap[int32], f.n), next: make([]int64, f.n),
		granted: make([]int64, f.n),
		pacing:  make([]bool, f.n),
		looking: blocks.NewBits(f.n), asked: make([]bool, len(f.msgs)), grants: make([]slot, 1, 4096),
		held: make([]chain, f.n)}
}

func (r *receivers) start(m int32) {
	if r.asks(2 * m) {
		r.want(2*m + 1)
	} else {
		r.want(2 * m)
	}
}

// respond does nothing: a response is wanted from the start of its message on.
func (r *receivers) respond(int32) {}

func (r *receivers) event(e calendar.Event) {
	switch e.Kind {
	case paceDue:
		r.pacing[e.A] = false
		r.looking.Set(int(e.A))
	case grantReady:
		r.hold(e.A)
	case grantVoid:
		r.void(e.A, uint32(e.B))
	}
}

// decide has the receivers that may grant look once.
func (r *receivers) decide() {
	for p := r.looking.Next(0); p >= 0; p = r.looking.Next(p + 1) {
		r.looking.Clear(p)
		r.grant(p)
	}
}

// entryOf ranks a flow for SRPT: the least bytes first, and the oldest of equals.
func entryOf(bytes, age int64, flow int32) heap.Entry[int32] {
	return heap.Entry[int32]{Value: flow, First: uint64(bytes), Second: uint64(age)}
}

// want lists a flow at its receiver, after its equals.
func (r *receivers) want(id int32) {
	fl := &r.flows[id]
	r.ages++
	r.wanted[fl.to].Push(entryOf(r.rank(id, fl.sent), r.ages, id))
	r.looking.Set(int(fl.to))
}

// grant sends a receiver's next grant if it may.
func (r *receivers) grant(p int) {
	h := &r.wanted[p]
	if len(*h) == 0 {
		return
	}
	if r.Now < r.next[p] {
		r.pace(p)
		return
	}
	top := (*h)[0]
	fl := &r.flows[top.Value]
	bytes := min(r.mss, fl.size-fl.sent)
	wire := r.wire(bytes)
	if r.granted[p] > 0 && r.granted[p]+int64(wire) > int64(r.cfg.GrantWindow) {
		return // until something arrives
	}
	h.Pop()
	fl.sent += bytes
	if fl.sent < fl.size {
		r.ages++
		h.Push(entryOf(r.rank(top.Value, fl.sent), r.ages, top.Value))
	}
	r.granted[p] += int64(wire)
	r.next[p] = r.Now + int64(wire)
	if len(*h) > 0 {
		r.pace(p)
	}

	id := r.free
	if id == 0 {
		r.grants = append(r.grants, slot{})
		id = int32(len(r.grants) - 1)
	} else {
		r.free = r.grants[id].next
	}
	r.grants[id] = slot{flow: top.Value, bytes: int32(bytes), wire: wire, gen: r.grants[id].gen}
	x := packet{flow: top.Value, ref: id, wire: r.wire(int64(r.cfg.RequestBytes)), from: int16(p), to: int16(fl.from),
		class: fl.class, kind: grant}
	if m := top.Value / 2; top.Value&1 == 1 && !r.asked[m] {
		r.asked[m] = true
		ask := r.flows[2*m].size
		x.flow, x.kind, x.payload, x.wire = 2*m, request, int32(ask), r.wire(ask)
		r.result.PayloadSent += uint64(ask)
	} else {
		r.result.Grants++
	}
	r.enqueue(p, r.packet(x), true)
}

// pace has a receiver look again when it may.
func (r *receivers) pace(p int) {
	if !r.pacing[p] {
		r.pacing[p] = true
		r.At(r.next[p], paceDue, int32(p), 0)
	}
}

// serve sends a node's next frame: one from its queue or, if the queue is empty, the granted frame of the flow with
// the least bytes to arrive.
func (r *receivers) serve(p int) {
	if id := r.dequeue(p, r.paused[p]); id != 0 {
		r.transmit(p, id)
		return
	}
	best, least := int32(0), int64(0)
	for id := r.held[p].head; id != 0; id = r.grants[id].next {
		flow := r.grants[id].flow
		if r.paused[p]>>r.flows[flow].class&1 == 1 {
			continue
		}
		if left := r.rank(flow, r.flows[flow].arrived); best == 0 || left < least {
			best, least = id, left
		}
	}
	if best == 0 {
		return
	}
	g := r.grants[best]
	r.drop(p, best)
	r.result.PayloadSent += uint64(g.bytes)
	r.transmit(p, r.packet(packet{flow: g.flow, wire: g.wire, payload: g.bytes, from: int16(p),
		to: int16(r.flows[g.flow].to), class: r.flows[g.flow].class, kind: data}))
}

// receive takes a frame in.
func (r *receivers) receive(id int32) {
	k := r.release(id)
	switch k.kind {
	case grant:
		r.read(k.flow, k.ref)
	case request:
		r.deliver(k.flow, int64(k.payload))
		r.read(k.flow+1, k.ref)
	case data:
		r.deliver(k.flow, int64(k.payload))
		r.granted[k.to] -= int64(k.wire)
		r.looking.Set(int(k.to))
	}
}

// read gives a sender a grant: at once, or when the memory has read what the frame of a response needs.
func (r *receivers) read(flow, id int32) {
	if flow&1 == 1 && r.mem > 0 {
		r.At(r.Now+r.mem, grantReady, id, 0)
		return
	}
	r.hold(id)
}

// hold lets a sender use a grant for as long as the frame takes, or a multiple: one that comes at the start of another
// frame of the same length can still follow it.
func (r *receivers) hold(id int32) {
	g := &r.grants[id]
	from := int(r.flows[g.flow].from)
	h := &r.held[from]
	g.prev, g.next = h.tail, 0
	if h.tail == 0 {
		h.head = id
	} else {
		r.grants[h.tail].next = id
	}
	h.tail = id
	r.At(r.Now+1+int64(g.wire)*int64(r.cfg.GrantSlots), grantVoid, id, int32(g.gen))
	r.wake(from)
}

// drop takes a grant from its sender.
func (r *receivers) drop(from int, id int32) {
	g, h := &r.grants[id], &r.held[from]
	if g.prev == 0 {
		h.head = g.next
	} else {
		r.grants[g.prev].next = g.next
	}
	if g.next == 0 {
		h.tail = g.prev
	} else {
		r.grants[g.next].prev = g.prev
	}
	g.gen++
	g.next, r.free = r.free, id
}

// void ends a grant that was not used. The flow goes after its equals, since its sender has others to serve.
func (r *receivers) void(id int32, gen uint32) {
	g := r.grants[id]
	if g.gen != gen {
		return
	}
	fl := &r.flows[g.flow]
	r.drop(int(fl.from), id)
	r.result.Voids++
	r.granted[fl.to] -= int64(g.wire)
	listed := fl.sent < fl.size
	fl.sent -= int64(g.bytes)
	if !listed {
		r.want(g.flow)
	}
	r.looking.Set(int(fl.to))
}

package packetnet

import (
	"github.com/goldwire/goldwire/internal/calendar"
	"github.com/goldwire/goldwire/peers/dcqcn"
)

// rateHosts is the hosts of DCQCN: each flow has a rate ([dcqcn.ReactionPoint]). A switch marks ([fabric.mark]), the
// receiver answers marks with a congestion notification packet (CNP), one in CNPInterval. Frames are acknowledged one
// by one, and no more than MaxWindow is under way. Switches lose nothing ([pauser]), so nothing is sent again.
// Acknowledgements and CNPs have the highest priority to themselves.
type rateHosts struct {
	turns
	rates []rate
	free  int32
	line  int64 // bit/s
	quiet int64 // CNPInterval in byte times
}

// rate is a flow at its sender, and at its receiver.
type rate struct {
	dcqcn.ReactionPoint
	flight   int64 // bytes that are not acknowledged
	ready    int64 // when the next frame may begin
	notified int64 // when the receiver last sent a CNP, -1 is never
	flow     int32
	blocked  bool // the window is full
	next     int32
}

const (
	control  = classes - 1 // the class of acknowledgements and CNPs
	cnpBytes = 16          // payload of a CNP (RoCEv2, InfiniBand Annex A17.9.3)
)

func newDCQCN(f *fabric) *rateHosts {
	return &rateHosts{turns: newTurns(f), rates: make([]rate, 1, 1024), line: int64(f.cfg.RateGbps) * 1_000_000_000,
		quiet: f.round(f.cfg.DCQCN.CNPInterval)}
}

func (h *rateHosts) start(m int32)      { h.begin(2 * m) }
func (h *rateHosts) respond(flow int32) { h.begin(flow) }
func (h *rateHosts) decide()            {}

// begin starts a flow at line rate (§3.1).
func (h *rateHosts) begin(id int32) {
	at := h.free
	if at == 0 {
		h.rates = append(h.rates, rate{})
		at = int32(len(h.rates) - 1)
	} else {
		h.free = h.rates[at].next
	}
	h.rates[at] = rate{notified: -1, flow: id}
	h.rates[at].Start(h.line)
	h.flows[id].state = at
	h.join(id)
}

func (h *rateHosts) event(e calendar.Event) {
	if e.Kind == paceDue {
		h.proceed(e.A)
	}
}

// proceed has a flow whose time has come take its turn, if its window has room.
func (h *rateHosts) proceed(at int32) {
	r := &h.rates[at]
	fl := &h.flows[r.flow]
	if r.flight > 0 && r.flight+min(h.mss, fl.size-fl.sent) > int64(h.cfg.MaxWindow) {
		r.blocked = true
		return
	}
	h.join(r.flow)
}

// serve sends a node's next frame: acknowledgements and CNPs first, then one of each flow in turn.
func (h *rateHosts) serve(p int) {
	if id := h.dequeue(p, h.paused[p]); id != 0 {
		h.transmit(p, id)
		return
	}
	if h.paused[p]&1 != 0 { // all data is of class 0
		return
	}
	id := h.leave(p)
	if id < 0 {
		return
	}
	fl := &h.flows[id]
	r := &h.rates[fl.state]
	x := h.cut(id)
	r.flight += int64(x.payload)
	r.Advance(&h.cfg.DCQCN, h.Now*h.tick)
	r.Sends(&h.cfg.DCQCN, int64(x.payload))
	r.ready = h.Now + (int64(x.wire)*h.line+r.Rate()/2)/r.Rate()
	if fl.sent < fl.size {
		if r.Rate() < h.line {
			h.At(r.ready, paceDue, fl.state, 0)
		} else {
			h.proceed(fl.state)
		}
	}
	h.transmit(p, h.packet(x))
}

// receive takes a frame in.
func (h *rateHosts) receive(id int32) {
	k := h.release(id)
	at := h.flows[k.flow].state
	r := &h.rates[at]
	switch k.kind {
	case data:
		if k.marked && (r.notified < 0 || h.Now >= r.notified+h.quiet) {
			r.notified = h.Now
			h.result.CNPs++
			h.answer(&k, cnp, cnpBytes)
		}
		h.result.Acks++
		h.answer(&k, ack, h.cfg.AckBytes)
		h.deliver(k.flow, int64(k.payload))
	case ack:
		h.acknowledged(at, int64(k.payload))
	case cnp:
		if at != 0 {
			h.rates[at].Notify(&h.cfg.DCQCN, h.Now*h.tick)
		}
	}
}

// answer sends a frame back. It names the flow and the bytes that it is about.
func (h *rateHosts) answer(k *packet, kind packetKind, bytes int) {
	h.enqueue(int(k.to), h.packet(packet{flow: k.flow, payload: k.payload, wire: h.wire(int64(bytes)), from: k.to,
		to: k.from, class: control, kind: kind}), true)
}

// acknowledged makes room in a flow's window, and forgets a flow whose bytes have all arrived.
func (h *rateHosts) acknowledged(at int32, bytes int64) {
	r := &h.rates[at]
	r.flight -= bytes
	fl := &h.flows[r.flow]
	if r.blocked {
		r.blocked = false
		if r.ready > h.Now {
			h.At(r.ready, paceDue, at, 0)
		} else {
			h.proceed(at)
		}
	}
	if r.flight == 0 && fl.sent == fl.size {
		fl.state = 0
		r.next, h.free = h.free, at
	}
}

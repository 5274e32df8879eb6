package packetnet

import "github.com/goldwire/goldwire/internal/calendar"

// dcqcn is the hosts of DCQCN (Zhu et al., SIGCOMM 2015): each flow has a rate. A switch marks ([fabric.mark]), the
// receiver answers marks with a congestion notification packet (CNP), one in CNPInterval, and the sender cuts its rate
// at each and raises it again by a timer and a byte counter. Frames are acknowledged one by one, and no more than
// MaxWindow is under way. Switches lose nothing ([pauser]), so nothing is sent again. Acknowledgements and CNPs have
// the highest priority to themselves.
type dcqcn struct {
	turns
	rates []rate
	free  int32
	unit  float64 // one Mb/s as a share of the line
	alpha int64   // timers, in byte times
	timer int64
	quiet int64
}

// rate is the reaction point of a flow (its sender's state), and its receiver's state. Rates are shares of the line
// rate.
type rate struct {
	current, target float64 // R_C and R_T
	alpha           float64
	timers, bytes   int32 // how often timer and byte counter have expired since the last CNP
	counted         int64 // bytes in the byte counter
	flight          int64 // bytes that are not acknowledged
	ready           int64 // when the next frame may begin
	notified        int64 // when the receiver last sent a CNP, -1 is never
	flow            int32
	gen             uint32 // timers of an older generation are void
	blocked         bool   // the window is full
	next            int32
}

const (
	control  = classes - 1 // the class of acknowledgements and CNPs
	cnpBytes = 16          // payload of a CNP (RoCEv2, InfiniBand Annex A17.9.3)
)

func newDCQCN(f *fabric) *dcqcn {
	return &dcqcn{turns: newTurns(f), rates: make([]rate, 1, 1024), unit: 1 / (1000 * float64(f.cfg.RateGbps)),
		alpha: f.round(f.cfg.AlphaTimer), timer: f.round(f.cfg.RateTimer), quiet: f.round(f.cfg.CNPInterval)}
}

func (h *dcqcn) start(m int32)      { h.begin(2 * m) }
func (h *dcqcn) respond(flow int32) { h.begin(flow) }
func (h *dcqcn) decide()            {}

// begin starts a flow at line rate (§3.1).
func (h *dcqcn) begin(id int32) {
	at := h.free
	if at == 0 {
		h.rates = append(h.rates, rate{})
		at = int32(len(h.rates) - 1)
	} else {
		h.free = h.rates[at].next
	}
	h.rates[at] = rate{current: 1, target: 1, alpha: 1, notified: -1, flow: id, gen: h.rates[at].gen}
	h.flows[id].state = at
	h.join(id)
}

func (h *dcqcn) event(e calendar.Event) {
	switch r := &h.rates[e.A]; {
	case e.Kind == paceDue:
		h.proceed(e.A)
	case r.gen != uint32(e.B):
	case e.Kind == alphaDue:
		r.decay(h.cfg.Gain)
		h.At(h.Now+h.alpha, alphaDue, e.A, e.B)
	case e.Kind == timerDue:
		r.timers++
		h.raise(r)
		h.At(h.Now+h.timer, timerDue, e.A, e.B)
	}
}

// proceed has a flow whose time has come take its turn, if its window has room.
func (h *dcqcn) proceed(at int32) {
	r := &h.rates[at]
	fl := &h.flows[r.flow]
	if r.flight > 0 && r.flight+min(h.mss, fl.size-fl.sent) > int64(h.cfg.MaxWindow) {
		r.blocked = true
		return
	}
	h.join(r.flow)
}

// serve sends a node's next frame: acknowledgements and CNPs first, then one of each flow in turn.
func (h *dcqcn) serve(p int) {
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
	if r.counted += int64(x.payload); r.counted >= int64(h.cfg.ByteCounter) {
		r.counted -= int64(h.cfg.ByteCounter)
		r.bytes++
		h.raise(r)
	}
	r.ready = h.Now + int64(float64(x.wire)/r.current+0.5)
	if fl.sent < fl.size {
		if r.current < 1 {
			h.At(r.ready, paceDue, fl.state, 0)
		} else {
			h.proceed(fl.state)
		}
	}
	h.transmit(p, h.packet(x))
}

// receive takes a frame in.
func (h *dcqcn) receive(id int32) {
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
			h.cutRate(at)
		}
	}
}

// answer sends a frame back. It names the flow and the bytes that it is about.
func (h *dcqcn) answer(k *packet, kind packetKind, bytes int) {
	h.enqueue(int(k.to), h.packet(packet{flow: k.flow, payload: k.payload, wire: h.wire(int64(bytes)), from: k.to,
		to: k.from, class: control, kind: kind}), true)
}

// acknowledged makes room in a flow's window, and forgets a flow whose bytes have all arrived.
func (h *dcqcn) acknowledged(at int32, bytes int64) {
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
		r.gen++
		r.next, h.free = h.free, at
	}
}

// cutRate answers a CNP, and starts timers and counters anew (§3.1).
func (h *dcqcn) cutRate(at int32) {
	r := &h.rates[at]
	r.cut(h.cfg.Gain, float64(h.cfg.LeastMbps)*h.unit)
	r.gen++
	h.At(h.Now+h.alpha, alphaDue, at, int32(r.gen))
	h.At(h.Now+h.timer, timerDue, at, int32(r.gen))
}

// cut is equation 1 of DCQCN.
func (r *rate) cut(gain, least float64) {
	r.target = r.current
	r.current = max(r.current*(1-r.alpha/2), least)
	r.alpha = (1-gain)*r.alpha + gain
	r.timers, r.bytes, r.counted = 0, 0, 0
}

// decay is equation 2: no CNP for as long as the timer of alpha.
func (r *rate) decay(gain float64) { r.alpha *= 1 - gain }

// raise raises a rate when timer or byte counter have expired: half way back to the target (equation 3), from Stages
// expiries of either on to a higher target (equation 4), and to one that rises faster and faster when both have
// expired more often.
func (h *dcqcn) raise(r *rate) {
	stages := int32(h.cfg.Stages)
	switch least := min(r.timers, r.bytes); {
	case max(r.timers, r.bytes) < stages:
	case least > stages:
		r.target += float64(least-stages) * float64(h.cfg.HyperMbps) * h.unit
	default:
		r.target += float64(h.cfg.IncreaseMbps) * h.unit
	}
	r.target = min(r.target, 1)
	r.current = (r.target + r.current) / 2
}

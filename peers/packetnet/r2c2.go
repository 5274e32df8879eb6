package packetnet

import "github.com/goldwire/goldwire/internal/calendar"

// r2c2 is the hosts of a rack without switches under R2C2 (Costa et al., SIGCOMM 2015), idealised: all nodes know of
// all flows at once, and at the end of every RateInterval in which a flow began or ended each flow's rate becomes its
// max-min fair share of the torus's links, less Headroom. Until then a new flow has the rate of one link. Routers
// queue without end.
type r2c2 struct {
	turns
	torus   torus
	courses []course
	free    int32
	active  []int32 // courses with bytes to send
	due     bool    // rates will be computed
	every   int64
	fill    filling
}

// course is a flow that sends.
type course struct {
	flow  int32
	next  int32
	place int32   // in active
	rate  float64 // share of a link's
	path  []int32 // ports of routers
}

func newR2C2(f *fabric) *r2c2 {
	h := &r2c2{turns: newTurns(f), torus: torus{side: f.cfg.Side, n: f.n}, courses: make([]course, 1, 1024),
		every: max(1, f.round(f.cfg.RateInterval))}
	h.fill = filling{left: make([]float64, len(f.ports)), open: make([]int32, len(f.ports)),
		flows: make([][]int32, len(f.ports))}
	return h
}

func (h *r2c2) start(m int32)      { h.begin(2 * m) }
func (h *r2c2) respond(flow int32) { h.begin(flow) }
func (h *r2c2) decide()            {}

func (h *r2c2) receive(id int32) {
	k := h.release(id)
	h.deliver(k.flow, int64(k.payload))
}

// begin gives a flow its way.
func (h *r2c2) begin(id int32) {
	at := h.free
	if at == 0 {
		h.courses = append(h.courses, course{})
		at = int32(len(h.courses) - 1)
	} else {
		h.free = h.courses[at].next
	}
	fl, c := &h.flows[id], &h.courses[at]
	c.flow, c.rate, c.place = id, 1, int32(len(h.active))
	c.path = h.torus.course(c.path[:0], int(fl.from), int(fl.to))
	fl.state = at
	h.active = append(h.active, at)
	h.changed()
	h.join(id)
}

// end forgets a flow that has nothing more to send.
func (h *r2c2) end(at int32) {
	c := &h.courses[at]
	last := h.active[len(h.active)-1]
	h.active[c.place], h.courses[last].place = last, c.place
	h.active = h.active[:len(h.active)-1]
	c.next, h.free = h.free, at
	h.changed()
}

// changed has rates computed at the end of the interval.
func (h *r2c2) changed() {
	if !h.due {
		h.due = true
		h.At((h.Now/h.every+1)*h.every, ratesDue, 0, 0)
	}
}

func (h *r2c2) event(e calendar.Event) {
	switch e.Kind {
	case paceDue:
		h.join(h.courses[e.A].flow)
	case ratesDue:
		h.due = false
		h.result.Allocations++
		h.fill.share(h.courses, h.active, 1-h.cfg.Headroom)
	}
}

// serve sends a node's next frame into its router; its flow's next one comes when its rate allows it.
func (h *r2c2) serve(p int) {
	id := h.leave(p)
	if id < 0 {
		return
	}
	x := h.cut(id)
	fl := &h.flows[id]
	if fl.sent < fl.size {
		line := float64(x.wire) * (torusPorts - 1)
		h.At(h.Now+int64(line/h.courses[fl.state].rate+0.5), paceDue, fl.state, 0)
	} else {
		h.end(fl.state)
	}
	h.transmit(p, h.packet(x))
}

// filling computes max-min fair shares.
type filling struct {
	left  []float64 // by link: capacity not yet given to a flow
	open  []int32   // by link: flows without a rate
	flows [][]int32 // by link: courses
	links []int32   // those with flows
}

// share gives each flow its max-min fair share of links of some capacity, by progressive filling. The tightest link,
// with the least capacity left for each of its open flows, fixes the rates of these flows. Their rates are taken off
// the other links, and so on until no flow is open.
func (w *filling) share(courses []course, active []int32, capacity float64) {
	w.links = w.links[:0]
	for _, at := range active {
		courses[at].rate = 0
		for _, l := range courses[at].path {
			if w.open[l] == 0 {
				w.links = append(w.links, l)
				w.left[l], w.flows[l] = capacity, w.flows[l][:0]
			}
			w.open[l]++
			w.flows[l] = append(w.flows[l], at)
		}
	}
	for len(w.links) > 0 {
		tightest, least := int32(-1), 0.0
		for k := 0; k < len(w.links); {
			l := w.links[k]
			if w.open[l] == 0 {
				w.links[k] = w.links[len(w.links)-1]
				w.links = w.links[:len(w.links)-1]
				continue
			}
			if s := w.left[l] / float64(w.open[l]); tightest < 0 || s < least {
				tightest, least = l, s
			}
			k++
		}
		if tightest < 0 {
			return
		}
		for _, at := range w.flows[tightest] {
			if courses[at].rate > 0 {
				continue
			}
			courses[at].rate = least
			for _, l := range courses[at].path {
				w.left[l] -= least
				w.open[l]--
			}
		}
	}
}

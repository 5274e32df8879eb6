package packetnet

import "github.com/goldwire/goldwire/internal/calendar"

// eager implements hosts without any congestion control: a node sends its messages at line rate, a frame of each in
// turn. With egress queues that have no end this is the ideal output-queued switch: a link is never idle while there
// is a frame for it.
type eager struct{ turns }

func (h *eager) start(m int32)        { h.join(2 * m) }
func (h *eager) respond(flow int32)   { h.join(flow) }
func (h *eager) event(calendar.Event) {}
func (h *eager) decide()              {}

func (h *eager) receive(id int32) {
	k := h.release(id)
	h.deliver(k.flow, int64(k.payload))
}

func (h *eager) serve(p int) {
	id := h.leave(p)
	if id < 0 {
		return
	}
	x := h.cut(id)
	if h.flows[id].sent < h.flows[id].size {
		h.join(id)
	}
	h.transmit(p, h.packet(x))
}

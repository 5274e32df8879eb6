package packetnet

import "github.com/goldwire/goldwire/internal/calendar"

// flits implements the nodes of CXL: a node sends a flit of each of its flows in turn, and takes arriving flits in at
// once. All flits are of one class.
type flits struct {
	*creditLinks
	heads, tails []int32 // by node: flows to send, a flit each in turn; -1 is none
}

func newFlits(l *creditLinks) *flits {
	c := &flits{creditLinks: l, heads: make([]int32, l.n), tails: make([]int32, l.n)}
	for p := range l.n {
		c.heads[p], c.tails[p] = -1, -1
	}
	return c
}

func (c *flits) start(m int32)        { c.begin(2 * m) }
func (c *flits) respond(flow int32)   { c.begin(flow) }
func (c *flits) event(calendar.Event) {}
func (c *flits) decide()              {}

// receive takes a flit in; its room is free.
func (c *flits) receive(id int32) {
	k := c.release(id)
	c.owe(int(k.to))
	c.deliver(k.flow, int64(k.payload))
}

// begin gives a flow to its node.
func (c *flits) begin(id int32) {
	from := c.flows[id].from
	c.append(from, id)
	c.wake(int(from))
}

func (c *flits) append(from, id int32) {
	c.flows[id].next = -1
	if c.heads[from] < 0 {
		c.heads[from] = id
	} else {
		c.flows[c.tails[from]].next = id
	}
	c.tails[from] = id
}

// serve sends a node's next flit, or what the node owes.
func (c *flits) serve(p int) {
	if c.take(p, c.heads[p] >= 0) {
		c.transmit(p, c.flit(int32(p)))
	}
	c.tell(p)
}

// flit cuts the next one from a node's first flow, which then goes after the others.
func (c *flits) flit(p int32) int32 {
	id := c.heads[p]
	fl := &c.flows[id]
	c.heads[p] = fl.next
	bytes := min(int64(c.cfg.FlitPayload), fl.size-fl.sent)
	fl.sent += bytes
	c.result.PayloadSent += uint64(bytes)
	if fl.sent < fl.size {
		c.append(p, id)
	}
	return c.packet(packet{flow: id, wire: int32(c.cfg.FlitBytes), payload: int32(bytes),
		from: int16(fl.from), to: int16(fl.to)})
}

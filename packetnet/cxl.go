package packetnet

import "github.com/goldwire/goldwire/blocks"

// credits is CXL: each link sends a flit only if the other end has room for it. The room of an ingress of the switch is one
// pool for flits to all egresses, so what waits for a congested egress takes the room from what could go elsewhere, and its
// node stops. Nodes take in at once what comes.
//
// Room that becomes free is told in the flits of the link back, or in a flit of its own if that link is idle.
type credits struct {
	*fabric
	credit []int32 // by port: flits that it may send
	owed   []int32 // by port: credits that its next flit carries, for the link that comes the other way
	stall  []int64 // by port: since when it has a flit and no credit, -1 if it is not so

	heads, tails []int32       // by node: flows to send, a flit each in turn; -1 is none
	queues       []list        // by egress × n + ingress: flits
	waiting      []blocks.Bits // by egress: ingresses that have flits for it
	last         []int32       // by egress: the ingress served last, drawn at first
	inside       []int64       // by ingress: flits in the switch
}

func newCredits(f *fabric) *credits {
	n := f.n
	c := &credits{fabric: f, credit: make([]int32, 2*n), owed: make([]int32, 2*n), stall: make([]int64, 2*n), heads: make([]int32, n),
		tails: make([]int32, n), queues: make([]list, n*n), waiting: make([]blocks.Bits, n), last: make([]int32, n), inside: make([]int64, n)}
	for p := range 2 * n {
		c.credit[p], c.stall[p] = int32(f.cfg.Credits), -1
	}
	for p := range n {
		c.heads[p], c.tails[p], c.waiting[p], c.last[p] = -1, -1, blocks.NewBits(n), int32(f.rng.IntN(n))
	}
	f.ingress = true
	return c
}

func (c *credits) step() {
	for m := c.starting(); m >= 0; m = c.starting() {
		c.begin(2 * m)
	}
	for e, ok := c.take(); ok; e, ok = c.take() {
		switch e.kind {
		case portFree:
			c.freed(int(e.a))
		case atIngress:
			in := c.packets[e.a].from
			c.inside[in]++
			c.result.MaxIngress = max(c.result.MaxIngress, c.inside[in]*int64(c.cfg.FlitBytes))
			c.at(c.now+c.sw, atSwitch, e.a, 0)
		case atSwitch:
			c.forward(e.a)
		case atNode:
			k := c.release(e.a)
			c.owe(int(k.to))
			c.deliver(k.flow, int64(k.payload))
		case memoryReady:
			c.begin(e.a)
		case creditSeen:
			c.credit[e.a] += e.b
			c.wake(int(e.a))
		}
	}
	for ports := c.turn(); len(ports) > 0; ports = c.turn() {
		for _, p := range ports {
			c.serve(int(p))
		}
	}
}

// begin gives a flow to its node.
func (c *credits) begin(id int32) {
	from := c.flows[id].from
	c.append(from, id)
	c.wake(int(from))
}

func (c *credits) append(from, id int32) {
	c.flows[id].next = -1
	if c.heads[from] < 0 {
		c.heads[from] = id
	} else {
		c.flows[c.tails[from]].next = id
	}
	c.tails[from] = id
}

// forward puts a flit into the queue of its ingress for its egress.
func (c *credits) forward(id int32) {
	k := &c.packets[id]
	out := int(k.to)
	c.push(&c.queues[out*c.n+int(k.from)], id)
	c.waiting[out].Set(int(k.from))
	o := &c.ports[c.n+out]
	o.bytes += int64(k.wire)
	c.result.MaxQueue = max(c.result.MaxQueue, o.bytes)
	c.wake(c.n + out)
}

// owe notes a credit that port p is to carry.
func (c *credits) owe(p int) {
	c.owed[p]++
	c.wake(p)
}

// serve sends a port's next flit, or what it owes if that is enough.
func (c *credits) serve(p int) {
	if c.ports[p].busy {
		return
	}
	has := p < c.n && c.heads[p] >= 0 || p >= c.n && c.waiting[p-c.n].Next(0) >= 0
	switch {
	case has && c.credit[p] > 0:
		if c.stall[p] >= 0 {
			c.result.StalledTime += (c.now - c.stall[p]) * c.tick
			c.stall[p] = -1
		}
		c.credit[p]--
		if p < c.n {
			c.transmit(p, c.flit(int32(p)))
		} else {
			c.transmit(p, c.leave(p-c.n))
		}
	default:
		if has && c.stall[p] < 0 {
			c.stall[p] = c.now
			c.result.CreditStalls++
		}
		if int(c.owed[p]) < c.cfg.CreditBatch {
			return
		}
		c.result.CreditFlits++
		c.occupy(p, int32(c.cfg.FlitBytes))
	}
	if c.owed[p] > 0 {
		back := p + c.n
		if p >= c.n {
			back = p - c.n
		}
		c.at(c.now+int64(c.cfg.FlitBytes)+c.link, creditSeen, int32(back), c.owed[p])
		c.owed[p] = 0
	}
}

// flit cuts the next one from a node's first flow, which then goes behind the others.
func (c *credits) flit(p int32) int32 {
	id := c.heads[p]
	fl := &c.flows[id]
	c.heads[p] = fl.next
	bytes := min(int64(c.cfg.FlitPayload), fl.size-fl.sent)
	fl.sent += bytes
	c.result.PayloadSent += uint64(bytes)
	if fl.sent < fl.size {
		c.append(p, id)
	}
	return c.packet(packet{flow: id, wire: int32(c.cfg.FlitBytes), payload: int32(bytes), from: int16(fl.from), to: int16(fl.to)})
}

// leave takes the next flit for an egress, of each ingress in turn, and its room is free.
func (c *credits) leave(out int) int32 {
	in := c.waiting[out].Next(int(c.last[out]) + 1)
	if in < 0 {
		in = c.waiting[out].Next(0)
	}
	c.last[out] = int32(in)
	q := &c.queues[out*c.n+in]
	id := c.pop(q)
	if q.head == 0 {
		c.waiting[out].Clear(in)
	}
	c.ports[c.n+out].bytes -= int64(c.packets[id].wire)
	c.inside[in]--
	c.owe(c.n + in)
	return id
}

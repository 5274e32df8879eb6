package packetnet

import "github.com/goldwire/goldwire/blocks"

// creditLinks is links with credits, as CXL has them: each end sends a flit only if the other end has room for it.
// Room that becomes free is told in the flits of the link back, or in a flit of its own if that link is idle.
type creditLinks struct {
	*fabric
	credits []int32 // by port: flits that it may send
	owed    []int32 // by port: credits that its next flit carries, for the link that comes the other way
	stall   []int64 // by port: since when it has a flit and no credit, -1 if it is not so
}

func newCreditLinks(f *fabric) *creditLinks {
	l := &creditLinks{fabric: f, credits: make([]int32, 2*f.n), owed: make([]int32, 2*f.n), stall: make([]int64, 2*f.n)}
	for p := range l.credits {
		l.credits[p], l.stall[p] = int32(f.cfg.Credits), -1
	}
	return l
}

// take returns true if a port may send a flit, and takes the credit for it. A port that may not sends the credits that
// it owes, if they fill a flit of their own.
func (l *creditLinks) take(p int, has bool) bool {
	if has && l.credits[p] > 0 {
		if l.stall[p] >= 0 {
			l.result.StalledTime += (l.Now - l.stall[p]) * l.tick
			l.stall[p] = -1
		}
		l.credits[p]--
		return true
	}
	if has && l.stall[p] < 0 {
		l.stall[p] = l.Now
		l.result.CreditStalls++
	}
	if int(l.owed[p]) >= l.cfg.CreditBatch {
		l.result.CreditFlits++
		l.occupy(p, int32(l.cfg.FlitBytes), l.Now+l.takes(p, int32(l.cfg.FlitBytes)))
	}
	return false
}

// tell sends what a port owes with the flit that it has just begun, if it has.
func (l *creditLinks) tell(p int) {
	if !l.ports[p].busy || l.owed[p] == 0 {
		return
	}
	back := p + l.n
	if p >= l.n {
		back = p - l.n
	}
	l.At(l.Now+int64(l.cfg.FlitBytes)+l.link, creditSeen, int32(back), l.owed[p])
	l.owed[p] = 0
}

// owe notes a credit that port p is to carry.
func (l *creditLinks) owe(p int) {
	l.owed[p]++
	l.wake(p)
}

// credits is the switch of CXL: the room of an ingress is one pool for flits to all egresses, so flits that wait for a
// congested egress take the room of flits to idle ones, and their node stops (head-of-line blocking).
type credits struct {
	*creditLinks
	queues  []list        // by egress × n + ingress: flits
	waiting []blocks.Bits // by egress: ingresses that have flits for it
	last    []int32       // by egress: the ingress served last, drawn at first
	inside  []int64       // by ingress: flits in the switch
}

func newCredits(l *creditLinks) *credits {
	n := l.n
	c := &credits{creditLinks: l, queues: make([]list, n*n), waiting: make([]blocks.Bits, n), last: make([]int32, n),
		inside: make([]int64, n)}
	for p := range n {
		c.waiting[p], c.last[p] = blocks.NewBits(n), int32(l.rng.IntN(n))
	}
	l.ingress = true
	return c
}

// enter counts a flit that reached the switch.
func (c *credits) enter(id int32) {
	in := c.packets[id].from
	c.inside[in]++
	c.result.MaxIngress = max(c.result.MaxIngress, c.inside[in]*int64(c.cfg.FlitBytes))
	c.At(c.Now+c.sw, atSwitch, id, 0)
}

// forward puts a flit into the queue of its ingress for its egress.
func (c *credits) forward(id int32) {
	k := &c.packets[id]
	out := int(k.to)
	c.push(&c.queues[out*c.n+int(k.from)], id)
	c.waiting[out].Set(int(k.from))
	c.queued(c.n+out, int64(k.wire))
}

func (c *credits) credit(p, more int32) {
	c.creditLinks.credits[p] += more
	c.wake(int(p))
}

// serve sends an egress's next flit, or the credits that it owes.
func (c *credits) serve(p int) {
	if c.take(p, c.waiting[p-c.n].Next(0) >= 0) {
		c.transmit(p, c.leave(p-c.n))
	}
	c.tell(p)
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

package edm

// order is what an application asks for, and how much of it has come. Orders lie in the order of their times, by their
// tags: so orders under way at a time are near each other in memory. A pair's orders are a list, reads and writes
// apart.
type order struct {
	address   uint64 // at the memory node
	local     uint64
	next      orderNumber
	operands  int32 // their place, of an atomic operation
	bytes     uint16
	done      uint16 // bytes that were delivered
	kind      Kind
	operation Operation
	over      bool // all of it has come, or it was given up
	gap       bool // the next one of its list is over before it
}

// orderNumber is a tag and one more, so that 0 is none.
type orderNumber uint32

// askedOrders are what a node is asked for by another.
type askedOrders struct {
	request orderNumber // the first RREQ or RMWREQ that has not come
	serving orderNumber // the first of them for which the memory has not read all words
	writes  orderNumber // the first write that is not over
	given   uint16      // bytes that the memory has read for serving
}

// newestOrders are the last orders of a pair's lists, by requester and responder.
type newestOrders struct {
	read, write orderNumber
}

// places returns where the next byte goes, and where it is from: at the memory node and in the data buffer for a write.
func (o *order) places() (to, from uint64) {
	done := uint64(o.done)
	if o.kind == WREQ {
		return o.address + done, o.local + done
	}
	return o.local + done, o.address + done
}

// expect makes room for the requests of a run.
func (m *Monitor) expect(requests int) { m.orders = make([]order, 0, requests) }

// add expects a request of a host. Requests are added in the order of their tags.
func (m *Monitor) add(host int, r Request) {
	m.orders = append(
		m.orders,
		order{address: r.Address, local: r.Local, operands: int32(len(m.operands)), bytes: r.Bytes, kind: r.Kind,
			operation: r.Operation},
	)
	if r.Kind == RMWREQ {
		m.operands = append(m.operands, [2]uint64{r.First, r.Second})
	}
	number, nodes := orderNumber(len(m.orders)), m.n.Config.Nodes
	p, newest := &m.asked[int(r.Dest)*nodes+host], m.newest[host].entry(int(r.Dest))
	first, last := &p.writes, &newest.write
	if r.Kind != WREQ {
		first, last = &m.reads[host*nodes+int(r.Dest)], &newest.read
		if p.request == 0 {
			p.request = number
		}
		if p.serving == 0 {
			p.serving = number
		}
	}
	if *last != 0 { // also if it is over: its request may still have to come
		m.order(*last).next = number
	}
	if *first == 0 {
		*first = number
	}
	*last = number
}

func (m *Monitor) order(n orderNumber) *order { return &m.orders[n-1] }

// after returns the first order of a list after one of it that is not over. It mostly does not look at that order,
// which comes much later: its line of memory would be fetched for nothing.
func (m *Monitor) after(n orderNumber) orderNumber {
	gap := m.order(n).gap
	for n = m.order(n).next; gap && n != 0 && m.order(n).over; {
		n = m.order(n).next
	}
	return n
}

// close ends an order of a list of which first is the first one.
func (m *Monitor) close(first *orderNumber, n orderNumber) {
	m.order(n).over = true
	if n == *first {
		*first = m.after(n)
		return
	}
	before := *first
	for m.order(before).next != n {
		before = m.order(before).next
	}
	m.order(before).gap = true
}

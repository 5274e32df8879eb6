package shoal

// Offer hands the node a packet of the given number of cells for the node dest, in the first class.
func (n *Node) Offer(dest int, cells uint32, epoch int32) { n.OfferClass(dest, 0, cells, epoch) }

// OfferClass hands the node a packet of a traffic class (Appendix C).
func (n *Node) OfferClass(dest, class int, cells uint32, epoch int32) {
	n.offer(dest, class, cells, epoch, 0)
}

// offer is OfferClass with the packet's message in the inbox of the rack's destination.
func (n *Node) offer(dest, class int, cells uint32, epoch int32, message int32) {
	i := n.flowOf[n.Times.pairOf(class, dest)]
	if i < 0 {
		i = n.newFlow(dest, class, epoch)
	}
	f := &n.flows[i]
	if f.unsent == 0 {
		f.started = epoch
		n.activate(uint16(i))
	}
	f.unsent += cells
	n.packets.add(&f.packets, cells, message)
	if n.Times.options.Pair == PairShortest {
		n.packets.insert(&f.packets)
	}
}

func (n *Node) activate(i uint16) {
	n.flows[i].place = uint16(len(n.active))
	n.active = append(n.active, i)
	n.links.begun[n.place]++
}

// deactivate keeps the order, so that flows take turns by age.
func (n *Node) deactivate(i uint16) {
	at := n.flows[i].place
	n.active = append(n.active[:at], n.active[at+1:]...)
	for k := int(at); k < len(n.active); k++ {
		n.flows[n.active[k]].place = uint16(k)
	}
}

func (n *Node) newFlow(dest, class int, epoch int32) int32 {
	if len(n.free) == 0 && n.swept != epoch {
		n.sweep(epoch)
	}
	rows := n.Times.Rows
	var i int
	if k := len(n.free); k > 0 {
		i = int(n.free[k-1])
		n.free = n.free[:k-1]
		clear(n.due[i*rows : (i+1)*rows])
	} else {
		i = len(n.flows)
		n.flows = append(n.flows, outFlow{})
		n.due = append(n.due, make([]int32, rows)...)
		n.next = append(n.next, make([]uint16, rows)...)
	}
	pair := n.Times.pairOf(class, dest)
	header := NewCell(n.ID, dest, uint32(class)<<classShift, false, false).withFeedback(i)
	n.flows[i] = outFlow{
		header: header, dest: uint16(dest), class: uint8(class), used: true, sequence: n.sequence[pair],
		packets: noPackets, again: n.flows[i].again[:0],
	}
	n.flowOf[pair] = int32(i)
	return int32(i)
}

// sweep frees the flows that have nothing more to send, no feedback to come, and no cell in any queue.
func (n *Node) sweep(epoch int32) {
	n.swept = epoch
	for i := range n.flows {
		f := &n.flows[i]
		if f.used && f.unsent == 0 && f.inReady == 0 && f.waiting == 0 && f.lastDue <= epoch {
			f.used = false
			pair := n.Times.pairOf(int(f.class), int(f.dest))
			n.flowOf[pair], n.sequence[pair] = -1, f.sequence
			n.free = append(n.free, uint16(i))
		}
	}
}

// outcast is the number of destinations for which this node has cells that may be in its own queues.
func (n *Node) outcast() (d int) {
	for i := range n.flows {
		if f := &n.flows[i]; f.used && (f.unsent > 0 || f.waiting > 0) {
			d++
		}
	}
	return d
}

// nextCell takes a cell of a flow that has one. While it waits here, and then for its feedback, the field of the
// feedback has the number of the flow.
func (n *Node) nextCell(f *outFlow) Cell {
	f.unsent--
	if k := len(f.again); k > 0 {
		c := f.again[k-1]
		f.again = f.again[:k-1]
		return c.withFeedback(f.header.Feedback())
	}
	c := f.header | Cell(f.sequence&n.Times.sequence)<<sequenceShift
	f.sequence++
	n.Counts.Sent++
	if f.packets.sent == 0 {
		c |= 1 << startShift
	}
	order := n.Times.options.Pair
	if f.packets.sent++; f.packets.sent == f.packets.cells {
		c |= 1 << endShift
		if order != PairFIFO {
			n.ended = append(
				n.ended, endedPacket{f.dest, uint16(f.class), n.packets.lengths[f.packets.head].message, f.sequence},
			)
		}
		n.packets.drop(&f.packets)
	} else if order == PairTurns {
		n.packets.rotate(&f.packets)
	}
	return c
}

// giveBack makes a cell that failed on one link wait for another.
func (n *Node) giveBack(c Cell, epoch int32) {
	i := n.flowOf[n.Times.pairOf(n.Times.classOf(c), c.Dest())]
	f := &n.flows[i]
	if f.unsent == 0 {
		f.started = epoch
		n.activate(uint16(i))
	}
	f.unsent++
	f.again = append(f.again, c.bare())
}

// packetStore has the lengths of packets that wait, in cells, for all flows of a node.
type packetStore struct {
	lengths []packetLength
	free    int32
}

type packetLength struct {
	cells   uint32
	sent    uint32 // of them, unless it is the first of its queue
	next    int32
	message int32
}

// packetQueue is the packets of a flow.
type packetQueue struct {
	head, tail int32
	cells      uint32 // of the first one
	sent       uint32 // of them
}

var noPackets = packetQueue{head: -1, tail: -1}

func (p *packetStore) add(q *packetQueue, cells uint32, message int32) {
	at := p.free
	if at >= 0 {
		p.free = p.lengths[at].next
		p.lengths[at] = packetLength{cells, 0, -1, message}
	} else {
		at = int32(len(p.lengths))
		p.lengths = append(p.lengths, packetLength{cells, 0, -1, message})
	}
	if q.tail >= 0 {
		p.lengths[q.tail].next = at
	} else {
		q.head, q.cells = at, cells
	}
	q.tail = at
}

// drop goes on to the packet after the first one.
func (p *packetStore) drop(q *packetQueue) {
	at := q.head
	l := &p.lengths[at]
	q.head, q.sent = l.next, 0
	if q.head < 0 {
		q.tail = -1
	} else {
		q.cells, q.sent = p.lengths[q.head].cells, p.lengths[q.head].sent
	}
	l.next, p.free = p.free, at
}

package shoal

// fail takes a neighbour from which no cell came in its slot for failed (§3.5): nothing is sent to it any more, own
// cells under way to it go by other links, and cells of others that wait for it are discarded.
func (n *Node) fail(row int, epoch int32) {
	n.Link(row).Down = true
	*n.heard(row) = lastHeard{last: lastNone, lag: lagDown}
	for class := range n.Times.classes {
		at := n.at(class*n.Times.Rows + row)
		l, ready := &n.links.Queues[at].Level, &n.links.ready[at]
		for l.ready > 0 {
			i := ready.head
			ready.head = n.next[int(i)*n.Times.Rows+row]
			l.ready--
			n.flows[i].inReady--
			n.due[int(i)*n.Times.Rows+row] = 0
		}
	}
	for e := range n.Times.rings[row].mask + 1 {
		own := n.sentIn(row, e)
		if own.Source() == n.ID && !own.Dummy() {
			n.flows[own.Feedback()].waiting--
			n.Counts.Returned++
			n.giveBack(*own, epoch)
		}
		*own = dummy(n.ID)
	}
	for class := range n.Times.classes {
		n.empty(row, class, epoch)
	}
	n.noteEvents()
	n.events[n.failed] = uint16(n.neighbour(row))
	n.failed++
}

// noteEvents makes room for the events: each row fails once. Nodes of a rack with failures have it from the start, as
// their neighbours read there while they run.
func (n *Node) noteEvents() {
	if n.events == nil {
		n.events = make([]uint16, n.Times.Rows)
	}
}

// empty gives back or discards the cells of a class that wait for a neighbour.
func (n *Node) empty(row, class int, epoch int32) {
	lane := class*n.Times.Rows + row
	q := n.Link(lane)
	for q.Level.Length > 0 {
		c := q.pop(&n.links.spills[n.place])
		n.links.queued[n.place]--
		again := q.resend > 0
		if again {
			q.resend--
		}
		if c.Source() != n.ID {
			n.Counts.Lost++
			continue
		}
		if !again {
			q.local--
		}
		n.flows[c.Feedback()].waiting--
		n.giveBack(c, epoch)
	}
	n.links.note(n.at(lane), q)
}

// hear takes what the neighbour of a row tells with a cell: the nodes that it could not reach any more when it sent the
// cell. Local cells for those nodes do not go by it from now on. The paper does not say how nodes tell each other; here
// the next cell carries it.
func (n *Node) hear(row int, events []uint16) {
	if n.known == nil {
		n.known = make([]uint16, n.Times.Rows)
	}
	for int(n.known[row]) < len(events) {
		n.cutOff(row, int(events[n.known[row]]))
		n.known[row]++
	}
}

// cutOff notes that the neighbour of a row cannot reach a node.
func (n *Node) cutOff(row, dest int) {
	if n.cut == nil {
		n.cut = make([]uint64, (n.Times.Rows*n.Times.Schedule.nodes+63)/64)
	}
	at := row*n.Times.Schedule.nodes + dest
	n.cut[at>>6] |= 1 << (at & 63)
}

// isCut tells whether the neighbour of a row cannot reach a node, as far as is known here.
func (n *Node) isCut(row, dest int) bool {
	at := row*n.Times.Schedule.nodes + dest
	return n.cut[at>>6]>>(at&63)&1 != 0
}

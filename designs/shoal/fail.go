package shoal

// fail takes a neighbour from which no cell came in its slot for failed (§3.5): nothing is sent to it any more, own cells under
// way to it go by other links, and cells of others that wait for it are discarded.
func (n *Node) fail(row int, epoch int32) {
	q := n.queue(row)
	q.down, q.last = true, lastNone
	rows := n.times.rows
	for q.ready > 0 {
		i := q.readyHead
		q.readyHead = n.next[int(i)*rows+row]
		q.ready--
		n.flows[i].inReady--
		n.due[int(i)*rows+row] = 0
	}
	for e := range n.times.depth {
		own := n.sentIn(row, int32(e))
		if own.Source() == n.id && !own.Dummy() {
			n.flows[n.flowOf[own.Dest()]].waiting--
			n.Counts.Returned++
			n.giveBack(*own, epoch)
		}
		*own = dummy(n.id)
	}
	for q.length > 0 {
		c := q.pop(&n.spill)
		n.Counts.Queued--
		again := q.resend > 0
		if again {
			q.resend--
		}
		if c.Source() != n.id {
			n.Counts.Lost++
			continue
		}
		if !again {
			q.local--
			n.flows[n.flowOf[c.Dest()]].waiting--
		}
		n.giveBack(c, epoch)
	}
	n.events = append(n.events, downEvent{q.neighbour, epoch})
}

// hear takes the neighbour's news of whom it cannot reach, as far as it had them when it sent the cell that came: local cells
// for those do not go by it any more. The paper does not say how nodes tell each other; here the next cell carries it.
func (n *Node) hear(row int, events []downEvent, sent int32) {
	if n.heard == nil {
		n.heard = make([]uint16, n.times.rows)
		n.cut = make([]uint64, (n.times.rows*len(n.flowOf)+63)/64)
	}
	for int(n.heard[row]) < len(events) && events[n.heard[row]].epoch < sent {
		at := row*len(n.flowOf) + int(events[n.heard[row]].dest)
		n.cut[at>>6] |= 1 << (at & 63)
		n.heard[row]++
	}
}

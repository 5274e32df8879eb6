package shoal

import "slices"

// receive takes the cell from j, sent in a row of a slot, with the nodes that j had found dead.
func (n *plainNode) receive(l *plainLink, row, sent int, c Cell, dead []int) {
	epoch := sent / n.rack.times.Epoch
	if c == silence {
		if !l.down {
			n.fail(l, epoch)
		}
		return
	}
	for _, k := range dead {
		l.cut[k] = true
	}
	if n.rack.noise != nil {
		if damaged, corrupt := n.rack.noise.hit(n.id, c); corrupt {
			n.receiveCorrupt(l, row, sent, damaged)
			return
		}
	}
	if l.down {
		if !c.Dummy() {
			n.counts.Lost++
		}
		return
	}
	if own, ok := l.answered(n, sent); ok {
		switch {
		case c.Dropped() && c.Feedback() == FeedbackCorrupt:
			n.sendAgain(l, own)
		case n.owns(own):
			back := c.Dropped() || c.Feedback() == FeedbackNone || c.Feedback() == FeedbackCorrupt
			if back { // j did not keep it
				n.counts.Returned++
				n.giveBack(own, epoch)
			}
			n.limit(own, l, row, sent, c.Feedback())
		}
	}
	l.last = plainLast{told: FeedbackMine}
	switch {
	case c.Dest() == n.id && !c.Dummy():
		n.deliver(c)
	case !c.Dummy():
		n.forward(c, l)
	}
}

func (n *plainNode) owns(c Cell) bool { return !c.Dummy() && c&plainForeign == 0 }

// answered finds the cell that j's header of a slot is about: the latest one that had come to j before that slot.
func (l *plainLink) answered(n *plainNode, slot int) (own Cell, ok bool) {
	latest := -1
	for at := range l.sent {
		if at < slot-n.rack.times.flight {
			latest = max(latest, at)
		}
	}
	if latest < 0 {
		return 0, false
	}
	own = l.sent[latest]
	for at := range l.sent {
		if at <= latest {
			delete(l.sent, at)
		}
	}
	return own, true
}

// limit keeps the length of the remote queue for Equation 2. If the header with it was corrupt, the copy of the cell is
// answered too, and that counts only until a later cell of the subflow is out.
func (n *plainNode) limit(own Cell, l *plainLink, row, sent, told int) {
	x := n.flows[own.Dest()].subflows[l.neighbour]
	if own&answered != 0 && x.out {
		return
	}
	*x = plainSubflow{ready: x.ready, known: told <= FeedbackMax, length: told, row: row, slot: sent}
}

// forward puts another node's cell into Q_jk.
func (n *plainNode) forward(c Cell, l *plainLink) {
	to := n.links[c.Dest()]
	if to.down {
		l.last = plainLast{told: FeedbackMine, dropped: true}
		n.counts.Lost++
		return
	}
	l.last = plainLast{queue: to}
	to.queue = append(to.queue, plainCell{cell: c.bare() | plainForeign})
	n.counts.Forwarded++
	n.grown(to)
}

// deliver keeps a cell for this node, and notes the messages that are complete with it.
func (n *plainNode) deliver(c Cell) {
	in := n.from[c.Source()]
	if in.have[c.Sequence()] {
		n.counts.Duplicate++
		return
	}
	in.have[c.Sequence()] = true
	n.counts.Delivered++
	n.counts.Ahead = max(n.counts.Ahead, c.Sequence()-in.inOrder)
	for in.have[in.inOrder] {
		in.inOrder++
	}
	for len(in.messages) > 0 && in.messages[0].end <= in.inOrder {
		n.rack.done[in.messages[0].id] = n.rack.slot
		in.messages = in.messages[1:]
	}
}

// fail takes a silent neighbour for dead (§3.5): own cells for it and on their way to it come back, the cells of others
// are lost.
func (n *plainNode) fail(l *plainLink, epoch int) {
	l.down = true
	n.dead = append(n.dead, l.neighbour)
	for _, f := range l.ready {
		f.subflows[l.neighbour].ready = false
	}
	l.ready = nil
	for _, at := range n.rack.ringOrder(n.id, l) {
		if own := l.sent[at]; n.owns(own) {
			n.counts.Returned++
			n.giveBack(own, epoch)
		}
	}
	for _, c := range l.queue {
		if n.owns(c.cell) {
			n.giveBack(c.cell, epoch)
		} else {
			n.counts.Lost++
		}
	}
	l.queue = nil
}

// ringOrder has the slots whose cells have no answer, in the order in which a node looks through its ring of them: by
// the epoch modulo the ring's length.
func (r *plainRack) ringOrder(node int, l *plainLink) (slots []int) {
	mask := int(r.times.rings[r.times.row(node, l.neighbour)].mask)
	for at := range l.sent {
		slots = append(slots, at)
	}
	slices.SortFunc(slots, func(a, b int) int { return a/r.times.Epoch&mask - b/r.times.Epoch&mask })
	return slots
}

// giveBack makes a cell wait for another link.
func (n *plainNode) giveBack(c Cell, epoch int) {
	f := n.flows[c.Dest()]
	f.again = append(f.again, c.bare())
	n.begin(f, epoch)
}

// receiveCorrupt is Appendix D: the feedback is used, right or wrong, and the last cell to j goes out again.
func (n *plainNode) receiveCorrupt(l *plainLink, row, sent int, c Cell) {
	if l.down {
		return
	}
	l.last = plainLast{told: FeedbackCorrupt, dropped: true}
	own, ok := l.answered(n, sent)
	if !ok {
		return
	}
	if n.owns(own) {
		told := c.Feedback()
		if own.Dest() == l.neighbour && told <= FeedbackMax {
			told = FeedbackMine
		}
		if told <= FeedbackMax || told == FeedbackMine {
			n.limit(own, l, row, sent, told)
			own |= answered
		}
	}
	n.sendAgain(l, own)
}

func (n *plainNode) sendAgain(l *plainLink, c Cell) {
	if c.Dummy() {
		return
	}
	l.queue = slices.Insert(l.queue, 0, plainCell{c, true})
	n.counts.Again++
	n.grown(l)
}

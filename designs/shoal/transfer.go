package shoal

// silence stands for no cell at all, as from a failed node or path. No header without CRC looks like it.
const silence = ^Cell(0)

// Transmit takes the cell that goes out in a row: the first of its queue or a dummy, with the feedback for what came last from the
// neighbour. A neighbour that has failed gets silence.
//
// Equation 6 is read so that a local flow whose cell is in Q still stands in R, and one is subtracted because it counts twice. Here it
// leaves R when its cell enters Q, and nothing has to be subtracted. Read to the letter (Options.LessOne), one is also
// subtracted where no local cell is in Q, and then two cells of a subflow meet in the intermediate's queue.
func (n *Node) Transmit(row int, epoch int32) Cell {
	q := n.queue(row)
	if q.down || q.neighbour == noRow {
		return silence
	}
	c := dummy(n.id)
	if q.length > 0 {
		c = q.pop(&n.spill)
		n.Counts.Queued--
		switch {
		case q.resend > 0:
			q.resend--
		case c.Source() == n.id:
			q.local--
		}
	}
	*n.sentIn(row, epoch) = c
	last := q.last
	q.last = lastNone
	switch last {
	case lastNone:
		return c.withFeedback(FeedbackNone)
	case lastMine:
		return c.withFeedback(FeedbackMine)
	case lastCorrupt:
		return c.withFeedback(FeedbackCorrupt).withDropped()
	case lastDropped:
		return c.withFeedback(FeedbackMine).withDropped()
	}
	remote := n.queue(int(n.rowOf[last]))
	length := int(remote.length) + int(remote.ready)
	if n.times.options.LessOne {
		length = max(length+int(remote.local)-1, 0)
	}
	return c.withFeedback(min(length, FeedbackMax))
}

// Arrival is what a cell did at the node that received it.
type Arrival struct {
	Queued  int    // length of the queue it went to, 0 if it went to none
	Advance uint32 // cells of its flow that are now in order, more than before
}

// Receive takes the cell that the neighbour of a row sent in an epoch of its own row.
func (n *Node) Receive(row int, c Cell, sent int32) Arrival {
	q := n.queue(row)
	if c == silence {
		if !q.down {
			n.fail(row, sent)
		}
		return Arrival{}
	}
	if q.down {
		if !c.Dummy() {
			n.Counts.Lost++
		}
		return Arrival{}
	}
	n.settle(row, sent-int32(q.lag), c, sent)
	dest := c.Dest()
	if dest == n.id {
		q.last = lastMine
		return Arrival{Advance: n.deliver(c)}
	}
	if c.Dummy() {
		q.last = lastMine
		return Arrival{}
	}
	to := n.queue(int(n.rowOf[dest]))
	if to.down {
		q.last = lastDropped
		n.Counts.Lost++
		return Arrival{}
	}
	q.last = uint16(dest)
	c = c.bare()
	if to.holds(c, &n.spill) && !n.unsound {
		n.fault("two cells of the flow from %d to %d are in the intermediate's queue", c.Source(), dest)
	}
	n.push(to, c)
	return Arrival{Queued: int(to.length)}
}

// settle finds the cell that a header's feedback is about, and acts on it.
func (n *Node) settle(row int, epoch int32, c Cell, sent int32) {
	if epoch < 0 {
		return
	}
	own := n.sentIn(row, epoch)
	last := *own
	*own = dummy(n.id)
	if c.Dropped() && c.Feedback() == FeedbackCorrupt {
		n.sendAgain(row, last)
		return
	}
	if last.Source() != n.id || last.Dummy() {
		return
	}
	feedback := c.Feedback()
	if c.Dropped() {
		n.Counts.Returned++
		n.giveBack(last, sent)
		feedback = FeedbackMine
	}
	n.answer(last, row, feedback, sent)
}

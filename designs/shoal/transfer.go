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
	at := n.at(row)
	link := &n.links.queues[at]
	if link.down || link.none {
		return silence
	}
	c := dummy(n.id)
	lane := at
	for class := 1; class < n.times.classes && n.links.queues[lane].level.length == 0; class++ { // in the order of their priority
		lane += n.times.rows * n.links.stride
	}
	if q := &n.links.queues[lane]; q.level.length > 0 {
		c = q.pop(&n.spill)
		n.note(lane)
		n.Counts.Queued--
		switch {
		case q.resend > 0:
			q.resend--
		case c.Source() == n.id:
			q.local--
		}
	}
	*n.sentIn(row, epoch) = c
	last := link.last
	link.last = lastNone
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
	if last <= lastRow { // the first class
		at = n.at(int(last))
		length := n.backlog(at)
		if n.times.options.LessOne {
			length = max(length+int(n.links.queues[at].local)-1, 0)
		}
		return c.withFeedback(min(length, FeedbackMax))
	}
	return n.classFeedback(c, last)
}

// classFeedback puts the feedback for a cell of any class into a header (Appendix C): all that waits with the same or a higher priority. It tells too
// whether the cell was dropped.
func (n *Node) classFeedback(c Cell, last uint16) Cell {
	length := 0
	for class := range int(last>>lastClass&(maxClasses-1)) + 1 { // those of the same or a higher priority
		length += n.backlog(n.at(class*n.times.rows + int(last&lastRow)))
	}
	c = c.withFeedback(min(length, FeedbackMax))
	if last&lastTail != 0 {
		c = c.withDropped()
	}
	return c
}

// Arrival is what a cell did at the node that received it.
type Arrival struct {
	Queued   int  // length of the queue it went to, 0 if it went to none
	Complete bool // with it a message is complete
}

// Receive takes the cell that came in a row of the schedule, in an epoch of the sender's.
func (n *Node) Receive(back int, c Cell, sent int32) Arrival {
	row := n.times.replyRow(back, n.id)
	q := &n.links.queues[n.at(row)]
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
	n.settle(row, back, sent-int32(q.lag), c, sent)
	dest := c.Dest()
	if dest == n.id {
		q.last = lastMine
		f := n.inFlow(n.times.pairOf(n.times.classOf(c), c.Source()))
		return Arrival{Complete: n.deliver(f, c) > 0 && int32(f.expected-f.goal) >= 0}
	}
	if c.Dummy() {
		q.last = lastMine
		return Arrival{}
	}
	class := n.times.classOf(c)
	toRow := n.rowTo(dest)
	if len(n.events) > 0 && n.links.queues[n.at(toRow)].down {
		q.last = lastDropped
		n.Counts.Lost++
		return Arrival{}
	}
	lane := class*n.times.rows + toRow
	to := n.link(lane)
	q.last = uint16(toRow | class<<lastClass)
	if limit := n.times.options.Limit; limit > 0 && int(to.level.length) >= limit || class > 0 && to.level.length > 0 && to.holds(c, &n.spill) {
		q.last |= lastTail
		n.Counts.Lost++
		n.Counts.Tail[class]++
		return Arrival{}
	}
	c = c.bare()
	if to.level.length > 0 && to.holds(c, &n.spill) && !n.unsound {
		n.fault("two cells of the flow from %d to %d are in the intermediate's queue", c.Source(), dest)
	}
	n.push(to, c)
	n.note(n.at(lane))
	return Arrival{Queued: int(to.level.length)}
}

// settle finds the cell that a header's feedback is about, and acts on it.
func (n *Node) settle(row, back int, epoch int32, c Cell, sent int32) {
	if epoch < 0 {
		return
	}
	own := n.sentIn(row, epoch)
	last := *own
	if c.Dropped() && c.Feedback() == FeedbackCorrupt {
		*own = dummy(n.id)
		n.sendAgain(row, last)
		return
	}
	if last.Source() != n.id || last.Dummy() {
		return
	}
	*own = dummy(n.id)
	feedback := c.Feedback()
	if c.Dropped() {
		n.Counts.Returned++
		n.giveBack(last, sent)
	}
	n.answer(last, row, back, feedback, sent)
}

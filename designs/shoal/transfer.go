package shoal

// silence stands for no cell at all, as from a failed node or path. No header without CRC looks like it.
const silence = ^Cell(0)

// Transmit takes the cell that goes out in a row: the first of its queue or a dummy, with the feedback for the
// neighbour's last cell. A neighbour that has failed gets silence.
func (n *Node) Transmit(row int, epoch int32) Cell {
	var out [1]Cell
	n.links.transmit(n.Times, row, epoch, n.place, out[:])
	return out[0]
}

// transmit takes the cells of a row from nodes side by side, the first of them at a place. It asks common questions
// once, and has no branch on unpredictable data.
//
// Equation 6 is read so that a local flow whose cell is in Q still stands in R, and one is subtracted because it counts
// twice. Here it leaves R when its cell enters Q, and nothing has to be subtracted. Read to the letter
// (Options.LessOne), one is also subtracted where no local cell is in Q, and then two cells of a subflow meet in the
// intermediate's queue.
func (l *links) transmit(f *fabricTimes, row int, epoch int32, place int, out []Cell) {
	at := row*l.stride + place
	queues, queued := l.Queues[at:][:len(out)], l.queued[place:][:len(out)]
	sent := l.sent[f.sentAt(row, epoch)*l.stride+place:][:len(out)]
	waits := l.waits[at+lastRows*l.stride:][:len(out)]
	classes := f.classes
	for k := range out {
		q := &queues[k]
		if q.Down || q.none {
			out[k] = silence
			continue
		}
		id := l.first + place + k
		c := dummy(id)
		if classes > 1 && q.Level.Length == 0 {
			c = l.popLower(f, row, place+k, c)
		}
		if length := q.Level.Length; length > 0 {
			c = q.cells[0]
			if length <= inline {
				q.cells[0] = q.cells[1]
				q.Level.Length = length - 1
			} else {
				q.pop(&l.spills[place+k])
			}
			queued[k]--
			if waits[k] < waitsMore {
				waits[k]--
			} else {
				waits[k] = q.waits()
			}
			q.left(c, id)
		}
		sent[k], out[k] = c, c
	}
	l.answer(f, row, place, out)
}

// popLower takes the first cell of a row's queues for the classes after the first. If there is none, it returns the
// dummy.
func (l *links) popLower(f *fabricTimes, row, place int, dummy Cell) Cell {
	for class := 1; class < f.classes; class++ { // in the order of their priority
		at := (class*f.Rows+row)*l.stride + place
		if q := &l.Queues[at]; q.Level.Length > 0 {
			c := q.pop(&l.spills[place])
			l.queued[place]--
			l.note(at, q)
			q.left(c, l.first+place)
			return c
		}
	}
	return dummy
}

// left counts down which kind of cell has left its queue at a node.
func (q *cellQueue) left(c Cell, id int) {
	local := uint8(0)
	if c.Source() == id {
		local = 1
	}
	if q.resend > 0 {
		q.resend, local = q.resend-1, 0
	}
	q.local -= local
}

// answer puts the feedback into the headers that go out in a row, from nodes side by side.
func (l *links) answer(f *fabricTimes, row, place int, out []Cell) {
	heard := l.heard[row*l.stride+place:][:len(out)]
	waits, stride, lessOne := l.waits, l.stride, f.options.LessOne
	for k, c := range out {
		if c == silence {
			continue
		}
		last := heard[k].last
		heard[k].last = lastNone
		if last > lastRow || lessOne && last >= lastRows {
			out[k] = l.feedback(f, c, place+k, last)
			continue
		}
		at := int(last)*stride + place + k
		told := waits[at]
		if told == waitsMore {
			out[k] = c.withFeedback(min(l.backlog(at-lastRows*stride), FeedbackMax)) &^ answered
			continue
		}
		out[k] = c&^(feedbackMask<<feedbackShift|answered) | feedbackOf[told]
	}
}

// feedback puts the feedback for a cell of any class into a header (Appendix C): every cell that waits with the same or
// a higher priority. It tells too whether the cell was dropped.
func (l *links) feedback(f *fabricTimes, c Cell, place int, last uint16) Cell {
	length := 0
	for class := range int(last>>lastClass&(MaxClasses-1)) + 1 { // cells of the same or a higher priority
		at := (class*f.Rows+int(last&lastRow)-lastRows)*l.stride + place
		length += l.backlog(at)
		if f.options.LessOne && last&lastTail == 0 { // of one class
			length = max(length+int(l.Queues[at].local)-1, 0)
		}
	}
	c = c.withFeedback(min(length, FeedbackMax)) &^ answered
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
	row := n.Times.replyRow(back, n.ID)
	h := n.heard(row)
	if c == silence {
		if h.lag != lagDown {
			n.fail(row, sent)
		}
		return Arrival{}
	}
	if h.lag == lagDown {
		if !c.Dummy() {
			n.Counts.Lost++
		}
		return Arrival{}
	}
	n.settle(row, back, sent-int32(h.lag), c, sent)
	h.last = lastMine
	switch dest := c.Dest(); {
	case dest == n.ID:
		return Arrival{Complete: n.take(c)}
	case c.Dummy():
		return Arrival{}
	default:
		return Arrival{Queued: n.forward(c, n.RowTo(dest), h)}
	}
}

// take keeps a cell for this node, and tells whether a message is complete with it.
func (n *Node) take(c Cell) bool {
	f := n.InFlow(n.Times.pairOf(n.Times.classOf(c), c.Source()))
	return n.deliver(f, c) > 0 && int32(f.Expected-f.goal) >= 0
}

// forward puts another node's cell into the queue of the row to its destination, and returns the queue's length, 0 if
// the cell was dropped.
func (n *Node) forward(c Cell, toRow int, h *lastHeard) int {
	class := n.Times.classOf(c)
	at := n.at(class*n.Times.Rows + toRow)
	to := &n.links.Queues[at]
	if n.failed > 0 && n.Link(toRow).Down {
		h.last = lastDropped
		n.Counts.Lost++
		return 0
	}
	last := uint16(toRow + lastRows | class<<lastClass)
	double := to.Level.Length > 0 && to.holds(c, &n.links.spills[n.place])
	if limit := n.Times.options.Limit; limit > 0 && int(to.Level.Length) >= limit || class > 0 && double {
		h.last = last | lastTail
		n.Counts.Lost++
		n.Counts.Tail[class]++
		return 0
	}
	h.last = last
	if double && !n.unsound {
		n.fault("two cells of the flow from %d to %d are in the intermediate's queue", c.Source(), c.Dest())
	}
	n.push(to, c.bare())
	n.Counts.Forwarded++
	if waits := &n.links.waits[at+lastRows*n.links.stride]; *waits < waitsMore {
		*waits++
	}
	return int(to.Level.Length)
}

// settle finds the cell that a header's feedback is about, and acts on it.
func (n *Node) settle(row, back int, epoch int32, c Cell, sent int32) {
	if epoch < 0 {
		return
	}
	own := n.sentIn(row, epoch)
	last := *own
	if c.Dropped() && c.Feedback() == FeedbackCorrupt {
		*own = dummy(n.ID)
		n.sendAgain(row, last)
		return
	}
	if last.Source() != n.ID || last.Dummy() {
		return
	}
	*own = dummy(n.ID)
	feedback := c.Feedback()
	if c.Dropped() {
		n.Counts.Returned++
		n.giveBack(last, sent)
	}
	n.answer(last, row, n.neighbour(row), back, feedback, sent)
}

package shoal

// ReceiveCorrupt takes a cell whose CRC is wrong, in a row of the schedule (Appendix D). The rate limit feedback is
// taken out of its header, right or wrong, and the cell is discarded. The next header to the neighbour says so. Its own
// last-cell-dropped bit cannot be trusted, so it is taken for set: the last cell to the neighbour goes out again.
//
// The feedback is about that last cell. If it is a length, Equation 2 may allow the subflow's next cell before the
// copy's own feedback comes.
func (n *Node) ReceiveCorrupt(back int, c Cell, sent int32) {
	row := n.Times.replyRow(back, n.ID)
	h := n.heard(row)
	if h.lag == lagDown {
		return
	}
	h.last = lastCorrupt
	epoch := sent - int32(h.lag)
	if epoch < 0 {
		return
	}
	own := n.sentIn(row, epoch)
	last := *own
	*own = dummy(n.ID)
	if last.Source() == n.ID && !last.Dummy() {
		neighbour, feedback := n.neighbour(row), c.Feedback()
		if last.Dest() == neighbour && feedback <= FeedbackMax { // wrong: no such cell waits there
			feedback = FeedbackMine
		}
		if feedback <= FeedbackMax || feedback == FeedbackMine {
			n.limit(last, row, neighbour, back, feedback, sent)
			last |= answered
		}
	}
	n.sendAgain(row, last)
}

// answered marks a cell that goes out again although feedback for it has come: a later cell of its subflow may be out
// as well. The bit is one of the CRC's, which no cell in a node has. It does not go over the link.
const answered Cell = 1

// sendAgain puts a cell back at the front of its queue. A dummy is not sent again.
func (n *Node) sendAgain(row int, c Cell) {
	if c.Dummy() {
		return
	}
	lane := n.Times.classOf(c)*n.Times.Rows + row
	q := n.Link(lane)
	q.pushFront(c, &n.links.spills[n.place])
	n.links.note(n.at(lane), q)
	q.resend++
	n.links.queued[n.place]++
	n.Counts.Again++
	n.Counts.MaxQueue = max(n.Counts.MaxQueue, uint32(q.Level.Length))
}

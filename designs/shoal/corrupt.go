package shoal

// ReceiveCorrupt takes a cell whose CRC is wrong, in a row of the schedule (Appendix D). It is discarded, and the next header to the neighbour says so. Its own
// last-cell-dropped bit cannot be trusted, so it is taken for set.
//
// What of Appendix D is lost we read so: the feedback of a corrupt header is not used, because retransmission brings another one.
func (n *Node) ReceiveCorrupt(back int, sent int32) {
	row := n.times.replyRow(back, n.id)
	h := n.heard(row)
	if h.lag == lagDown {
		return
	}
	h.last = lastCorrupt
	if epoch := sent - int32(h.lag); epoch >= 0 {
		own := n.sentIn(row, epoch)
		last := *own
		*own = dummy(n.id)
		n.sendAgain(row, last)
	}
}

// sendAgain puts a cell back at the front of its queue. A dummy is not sent again.
func (n *Node) sendAgain(row int, c Cell) {
	if c.Dummy() {
		return
	}
	lane := n.times.classOf(c)*n.times.rows + row
	q := n.link(lane)
	q.pushFront(c, &n.links.spills[n.place])
	n.links.note(n.at(lane), q)
	q.resend++
	n.links.queued[n.place]++
	n.Counts.Again++
	n.Counts.MaxQueue = max(n.Counts.MaxQueue, uint32(q.level.length))
}

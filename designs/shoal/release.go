package shoal

import "fmt"

// Release lets cells of local flows into the queue of a row, just before its slot (§3.3.2, §3.3.3). A subflow that
// Equation 2 allows to send goes to the end of the ready queue; its cell is bound to the link when it enters Q, which
// has one local cell at most.
//
// The paper gives Equation 2 before it introduces ready queues. What a cell waits for here is then Q and R, so both
// count, as they do in Equation 6. With Q alone (Options.QueueAlone) a flow would wait for the remote queue first and
// for R after it.
//
// With several classes (Appendix C) a cell waits for the queues of its own class and of all classes that go before it.
func (n *Node) Release(row int, epoch int32) {
	q := n.Link(row)
	if q.Down || q.none || q.stirs(epoch, n.links.begun[n.place]) == 0 {
		return
	}
	if n.Times.classes == 1 {
		n.release(q, row, 0, epoch, 0, 0)
		return
	}
	before, ready := int32(0), int32(0) // cells and flows of the classes before
	for class := range n.Times.classes {
		q := n.Link(class*n.Times.Rows + row)
		n.release(q, row, class, epoch, before, ready)
		before, ready = before+int32(q.Level.Length), ready+int32(q.Level.ready)
	}
}

func (n *Node) release(q *cellQueue, row, class int, epoch, before, readyBefore int32) {
	l := &q.Level
	rows, opt := n.Times.Rows, &n.Times.options
	length := before + int32(l.Length)
	wait := length // epochs until a further cell can go
	if !opt.QueueAlone {
		wait += readyBefore + int32(l.ready)
	}
	least := int32(dueFeedback)
	for at := 0; at < len(n.active); at++ {
		i := n.active[at]
		k := int(i)*rows + row
		due := n.due[k]
		if due > epoch+wait { // Equation 2: len(Q_ij) + len(R_ij) + drains >= len(Q_jk)
			least = min(least, due)
			continue
		}
		f := &n.flows[i]
		if int(f.class) != class {
			continue
		}
		age := epoch - f.started
		if !opt.NoAge && age < 16 && length > 1<<age || n.cut != nil && n.isCut(row, int(f.dest)) {
			least = min(least, due)
			continue
		}
		if opt.NoReady || l.ready == 0 && q.local == 0 { // into R and out again at once
			n.bind(q, f, row, i, k)
			if opt.NoReady {
				wait, length = wait+1, length+1
			}
			if f.unsent == 0 { // it is active no more
				at--
			}
			continue
		}
		n.due[k] += dueReady
		f.inReady++
		r := &n.links.ready[n.at(class*rows+row)]
		if l.ready == 0 {
			r.head = i
		} else {
			n.next[int(r.tail)*rows+row] = i
		}
		r.tail = i
		l.ready++
	}
	for l.ready > 0 && q.local == 0 {
		r := &n.links.ready[n.at(class*rows+row)]
		i := r.head
		k := int(i)*rows + row
		if n.due[k]-dueReady > epoch+before+int32(l.Length) && n.flows[i].unsent > 0 {
			break // flows before it have left R without a cell, so that its turn has come too early
		}
		r.head = n.next[k]
		l.ready--
		f := &n.flows[i]
		f.inReady--
		if f.unsent == 0 { // its last cells went by other links
			n.due[k] -= dueReady
			f.lastDue = max(f.lastDue, n.due[k])
			continue
		}
		n.bind(q, f, row, i, k)
	}
	n.links.note(n.at(class*rows+row), q)
	if n.Times.classes == 1 {
		q.due, q.begun = least, n.links.begun[n.place]
	}
}

// stirs is 1 if Release may have something to do in an epoch, and 0 if no flow stands in R and none may go there. Begun
// is the node's links.begun: if a flow has begun since due was found, due says nothing. There is no branch, for the
// outcome cannot be foreseen.
func (q *cellQueue) stirs(epoch int32, begun uint32) int {
	x := q.begun ^ begun | uint32(q.Level.ready) | uint32(q.due-epoch-int32(q.Level.Length)-1)>>31
	return int((x | -x) >> 31)
}

// bind puts a cell of a flow into a queue.
func (n *Node) bind(q *cellQueue, f *outFlow, row int, i uint16, k int) {
	c := n.nextCell(f)
	if q.Level.Length > 0 && q.resend == 0 && q.holds(c, &n.links.spills[n.place]) && f.class == 0 {
		n.fault("two cells of the flow from %d to %d are in the source's queue for %d", n.ID, f.dest, n.neighbour(row))
	}
	n.push(q, c)
	q.local++
	n.due[k] = dueFeedback
	f.waiting++
	if f.unsent == 0 {
		n.deactivate(i)
	}
}

func (n *Node) push(q *cellQueue, c Cell) {
	l := n.links
	if length := q.Level.Length; length < inline {
		q.cells[length&(inline-1)] = c
		q.Level.Length = length + 1
	} else {
		q.push(c, &l.spills[n.place])
	}
	if length := uint32(q.Level.Length); length > n.Counts.MaxQueue {
		n.Counts.MaxQueue = length
	}
	queued := &l.queued[n.place]
	*queued++
	if *queued > n.Counts.MaxQueued {
		n.Counts.MaxQueued = *queued
	}
}

func (n *Node) fault(format string, args ...any) {
	if n.Broken == "" {
		n.Broken = fmt.Sprintf("node %d: ", n.ID) + fmt.Sprintf(format, args...)
	}
}

// answer takes the feedback for a cell of this node that went out by a row: the length of the remote queue when the
// neighbour sent it, in its epoch and its row back.
func (n *Node) answer(c Cell, row, neighbour, back, feedback int, sent int32) {
	n.flows[c.Feedback()].waiting-- // the number of the flow, see nextCell
	n.limit(c, row, neighbour, back, feedback, sent)
	if feedback > FeedbackMax && feedback != FeedbackMine {
		n.Counts.Returned++
		n.giveBack(c, sent)
	}
}

// limit finds from feedback when Equation 2 allows the next cell of a subflow.
func (n *Node) limit(c Cell, row, neighbour, back, feedback int, sent int32) {
	i := c.Feedback()
	f, k, q := &n.flows[i], i*n.Times.Rows+row, n.Link(row)
	inReady := int32(0)
	if c&answered != 0 {
		switch at := n.due[k]; {
		case at == dueFeedback: // of a later cell, whose own feedback is to come
			return
		case at >= dueReady:
			inReady = dueReady
		}
	}
	if feedback > FeedbackMax {
		n.due[k], q.due = inReady, 0
		return
	}
	due := sent + int32(feedback)
	if n.Times.options.Counters {
		due += int32(n.counted(row, back))
	} else if n.Times.options.WholeEpochs {
		due += int32(n.wholeEpochs(row, back))
	} else {
		due += int32(n.drains(row, back, n.Times.row(neighbour, c.Dest())))
	}
	due = max(due, 0)
	n.due[k] = inReady + due
	if due > f.lastDue {
		f.lastDue = due
	}
	q.due = min(q.due, due)
}

// drains is what the feedback lacks to the epoch in which Equation 2 is met with an empty local queue. The remote queue
// has one drain in each of its rows. Those after the neighbour's row in the epoch of the feedback count, up to those in
// the slot of this node's row: a cell that drains there makes room before the new one comes. With epochs e0 and e there
// are e - e0 - drains of them.
func (n *Node) drains(row, back, remote int) int {
	d := -1
	if remote <= back {
		d++
	}
	if n.Times.slots[remote] > n.Times.slots[row] {
		d++
	}
	return d
}

// wholeEpochs is the same for the other reading: epochs of time since the feedback came, rounded down.
func (n *Node) wholeEpochs(row, back int) int {
	t := n.Times
	arrived := back/t.channels + t.flight + 1
	d := arrived / t.Epoch
	if row/t.channels < arrived%t.Epoch {
		d++
	}
	return d
}

// counted is the same if a node has a counter of epochs that goes on in the last slot of each, and takes the difference
// between its value before a slot and its value when the feedback came.
func (n *Node) counted(row, back int) int {
	t := n.Times
	d := (back/t.channels + t.flight + 1) / t.Epoch
	if row/t.channels == t.Epoch-1 {
		d--
	}
	return d
}

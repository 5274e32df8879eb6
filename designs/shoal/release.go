package shoal

import "fmt"

// Release lets cells of local flows into the queue of a row, just before its slot (§3.3.2, §3.3.3). A subflow that Equation 2 allows
// to send goes to the end of the ready queue; its cell is bound to the link when it enters Q, which has one local cell at most.
//
// The paper gives Equation 2 before it introduces ready queues. What a cell waits for here is then Q and R, so both count, as they do in
// Equation 6. With Q alone (Options.QueueAlone) a flow would wait for the remote queue first and for R after it.
//
// With several classes (Appendix C) a cell waits for the queues of its own class and of all classes that go before it.
func (n *Node) Release(row int, epoch int32) {
	if q := &n.links.queues[n.at(row)]; q.down || q.none || len(n.active) == 0 && n.times.classes == 1 && q.level.ready == 0 {
		return
	}
	if n.times.classes == 1 {
		n.release(row, 0, epoch, 0, 0)
		return
	}
	before, ready := int32(0), int32(0) // cells and flows of the classes before
	for class := range n.times.classes {
		n.release(row, class, epoch, before, ready)
		l := &n.link(class*n.times.rows + row).level
		before, ready = before+int32(l.length), ready+int32(l.ready)
	}
}

func (n *Node) release(row, class int, epoch, before, readyBefore int32) {
	lane := class*n.times.rows + row
	q := n.link(lane)
	l := &q.level
	rows, opt := n.times.rows, &n.times.options
	length := before + int32(l.length)
	wait := length // epochs until a further cell can go
	if !opt.QueueAlone {
		wait += readyBefore + int32(l.ready)
	}
	for at := 0; at < len(n.active); at++ {
		i := n.active[at]
		k := int(i)*rows + row
		if n.due[k] > epoch+wait { // Equation 2: len(Q_ij) + len(R_ij) + drains >= len(Q_jk)
			continue
		}
		f := &n.flows[i]
		if int(f.class) != class {
			continue
		}
		if age := epoch - f.started; !opt.NoAge && age < 16 && length > 1<<age {
			continue
		}
		if n.cut != nil && n.cut[(row*n.times.schedule.nodes+int(f.dest))>>6]>>((row*n.times.schedule.nodes+int(f.dest))&63)&1 != 0 {
			continue
		}
		if opt.NoReady || l.ready == 0 && q.local == 0 { // into R and out again at once
			n.bind(q, row, i, k)
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
		r := &n.links.ready[n.at(lane)]
		if l.ready == 0 {
			r.head = i
		} else {
			n.next[int(r.tail)*rows+row] = i
		}
		r.tail = i
		l.ready++
	}
	for l.ready > 0 && q.local == 0 {
		r := &n.links.ready[n.at(lane)]
		i := r.head
		k := int(i)*rows + row
		if n.due[k]-dueReady > epoch+before+int32(l.length) && n.flows[i].unsent > 0 {
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
		n.bind(q, row, i, k)
	}
	n.note(n.at(lane))
}

// bind puts a cell of a flow into a queue.
func (n *Node) bind(q *cellQueue, row int, i uint16, k int) {
	f := &n.flows[i]
	c := n.nextCell(i)
	if f.class == 0 && q.level.length > 0 && q.holds(c, &n.spill) {
		n.fault("two cells of the flow from %d to %d are in the source's queue for %d", n.id, f.dest, n.neighbour(row))
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
	q.push(c, &n.spill)
	n.Counts.Queued++
	n.Counts.MaxQueue = max(n.Counts.MaxQueue, uint32(q.level.length))
	n.Counts.MaxQueued = max(n.Counts.MaxQueued, n.Counts.Queued)
}

func (n *Node) fault(format string, args ...any) {
	if n.broken == "" {
		n.broken = fmt.Sprintf("node %d: ", n.id) + fmt.Sprintf(format, args...)
	}
}

// answer takes the feedback for a cell of this node that went out by a row: the length of the remote queue when the neighbour
// sent it, in its epoch and its row back.
func (n *Node) answer(c Cell, row, back, feedback int, sent int32) {
	i := c.Feedback() // the number of the flow, see nextCell
	f := &n.flows[i]
	f.waiting--
	k := i*n.times.rows + row
	switch feedback {
	case FeedbackMine:
		n.due[k] = 0
		return
	case FeedbackNone, FeedbackCorrupt:
		n.due[k] = 0
		n.Counts.Returned++
		n.giveBack(c, sent)
		return
	}
	d := int(sent) + feedback
	if n.times.options.WholeEpochs {
		d += n.wholeEpochs(row, back)
	} else {
		d += n.drains(row, back, n.times.row(n.neighbour(row), c.Dest()))
	}
	n.due[k] = int32(max(d, 0))
	f.lastDue = max(f.lastDue, n.due[k])
}

// drains is what the feedback lacks to the epoch in which Equation 2 is met with an empty local queue. The remote queue has one
// drain in each of its rows. Those after the neighbour's row in the epoch of the feedback count, up to those in the slot of this
// node's row: what drains there makes room before the cell comes. With epochs e0 and e there are e - e0 - drains of them.
func (n *Node) drains(row, back, remote int) int {
	d := -1
	if remote <= back {
		d++
	}
	if remote/n.times.channels > row/n.times.channels {
		d++
	}
	return d
}

// wholeEpochs is the same for the other reading: epochs of time since the feedback came, rounded down.
func (n *Node) wholeEpochs(row, back int) int {
	t := n.times
	arrived := back/t.channels + t.flight + 1
	d := arrived / t.epoch
	if row/t.channels < arrived%t.epoch {
		d++
	}
	return d
}

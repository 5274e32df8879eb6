package shoal

import "fmt"

// Conservation fails unless every cell that was sent, or sent again, has arrived, waits in a queue, is on its way, or
// was lost to a failure or to corruption, and is counted there. It fails too if feedback would tell of more or less
// than waits in a queue.
func (r *Rack) Conservation() error {
	copies, ends, queued := uint64(0), r.corrupted(), uint64(0)
	for i := range r.Nodes {
		n := &r.Nodes[i]
		copies += n.Counts.Sent + n.Counts.Returned + n.Counts.Again
		ends += n.Counts.Delivered + n.Counts.Duplicate + n.Counts.Lost
		counted := uint64(0)
		for lane := range r.Times.lanes {
			l := n.Link(lane).Level
			counted += uint64(l.Length)
			if waits, told := int(l.Length)+int(l.ready), n.links.backlog(n.at(lane)); told != waits {
				return fmt.Errorf("node %d, lane %d: %d cells and flows wait, feedback would tell of %d", n.ID, lane, waits, told)
			}
		}
		for i := range n.flows {
			queued += uint64(len(n.flows[i].again))
		}
		if told := uint64(r.Links.queued[i]); counted != told {
			return fmt.Errorf("node %d: %d cells in its queues, counted %d", n.ID, counted, told)
		}
		queued += counted
	}
	flying := uint64(0)
	for k := range min(uint64(r.Times.flight), r.slot) {
		for _, c := range r.sentIn(r.slot - 1 - k) {
			if c != silence && !c.Dummy() {
				flying++
			}
		}
	}
	if copies != ends+queued+flying+r.lostOnPaths() {
		return fmt.Errorf(
			"%d cells sent or sent again, but %d have come to an end, %d wait and %d fly", copies, ends+r.lostOnPaths(),
			queued, flying,
		)
	}
	return nil
}

// sentIn has the cells of one of the last slots, by channel and sender.
func (r *Rack) sentIn(slot uint64) []Cell {
	k := r.Times.channels * len(r.Nodes)
	at := int(slot%r.ring) * k
	return r.wire[at : at+k]
}

// Sent calls f for each cell that went out in the last slot and came on to a line that works, dummies apart: in the
// order of channels and senders, with the node at the line's other end.
func (r *Rack) Sent(f func(channel, from, to int, c Cell)) {
	if r.slot == 0 {
		return
	}
	slot, n := r.slot-1, len(r.Nodes)
	row := int(slot%uint64(r.Times.Epoch)) * r.Times.channels
	for k, c := range r.sentIn(slot) {
		if c != silence && !c.Dummy() {
			f(k/n, k%n, r.Times.Schedule.To(row+k/n, k%n), c)
		}
	}
}

// corrupted counts the cells that arrived with a wrong CRC, dummies not counted.
func (r *Rack) corrupted() (cells uint64) {
	if r.noise != nil {
		for _, k := range r.noise.hits {
			cells += k
		}
	}
	return cells
}

// lostOnPaths counts the cells that were sent where nothing comes through.
func (r *Rack) lostOnPaths() (cells uint64) {
	if r.failures != nil {
		for _, k := range r.failures.lost {
			cells += k
		}
	}
	return cells
}

// CellsOut counts the cells that nodes have sent, dummies apart: one of two hops counts twice. No node may have failed.
func (r *Rack) CellsOut() (cells uint64) {
	for i := range r.Nodes {
		c := &r.Nodes[i].Counts
		cells += c.Sent + c.Again + c.Forwarded - uint64(r.Links.queued[i])
	}
	return cells
}

// ArrivedCells counts the cells that have reached their destinations.
func (r *Rack) ArrivedCells() (cells uint64) {
	for i := range r.Nodes {
		n := &r.Nodes[i]
		cells += n.Counts.Delivered
	}
	return cells
}

// LongestReady returns how many flows stand in the ready queue that is longest beside the outcast degree of its node,
// and that degree: the destinations for which the node has cells that may be in its queues. Sending leaves flows out
// that have no cell left since the last ones went by other links: they stand in R until it is their turn. Equation 4
// says that flows are at most the degree.
func (r *Rack) LongestReady(sending bool) (flows, outcast int) {
	first := true
	for i := range r.Nodes {
		n := &r.Nodes[i]
		longest, degree := 0, n.outcast()
		for lane := range r.Times.lanes {
			longest = max(longest, n.standing(lane, sending))
		}
		if first || longest-degree > flows-outcast {
			flows, outcast, first = longest, degree, false
		}
	}
	return flows, outcast
}

// standing counts the flows in a ready queue, all of them or those with cells to send.
func (n *Node) standing(lane int, sending bool) (flows int) {
	at := n.links.ready[n.at(lane)].head
	for range n.Link(lane).Level.ready {
		if !sending || n.flows[at].unsent > 0 {
			flows++
		}
		at = n.next[int(at)*n.Times.Rows+lane%n.Times.Rows]
	}
	return flows
}

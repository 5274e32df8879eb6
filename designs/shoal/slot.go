package shoal

// What the nodes of a share do in a slot goes step by step: each step for all of them before the next one. A node acts
// on itself alone, so that this gives the same as node by node (a test). A processor cannot foresee which nodes have
// something to do in a step, and a wrong guess costs as much as the step. So each step first collects its nodes without
// a branch, and then goes through those.

// places has the nodes that a step has collected.
type places [MaxNodes]uint16

// send lets the nodes of a share release and transmit in a slot.
func (r *Rack) send(s *share, slot uint64) {
	f, n := r.Times, len(r.Nodes)
	row, epoch := int(slot%uint64(f.Epoch))*f.channels, int32(slot/uint64(f.Epoch))
	at := int(slot % r.ring)
	out := r.wire[at*f.channels*n : (at+1)*f.channels*n]
	for c := range f.channels {
		r.release(s, slot, row+c, epoch)
	}
	for c := range f.channels {
		r.Links.transmit(f, row+c, epoch, s.from, out[c*n+s.from:c*n+s.to])
	}
	copy(r.flows[at*n+s.from:at*n+s.to], r.Incast[s.from:s.to])
	if r.failures != nil {
		for i := s.from; i < s.to; i++ {
			r.news[at*n+i] = uint16(r.Nodes[i].failed)
		}
		r.failures.silence(r, s, slot, row, out)
	}
}

// release lets cells into the queues of a row.
func (r *Rack) release(s *share, slot uint64, row int, epoch int32) {
	l, list := r.Links, &s.settles
	queues, begun := l.Queues[row*l.stride:][s.from:s.to], l.begun[s.from:s.to]
	k := 0
	for i := range queues {
		list[k&(MaxNodes-1)] = uint16(i)
		k += queues[i].stirs(epoch, begun[i])
	}
	for _, i := range list[:k] {
		node, q := &r.Nodes[s.from+int(i)], &queues[i]
		if r.Times.classes > 1 || q.Down || q.none {
			node.Release(row, epoch)
		} else {
			node.release(q, row, 0, epoch, 0, 0)
		}
		if node.Broken != "" {
			s.found(slot, 0, s.from+int(i), node.Broken)
		}
	}
}

// receive hands the nodes of a share the cells that come at the end of a slot.
func (r *Rack) receive(s *share, slot uint64) {
	f := r.Times
	sent := slot - uint64(f.flight)
	row, epoch := int(sent%uint64(f.Epoch))*f.channels, int32(sent/uint64(f.Epoch))
	for c := range f.channels {
		if r.failures != nil || r.noise != nil {
			for j := s.from; j < s.to; j++ {
				r.receiveOne(s, slot, c, row+c, epoch, j)
			}
			continue
		}
		r.receiveRow(s, slot, c, row+c, epoch)
	}
}

// receiveOne hands a node the cell of a row, whatever it is.
func (r *Rack) receiveOne(s *share, slot uint64, channel, row int, epoch int32, j int) {
	i := r.Times.Schedule.From(row, j)
	if i == Idle {
		return
	}
	sent, in := r.came(slot, channel)
	cell, node := in[i], &r.Nodes[j]
	if r.failures != nil && cell != silence {
		node.hear(node.RowTo(i), r.Nodes[i].events[:r.news[sent*len(r.Nodes)+i]])
	}
	if r.noise != nil && cell != silence {
		if c, corrupt := r.noise.hit(j, cell); corrupt {
			node.ReceiveCorrupt(row, c, epoch)
			return
		}
	}
	a := node.Receive(row, cell, epoch)
	if a.Complete {
		r.arrived(s, cell.Source(), j, r.Times.classOf(cell), slot)
	}
	r.watch(s, slot, channel, j, cell, a.Queued)
}

// came returns the cells that come in a channel at the end of a slot, by sender, and where in the rings that work by
// slot they lie.
func (r *Rack) came(slot uint64, channel int) (at int, cells []Cell) {
	n := len(r.Nodes)
	at = int((slot - uint64(r.Times.flight)) % r.ring)
	return at, r.wire[(at*r.Times.channels+channel)*n:][:n]
}

// watch looks at the queue that a node has put a cell into, and at the node's other findings.
func (r *Rack) watch(s *share, slot uint64, channel, j int, c Cell, queued int) {
	node, f := &r.Nodes[j], r.Times
	if queued > 0 && !node.unsound && f.classOf(c) == 0 {
		local := 1 // Equation 5
		if f.options.NoReady {
			local = node.outcast() // Equation 3
		}
		at, _ := r.came(slot, channel)
		if in := int(r.flows[at*len(r.Nodes)+c.Dest()]); queued > local+in {
			node.fault("%d cells wait for node %d, want at most %d + %d", queued, c.Dest(), local, in)
		}
	}
	if node.Broken != "" {
		s.found(slot, channel, j, node.Broken)
	}
}

// oddBits are not all 0 in silence, and in a cell that tells of a dropped one.
const oddBits = 1<<(droppedShift+1) - 1

// receiveRow hands the nodes the cells of a row in a rack without failures and noise, where no neighbour is down.
func (r *Rack) receiveRow(s *share, slot uint64, channel, row int, epoch int32) {
	_, in := r.came(slot, channel)
	for _, x := range r.Times.stretches[row] {
		x.from, x.to = max(x.from, s.from), min(x.to, s.to)
		if x.from >= x.to {
			continue
		}
		from := r.Times.Schedule.from[row][x.from:x.to]
		takes, forwards, odd := s.sort(x.from, from, in)
		if odd {
			for j := x.from; j < x.to; j++ {
				r.receiveOne(s, slot, channel, row, epoch, j)
			}
			continue
		}
		r.touch(s, x.from, from, in, forwards)
		r.settle(s, x, row, epoch, from, in)
		nodes := r.Nodes[x.from:x.to]
		for _, k := range s.takes[:takes] {
			c, node := in[from[k]], &nodes[k]
			if node.take(c) {
				r.arrived(s, c.Source(), node.ID, r.Times.classOf(c), slot)
			}
		}
		heard := r.Links.heard[x.back*r.Links.stride:][x.from:x.to]
		for _, k := range s.forwards[:forwards] {
			c, node := in[from[k]], &nodes[k]
			queued := node.forward(c, int(s.rows[k]), &heard[k])
			if queued > 1 || node.Broken != "" {
				r.watch(s, slot, channel, node.ID, c, queued)
			}
		}
	}
}

// sort collects the nodes of a stretch that take their cells, and the nodes that forward them, both counted from its
// first node. Odd cells are for neither; it tells whether there are any.
func (s *share) sort(first int, from []int16, in []Cell) (takes, forwards int, odd bool) {
	all := Cell(0)
	for k, i := range from {
		c := in[i]
		all |= c
		ids := int(c >> destShift)
		dest := ids & idMask
		mine, empty := zero(dest^(first+k)), zero(ids>>idBits^dest)
		s.takes[takes&(MaxNodes-1)] = uint16(k)
		takes += mine
		s.forwards[forwards&(MaxNodes-1)] = uint16(k)
		forwards += 1 &^ (mine | empty)
	}
	return takes, forwards, all&oddBits != 0
}

// touch finds the rows that forwarded cells go to, and looks at their queues, which are needed out of order, so that
// the processor waits for all of them at once and not for one after the other. Nothing comes of the sum; it keeps the
// compiler from leaving the loads out.
func (r *Rack) touch(s *share, first int, from []int16, in []Cell, forwards int) {
	f, queues, stride := r.Times, r.Links.Queues, r.Links.stride
	sum := uint16(0)
	for _, k := range s.forwards[:forwards] {
		j := first + int(k)
		row := f.row(j, in[from[k]].Dest())
		s.rows[k&(MaxNodes-1)] = uint16(row)
		sum += queues[row*stride+j].Level.Length
	}
	s.touched += sum
}

// settle gives the nodes of a stretch the feedback for their own cells.
func (r *Rack) settle(s *share, x stretch, row int, epoch int32, from []int16, in []Cell) {
	l := r.Links
	heard := l.heard[x.back*l.stride:][x.from:x.to]
	for k := range heard {
		heard[k].last = lastMine
	}
	if epoch < x.lag {
		return
	}
	sent := l.sent[r.Times.sentAt(x.back, epoch-x.lag)*l.stride:][x.from:x.to]
	settles := 0
	for k, own := range sent {
		j := x.from + k
		s.settles[settles&(MaxNodes-1)] = uint16(k)
		settles += upTo(int(own>>destShift)^(j<<idBits|j), idMask)
	}
	nodes := r.Nodes[x.from:x.to]
	for _, k := range s.settles[:settles] {
		node, own, neighbour := &nodes[k], sent[k], int(from[k])
		sent[k] = dummy(node.ID)
		node.answer(own, x.back, neighbour, row, in[neighbour].Feedback(), epoch)
	}
}

// zero is 1 for 0, and 0 for a number above it.
func zero(x int) int { return int(uint64(x-1) >> 63) }

// upTo is 1 for a number from 1 to a limit, and 0 for 0 and numbers above it.
func upTo(x, limit int) int {
	below := uint64(x - 1)
	return int((below - uint64(limit)) &^ below >> 63)
}

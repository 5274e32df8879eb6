package packetnet

// With Config.PerMessage each flow has a connection of its own, from its first byte to the acknowledgement of its
// last. A node's connections that may send stand in line, and send a segment each in turn.

// connect gives a flow a connection.
func (w *windowed) connect(flow int32) int32 {
	k := w.freeConn
	if k == 0 {
		w.conns = append(w.conns, conn{})
		k = int32(len(w.conns) - 1)
	} else {
		w.freeConn = w.conns[k].next
	}
	timer := w.conns[k].timer // one that is under way finds nothing overdue
	w.conns[k] = w.open()
	w.conns[k].timer, w.conns[k].flow = timer, flow
	return k
}

// disconnect takes back a connection whose bytes are all acknowledged.
func (w *windowed) disconnect(k int) {
	c := &w.conns[k]
	w.flows[c.flow].state = 0
	if c.over = true; !c.lined {
		c.next, w.freeConn = w.freeConn, int32(k)
	}
}

// line notes whether a connection may send, and has it stand in its line if it may.
func (w *windowed) line(k int, may bool) {
	c := &w.conns[k]
	c.ready = may
	if !may || c.lined {
		return
	}
	fl := &w.flows[c.flow]
	l := &w.lines[int(fl.from)*classes+int(fl.class)]
	c.lined, c.next = true, 0
	if l.head == 0 {
		l.head = int32(k)
	} else {
		w.conns[l.tail].next = int32(k)
	}
	l.tail = int32(k)
	w.wake(int(fl.from))
}

// step takes the first connection of a line that may still send, 0 if there is none.
func (w *windowed) step(p, class int) int {
	l := &w.lines[p*classes+class]
	for k := l.head; k != 0; k = l.head {
		c := &w.conns[k]
		l.head = c.next
		c.lined = false
		switch {
		case c.over: // a segment that was to be sent again had arrived after all
			c.next, w.freeConn = w.freeConn, k
		case c.ready:
			return int(k)
		}
	}
	return 0
}

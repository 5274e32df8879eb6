package packetnet

// acknowledge sends an acknowledgement of its own.
func (w *windowed) acknowledge(id int32, r reply) {
	fl := &w.flows[id]
	w.result.Acks++
	w.enqueue(int(fl.to), w.packet(packet{flow: id, ref: r.ref, gen: r.gen, wire: w.wire(int64(w.cfg.AckBytes)),
		from: int16(fl.to), to: int16(fl.from), class: fl.class, kind: ack, marked: r.marked}), true)
}

// acknowledged learns that a segment has arrived.
func (w *windowed) acknowledged(ref int32, gen uint32, marked bool) {
	s := &w.segments[ref]
	if s.gen != gen {
		return
	}
	fl := &w.flows[s.flow]
	k := w.conn(fl)
	c := &w.conns[k]
	if !s.again {
		c.sample(w.Now - s.sent)
	}
	if w.cfg.DupAcks > 0 && !s.lost {
		w.before(c, ref)
	}
	c.backoff = 0
	w.control(c, int64(s.bytes), s.sequence, marked)
	w.settle(c, ref)
	w.refresh(k)
	if w.cfg.PerMessage && c.head < 0 && c.out.head == 0 && c.lost.head == 0 {
		w.disconnect(k)
	}
}

// before handles the segments sent before an acknowledged one. Acknowledgements are cumulative, so segments that the
// receiver has are acknowledged with it. Nothing on the way changes the order, so segments overtaken too often are
// lost.
func (w *windowed) before(c *conn, ref int32) {
	for at := w.segments[ref].prev; at != 0; {
		s := &w.segments[at]
		prev := s.prev
		if s.arrived {
			w.settle(c, at)
		} else if s.dups++; int(s.dups) >= w.cfg.DupAcks {
			if s.sequence >= c.cutEnd {
				c.window = max(c.window/2, w.mss)
				c.threshold, c.cutEnd = c.window, c.sequence
			}
			w.lose(c, at)
		}
		at = prev
	}
}

// settle forgets a segment.
func (w *windowed) settle(c *conn, ref int32) {
	s := &w.segments[ref]
	if s.lost {
		w.unlink(&c.lost, ref)
	} else {
		w.unlink(&c.out, ref)
		c.inflight -= int64(s.bytes)
	}
	s.gen++
	s.next, w.free = w.free, ref
}

// lose has a segment sent again.
func (w *windowed) lose(c *conn, ref int32) {
	w.unlink(&c.out, ref)
	c.inflight -= int64(w.segments[ref].bytes)
	w.segments[ref].lost = true
	w.append(&c.lost, ref)
}

// control is DCTCP's window: once a round trip it is cut by half the estimated share of marks if there were any
// (SIGCOMM 2010, §3.3). Without marks it grows as TCP's does, if it was too small.
func (w *windowed) control(c *conn, bytes, sequence int64, marked bool) {
	c.acked += bytes
	if marked {
		c.marked += bytes
		c.threshold = min(c.threshold, c.window)
	}
	if c.limited && c.marked == 0 {
		if c.window < c.threshold {
			c.window += bytes
		} else {
			c.window += max(1, w.mss*bytes/c.window)
		}
		c.window = min(c.window, int64(w.cfg.MaxWindow))
	}
	if sequence < c.roundEnd {
		return
	}
	c.alpha += (c.marked*1024/c.acked - c.alpha) / 16
	if c.marked > 0 {
		c.window = max(c.window-c.window*c.alpha/2048, w.mss)
		c.threshold = c.window
	}
	c.acked, c.marked, c.limited, c.roundEnd = 0, 0, false, c.sequence
}

// sample takes a round trip time into the estimate (RFC 6298, 2).
func (c *conn) sample(rtt int64) {
	if c.rtt == 0 {
		c.rtt, c.deviation = rtt, rtt/2
		return
	}
	c.deviation += (max(c.rtt-rtt, rtt-c.rtt) - c.deviation) / 4
	c.rtt += (rtt - c.rtt) / 8
}

// timeout is RFC 6298's. pFabric's does not follow the round trip time, since its switch lets long flows wait for
// short ones, and doubles less often: where pFabric would go on to probe, it sends a segment.
func (w *windowed) timeout(c *conn) int64 {
	if w.shortest {
		return w.minRTO << min(c.backoff, pfabricBackoff)
	}
	return max(w.minRTO, c.rtt+4*c.deviation) << c.backoff
}

// expire handles a connection's timer. If its oldest segment is overdue, all segments under way count as lost and the
// window is one segment; as it opens, they are sent again in their order. With pFabric only overdue segments count as
// lost, since others wait in the switch for shorter flows.
func (w *windowed) expire(k int) {
	c := &w.conns[k]
	c.timer = false
	if c.out.head == 0 {
		return
	}
	timeout := w.timeout(c)
	if w.segments[c.out.head].sent+timeout <= w.Now {
		w.result.Timeouts++
		c.threshold = max(c.window/2, 2*w.mss)
		c.window = w.mss
		c.cutEnd = c.sequence
		c.backoff = min(c.backoff+1, maxBackoff)
		for at := c.out.head; at != 0 && (!w.shortest || w.segments[at].sent+timeout <= w.Now); at = c.out.head {
			w.lose(c, at)
		}
		timeout = w.timeout(c)
		w.refresh(k)
	}
	if c.out.head != 0 {
		c.timer = true
		w.At(max(w.Now+1, w.segments[c.out.head].sent+timeout), timerDue, int32(k), 0)
	}
}

package packetnet

// trimmer implements switches of NDP (Handley et al., SIGCOMM 2017, §3.2.1). An egress has a short queue of
// QueuePackets data frames, and a second queue of headers and control frames. The second goes first, ten frames for
// one of data. When data finds the queue full, either it or the last frame of the queue loses its payload, each in one
// case of two; its header is left. A header that finds no room in the second queue, as long in bytes as the first,
// goes back to its sender.
type trimmer struct {
	*fabric
	noFlits
	egresses []trimming // by port; the nodes' are not used
	room     int64      // bytes of headers
}

// trimming is what a port has besides its queues.
type trimming struct {
	data    int   // frames in the queue
	headers int64 // bytes of headers and control frames
	turn    int8  // of them since the last frame of data
}

// headersPerData is how many headers may go before a frame of data that waits (§3.2.1).
const headersPerData = 10

func newTrimmer(f *fabric) *trimmer {
	return &trimmer{fabric: f, egresses: make([]trimming, len(f.ports)),
		room: int64(f.cfg.QueuePackets * (f.cfg.FrameHeader + f.cfg.MTU))}
}

func (s *trimmer) enter(int32) {}

// forward puts a frame into a queue of its egress, trimmed if there is no room.
func (s *trimmer) forward(id int32) {
	k := &s.packets[id]
	p := s.egress(k)
	e := &s.egresses[p]
	switch {
	case k.kind != data:
		s.first(p, id)
	case e.data < s.cfg.QueuePackets:
		e.data++
		s.enqueue(p, id, false)
	default:
		if s.rng.Uint64()&1 == 0 {
			s.swapLast(p, id)
		}
		s.trim(p, id)
	}
}

// swapLast has a frame and the last of an egress's queue change places.
func (s *trimmer) swapLast(p int, id int32) {
	o := &s.ports[p]
	last := o.class[0].queue.tail
	a, b := &s.packets[id], &s.packets[last]
	more := s.size(a) - s.size(b)
	o.bytes += more
	o.class[0].bytes += more
	*a, *b = *b, *a
	a.next, b.next = b.next, a.next
}

// trim takes the payload off a frame.
func (s *trimmer) trim(p int, id int32) {
	k := &s.packets[id]
	k.kind, k.wire = header, s.wire(0)
	s.result.Trims++
	if s.egresses[p].headers+s.size(k) > s.room {
		k.kind, k.from, k.to = returned, k.to, k.from
		s.result.Returns++
		p = s.egress(k)
	}
	s.first(p, id)
}

// first queues a header or control frame, which goes before data.
func (s *trimmer) first(p int, id int32) {
	s.egresses[p].headers += s.size(&s.packets[id])
	s.enqueue(p, id, true)
}

// serve sends an egress's next frame.
func (s *trimmer) serve(p int) {
	o, e := &s.ports[p], &s.egresses[p]
	q := &o.class[0]
	var id int32
	if q.urgent.head != 0 && (q.queue.head == 0 || e.turn < headersPerData) {
		id = s.pop(&q.urgent)
		e.headers -= s.size(&s.packets[id])
		e.turn++
	} else if id = s.pop(&q.queue); id != 0 {
		e.data--
	} else {
		return
	}
	if q.queue.head == 0 || s.packets[id].kind == data {
		e.turn = 0
	}
	size := s.size(&s.packets[id])
	q.bytes -= size
	o.bytes -= size
	s.transmit(p, id)
}

package packetnet

// trimmer is switches of NDP (Handley et al., SIGCOMM 2017, §3.2.1): an egress has a short queue of data, QueuePackets long, and one of
// headers and control frames, which goes first, ten for one frame of data. Data that finds the queue full loses its payload, or the last
// of the queue does in its place, either in one case of two; what is left is a header. A header that finds no room in a queue of as
// many bytes goes back to where it came from.
type trimmer struct {
	*fabric
	noFlits
	egresses []trimming // by port; those of nodes are not used
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
	return &trimmer{fabric: f, egresses: make([]trimming, len(f.ports)), room: int64(f.cfg.QueuePackets * (f.cfg.FrameHeader + f.cfg.MTU))}
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

// first queues what goes before data.
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

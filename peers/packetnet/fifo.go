package packetnet

// fifo implements switches with a queue for each egress and class. As DCTCP needs (Alizadeh et al., SIGCOMM 2010),
// they mark data that arrives while the queue is long, and drop a packet for which there is no room. DCQCN's marks are
// random.
type fifo struct {
	*fabric
	noFlits
	marks        bool  // data that comes to a queue of Config.MarkBytes
	buffer       int64 // bytes that the queues of an egress hold; 0 for no bound
	controlFirst bool  // all but data goes first
}

func (s *fifo) enter(id int32) { s.At(s.Now+s.sw, atSwitch, id, 0) }

// forward puts a frame into its egress queue: marked if the queue is long, dropped if it is full.
func (s *fifo) forward(id int32) {
	k := &s.packets[id]
	p := s.egress(k)
	o := &s.ports[p]
	if s.buffer > 0 && o.bytes+s.size(k) > s.buffer {
		s.result.Drops++
		s.release(id)
		return
	}
	if s.marks {
		s.mark(k, o.class[k.class].bytes)
	}
	s.enqueue(p, id, s.controlFirst && k.kind != data)
}

// mark marks data that comes to a queue of some bytes: all from MarkBytes on, or with a probability that rises from 0
// there to MarkShare at MarkMost, and all above (DCQCN, SIGCOMM 2015, §3.1).
func (f *fabric) mark(k *packet, queued int64) {
	least, most := int64(f.cfg.MarkBytes), int64(f.cfg.MarkMost)
	if k.kind != data || queued < least {
		return
	}
	if most > 0 && queued <= most && f.rng.Float64()*float64(most-least) >= f.cfg.MarkShare*float64(queued-least) {
		return
	}
	k.marked = true
	f.result.Marks++
}

// serve sends the next frame of an egress.
func (s *fifo) serve(p int) {
	if id := s.dequeue(p, 0); id != 0 {
		s.transmit(p, id)
	}
}

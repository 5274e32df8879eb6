package packetnet

// fifo is a switch with a queue for each egress and class. As DCTCP wants it (Alizadeh et al., SIGCOMM 2010), it marks data that comes
// while the queue is long, and drops what would exceed it.
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
	o := &s.ports[s.n+int(k.to)]
	if s.buffer > 0 && o.bytes+s.size(k) > s.buffer {
		s.result.Drops++
		s.release(id)
		return
	}
	if s.marks {
		s.mark(k, o.class[k.class].bytes)
	}
	s.enqueue(s.n+int(k.to), id, s.controlFirst && k.kind != data)
}

// mark marks data that comes to a queue of some bytes.
func (f *fabric) mark(k *packet, queued int64) {
	if k.kind == data && queued >= int64(f.cfg.MarkBytes) {
		k.marked = true
		f.result.Marks++
	}
}

// serve sends the next frame of an egress.
func (s *fifo) serve(p int) {
	if id := s.dequeue(p, 0); id != 0 {
		s.transmit(p, id)
	}
}

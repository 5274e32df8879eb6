package packetnet

// pauser is a switch with priority flow control (IEEE Std 802.1Qbb): it drops nothing, and asks a node to pause a class of which it
// has too much in the switch. Each class has thresholds and a pause of its own. It marks as [fifo] does.
type pauser struct {
	fifo
	inside [][classes]int64 // by node and class: bytes that it has in the switch
	asked  []uint8          // by node: the classes that it was asked to pause, a bit each
}

const pauseFrame = 64 // bytes

func newPauser(f *fabric) *pauser {
	f.ingress = true
	return &pauser{fifo: fifo{fabric: f, marks: true}, inside: make([][classes]int64, f.n), asked: make([]uint8, f.n)}
}

// enter counts a frame that reached the switch.
func (s *pauser) enter(id int32) {
	k := &s.packets[id]
	in := &s.inside[k.from][k.class]
	*in += s.size(k)
	s.result.MaxIngress = max(s.result.MaxIngress, *in)
	if s.asked[k.from]>>k.class&1 == 0 && *in > int64(s.cfg.PauseBytes) {
		s.asked[k.from] |= 1 << k.class
		s.result.Pauses++
		s.ask(k.from, k.class, pause)
	}
	s.fifo.enter(id)
}

// serve sends the next frame of an egress, or a pause that a node's MAC obeys without its stack.
func (s *pauser) serve(p int) {
	id := s.dequeue(p, 0)
	if id == 0 {
		return
	}
	k := &s.packets[id]
	if k.kind == pause || k.kind == resume {
		what := int32(k.class)
		if k.kind == pause {
			what |= pauseOn
		}
		s.occupy(p, k.wire)
		s.At(s.Now+int64(k.wire-s.gap)+s.link, pauseSeen, int32(k.to), what)
		s.release(id)
		return
	}
	in := &s.inside[k.from][k.class]
	*in -= s.size(k)
	if s.asked[k.from]>>k.class&1 == 1 && *in <= int64(s.cfg.ResumeBytes) {
		s.asked[k.from] &^= 1 << k.class
		s.ask(k.from, k.class, resume)
	}
	s.transmit(p, id)
}

// ask sends a node a pause frame, before all that waits for the link.
func (s *pauser) ask(node int16, class uint8, kind packetKind) {
	s.enqueueMAC(s.n+int(node), s.packet(packet{wire: int32(s.cfg.Preamble + pauseFrame + s.cfg.Gap), to: node, class: class, kind: kind}))
}

// obey stops or starts a class of a node. The frame that it is sending goes on.
func (f *fabric) obey(node int, class uint8, stop bool) {
	before := f.paused[node]
	if stop {
		f.paused[node] |= 1 << class
	} else {
		f.paused[node] &^= 1 << class
	}
	switch after := f.paused[node]; {
	case before == 0 && after != 0:
		f.since[node] = f.Now
	case before != 0 && after == 0:
		f.result.PausedTime += (f.Now - f.since[node]) * f.tick
	}
	if !stop {
		f.wake(node)
	}
}

package packetnet

// pauser is switches with priority flow control (IEEE Std 802.1Qbb): they drop nothing, and ask the other end of a
// link, a node or a switch, to pause a class of which they have too much from there. Each class has thresholds and a
// pause of its own. They mark as [fifo] does.
type pauser struct {
	fifo
	inside [][classes]int64 // by the port that sent them and class: bytes in the switch that this port leads to
	asked  []uint8          // by port: the classes that it was asked to pause, a bit each
}

const pauseFrame = 64 // bytes

func newPauser(f *fabric) *pauser {
	f.ingress = true
	return &pauser{fifo: fifo{fabric: f, marks: true}, inside: make([][classes]int64, len(f.ports)),
		asked: make([]uint8, len(f.ports))}
}

// enter counts a frame that reached a switch.
func (s *pauser) enter(id int32) {
	k := &s.packets[id]
	in := &s.inside[k.port][k.class]
	*in += s.size(k)
	s.result.MaxIngress = max(s.result.MaxIngress, *in)
	if s.asked[k.port]>>k.class&1 == 0 && *in > int64(s.cfg.PauseBytes) {
		s.asked[k.port] |= 1 << k.class
		s.result.Pauses++
		s.ask(k.port, k.class, pause)
	}
	s.fifo.enter(id)
}

// serve sends the next frame of an egress, or a pause that the other end's MAC obeys at once.
func (s *pauser) serve(p int) {
	id := s.dequeue(p, s.paused[p])
	if id == 0 {
		return
	}
	k := &s.packets[id]
	if k.kind == pause || k.kind == resume {
		what := int32(k.class)
		if k.kind == pause {
			what |= pauseOn
		}
		free, there := s.carry(p, k.wire)
		s.occupy(p, k.wire, free)
		s.At(there, pauseSeen, k.ref, what)
		s.release(id)
		return
	}
	in := &s.inside[k.port][k.class]
	*in -= s.size(k)
	if s.asked[k.port]>>k.class&1 == 1 && *in <= int64(s.cfg.ResumeBytes) {
		s.asked[k.port] &^= 1 << k.class
		s.ask(k.port, k.class, resume)
	}
	s.transmit(p, id)
}

// ask sends a pause frame to the far end of a port's link, before all frames that wait for the link.
func (s *pauser) ask(port int32, class uint8, kind packetKind) {
	s.enqueueMAC(int(s.back[port]), s.packet(packet{ref: port, wire: int32(s.cfg.Preamble + pauseFrame + s.cfg.Gap),
		class: class, kind: kind}))
}

// obey stops or starts a class of a port. The frame that it is sending goes on.
func (f *fabric) obey(port int, class uint8, stop bool) {
	before := f.paused[port]
	if stop {
		f.paused[port] |= 1 << class
	} else {
		f.paused[port] &^= 1 << class
	}
	switch after := f.paused[port]; {
	case before == 0 && after != 0:
		f.since[port] = f.Now
	case before != 0 && after == 0:
		f.result.PausedTime += (f.Now - f.since[port]) * f.tick
	}
	if !stop {
		f.wake(port)
	}
}

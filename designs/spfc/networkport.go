package spfc

import "math/bits"

// port is one end of a link: a transmitter with its pauses, and the packets that fly towards its receiver.
type port struct {
	node   int32
	number int32
	peer   int32 // -1: not connected
	link   Link
	free   Time  // when its transmission ends
	wakes  bool  // there is an event for it
	open   uint8 // priorities that are not paused
	until  [Priorities]Time

	standing uint8 // priorities whose sender is to be paused
	untold   uint8 // priorities of which the sender does not know yet
	refresh  Time  // when to send again

	flying   ring[flight]
	frames   ring[pfcFlight] // PFC frames on the line
	received ring[pfcFlight] // PFC frames that have not taken effect; at is when they do
	since    [Priorities]Time

	counts PortCounts
}

type flight struct {
	at Time
	p  Packet
}

type pfcFlight struct {
	at    Time
	frame PFCFrame
}

// PortCounts are of one port since the start.
type PortCounts struct {
	Packets, Bytes  int64 // sent, without PFC frames
	PauseFrames     int64 // sent that pause at least one priority, sent again or not
	ResumeFrames    int64 // sent that pause none
	Refreshes       int64 // PAUSE frames sent again because the PAUSE stood
	PausesReceived  int64
	PausedTime      [Priorities]Time // of the transmitter, until now
	ReceivedPackets int64
	ReceivedBytes   int64
}

// quantum is 512 bit times.
func (p *port) quantum() Time { return quantumBytes * p.link.ByteTime }

// obey is the receiver's side of a PFC frame, when it takes effect.
func (n *Network) obey(id int32, f PFCFrame) {
	p := &n.ports[id]
	paused := false
	for set := f.Enable; set != 0; set &= set - 1 {
		prio := bits.TrailingZeros8(set)
		if f.Quanta[prio] == 0 {
			n.openPriority(id, prio)
			continue
		}
		paused = true
		if p.open>>prio&1 != 0 {
			p.open &^= 1 << prio
			p.since[prio] = n.now
		}
		p.until[prio] = forever
		if !n.pfc.UntilResumed {
			quanta := Time(f.Quanta[prio])
			if n.pfc.TimerFromReception {
				quanta -= Time(n.pfc.Reaction)
			}
			p.until[prio] = n.now + quanta*p.quantum()
			n.expect(p.until[prio], pauseExpires, id)
		}
	}
	if paused {
		p.counts.PausesReceived++
	}
}

func (n *Network) openPriority(id int32, prio int) {
	p := &n.ports[id]
	if p.open>>prio&1 != 0 {
		return
	}
	p.open |= 1 << prio
	p.counts.PausedTime[prio] += n.now - p.since[prio]
	n.touch(id)
}

// sendPFC sends a frame with every priority that changed or stays paused.
func (n *Network) sendPFC(id int32) {
	p := &n.ports[id]
	frame := pfcFrame(p.untold|p.standing, p.standing, n.pfc.Quanta)
	p.untold = 0
	if n.sentPFC != nil {
		n.sentPFC(n.now, int(p.node), int(p.number), frame)
	}
	if p.standing != 0 {
		p.counts.PauseFrames++
		if !n.pfc.UntilResumed {
			p.refresh = n.now + Time(n.pfc.Refresh)*p.quantum()
			n.expect(p.refresh, refreshDue, id)
		}
	} else {
		p.counts.ResumeFrames++
	}
	p.free = n.now + Time(n.pfc.FrameBytes)*p.link.ByteTime
	n.wake(p)
	to := &n.ports[p.peer]
	to.frames.push(pfcFlight{at: p.free + p.link.Delay, frame: frame})
	if to.frames.count == 1 {
		n.expect(p.free+p.link.Delay, pfcArrives, p.peer)
	}
}

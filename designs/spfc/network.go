package spfc

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/goldwire/goldwire/workload/journey"
)

// Node is a switch or a host. It is called by its [Network] alone.
type Node interface {
	// Attach tells the node where it is, once, before all else.
	Attach(n *Network, id int)
	// Receive takes a packet whose last bit arrives now. It is not the node's to change or to keep.
	Receive(now Time, port int, p *Packet)
	// Transmit returns the packet that the idle transmitter of a port starts now, nil for none, and whether there may be
	// more for the port. Bit n of open: priority n is not paused; a packet of another one must not be sent. It is asked
	// again after [Network.Kick], when open grows, and if there was more when the transmission ends. The packet is read
	// before the node is called again.
	Transmit(now Time, port int, open uint8) (p *Packet, more bool)
	// Timer is a call that [Network.At] asked for.
	Timer(now Time, data uint64)
}

// Link is both directions of a cable.
type Link struct {
	ByteTime Time // 80 ps at 100 Gb/s
	Delay    Time // propagation
}

// forever is later than any event.
const forever = Time(1) << 62

// lastTime is as far as a run can go: 2.5 hours, so that an instant fits beside a kind and a port in a word.
const lastTime = Time(1) << 53

// Bounds of links: 8 Mb/s, a second.
const (
	mostByteTime = Microsecond
	mostDelay    = 1000 * Millisecond
)

// Network runs nodes and links event by event.
//
// Nodes meet over links only, and no link is shorter than the lookahead. So an event at one node decides nothing at
// another within a window of that length, and each node runs through the window alone: its state stays in the cache
// meanwhile, and its queue has a few events for each port.
type Network struct {
	pfc       PFCConfig
	sites     []site
	ports     []port
	lookahead Time // the shortest delay of a link
	end       Time // of the window
	now       Time // of the node that runs
	err       error
	failed    Time // when
	// journeys takes the ways of data packets; nil: of none.
	journeys *journey.Recorder
	// sentPFC takes each PFC frame when it begins to leave; nil: nobody does.
	sentPFC func(at Time, node, port int, f PFCFrame) `state:"none"`
	// askAll goes from instant to instant and asks every port at each: the same bits, for a test.
	askAll bool

	Events int64 // so far
}

// site is a node with its ports and the events due at it.
type site struct {
	node  Node
	first int32  // of its ports
	next  Time   // the first instant at which something is due
	dirty uint64 // ports to be asked at this instant
	due   dueQueue
}

// NewNetwork returns a network without nodes.
func NewNetwork(pfc PFCConfig) (*Network, error) {
	if err := pfc.Check(); err != nil {
		return nil, err
	}
	return &Network{pfc: pfc, lookahead: forever}, nil
}

// Add adds a node with up to 64 ports and returns its id.
func (n *Network) Add(node Node, ports int) int {
	id := len(n.sites)
	if ports > maxPorts {
		n.Fail(fmt.Errorf("node %d has %d ports, want at most %d", id, ports, maxPorts))
	}
	n.sites = append(n.sites, site{node: node, first: int32(len(n.ports)), due: newDueQueue(ports), next: forever})
	for k := range ports {
		n.ports = append(n.ports, port{node: int32(id), number: int32(k), peer: -1, open: 0xff})
	}
	node.Attach(n, id)
	return id
}

// Connect joins two ports.
func (n *Network) Connect(a, aPort, b, bPort int, l Link) error {
	switch {
	case a == b:
		return fmt.Errorf("a link from node %d to itself", a)
	case l.ByteTime <= 0 || l.Delay <= 0:
		return fmt.Errorf("a link with %d ps a byte and a delay of %d ps, want positive ones", l.ByteTime, l.Delay)
	case l.ByteTime > mostByteTime || l.Delay > mostDelay:
		return fmt.Errorf("a link with %d ps a byte and a delay of %d ps, want at most %d and %d", l.ByteTime, l.Delay,
			mostByteTime, mostDelay)
	}
	ends := [2]int32{n.portID(a, aPort), n.portID(b, bPort)}
	for i, id := range ends {
		if n.ports[id].peer >= 0 {
			return fmt.Errorf("port %d of node %d is connected already", n.ports[id].number, n.ports[id].node)
		}
		n.ports[id].peer, n.ports[id].link = ends[1-i], l
	}
	n.lookahead = min(n.lookahead, l.Delay)
	return nil
}

func (n *Network) portID(node, port int) int32 { return n.sites[node].first + int32(port) }

// Peer returns the other end of a port's link; ok is false if there is none.
func (n *Network) Peer(node, port int) (otherNode, otherPort int, ok bool) {
	peer := n.ports[n.portID(node, port)].peer
	if peer < 0 {
		return 0, 0, false
	}
	return int(n.ports[peer].node), int(n.ports[peer].number), true
}

// Now returns the instant of the node that is being called, or how far the run has come.
func (n *Network) Now() Time { return n.now }

// At has the timer of a node called at a time that is not past. Timers at one instant are called in the order of data.
// One later than a run can go is never called.
func (n *Network) At(t Time, node int, data uint64) {
	if t > lastTime {
		return
	}
	t = max(t, n.now)
	s := &n.sites[node]
	s.due.add(dueAt(t, timerDue, 0), data)
	s.next = min(s.next, t)
}

// expect queues an event of a port, except arrivals of packets and ends of transmissions.
func (n *Network) expect(t Time, k eventKind, id int32) {
	p := &n.ports[id]
	s := &n.sites[p.node]
	s.due.add(dueAt(t, k, p.number), 0)
	s.next = min(s.next, t)
}

// Kick asks the transmitter of a port at this instant, if it is idle. Like Pause and Resume it may be called only by a
// node that is being called itself; at other times a node needs a timer.
func (n *Network) Kick(node, port int) { n.touch(n.portID(node, port)) }

func (n *Network) touch(id int32) {
	p := &n.ports[id]
	if p.free > n.now {
		n.wake(p)
		return
	}
	s := &n.sites[p.node]
	s.dirty |= 1 << p.number
	s.next = min(s.next, n.now)
}

// Pause has a port tell its peer not to send a priority, until Resume.
func (n *Network) Pause(node, port, prio int) { n.tell(node, port, prio, true) }

// Resume ends a pause that Pause began.
func (n *Network) Resume(node, port, prio int) { n.tell(node, port, prio, false) }

func (n *Network) tell(node, port, prio int, pause bool) {
	id := n.portID(node, port)
	p := &n.ports[id]
	bit := uint8(1) << prio
	if pause == (p.standing&bit != 0) {
		n.Fail(fmt.Errorf("node %d, port %d, priority %d: PAUSE twice, or RESUME without one", node, port, prio))
	}
	p.standing ^= bit
	p.untold |= bit
	n.touch(id)
}

// Fail ends the run with an error. The first one counts.
func (n *Network) Fail(err error) {
	if n.err == nil || n.now < n.failed {
		n.err, n.failed = fmt.Errorf("at %d ps: %w", n.now, err), n.now
		n.end = n.now - 1 // nodes that have not run may have failed before
	}
}

// Open returns the priorities that a port's transmitter may send now.
func (n *Network) Open(node, port int) uint8 { return n.ports[n.portID(node, port)].open }

// Counts returns a port's counters.
func (n *Network) Counts(node, port int) PortCounts {
	p := &n.ports[n.portID(node, port)]
	c := p.counts
	for prio := range Priorities {
		if p.open>>prio&1 == 0 {
			c.PausedTime[prio] += n.now - p.since[prio]
		}
	}
	return c
}

// LineBytes returns the bytes that all ports have sent, PFC frames included.
func (n *Network) LineBytes() (bytes int64) {
	for i := range n.ports {
		c := &n.ports[i].counts
		bytes += c.Bytes + n.pfc.FrameBytes*(c.PauseFrames+c.ResumeFrames)
	}
	return bytes
}

// HeadroomNeeded returns the bytes that a port may have to take of one priority after its enqueue decides PAUSE: the
// packet that decides it; a packet on the line before the PFC frame, the frame, and the way there; what the peer
// starts in its reaction time with the last packet whole; and the way back.
func (n *Network) HeadroomNeeded(node, port int) int64 {
	return n.pfc.HeadroomNeeded(n.ports[n.portID(node, port)].link)
}

// Run goes on to a time, that included. It ends early with the first error.
func (n *Network) Run(ctx context.Context, until Time) error {
	if until > lastTime && n.err == nil {
		return fmt.Errorf("a run to %d ps, want at most %d", until, lastTime)
	}
	for steps := 0; n.err == nil; steps++ {
		first := n.next()
		if first > until {
			n.now = max(n.now, until)
			return nil
		}
		if steps&0xff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		n.window(first, min(until, first+n.lookahead))
	}
	n.now = n.failed
	return n.err
}

// next returns when something is due first, forever if nothing is.
func (n *Network) next() Time {
	first := forever
	for i := range n.sites {
		first = min(first, n.sites[i].next)
	}
	return first
}

// window runs all nodes from one time to another, both included. What a packet or a frame that starts in it does at
// the other end of its link comes later.
func (n *Network) window(first, end Time) {
	if n.askAll || n.journeys != nil { // the ways of packets are told in the order of time
		end = first
	}
	if n.askAll {
		n.now = first
		for id := range n.ports {
			n.touch(int32(id))
		}
	}
	n.end = end
	for i := range n.sites {
		for s := &n.sites[i]; s.next <= n.end; {
			n.instant(s)
		}
	}
}

// instant runs one instant of a node: first the events due, then every idle transmitter to which an event has
// happened.
func (n *Network) instant(s *site) {
	n.now = s.next
	for after := dueAt(n.now+1, 0, 0); s.due.first() < after; {
		n.handle(s, s.due.first())
	}
	if s.dirty != 0 {
		n.transmit(s)
	}
	s.next = s.due.first().time()
}

// Idle tells whether nothing is left to happen.
func (n *Network) Idle() bool { return n.next() >= nothing.time() }

// handle runs the first event due.
func (n *Network) handle(s *site, e due) {
	n.Events++
	if e.kind() == timerDue {
		s.node.Timer(n.now, s.due.drop())
		return
	}
	id := s.first + e.port()
	p := &n.ports[id]
	if e.kind() == packetArrives {
		packet := &p.flying.skip().p // the other end of the link adds nothing meanwhile
		next := nothing
		if p.flying.count > 0 {
			next = dueAt(p.flying.front().at, packetArrives, p.number)
		}
		s.due.arrives(p.number, next)
		p.counts.ReceivedPackets++
		p.counts.ReceivedBytes += int64(packet.Bytes)
		if n.journeys != nil {
			n.followArrival(p.node, packet)
		}
		s.node.Receive(n.now, int(p.number), packet)
		return
	}
	if e.kind() == transmitterFree {
		p.wakes = false
		s.dirty |= 1 << p.number
		s.due.frees(p.number, nothing)
		return
	}
	s.due.drop()
	switch e.kind() {
	case pfcArrives:
		frame := p.frames.pop().frame
		if p.frames.count > 0 {
			n.expect(p.frames.front().at, pfcArrives, id)
		}
		at := n.now + Time(n.pfc.Reaction)*p.quantum()
		p.received.push(pfcFlight{at: at, frame: frame})
		n.expect(at, pfcActs, id)
	case pfcActs:
		n.obey(id, p.received.pop().frame)
	case pauseExpires:
		for prio := range Priorities {
			if p.open>>prio&1 == 0 && p.until[prio] <= n.now {
				n.openPriority(id, prio)
			}
		}
	case refreshDue:
		if p.refresh == n.now && p.standing != 0 {
			p.untold |= p.standing
			p.counts.Refreshes++
			n.touch(id)
		}
	}
}

// transmit asks the ports with a new event, in their order. Then it asks the ports for which a RESUME has come up
// meanwhile.
func (n *Network) transmit(s *site) {
	for s.dirty != 0 {
		for ask := s.dirty; ask != 0; ask &= ask - 1 {
			number := bits.TrailingZeros64(ask)
			s.dirty &^= 1 << number
			n.ask(s, s.first+int32(number))
		}
	}
}

// ask lets a port send its next packet or PFC frame, if it has one.
func (n *Network) ask(s *site, id int32) {
	p := &n.ports[id]
	if p.peer < 0 {
		return
	}
	if p.free > n.now {
		n.wake(p)
		return
	}
	if p.untold != 0 {
		n.sendPFC(id)
		return
	}
	packet, more := s.node.Transmit(n.now, int(p.number), p.open)
	if packet == nil {
		return
	}
	if p.open>>packet.Prio&1 == 0 || int64(packet.Bytes) > n.pfc.MaxPacket || packet.Bytes == 0 {
		n.Fail(
			fmt.Errorf("node %d, port %d sends %d bytes of priority %d: priorities %08b are open, packets have 1 to %d bytes",
				p.node, p.number, packet.Bytes, packet.Prio, p.open, n.pfc.MaxPacket),
		)
		return
	}
	p.counts.Packets++
	p.counts.Bytes += int64(packet.Bytes)
	if n.journeys != nil {
		n.followStart(p.node, packet)
	}
	p.free = n.now + Time(packet.Bytes)*p.link.ByteTime
	if more {
		n.wake(p)
	}
	at := p.free + p.link.Delay
	to := &n.ports[p.peer]
	f := to.flying.extend()
	f.at, f.p = at, *packet
	if to.flying.count == 1 {
		other := &n.sites[to.node]
		other.due.arrives(to.number, dueAt(at, packetArrives, to.number))
		other.next = min(other.next, at)
	}
}

// wake has a port asked when its transmission ends. Nothing happens then at a port that nobody has touched and that
// has nothing more to send.
func (n *Network) wake(p *port) {
	if !p.wakes {
		p.wakes = true
		s := &n.sites[p.node]
		s.due.frees(p.number, dueAt(p.free, transmitterFree, p.number))
		s.next = min(s.next, p.free)
	}
}

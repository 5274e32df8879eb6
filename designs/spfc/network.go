package spfc

import (
	"context"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/journey"
)

// Node is a switch or a host. It is called by its [Network] alone.
type Node interface {
	// Attach tells the node where it is, once, before all else.
	Attach(n *Network, id int)
	// Receive takes a packet whose last bit arrives now. It is not the node's to change or to keep.
	Receive(now Time, port int, p *Packet)
	// Transmit returns the packet that the idle transmitter of a port starts now, nil for none, and whether there may be more for the
	// port. Bit n of open: priority n is not paused; a packet of another one must not be sent. It is asked again after [Network.Kick],
	// when open grows, and if there was more when the transmission ends. The packet is read before the node is called again.
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

// Network runs nodes and links event by event.
type Network struct {
	pfc    PFCConfig
	nodes  []Node
	first  []int32 // by node: its first port
	ports  []port
	events eventQueue
	dirty  []int32
	now    Time
	err    error
	// journeys takes the ways of data packets; nil: of none.
	journeys *journey.Recorder
	askAll   bool // ask every port at every instant: the same bits, for a test

	Events int64 // so far
}

// NewNetwork returns a network without nodes.
func NewNetwork(pfc PFCConfig) (*Network, error) {
	if err := pfc.Check(); err != nil {
		return nil, err
	}
	return &Network{pfc: pfc, events: newEventQueue()}, nil
}

// Add adds a node with a number of ports and returns its id. A node without ports only has timers.
func (n *Network) Add(node Node, ports int) int {
	id := len(n.nodes)
	n.nodes = append(n.nodes, node)
	n.first = append(n.first, int32(len(n.ports)))
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
	}
	ends := [2]int32{n.portID(a, aPort), n.portID(b, bPort)}
	for i, id := range ends {
		if n.ports[id].peer >= 0 {
			return fmt.Errorf("port %d of node %d is connected already", n.ports[id].number, n.ports[id].node)
		}
		n.ports[id].peer, n.ports[id].link = ends[1-i], l
	}
	return nil
}

func (n *Network) portID(node, port int) int32 { return n.first[node] + int32(port) }

// Peer returns the other end of a port's link; ok is false if there is none.
func (n *Network) Peer(node, port int) (otherNode, otherPort int, ok bool) {
	peer := n.ports[n.portID(node, port)].peer
	if peer < 0 {
		return 0, 0, false
	}
	return int(n.ports[peer].node), int(n.ports[peer].number), true
}

// Now returns the instant of the latest event.
func (n *Network) Now() Time { return n.now }

// At has the timer of a node called at a time that is not past. Timers at one instant are called in the order of nodes, then of data.
func (n *Network) At(t Time, node int, data uint64) {
	n.push(event{at: max(t, n.now), key: uint64(timerDue)<<32 | uint64(node), data: data})
}

func (n *Network) push(e event) { n.events.push(e) }

func (n *Network) pushPort(t Time, k eventKind, id int32) {
	n.push(event{at: t, key: uint64(k)<<32 | uint64(id)})
}

// Kick has the transmitter of a port asked at this instant, if it is idle. Like Pause and Resume it is for nodes that are being called;
// whoever else wants something to happen asks for a timer.
func (n *Network) Kick(node, port int) { n.touch(n.portID(node, port)) }

func (n *Network) touch(id int32) {
	p := &n.ports[id]
	switch {
	case p.free > n.now:
		n.wake(id)
	case !p.dirty:
		p.dirty = true
		n.dirty = append(n.dirty, id)
	}
}

// Pause has a port tell its peer not to send a priority, until Resume.
func (n *Network) Pause(node, port, prio int) { n.tell(node, port, prio, true) }

// Resume ends what Pause began.
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
	if n.err == nil {
		n.err = fmt.Errorf("at %d ps: %w", n.now, err)
	}
}

// Open returns the priorities that a port's transmitter may send now.
func (n *Network) Open(node, port int) uint8 { return n.ports[n.portID(node, port)].open }

// Counts returns what a port has counted.
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

// HeadroomNeeded returns the bytes that a port may have to take of one priority after its enqueue decides PAUSE: the packet that
// decides it; a packet on the line before the PFC frame, the frame, and the way there; what the peer starts in its reaction time
// with the last packet whole; and the way back.
func (n *Network) HeadroomNeeded(node, port int) int64 {
	return n.pfc.HeadroomNeeded(n.ports[n.portID(node, port)].link)
}

// Run goes on to a time, that included. It ends early with the first error.
func (n *Network) Run(ctx context.Context, until Time) error {
	for steps := 0; n.err == nil; steps++ {
		first := n.events.first()
		if first == nil || first.at > until {
			break
		}
		if steps&0xfff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		n.now = first.at
		for first != nil && first.at == n.now {
			n.handle(n.events.pop())
			first = n.events.first()
		}
		if n.askAll {
			for id := range n.ports {
				n.touch(int32(id))
			}
		}
		n.transmit()
	}
	if n.err == nil {
		n.now = max(n.now, until)
	}
	return n.err
}

// Idle tells whether nothing is left to happen.
func (n *Network) Idle() bool { return n.events.empty() }

// handle has an event happen.
func (n *Network) handle(e event) {
	n.Events++
	id := int32(uint32(e.key))
	kind := eventKind(e.key >> 32)
	if kind == packetArrives {
		p := &n.ports[id]
		packet := &p.flying.skip().p // nothing is pushed until the node has seen it
		if p.flying.count > 0 {
			e.at = p.flying.front().at
			n.events.push(e)
		}
		p.counts.ReceivedPackets++
		p.counts.ReceivedBytes += int64(packet.Bytes)
		if n.journeys != nil {
			n.followArrival(p.node, packet)
		}
		n.nodes[p.node].Receive(n.now, int(p.number), packet)
		return
	}
	if kind == timerDue {
		n.nodes[id].Timer(n.now, e.data)
		return
	}
	p := &n.ports[id]
	switch kind {
	case pfcArrives:
		frame := p.frames.pop().frame
		if p.frames.count > 0 {
			n.pushPort(p.frames.front().at, pfcArrives, id)
		}
		at := n.now + Time(n.pfc.Reaction)*p.quantum()
		p.received.push(pfcFlight{at: at, frame: frame})
		n.pushPort(at, pfcActs, id)
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
	case transmitterFree:
		p.wakes = false
		n.touch(id)
	}
}

// transmit asks the ports that something has happened to.
func (n *Network) transmit() {
	slices.Sort(n.dirty)
	for i := 0; i < len(n.dirty); i++ { // a RESUME makes it longer
		id := n.dirty[i]
		p := &n.ports[id]
		p.dirty = false
		if p.peer < 0 {
			continue
		}
		if p.free > n.now {
			n.wake(id)
			continue
		}
		if p.untold != 0 {
			n.sendPFC(id)
			continue
		}
		packet, more := n.nodes[p.node].Transmit(n.now, int(p.number), p.open)
		if packet == nil {
			continue
		}
		p = &n.ports[id]
		if p.open>>packet.Prio&1 == 0 || int64(packet.Bytes) > n.pfc.MaxPacket || packet.Bytes == 0 {
			n.Fail(fmt.Errorf("node %d, port %d sends %d bytes of priority %d: priorities %08b are open, packets have 1 to %d bytes",
				p.node, p.number, packet.Bytes, packet.Prio, p.open, n.pfc.MaxPacket))
			return
		}
		p.counts.Packets++
		p.counts.Bytes += int64(packet.Bytes)
		if n.journeys != nil {
			n.followStart(p.node, packet)
		}
		free := n.occupy(id, int64(packet.Bytes))
		if more {
			n.wake(id)
		}
		to := &n.ports[p.peer]
		f := to.flying.extend()
		f.at, f.p = free+p.link.Delay, *packet
		if to.flying.count == 1 {
			n.pushPort(free+p.link.Delay, packetArrives, p.peer)
		}
	}
	n.dirty = n.dirty[:0]
}

// occupy starts a transmission and returns its end.
func (n *Network) occupy(id int32, bytes int64) Time {
	p := &n.ports[id]
	p.free = n.now + Time(bytes)*p.link.ByteTime
	return p.free
}

// wake has a port asked when its transmission ends. Nothing happens then at a port that nobody has touched and that has nothing more to send.
func (n *Network) wake(id int32) {
	if p := &n.ports[id]; !p.wakes {
		p.wakes = true
		n.pushPort(p.free, transmitterFree, id)
	}
}

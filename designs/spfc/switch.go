package spfc

import (
	"fmt"
	"math/bits"
)

// SwitchConfig describes a switch.
type SwitchConfig struct {
	Buffer      BufferConfig
	Arbitration Arbitration
	// InTurn: the priorities of an egress port take turns. By default a higher one goes first.
	InTurn bool
	// Routes has by destination host the egress ports on a shortest way. Flows are spread over them by a hash (ECMP).
	Routes [][]uint8
	Salt   uint32 // of the hash: switches differ
}

// Switch is a lossless shared-memory switch: a store of packets, its buffer manager, and an arbiter for each egress
// port.
//
// A packet is admitted with its last bit, can leave in the same instant, and is out of the account when its first bit
// leaves.
type Switch struct {
	cfg   SwitchConfig
	mmu   *Manager
	store packetStore
	net   *Network
	id    int

	egress []egressPort
	queues []packetQueue // by (egress*Priorities + priority)*ports + ingress; FIFO: all at ingress 0
	losses []Loss

	Received, Sent, Dropped int64 // packets

	record func(MMUEvent) `state:"none"` // takes the buffer manager's events; nil: nobody does
}

// Loss is a packet of a lossless priority that had no room.
type Loss struct {
	Time             Time
	Port, Prio       int
	Bytes            int
	Headroom, Needed int64 // as it is, and as the port's link needs it
}

// Error says whose fault it was.
func (l Loss) Error() string {
	return fmt.Sprintf(
		"ingress port %d lost a packet of %d bytes of lossless priority %d: its headroom is %d bytes, its link needs %d",
		l.Port, l.Bytes, l.Prio, l.Headroom, l.Needed,
	)
}

// NewSwitch returns an empty switch.
func NewSwitch(cfg SwitchConfig) (*Switch, error) {
	mmu, err := NewManager(cfg.Buffer)
	if err != nil {
		return nil, err
	}
	if int(cfg.Arbitration) >= len(arbitrationNames) {
		return nil, fmt.Errorf("%v", cfg.Arbitration)
	}
	ports := len(cfg.Buffer.Ports)
	for dest, ways := range cfg.Routes {
		for _, w := range ways {
			if int(w) >= ports {
				return nil, fmt.Errorf("the route to host %d goes by port %d of %d", dest, w, ports)
			}
		}
	}
	s := &Switch{cfg: cfg, mmu: mmu, egress: make([]egressPort, ports),
		queues: make([]packetQueue, ports*Priorities*ports)}
	s.store.free = -1
	if cfg.Arbitration == IngressFair {
		for e := range s.egress {
			for prio := range Priorities {
				s.egress[e].prios[prio].deficit = make([]int64, ports)
			}
		}
	}
	return s, nil
}

// Manager returns the switch's buffer manager, to look at.
func (s *Switch) Manager() *Manager { return s.mmu }

// Attach takes the switch's place in a network.
func (s *Switch) Attach(n *Network, id int) { s.net, s.id = n, id }

// Timer does nothing: the switch has none.
func (s *Switch) Timer(Time, uint64) {}

// Losses returns the packets of lossless priorities that were dropped because a headroom is smaller than its link
// needs. If it is not, such a packet fails the run.
func (s *Switch) Losses() []Loss { return s.losses }

// Route returns the egress port of a packet, -1 if there is none.
func (s *Switch) Route(p *Packet) int {
	if int(p.Dest) >= len(s.cfg.Routes) {
		return -1
	}
	ways := s.cfg.Routes[p.Dest]
	switch len(ways) {
	case 0:
		return -1
	case 1:
		return int(ways[0])
	}
	return int(ways[spread(p.Flow, s.cfg.Salt, len(ways))])
}

// spread is a hash of a flow: the finaliser of MurmurHash3, 64 bits.
func spread(flow, salt uint32, ways int) int {
	h := uint64(flow) | uint64(salt)<<32
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	hi, _ := bits.Mul64(h^h>>33, uint64(ways))
	return int(hi)
}

// Receive stores a packet.
func (s *Switch) Receive(now Time, port int, p *Packet) {
	out := s.Route(p)
	if out < 0 {
		s.net.Fail(fmt.Errorf("switch %d has no route to host %d", s.id, p.Dest))
		return
	}
	s.Received++
	prio := int(p.Prio)
	accepted, pause := s.mmu.Enqueue(now, port, prio, out, int64(p.Bytes))
	if pause {
		s.net.Pause(s.id, port, prio)
	}
	if err := s.mmu.broken(port, prio, out); err != nil {
		s.net.Fail(fmt.Errorf("switch %d: %w", s.id, err))
	}
	// also of a packet that is marked: the switch does not look
	mark := accepted && s.mmu.Arrived(prio, out, int64(p.Bytes))
	if s.record != nil {
		s.record(MMUEvent{Time: now, In: port, Prio: prio, Out: out, Bytes: int64(p.Bytes),
			Answer: MMUAnswer{accepted, mark, pause, s.mmu.stored}})
	}
	if !accepted {
		s.Dropped++
		s.lost(now, port, p)
		return
	}
	queue := port
	if s.cfg.Arbitration == FIFO {
		queue = 0
	}
	stored := s.store.push(&s.queues[(out*Priorities+prio)*len(s.egress)+queue], p)
	stored.in, stored.CE = uint8(port), p.CE || mark
	e := &s.egress[out]
	e.some |= 1 << prio
	e.prios[prio].some |= 1 << queue
	s.net.Kick(s.id, out)
}

// lost judges a dropped packet of a lossless priority.
func (s *Switch) lost(now Time, port int, p *Packet) {
	if s.cfg.Buffer.Lossless>>p.Prio&1 == 0 {
		return
	}
	l := Loss{Time: now, Port: port, Prio: int(p.Prio), Bytes: int(p.Bytes), Headroom: s.mmu.headrooms[port],
		Needed: s.mmu.worstCells(s.net.HeadroomNeeded(s.id, port))}
	if l.Headroom < l.Needed {
		s.losses = append(s.losses, l)
		return
	}
	s.net.Fail(fmt.Errorf("switch %d: %w", s.id, l))
}

// Transmit takes the next packet of an egress port.
func (s *Switch) Transmit(now Time, port int, open uint8) (p *Packet, more bool) {
	n := len(s.egress)
	e := &s.egress[port]
	p = e.next(s.queues[port*Priorities*n:(port+1)*Priorities*n], &s.store, open, s.cfg.InTurn, s.net.pfc.MaxPacket)
	if p == nil {
		return nil, false
	}
	prio := int(p.Prio)
	s.Sent++
	resume, mark := s.mmu.Dequeue(now, int(p.in), prio, port, int64(p.Bytes))
	if s.record != nil {
		s.record(MMUEvent{Time: now, Dequeue: true, In: int(p.in), Prio: prio, Out: port, Bytes: int64(p.Bytes),
			Answer: MMUAnswer{true, mark, resume, s.mmu.stored}})
	}
	if mark {
		p.CE = true
	}
	if resume {
		s.net.Resume(s.id, int(p.in), prio)
	}
	if err := s.mmu.broken(int(p.in), prio, port); err != nil {
		s.net.Fail(fmt.Errorf("switch %d: %w", s.id, err))
	}
	return p, e.some != 0
}

// Waiting is the bytes of one ingress port in one egress queue.
type Waiting struct {
	Ingress int
	Packets int
	Bytes   int64
}

// Waits returns, for an egress port and priority, whether its transmitter is paused, and the ingress ports whose
// packets wait for it. While it is paused, these ports' buffers stay full and keep their own senders paused: they are
// the edges of a buffer dependency.
func (s *Switch) Waits(port, prio int) (paused bool, waiting []Waiting) {
	paused = s.net.Open(s.id, port)>>prio&1 == 0
	counts := make([]Waiting, len(s.egress))
	for in := range s.egress {
		q := &s.queues[(port*Priorities+prio)*len(s.egress)+in]
		for at, k := q.head, int32(0); k < q.count; at, k = s.store.slots[at].next, k+1 {
			p := &s.store.slots[at].p
			counts[p.in].Packets++
			counts[p.in].Bytes += int64(p.Bytes)
		}
	}
	for in, c := range counts {
		if c.Ingress = in; c.Packets > 0 {
			waiting = append(waiting, c)
		}
	}
	return paused, waiting
}

// Conservation adds up all packets and accounts.
func (s *Switch) Conservation() error {
	stored := int64(0)
	for i := range s.queues {
		stored += int64(s.queues[i].count)
	}
	if s.Received != s.Sent+s.Dropped+stored {
		return fmt.Errorf("switch %d: %d packets came, %d went, %d were dropped, %d are stored", s.id, s.Received,
			s.Sent, s.Dropped, stored)
	}
	return s.mmu.Conservation()
}

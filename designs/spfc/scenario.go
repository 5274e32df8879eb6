package spfc

import (
	"context"
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/peers/dcqcn"
)

// Scenario is a network with its flows.
type Scenario struct {
	Topology    *Topology
	Policy      Policy
	Alpha       int    // exponent of 2
	Static      int64  // threshold of ST; 0: the memory by the number of ports
	Pinned      uint64 // ports, of every switch
	Window      Time   // TC
	K           int64
	Readings    Readings
	Arbitration Arbitration
	Headroom    Headroom
	PFC         PFCConfig
	DCQCN       dcqcn.Parameters
	TIMELY      TIMELY
	Reserve     int64   // bytes of each port
	Arrivals    bool    // are marked, by the queue they find
	ECN         float64 // share of the usual thresholds; 1 is 400 KB and 1,600 KB at 100 Gb/s
	Marks       *ECN    // of every port, in place of the usual ones
	Seed        uint64  // of ECN marks
	Flows       []Flow  // by start
	Answers     []Answer
	Log         bool // of the ports' states
}

// Headroom says how much of it a port has, and where.
type Headroom uint8

// Headrooms.
const (
	HeadroomCarved Headroom = iota // what the link needs, taken from the buffer
	HeadroomApart                  // what the link needs, beside the buffer
	HeadroomTriple                 // three times rate by delay, as some simulators have it, taken from the buffer
)

var headroomNames = [...]string{"carved", "apart", "triple"}

// String is its name in options.
func (h Headroom) String() string {
	if int(h) < len(headroomNames) {
		return headroomNames[h]
	}
	return fmt.Sprintf("Headroom(%d)", uint8(h))
}

// ParseHeadroom reads a name.
func ParseHeadroom(s string) (Headroom, error) {
	for h, name := range headroomNames {
		if s == name {
			return Headroom(h), nil
		}
	}
	return 0, fmt.Errorf("headroom %q: want carved, apart or triple", s)
}

// DefaultScenario is a topology with SPFC at alpha 2, K 5 and TC of 4 RTT (at least 80 us), and the DCQCN timers that
// network cards ship with.
func DefaultScenario(t *Topology) Scenario {
	line := int64(0)
	if len(t.Links) > 0 {
		line = bitTimes / int64(t.Links[0].ByteTime)
	}
	return Scenario{Topology: t, Policy: SPFC, Alpha: 1, Window: t.timeoutClock(), K: 5,
		Arbitration: IngressFair, PFC: DefaultPFC(),
		DCQCN: dcqcn.Card(line), TIMELY: DefaultTIMELY(line), Reserve: defaultReserve, ECN: 1}
}

// Fabric is a scenario that runs.
type Fabric struct {
	Net      *Network
	Hosts    []*Host
	Switches []*Switch
	Traffic  Traffic

	Topology *Topology
	wires    wiring
	routes   [][][]uint8
}

// NewFabric builds it.
func NewFabric(sc *Scenario) (*Fabric, error) {
	t := sc.Topology
	net, err := NewNetwork(sc.PFC)
	if err != nil {
		return nil, err
	}
	f := &Fabric{Net: net, Topology: t, wires: t.wire(),
		Traffic: Traffic{DCQCN: sc.DCQCN, TIMELY: sc.TIMELY, ByteTime: t.Links[0].ByteTime}}
	if f.routes, err = t.routes(f.wires); err != nil {
		return nil, err
	}
	for h := range t.Hosts {
		host := &Host{traffic: &f.Traffic}
		f.Hosts = append(f.Hosts, host)
		net.Add(host, 1)
		if n := len(f.wires.links[h]); n != 1 {
			return nil, fmt.Errorf("%s: %s has %d links, want 1", t.Name, t.NodeName(h), n)
		}
	}
	for s := range t.Names {
		sw, err := NewSwitch(sc.switchConfig(f, s))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Names[s], err)
		}
		f.Switches = append(f.Switches, sw)
		net.Add(sw, len(f.wires.links[t.Hosts+s]))
	}
	for node, links := range f.wires.links {
		for port, k := range links {
			if peer := f.wires.peers[node][port]; peer.node > node {
				l := t.Links[k]
				if err := net.Connect(node, port, peer.node, peer.port, Link{l.ByteTime, l.Delay}); err != nil {
					return nil, err
				}
			}
		}
	}
	return f, f.offer(sc.Flows, sc.Answers)
}

// switchConfig returns the configuration of the switch with an index.
func (sc *Scenario) switchConfig(f *Fabric, s int) SwitchConfig {
	t := sc.Topology
	links := f.wires.links[t.Hosts+s]
	b := DefaultBuffer(0, t.Buffer, 0)
	b.Policy, b.AlphaShift, b.Static, b.Pinned, b.Window, b.K, b.Readings = sc.Policy, sc.Alpha, sc.Static, sc.Pinned,
		sc.Window, sc.K, sc.Readings
	b.HeadroomApart, b.Reserve, b.Seed, b.Log = sc.Headroom == HeadroomApart, sc.Reserve, sc.Seed+uint64(s), sc.Log
	b.MarkArrivals = sc.Arrivals
	if b.Static == 0 {
		b.Static = b.Bytes / int64(max(t.Ports, len(links)))
	}
	for _, k := range links {
		l := Link{t.Links[k].ByteTime, t.Links[k].Delay}
		room := sc.PFC.HeadroomNeeded(l)
		if sc.Headroom == HeadroomTriple {
			room = max(room, 3*int64(l.Delay/l.ByteTime))
		}
		ecn := ECNFor(l.ByteTime)
		ecn.KMin, ecn.KMax = int64(float64(ecn.KMin)*sc.ECN), int64(float64(ecn.KMax)*sc.ECN)
		if sc.Marks != nil {
			ecn = *sc.Marks
		}
		b.Ports = append(b.Ports, BufferPort{ByteTime: l.ByteTime, Headroom: room, ECN: ecn})
	}
	return SwitchConfig{Buffer: b, Arbitration: sc.Arbitration, Routes: f.routes[s], Salt: uint32(t.Hosts + s)}
}

// offer takes the flows. Answers are further flows, numbered after the others.
func (f *Fabric) offer(flows []Flow, answers []Answer) error {
	t := &f.Traffic
	t.Flows = make([]flowState, len(flows)+len(answers))
	t.Unfinished = len(t.Flows)
	last := Time(0)
	take := func(i int, fl Flow) error {
		switch {
		case fl.From < 0 || fl.From >= len(f.Hosts) || fl.To < 0 || fl.To >= len(f.Hosts) || fl.From == fl.To:
			return fmt.Errorf("flow %d from host %d to host %d: want two of %d hosts", i, fl.From, fl.To, len(f.Hosts))
		case fl.Bytes < 1 || fl.Bytes > 1<<40:
			return fmt.Errorf("flow %d: %d bytes, want 1 to 2^40", i, fl.Bytes)
		case fl.Start < last:
			return fmt.Errorf("flow %d starts before the one that stands before it", i)
		case int(fl.Control) >= len(controlNames):
			return fmt.Errorf("flow %d: %v", i, fl.Control)
		}
		last = fl.Start
		s := &t.Flows[i]
		s.Flow, s.Finish, s.notified = fl, -1, -forever
		s.packets, s.last = fl.packets()
		s.dcqcn.Start(t.line())
		s.Timely.start(t.line())
		return nil
	}
	for i, fl := range flows {
		if err := take(i, fl); err != nil {
			return err
		}
		f.Hosts[fl.From].starts = append(f.Hosts[fl.From].starts, uint32(i))
	}
	for k, a := range answers {
		id := len(flows) + k
		if a.Of < 0 || a.Of >= len(flows) || a.Wait < 0 || t.Flows[a.Of].answer != 0 {
			return fmt.Errorf(
				"answer %d to flow %d after %d ps: want one of %d flows that has no answer yet, and no negative wait", k,
				a.Of, a.Wait, len(flows),
			)
		}
		request := &t.Flows[a.Of]
		request.answer, request.wait = id+1, a.Wait
		back := Flow{From: request.To, To: request.From, Bytes: a.Bytes, Start: last, Control: a.Control}
		if err := take(id, back); err != nil {
			return err
		}
	}
	for _, h := range f.Hosts {
		h.begin()
	}
	return nil
}

// Run goes on to a time, and checks all invariants there.
func (f *Fabric) Run(ctx context.Context, until Time) error {
	if err := f.Net.Run(ctx, until); err != nil {
		return err
	}
	return f.Check()
}

// OpenAll tells whether every packet had room under its threshold and no port was ever paused. If that is so under DT,
// it is so with a larger alpha, and under SPFC with that alpha or a larger one, and all bits are the same: a threshold
// is no lower there, and a victim's, which is the pool, has room and is not reached where DT's says so.
func (f *Fabric) OpenAll() bool {
	for _, s := range f.Switches {
		if c := &s.mmu.Counts; c.Pauses+c.Dropped+c.Lost+c.MaxHeadroom > 0 {
			return false
		}
	}
	return true
}

// Knobs returns a function that gives all switches the alpha and K with which they were built, for a state of a run
// with others.
func (f *Fabric) Knobs() func() error {
	built := f.Switches[0].mmu.cfg
	return func() error {
		for _, s := range f.Switches {
			s.mmu.turn(built.AlphaShift, built.K)
		}
		return nil
	}
}

// Check adds up the packets and bytes that hosts have sent and received, that switches store and that links carry, and
// checks all accounts of the switches. Order and completeness of flows are checked with each packet.
func (f *Fabric) Check() error {
	var errs []error
	sent, got, inside := int64(0), int64(0), int64(0)
	sentBytes, gotBytes, insideBytes := int64(0), int64(0), int64(0)
	for _, h := range f.Hosts {
		sent, got = sent+h.Sent+h.CNPs+h.Acks, got+h.Received+h.CNPsReceived+h.AcksReceived+int64(h.answers.count)
		sentBytes, gotBytes = sentBytes+h.SentBytes+leastBytes*(h.CNPs+h.Acks),
			gotBytes+h.GotBytes+leastBytes*(h.CNPsReceived+h.AcksReceived+int64(h.answers.count))
	}
	for _, s := range f.Switches {
		if err := s.Conservation(); err != nil {
			errs = append(errs, err)
		}
		if n := len(s.Losses()); n > 0 {
			errs = append(errs, fmt.Errorf("%d packets lost, the first: %w", n, s.Losses()[0]))
		}
		inside += s.Received - s.Sent
		insideBytes += s.mmu.Counts.In - s.mmu.Counts.Out + leastBytes*s.Dropped // only answers may be dropped
	}
	for i := range f.Net.ports {
		flying := &f.Net.ports[i].flying
		inside += int64(flying.count)
		for k := range flying.count {
			insideBytes += int64(flying.items[(flying.head+k)&(len(flying.items)-1)].p.Bytes)
		}
	}
	if sent != got+inside || sentBytes != gotBytes+insideBytes {
		errs = append(
			errs,
			fmt.Errorf(
				"hosts sent %d packets, %d bytes; %d, %d bytes arrived; %d, %d bytes are on their way", sent, sentBytes,
				got, gotBytes, inside, insideBytes,
			),
		)
	}
	return errors.Join(errs...)
}

// Alone returns how long a flow takes in an idle network.
func (f *Fabric) Alone(flow int) Time {
	s := &f.Traffic.Flows[flow]
	return f.Topology.alone(f.wires, f.routes, s.From, s.To, uint32(flow), s.packets-1, PacketBytes, s.last)
}

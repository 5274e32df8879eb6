package ethernet

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/workload"
)

// Config describes a network of hosts on one switch. The zero value is two hosts over raw Ethernet.
type Config struct {
	Stack      Stack
	Ports      int        // of the switch, each with a host; 2 if 0, at most 64
	Forwarding Forwarding // of the switch
	Flood      bool       // frames of unknown destination go to all other ports; else they are dropped
	Window     int        // messages that a host may have outstanding; 64 if 0
	MTU        int        // most data of a packet; 1024 bytes if 0, as RoCEv2 has on a network of 1500
	Buffer     int        // frames that each input of the switch holds; 256 if 0
	MaxFrame   int        // longest frame with FCS that the switch takes; 1518 bytes if 0

	// SingleClock puts everything into one clock domain: the latencies of a link, of a protocol stack and of the
	// forwarding path are each rounded up to whole cycles. Otherwise they are exact, by clocks of the same rate and other
	// phases.
	SingleClock bool

	Sim rtl.Config
}

func (c *Config) check() error {
	set := func(v *int, value int) {
		if *v == 0 {
			*v = value
		}
	}
	set(&c.Ports, 2)
	set(&c.Window, 64)
	set(&c.MTU, 1024)
	set(&c.Buffer, 256)
	set(&c.MaxFrame, 1518)
	// RoCEv2 needs 2 bytes less
	longest := c.MaxFrame - pcs.FCSBytes - ethernetHeader - ipHeader - tcpHeader - memoryHeader
	switch {
	case c.Sim.Jitter:
		return fmt.Errorf("jitter: the boxes of this network keep known phases, with nothing to synchronise")
	case int(c.Stack) >= len(stackNames):
		return fmt.Errorf("stack %d, want 0 to %d", c.Stack, len(stackNames)-1)
	case c.Ports < 2 || c.Ports > maxPorts:
		return fmt.Errorf("switch of %d ports, want 2 to %d", c.Ports, maxPorts)
	case c.Forwarding > CutThrough:
		return fmt.Errorf("forwarding %d, want 0 or 1", c.Forwarding)
	case c.Window < 1 || c.Window > 4096:
		return fmt.Errorf("window of %d messages, want 1 to 4096", c.Window)
	case c.MaxFrame < pcs.MinFrameBytes || c.MaxFrame > 9018:
		return fmt.Errorf("longest frame of %d bytes, want %d to 9018", c.MaxFrame, pcs.MinFrameBytes)
	case c.MTU < 8 || c.MTU%8 != 0 || c.MTU > longest:
		return fmt.Errorf("MTU of %d bytes, want a multiple of 8 from 8 to %d", c.MTU, longest)
	case c.Buffer < 1 || c.Buffer > 1<<16-1:
		return fmt.Errorf("buffer of %d frames, want 1 to 65535", c.Buffer)
	}
	return nil
}

// Host is a compute and memory node.
type Host struct {
	Requester    Requester
	Responder    Responder
	Encapsulator Encapsulator
	TxStack      *blocks.Wire[pcs.Beat] // nil with raw Ethernet, as is RxStack
	Port         Port
	RxStack      *blocks.Wire[pcs.Beat]
	Decapsulator Decapsulator
}

// Network is hosts around a switch.
type Network struct {
	Sim    *rtl.Sim
	Clock  *rtl.Clock // of all transmitters
	Hosts  []*Host
	Up     []*blocks.Wire[pcs.Line] // links from the hosts
	Down   []*blocks.Wire[pcs.Line] // links to the hosts
	Switch *Switch

	cfg    Config
	clocks *clocks
	locked bool

	appTx, appRx *rtl.Clock
}

// NewNetwork wires a network and elaborates it.
func NewNetwork(cfg Config) (*Network, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	n := &Network{cfg: cfg, Sim: rtl.New(cfg.Sim)}
	c := newClocks(n.Sim, cfg.SingleClock)
	n.clocks = c
	stack := cfg.Stack.latency()
	n.Clock = c.at(0, "tx_clk")
	rx := c.at(hop, "rx_clk")
	n.appTx, n.appRx = c.at(-stack, "app_tx_clk"), c.at(hop+stack, "app_rx_clk")
	n.Switch = newSwitch(n.Sim.Scope("switch"), cfg, c)
	for i := range cfg.Ports {
		if err := n.Switch.Table.Insert(MAC(i), i); err != nil {
			return nil, err
		}
		h := newHost(cfg, i)
		sc := n.Sim.Scope(fmt.Sprintf("host_%d", i))
		h.Port.add(sc, n.Clock, rx)
		sc.On(n.appTx).Add("requester", &h.Requester)
		sc.On(n.appTx).Add("responder", &h.Responder)
		sc.On(n.appTx).Add("encapsulator", &h.Encapsulator)
		sc.On(n.appRx).Add("decapsulator", &h.Decapsulator)
		if stack == 0 {
			rtl.Connect(&h.Encapsulator.Out, &h.Port.TxFIFO.In)
			rtl.Connect(&h.Port.Deframer.Out, &h.Decapsulator.In)
		} else {
			h.TxStack, h.RxStack = blocks.NewWire[pcs.Beat](c.edges(0, stack)), blocks.NewWire[pcs.Beat](c.edges(0, stack))
			sc.On(n.Clock).Add("tx_stack", h.TxStack)
			sc.On(n.appRx).Add("rx_stack", h.RxStack)
			rtl.Connect(&h.Encapsulator.Out, &h.TxStack.In)
			rtl.Connect(&h.TxStack.Out, &h.Port.TxFIFO.In)
			rtl.Connect(&h.Port.Deframer.Out, &h.RxStack.In)
			rtl.Connect(&h.RxStack.Out, &h.Decapsulator.In)
		}
		rtl.ConnectStream(h.Requester.Output(), h.Encapsulator.Requests())
		rtl.ConnectStream(h.Responder.Output(), h.Encapsulator.Replies())
		rtl.Connect(&h.Decapsulator.Out, &h.Requester.Arrived, &h.Responder.Arrived)

		up, down := blocks.NewWire[pcs.Line](c.edges(0, hop)), blocks.NewWire[pcs.Line](c.edges(0, hop))
		sc.On(rx).Add("link_up", up)
		sc.On(rx).Add("link_down", down)
		rtl.Connect(&h.Port.Tx.Gearbox.Out, &up.In)
		rtl.Connect(&up.Out, &n.Switch.Ports[i].Rx.Gearbox.In)
		rtl.Connect(&n.Switch.Ports[i].Tx.Gearbox.Out, &down.In)
		rtl.Connect(&down.Out, &h.Port.Rx.Gearbox.In)
		n.Hosts, n.Up, n.Down = append(n.Hosts, h), append(n.Up, up), append(n.Down, down)
	}
	return n, n.Sim.Elaborate()
}

func newHost(cfg Config, i int) *Host {
	h := &Host{}
	h.Requester.stack, h.Requester.window, h.Requester.mtu = cfg.Stack, cfg.Window, cfg.MTU
	h.Requester.peers = make([]requestPeer, cfg.Ports)
	for p := range h.Requester.peers {
		h.Requester.peers[p].waiting = blocks.NewFIFO[outstanding](cfg.Window)
	}
	h.Responder.stack, h.Responder.mtu = cfg.Stack, cfg.MTU
	h.Responder.jobs = blocks.NewFIFO[Packet](cfg.Window * (cfg.Ports - 1))
	h.Responder.peers = make([]replyPeer, cfg.Ports)
	h.Encapsulator.stack, h.Encapsulator.host = cfg.Stack, i
	h.Encapsulator.memory = make([]byte, 0, cfg.MaxFrame)
	h.Decapsulator.stack, h.Decapsulator.host, h.Decapsulator.hosts = cfg.Stack, i, cfg.Ports
	h.Decapsulator.frame = make([]byte, 0, cfg.MaxFrame)
	return h
}

// Completion is when a message began and when it was done, in picoseconds from the start of the Run that sent it: the
// request leaves the application, the last response or the acknowledgement reaches it.
type Completion struct {
	ID           uint64
	Issued, Done int64
}

// WaitForLock sends idle until all receivers have found the blocks.
func (n *Network) WaitForLock() error {
	const limit = 20_000
	ok, err := n.Clock.RunUntil(limit, func() bool {
		for i, h := range n.Hosts {
			if !h.Port.Rx.BlockSync.Lock.Get() || !n.Switch.Ports[i].Rx.BlockSync.Lock.Get() {
				return false
			}
		}
		return true
	})
	if err == nil && !ok {
		err = fmt.Errorf("no block lock within %d cycles", limit)
	}
	n.locked = n.locked || ok
	return err
}

// patience is how many cycles may pass without any message being done: far more than a full window of the longest
// needs.
const patience = 2_000_000

// Run sends messages, each from its source to its destination, and returns when all are done. A host sends its own in
// the order given. The result is in the order of the messages.
func (n *Network) Run(ctx context.Context, messages []workload.Message) ([]Completion, error) {
	for i, m := range messages {
		if err := n.check(m); err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
	}
	if !n.locked {
		if err := n.WaitForLock(); err != nil {
			return nil, err
		}
	}
	base := n.clocks.time(n.appTx)
	places := make([]int, len(messages)) // in the list of its host
	want, finished := 0, 0
	for _, h := range n.Hosts {
		want += h.Requester.finished
	}
	want += len(messages)
	for i, m := range messages {
		r := &n.Hosts[m.Source].Requester
		places[i] = len(r.requests)
		r.requests = append(
			r.requests,
			request{peer: uint8(m.Dest), write: m.Type == workload.Write, address: m.ID << 12 & (1<<40 - 1),
				bytes: uint32(m.Bytes), start: r.now + uint64((m.Start+period-1)/period)},
		)
	}
	idleSince := n.Clock.Cycle()
	for last := -1; ; {
		finished = 0
		for _, h := range n.Hosts {
			finished += h.Requester.finished
		}
		if finished == want {
			break
		}
		if finished != last || n.waitsForStart() {
			last, idleSince = finished, n.Clock.Cycle()
		}
		if err := n.Err(); err != nil {
			return nil, err
		}
		if n.Clock.Cycle()-idleSince > patience {
			return nil, fmt.Errorf("%d of %d messages not done, and none within %d cycles", want-finished,
				len(messages), patience)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := n.Clock.Run(64); err != nil {
			return nil, err
		}
	}
	phase := base % period
	done := make([]Completion, len(messages))
	for i, m := range messages {
		q := n.Hosts[m.Source].Requester.requests[places[i]]
		done[i] = Completion{m.ID, phase + int64(q.issued)*period - base, phase + int64(q.done)*period - base}
	}
	return done, n.Err()
}

// waitsForStart tells whether nothing is under way because the next messages are for later.
func (n *Network) waitsForStart() bool {
	for _, h := range n.Hosts {
		if h.Requester.outstanding > 0 {
			return false
		}
	}
	return true
}

func (n *Network) check(m workload.Message) error {
	switch {
	case m.Type != workload.Read && m.Type != workload.Write:
		return fmt.Errorf("type %v, want read or write", m.Type)
	case m.Source < 0 || m.Source >= n.cfg.Ports || m.Dest < 0 || m.Dest >= n.cfg.Ports || m.Source == m.Dest:
		return fmt.Errorf("from host %d to host %d, want two different ones from 0 to %d", m.Source, m.Dest, n.cfg.Ports-1)
	case m.Bytes < 1 || m.Bytes >= 1<<20:
		return fmt.Errorf("%d bytes, want 1 to %d", m.Bytes, 1<<20-1)
	case m.Start < 0:
		return fmt.Errorf("start at %d ps, want none below 0", m.Start)
	}
	return nil
}

// Err returns the faults so far: a frame dropped, damaged or out of order, or data that differs.
func (n *Network) Err() error {
	if d := n.Switch.Manager.Dropped.Get(); d > 0 {
		return fmt.Errorf("switch: %d frames dropped", d)
	}
	for i, h := range n.Hosts {
		switch {
		case h.Port.TxFIFO.lost > 0 || n.Switch.Ports[i].TxFIFO.lost > 0:
			return fmt.Errorf("port %d: a beat found the MAC's FIFO full", i)
		case h.Decapsulator.bad > 0 && !n.cfg.Flood:
			return fmt.Errorf("host %d: %d frames not understood", i, h.Decapsulator.bad)
		case h.Requester.faults > 0 || h.Responder.faults > 0:
			return fmt.Errorf("host %d: %d replies and %d requests out of order or damaged", i,
				h.Requester.faults, h.Responder.faults)
		}
	}
	return nil
}

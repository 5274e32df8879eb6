package shoal

import (
	"fmt"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// Cycles of the transceivers (PMA). The paper prints sums only: 45 cycles for the PHY of a switch, both ways, and 576
// ns, which are 90 cycles, for MAC and PHY of both nodes (§4.1, §6.2). The 64b/66b coding takes 2 cycles each way; the
// transceivers here make up the rest.
const (
	switchRxPMA = 21 // 21 + 2, and 2 + 20: 45
	switchTxPMA = 20
	nodeTxPMA   = 39 // MAC 2, coding 2, 39; 40, coding 2, FIFO 4, MAC 1: 90
	nodeRxPMA   = 40
)

// PrototypeConfig describes a bit-level rack. With Schedule alone it is the paper's prototype.
type PrototypeConfig struct {
	Schedule  *Schedule // of one channel, at most 16 nodes
	Ports     int       // of a switch; 0: the fewest that do
	CellBytes int       // 64 if 0; a multiple of 8
	Wire      clock.Time
	Late      []uint64 // by node: cycles that its slots begin late; nodes beyond the end of the list are on time
	// by node: of its own clock against the distributed one; 0, as for nodes beyond the end of the list, is the
	// distributed clock
	PPM       []float64
	SwitchPPM []float64    // the same by switch, leaves first; with Sync only
	Wires     []clock.Time // by node: its own two links; Wire for nodes beyond the end of the list and for all other links
	Sync      *Sync        // nodes find out the time, and where their slots begin; nil: all are started together
	Options   Options
	Log       bool // keep every header
	Sim       rtl.Config
}

// Prototype is a rack bit by bit: every node's NIC and MAC, every switch, and every link with its 64b/66b coding, its
// transceivers and its wire, on the distributed clock and the clocks recovered from the lines.
//
//	NIC ─ MacTx ─ pcs.Tx ─ PMA ═ wire ═ PMA ─ pcs.Rx ─ FIFO ─ CircuitSwitch ─ pcs.Tx ─ PMA ═ …
//	… ═ PMA ─ pcs.Rx ─ FIFO ─ MacRx ─ NIC
//
// Everything from the wire to the FIFO runs on a recovered clock. Its frequency is the sender's; its phase is later by
// the wire's delay.
type Prototype struct {
	Sim   *rtl.Sim
	Clock *rtl.Clock // distributed to all nodes and switches
	Slot  int        // cycles
	Start uint64     // cycle in which slot 0 is decided

	macToMAC   int // cycles from a cell's first word at one MAC to the same at another
	Clos       *Clos
	NICs       []*NIC
	synced     []*syncedNIC // with Sync, the modules that have NICs as parts
	Ports      []*TimePort  // with Sync
	counters   []*TimeCounter
	rates      []*RateReader
	nodeClocks []*rtl.Clock // by node
	macTx      []*MacTx
	MACs       []*MacRx
	switches   []*CircuitSwitch                   // leaves, then spines
	Egress     map[string]*blocks.Wire[pcs.Block] // by link: the sender's last register
	Wires      map[string]*blocks.Wire[pcs.Block] // the receiver's first
}

// NewPrototype builds and elaborates a rack.
func NewPrototype(cfg PrototypeConfig) (*Prototype, error) {
	n := cfg.Schedule.Nodes()
	if n > 16 || cfg.Schedule.Channels() != 1 {
		return nil, fmt.Errorf(
			"a bit-level rack of %d nodes and %d channels, want at most 16 and 1", n, cfg.Schedule.Channels(),
		)
	}
	if cfg.CellBytes == 0 {
		cfg.CellBytes = CellBytes
	}
	if cfg.CellBytes < 16 || cfg.CellBytes > 16384 || cfg.CellBytes%8 != 0 {
		return nil, fmt.Errorf("cells of %d bytes, want a multiple of 8 from 16 to 16384", cfg.CellBytes)
	}
	if cfg.Ports == 0 {
		cfg.Ports = FewestPorts(n)
	}
	if cfg.Wire.Cmp(clock.Time{}) == 0 {
		cfg.Wire = clock.Nanosecond.Times(10) // a quarter of the 40 ns of §6.2
	}
	clos, err := Decompose(cfg.Schedule, cfg.Ports)
	if err != nil {
		return nil, err
	}
	if err := clos.Check(); err != nil {
		return nil, err
	}
	guard := 1
	if cfg.Sync != nil {
		guard = cfg.Sync.Guard
		if err := cfg.Sync.check(&cfg); err != nil {
			return nil, err
		}
	}
	p := &Prototype{
		Sim: rtl.New(cfg.Sim), Slot: cfg.CellBytes/8 + macWords + guard, Start: 400, Clos: clos,
		Wires: map[string]*blocks.Wire[pcs.Block]{}, Egress: map[string]*blocks.Wire[pcs.Block]{},
	}
	p.Clock = p.Sim.Clock("core", XGMIIClock)
	b := &prototypeBuilder{p: p, sync: cfg.Sync, guard: guard}
	b.edges, b.phase = blocks.Recover(cfg.Wire, clock.Time{}, XGMIIClock.Period())
	b.recovered = p.Clock
	if b.phase.Cmp(XGMIIClock.Period()) != 0 && b.phase.Cmp(clock.Time{}) != 0 {
		b.recovered = p.Sim.Clock("recovered", XGMIIClock, b.phase)
	}
	p.macToMAC = b.macToMAC()
	flight := p.Flight()
	if cfg.Sync != nil {
		flight = b.syncedFlight(&cfg)
		if most := probeWay * cfg.Schedule.Epoch() * p.Slot; b.longest(&cfg) > most {
			return nil, fmt.Errorf(
				"%d nodes: %d epochs are %d cycles, want the %d that a message may take, or the nodes cannot come to a common time",
				n, probeWay, most, b.longest(&cfg),
			)
		}
	}
	if cfg.Options.Pair != PairFIFO { // a NIC finds a cell's payload by its number
		return nil, fmt.Errorf(
			"order %d of a pair's packets, want 0: the bit-level rack sends them one after the other", cfg.Options.Pair,
		)
	}
	times, err := newFabricTimes(cfg.Schedule, flight, cfg.Options)
	if err != nil {
		return nil, err
	}
	b.build(cfg, times)
	return p, p.Sim.Elaborate()
}

// Flight is how many slots a cell is under way in the sense of the slot-accurate rack: it is taken after the decision
// of slot t + flight and before the next one's.
func (p *Prototype) Flight() int {
	// decision to MAC, MAC to MAC, a cell and its verdict, and what the NIC needs to take it
	return (nicTxCycles + p.macToMAC + p.Slot - macWords - 1 + nicRxCycles - 1) / p.Slot
}

type prototypeBuilder struct {
	p         *Prototype
	recovered *rtl.Clock
	phase     clock.Time
	edges     int
	sync      *Sync
	guard     int
}

// macToMAC is the number of cycles from MAC to MAC that the nodes reckon with to know a cell's slot. A test compares it
// with the observed one. A recovered clock is late by a fraction of a cycle; the FIFO after it takes that fraction
// less, since it counts edges.
func (b *prototypeBuilder) macToMAC() int {
	const macTx, coding, fifo, macRx = 2, 2, 4, 1
	wires := 4 * b.edges
	if b.recovered != b.p.Clock {
		wires -= 4
	}
	return macTx + coding + nodeTxPMA + wires + 3*(switchRxPMA+coding+fifo+1+coding+switchTxPMA) + nodeRxPMA + coding +
		fifo + macRx
}

func (b *prototypeBuilder) build(cfg PrototypeConfig, times *fabricTimes) {
	p, c := b.p, b.p.Clos
	n := cfg.Schedule.Nodes()
	core := end{p.Clock, b.recovered, b.edges}
	var at []end // by switch
	for sw := range c.Leaves + c.Spines {
		x, own := NewCircuitSwitch(c, sw, 0, p.Slot), core
		if sw < len(cfg.SwitchPPM) && cfg.SwitchPPM[sw] != 0 {
			own = b.wireEnd(b.name(sw)+"_recovered", cfg.Wire, p.Sim.Clock(b.name(sw), XGMIIClock.PPM(cfg.SwitchPPM[sw])))
		}
		p.switches, at = append(p.switches, x), append(at, own)
		p.Sim.Scope(b.name(sw)).On(own.clock).Add("crossbar", x)
	}
	for i := range n {
		start := p.Start
		if i < len(cfg.Late) {
			start += cfg.Late[i]
		}
		node := newNode(i, times, newLinks(1, times), 0)
		nic, module := b.nic(newNIC(node, cfg.CellBytes/8, b.guard, cfg.Log), start)
		tx, rx := &MacTx{}, &MacRx{words: uint16(cfg.CellBytes / 8)}
		p.NICs, p.macTx, p.MACs = append(p.NICs, nic), append(p.macTx, tx), append(p.MACs, rx)
		leaf, port := i/c.Spines, i%c.Spines
		wire, own, down := cfg.Wire, core, at[leaf]
		if i < len(cfg.Wires) {
			wire = cfg.Wires[i]
			own = b.wireEnd(fmt.Sprintf("recovered_%d", i), wire, p.Clock)
			down = own
			if at[leaf].clock != p.Clock {
				down = b.wireEnd(fmt.Sprintf("down_recovered_%d", i), wire, at[leaf].clock)
			}
		}
		if i < len(cfg.PPM) && cfg.PPM[i] != 0 {
			own = b.wireEnd(
				fmt.Sprintf("own_recovered_%d", i), wire,
				p.Sim.Clock(fmt.Sprintf("node_%d", i), XGMIIClock.PPM(cfg.PPM[i])),
			)
		}
		p.nodeClocks = append(p.nodeClocks, own.clock)
		s := p.Sim.Scope(fmt.Sprintf("node_%d", i)).On(own.clock)
		s.Add("nic", module)
		s.Add("mac_tx", tx)
		s.Add("mac_rx", rx)
		rtl.Connect(&nic.Out, &tx.In)
		rtl.Connect(&nic.BootstrapOut, &tx.Bootstrap)
		rtl.Connect(&rx.Out, &nic.In)
		rtl.Connect(&rx.Check, &nic.Check)
		rtl.Connect(&rx.Bootstrap, &nic.BootstrapIn)

		if b.sync != nil {
			b.timePort(s, i, cfg.CellBytes/8, &cfg, nic, tx)
		} else {
			rtl.Tie(SlotTime{}, &nic.Slots)
			rtl.Tie(TimeNotice{}, &nic.Notice)
			rtl.Tie(pcs.XGMII{}, &tx.Message)
		}

		b.link(
			fmt.Sprintf("node_%d_up", i), &tx.Out, own, nodeTxPMA, switchRxPMA, &p.switches[leaf].In[port],
			&p.switches[leaf].Filled[port], at[leaf],
		)
		in, filled := []rtl.Sink[pcs.XGMII]{&rx.In}, []rtl.Sink[bool]{&rx.Filled}
		if b.sync != nil {
			in, filled = append(in, &p.Ports[i].Line), append(filled, &p.Ports[i].Filled)
		}
		b.fanout(fmt.Sprintf("node_%d_down", i), &p.switches[leaf].Out[port], down, switchTxPMA, nodeRxPMA, in, filled, own)
	}
	m := c.Spines
	for l := range c.Leaves {
		for s := range m {
			leaf, spine := p.switches[l], p.switches[c.Leaves+s]
			b.link(
				fmt.Sprintf("leaf_%d_up_%d", l, s), &leaf.Out[m+s], at[l], switchTxPMA, switchRxPMA, &spine.In[l],
				&spine.Filled[l], at[c.Leaves+s],
			)
			b.link(
				fmt.Sprintf("leaf_%d_down_%d", l, s), &spine.Out[l], at[c.Leaves+s], switchTxPMA, switchRxPMA,
				&leaf.In[m+s], &leaf.Filled[m+s], at[l],
			)
		}
	}
	b.tieRest(n)
}

// nic makes the module of a NIC. It returns the part that all NICs have, too.
func (b *prototypeBuilder) nic(common NIC, start uint64) (*NIC, rtl.Module) {
	if b.sync == nil {
		n := newStartedNIC(common, start)
		return &n.NIC, n
	}
	n := &syncedNIC{NIC: common}
	b.p.synced = append(b.p.synced, n)
	return &n.NIC, n
}

// tieRest gives idle words to the ports without a link.
func (b *prototypeBuilder) tieRest(n int) {
	c := b.p.Clos
	m := c.Spines
	for sw, x := range b.p.switches {
		for port := range x.In {
			used := sw < c.Leaves && (port >= m || sw*m+port < n) || sw >= c.Leaves && port < c.Leaves
			if !used {
				rtl.Tie(pcs.IdleWord(), &x.In[port])
				rtl.Tie(false, &x.Filled[port])
			}
		}
	}
}

func (b *prototypeBuilder) name(sw int) string {
	if sw < b.p.Clos.Leaves {
		return fmt.Sprintf("leaf_%d", sw)
	}
	return fmt.Sprintf("spine_%d", sw-b.p.Clos.Leaves)
}

// end is the clock of one end of a link.
type end struct {
	clock     *rtl.Clock
	recovered *rtl.Clock // what the other end recovers from its line
	edges     int        // of that clock, of the wire
}

// wireEnd is the end of a link at a clock; the other end recovers it a wire's delay later.
func (b *prototypeBuilder) wireEnd(name string, wire clock.Time, at *rtl.Clock) end {
	e := end{clock: at}
	var phase clock.Time
	e.edges, phase = blocks.Recover(wire, clock.Time{}, at.Freq().Period())
	e.recovered = b.p.Sim.Clock(name, at.Freq(), phase)
	return e
}

// link is one direction of a link, from one XGMII to another.
func (b *prototypeBuilder) link(
	name string, from rtl.Source[pcs.XGMII], sender end, txPMA, rxPMA int, to rtl.Sink[pcs.XGMII], filled rtl.Sink[bool],
	receiver end,
) {
	b.fanout(name, from, sender, txPMA, rxPMA, []rtl.Sink[pcs.XGMII]{to}, []rtl.Sink[bool]{filled}, receiver)
}

// fanout is a link whose words go to several inputs.
func (b *prototypeBuilder) fanout(
	name string, from rtl.Source[pcs.XGMII], sender end, txPMA, rxPMA int, to []rtl.Sink[pcs.XGMII],
	filled []rtl.Sink[bool], receiver end,
) {
	p := b.p
	s := p.Sim.Scope(name)
	tx, rx := &pcs.Tx{}, &pcs.Rx{}
	pmaTx, pmaRx, wire := blocks.NewWire[pcs.Block](txPMA), blocks.NewWire[pcs.Block](rxPMA),
		blocks.NewWire[pcs.Block](sender.edges)
	sent, recovered := s.Scope("tx").On(sender.clock), s.Scope("rx").On(sender.recovered)
	tx.Add(sent)
	sent.Add("pma", pmaTx)
	recovered.Add("wire", wire)
	recovered.Add("pma", pmaRx)
	rx.Add(recovered)
	rtl.Connect(from, &tx.Encoder.In)
	rtl.Connect(&tx.Scrambler.Out, &pmaTx.In)
	rtl.Connect(&pmaTx.Out, &wire.In)
	rtl.Connect(&wire.Out, &pmaRx.In)
	rtl.Connect(&pmaRx.Out, &rx.Descrambler.In)
	out := s.Scope("tx").On(receiver.clock)
	if b.sync != nil && sender.clock != receiver.clock {
		fifo := newRateFIFO()
		recovered.Add("fifo_write", &fifo.Write)
		out.Add("fifo_read", &fifo.Read)
		rtl.Connect(&rx.Decoder.Out, &fifo.Write.In)
		rtl.Tie(true, &fifo.Write.Push)
		rtl.Connect(&fifo.Read.Out, to...)
		rtl.Connect(&fifo.Read.Filled, filled...)
		p.rates = append(p.rates, &fifo.Read)
	} else {
		fifo := blocks.NewAsyncFIFO[pcs.XGMII](8)
		fifo.Add("fifo", recovered, out)
		rtl.Connect(&rx.Decoder.Out, &fifo.Write.In)
		rtl.Tie(true, &fifo.Write.Push)
		rtl.Tie(true, &fifo.Read.Pop)
		rtl.Connect(&fifo.Read.Out, to...)
		rtl.Connect(&fifo.Read.Valid, filled...)
	}
	p.Egress[name], p.Wires[name] = pmaTx, wire
}

// Run runs the rack for the given number of slots more.
func (p *Prototype) Run(slots uint64) error { return p.Clock.Run(slots * uint64(p.Slot)) }

// NIC returns a node's.
func (p *Prototype) NIC(i int) *NIC { return p.NICs[i] }

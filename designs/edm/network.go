package edm

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
)

// WireDelay is a link's delay in Table 1: PMA, PMD and transceiver at both ends, 19 ns each, and 10 ns of fibre.
var WireDelay = clock.MustTime("48ns")

// Config describes a network: nodes around one switch. A zero field has the default named with it.
type Config struct {
	Nodes  int // 2 to 512
	Lanes  int // of 25 Gb/s; 1 (the testbed), or 4: one block every 0.64 ns, with pipeline stages that last as long as at one lane
	Chunk  int // c: most bytes of a grant, a multiple of 8; 256 (§4.3)
	Active int // X: reads, and writes, that a pair may have under way; 3 (§4.3)
	Policy Policy
	// Release is when the ports of a matching are free again: one by one, or all together.
	Release Release
	Slack   int // blocks by which a circuit outlasts its chunk, see SlackReadWrite; that. -1 for none: the paper's l/B

	// SchedulerRatio is how many times as fast as the ports' clock that of the scheduler is: 1 with one lane, 2 with four, which
	// makes 3.125 GHz. The paper's runs at 3 GHz (§4.1).
	SchedulerRatio int

	// Equalise lets hosts wait with the data of a /G/ as long as a memory node takes for a request on top: then the data of reads
	// and writes come equally late after their grants, and circuits need not be kept for the difference.
	Equalise bool

	Mux      Sharing      // how memory and frames share a link
	Up, Down []clock.Time // delays of the links to and from the switch, by node; WireDelay
	Phases   []clock.Time // of the hosts' clocks against the switch's, by node; 0
	Memory   int          // bytes at each node; 64 KiB
	DRAM     clock.Time   // from a request's arrival until its data can be sent; 0
	Timeout  clock.Time   // of reads; 0 for none
	Queue    int          // requests that a host's message queue holds; 64
	Batch    int          // bytes up to which a host sends waiting writes to one node as one mega message (§3.1.2); 0 for none
	Frames   int          // greatest frame in blocks that a link carries, 0 if there is no other traffic
	KeepUp   bool         // do not disable a link on which an error was seen

	// Mirror gives each host a second interface, to a second switch; all that it sends goes to both (§3.3, see Merge). MirrorUp
	// and MirrorDown are the delays of the links to and from that switch: those of the first.
	Mirror               bool
	MirrorUp, MirrorDown []clock.Time
	// FailStop lets a switch that sees a link from a host fail switch itself off. The paper does not have it: see linkUpDies.
	FailStop bool

	Sim rtl.Config
}

// Slack, in blocks. The paper's l/B counts data alone; but grants and requests share the links and are not scheduled. A host sends
// the blocks of a request in one piece, so a chunk may be late by all but one of them; a memory node answers a longer request
// later. With the longest request that there is, these keep a late chunk from meeting the next one in the switch.
//
// For reads and writes one block is enough for that: no data met in 400 random networks with it. But an egress that has a grant or a
// request to send as well then never catches up. With one block, data waits for up to 72 blocks in the switch and reads at a load of 0.9
// take 1.32 times as long as alone; with two, at most 8 blocks and 1.15 times. It is the other way round where every node asks and answers,
// since there the circuits are the bottleneck: 1.40 times with one block, 2.1 with two. A scheduler that lengthens a circuit only for
// control blocks that are queued for its port would have to know those of the hosts, half a round trip before they are sent: a chunk is
// shorter than the round trip, so its circuit has ended by then.
const (
	SlackReadWrite = 2 // RREQ: 2 blocks
	SlackRMW       = 8 // RMWREQ: 5 blocks, late by 4 at the sender and by 3 at the memory node
)

func (c *Config) check() error {
	set := func(p *int, v int) {
		if *p == 0 {
			*p = v
		}
	}
	set(&c.Lanes, 1)
	set(&c.Chunk, 256)
	set(&c.Active, 3)
	set(&c.Slack, SlackReadWrite)
	set(&c.Memory, 64<<10)
	set(&c.Queue, 64)
	set(&c.SchedulerRatio, min(c.Lanes, 2))
	every := func(p *[]clock.Time, v clock.Time) {
		if *p == nil {
			*p = make([]clock.Time, c.Nodes)
			for i := range *p {
				(*p)[i] = v
			}
		}
	}
	switch {
	case c.Nodes < 2 || c.Nodes > 512:
		return fmt.Errorf("%d nodes, want 2 to 512", c.Nodes)
	case c.Lanes != 1 && c.Lanes != 4:
		return fmt.Errorf("%d lanes, want 1 (25 Gb/s) or 4 (100 Gb/s)", c.Lanes)
	case c.Chunk < 8 || c.Chunk%8 != 0 || c.Chunk > MaxBytes:
		return fmt.Errorf("chunk of %d bytes, want a multiple of 8 up to %d", c.Chunk, MaxBytes)
	case c.Active < 1 || c.Active > 128:
		return fmt.Errorf("%d active messages a pair, want 1 to 128", c.Active)
	case c.Memory < 8 || c.Memory%8 != 0:
		return fmt.Errorf("memory of %d bytes, want a multiple of 8", c.Memory)
	case c.SchedulerRatio > 2*c.Lanes:
		return fmt.Errorf("a scheduler %d times as fast as the ports, want at most %d: a request has to be there before it is granted", c.SchedulerRatio, 2*c.Lanes)
	case c.SchedulerRatio < 1 || c.Slack < -1 || c.Queue < 1 || c.Frames < 0 || c.Batch < 0 || c.Batch > MaxBytes:
		return fmt.Errorf("scheduler ratio %d, slack %d, queue %d, frames of %d blocks, batches of %d bytes: want positive numbers, batches of at most %d",
			c.SchedulerRatio, c.Slack, c.Queue, c.Frames, c.Batch, MaxBytes)
	}
	every(&c.Up, WireDelay)
	every(&c.Down, WireDelay)
	every(&c.Phases, clock.Time{})
	if c.MirrorUp == nil {
		c.MirrorUp = c.Up
	}
	if c.MirrorDown == nil {
		c.MirrorDown = c.Down
	}
	for _, n := range [][]clock.Time{c.Up, c.Down, c.Phases, c.MirrorUp, c.MirrorDown} {
		if len(n) != c.Nodes {
			return fmt.Errorf("%d delays or phases for %d nodes", len(n), c.Nodes)
		}
	}
	return nil
}

// stages is how many further cycles so many stages of Table 1 take at this rate.
func (c *Config) stages(n int) int { return n * (c.Lanes - 1) }

// BlockClock returns the clock of the blocks.
func (c *Config) BlockClock() clock.Freq { return clock.Block25G.Times(int64(max(c.Lanes, 1)), 1) }

// Network is hosts around a switch, or around two that mirror each other.
type Network struct {
	Sim   *rtl.Sim
	Clock *rtl.Clock // of the switch's ports

	SchedulerClock *rtl.Clock // the same, or a multiple of it

	Hosts      []*Host
	*Switching              // the first switch
	Switches   []*Switching // one, or two with Config.Mirror

	Config Config

	clocks *blocks.Phases
	later  int // cycles by which the data of a read comes later after its grant than that of a write
}

// Switching is a switch.
type Switching struct {
	Ports     []*Port
	Scheduler *Scheduler
	Grants    *Grants
	Crossbar  *Crossbar

	name     string       // "" for the first: stands before the names of scopes
	up, down []clock.Time // delays of its links
	off      *failStop    // nil without Config.FailStop
	dead     bool         // it will be killed: nothing is expected of it
}

// end is one end of a link: what stands in Figure 3 between EDM's stack and the line. EDM's own boxes stand between encoder and
// scrambler, and between descrambler and decoder (§3.2).
type end struct {
	Mux      TxMux
	TxPCS    pcs.Tx // its encoder is for frames
	line     linkTx
	receiver linkRx
	RxPCS    pcs.Rx // its decoder is for frames
	Demux    RxDemux

	Source   pcs.FrameSource
	Framer   pcs.Framer
	Deframer pcs.Deframer
	Sink     pcs.FrameSink

	TxClock, RxClock *rtl.Clock
}

// Host is a node: compute, memory, or both.
type Host struct {
	*Interface // to the first switch
	Interfaces []*Interface

	App    Requester
	Tx     HostTx
	Memory Memory
	Merge  *Merge // nil without Config.Mirror
}

// Interface is a host's side of its link to a switch.
type Interface struct {
	end
	Rx HostRx

	Events *blocks.AsyncFIFO[Event] // the grant queue
	Words  *blocks.AsyncFIFO[Word]
	places *blocks.AsyncFIFO[Placement]
}

// Port is a port of the switch.
type Port struct {
	end
	Identify Identify
	Forward  *blocks.AsyncFIFO[pcs.Block]
}

// crossingDepth is that of FIFOs whose other side takes a value at every edge.
const crossingDepth = 8

// NewNetwork builds a network.
func NewNetwork(cfg Config) (*Network, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	n := &Network{Config: cfg, Sim: rtl.New(cfg.Sim)}
	n.clocks = blocks.NewPhases(n.Sim, cfg.BlockClock())
	if !cfg.Equalise {
		n.later = cfg.Lanes + n.dram()
	}
	n.Clock = n.clockAt("switch", clock.Time{})
	n.SchedulerClock = n.Clock
	if cfg.SchedulerRatio > 1 {
		n.SchedulerClock = n.Sim.Clock("scheduler_clk", cfg.BlockClock().Times(int64(cfg.SchedulerRatio), 1))
	}
	n.Switches = []*Switching{{up: cfg.Up, down: cfg.Down}}
	if cfg.Mirror {
		n.Switches = append(n.Switches, &Switching{name: "mirror_", up: cfg.MirrorUp, down: cfg.MirrorDown})
	}
	n.Switching = n.Switches[0]
	for _, f := range n.Switches {
		if err := n.addSwitch(f); err != nil {
			return nil, err
		}
	}
	for i := range cfg.Nodes {
		h := n.addHost(i)
		for k, f := range n.Switches {
			if err := n.addLinks(f, i, h.Interfaces[k]); err != nil {
				return nil, err
			}
		}
		n.connect(i, h)
	}
	return n, n.Sim.Elaborate()
}

// clockAt returns the clock of blocks with a phase.
func (n *Network) clockAt(name string, phase clock.Time) *rtl.Clock {
	return n.clocks.At(phase, fmt.Sprintf("%s_clk", name))
}

// busy is how long a chunk keeps its ports, in cycles of the scheduler: l/B with the framing of its blocks, and the slack. The
// data of a read comes later after its grant than that of a write, by the stage that hands the request to the memory controller and
// by the DRAM: without Equalise the circuit of a read is kept for that time too, or the next one's data would meet it.
//
// At least as long as the longest request takes, which may be its grant.
func (n *Network) busy(bytes int, read bool) int {
	k, later := WREQ, 0
	if read {
		k, later = RRES, n.later
	}
	return max(requestBlocks, messageBlocks(k, bytes)+max(n.Config.Slack, 0)+later) * n.Config.SchedulerRatio
}

// dram is the DRAM's latency in cycles, rounded up.
func (n *Network) dram() int { return n.cycles(n.Config.DRAM) }

// cycles is a time in cycles, rounded up.
func (n *Network) cycles(t clock.Time) int {
	q := new(big.Rat).Quo(t.Seconds(), n.Config.BlockClock().Period().Seconds())
	whole, rest := new(big.Int).QuoRem(q.Num(), q.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		whole.Add(whole, big.NewInt(1))
	}
	return int(whole.Int64())
}

func (n *Network) addSwitch(f *Switching) error {
	cfg, nodes := n.Config, n.Config.Nodes
	scheduler, err := NewScheduler(SchedulerConfig{Ports: nodes, Active: 2 * cfg.Active, Chunk: cfg.Chunk, Policy: cfg.Policy, Release: cfg.Release, Busy: n.busy})
	if err != nil {
		return err
	}
	f.Scheduler = scheduler
	f.Grants = &Grants{Types: DefaultTypes, Active: cfg.Active, Body: make([]rtl.In[pcs.Block], nodes),
		Grant: make([]rtl.In[Grant], nodes), Control: make([]rtl.Out[pcs.Block], nodes)}
	trip := n.cycles(slices.MaxFunc(cfg.Up, clock.Time.Cmp)) + n.cycles(slices.MaxFunc(cfg.Down, clock.Time.Cmp)) + n.dram() + 40*cfg.Lanes
	f.Crossbar = &Crossbar{Types: DefaultTypes, Depth: 64 + trip/requestBlocks, In: make([]rtl.In[pcs.Block], nodes), Valid: make([]rtl.In[bool], nodes),
		Grant: make([]rtl.In[Grant], nodes), Out: make([]rtl.Wire[pcs.Block], nodes)}
	s := n.Sim.Scope(f.name + "switch").On(n.Clock)
	s.Add("grants", f.Grants)
	s.Add("crossbar", f.Crossbar)
	if cfg.FailStop {
		f.off = &failStop{Down: make([]rtl.Async[bool], nodes)}
		s.Add("fail_stop", f.off)
	}
	for i := range nodes {
		f.Ports = append(f.Ports, &Port{Identify: Identify{Types: DefaultTypes, Port: i}, Forward: blocks.NewAsyncFIFO[pcs.Block](crossingDepth)})
	}
	if cfg.SchedulerRatio == 1 {
		s.Add("scheduler", scheduler)
		for i, p := range f.Ports {
			stretch(s, fmt.Sprintf("notify_%d", i), cfg.stages(7), &p.Identify.Notify, &scheduler.Notify[i])
			rtl.Connect(&scheduler.Grant[i], &f.Grants.Grant[i], &f.Crossbar.Grant[i])
		}
		return nil
	}
	fast := n.Sim.Scope(f.name + "switch").On(n.SchedulerClock)
	in := &notifyCrossing{In: make([]rtl.Async[Notification], nodes), Out: make([]rtl.Out[Notification], nodes), ratio: cfg.SchedulerRatio}
	hold := &grantHold{In: make([]rtl.In[Grant], nodes), Out: make([]rtl.Out[Grant], nodes), ratio: cfg.SchedulerRatio}
	out := &grantSample{In: make([]rtl.Async[Grant], nodes), Out: make([]rtl.Out[Grant], nodes)}
	fast.Add("notify_crossing", in)
	fast.Add("scheduler", scheduler)
	fast.Add("grant_hold", hold)
	s.Add("grant_sample", out)
	for i, p := range f.Ports {
		stretch(s, fmt.Sprintf("notify_%d", i), cfg.stages(7), &p.Identify.Notify, &in.In[i])
		rtl.Connect(&in.Out[i], &scheduler.Notify[i])
		rtl.Connect(&scheduler.Grant[i], &hold.In[i])
		rtl.Connect(&hold.Out[i], &out.In[i])
		rtl.Connect(&out.Out[i], &f.Grants.Grant[i], &f.Crossbar.Grant[i])
	}
	return nil
}

func (n *Network) addHost(i int) *Host {
	cfg := n.Config
	h := &Host{
		Tx: HostTx{Types: DefaultTypes, Node: i, Nodes: cfg.Nodes, Active: cfg.Active, Chunk: cfg.Chunk, DRAM: n.dram() + cfg.stages(1),
			Timeout: n.cycles(cfg.Timeout), Queue: cfg.Queue, Batch: cfg.Batch, Buffer: Pattern},
		Memory: Memory{Bytes: cfg.Memory, Nodes: cfg.Nodes, Active: cfg.Active},
	}
	for range n.Switches {
		h.Interfaces = append(h.Interfaces, &Interface{
			Rx:     HostRx{Types: DefaultTypes, Nodes: cfg.Nodes, Active: cfg.Active},
			Events: blocks.NewAsyncFIFO[Event](crossingDepth),
			Words:  blocks.NewAsyncFIFO[Word](crossingDepth),
			places: blocks.NewAsyncFIFO[Placement](crossingDepth),
		})
	}
	h.Interface = h.Interfaces[0]
	if cfg.Equalise {
		h.Tx.Wait = cfg.Lanes + n.dram()
	}
	n.Hosts = append(n.Hosts, h)
	return h
}

// addLinks puts a host's interface and its port together.
func (n *Network) addLinks(f *Switching, i int, h *Interface) error {
	cfg, p := n.Config, f.Ports[i]
	period := cfg.BlockClock().Period()
	h.TxClock = n.clockAt(fmt.Sprintf("host_%d", i), cfg.Phases[i])
	p.TxClock = n.Clock

	// one link's PCS stages on top of its wires: encoder or multiplexer, scrambler, descrambler, decoder or demultiplexer
	pcsStages := period.Times(int64(cfg.stages(4)))
	up, upPhase := blocks.Recover(f.up[i].Add(pcsStages), cfg.Phases[i], period)
	down, downPhase := blocks.Recover(f.down[i].Add(pcsStages), clock.Time{}, period)
	if up < linkEdges || down < linkEdges {
		return fmt.Errorf("links of %v and %v, want more than a cycle of %v", f.up[i], f.down[i], period)
	}
	p.RxClock = n.clockAt(fmt.Sprintf("%sport_%d_rx", f.name, i), upPhase)
	h.RxClock = n.clockAt(fmt.Sprintf("%shost_%d_rx", f.name, i), downPhase)

	host, port := n.Sim.Scope(fmt.Sprintf("%shost_%d", f.name, i)), n.Sim.Scope(fmt.Sprintf("%sport_%d", f.name, i))
	n.addEnd(host, &h.end, true)
	n.addEnd(port, &p.end, false)
	h.line.wire = blocks.NewDelayLine(up-linkEdges, pcs.Block{})
	p.line.wire = blocks.NewDelayLine(down-linkEdges, pcs.Block{})
	rtl.Connect(&h.line.Out, &p.receiver.In)
	rtl.Connect(&p.line.Out, &h.receiver.In)
	rtl.Tie(false, &h.line.Off)
	if f.off == nil {
		rtl.Tie(false, &p.line.Off)
	} else {
		rtl.Connect(&p.receiver.Down, &f.off.Down[i])
		rtl.Connect(&f.off.Off, &p.line.Off)
	}

	// the host
	tx, rx := host.On(h.TxClock), host.On(h.RxClock)
	rx.Add("rx", &h.Rx)
	h.Events.Add("grant_queue", rx, tx)
	h.Words.Add("words", rx, tx)
	h.places.Add("places", tx, rx)
	stretch(rx, "rx_control_stages", cfg.stages(3), &h.Demux.Control, &h.Rx.Control)
	stretch(rx, "rx_data_stages", cfg.stages(3), &h.Demux.Data, &h.Rx.Data)
	rtl.Connect(&h.Rx.Event, &h.Events.Write.In)
	rtl.Connect(&h.Rx.PushEvent, &h.Events.Write.Push)
	rtl.Connect(&h.Rx.Word, &h.Words.Write.In)
	rtl.Connect(&h.Rx.PushWord, &h.Words.Write.Push)
	rtl.Tie(true, &h.Events.Read.Pop, &h.Words.Read.Pop, &h.places.Read.Pop)
	rtl.Connect(&h.places.Read.Out, &h.Rx.Place)
	rtl.Connect(&h.places.Read.Valid, &h.Rx.Placed)

	// the port
	core, prx := port.On(n.Clock), port.On(p.RxClock)
	core.Add("identify", &p.Identify)
	p.Forward.Add("forward", prx, core)
	rtl.Connect(&p.Demux.Control, &p.Identify.In)
	rtl.Connect(&p.Identify.Body, &f.Grants.Body[i])
	rtl.Connect(&p.Demux.Data, &p.Forward.Write.In)
	rtl.Connect(&p.Demux.Push, &p.Forward.Write.Push)
	rtl.Tie(true, &p.Forward.Read.Pop)
	stretch(core, "forward_stages", cfg.stages(4), &p.Forward.Read.Out, &f.Crossbar.In[i])
	stretch(core, "forward_valid_stages", cfg.stages(4), &p.Forward.Read.Valid, &f.Crossbar.Valid[i])
	rtl.Connect(&f.Grants.Control[i], &p.Mux.Control)
	rtl.Connect(&f.Crossbar.Out[i], &p.Mux.Data)
	return nil
}

// connect puts a host's interfaces, stack, memory and application together.
func (n *Network) connect(i int, h *Host) {
	cfg := n.Config
	tx := n.Sim.Scope(fmt.Sprintf("host_%d", i)).On(h.TxClock)
	tx.Add("app", &h.App)
	tx.Add("tx", &h.Tx)
	tx.Add("memory", &h.Memory)
	rtl.Connect(&h.App.Out, &h.Tx.Request)
	rtl.Connect(&h.Tx.Ready, &h.App.Ready)
	rtl.Connect(&h.Tx.Done, &h.App.Done)
	rtl.Connect(&h.Tx.Load, &h.Memory.Read)
	rtl.Connect(&h.Memory.Data, &h.Tx.Loaded)

	var control, data []rtl.Sink[pcs.Block]
	for _, f := range h.Interfaces {
		control, data = append(control, &f.Mux.Control), append(data, &f.Mux.Data)
		rtl.Connect(&h.Tx.Place, &f.places.Write.In)
		rtl.Connect(&h.Tx.Placed, &f.places.Write.Push)
	}
	stretch(tx, "control_stages", cfg.stages(2), &h.Tx.Control, control...)
	stretch(tx, "data_stages", cfg.stages(3), &h.Tx.Data, data...)

	var holdControl, holdData, arrived, written rtl.Source[bool]
	var event rtl.Source[Event]
	var word rtl.Source[Word]
	if cfg.Mirror {
		m := &Merge{Nodes: cfg.Nodes, Active: cfg.Active}
		m.Event, m.Arrived = make([]rtl.In[Event], len(h.Interfaces)), make([]rtl.In[bool], len(h.Interfaces))
		m.Word, m.Written = make([]rtl.In[Word], len(h.Interfaces)), make([]rtl.In[bool], len(h.Interfaces))
		holds := [2]*either{{}, {}}
		for k, f := range h.Interfaces {
			rtl.Connect(&f.Events.Read.Out, &m.Event[k])
			rtl.Connect(&f.Events.Read.Valid, &m.Arrived[k])
			rtl.Connect(&f.Words.Read.Out, &m.Word[k])
			rtl.Connect(&f.Words.Read.Valid, &m.Written[k])
			rtl.Connect(&f.Mux.HoldControl, &holds[0].In[k])
			rtl.Connect(&f.Mux.HoldData, &holds[1].In[k])
		}
		rtl.Connect(&h.Tx.Place, &m.Place)
		rtl.Connect(&h.Tx.Placed, &m.Placed)
		tx.Add("merge", m)
		tx.Add("hold_control", holds[0])
		tx.Add("hold_data", holds[1])
		h.Merge = m
		holdControl, holdData = &holds[0].Out, &holds[1].Out
		event, arrived, word, written = &m.FirstEvent, &m.FirstArrived, &m.FirstWord, &m.FirstWritten
	} else {
		holdControl, holdData = &h.Mux.HoldControl, &h.Mux.HoldData
		event, arrived = &h.Events.Read.Out, &h.Events.Read.Valid
		word, written = &h.Words.Read.Out, &h.Words.Read.Valid
	}
	rtl.Connect(holdControl, &h.Tx.HoldControl)
	rtl.Connect(holdData, &h.Tx.HoldData)
	stretch(tx, "event_stages", cfg.stages(3), event, &h.Tx.Event, &h.Memory.Event)
	stretch(tx, "arrived_stages", cfg.stages(3), arrived, &h.Tx.Arrived, &h.Memory.Arrived)
	rtl.Connect(word, &h.Tx.Word, &h.Memory.Word)
	rtl.Connect(written, &h.Tx.Written, &h.Memory.Written)
}

// addEnd puts the PCS of one end of a link together.
func (n *Network) addEnd(scope *rtl.Scope, e *end, host bool) {
	cfg := n.Config
	tx, rx := scope.On(e.TxClock), scope.On(e.RxClock)
	e.Mux = TxMux{Types: DefaultTypes, Sharing: cfg.Mux, DataFirst: host, Depth: 256, Reserve: 2*requestBlocks + cfg.stages(3)}
	e.Demux = RxDemux{Types: DefaultTypes, MaxFrame: cfg.Frames}
	e.receiver.KeepUp = cfg.KeepUp
	tx.Add("mux", &e.Mux)
	e.TxPCS.AddLine(tx)
	tx.Add("line", &e.line)
	rx.Add("receiver", &e.receiver)
	e.RxPCS.AddLine(rx)
	rx.Add("demux", &e.Demux)
	rtl.Connect(&e.Mux.Out, &e.TxPCS.Scrambler.In)
	rtl.Connect(&e.TxPCS.Scrambler.Out, &e.line.In)
	rtl.Connect(&e.receiver.Out, &e.RxPCS.Descrambler.In)
	rtl.Connect(&e.RxPCS.Descrambler.Out, &e.Demux.In)
	rtl.Connect(&e.Demux.Corrupt, &e.receiver.Corrupt)
	if cfg.Frames == 0 {
		rtl.Tie(pcs.IdleBlock(), &e.Mux.Frame)
		return
	}
	tx.Add("frame_source", &e.Source)
	tx.Add("framer", &e.Framer)
	e.TxPCS.AddEncoder(tx)
	e.RxPCS.AddDecoder(rx)
	rx.Add("deframer", &e.Deframer)
	rx.Add("frame_sink", &e.Sink)
	rtl.Connect(&e.Source.Out, &e.Framer.In)
	rtl.Connect(&e.Framer.Ready, &e.Source.Ready)
	rtl.Connect(&e.Mux.FrameEnable, &e.Framer.Enable)
	rtl.Connect(&e.Framer.Out, &e.TxPCS.Encoder.In)
	rtl.Connect(&e.TxPCS.Encoder.Out, &e.Mux.Frame)
	rtl.Connect(&e.Demux.Frame, &e.RxPCS.Decoder.In)
	rtl.Connect(&e.Demux.Next, &e.RxPCS.Decoder.Next)
	rtl.Connect(&e.RxPCS.Decoder.Out, &e.Deframer.In)
	rtl.Connect(&e.Deframer.Out, &e.Sink.In)
}

// Pattern is what the data buffers hold: eight bytes at an address that tell where they are from (SplitMix64's finaliser).
func Pattern(address uint64) uint64 {
	x := address + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

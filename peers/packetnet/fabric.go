package packetnet

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/blocks"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/internal/calendar"
	"github.com/goldwire/goldwire/workload"
)

type packetKind uint8

const (
	data     packetKind = iota // bytes of a flow
	ack                        // DCTCP, DCQCN, NDP
	request                    // IRD, Fastpass: a read request; with IRD it is the first grant too
	grant                      // IRD, Fastpass
	demand                     // Fastpass
	pause                      // PFC
	resume                     // PFC
	cnp                        // DCQCN
	header                     // NDP: data without its payload
	returned                   // NDP: a header on its way back to the sender
	nack                       // NDP
	pull                       // NDP
)

// packet is a frame, or a flit, under way.
type packet struct {
	key     int64 // pFabric: priority, the least first. Fastpass: bytes granted
	next    int32
	flow    int32
	ref     int32 // DCTCP: segment. IRD: grant
	gen     uint32
	wire    int32 // bytes on the line
	payload int32
	from    int16
	to      int16
	kind    packetKind
	class   uint8
	marked  bool

	// A response carries the acknowledgement of its request.
	ackMarked bool
	ackRef    int32
	ackGen    uint32

	port int32 // that sent it last
	path int32 // number of the path in its topology
}

// flow is one direction of a message: flow 2m goes from message m's node to the memory node, flow 2m+1 back.
type flow struct {
	from, to int32
	next     int32 // in a list of its scheme, -1 is none
	state    int32 // in a pool of its scheme, while it is sent
	class    uint8
	size     int64
	sent     int64 // or granted
	arrived  int64
}

// fabric is common to all networks: time, packets, transmitters, and the results of the messages.
type fabric struct {
	calendar.Calendar
	cfg        Config
	hosts      hosts
	discipline discipline
	topology   topology
	links
	n     int   // nodes, with Fastpass's server
	tick  int64 // picoseconds of a byte time
	limit int64 // from here on in byte times
	gap   int32 // within a packet's wire bytes, after the last that a receiver waits for
	host  int64
	link  int64
	sw    int64
	mem   int64
	mss   int64 // most payload of a frame

	msgs    []workload.Message `state:"none"` // as built
	keep    *experiment.Run    `state:"none"` // nil for none
	flows   []flow
	order   []int32 // messages by start
	starts  []int64 // by message
	begun   int     // messages of order that have started
	awaited int     // messages that the run waits for
	ongoing int     // of these, how many have not finished
	drain   bool    // go on when all have

	packets    []packet // 0 is none
	freePacket int32
	ports      []port      // the nodes' and then the switches'
	ready      blocks.Bits // idle ports that may have something to send
	turns      []int32
	ingress    bool    // packets enter the discipline at the ingress, before they are forwarded
	paused     []uint8 // by port: the classes that must not be sent, a bit each
	since      []int64 // by port: when the first of them was paused
	rng        *rand.Rand
	result     *Result
}

func newFabric(cfg Config, msgs []workload.Message) (*fabric, error) {
	f := &fabric{Calendar: calendar.New(span), cfg: cfg, n: cfg.Nodes, tick: int64(8000 / cfg.RateGbps), msgs: msgs,
		gap: int32(cfg.Gap)}
	if cfg.Scheme == Fastpass {
		f.n++
	}
	f.limit = cfg.Limit / f.tick
	f.host, f.link, f.sw, f.mem = f.round(cfg.HostDelay), f.round(cfg.LinkDelay), f.round(cfg.SwitchDelay),
		f.round(cfg.MemoryDelay)
	f.mss = int64(cfg.MTU - cfg.TransportHeader)

	f.flows = make([]flow, 2*len(msgs))
	f.order, f.starts = make([]int32, len(msgs)), make([]int64, len(msgs))
	for k, m := range msgs {
		if err := checkMessage(cfg, k, m); err != nil {
			return nil, err
		}
		if cfg.awaits(&m) {
			f.awaited++
		}
		there := flow{from: int32(m.Source), to: int32(m.Dest), next: -1, class: m.Class, size: int64(cfg.RequestBytes)}
		back := flow{from: there.to, to: there.from, next: -1, class: m.Class, size: int64(m.Bytes)}
		switch m.Type {
		case workload.Write:
			there.size, back.size = int64(cfg.WriteHeaderBytes+m.Bytes), 0
		case workload.CompareSwap:
			there.size += 2 * int64(m.Bytes)
		}
		f.flows[2*k], f.flows[2*k+1] = there, back
		f.order[k], f.starts[k] = int32(k), (m.Start+f.tick-1)/f.tick
	}
	f.ongoing = f.awaited
	slices.SortStableFunc(f.order, func(a, b int32) int { return cmp.Compare(f.starts[a], f.starts[b]) })

	f.packets = make([]packet, 1, 4096)
	f.rng = rand.New(rand.NewPCG(cfg.Seed, 0))
	f.connect()
	ports := len(f.to)
	f.ports, f.ready, f.turns = make([]port, ports), blocks.NewBits(ports), make([]int32, 0, ports)
	f.paused, f.since = make([]uint8, ports), make([]int64, ports)
	f.result = &Result{Finish: make([]int64, len(msgs))}
	for k := range f.result.Finish {
		f.result.Finish[k] = -1
	}
	return f, nil
}

// awaits tells whether a run goes on until a message has finished.
func (c *Config) awaits(m *workload.Message) bool { return c.Until == 0 || m.Bytes <= c.Until }

// round converts picoseconds to the nearest byte time.
func (f *fabric) round(ps int64) int64 { return (ps + f.tick/2) / f.tick }

// run goes through every time at which something happens.
func (f *fabric) run(ctx context.Context) error {
	reason := ""
	for n := 0; reason == "" && (f.ongoing > 0 || f.drain); n++ {
		if n&0xfff == 0 {
			if ctx.Err() != nil {
				return fmt.Errorf("%s: stopped at %d ps: %w", f.cfg.Scheme, f.Now*f.tick, ctx.Err())
			}
			if err := f.between(); err != nil {
				return err
			}
		}
		reason = f.advance()
	}
	if reason == "" {
		reason = "the run ended with the last shorter message"
	}
	f.result.End = max(f.Now, 0) * f.tick
	for m, at := range f.result.Finish {
		if at < 0 {
			there, back := f.flows[2*m], f.flows[2*m+1]
			f.result.Unfinished = append(f.result.Unfinished, Unfinished{m, fmt.Sprintf("%s: %d of %d bytes had arrived",
				reason, there.arrived+back.arrived, there.size+back.size)})
		}
	}
	return nil
}

// between tells the run how far the network has come.
func (f *fabric) between() error {
	if f.keep == nil {
		return nil
	}
	f.keep.Progress(uint64(f.awaited-f.ongoing), uint64(f.awaited))
	return f.keep.Between()
}

// advance goes to the next time at which something happens. It returns why there is none.
func (f *fabric) advance() (reason string) {
	now := f.Next()
	if f.begun < len(f.order) {
		now = min(now, f.starts[f.order[f.begun]])
	}
	if now == math.MaxInt64 {
		return "nothing is left to happen"
	}
	if now > f.limit {
		f.Now = f.limit
		return fmt.Sprintf("the limit of %d ps came first", f.cfg.Limit)
	}
	f.Open(now)
	f.step()
	return ""
}

// step is one byte time: first every arriving packet is taken in, then idle transmitters decide.
func (f *fabric) step() {
	for m := f.starting(); m >= 0; m = f.starting() {
		f.hosts.start(m)
	}
	for e, ok := f.Take(); ok; e, ok = f.Take() {
		switch e.Kind {
		case portFree:
			f.freed(int(e.A))
		case atIngress:
			f.discipline.enter(e.A)
		case atSwitch:
			f.discipline.forward(e.A)
		case atNode:
			f.hosts.receive(e.A)
		case memoryReady:
			f.hosts.respond(e.A)
		case pauseSeen:
			f.obey(int(e.A), uint8(e.B), e.B&pauseOn != 0)
		case creditSeen:
			f.discipline.credit(e.A, e.B)
		default:
			f.hosts.event(e)
		}
	}
	f.hosts.decide()
	for ports := f.turn(); len(ports) > 0; ports = f.turn() {
		for _, p := range ports {
			switch p := int(p); {
			case f.ports[p].busy:
			case p < f.n:
				f.hosts.serve(p)
			default:
				f.discipline.serve(p)
			}
		}
	}
}

// starting returns a message that starts now, once each, and then -1.
func (f *fabric) starting() int32 {
	if f.begun == len(f.order) || f.starts[f.order[f.begun]] > f.Now {
		return -1
	}
	f.begun++
	return f.order[f.begun-1]
}

// turn returns the ready ports, beginning at a drawn one so that none is always first, and takes their readiness away.
func (f *fabric) turn() []int32 {
	f.turns = f.turns[:0]
	for p := f.ready.Next(0); p >= 0; p = f.ready.Next(p + 1) {
		f.ready.Clear(p)
		if !f.ports[p].busy {
			f.turns = append(f.turns, int32(p))
		}
	}
	if n := len(f.turns); n > 1 {
		first := f.rng.IntN(n)
		slices.Reverse(f.turns[:first])
		slices.Reverse(f.turns[first:])
		slices.Reverse(f.turns)
	}
	return f.turns
}

// wake has a port look for something to send.
func (f *fabric) wake(p int) {
	if !f.ports[p].busy {
		f.ready.Set(p)
	}
}

// freed ends a transmission.
func (f *fabric) freed(p int) {
	f.ports[p].busy = false
	f.ready.Set(p)
}

// wire returns the length of a frame on the line, in bytes: its payload (the argument), preamble, headers, padding and
// gap.
func (f *fabric) wire(payload int64) int32 {
	c := &f.cfg
	return int32(c.Preamble + max(c.MinFrame, c.FrameHeader+c.TransportHeader+int(payload)) + c.Gap)
}

// size returns the bytes that a packet takes in a queue.
func (f *fabric) size(k *packet) int64 { return int64(k.wire) - int64(f.cfg.Preamble+f.cfg.Gap) }

// packet takes one from the pool.
func (f *fabric) packet(p packet) int32 {
	id := f.freePacket
	if id == 0 {
		f.packets = append(f.packets, p)
		return int32(len(f.packets) - 1)
	}
	f.freePacket = f.packets[id].next
	f.packets[id] = p
	return id
}

// release gives a packet back to the pool and returns its contents.
func (f *fabric) release(id int32) packet {
	k := f.packets[id]
	f.packets[id].next, f.freePacket = f.freePacket, id
	return k
}

// deliver counts bytes of a flow that a node has got, and tells whether the flow is complete. A request's response is
// ready when the memory has its data.
func (f *fabric) deliver(id int32, bytes int64) bool {
	fl := &f.flows[id]
	fl.arrived += bytes
	f.result.PayloadDelivered += uint64(bytes)
	if fl.arrived < fl.size {
		return false
	}
	if f.asks(id) {
		f.At(f.Now+f.mem, memoryReady, id+1, 0)
		return true
	}
	f.result.Finish[id/2] = f.Now * f.tick
	if f.cfg.awaits(&f.msgs[id/2]) {
		f.ongoing--
	}
	return true
}

// rank orders flows: it is the bytes of data left when done bytes of the flow have gone. A request ranks as its
// response, and the address that goes with a write does not count, so that messages of one size are equals.
func (f *fabric) rank(id int32, done int64) int64 {
	bytes := int64(f.msgs[id/2].Bytes)
	if f.asks(id) {
		return bytes
	}
	return min(f.flows[id].size-done, bytes)
}

// asks tells whether a flow is a request that a response follows.
func (f *fabric) asks(id int32) bool { return id&1 == 0 && f.flows[id+1].size > 0 }

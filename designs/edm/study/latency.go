package study

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/wave"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/edm"
)

// Places of Table 1.
const (
	ComputeNode = "compute node"
	Switch      = "switch"
	MemoryNode  = "memory node"
	PCS         = "PCS"
	Wires       = "wires"
)

// Step is a piece of a message's way: from the step before it, or the start, to an edge at which something was seen.
type Step struct {
	Place string
	What  string
	From  clock.Time
	To    clock.Time
}

// Time is how long the step took.
func (s Step) Time() clock.Time { return s.To.Sub(s.From) }

// watch is a step to come: its end has to be seen.
type watch struct {
	place, what string
	seen        func() bool
}

// follower sees the first block of a message go its way. Each step ends at the first instant, after the end of the one
// before, at which its mark is seen.
type follower struct {
	n       *edm.Network
	watches []watch
	steps   []Step
	last    clock.Time
	started bool
	taps    []*lineTap
	waves   *wave.Recorder  // nil if nobody wants to see the cycles
	shown   *wave.Recording // of the last cycles up to the end of the way
	err     error
}

// Observe looks for the next mark.
func (f *follower) Observe(edges rtl.Edges) {
	for _, t := range f.taps {
		t.update()
	}
	if f.arrived() {
		f.show(edges)
		return
	}
	k := len(f.steps)
	if f.started {
		k++
	}
	if w := f.watches[k]; w.seen() {
		now := instant(f.n, edges)
		if f.started {
			f.steps = append(f.steps, Step{w.place, w.what, f.last, now})
		}
		f.started, f.last = true, now
		f.show(edges)
	}
}

// arrived tells whether the way is over.
func (f *follower) arrived() bool { return f.started && len(f.steps) == len(f.watches)-1 }

// show keeps the last cycles at the first edge of the blocks' clock at or after the end of the way.
func (f *follower) show(edges rtl.Edges) {
	if f.waves != nil && f.arrived() && f.shown == nil && f.err == nil && edges.Has(f.n.Clock) {
		f.shown, f.err = f.waves.Recording()
	}
}

// instant is the time of the edges that just were.
func instant(n *edm.Network, edges rtl.Edges) clock.Time {
	s := n.Sim.Schedule()
	return s.Time(edges[0], s.Edges(edges[0]))
}

// lineTap recognises blocks where they are scrambled, with a descrambler of its own.
type lineTap struct {
	get   func() pcs.Block
	count func() uint64 // edges of the register
	state uint64
	edge  uint64
	block pcs.Block // descrambled, at this instant
}

func (t *lineTap) update() {
	if c := t.count(); c != t.edge {
		t.edge = c
		b := t.get()
		if b.Valid {
			b.Payload, t.state = pcs.Descramble(b.Payload, t.state)
		}
		t.block = b
	}
}

func (f *follower) tap(get func() pcs.Block, count func() uint64) *lineTap {
	t := &lineTap{get: get, count: count}
	f.taps = append(f.taps, t)
	return t
}

// is tells whether a block starts a message of a kind.
func is(b pcs.Block, block edm.BlockKind, kind edm.Kind) bool {
	return b.Valid && edm.DefaultTypes.Classify(b) == block && edm.HeaderOf(b).Kind == kind
}

// link adds the steps from one end's multiplexer to the other end's demultiplexer.
func (f *follower) link(from, to *edm.LinkEnd, block edm.BlockKind, kind edm.Kind, out func() pcs.Block) {
	match := func(get func() pcs.Block) func() bool { return func() bool { return is(get(), block, kind) } }
	sent := f.tap(from.TxPCS.Scrambler.Out.Get, from.TxClock.Cycle)
	arrived := f.tap(to.Receiver.Out.Get, to.RxClock.Cycle)
	f.watches = append(f.watches,
		watch{PCS, "transmit multiplexer", match(from.Mux.Out.Get)},
		watch{PCS, "scrambler", func() bool { return is(sent.block, block, kind) }},
		watch{Wires, "PMA, PMD, transceivers and fibre", func() bool { return is(arrived.block, block, kind) }},
		watch{PCS, "descrambler", match(to.RxPCS.Descrambler.Out.Get)},
		watch{PCS, "receive demultiplexer", match(out)})
}

func (f *follower) add(place, what string, seen func() bool) {
	f.watches = append(f.watches, watch{place, what, seen})
}

// newFollower follows one message of node 0 to node 1: an RREQ and its RRES, a WREQ with its /N/ and /G/, or an RMWREQ.
func newFollower(n *edm.Network, kind edm.Kind) *follower {
	f := &follower{n: n}
	compute, memory, first, second := n.Hosts[0], n.Hosts[1], n.Ports[0], n.Ports[1]
	f.add("", "", func() bool { return compute.Tx.Requests() > 0 })
	head := edm.MS
	if kind == edm.WREQ {
		head = edm.N
	}
	f.add(
		ComputeNode, "read the message queue, create the block",
		func() bool { return is(compute.Tx.Control.Get(), head, kind) },
	)
	f.link(&compute.LinkEnd, &first.LinkEnd, head, kind, first.Demux.Control.Get)
	f.add(Switch, "identify", func() bool { return first.Identify.Notify.Get().Valid })
	source := 1
	if kind == edm.WREQ {
		source = 0
	}
	f.add(
		Switch, "insert into the notification queue, one iteration",
		func() bool { return n.Scheduler.Grant[source].Get().Valid },
	)
	data := edm.WREQ
	var sender *edm.Host
	if kind == edm.WREQ {
		f.add(Switch, "generate /G/", func() bool { return is(n.Grants.Control[0].Get(), edm.G, edm.WREQ) })
		f.link(&first.LinkEnd, &compute.LinkEnd, edm.G, edm.WREQ, compute.Demux.Control.Get)
		f.add(ComputeNode, "parse /G/", func() bool { return compute.Rx.PushEvent.Get() })
		sender = compute
		f.add(ComputeNode, "add to the grant queue", func() bool { return compute.Events.Write.Pointer.Get() != 0 })
		f.add(ComputeNode, "read the grant queue", func() bool { return sender.Tx.Granted() > 0 })
		f.add(
			ComputeNode, "state table, data buffer, create the block",
			func() bool { return is(compute.Tx.Data.Get(), edm.MS, edm.WREQ) },
		)
		f.link(&compute.LinkEnd, &first.LinkEnd, edm.MS, edm.WREQ, first.Demux.Data.Get)
		f.add(Switch, "forward: RX to TX clock", func() bool { return is(n.Crossbar.Out[1].Get(), edm.MS, edm.WREQ) })
		f.link(&second.LinkEnd, &memory.LinkEnd, edm.MS, edm.WREQ, memory.Demux.Data.Get)
		f.add(MemoryNode, "parse, address, deliver", func() bool { return memory.Rx.Word.Get().Valid })
		return f
	}
	data = edm.RRES
	sender = memory
	f.add(Switch, "emit the buffered request", func() bool { return is(n.Grants.Control[1].Get(), edm.MS, kind) })
	f.link(&second.LinkEnd, &memory.LinkEnd, edm.MS, kind, memory.Demux.Control.Get)
	f.add(MemoryNode, "parse, to the memory controller", func() bool { return memory.Rx.PushEvent.Get() })
	f.add(MemoryNode, "add to the grant queue", func() bool { return memory.Events.Write.Pointer.Get() != 0 })
	f.add(MemoryNode, "read the grant queue", func() bool { return sender.Tx.Granted() > 0 })
	block := edm.MS
	if kind == edm.RMWREQ {
		block = edm.MST
	}
	f.add(
		MemoryNode, "state table, data buffer, create the block",
		func() bool { return is(memory.Tx.Data.Get(), block, data) },
	)
	f.link(&memory.LinkEnd, &second.LinkEnd, block, data, second.Demux.Data.Get)
	f.add(Switch, "forward: RX to TX clock", func() bool { return is(n.Crossbar.Out[0].Get(), block, data) })
	f.link(&first.LinkEnd, &compute.LinkEnd, block, data, compute.Demux.Data.Get)
	f.add(ComputeNode, "parse, address, deliver", func() bool { return compute.Rx.Word.Get().Valid })
	return f
}

// aligned is the testbed of Table 1: two nodes at 25 Gb/s, clocks in such phases that each crossing takes whole cycles.
//
// A wire of 48 ns is 18.75 cycles. With four equal wires no phases of the three clocks make all crossings whole, since
// a grant's way from the compute node to the switch and back would have to be a whole number of cycles, and is 37.5. So
// the wires down are half a cycle shorter to the compute node and half a cycle longer to the memory node. Their sum is
// Table 1's.
func aligned() edm.Config {
	half := clock.Block25G.Times(2, 1).Period()
	quarter := clock.Block25G.Times(4, 1).Period()
	return edm.Config{
		Nodes: 2, Down: []clock.Time{edm.WireDelay.Sub(half), edm.WireDelay.Add(half)},
		Phases: []clock.Time{quarter, quarter},
	}
}

// access is one message in an idle network.
type access struct {
	steps []Step
	last  int64           // from the application to the last byte, in picoseconds
	waves *wave.Recording // of the stages' signals, up to the end of the first block's way
}

// first is how long the first block took.
func (a *access) first() clock.Time { return a.steps[len(a.steps)-1].To.Sub(a.steps[0].From) }

// Follow sends one message of some bytes from node 0 to node 1 through an idle network and returns the steps of its
// first block: from the edge that puts it into the message queue to the edge at which the first block of its data is
// delivered. Each step begins where the one before ended.
func Follow(ctx context.Context, cfg edm.Config, message workload.MessageType, bytes int) ([]Step, error) {
	a, err := follow(ctx, cfg, message, bytes, nil)
	if err != nil {
		return nil, err
	}
	return a.steps, nil
}

// followedCycle is the cycle in which the message comes: the lines are full of idle, the receivers' descramblers in
// step.
const followedCycle = 300

// follow is [Follow] with a call before the network's first edge, and with a recording. Without look there is none. The
// network has its monitor, as in every run.
func follow(
	ctx context.Context, cfg edm.Config, message workload.MessageType, bytes int, look func(edm.Watched) error,
) (*access, error) {
	if message == workload.CompareSwap {
		bytes = edm.CompareSwap.ResponseBytes()
	}
	var f *follower
	kind := edm.KindOf(message)
	start := (followedCycle - edm.WarmUp) * edm.BlockPicoseconds / int64(max(cfg.Lanes, 1))
	lone := []workload.Message{{Type: message, Source: 0, Dest: 1, Bytes: bytes, Start: start}}
	r, err := edm.Run(ctx, cfg, lone, edm.Options{
		Watch: func(w edm.Watched) (err error) {
			n := w.Network
			f = newFollower(n, kind)
			if look != nil {
				// The recorder sees a cycle before the follower looks.
				f.waves, err = wave.NewRecorder(n.Sim, n.Clock, recordedCycles, stageSignals...)
				if err != nil {
					return err
				}
			}
			n.Sim.Observe(f)
			if look == nil {
				return nil
			}
			return look(w)
		}})
	switch {
	case err != nil:
		return nil, err
	case f.err != nil:
		return nil, f.err
	case r.Monitor.Count > 0:
		return nil, fmt.Errorf("a lone %v: %s", message, r.Monitor.Violations[0])
	case !f.arrived():
		return nil, fmt.Errorf("a lone %v: no %q", message, f.watches[len(f.steps)+1].what)
	}
	return &access{f.steps, r.Messages[0].Latency(), f.shown}, nil
}

// phasesOver follows messages through networks with clocks in random phases and cables of some metres, and returns the
// first block's latencies.
func phasesOver(
	ctx context.Context, message workload.MessageType, n int, metres float64, seed uint64,
) ([]clock.Time, error) {
	rng := rand.New(rand.NewPCG(seed, 4))
	tick := clock.MustTime("0.01ns")
	var times []clock.Time
	for range n {
		cfg := edm.Config{Nodes: 2, Memory: 1024, Local: 1024} // the whole memory that the monitor compares at the end
		for range cfg.Nodes {
			cfg.Up, cfg.Down = append(cfg.Up, edm.CableDelay(metres)), append(cfg.Down, edm.CableDelay(metres))
			cfg.Phases = append(cfg.Phases, tick.Times(rng.Int64N(256)))
		}
		steps, err := Follow(ctx, cfg, message, 64)
		if err != nil {
			return nil, err
		}
		times = append(times, steps[len(steps)-1].To.Sub(steps[0].From))
	}
	return times, nil
}

package edm

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/workload"
)

// Options of a Run besides the network.
type Options struct {
	// Limit ends a run in which not all messages finish: so long after the last one's start. 1 ms if it is 0.
	Limit int64 // picoseconds
	// Lossy says that links fail: messages may be lost, and that is no violation.
	Lossy bool
	// Prepare is called with the network before its first edge, to plan faults or to watch.
	Prepare func(*Network)
	// Watch is called after Prepare.
	Watch func(Watched) error
	// Offered is the load of the messages, for a run that goes on from another's state: messages not yet asked for come at
	// the new load.
	Offered float64
	// Between is called now and then where the network and those roots are the run's whole state.
	Between func() error
	// Progress is told now and then how many messages have finished.
	Progress func(finished, total int)
}

// Result has the messages of a run and its counts.
type Result struct {
	Messages []workload.Result // in the order given
	Nulls    int               // reads answered by their timer
	Monitor  *Monitor
	Cycles   uint64  // of blocks
	Up, Down LineUse // of the first switch's links
	// MostRequests is the most requests that a host's message queue held, seen every progressCycles or BusyCycles.
	MostRequests int
}

// Picoseconds returns how long the run was.
func (r *Result) Picoseconds() int64 { return int64(r.Cycles) * r.Monitor.period }

// Watched is a run before its first edge, as a caller needs it that records, checkpoints and resumes it.
type Watched struct {
	Network  *Network
	Violated func() bool  // whether an invariant has been violated
	Roots    []any        // the run's state besides the modules: the roots of a checkpoint
	Reload   func() error // after a restore: brings the messages that were not yet asked for to the load of this run
}

// Run sends the messages through a network, checks every cycle, and returns when all have finished, or at the limit.
// Message ids need not be in order; Source is the node that asks.
func Run(ctx context.Context, cfg Config, messages []workload.Message, o Options) (*Result, error) {
	if cfg.Slack == 0 &&
		slices.ContainsFunc(messages, func(m workload.Message) bool { return m.Type == workload.CompareSwap }) {
		cfg.Slack = SlackRMW
	}
	n, err := NewNetwork(cfg)
	if err != nil {
		return nil, err
	}
	order := byStart(messages)
	pieces, err := countPieces(messages, order, n.Config)
	if err != nil {
		return nil, err
	}
	a := newAccount(n, messages, o)
	a.ask(n, messages, order, pieces)
	if err := a.begin(n, o); err != nil {
		return nil, err
	}
	if err := a.advance(ctx, n, o); err != nil {
		return nil, err
	}
	return a.conclude(n, o.Lossy), nil
}

// byStart returns the places of messages in the order of their starts; messages that start together stay in their
// order.
func byStart(messages []workload.Message) []int {
	order := make([]int, len(messages))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(messages[a].Start, messages[b].Start) })
	return order
}

// countPieces checks messages, in an order, and counts the requests that each host will have for them.
func countPieces(messages []workload.Message, order []int, cfg Config) ([]int, error) {
	pieces, all := make([]int, cfg.Nodes), 0
	for _, i := range order {
		m := messages[i]
		if err := check(m, cfg); err != nil {
			return nil, err
		}
		p := (m.Bytes-1)/MostPiece + 1
		if p > mostPieces-all {
			return nil, fmt.Errorf(
				"message %d of %d bytes: more than %d requests of %d bytes, all messages together", m.ID, m.Bytes,
				mostPieces, MostPiece,
			)
		}
		pieces[m.Source] += p
		all += p
	}
	return pieces, nil
}

// begin hands the network to its observers before its first edge.
func (a *account) begin(n *Network, o Options) error {
	for host, h := range n.Hosts {
		h.App.Finished = func(c Completion) { a.complete(host, c) }
	}
	if o.Prepare != nil {
		o.Prepare(n)
	}
	if o.Watch == nil {
		return nil
	}
	load := a.offered
	return o.Watch(Watched{n, a.Result.Monitor.faulty, []any{a, n}, func() error { a.offer(n, load); return nil }})
}

// advance runs the network until all messages have ended, or to the limit, and then until nothing is under way.
func (a *account) advance(ctx context.Context, n *Network, o Options) error {
	if o.Limit == 0 {
		o.Limit = 1_000_000_000
	}
	last, period, messages := a.last(), a.Result.Monitor.period, len(a.left)
	lastStart, limit := WarmUp+uint64(last/period), WarmUp+uint64((last+o.Limit)/period)
	for a.until == 0 || n.Clock.Cycle() < a.until {
		now, cycles := n.Clock.Cycle(), uint64(progressCycles)
		if a.until == 0 && (a.pending() == 0 || now >= limit) {
			a.until = now + drainCycles
		}
		if a.until == 0 && now+BusyCycles <= lastStart {
			cycles = BusyCycles
		}
		if err := n.Clock.Run(cycles); err != nil {
			return err
		}
		for _, h := range n.Hosts {
			a.Result.MostRequests = max(a.Result.MostRequests, h.Tx.Requests())
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if o.Progress != nil {
			o.Progress(messages-a.pending(), messages)
		}
		if o.Between != nil {
			if err := o.Between(); err != nil {
				return err
			}
		}
	}
	return nil
}

// conclude checks the end and sums up.
func (a *account) conclude(n *Network, lossy bool) *Result {
	r, m := a.Result, a.Result.Monitor
	m.end(a.pending(), len(a.left))
	for _, e := range a.ended {
		r.Nulls += e.nulls
		for _, tag := range e.twice {
			m.last.violated("request %d is completed twice", tag)
		}
	}
	for tag, done := range a.completed {
		if !done && !lossy {
			m.last.violated("request %d is not completed", tag)
		}
	}
	m.sum()
	r.Cycles = n.Clock.Cycle()
	for i := range n.Hosts {
		r.Up.add(n.Hosts[i].Mux.Sent())
		r.Down.add(n.Ports[i].Mux.Sent())
	}
	for i := range r.Messages {
		if r.Messages[i].Finished {
			r.Messages[i].Finish -= WarmUp * m.period
		}
	}
	return r
}

// progressCycles is how many cycles pass from one look at the context, and one call of Progress, to the next, and from
// one look whether all messages have ended to the next.
const progressCycles = 256

// BusyCycles takes its place while messages are still to start: the run cannot end before. Islands run in windows of 84
// cycles at 100 Gb/s, and progressCycles would cut every fourth of them short.
const BusyCycles = 4 * progressCycles

// mostPieces is how many requests a run has at most: their memory would be more than a machine has.
const mostPieces = 1 << 30

// drainCycles is how long a run goes on after its last message: for messages still under way, or for ones that come a
// second time.
const drainCycles = 2 * progressCycles

// WarmUp is how long links carry idle before the first message: time for the descramblers.
const WarmUp = 256

func check(m workload.Message, cfg Config) error {
	switch {
	case m.Source < 0 || m.Source >= cfg.Nodes || m.Dest < 0 || m.Dest >= cfg.Nodes || m.Source == m.Dest:
		return fmt.Errorf(
			"message %d from node %d to node %d: want two of the nodes 0 to %d", m.ID, m.Source, m.Dest, cfg.Nodes-1,
		)
	case m.Bytes < 1 || m.Start < 0:
		return fmt.Errorf(
			"message %d of %d bytes at %d ps: want at least one byte, and no time below 0", m.ID, m.Bytes, m.Start,
		)
	case m.Type == workload.CompareSwap && m.Bytes > 8:
		return fmt.Errorf("message %d: a compare-and-swap of %d bytes, want at most 8", m.ID, m.Bytes)
	case min(m.Bytes, MostPiece) > min(cfg.Memory, cfg.Local):
		return fmt.Errorf("message %d of %d bytes: the memory has %d", m.ID, m.Bytes, min(cfg.Memory, cfg.Local))
	}
	return nil
}

// KindOf is the kind of the first message on the line for a memory message: of its request, or of a write's data.
func KindOf(t workload.MessageType) Kind {
	switch t {
	case workload.Read:
		return RREQ
	case workload.Write:
		return WREQ
	}
	return RMWREQ
}

// request is a piece of a message. Places in memory follow from the message, so that a run is the same each time.
func request(m workload.Message, at, size, memory int, tag uint32) Request {
	span := uint64(memory-(size+7)&^7) + 8
	r := Request{Dest: uint16(m.Dest), Bytes: uint16(size), Tag: tag, Local: uint64(tag) << 20,
		Address: Pattern(m.ID<<20+uint64(at)) % span &^ 7}
	if r.Kind = KindOf(m.Type); r.Kind == RMWREQ { // a lock: the words at the start of the memory; free is 0
		r.Kind, r.Operation, r.Bytes = RMWREQ, CompareSwap, 1
		r.Address, r.First, r.Second = 8*(m.ID%4), 0, 1
		if m.ID%2 == 1 { // set it free
			r.First, r.Second = 1, 0
		}
	}
	return r
}

// Fabric is EDM as a network that carries messages: a measure.Fabric.
type Fabric struct {
	Config  Config
	Options Options
}

// Run sends messages through a network of their own. A violated invariant is an error.
func (f Fabric) Run(ctx context.Context, messages []workload.Message) ([]workload.Result, error) {
	r, err := Run(ctx, f.Config, messages, f.Options)
	if err != nil {
		return nil, err
	}
	if r.Monitor.Count > 0 {
		return nil, fmt.Errorf("%d violations, the first: %s", r.Monitor.Count, r.Monitor.Violations[0])
	}
	return r.Messages, nil
}

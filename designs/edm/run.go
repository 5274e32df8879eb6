package edm

import (
	"cmp"
	"context"
	"fmt"
	"math"
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
	// Offered is the load of the messages, for a run that goes on from another's state: what this one had not yet asked for comes at the new load.
	Offered float64
	// Between is called now and then where the network and those roots are all that the run knows.
	Between func() error
	// Progress is told now and then how many messages have finished.
	Progress func(finished, total int)
}

// Result is what a run gave.
type Result struct {
	Messages []workload.Result // in the order given
	Nulls    int               // reads answered by their timer
	Monitor  *Monitor
	Cycles   uint64  // of blocks
	Up, Down LineUse // of the first switch's links
}

// LineUse counts the blocks that went over links, by what they carried; the others were idle.
type LineUse struct {
	Control uint64 // /N/, /G/, requests
	Data    uint64 // RRES and WREQ with their framing
	Frame   uint64 // of other traffic
}

// tally is what has ended at a host. Each counts for itself: in parallel mode hosts run at the same time.
type tally struct {
	finished int      // messages whose last byte has come to it
	nulls    int      // of its own that were answered by their timers
	twice    []uint32 // tags that its application was told of more than once
	_        [64]byte // on a cache line of its own
}

func (l *LineUse) Add(m *TxMux) {
	l.Control += m.sentControls
	l.Data += m.SentDatas
	l.Frame += m.sentFrames
}

// Watched is a run before its first edge, as a caller needs it that records, checkpoints and resumes it.
type Watched struct {
	Network  *Network
	Violated func() bool  // whether an invariant has been violated
	Roots    []any        // all that the run knows besides the modules: the roots of a checkpoint
	Reload   func() error // after a restore: brings the messages that were not yet asked for to the load of this run
}

// Account is what a run knows of its messages.
type Account struct {
	Result    *Result
	left      []int32 // pieces of each message
	of        []int32 // the message of each request, by tag
	completed []bool  // by tag
	ended     []tally // by host
	until     uint64  // the cycle at which the run ends, 0 while it is not known
	offered   float64 // Options.Offered
}

// offer changes the load of what has not been asked for: the time to it, and between its messages, is longer or shorter from now on.
func (a *Account) offer(n *Network, load float64) {
	if load == a.offered {
		return
	}
	now, ratio := n.Clock.Cycle(), a.offered/load
	for _, h := range n.Hosts {
		for i := range h.App.Requests[h.App.next:] {
			q := &h.App.Requests[h.App.next+i]
			if q.Cycle <= now { // it waits for its host
				continue
			}
			q.Cycle = now + uint64(math.Ceil(float64(q.Cycle-now)*ratio))
			m := &a.Result.Messages[a.of[q.Tag]]
			m.Start = int64(q.Cycle-WarmUp) * a.Result.Monitor.Period
		}
	}
	a.offered = load
}

// last is when the last message starts.
func (a *Account) last() (at int64) {
	for i := range a.Result.Messages {
		at = max(at, a.Result.Messages[i].Start)
	}
	return at
}

// pending is how many messages have not ended.
func (a *Account) pending() int {
	p := len(a.left)
	for i := range a.ended {
		p -= a.ended[i].finished + a.ended[i].nulls
	}
	return p
}

// finish takes a request whose last byte has come to a host.
func (a *Account) finish(host int, tag uint32, picoseconds int64) {
	i := a.of[tag]
	if a.left[i]--; a.left[i] == 0 {
		w := &a.Result.Messages[i]
		w.Finished, w.Finish = true, picoseconds
		a.ended[host].finished++
	}
}

// complete takes what a host tells its application.
func (a *Account) complete(host int, c Completion) {
	e := &a.ended[host]
	if a.completed[c.Tag] {
		e.twice = append(e.twice, c.Tag)
	}
	a.completed[c.Tag] = true
	if i := a.of[c.Tag]; c.Null && a.left[i] > 0 {
		e.nulls++
		a.left[i] = 0
	}
}

// Run sends the messages through a network, checks every cycle, and returns when all have finished, or at the limit. Message
// ids need not be in order; Source is the node that asks.
func Run(ctx context.Context, cfg Config, messages []workload.Message, o Options) (*Result, error) {
	if cfg.Slack == 0 && slices.ContainsFunc(messages, func(m workload.Message) bool { return m.Type == workload.CompareSwap }) {
		cfg.Slack = SlackRMW
	}
	n, err := NewNetwork(cfg)
	if err != nil {
		return nil, err
	}
	r := &Result{Messages: make([]workload.Result, len(messages))}
	a := &Account{Result: r, left: make([]int32, len(messages)), ended: make([]tally, n.Config.Nodes), offered: o.Offered}
	m := newMonitor(n, o.Lossy, a.finish)
	r.Monitor = m
	order := make([]int, len(messages))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(messages[a].Start, messages[b].Start) })
	pieces, all := make([]int, n.Config.Nodes), 0 // requests that there will be, by host and in all
	for _, i := range order {
		if err := check(messages[i], n.Config); err != nil {
			return nil, err
		}
		p := (messages[i].Bytes-1)/MostPiece + 1
		if p > mostPieces-all {
			return nil, fmt.Errorf("message %d of %d bytes: more than %d requests of %d bytes, all messages together", messages[i].ID, messages[i].Bytes, mostPieces, MostPiece)
		}
		pieces[messages[i].Source] += p
		all += p
	}
	for host, p := range pieces {
		n.Hosts[host].App.Requests = make([]Timed, 0, p)
	}
	m.expect(all)
	a.of, a.completed = make([]int32, 0, all), make([]bool, all)
	places := make([]int, n.Config.Nodes) // next of a response in the local memory, around and around
	var tag uint32
	for _, i := range order {
		msg := messages[i]
		r.Messages[i].Message = msg
		for at := 0; at < msg.Bytes; at += MostPiece {
			size := min(MostPiece, msg.Bytes-at)
			q := Timed{Cycle: WarmUp + uint64((msg.Start+m.Period-1)/m.Period), Request: request(msg, at, size, n.Config.Memory, tag)}
			q.Rest = uint32(msg.Bytes - at - size)
			if q.Kind != WREQ {
				if places[msg.Source]+words(int(q.Bytes)) > n.Config.Local {
					places[msg.Source] = 0
				}
				q.Local = uint64(places[msg.Source])
				places[msg.Source] += words(int(q.Bytes))
			}
			n.Hosts[msg.Source].App.Requests = append(n.Hosts[msg.Source].App.Requests, q)
			m.add(msg.Source, q.Request)
			a.of = append(a.of, int32(i))
			a.left[i]++
			tag++
		}
	}
	for host, h := range n.Hosts {
		h.App.Finished = func(c Completion) { a.complete(host, c) }
	}
	if o.Prepare != nil {
		o.Prepare(n)
	}
	if o.Watch != nil {
		load := a.offered
		w := Watched{n, m.faulty, []any{a, n}, func() error { a.offer(n, load); return nil }}
		if err := o.Watch(w); err != nil {
			return nil, err
		}
	}
	if o.Limit == 0 {
		o.Limit = 1_000_000_000
	}
	last := a.last()
	lastStart, limit := WarmUp+uint64(last/m.Period), WarmUp+uint64((last+o.Limit)/m.Period)
	for a.until == 0 || n.Clock.Cycle() < a.until {
		now, cycles := n.Clock.Cycle(), uint64(progressCycles)
		if a.until == 0 && (a.pending() == 0 || now >= limit) {
			a.until = now + drainCycles
		}
		if a.until == 0 && now+BusyCycles <= lastStart {
			cycles = BusyCycles
		}
		if err := n.Clock.Run(cycles); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if o.Progress != nil {
			o.Progress(len(messages)-a.pending(), len(messages))
		}
		if o.Between != nil {
			if err := o.Between(); err != nil {
				return nil, err
			}
		}
	}
	m.end()
	for _, e := range a.ended {
		r.Nulls += e.nulls
		for _, tag := range e.twice {
			m.last.violated("request %d is completed twice", tag)
		}
	}
	for tag, done := range a.completed {
		if !done && !o.Lossy {
			m.last.violated("request %d is not completed", tag)
		}
	}
	m.sum()
	r.Cycles = n.Clock.Cycle()
	for i := range n.Hosts {
		r.Up.Add(&n.Hosts[i].Mux)
		r.Down.Add(&n.Ports[i].Mux)
	}
	for i := range r.Messages {
		if r.Messages[i].Finished {
			r.Messages[i].Finish -= WarmUp * m.Period
		}
	}
	return r, nil
}

// progressCycles is how many cycles pass from one look at the context, and one call of Progress, to the next, and from one look whether
// all messages have ended to the next.
const progressCycles = 256

// BusyCycles takes its place while messages are still to start: the run cannot end before. Islands run in windows of 84 cycles at 100 Gb/s, and
// progressCycles would cut every fourth of them short.
const BusyCycles = 4 * progressCycles

// mostPieces is how many requests a run has at most: what stands in memory for each would be more than a machine has.
const mostPieces = 1 << 30

// drainCycles is how long a run goes on after its last message: for what is still under way, a second time if it should be.
const drainCycles = 2 * progressCycles

// WarmUp is how long links carry idle before the first message: time for the descramblers.
const WarmUp = 256

func check(m workload.Message, cfg Config) error {
	switch {
	case m.Source < 0 || m.Source >= cfg.Nodes || m.Dest < 0 || m.Dest >= cfg.Nodes || m.Source == m.Dest:
		return fmt.Errorf("message %d from node %d to node %d: want two of the nodes 0 to %d", m.ID, m.Source, m.Dest, cfg.Nodes-1)
	case m.Bytes < 1 || m.Start < 0:
		return fmt.Errorf("message %d of %d bytes at %d ps: want at least one byte, and no time below 0", m.ID, m.Bytes, m.Start)
	case m.Type == workload.CompareSwap && m.Bytes > 8:
		return fmt.Errorf("message %d: a compare-and-swap of %d bytes, want at most 8", m.ID, m.Bytes)
	case min(m.Bytes, MostPiece) > min(cfg.Memory, cfg.Local):
		return fmt.Errorf("message %d of %d bytes: the memory has %d", m.ID, m.Bytes, min(cfg.Memory, cfg.Local))
	}
	return nil
}

// request is a piece of a message. Places in memory follow from the message, so that a run is the same each time.
func request(m workload.Message, at, size, memory int, tag uint32) Request {
	span := uint64(memory-(size+7)&^7) + 8
	r := Request{Dest: uint16(m.Dest), Bytes: uint16(size), Tag: tag, Local: uint64(tag) << 20,
		Address: Pattern(m.ID<<20+uint64(at)) % span &^ 7}
	switch m.Type {
	case workload.Read:
		r.Kind = RREQ
	case workload.Write:
		r.Kind = WREQ
	default: // a lock: the words at the start of the memory; free is 0
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

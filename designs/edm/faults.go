package edm

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"text/tabwriter"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/workload"
)

// FaultReport is what EDM does when something fails (§3.3).
type FaultReport struct {
	Seed       uint64            `json:"seed"`
	Corruption *CorruptionReport `json:"corruption"`
	Switch     *SwitchReport     `json:"switch"`
	Node       *NodeReport       `json:"node"`
}

// Faults runs all scenarios: bit errors, a dead switch, a dead memory node.
func Faults(ctx context.Context, seed uint64) (*FaultReport, error) {
	r := &FaultReport{Seed: seed}
	var err error
	if r.Corruption, err = Corruption(ctx, 64, 1, 200, seed); err != nil {
		return nil, err
	}
	if r.Switch, err = DeadSwitch(ctx, 24, seed); err != nil {
		return nil, err
	}
	r.Node, err = DeadNode(ctx, 30, seed)
	return r, err
}

// Text writes the report for people.
func (r *FaultReport) Text(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	p := func(format string, args ...any) { fmt.Fprintf(w, format, args...) }
	share := func(n, of int) string { return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(max(of, 1))) }

	c := r.Corruption
	p("Single bit errors, in a lone read and a lone write of %d bytes: a receiver that sees one disables its link\n\n", c.Bytes)
	p("message\tlink\tblocks\tflips\tseen\tunseen: corrupt\tNULL\tsilent\tstuck\tshut\n")
	row := func(message, link, blocks string, f Flips) {
		u := f.Unseen
		p("%s\t%s\t%s\t%d\t%s\t%d\t%d\t%d\t%d\t%d\n", message, link, blocks, f.Flips, share(f.Seen, f.Flips), u.Corrupt, u.Null, u.Silent, u.Stuck, f.Shut)
	}
	for _, s := range c.Sweeps {
		row(s.Message, s.Link, fmt.Sprint(s.Blocks), s.Flips)
	}
	row("all", "", "", c.All)
	s := c.All.IfSeen
	p("\ncorrupt: completed with wrong data, or written elsewhere; NULL: a read answered by its timer; silent: a write that\n")
	p("is complete for its application and wrote nothing; stuck: never completed; shut: later messages failed too.\n")
	p("Where it was seen, the message came whole %d times, corrupt %d, NULL %d, silent %d, stuck %d: the receiver sees it\n", s.Whole, s.Corrupt, s.Null, s.Silent, s.Stuck)
	p("in an idle block behind, the data has passed. On links %.0f %% busy: %s of %d flips seen, %s unseen and harmful.\n",
		100*c.Busy.Load, share(c.Busy.Seen, c.Busy.Flips), c.Busy.Flips, share(c.Busy.Harmful, c.Busy.Flips))

	p("\nTwo switches that mirror each other, 4 nodes\n\n")
	p("case\truns\tmessages\tlost\tshifted\twords twice\tviolations\tblocks dropped\n")
	for _, m := range r.Switch.Mirrored {
		p("%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", m.Case, m.Runs, m.Messages, m.Lost, m.Shifted, m.Twice, m.Violations, m.Dropped)
	}
	a := r.Switch.Alone
	p("\nOne switch alone dies, 4 nodes, message queues of %d, reads time out after %.0f ns: of %d messages in %d runs\n\n", a.Queue, a.TimeoutNS, a.Messages, a.Runs)
	p("finished\t%d\t\n", a.Finished)
	p("reads answered by NULL\t%d\t\n", a.Null)
	p("writes complete but lost\t%d\tthe last chunk had left; no write is acknowledged\n", a.Silent)
	p("writes stuck\t%d\twaiting for a grant; only reads have timers\n", a.Stuck)
	p("reads hung\t%d\tin the message queue behind such writes\n", a.Hung)
	p("never asked\t%d\tthe message queue is full of them\n", a.Unasked)

	n := r.Node
	p("\nA memory node dies, %d nodes, %d runs, reads time out after %.0f ns\n\n", n.Nodes, n.Runs, n.TimeoutNS)
	p("\tmessages\tfinished\tNULL\tsilent\thung\tlongest wait for NULL\n")
	p("reads there\t%d\t%d\t%d\t%d\t%d\t%.0f ns\n", n.Reads.Messages, n.Reads.Finished, n.Reads.Null, n.Reads.Silent, n.Reads.Hung, n.Reads.MostNullNS)
	p("writes there\t%d\t%d\t%d\t%d\t%d\t\n", n.Writes.Messages, n.Writes.Finished, n.Writes.Null, n.Writes.Silent, n.Writes.Hung)
	p("\nBetween the others %d messages, %d lost, %d at another time; mean latency %.1f ns, without the fault %.1f ns; the worst\n", n.Others, n.Lost, n.Shifted, n.AfterNS, n.BeforeNS)
	p("comes %.0f ns later. %d blocks waited in the crossbar. The switch does not know that the node is dead: it still grants\n", n.MostLaterNS, n.Waiting)
	p("%d chunks from it, which keep readers' ports for %.0f ns each, and %d chunks to it, %.0f ns each.\n", n.CircuitsFrom, n.CircuitsFromNS/float64(max(n.CircuitsFrom, 1)),
		n.CircuitsTo, n.CircuitsToNS/float64(max(n.CircuitsTo, 1)))
	p("At most X reads of a pair are given up that way: when none of its IDs is free any more, further reads get NULL at once.\n")
	return w.Flush()
}

// period is a time of so many cycles at 25 Gb/s.
func period(cycles int64) clock.Time { return clock.Block25G.Period().Times(cycles) }

// faultTraffic returns reads and writes at random times, in their order, so that a message's place is also its tag.
func faultTraffic(seed uint64, nodes, messages, most int, interval int64) []workload.Message {
	rng := rand.New(rand.NewPCG(seed, 9))
	var m []workload.Message
	at := int64(0)
	for id := range messages {
		at += rng.Int64N(2 * interval)
		s := rng.IntN(nodes)
		m = append(m, workload.Message{ID: uint64(id), Type: workload.MessageType(rng.IntN(2)), Source: s,
			Dest: (s + 1 + rng.IntN(nodes-1)) % nodes, Bytes: 1 + rng.IntN(most), Start: at})
	}
	return m
}

// lastCycle is when the last message starts.
func lastCycle(m []workload.Message) int64 { return warmUp + m[len(m)-1].Start/blockPicoseconds }

// told is what the application hears of a message.
type told struct {
	complete, null bool
	at             int64 // picoseconds
}

// faultRun is a run with a fault, and what the applications heard, by message.
type faultRun struct {
	*Result
	net   *Network
	told  []told
	asked []bool // the host has taken it
}

// faultLimit is how long after the last message's start a run waits for the others, in picoseconds.
const faultLimit = 15_000_000

// runFaults runs messages at 25 Gb/s. Plan plans the faults.
func runFaults(ctx context.Context, cfg Config, messages []workload.Message, lossy bool, plan func(*Network) error) (*faultRun, error) {
	f := &faultRun{told: make([]told, len(messages)), asked: make([]bool, len(messages))}
	var failed error
	r, err := Run(ctx, cfg, messages, Options{Lossy: lossy, Limit: faultLimit, Prepare: func(n *Network) {
		f.net = n
		for _, h := range n.Hosts {
			finished := h.App.Finished
			h.App.Finished = func(c Completion) {
				t := &f.told[c.Tag]
				t.complete, t.null, t.at = true, t.null || c.Null, int64(h.TxClock.Cycle()-warmUp)*blockPicoseconds
				finished(c)
			}
		}
		failed = plan(n)
	}})
	if err == nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	f.Result = r
	for _, h := range f.net.Hosts {
		for k, q := range h.App.Requests[:h.App.Asked()] {
			f.asked[q.Tag] = k < h.App.Asked()-1 || !h.App.Out.Get().Valid // the last one may stand at the output
		}
	}
	return f, nil
}

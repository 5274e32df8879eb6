package study

import (
	"context"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/experiment"
)

// faultPoint is one thing that fails.
type faultPoint struct {
	Fault string `json:"fault"` // bitErrors, aloneDies, nodeDies, or the name of a mirrorCase
	Runs  int    `json:"runs"`  // of bit errors: those under traffic
}

// Faults besides the cases of two switches.
const (
	bitErrors = "bit errors"
	aloneDies = "the only switch dies"
	aloneTime = "the only switch dies, writes have timers"
	nodeDies  = "a memory node dies"
)

// faultResult is the outcome of the fault: one of the fields.
type faultResult struct {
	Corruption *corruptionReport `json:"corruption,omitempty"`
	Mirrored   *mirrorRuns       `json:"mirrored,omitempty"`
	Alone      *aloneRuns        `json:"alone,omitempty"`
	Node       *nodeReport       `json:"node,omitempty"`
}

// faults is §3.3.
var faults = experiment.Define(experiment.Spec[struct{}, faultPoint, faultResult]{
	Name: "faults", Short: "Bit errors, a dead switch, a dead memory node (§3.3)", Source: "§3.3",
	Long: `Flip every bit of a read and of a write on every link, let a switch die with and without a second one that
mirrors it, and let a memory node die; report what is seen, what is lost, and what hangs.`,
	Examples: []string{"faults", "faults --json"},
	Points: func(_ *struct{}, seed uint64) ([]experiment.Point[faultPoint], error) {
		points := []faultPoint{{bitErrors, 200}}
		for _, c := range mirrorCases {
			points = append(points, faultPoint{c.name, 24})
		}
		return experiment.Each(
			seed,
			append(points, faultPoint{aloneDies, 12}, faultPoint{aloneTime, 12}, faultPoint{nodeDies, 30})...), nil
	},
	Run:    runFault,
	Report: reportFaults,
})

func runFault(ctx context.Context, run *experiment.Run, q faultPoint) (r faultResult, err error) {
	switch q.Fault {
	case bitErrors:
		r.Corruption, err = corruption(ctx, 64, 1, q.Runs, run.Seed)
	case aloneDies, aloneTime:
		a, err := alone(ctx, q.Runs, q.Fault == aloneTime, run.Seed)
		return faultResult{Alone: &a}, err
	case nodeDies:
		r.Node, err = deadNode(ctx, q.Runs, run.Seed)
	default:
		i := slices.IndexFunc(mirrorCases, func(c mirrorCase) bool { return c.name == q.Fault })
		if i < 0 {
			return r, fmt.Errorf("no fault is called %q", q.Fault)
		}
		m, err := mirrorCases[i].run(ctx, q.Runs, run.Seed)
		return faultResult{Mirrored: &m}, err
	}
	return r, err
}

func reportFaults(_ *struct{}, done []experiment.Result[faultPoint, faultResult]) (*experiment.Report, error) {
	r := &experiment.Report{}
	mirrored := &experiment.Table{
		Name: "mirrored",
		Columns: experiment.Columns("Case", "", "Runs", "", "Messages", "", "Lost", "", "Shifted", "", "Words twice", "",
			"Violations", "", "Blocks dropped", ""),
	}
	for _, d := range done {
		if m := d.Value.Mirrored; m != nil {
			mirrored.Row(m.Case, m.Runs, m.Messages, m.Lost, m.Shifted, m.Twice, m.Violations, m.Dropped)
		}
	}
	shown := false
	for _, d := range done {
		switch v := d.Value; {
		case v.Corruption != nil:
			reportCorruption(r, v.Corruption)
		case v.Mirrored != nil && !shown:
			shown = true
			r.Linef("\nTwo switches that mirror each other, 4 nodes\n")
			r.Table(mirrored)
		case v.Alone != nil:
			reportAlone(r, v.Alone)
		case v.Node != nil:
			reportNode(r, v.Node)
		}
	}
	return r, nil
}

// share prints a count and its share.
func share(n, of int) string {
	return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(max(of, 1)))
}

func reportCorruption(r *experiment.Report, c *corruptionReport) {
	r.Linef(
		"Single bit errors, in a lone read and a lone write of %d bytes: a receiver that sees one disables its link\n",
		c.Bytes,
	)
	t := &experiment.Table{
		Name: "bit-errors",
		Columns: experiment.Columns("Message", "", "Link", "", "Blocks", "", "Flips", "", "Seen", "", "Unseen: corrupt", "",
			"NULL", "", "Silent", "", "Stuck", "", "Shut", ""),
	}
	row := func(message, link, blocks string, f Flips) {
		u := f.Unseen
		t.Row(message, link, blocks, f.Flips, share(f.Seen, f.Flips), u.Corrupt, u.Null, u.Silent, u.Stuck, f.Shut)
	}
	for _, s := range c.Sweeps {
		row(s.Message, s.Link, fmt.Sprint(s.Blocks), s.Flips)
	}
	row("all", "", "", c.All)
	r.Table(t)
	s := c.All.IfSeen
	r.Linef(
		`
corrupt: completed with wrong data, or written elsewhere; NULL: a read answered by its timer; silent: a write that
is complete for its application and wrote nothing; stuck: never completed; shut: later messages failed too.
Where it was seen, the message came whole %d times, corrupt %d, NULL %d, silent %d, stuck %d: the receiver sees it
in an idle block after it, the data has passed. On links %.0f %% busy: %s of %d flips seen, %s unseen and harmful.`,
		s.Whole,
		s.Corrupt,
		s.Null,
		s.Silent,
		s.Stuck,
		100*c.Busy.Load,
		share(c.Busy.Seen, c.Busy.Flips),
		c.Busy.Flips,
		share(c.Busy.Harmful, c.Busy.Flips),
	)
}

func reportAlone(r *experiment.Report, a *aloneRuns) {
	name, who := "alone", "reads time out"
	if a.Writes {
		name, who = "alone-timed", "reads and writes time out (the paper has timers for reads alone)"
	}
	r.Linef(
		"\nOne switch alone dies, 4 nodes, message queues of %d, %s after %.0f ns: of %d messages in %d runs\n", a.Queue,
		who, a.TimeoutNS, a.Messages, a.Runs,
	)
	t := &experiment.Table{Name: name, Columns: experiment.Columns("Became", "", "Messages", "", "Why", "")}
	t.Row("finished", a.Finished, "")
	t.Row("answered by NULL", a.Null, "its timer, or those of all that hold the pair's IDs")
	t.Row("writes complete but lost", a.Silent, "the last chunk had left; no write is acknowledged")
	t.Row("writes stuck", a.Stuck, "waiting for a grant, without a timer")
	t.Row("reads hung", a.Hung, "in the message queue after such writes")
	t.Row("never asked", a.Unasked, "the message queue is full of them")
	r.Table(t)
}

func reportNode(r *experiment.Report, n *nodeReport) {
	r.Linef("\nA memory node dies, %d nodes, %d runs, reads time out after %.0f ns\n", n.Nodes, n.Runs, n.TimeoutNS)
	t := &experiment.Table{
		Name: "node",
		Columns: experiment.Columns(
			"Traffic", "", "Messages", "", "Finished", "", "NULL", "", "Silent", "", "Hung", "",
			"Longest wait for NULL, ns", "%.0f",
		),
	}
	t.Row(
		"reads there", n.Reads.Messages, n.Reads.Finished, n.Reads.Null, n.Reads.Silent, n.Reads.Hung, n.Reads.MostNullNS,
	)
	t.Row("writes there", n.Writes.Messages, n.Writes.Finished, n.Writes.Null, n.Writes.Silent, n.Writes.Hung, "")
	r.Table(t)
	r.Linef(
		`
Between the others %d messages, %d lost, %d at another time; mean latency %.1f ns, without the fault %.1f ns; the worst
comes %.0f ns later. %d blocks waited in the crossbar. The switch does not know that the node is dead: it still grants
%d chunks from it, which keep readers' ports for %.0f ns each, and %d chunks to it, %.0f ns each.
At most X reads of a pair are given up that way: when none of its IDs is free any more, further reads get NULL at
once.`,
		n.Others,
		n.Lost,
		n.Shifted,
		n.AfterNS,
		n.BeforeNS,
		n.MostLaterNS,
		n.Waiting,
		n.CircuitsFrom,
		n.CircuitsFromNS/float64(max(n.CircuitsFrom, 1)),
		n.CircuitsTo,
		n.CircuitsToNS/float64(max(n.CircuitsTo, 1)),
	)
}

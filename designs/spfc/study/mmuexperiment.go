package study

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/internal/input"

	"github.com/goldwire/goldwire/designs/spfc"
)

// mmuParams are the flags of the experiment mmu.
type mmuParams struct {
	MMUPoint
	Out string `flag:"out" file:"out" help:"write the events with the manager's answers to this CSV file"`
}

// MMUPoint is a file of events and the switch that they are for.
type MMUPoint struct {
	Events string `arg:"FILE" file:"in" required:"true" help:"the events, CSV: time_ps, switch, event (enqueue, dequeue), in, prio, out, bytes, and accepted, mark, signal, stored if they are to be compared" json:"events"`
	Switch string `flag:"switch" help:"the switch whose events are played; without it that of the first event" json:"switch,omitempty"`
	networkParams
}

// mmuResult is what the manager did.
type mmuResult struct {
	Switch                           string `json:"switch"`
	Events, Compared                 int
	Refused, Pauses, Resumes, Marked int
	MostStored                       int64
	Difference                       string `json:",omitempty"` // the first answer of the file that is not the manager's
	Differences                      int

	events []spfc.MMUEvent
}

// mmu plays events of a buffer manager.
var mmu = experiment.Define(experiment.Spec[mmuParams, MMUPoint, mmuResult]{
	Name: "mmu", Short: "Events of a buffer manager, from a file, with its answers",
	Long: `Give enqueue and dequeue events to one switch's buffer manager, and compare its answers with the file's, if it
has any: accepted, mark (ECN), signal (a PAUSE at an enqueue, a RESUME at a dequeue) and the bytes stored. So another
model, an RTL simulation or a chip can be held to the manager, event by event. The exit code is 1 if an answer
differs. trace --events writes such files.`,
	Examples: []string{
		"trace flows.csv --events events.csv", "mmu events.csv",
		"mmu events.csv --scheme dt2 --buffer 8 --out answers.csv",
	},
	Defaults: mmuParams{MMUPoint: MMUPoint{networkParams: usualNetwork()}},
	Check:    func(p *mmuParams) error { return p.Check(p.Scheme) },
	Points: func(p *mmuParams, seed uint64) ([]experiment.Point[MMUPoint], error) {
		return experiment.One(p.MMUPoint, seed), nil
	},
	Run:    runMMU,
	Report: reportMMU,
})

func runMMU(ctx context.Context, run *experiment.Run, q MMUPoint) (r mmuResult, err error) {
	file, err := input.Open(q.Events, input.MostTrace)
	if err != nil {
		return r, err
	}
	defer file.Close()
	if r.events, err = spfc.ReadMMUEvents(q.Events, file); err != nil {
		return r, err
	}
	if len(r.events) == 0 {
		return r, fmt.Errorf("%s: no event", q.Events)
	}
	top, err := q.network()
	if err != nil {
		return r, err
	}
	if r.Switch = q.Switch; r.Switch == "" {
		r.Switch = r.events[0].Switch
	}
	n := slices.Index(top.Names, r.Switch)
	if n < 0 {
		some := strings.Join(top.Names[:min(8, len(top.Names))], ", ")
		return r, fmt.Errorf("no switch %q in the network, expected %s", r.Switch, some)
	}
	sc, err := q.Build(top, q.Scheme, run.Seed)
	if err != nil {
		return r, err
	}
	f, err := spfc.NewFabric(&sc)
	if err != nil {
		return r, err
	}
	r.events = slices.DeleteFunc(r.events, func(e spfc.MMUEvent) bool { return e.Switch != r.Switch })
	player := spfc.NewMMUPlayer(f.Switches[n])
	for i := range r.events {
		e := &r.events[i]
		if i%4096 == 0 && ctx.Err() != nil {
			return r, ctx.Err()
		}
		answer, err := player.Play(*e)
		if err != nil {
			return r, fmt.Errorf("%s: event %d of switch %s: %w", q.Events, i+1, r.Switch, err)
		}
		r.take(i, e, answer)
		e.Answer = answer
	}
	if len(r.events) == 0 {
		return r, fmt.Errorf("%s: no event of switch %s", q.Events, r.Switch)
	}
	return r, nil
}

// take counts an answer, and compares it with the file's.
func (r *mmuResult) take(i int, e *spfc.MMUEvent, a spfc.MMUAnswer) {
	count := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	r.Events++
	count(&r.Refused, !a.Accepted)
	count(&r.Marked, a.Mark)
	count(&r.Pauses, a.Signal && !e.Dequeue)
	count(&r.Resumes, a.Signal && e.Dequeue)
	r.MostStored = max(r.MostStored, a.Stored)
	if !e.Answered {
		return
	}
	r.Compared++
	if a == e.Answer {
		return
	}
	if r.Differences++; r.Differences > 1 {
		return
	}
	for _, x := range []struct {
		what          string
		file, manager any
	}{
		{"accepted", e.Answer.Accepted, a.Accepted}, {"mark", e.Answer.Mark, a.Mark},
		{"signal", e.Answer.Signal, a.Signal}, {"stored", e.Answer.Stored, a.Stored},
	} {
		if x.file != x.manager {
			r.Difference = fmt.Sprintf(
				"event %d at %d ps, %s: the file has %v, the manager %v", i+1, e.Time, x.what, x.file, x.manager,
			)
			return
		}
	}
}

func reportMMU(p *mmuParams, done []experiment.Result[MMUPoint, mmuResult]) (*experiment.Report, error) {
	x, r := done[0].Value, &experiment.Report{}
	t := &experiment.Table{Name: "mmu", Columns: experiment.Columns(
		"Switch", "", "Events", "", "Refused", "", "PAUSEs", "", "RESUMEs", "", "Marks", "", "Most stored, bytes", "",
	)}
	t.Row(x.Switch, x.Events, x.Refused, x.Pauses, x.Resumes, x.Marked, x.MostStored)
	r.Table(t)
	switch {
	case x.Compared == 0:
		r.Linef("The file has no answers: nothing was compared.")
	case x.Differences == 0:
		r.Linef("%d answers compared, all equal.", x.Compared)
	default:
		r.Failf("%d of %d answers differ, the first: %s", x.Differences, x.Compared, x.Difference)
	}
	r.File(p.Out, func(w io.Writer) error { return spfc.WriteMMUEvents(w, x.events) })
	return r, nil
}

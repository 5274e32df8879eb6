package study

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
	"github.com/goldwire/goldwire/experiment"
)

// The machines a program is planned for, in the order of Table 2.
const (
	RMTCoarse = "RMT"
	RMTFine   = "RMT fine"
	IPC1      = "IPC 1"
	IPC2      = "IPC 2"
)

// Machines are all of them.
func Machines() []string { return []string{RMTCoarse, RMTFine, IPC1, IPC2} }

// PlanParams are the parameters of `goldwire run drmt schedule`.
type PlanParams struct {
	Graphs    []string `flag:"graphs" file:"in" help:"files with programs (BMv2 JSON) or graphs (JSON, Python); without any, the four programs that come with the design"`
	Programs  []string `flag:"bmv2" file:"in" help:"programs, as p4c-bm2-ss writes them, beside --graphs"`
	Period    int      `flag:"period" min:"0" max:"1024" help:"a period for dRMT instead of the least one; 0: the least"`
	Paper     bool     `flag:"table1-only" help:"keep Table 1's limits only, not the hardware's: 8 actions a cycle, 64 entries of scratch pad, 32 threads, period 32"`
	RMTFields int      `flag:"rmt-fields" min:"1" max:"4096" help:"fields that an RMT stage modifies: 32 gives Table 2, Table 1 prints 224"`
	Limit     int      `flag:"limit" min:"1" max:"1000000000" unit:"clauses" help:"clauses that the solver may learn for each program on each machine; then the bounds known so far are shown"`
	Out       string   `flag:"out" file:"out" help:"the schedule of the last program at the highest IPC, as JSON"`
	Proofs    bool     `flag:"proofs" help:"print certificates that can be checked by hand"`
}

// PlanPoint is a program on a machine.
type PlanPoint struct {
	Graph   string // a file, or a program that comes with the design
	Machine string
	Period  int
	Paper   bool
	Fields  int
	Limit   int
}

// Plan is the result for a program on a machine: Periods is about the period, or the number of stages; Length and
// Threads are in cycles and packets in flight at one packet a cycle.
type Plan struct {
	Program                string
	Operations             int
	Periods, Length        schedule.Bound
	Cost                   string // what the hardware's limits cost over Table 1's
	Threads                int
	Actions, ScratchPad    int // the most in a cycle
	MostThreads            int // in a processor
	Valid                  bool
	Certificate            []string
	Schedule               []byte `json:"-"`
	PeriodProof, LengthWhy string
}

// ScheduleExperiment is Tables 2 and 3 for any programs.
var ScheduleExperiment = experiment.Define(experiment.Spec[PlanParams, PlanPoint, Plan]{
	Name: "schedule", Short: "Least stages, periods and lengths of programs on RMT and dRMT, with proofs", Source: "dRMT Tables 2 and 3",
	Long: "Every schedule passes a validator that shares no code with the search. That less is impossible is shown by counting, by the critical path, " +
		"or by a solver whose proof is checked step by step if it is not too long. A search that has learned as many clauses as --limit allows shows its bounds, the same ones on every machine.",
	Examples: []string{
		"schedule", "schedule --graphs switch_ingress.odg.json,switch_egress.odg.json",
		"schedule --graphs program.json --period 17 --out schedule.json",
	},
	Defaults: PlanParams{RMTFields: 32, Limit: schedule.DefaultClauses},
	Points: func(p *PlanParams, seed uint64) ([]experiment.Point[PlanPoint], error) {
		names := slices.Concat(p.Graphs, p.Programs)
		if len(names) == 0 {
			names = p4.ProgramNames()
		}
		var all []PlanPoint
		for _, n := range names {
			for _, m := range Machines() {
				all = append(all, PlanPoint{n, m, p.Period, p.Paper, p.RMTFields, p.Limit})
			}
		}
		return experiment.Each(seed, all...), nil
	},
	Run: func(ctx context.Context, run *experiment.Run, q PlanPoint) (Plan, error) {
		g, err := LoadGraph(q.Graph)
		if err != nil {
			return Plan{}, err
		}
		return planFor(ctx, g, q, run)
	},
	Report: planReport,
})

// LoadGraph reads a graph from a file, or derives it from one of the four programs that come with the design.
func LoadGraph(name string) (*schedule.Graph, error) {
	if slices.Contains(p4.ProgramNames(), name) {
		p, err := p4.Load(name)
		if err != nil {
			return nil, err
		}
		return compile.Graph(p, nil)
	}
	f, err := openProgram(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return p4.ReadGraphOf(name, f, compile.AnyGraph)
}

func planFor(ctx context.Context, g *schedule.Graph, q PlanPoint, run *experiment.Run) (Plan, error) {
	opt := schedule.Options{
		Seed: run.Seed, Period: q.Period, Clauses: q.Limit,
		Progress: func(p schedule.Progress) { run.Progress(uint64(p.Learned%8192), 8192) },
	}
	plan := Plan{Program: g.Name, Operations: len(g.Nodes)}
	if q.Machine == RMTCoarse || q.Machine == RMTFine {
		l := schedule.RMT(q.Fields)
		pipe, bound, err := schedule.MinimizeStages(ctx, g, l, q.Machine == RMTCoarse, opt)
		if err != nil {
			return plan, err
		}
		plan.Periods, plan.PeriodProof = bound, bound.Refuted.String()
		plan.certify(g, l, bound)
		if pipe != nil {
			if err := pipe.Validate(); err != nil {
				return plan, fmt.Errorf("a pipeline is not valid: %w", err)
			}
			plan.Threads, plan.Valid = pipe.Threads(), true
		}
		return plan, ctx.Err()
	}
	l := schedule.DRMT(1)
	if q.Machine == IPC2 {
		l = schedule.DRMT(2)
	}
	if q.Paper {
		l = l.WithoutHardware()
	}
	r, err := schedule.Minimize(ctx, g, l, opt)
	if err != nil {
		return plan, err
	}
	plan.Periods, plan.PeriodProof = r.Period, r.Period.Refuted.String()
	plan.Length, plan.LengthWhy = r.Length, r.Length.Refuted.String()
	plan.certify(g, l, r.Period)
	if plan.Cost, err = hardwareCost(ctx, g, l, r.Period, opt); err != nil {
		return plan, err
	}
	if s := r.Schedule; s != nil {
		if err := s.Validate(); err != nil {
			return plan, fmt.Errorf("a schedule is not valid: %w", err)
		}
		plan.Valid, plan.Threads, plan.MostThreads = true, s.Length(), s.Threads()
		for _, u := range s.Usage() {
			plan.Actions, plan.ScratchPad = max(plan.Actions, u.Actions), max(plan.ScratchPad, u.ScratchPad)
		}
		var b strings.Builder
		if err := s.Write(&b); err != nil {
			return plan, err
		}
		plan.Schedule = []byte(b.String())
	}
	return plan, ctx.Err()
}

// hardwareCost says how many processors more the hardware's limits take than Table 1's alone, and which limit it is;
// nothing if none.
func hardwareCost(
	ctx context.Context, g *schedule.Graph, l schedule.Limits, period schedule.Bound, opt schedule.Options,
) (string, error) {
	if period.Refuted == nil || !period.Refuted.Hardware || !period.Proved() {
		return "", nil
	}
	opt.PeriodOnly = true
	r, err := schedule.Minimize(ctx, g, l.WithoutHardware(), opt)
	if err != nil || !r.Period.Proved() || r.Period.High >= period.High {
		return "", err
	}
	cost := fmt.Sprintf("%d more than %d", period.High-r.Period.High, r.Period.High)
	if period.Refuted.By == schedule.ThreadsFull {
		critical := schedule.CriticalPathLength(g, l)
		cost += fmt.Sprintf(": %d threads of %d", (critical+r.Period.High-1)/r.Period.High, l.Threads)
	}
	return cost, nil
}

// certify writes down the certificate of a bound, if it has one.
func (p *Plan) certify(g *schedule.Graph, l schedule.Limits, b schedule.Bound) {
	if b.Refuted == nil || b.Refuted.Certificate == nil {
		return
	}
	p.Certificate = b.Refuted.Certificate.Text(g, l, 4)
}

func planReport(p *PlanParams, done []experiment.Result[PlanPoint, Plan]) (*experiment.Report, error) {
	r := &experiment.Report{}
	t := &experiment.Table{
		Name: "schedules",
		Columns: experiment.Columns(
			"Program", "", "Machine", "", "Processors", "", "No fewer, by", "", "Hardware costs", "", "Length", "",
			"No shorter, by", "", "Threads", "", "In a processor", "", "Actions a cycle", "", "Scratch pad", "",
		),
	}
	for _, d := range done {
		v := d.Value
		if d.Point.Machine == RMTCoarse || d.Point.Machine == RMTFine {
			t.Row(v.Program, d.Point.Machine, v.Periods.String(), v.PeriodProof, "", "", "", v.Threads, "", "", "")
			continue
		}
		t.Row(
			v.Program, d.Point.Machine, v.Periods.String(), v.PeriodProof, v.Cost, v.Length.String(), v.LengthWhy,
			v.Threads, v.MostThreads, v.Actions, v.ScratchPad,
		)
	}
	r.Table(t)
	for _, d := range done {
		if p.Proofs && len(d.Value.Certificate) > 0 {
			r.Linef("%s, %s: %d are not enough:", d.Value.Program, d.Point.Machine, d.Value.Periods.Low-1)
			for _, line := range d.Value.Certificate {
				r.Linef("  %s", line)
			}
		}
		if v := d.Value; v.Valid && v.Length.High > 0 && !v.Length.Proved() {
			r.Linef(
				"%s, %s: the least length is not proved with %d clauses; it is %s", v.Program, d.Point.Machine,
				d.Point.Limit, v.Length,
			)
		}
		if !d.Value.Valid {
			r.Linef(
				"%s, %s: no schedule found with %d clauses; %s needed", d.Value.Program, d.Point.Machine, d.Point.Limit,
				d.Value.Periods,
			)
		}
	}
	if p.Out != "" {
		last := slices.IndexFunc(done, func(d experiment.Result[PlanPoint, Plan]) bool { return d.Value.Schedule != nil })
		for i, d := range done {
			if d.Value.Schedule != nil {
				last = i
			}
		}
		if last < 0 {
			return nil, errors.New("no schedule to write")
		}
		r.File(p.Out, func(w io.Writer) error {
			_, err := w.Write(done[last].Value.Schedule)
			return err
		})
	}
	return r, nil
}

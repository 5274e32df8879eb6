package study

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/internal/input"
)

// The machines a program is planned for, in the order of Table 2.
const (
	rmtCoarse = "RMT"
	rmtFine   = "RMT fine"
	ipc1      = "IPC 1"
	ipc2      = "IPC 2"
)

// machines are all of them.
func machines() []string { return []string{rmtCoarse, rmtFine, ipc1, ipc2} }

// planParams are the parameters of `goldwire run drmt schedule`.
type planParams struct {
	Graphs    []string `flag:"graphs" file:"in" help:"files with programs (BMv2 JSON) or graphs (JSON, Python), or directories of such files; without any, the four programs that come with the design"`
	Programs  []string `flag:"bmv2" file:"in" help:"programs, as p4c-bm2-ss writes them, beside --graphs"`
	Entries   string   `flag:"entries" file:"in" help:"what a control plane sets, as the experiment program takes it, for one program: groups of action profiles, default actions, multicast groups and mirroring sessions take operations of their own"`
	Period    int      `flag:"period" min:"0" max:"1024" help:"a period for dRMT instead of the least one; 0: the least"`
	Paper     bool     `flag:"table1-only" help:"keep Table 1's limits only, not the hardware's: 8 actions a cycle, 64 entries of scratch pad, 32 threads, period 32"`
	RMTFields int      `flag:"rmt-fields" min:"1" max:"4096" help:"fields that an RMT stage modifies: 32 gives Table 2, Table 1 prints 224"`
	Limit     int      `flag:"limit" min:"1" max:"1000000000" unit:"clauses" help:"clauses that the solver may learn for each program on each machine; then the bounds known so far are shown"`
	Out       string   `flag:"out" file:"out" help:"the schedule of the last program at the highest IPC, as JSON; the others to files with program and IPC added to the name"`
	Check     string   `flag:"check" file:"in" help:"no search: check this schedule, as --out writes it, against the graph of --graphs, and print all that it breaks"`
	Proofs    bool     `flag:"proofs" help:"print certificates that can be checked by hand"`
}

// planPoint is a program on a machine.
type planPoint struct {
	Graph   string // a file, or a program that comes with the design
	Machine string
	Period  int
	Paper   bool
	Fields  int
	Limit   int
	Check   string `json:",omitempty"`
	Entries string `json:",omitempty"`
	// Listed is one of a directory's files: if it is no program or graph, the others are still planned.
	Listed bool `json:",omitempty"`
}

// plan is the result for a program on a machine: Periods is about the period, or the number of stages; Length and
// Threads are in cycles and packets in flight at one packet a cycle.
type plan struct {
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
	picture                *plots.GridChart
	PeriodProof, LengthWhy string
	// Refused says why a directory's file cannot be planned; Broken is what a checked schedule breaks.
	Refused string   `json:",omitempty"`
	Broken  []string `json:",omitempty"`
	Checked string   `json:",omitempty"` // what a checked schedule is that breaks nothing
}

// scheduleExperiment is Tables 2 and 3 for any programs.
var scheduleExperiment = experiment.Define(experiment.Spec[planParams, planPoint, plan]{
	Name: "schedule", Short: "Least stages, periods and lengths of programs on RMT and dRMT, with proofs",
	Source: "dRMT Tables 2 and 3",
	Long: "Every schedule passes a validator that shares no code with the search. That less is impossible is shown by " +
		"counting, by the critical path, or by a solver whose proof is checked step by step if it is not too long. " +
		"Processors are the period or the stages, In flight the packets at one packet a cycle, Threads those that a " +
		"processor holds, Actions and Waiting the actions and the results in its scratch pad in one cycle. A search that " +
		"has learned as many clauses as --limit allows shows its bounds, the same ones on every machine.",
	Examples: []string{
		"schedule", "schedule --graphs switch_ingress.odg.json,switch_egress.odg.json",
		"schedule --graphs program.json --period 17 --out schedule.json --plot schedule.svg",
		"schedule --graphs program.json --check schedule.json",
	},
	Defaults: planParams{RMTFields: 32, Limit: schedule.DefaultClauses},
	Points:   planPoints,
	Run:      planOf,
	Report:   planReport,
})

// planPoints are each program on each machine, or one program with a schedule that is checked.
func planPoints(p *planParams, seed uint64) ([]experiment.Point[planPoint], error) {
	names := slices.Concat(p.Graphs, p.Programs)
	if len(names) == 0 {
		names = p4.ProgramNames()
	}
	point := planPoint{
		Period: p.Period, Paper: p.Paper, Fields: p.RMTFields, Limit: p.Limit, Check: p.Check, Entries: p.Entries,
	}
	if p.Entries != "" && len(names) != 1 {
		return nil, fmt.Errorf("--entries with %d programs, want one: --bmv2 FILE", len(names))
	}
	if p.Check != "" {
		if p.Out != "" || p.Period > 0 || p.Proofs {
			return nil, errors.New("--check with --out, --period or --proofs, want none of them: nothing is searched")
		}
		if len(names) != 1 {
			return nil, fmt.Errorf("--check with %d graphs, want one: --graphs FILE", len(names))
		}
		point.Graph = names[0]
		return experiment.One(point, seed), nil
	}
	var all []planPoint
	for _, n := range names {
		files, err := filesIn(n)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			point.Graph, point.Listed = file, file != n
			for _, point.Machine = range machines() {
				all = append(all, point)
			}
		}
	}
	return experiment.Each(seed, all...), nil
}

// planOf plans one program on one machine, or checks its schedule.
func planOf(ctx context.Context, run *experiment.Run, q planPoint) (plan, error) {
	g, err := q.graph(run.Seed)
	if err != nil && q.Listed {
		name := filepath.Base(q.Graph) // in results, which no folder changes
		return plan{Program: name, Refused: strings.ReplaceAll(err.Error(), q.Graph, name)}, nil
	}
	if err != nil {
		return plan{}, err
	}
	if q.Check != "" {
		return checkedPlan(g, q)
	}
	return planFor(ctx, g, q, run)
}

// graph loads the graph. Entries decide what some operations are: then the machine that has them must run the program.
func (q *planPoint) graph(seed uint64) (*schedule.Graph, error) {
	if q.Entries == "" {
		return LoadGraph(q.Graph)
	}
	source := ProgramSource{JSON: q.Graph}
	if slices.Contains(p4.ProgramNames(), q.Graph) {
		source = ProgramSource{Program: q.Graph}
	}
	p, err := ProgramParams{ProgramSource: source, Entries: q.Entries}.load(seed)
	if err != nil {
		return nil, err
	}
	opt, err := p.options()
	if err == nil {
		err = compile.Supported(p.P4, opt)
	}
	if err != nil {
		return nil, err
	}
	return compile.Graph(p.P4, opt)
}

// filesIn returns the programs and graphs in a directory by their names, or the name itself if it is none.
func filesIn(name string) ([]string, error) {
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
		return []string{name}, nil // reading it says that it is not there
	}
	var files []string
	err := filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && slices.Contains([]string{".json", ".py", ".p4"}, filepath.Ext(path)) {
			files = append(files, path)
		}
		return err
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: no file in it ends in .json, .py or .p4", name)
	}
	return files, err
}

// checkedPlan is a schedule of the user's, with the rules that it breaks.
func checkedPlan(g *schedule.Graph, q planPoint) (plan, error) {
	limits := schedule.DRMT(1)
	f, err := input.Open(q.Check, input.MostText)
	if err != nil {
		return plan{}, err
	}
	defer f.Close()
	s, ipc, err := schedule.ReadUnchecked(q.Check, f, g, limits)
	if err != nil {
		return plan{}, err
	}
	if ipc < 1 || ipc > 2 {
		return plan{}, fmt.Errorf("%s: a schedule for IPC %d, expected 1 or 2", q.Check, ipc)
	}
	if s.Limits = schedule.DRMT(ipc); q.Paper {
		s.Limits = s.Limits.WithoutHardware()
	}
	plan := plan{Program: g.Name, Operations: len(g.Nodes), Valid: true}
	if err := s.Validate(); err != nil {
		plan.Valid, plan.Broken = false, strings.Split(err.Error(), "\n")
		return plan, nil
	}
	plan.measure(s)
	plan.Checked = fmt.Sprintf(
		"%s breaks no rule: %d operations, IPC %d, period %d, length %d, %d threads, %d actions a cycle, "+
			"%d results that wait",
		filepath.Base(q.Check), len(g.Nodes), ipc, s.Period, s.Length(), s.Threads(), plan.Actions, plan.ScratchPad,
	)
	plan.picture = picture(s, fmt.Sprintf("IPC %d", ipc))
	return plan, nil
}

// measure notes a schedule's needs.
func (p *plan) measure(s *schedule.Schedule) {
	p.Threads, p.MostThreads = s.Length(), s.Threads()
	for _, u := range s.Usage() {
		p.Actions, p.ScratchPad = max(p.Actions, u.Actions), max(p.ScratchPad, u.ScratchPad)
	}
}

// LoadGraph reads a graph from a file, or derives it from one of the four programs that come with the design.
func LoadGraph(name string) (*schedule.Graph, error) {
	if slices.Contains(p4.ProgramNames(), name) {
		p, err := p4.Load(name)
		if err != nil {
			return nil, err
		}
		return compile.Graph(p, compile.Options{})
	}
	f, err := openProgram(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	g, err := p4.ReadGraphOf(name, f, compile.AnyGraph)
	if err != nil {
		return nil, err
	}
	if g.Name == name { // the file does not say another
		g.Name = filepath.Base(name)
	}
	return g, nil
}

func planFor(ctx context.Context, g *schedule.Graph, q planPoint, run *experiment.Run) (plan, error) {
	opt := schedule.Options{
		Seed: run.Seed, Period: q.Period, Clauses: q.Limit,
		Progress: func(p schedule.Progress) { run.Progress(uint64(p.Learned%8192), 8192) },
	}
	plan := plan{Program: g.Name, Operations: len(g.Nodes)}
	if q.Machine == rmtCoarse || q.Machine == rmtFine {
		l := schedule.RMT(q.Fields)
		pipe, bound, err := schedule.MinimizeStages(ctx, g, l, q.Machine == rmtCoarse, opt)
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
	if q.Machine == ipc2 {
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
		plan.Valid = true
		plan.measure(s)
		var b strings.Builder
		if err := s.Write(&b); err != nil {
			return plan, err
		}
		plan.Schedule, plan.picture = []byte(b.String()), picture(s, q.Machine)
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
func (p *plan) certify(g *schedule.Graph, l schedule.Limits, b schedule.Bound) {
	if b.Refuted == nil || b.Refuted.Certificate == nil {
		return
	}
	p.Certificate = b.Refuted.Certificate.Text(g, l, 4)
}

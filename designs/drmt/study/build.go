package study

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/rtl"
)

// Program is a program with its tables' contents.
type Program struct {
	Source   ProgramSource
	P4       *p4.Program
	Entries  []p4.Entry
	Defaults map[string]p4.Entry
	// Setup is the control plane's configuration, Entries and Defaults among it, if a file says it.
	Setup *p4.Configuration
	keep  *kept // the packets of a run, if somebody wants them
}

// kept are the packets that came and left.
type kept struct{ came, left []packet }

func (k *kept) packets() (came, left []packet) {
	if k == nil {
		return nil, nil
	}
	slices.SortStableFunc(k.left, func(a, b packet) int { return cmp.Compare(a.number, b.number) }) // copies come late
	slices.SortStableFunc(k.came, func(a, b packet) int { return cmp.Compare(a.number, b.number) })
	return k.came, k.left
}

// options are what the compiler takes.
func (p *Program) options() (compile.Options, error) {
	if p.Setup == nil {
		return compile.Options{Entries: p.Entries, Defaults: p.Defaults}, nil
	}
	return compile.Setup(p.P4, *p.Setup)
}

// configuration is what the interpreter takes.
func (p *Program) configuration() p4.Configuration {
	c := p4.Configuration{Entries: p.Entries, Defaults: p.Defaults}
	if p.Setup != nil {
		c = *p.Setup
	}
	c.Fresh = true
	return c
}

// runClauses is where the search for a schedule that is to run ends: it needs no proof that nothing less is possible.
// A public pipeline for a data centre's switch, of 135 operations, gets 201 cycles in a second with it. With the whole
// allowance it gets 193 in 40 s.
const runClauses = 1 << 10

// schedulePoint is a schedule to be found.
type schedulePoint struct {
	Source      ProgramSource
	IPC, Period int
	// Defaults, in JSON, replace the tables' actions on a miss: the graph depends on them.
	Defaults string
	// Copies says that there are multicast groups or mirroring sessions, Grouped which tables' entries name groups.
	Copies  bool
	Grouped []string `json:",omitempty"`
	// Metered are the meter arrays with rates.
	Metered []string `json:",omitempty"`
}

// scheduleResult is a schedule without its graph.
type scheduleResult struct {
	Period int
	Start  []int
}

// schedules is not listed: it is an experiment so that schedules, which take seconds, are found once for all callers
// (experiment.WithMemo).
var schedules = experiment.Define(experiment.Spec[struct{}, schedulePoint, scheduleResult]{
	Name: "schedule-of", Short: "The schedule of a program",
	Points: func(*struct{}, uint64) ([]experiment.Point[schedulePoint], error) { return nil, nil },
	Run: func(ctx context.Context, run *experiment.Run, q schedulePoint) (scheduleResult, error) {
		p, err := q.Source.read()
		if err != nil {
			return scheduleResult{}, err
		}
		defaults := map[string]p4.Entry{}
		if err := json.Unmarshal([]byte(q.Defaults), &defaults); err != nil {
			return scheduleResult{}, err
		}
		g, err := compile.Graph(p, compile.Options{Defaults: defaults, Copied: q.Copies, Grouped: q.Grouped,
			Metered: q.Metered})
		if err != nil {
			return scheduleResult{}, err
		}
		r, err := schedule.Minimize(ctx, g, schedule.DRMT(q.IPC), schedule.Options{
			Period: q.Period, Seed: run.Seed, Clauses: runClauses,
		})
		if err != nil {
			return scheduleResult{}, err
		}
		if r.Schedule == nil {
			return scheduleResult{}, fmt.Errorf(
				"%s: no schedule found with %d clauses; %v processors needed", p.Name, runClauses, r.Period,
			)
		}
		return scheduleResult{r.Schedule.Period, r.Schedule.Start}, r.Schedule.Validate()
	},
	Report: func(*struct{}, []experiment.Result[schedulePoint, scheduleResult]) (*experiment.Report, error) {
		return &experiment.Report{}, nil
	},
})

// Build schedules a program for dRMT and compiles it. Period 0 is the least one.
func Build(ctx context.Context, p Program, ipc, period int, seed uint64) (*schedule.Schedule, *compile.Result, error) {
	opt, err := p.options()
	if err != nil {
		return nil, nil, err
	}
	if err := compile.Supported(p.P4, opt); err != nil { // before a search of seconds
		return nil, nil, err
	}
	defaults, err := json.Marshal(p.Defaults)
	if err != nil {
		return nil, nil, err
	}
	point := schedulePoint{p.Source, ipc, period, string(defaults), opt.Copies(), opt.Grouped, opt.Metered}
	r, err := schedules.Measure(ctx, point, seed)
	if err != nil {
		return nil, nil, err
	}
	g, err := compile.Graph(p.P4, opt)
	if err != nil {
		return nil, nil, err
	}
	s := &schedule.Schedule{Graph: g, Limits: schedule.DRMT(ipc), Period: r.Period, Start: r.Start}
	c, err := compile.DRMT(p.P4, s, opt)
	return s, c, err
}

// Outcome is what a machine did.
type Outcome struct {
	// Entered counts the packets that a processor or the first stage took, Compared the packets that left and were equal
	// to the interpreter's, Dropped the packets among them that the program drops, Short the packets that ended the parser
	// with an error.
	Entered, Compared, Dropped, Short uint64
	Hits                              uint64 // table hits
	Cycles                            uint64
	Throughput                        float64 // packets a cycle
	MinLatency, MaxLatency            uint64  // cycles, between edges
	Threads, MaxScratch               int     // the most of a processor at once
	Faults                            uint64  // cycles with a fault
	FirstFault                        string
}

// step is how many cycles run between two looks at the context.
const step = 1 << 12

// mostRuns bounds the runs of packets through a machine beyond their first: some run again without an end.
const mostRuns = 1000

// RunSwitch runs a program on dRMT until all packets have left. Source makes the same packets each time it is called.
// Run, if not nil, is told of the progress and of journeys, and may record waveforms.
func RunSwitch(
	ctx context.Context, p Program, c *compile.Result, processors, packets int, source func() Source, sim rtl.Config,
	run *experiment.Run,
) (Outcome, error) {
	s, m, j, err := newSwitch(p, c, processors, source, sim)
	if err != nil {
		return Outcome{}, err
	}
	followPackets(run, s, p.P4.Name, packets)
	if err := record(run, s.Sim, s.Clock, m, s, j); err != nil {
		return Outcome{}, err
	}
	every := pace(c)
	cycles := uint64((packets+1)*c.Image.Period*every/processors + c.Image.Length + 2*c.Image.Period + 2)
	if c.Deparser.SendsAgain() {
		cycles += mostRuns * uint64(c.Image.Length+c.Image.Period)
	}
	o, err := finish(ctx, m, j, cycles, packets, s.Clock, run)
	if err == nil {
		err = sameState(s, j, p.P4, c)
	}
	return o, err
}

// sameState compares a machine's registers and counters with the interpreter's.
func sameState(s *drmt.Switch, j *judge, p *p4.Program, c *compile.Result) error {
	differs := func(name string, i int, machine, interpreter any) error {
		return fmt.Errorf("%s, element %d: the machine has %v, the interpreter %v", name, i, machine, interpreter)
	}
	for n, r := range p.Registers {
		values, _ := s.Elements(c.Registers[n][0])
		var above []uint64
		if len(c.Registers[n]) > 1 {
			above, _ = s.Elements(c.Registers[n][1])
		}
		for i, v := range values {
			if above != nil {
				v |= above[i] << 32
			}
			if want := j.interp.Register(n, i); v != want {
				return differs(r.Name, i, v, want)
			}
		}
	}
	counter := func(array int, name string, of func(i int) p4.CounterValue) error {
		values, packets := s.Elements(c.Counters + array)
		for i := range values {
			if got, want := (p4.CounterValue{Packets: packets[i], Bytes: values[i]}), of(i); got != want {
				return differs(name, i, got, want)
			}
		}
		return nil
	}
	for n, x := range p.Counters {
		if x.Direct {
			continue
		}
		if err := counter(n, x.Name, func(i int) p4.CounterValue { return j.interp.Counter(n, i) }); err != nil {
			return err
		}
	}
	n := len(p.Counters)
	for _, pipe := range []*p4.Pipeline{&p.Ingress, &p.Egress} {
		for _, x := range pipe.Nodes {
			if t := x.Table; t != nil && t.Counters && len(t.Key) > 0 { // in the order in which the compiler adds them
				if err := counter(n, t.Name, func(i int) p4.CounterValue { return j.interp.DirectCounter(t, i) }); err != nil {
					return err
				}
				n++
			}
		}
	}
	return nil
}

// RunPipeline runs a program on RMT until all packets have left. Source makes the same packets each time it is called.
// Run, if not nil, is told of the progress and of journeys, and may record waveforms.
func RunPipeline(
	ctx context.Context, p Program, c *compile.PipelineResult, stages, packets int, source func() Source, sim rtl.Config,
	run *experiment.Run,
) (Outcome, error) {
	x, m, j, err := newPipeline(p, c, stages, source, sim)
	if err != nil {
		return Outcome{}, err
	}
	followStages(run, x, p.P4.Name)
	if err := record(run, x.Sim, x.Clock, m, x, j); err != nil {
		return Outcome{}, err
	}
	cycles := uint64(x.Passes * (packets + 2*(drmt.StageLatency*stages+1)))
	return finish(ctx, m, j, cycles, math.MaxInt, x.Clock, run)
}

func pace(c *compile.Result) int {
	_, every := c.Pace()
	return every
}

// newSwitch builds dRMT with its monitor and its judge. Machine and judge have a source each.
func newSwitch(
	p Program, c *compile.Result, processors int, source func() Source, sim rtl.Config,
) (*drmt.Switch, *drmt.Monitor, *judge, error) {
	j, err := newJudge(p, source())
	if err != nil {
		return nil, nil, nil, err
	}
	s, err := drmt.NewSwitch(
		drmt.Config{Processors: processors, Every: pace(c), Image: c.Image, Parser: c.Parser, Deparser: c.Deparser,
			Source: source(), Sink: j, Sim: sim},
	)
	if err != nil {
		return nil, nil, nil, err
	}
	j.keep, j.cycle, j.overtaking = p.keep, s.Clock.Cycle, c.Deparser.SendsAgain()
	j.copies = c.Deparser.Replicate != nil
	return s, drmt.Watch(s), j, nil
}

// newPipeline is the same of RMT.
func newPipeline(
	p Program, c *compile.PipelineResult, stages int, source func() Source, sim rtl.Config,
) (*drmt.Pipeline, *drmt.Monitor, *judge, error) {
	j, err := newJudge(p, source())
	if err != nil {
		return nil, nil, nil, err
	}
	x, err := drmt.NewPipeline(drmt.PipelineConfig{Stages: stages, Image: c.Image, Parser: c.Parser, Deparser: c.Deparser,
		Source: source(), Sink: j, Sim: sim})
	if err != nil {
		return nil, nil, nil, err
	}
	j.keep, j.cycle = p.keep, x.Clock.Cycle
	return x, drmt.WatchPipeline(x), j, nil
}

// record gives a run's simulation to its waveforms and checkpoints. There is no run where nobody asks for any.
func record(run *experiment.Run, sim *rtl.Sim, clk *rtl.Clock, m *drmt.Monitor, machine any, j *judge) error {
	if run == nil {
		return nil
	}
	return run.Simulate(
		experiment.Simulation{
			Sim: sim, Clock: clk, Faulty: func() bool { return len(m.Faults) > 0 }, Roots: []any{machine, m, j},
		},
	)
}

func newJudge(p Program, again Source) (*judge, error) {
	in, err := p4.NewSwitch(p.P4, p.configuration())
	if err != nil {
		return nil, err
	}
	return NewJudge(in, again, p.P4.Errors.None), nil
}

func finish(
	ctx context.Context, m *drmt.Monitor, j *judge, cycles uint64, packets int, clk *rtl.Clock, run *experiment.Run,
) (Outcome, error) {
	limit := cycles
	finished := func() bool { return j.overtaking && j.done(packets) && m.Left == m.Entered }
	for done := clk.Cycle(); done < limit && !finished(); done = clk.Cycle() {
		before := j.Compared
		if err := ctx.Err(); err != nil {
			return Outcome{}, err
		}
		if err := clk.Run(min(step, limit-done)); err != nil {
			return Outcome{}, err
		}
		if j.overtaking && j.Compared > before { // packets that run again keep new ones waiting
			limit = clk.Cycle() + cycles
		}
		if run == nil {
			continue
		}
		run.Progress(done, limit)
		if err := run.Between(); err != nil {
			return Outcome{}, err
		}
	}
	if err := j.rest(); err != nil {
		return Outcome{}, err
	}
	if m.Left != m.Entered || j.Compared > m.Left || j.Compared < m.Left && !j.overtaking {
		return Outcome{}, fmt.Errorf("%d packets entered, %d left, %d were compared", m.Entered, m.Left, j.Compared)
	}
	o := Outcome{
		Entered: m.Entered, Compared: j.Compared, Dropped: j.Dropped, Short: j.Short, Hits: j.Hits, Cycles: m.Cycles,
		Throughput: m.Throughput(), MinLatency: m.MinLatency, MaxLatency: m.MaxLatency, Threads: m.Threads,
		MaxScratch: m.Scratch, Faults: m.Count,
	}
	if m.Count > 0 {
		o.FirstFault = m.Faults[0]
	}
	return o, nil
}

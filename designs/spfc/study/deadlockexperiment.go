package study

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/internal/input"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/spfc"
)

// deadlockParams are the parameters of Figure 17.
type deadlockParams struct {
	spfc.Settings
	Schemes  []string   `flag:"scheme" help:"buffer managers: dt1, dt2, dt4, st, spfc"`
	Controls []string   `flag:"ccs" choices:"dcqcn,timely" help:"congestion controls, in place of --cc"`
	Runs     int        `flag:"runs" min:"2" max:"100000" help:"of each scheme and congestion control"`
	First    int        `flag:"first" min:"0" max:"1000000" help:"number of the first run, so that machines can share the runs of one seed"`
	Load     float64    `flag:"load" min:"0.01" max:"2" help:"of the ToRs' down-links"`
	Lasts    clock.Time `flag:"lasts" min:"100us" max:"10s" help:"a run's length"`
	Sizes    string     `flag:"sizes" help:"a published distribution: websearch, fbhadoop"`
	Memory   float64    `flag:"memory" min:"1" max:"1000" unit:"MB" help:"of a switch"`
	State    string     `flag:"state" help:"file of finished runs: those in it are not run again, others are added as they finish (CSV); files of several machines may be put one after the other"`
}

// DeadlockPoint is some runs of one scheme.
type DeadlockPoint struct {
	spfc.Settings
	Scheme string    `json:"scheme"`
	First  int       `json:"first"` // number of the first run
	Runs   int       `json:"runs"`
	Load   float64   `json:"load"`
	Lasts  spfc.Time `json:"lasts_ps"`
	Sizes  string    `json:"sizes"`
	Memory float64   `json:"memory_mb"`
	State  string    `json:"state,omitempty"`
	// Alone: the same runs under DT are not asked for as well, so that SPFC's are run without a look at them.
	Alone bool `json:"alone,omitempty"`
}

// DeadlockRun is one run.
type DeadlockRun struct {
	Run    int         `json:"run"`
	At     spfc.Time   `json:"deadlock_ps"` // when it was found; -1: never
	Cycle  string      `json:"cycle,omitempty"`
	Pauses int64       `json:"pauses"`
	FCT    [4]classFCT `json:"fct"` // until the deadlock

	open bool // no switch's manager has decided anything: see openAll
}

// deadlockResult holds the runs of a point.
type deadlockResult struct {
	Runs []DeadlockRun `json:"runs"`
}

// deadlockEvery is how often a deadlock is looked for.
const deadlockEvery = 100 * spfc.Microsecond

// deadlockRun is one run, which ends with a deadlock.
func deadlockRun(ctx context.Context, q *DeadlockPoint, number int, seed uint64) (DeadlockRun, error) {
	r := DeadlockRun{Run: number, At: -1}
	table, err := workload.ParseSizes(q.Sizes)
	if err != nil {
		return r, err
	}
	top := spfc.DeadlockPod()
	top.Buffer = int64(q.Memory * 1e6)
	sc, err := q.Build(top, q.Scheme, seed)
	if err != nil {
		return r, err
	}
	sc.TIMELY.LeastRTT = spfc.ClosRTT
	sc.Flows = allToAll(top.Hosts, table, q.Load, spfc.Gbps100, q.Lasts, q.CongestionControl(), seed)
	f, err := spfc.NewFabric(&sc)
	if err != nil {
		return r, err
	}
	for at := deadlockEvery; at <= q.Lasts && r.At < 0; at += deadlockEvery {
		if err := f.Net.Run(ctx, at); err != nil {
			return r, err
		}
		if d := f.Deadlocked(); d != nil {
			r.At, r.Cycle = at, d.String()
		}
	}
	for _, s := range f.Switches {
		r.Pauses += s.Manager().Counts.Pauses
	}
	r.open = f.OpenAll()
	r.FCT = slowdowns(f, func(int) bool { return true })
	return r, f.Check()
}

// deadlockRuns is not listed: one run is an experiment so that the points of DT and SPFC share it
// (experiment.WithMemo).
var deadlockRuns = experiment.Define(experiment.Spec[struct{}, DeadlockPoint, DeadlockRun]{
	Name: "deadlock-run", Short: "One run of the deadlock pod",
	Points: func(*struct{}, uint64) ([]experiment.Point[DeadlockPoint], error) { return nil, nil },
	Run: func(ctx context.Context, run *experiment.Run, q DeadlockPoint) (DeadlockRun, error) {
		return deadlockRun(ctx, &q, q.First, run.Seed+uint64(q.First))
	},
	Report: func(*struct{}, []experiment.Result[DeadlockPoint, DeadlockRun]) (*experiment.Report, error) {
		return &experiment.Report{}, nil
	},
})

// shared tells whether a run under DT may be this point's.
func (q *DeadlockPoint) shared() bool { return q.Scheme == "spfc" && !q.Alone }

// one runs a single trial. If the DT run never reached a decision that SPFC would take, SPFC's run is identical, so
// the DT result is reused.
func (q *DeadlockPoint) one(ctx context.Context, number int, seed uint64) (DeadlockRun, error) {
	single := *q
	single.First, single.Runs, single.State = number, 1, ""
	if q.shared() {
		single.Scheme = fmt.Sprintf("dt%g", q.Alpha)
		if r, err := deadlockRuns.Measure(ctx, single, seed); err != nil || r.open {
			return r, err
		}
		single.Scheme = q.Scheme
	}
	return deadlockRuns.Measure(ctx, single, seed)
}

func runDeadlock(ctx context.Context, run *experiment.Run, q DeadlockPoint) (deadlockResult, error) {
	var r deadlockResult
	finished, err := readState(q.State)
	if err != nil {
		return r, err
	}
	r.Runs = make([]DeadlockRun, q.Runs)
	for k := range q.Runs {
		at := k
		if q.shared() { // the last one first: DT's point comes from the other side
			at = q.Runs - 1 - k
		}
		number := q.First + at
		key := q.stateKey(number, run.Seed)
		line, ok := finished[key]
		if !ok {
			if line, err = q.one(ctx, number, run.Seed); err != nil {
				return r, err
			}
			if err := appendState(q.State, key, line); err != nil {
				return r, err
			}
		}
		r.Runs[at] = line
		run.Progress(uint64(k+1), uint64(q.Runs))
	}
	return r, nil
}

// stateKey names everything that decides a run.
func (q *DeadlockPoint) stateKey(number int, seed uint64) string {
	return fmt.Sprintf("%s %+v %g %d %s %g seed %d run %d", q.Scheme, q.Settings, q.Load, q.Lasts, q.Sizes,
		q.Memory, seed, number)
}

const stateHeader = "run,number,deadlock_ps,pauses,cycle"

// readState reads finished runs; a file that is not there has none. A last line without an end was cut off, and is
// taken out of the file.
func readState(path string) (map[string]DeadlockRun, error) {
	runs := map[string]DeadlockRun{}
	if path == "" {
		return runs, nil
	}
	b, err := input.Read(path, input.MostTrace)
	if errors.Is(err, os.ErrNotExist) {
		return runs, nil
	}
	if err != nil {
		return nil, err
	}
	text := string(b)
	if text = text[:strings.LastIndexByte(text, '\n')+1]; len(text) < len(b) {
		if err := os.Truncate(path, int64(len(text))); err != nil {
			return nil, err
		}
	}
	sc := bufio.NewScanner(strings.NewReader(text))
	for n := 1; sc.Scan(); n++ {
		fields := strings.Split(sc.Text(), ",")
		if len(fields) != 5 {
			return nil, fmt.Errorf("%s:%d: %d fields, want the 5 of %q", path, n, len(fields), stateHeader)
		}
		number, err := strconv.Atoi(fields[1])
		at, err2 := strconv.ParseInt(fields[2], 10, 64)
		pauses, err3 := strconv.ParseInt(fields[3], 10, 64)
		if err := errors.Join(err, err2, err3); err != nil {
			return nil, fmt.Errorf("%s:%d: %q: want three whole numbers after the run", path, n, sc.Text())
		}
		runs[fields[0]] = DeadlockRun{Run: number, At: spfc.Time(at), Pauses: pauses, Cycle: fields[4]}
	}
	return runs, sc.Err()
}

// appendState adds a run in one write.
func appendState(path, key string, r DeadlockRun) error {
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(file, "%s,%d,%d,%d,%s\n", key, r.Run, int64(r.At), r.Pauses, r.Cycle)
	return errors.Join(err, file.Close())
}

// batch is how many runs a point has, so that an interrupted experiment has finished points.
const batch = 10

// deadlockTest is Figure 17: how often buffers wait for each other for ever.
var deadlockTest = experiment.Define(experiment.Spec[deadlockParams, DeadlockPoint, deadlockResult]{
	Name: "deadlock", Short: "Deadlocks of a pod with two failed links", Source: "SPFC §VII-D, Figures 17, 18",
	Long: "A pod of 64 hosts whose links L0-T3 and L1-T0 have failed, all-to-all flows of a published distribution, and " +
		"how many runs meet a deadlock: a circle of paused ports that no packet can leave, looked for every 100 us. The " +
		"paper has 1,000 runs of each; with --state they can be interrupted and taken up again.",
	Examples: []string{"deadlock --runs 20", "deadlock --runs 1000 --state deadlock.csv"},
	Defaults: deadlockDefaults(),
	Check: func(p *deadlockParams) error {
		return p.CheckFlows(p.Sizes, p.Schemes...)
	},
	Points: func(p *deadlockParams, seed uint64) ([]experiment.Point[DeadlockPoint], error) {
		lasts, err := spfc.Picoseconds(p.Lasts)
		if err != nil {
			return nil, fmt.Errorf("--lasts: %w", err)
		}
		dt := slices.Contains(p.Schemes, fmt.Sprintf("dt%g", p.Alpha))
		var qs []DeadlockPoint
		for first := 0; first < p.Runs; first += batch {
			for _, c := range p.Controls {
				for _, s := range p.Schemes {
					q := DeadlockPoint{p.Settings, s, p.First + first, min(batch, p.Runs-first), p.Load, lasts, p.Sizes, p.Memory,
						p.State, s == "spfc" && !dt}
					q.Control = c
					qs = append(qs, q)
				}
			}
		}
		return experiment.Each(seed, qs...), nil
	},
	Run: runDeadlock, Report: reportDeadlock,
})

// deadlockDefaults is the paper's point, but for the number of runs.
func deadlockDefaults() deadlockParams {
	return deadlockParams{
		Settings: spfc.DefaultSettings(), Schemes: []string{"dt2", "spfc"}, Controls: []string{"dcqcn", "timely"},
		Runs: 10, Load: printedLoad, Lasts: clock.MustTime("10ms"), Sizes: "websearch", Memory: 32,
	}
}

// share is a part of some runs with its 95 % interval by Wilson.
type share struct{ n, of int }

func (s share) interval() (low, high float64) {
	const z = 1.959964
	n, p := float64(s.of), float64(s.n)/float64(s.of)
	middle, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, (middle-half)/(1+z*z/n)), min(1, (middle+half)/(1+z*z/n))
}

// fig17 is what the paper prints of Figure 17, by congestion control and buffer manager.
var fig17 = map[[2]string]string{
	{"dcqcn", "dt2"}: "0.612", {"dcqcn", "spfc"}: "0.237", {"timely", "dt2"}: "0.538", {"timely", "spfc"}: "0.209",
}

// printed returns the paper's share of runs with a deadlock; nothing of another point than the paper's.
func (p *deadlockParams) printed(control, scheme string) string {
	own, papers := p.Settings, deadlockDefaults()
	own.Control = papers.Control
	if own.TC.Cmp(papers.TC) == 0 {
		own.TC = papers.TC // two times of one length are not ==
	}
	if own != papers.Settings || p.Load != papers.Load || p.Lasts.Cmp(papers.Lasts) != 0 || p.Sizes != papers.Sizes ||
		p.Memory != papers.Memory {
		return ""
	}
	return fig17[[2]string{control, scheme}]
}

func reportDeadlock(p *deadlockParams,
	done []experiment.Result[DeadlockPoint, deadlockResult]) (*experiment.Report, error) {
	r := &experiment.Report{}
	t := &experiment.Table{
		Name: "deadlock",
		Columns: experiment.Columns(
			"Control", "", "Scheme", "", "Runs", "", "Deadlocks", "", "Share", "%.3f", "from", "%.3f", "to", "%.3f",
			"Paper", "", "PAUSEs a run", "%.0f", "A cycle", "",
		),
	}
	var series []plots.Series
	for _, c := range p.Controls {
		for _, s := range p.Schemes {
			var x share
			var pauses int64
			cycle := ""
			var times []float64
			for _, d := range done {
				if d.Point.Control != c || d.Point.Scheme != s {
					continue
				}
				for _, run := range d.Value.Runs {
					x.of++
					pauses += run.Pauses
					if run.At >= 0 {
						x.n++
						cycle = run.Cycle
						times = append(times, spfc.Microseconds(run.At)/1000)
					}
				}
			}
			if x.of == 0 {
				continue
			}
			low, high := x.interval()
			t.Row(c, s, x.of, x.n, float64(x.n)/float64(x.of), low, high, p.printed(c, s), float64(pauses)/float64(x.of), cycle)
			if len(times) > 0 {
				series = append(series, plots.CDF(c+" "+s, times))
			}
		}
	}
	r.Table(t)
	if len(series) > 0 {
		r.Chart(experiment.Chart{Lines: &plots.Chart{Title: "When deadlocks come (Figure 17b)", X: "ms",
			Y: "share of the deadlocks", Series: series}})
	}
	return r, nil
}

package study

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/spfc"
)

// sweepParams are what the paper leaves open in §III, each with several values.
type sweepParams struct {
	Bursts      []int        `flag:"n" min:"1" max:"29" help:"hosts that send bursts"`
	Schemes     []string     `flag:"scheme" help:"buffer managers: dt1, dt2, dt4, st, spfc, pinned"`
	Timers      []string     `flag:"timers" choices:"card,paper,publication" help:"DCQCN's timers"`
	First       []bool       `flag:"first-later" help:"whether DCQCN's first decrease waits for its timer"`
	Keep        []bool       `flag:"keep-target" help:"whether a further cut of DCQCN keeps the target rate until the rate was raised"`
	Headroom    []string     `flag:"headroom" choices:"carved,apart,triple" help:"out of the buffer or beside it"`
	Arbitration []string     `flag:"arbitration" choices:"fifo,fair,round-robin" help:"how an egress port serves ingress ports"`
	Mark        []string     `flag:"mark" choices:"departure,arrival" help:"when packets are marked"`
	K           []int        `flag:"k" min:"1" max:"1000" help:"K of SPFC"`
	TC          []clock.Time `flag:"tc" min:"1us" max:"100ms" help:"timeout clock of SPFC"`
	Offsets     int          `flag:"offsets" min:"2" max:"100" help:"begins of the bursts, spread over one TC, and seeds of the marks"`
	Lasts       clock.Time   `flag:"lasts" min:"10us" max:"100ms" help:"how long the bursts last"`
}

// sweepPoint is one setting, whose offsets are its sample.
type sweepPoint struct {
	BurstPoint
	Offsets int `json:"offsets"`
}

// sweepResult has the figures of a setting over its offsets.
type sweepResult struct {
	Pauses   measure.Interval `json:"pauses"`
	F1       measure.Interval `json:"f1_gbps"`
	Recovery measure.Interval `json:"recovery_us"`
	Least    float64          `json:"least_f1_gbps"`
}

// sweep shows which of §III's statements depend on parameters that the paper does not state.
var sweep = experiment.Define(experiment.Spec[sweepParams, sweepPoint, sweepResult]{
	Name: "sweep", Checkpoints: true, Short: "Section III under all that the paper leaves open", Source: "SPFC §III",
	Long: "Every combination of the values given, each over several begins of the bursts, with 95 % intervals. K and TC " +
		"vary for spfc only. The last table counts in how many settings each statement of §III holds.",
	Examples: []string{"sweep --n 24 --timers paper --offsets 8", "sweep --scheme spfc --k 3,5,7,9 --tc 80us,160us,320us"},
	Defaults: sweepParams{Bursts: []int{8, 24}, Schemes: []string{"dt2", "st", "spfc", "pinned"},
		Timers: []string{"card", "paper"}, First: []bool{false, true},
		Keep: []bool{false, true}, Headroom: []string{"carved", "apart", "triple"}, Arbitration: []string{"fifo", "fair"},
		Mark: []string{"departure"}, K: []int{5},
		TC: []clock.Time{clock.MustTime("80us"), clock.MustTime("320us")}, Offsets: 3, Lasts: clock.MustTime("11ms")},
	Check: func(p *sweepParams) error {
		s := spfc.DefaultSettings()
		return s.Check(p.Schemes...)
	},
	Points: sweepPoints, Run: runSweep, Report: reportSweep,
})

func sweepPoints(p *sweepParams, seed uint64) ([]experiment.Point[sweepPoint], error) {
	lasts, err := spfc.Picoseconds(p.Lasts)
	if err != nil {
		return nil, fmt.Errorf("--lasts: %w", err)
	}
	var qs []sweepPoint
	add := func(s spfc.Settings) {
		for _, n := range p.Bursts {
			for _, scheme := range p.Schemes {
				for i, k := range p.K {
					for j, tc := range p.TC {
						if scheme != "spfc" && i+j > 0 {
							continue
						}
						s.K, s.TC = k, tc
						qs = append(qs, sweepPoint{BurstPoint{Settings: s, Bursts: n, Scheme: scheme, Lasts: lasts,
							Far: 9 * spfc.Microsecond, Congest: 1}, p.Offsets})
					}
				}
			}
		}
	}
	for _, timers := range p.Timers {
		for _, first := range p.First {
			if first && timers == "publication" {
				continue // its decreases have no timer
			}
			for _, keep := range p.Keep {
				for _, headroom := range p.Headroom {
					for _, arbitration := range p.Arbitration {
						for _, mark := range p.Mark {
							s := spfc.DefaultSettings()
							s.Timers, s.FirstLater, s.KeepTarget = timers, first, keep
							s.Headroom, s.Arbitration, s.Mark = headroom, arbitration, mark
							add(s)
						}
					}
				}
			}
		}
	}
	if len(qs) > 100_000 {
		return nil, fmt.Errorf("%d settings, want at most 100,000", len(qs))
	}
	return experiment.Each(seed, qs...), nil
}

// sweepRun is the sample so far.
type sweepRun struct{ pauses, f1, recovery []float64 }

func runSweep(ctx context.Context, run *experiment.Run, q sweepPoint) (sweepResult, error) {
	var x sweepRun
	tc, err := spfc.Picoseconds(q.TC)
	if err != nil {
		return sweepResult{}, err
	}
	for k := range q.Offsets {
		if run.Passed() {
			continue
		}
		b := q.BurstPoint
		b.Offset = tc * spfc.Time(k) / spfc.Time(q.Offsets)
		r, err := runOneBurst(ctx, run, b, run.Seed+uint64(k), &x)
		if err != nil {
			return sweepResult{}, err
		}
		x.pauses, x.f1, x.recovery = append(x.pauses, float64(r.Pauses)), append(x.f1, r.F1Gbps),
			append(x.recovery, spfc.Microseconds(r.Recovery))
		run.Progress(uint64(k+1), uint64(q.Offsets))
	}
	return sweepResult{measure.Mean(x.pauses), measure.Mean(x.f1), measure.Mean(x.recovery), slices.Min(x.f1)}, nil
}

// key is a setting without its scheme: statements compare the schemes of one key.
func (q *sweepPoint) key() string {
	return fmt.Sprint(q.Bursts, " ", strings.Join(q.values()[1:7], " "))
}

// statement is one of §III's about a setting. Spfc is the circuit under the point's own K and TC.
type statement struct {
	text string
	of   string // the scheme it is about, and which is compared with the rest
	ok   func(x sweepResult, by map[string]sweepResult) bool
}

var statements = []statement{
	{"DT pauses the victim's port (Fig. 4a)", "dt2",
		func(x sweepResult, _ map[string]sweepResult) bool { return x.Pauses.Mean > 0 }},
	{"F1 loses more than 10 % under DT (Fig. 4b)", "dt2",
		func(x sweepResult, _ map[string]sweepResult) bool { return x.F1.Mean < 90 }},
	{"F1 loses 80 % under DT (Fig. 4b)", "dt2",
		func(x sweepResult, _ map[string]sweepResult) bool { return x.F1.Mean <= 20 }},
	{"the pinned threshold avoids all PAUSEs of P0 (§IV-E)", "pinned",
		func(x sweepResult, _ map[string]sweepResult) bool { return x.Pauses.Mean == 0 }},
	{"with it F1 is recovered in 1 ms (Fig. 6a)", "pinned",
		func(x sweepResult, _ map[string]sweepResult) bool { return x.Recovery.Mean <= 1000 }},
	{
		"F1 has more with it than under DT, or no less than 99 % of the line",
		"pinned",
		func(x sweepResult, by map[string]sweepResult) bool {
			return x.F1.Mean > by["dt2"].F1.Mean || x.F1.Mean >= 98
		},
	},
	{"the circuit pauses P0 less often than DT, or never", "spfc", func(x sweepResult, by map[string]sweepResult) bool {
		return x.Pauses.Mean == 0 || x.Pauses.Mean < by["dt2"].Pauses.Mean
	}},
	{"F1 has as much with the circuit as under DT", "spfc",
		func(x sweepResult, by map[string]sweepResult) bool { return x.F1.Mean >= by["dt2"].F1.Mean-0.1 }},
}

func reportSweep(p *sweepParams, done []experiment.Result[sweepPoint, sweepResult]) (*experiment.Report, error) {
	r := &experiment.Report{}
	t := &experiment.Table{
		Name: "sweep",
		Columns: experiment.Columns(
			"N", "", "Timers", "", "First later", "", "Target kept", "", "Headroom", "", "Arbitration", "", "Mark", "",
			"Scheme", "", "K", "", "TC", "", "PAUSEs of P0", "%.1f", "±", "%.1f", "F1 Gb/s", "%.2f", "±", "%.2f",
			"Recovery us", "%.0f", "±", "%.0f",
		),
	}
	by := map[string]map[string]sweepResult{}
	for _, d := range done {
		q, v := d.Point, d.Value
		t.Row(q.Bursts, q.Timers, q.FirstLater, q.KeepTarget, q.Headroom, q.Arbitration, q.Mark, q.Scheme, q.K,
			q.TC.String(), v.Pauses.Mean, v.Pauses.Half, v.F1.Mean, v.F1.Half,
			v.Recovery.Mean, v.Recovery.Half)
		if by[q.key()] == nil {
			by[q.key()] = map[string]sweepResult{}
		}
		by[q.key()][q.Scheme] = v
	}
	r.Table(t)
	s := &experiment.Table{Name: "statements", Columns: experiment.Columns("Statement", "", "Holds in", "", "Settings",
		"", "With", "")}
	for _, st := range statements {
		holds, n := 0, 0
		where := map[string][2]int{}
		for _, d := range done {
			q := d.Point
			others := by[q.key()]
			if _, ok := others["dt2"]; q.Scheme != st.of || !ok {
				continue
			}
			yes := 0
			if st.ok(d.Value, others) {
				yes = 1
			}
			holds, n = holds+yes, n+1
			for _, w := range q.values() {
				c := where[w]
				where[w] = [2]int{c[0] + yes, c[1] + 1}
			}
		}
		if n > 0 {
			s.Row(st.text, holds, n, shares(where, n))
		}
	}
	r.Table(s)
	return r, nil
}

// values are the settings of a point by name.
func (q *sweepPoint) values() []string {
	first := "at once"
	if q.FirstLater {
		first = "later"
	}
	target := "target cut"
	if q.KeepTarget {
		target = "target kept"
	}
	all := []string{fmt.Sprintf("N=%d", q.Bursts), q.Timers, first, target, q.Headroom, q.Arbitration, q.Mark}
	if q.Scheme == "spfc" {
		all = append(all, fmt.Sprintf("K=%d", q.K), "TC="+q.TC.String())
	}
	return all
}

// shares lists how often a statement holds with each value of a varied parameter.
func shares(where map[string][2]int, all int) string {
	var names []string
	for w, c := range where {
		if c[1] < all {
			names = append(names, fmt.Sprintf("%s %d/%d", w, c[0], c[1]))
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

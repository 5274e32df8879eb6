package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/workload/measure"
)

// matchingParams are what the flags of the experiment matching set.
type matchingParams struct {
	Densities []density `flag:"density" each:"Density" help:"share of all pairs demanded, 1e-06 to 1, or one; several with commas"`
	Ports     []int     `flag:"ports" each:"Ports" min:"1" max:"1024" help:"ports of the scheduler; several with commas"`
	matchingPoint
}

// matchingPoint is one scheduler and one kind of demand.
type matchingPoint struct {
	Ports   int     `flag:"-" json:"ports"`
	Density density `flag:"-" json:"density"`
	Sizes   Sizes   `flag:"sizes" choices:"independent,equal,source" help:"what the messages' sizes have in common" json:"sizes"`
	Cycles  uint64  `flag:"cycles" min:"1" max:"10000000000" help:"cycles of the scheduler for each number of ports and density, at least" json:"cycles"`
}

// density is the share of all pairs that is demanded; 0 is one message a source.
type density float64

// leastDensity keeps the demand of the smallest scheduler from being drawn for ever.
const leastDensity = 1e-6

func (d density) String() string {
	if d == 0 {
		return "one"
	}
	return strconv.FormatFloat(float64(d), 'g', -1, 64)
}

// MarshalText implements [encoding.TextMarshaler].
func (d density) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a share, or "one".
func (d *density) UnmarshalText(text []byte) error {
	if string(text) == "one" {
		*d = 0
		return nil
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(f >= leastDensity && f <= 1) { // nor NaN
		return fmt.Errorf("%s: want a number from %g to 1, or one", experiment.Quote(string(text)), leastDensity)
	}
	*d = density(f)
	return nil
}

// matchingResult is the result of [MeasureIterations], and its consequences.
type matchingResult struct {
	*Iterations `json:"-"`

	Clock     clock.Freq       `json:"clock"`
	Log2      float64          `json:"log2_ports"`
	Cycles    uint64           `json:"scheduler_cycles"`
	Matchings uint64           `json:"matchings"`
	Demanded  float64          `json:"mean_demanded_pairs"`
	Schemes   []matchingScheme `json:"schemes"`
}

type matchingScheme struct {
	Name       string       `json:"name"`
	Counted    string       `json:"cycles_counted"`
	Pairs      float64      `json:"mean_pairs"`
	Iterations matchingDist `json:"iterations"`
	Cycles     matchingDist `json:"cycles"`
	Mean       float64      `json:"mean_ns"`
}

type matchingDist struct {
	Mean      float64           `json:"mean"`
	P50       uint64            `json:"p50"`
	P99       uint64            `json:"p99"`
	Max       uint64            `json:"max"`
	Histogram measure.Histogram `json:"histogram"` // by value, from 0
}

func summary(d *measure.Histogram) matchingDist {
	return matchingDist{d.Mean(), d.Quantile(0.5), d.Quantile(0.99), d.Max, *d}
}

// matching counts iterations and cycles of the scheduler of §3.1.2.
var matching = experiment.Define(experiment.Spec[matchingParams, matchingPoint, matchingResult]{
	Name: "matching", Aliases: []string{"matching"}, Waves: true, Checkpoints: true,
	Short: "Count the iterations in which EDM's scheduler forms maximal matchings", Source: "§3.1.2, §3.1.3",
	Long: `Run EDM's central scheduler (§3.1.2) clock edge by clock edge and let it form one matching after another, each
of a fresh random demand with all circuits released at once. Count iterations, and cycles from the edge of the first
request to that of the last accept, beside plain PIM and iSLIP on the same demands and beside log2 N. PIM and iSLIP
are no modules: their cycles are 3 an iteration. Every matching is checked to be one, and maximal.

A density is the share of all pairs that is demanded; "one" is one message a source, for a random destination. Sizes
are priorities: "independent" draws each message's by itself, "equal" leaves the order to age, and with "source" every
destination prefers the same source, for which no matching with priorities has an answer but an iteration a pair.`,
	Examples: []string{"matching", "matching --ports 2,16,144,512 --density 0.1,0.5,1,one --plot iterations.svg",
		"matching --ports 64 --sizes source --cycles 100000 --json"},
	Defaults: matchingParams{
		Ports: []int{2, 16, 144, 512}, Densities: []density{0.5}, matchingPoint: matchingPoint{Cycles: 1_000_000},
	},
	Points: func(p *matchingParams, seed uint64) ([]experiment.Point[matchingPoint], error) {
		ordered := *p
		ordered.Ports = slices.Compact(slices.Sorted(slices.Values(p.Ports)))
		return experiment.Each(seed, experiment.Grid[matchingPoint](&ordered)...), nil
	},
	Run:    runMatching,
	Report: reportMatching,
})

func runMatching(ctx context.Context, run *experiment.Run, q matchingPoint) (matchingResult, error) {
	x, err := MeasureIterations(
		ctx,
		IterationsConfig{
			Ports: q.Ports, Density: float64(q.Density), Sizes: q.Sizes, Cycles: q.Cycles, Seed: run.Seed, Run: run,
			Progress: func(done uint64) { run.Progress(done, q.Cycles) },
		},
	)
	if err != nil {
		return matchingResult{}, err
	}
	n := float64(x.Matchings)
	r := matchingResult{
		Iterations: x, Clock: x.Clock, Log2: math.Log2(float64(q.Ports)), Cycles: x.Cycles, Matchings: x.Matchings,
		Demanded: float64(x.Demanded) / n,
	}
	period, _ := x.Clock.Period().In(clock.Nanosecond).Float64()
	for _, s := range []struct {
		name, counted string
		f             Formed
	}{{"EDM", "between edges", x.EDM}, {"PIM", "3 an iteration", x.PIM}, {"iSLIP", "3 an iteration", x.ISLIP}} {
		r.Schemes = append(
			r.Schemes,
			matchingScheme{
				s.name, s.counted, float64(s.f.Pairs) / n, summary(&s.f.Iterations), summary(&s.f.Cycles),
				s.f.Cycles.Mean() * period,
			},
		)
	}
	return r, nil
}

func reportMatching(
	p *matchingParams, done []experiment.Result[matchingPoint, matchingResult],
) (*experiment.Report, error) {
	r := &experiment.Report{}
	r.Linef(
		"Iterations to a maximal matching; %s sizes, seed %d, scheduler at %s. Every matching was checked.", p.Sizes,
		done[0].Seed, done[0].Value.Clock,
	)
	r.Linef("Cycles are counted between edges for EDM; for PIM and iSLIP they stand for 3 an iteration.")
	r.Linef("")
	t := &experiment.Table{
		Name: "matchings",
		Columns: experiment.Columns(
			"Ports", "", "Density", "", "log2 N", "%.2f", "Scheme", "", "Matchings", "", "Pairs", "%.1f", "Iterations",
			"%.3f", "p50", "", "p99", "", "Max", "", "Cycles", "%.2f", "p99", "", "Max", "", "ns", "%.2f",
			"Histogram of iterations", "",
		),
	}
	chart := plots.Chart{
		Title: "Iterations to a maximal matching", X: "ports", Y: "iterations, mean and 95 % interval", LogX: true,
	}
	index := map[string]int{}
	log := plots.Series{Name: "log2 N (the paper's ~log N)", Dashed: true}
	for _, d := range done {
		v := d.Value
		if d.Point.Density == done[0].Point.Density {
			log.X, log.Y = append(log.X, float64(d.Point.Ports)), append(log.Y, v.Log2)
		}
		for _, s := range v.Schemes {
			t.Row(
				d.Point.Ports, d.Point.Density.String(), v.Log2, s.Name, v.Matchings, s.Pairs, s.Iterations.Mean,
				s.Iterations.P50, s.Iterations.P99, s.Iterations.Max, s.Cycles.Mean, s.Cycles.P99, s.Cycles.Max, s.Mean,
				histogram(s.Iterations.Histogram.Counts()),
			)
			name := fmt.Sprintf("%s, density %s", s.Name, d.Point.Density)
			i, ok := index[name]
			if !ok {
				i = len(chart.Series)
				index[name] = i
				chart.Series = append(chart.Series, plots.Series{Name: name})
			}
			c := &chart.Series[i]
			reach := s.Iterations.Histogram.Reach()
			c.X, c.Y = append(c.X, float64(d.Point.Ports)), append(c.Y, s.Iterations.Mean)
			c.Low, c.High = append(c.Low, s.Iterations.Mean-reach), append(c.High, s.Iterations.Mean+reach)
		}
	}
	chart.Series = append(chart.Series, log)
	r.Table(t)
	r.Chart(experiment.Chart{Name: "iterations", Lines: &chart})
	return r, nil
}

// histogram prints the values seen and how often, the first few of many.
func histogram(counts []uint64) string {
	const most = 8
	s, shown, left := "", 0, 0
	for value, n := range counts {
		switch {
		case n == 0:
		case shown == most:
			left++
		default:
			if shown++; shown > 1 {
				s += " "
			}
			s += fmt.Sprintf("%d:%d", value, n)
		}
	}
	if left > 0 {
		s += fmt.Sprintf(", %d more", left)
	}
	return s
}

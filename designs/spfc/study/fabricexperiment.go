package study

import (
	"context"
	"fmt"
	"math"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/workload"
	"github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/spfc"
)

// fabricParams are the parameters of §VII-D's normal pods.
type fabricParams struct {
	spfc.Settings
	Pods    int        `flag:"pods" min:"1" max:"8" help:"of 64 hosts; the paper has 8"`
	Failed  bool       `flag:"failed" help:"one pod with the failed links of Figure 17a, in place of --pods"`
	Schemes []string   `flag:"scheme" help:"buffer managers: dt1, dt2, dt4, st, spfc"`
	Loads   []float64  `flag:"load" min:"0.01" max:"2" help:"of the ToRs' down-links"`
	Runs    int        `flag:"runs" min:"1" max:"1000" help:"independent runs"`
	Lasts   clock.Time `flag:"lasts" min:"100us" max:"10s" help:"arrivals of flows; a run goes on for half as long again"`
	Sizes   string     `flag:"sizes" help:"a published distribution: websearch (W1), fbhadoop (W2)"`
	Memory  float64    `flag:"memory" min:"1" max:"1000" unit:"MB" help:"of a switch"`
}

// FabricPoint is one run.
type FabricPoint struct {
	spfc.Settings
	Pods   int       `json:"pods"`
	Failed bool      `json:"failed"`
	Scheme string    `json:"scheme"`
	Load   float64   `json:"load"`
	Lasts  spfc.Time `json:"lasts_ps"`
	Sizes  string    `json:"sizes"`
	Memory float64   `json:"memory_mb"`
}

// fabricResult is what the flows saw.
type fabricResult struct {
	Flows    int         `json:"flows"`
	Pauses   int64       `json:"pauses"`
	Events   int64       `json:"events"`
	Most     int64       `json:"most_stored"` // in a switch
	FCT      [4]classFCT `json:"fct"`
	Deadlock string      `json:"deadlock,omitempty"`

	open bool // no switch's manager has decided anything: see openAll
}

// fabric is a point's network with its flows.
func (q *FabricPoint) fabric(seed uint64) (*spfc.Fabric, error) {
	table, err := workload.ParseSizes(q.Sizes)
	if err != nil {
		return nil, err
	}
	top := spfc.Clos(q.Pods)
	if q.Failed {
		top = spfc.DeadlockPod()
	}
	top.Buffer = int64(q.Memory * 1e6)
	sc, err := q.Build(top, q.Scheme, seed)
	if err != nil {
		return nil, err
	}
	sc.TIMELY.LeastRTT = spfc.ClosRTT
	sc.Flows = allToAll(top.Hosts, table, q.Load, spfc.Gbps100, q.Lasts, q.CongestionControl(), seed)
	return spfc.NewFabric(&sc)
}

func runFabric(ctx context.Context, run *experiment.Run, q FabricPoint) (fabricResult, error) {
	var r fabricResult
	f, err := q.fabric(run.Seed)
	if err != nil {
		return r, err
	}
	if err := runInParts(ctx, run, f, q.Lasts*3/2); err != nil {
		return r, err
	}
	if d := f.Deadlocked(); d != nil {
		r.Deadlock = d.String()
	}
	r.Flows, r.Events = len(f.Traffic.Flows), f.Net.Events
	for _, s := range f.Switches {
		r.Pauses += s.Manager().Counts.Pauses
		r.Most = max(r.Most, s.Manager().Counts.MaxStored)
	}
	r.FCT, r.open = slowdowns(f, func(int) bool { return true }), f.OpenAll()
	return r, nil
}

// fabricTest is §VII-D: all-to-all traffic of a fabric.
var fabricTest = experiment.Define(experiment.Spec[fabricParams, FabricPoint, fabricResult]{
	Name: "fabric", Checkpoints: true, Short: "All-to-all traffic of up to 512 hosts: completion times and goodput",
	Source: "SPFC §VII-D, Figures 15, 16, 18, Table III",
	Long: "Pods of 2 leaves, 4 ToRs and 64 hosts, 4 spines, 100 Gb/s below the ToRs and 400 Gb/s above, ECMP. Flows of " +
		"a published distribution start between random hosts. 512 hosts at load 0.5 take two to four seconds of CPU " +
		"a millisecond.",
	Examples: []string{"fabric --pods 1 --load 0.5", "fabric --load 0.1,0.3,0.5,0.7,0.9 --runs 3",
		"fabric --failed --sizes fbhadoop"},
	Defaults: fabricParams{Settings: spfc.DefaultSettings(), Pods: 8, Schemes: []string{"dt2", "st", "spfc"},
		Loads: []float64{0.5}, Runs: 1, Lasts: clock.MustTime("10ms"),
		Sizes: "websearch", Memory: 32},
	Check: func(p *fabricParams) error {
		return p.CheckFlows(p.Sizes, p.Schemes...)
	},
	Points: func(p *fabricParams, seed uint64) ([]experiment.Point[FabricPoint], error) {
		lasts, err := spfc.Picoseconds(p.Lasts)
		if err != nil {
			return nil, fmt.Errorf("--lasts: %w", err)
		}
		var points []experiment.Point[FabricPoint]
		for _, l := range p.Loads {
			for _, s := range p.Schemes {
				points = append(points, repeat(FabricPoint{p.Settings, p.Pods, p.Failed, s, l, lasts, p.Sizes, p.Memory}, p.Runs,
					seed)...)
			}
		}
		return points, nil
	},
	Run: runFabric, Report: reportFabric,
})

func reportFabric(p *fabricParams, done []experiment.Result[FabricPoint, fabricResult]) (*experiment.Report, error) {
	r := &experiment.Report{}
	t := &experiment.Table{
		Name: "fabric",
		Columns: experiment.Columns(
			"Load", "", "Scheme", "", "Runs", "", "Size", "", "Flows", "%.0f", "Mean slowdown", "%.2f", "±", "%.2f",
			"99 %", "%.2f", "±", "%.2f", "Gb/s", "%.2f", "±", "%.2f", "PAUSEs", "%.1f",
		),
	}
	var large []plots.Series
	for of := range byPoint(done) {
		q := of[0].Point
		pauses := over(of, func(v fabricResult) float64 { return float64(v.Pauses) })
		for c, class := range sizeClasses {
			get := func(figure func(classFCT) float64) (float64, float64) {
				x := over(of, func(v fabricResult) float64 { return figure(v.FCT[c]) })
				return x.Mean, x.Half
			}
			n, _ := get(func(x classFCT) float64 { return float64(x.Flows) })
			mean, meanHalf := get(func(x classFCT) float64 { return x.Mean })
			p99, p99Half := get(func(x classFCT) float64 { return x.P99 })
			rate, rateHalf := get(func(x classFCT) float64 { return x.Gbps })
			t.Row(q.Load, q.Scheme, len(of), class.Name, n, mean, meanHalf, p99, p99Half, rate, rateHalf, pauses.Mean)
			if class.Most == math.MaxInt64 {
				large = addPoint(large, q.Scheme, q.Load, measure.Interval{Mean: mean, Half: meanHalf, Runs: len(of)})
			}
		}
		for _, d := range of {
			if d.Value.Deadlock != "" {
				r.Linef("Load %g, %s, seed %d: deadlock %s.", q.Load, q.Scheme, d.Seed, d.Value.Deadlock)
			}
		}
	}
	r.Table(t)
	if len(p.Loads) > 1 {
		r.Chart(experiment.Chart{Lines: &plots.Chart{Title: "Mean slowdown of flows above 1 MB", X: "load",
			Y: "slowdown", Series: large}})
	}
	return r, nil
}

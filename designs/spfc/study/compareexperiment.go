package study

import (
	"context"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"

	"github.com/goldwire/goldwire/designs/spfc"
)

// compareParams are the parameters of §VII-D's comparisons.
type compareParams struct {
	spfc.Settings
	Figures []string   `flag:"figure" choices:"table3,fig15,fig16,fig18" help:"what to compare"`
	Pods    int        `flag:"pods" min:"1" max:"8" help:"of 64 hosts, of the normal fabric; the paper has 8"`
	Loads   []float64  `flag:"load" min:"0.01" max:"2" help:"of the ToRs' down-links, of Figures 15 and 16; the others have 0.5, and these loads with --all-loads"`
	All     bool       `flag:"all-loads" help:"Table III and Figure 18 at --load as well"`
	Runs    int        `flag:"runs" min:"2" max:"1000" help:"seeds; a run of SPFC is compared with that of the same flows"`
	Lasts   clock.Time `flag:"lasts" min:"100us" max:"10s" help:"arrivals of flows; a run goes on for half as long again"`
	Memory  float64    `flag:"memory" min:"1" max:"1000" unit:"MB" help:"of a switch"`
}

// ComparePoint is one run of a figure.
type ComparePoint struct {
	FabricPoint
	Figure string `json:"figure"`
}

// printedLoad is the load of Table III and of Figure 18.
const printedLoad = 0.5

// figurePoints are a figure's runs with one seed.
func (p *compareParams) figurePoints(figure string) ([]ComparePoint, error) {
	lasts, err := spfc.Picoseconds(p.Lasts)
	if err != nil {
		return nil, fmt.Errorf("--lasts: %w", err)
	}
	controls, sizes, schemes, loads := []string{"dcqcn", "timely"}, []string{"websearch", "fbhadoop"},
		[]string{"spfc", "dt2", "st"}, []float64{printedLoad}
	switch figure {
	case "table3":
		schemes = []string{"spfc", "dt1", "dt2", "dt4", "st"}
	case "fig15":
		controls, sizes = controls[:1], sizes[:1]
	case "fig16":
		controls, sizes = controls[1:], sizes[:1]
	}
	if p.All || figure == "fig15" || figure == "fig16" {
		loads = p.Loads
	}
	var qs []ComparePoint
	for _, c := range controls {
		for _, w := range sizes {
			for _, l := range loads {
				for _, s := range schemes {
					q := ComparePoint{FabricPoint{p.Settings, p.Pods, figure == "fig18", s, l, lasts, w, p.Memory}, figure}
					q.Control = c
					qs = append(qs, q)
				}
			}
		}
	}
	return qs, nil
}

func comparePoints(p *compareParams, seed uint64) ([]experiment.Point[ComparePoint], error) {
	var points []experiment.Point[ComparePoint]
	for i, figure := range p.Figures {
		if slices.Contains(p.Figures[:i], figure) {
			continue
		}
		qs, err := p.figurePoints(figure)
		if err != nil {
			return nil, err
		}
		for _, q := range qs {
			points = append(points, repeat(q, p.Runs, seed)...)
		}
	}
	return points, nil
}

// runCompare runs a point, or has what DT with alpha 1 has shown of it.
func runCompare(ctx context.Context, run *experiment.Run, q ComparePoint) (fabricResult, error) {
	if q.Scheme == "dt2" || q.Scheme == "dt4" || q.Scheme == "spfc" && q.Alpha >= 1 {
		if !run.Passed() { // it is known that they differ
			least := q.FabricPoint
			least.Scheme = "dt1"
			if r, err := fabricTest.MeasureIn(ctx, run, least); err != nil || r.open {
				return r, err
			}
		}
	}
	return fabricTest.MeasureIn(ctx, run, q.FabricPoint)
}

// compare holds §VII-D's statements about SPFC, DT and ST against runs with several seeds.
var compare = experiment.Define(experiment.Spec[compareParams, ComparePoint, fabricResult]{
	Name: "compare", Checkpoints: true, Short: "SPFC against DT and ST over several seeds: what holds and what does not",
	Source: "SPFC §VII-D, Figures 15, 16, 18, Table III",
	Long: "All-to-all traffic under each buffer manager with the same flows, and what the paper says of the difference " +
		"beside the mean over the seeds with its 95 % interval. A statement holds if the interval is on its side of 0, " +
		"and as printed if the printed figure is in it. Runs in which DT with alpha 1 decides nothing are those of DT " +
		"with larger alphas and of SPFC, bit for bit, and are not run again. Figure 13's comparison is that of workload.",
	Examples: []string{"compare", "compare --figure table3,fig18 --runs 20",
		"compare --memory 8 --timers paper --all-loads --load 0.9"},
	Defaults: compareParams{Settings: spfc.DefaultSettings(), Figures: []string{"table3", "fig15", "fig16", "fig18"},
		Pods: 1, Loads: []float64{0.3, 0.5, 0.7, 0.9}, Runs: 5,
		Lasts: clock.MustTime("4ms"), Memory: 32},
	Check:  func(p *compareParams) error { return p.Check() },
	Points: comparePoints, Run: runCompare, Report: reportCompare,
})

package study

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/workload"
)

// applications are the disaggregated ones of Gao et al. (OSDI 2016) whose sizes are known; the paper has six.
func applications() []string {
	return []string{"hadoop", "spark", "sparksql", "graphlab", "memcached"}
}

// The skew of §7.4: a third of the nodes have 84 % of the flows among themselves.
const (
	busyNodes = 3 // one node in three is busy
	busyFlows = 0.84
)

// applicationsParams are the parameters of Figure 18.
type applicationsParams struct {
	ApplicationPoint
	Applications []string `flag:"applications" each:"Application" choices:"hadoop,spark,sparksql,graphlab,memcached" help:"whose sizes of flows"`
	Networks     []string `flag:"networks" each:"Network" help:"networks that carry the same flows: shoal, output-queued, dctcp, dcqcn, ndp, r2c2, or all"`
}

// ApplicationPoint is one application on one network.
type ApplicationPoint struct {
	NetworkParams
	Network     string  `flag:"-"`
	Application string  `flag:"-"`
	Flows       int     `flag:"flows" min:"10" max:"10000000" help:"flows of each application"`
	Interval    float64 `flag:"interval" min:"0.1" max:"1000000" unit:"ns" help:"mean time between the starts of two flows in the rack"`
}

// skewedFlows draws flows as §7.4 has them: a third of the nodes, drawn too, send 84 % of the flows to each other, and
// the others go between nodes that are not both of that third.
func skewedFlows(nodes, n int, sizes workload.Sizes, interval float64, seed uint64) []workload.Flow {
	rng := rand.New(rand.NewPCG(seed, 18))
	order := rng.Perm(nodes)
	third := nodes / busyNodes
	flows := make([]workload.Flow, n)
	at := 0.0
	for i := range flows {
		at += rng.ExpFloat64() * interval * 1000
		var from, to int
		if rng.Float64() < busyFlows {
			from, to = rng.IntN(third), rng.IntN(third-1)
			if to >= from {
				to++
			}
		} else {
			for from, to = 0, 0; from == to || from < third && to < third; {
				from, to = rng.IntN(nodes), rng.IntN(nodes)
			}
		}
		flows[i] = workload.Flow{
			ID: uint64(i), Source: order[from], Dest: order[to], Bytes: sizes.Draw(rng), Start: int64(at),
		}
	}
	return flows
}

func runApplication(ctx context.Context, run *experiment.Run, q ApplicationPoint) (peersResult, error) {
	sizes, err := workload.ParseSizes(q.Application)
	if err != nil {
		return peersResult{}, err
	}
	return carry(ctx, run, &q.NetworkParams, q.Network, skewedFlows(q.Nodes, q.Flows, sizes, q.Interval, run.Seed), 0)
}

// Applications is Figure 18: disaggregated applications on the rack, packet-switched networks and a torus.
var Applications = experiment.Define(experiment.Spec[applicationsParams, ApplicationPoint, peersResult]{
	Name: "applications", Checkpoints: true,
	Short:  "Disaggregated applications on the rack, packet-switched networks and a torus",
	Source: "Shoal Figures 18a, 18b",
	Long: "Flows of the sizes of published applications between nodes of which a third, drawn at random, has 84 % of " +
		"the flows within itself, 12.65 ns apart on average. Networks are those of peers.",
	Examples: []string{
		"applications --applications spark --networks shoal,ndp", "applications --interval 100 --flows 50000",
	},
	Defaults: applicationsParams{
		ApplicationPoint: ApplicationPoint{NetworkParams: defaultNetwork(), Flows: 10_000, Interval: 12.65},
		Networks:         []string{"shoal", "dctcp", "dcqcn", "ndp"}, Applications: applications(),
	},
	Check: func(p *applicationsParams) error {
		if p.Nodes < 2*busyNodes {
			return fmt.Errorf("--nodes %d, want at least %d", p.Nodes, 2*busyNodes)
		}
		return p.check(p.Networks)
	},
	Points: func(p *applicationsParams, seed uint64) ([]experiment.Point[ApplicationPoint], error) {
		all, err := *p, error(nil)
		all.Networks, err = networkNames(p.Networks)
		return experiment.Each(seed, experiment.Grid[ApplicationPoint](&all)...), err
	},
	Run: runApplication,
	Report: func(p *applicationsParams, done []experiment.Result[ApplicationPoint, peersResult]) (*experiment.Report,
		error) {
		r := &experiment.Report{}
		t := &experiment.Table{
			Name: "applications", Columns: append(experiment.Columns("Application", ""), resultColumns()...),
		}
		tail := &plots.BarChart{Title: "Completion of short flows, 99.9 %", Y: "µs", Groups: p.Applications}
		goodput := &plots.BarChart{Title: "Mean goodput of long flows", Y: "Gb/s", Groups: p.Applications}
		for _, d := range done {
			t.Row(append([]any{d.Point.Application}, resultRow(d.Point.Network, &d.Value)...)...)
			group := slices.Index(p.Applications, d.Point.Application)
			for _, b := range []struct {
				chart *plots.BarChart
				value float64
			}{{tail, d.Value.Short.P999 / 1e3}, {goodput, d.Value.LongGbps}} {
				i := slices.IndexFunc(b.chart.Series, func(s plots.BarSeries) bool { return s.Name == d.Point.Network })
				if i < 0 {
					i = len(b.chart.Series)
					b.chart.Series = append(
						b.chart.Series, plots.BarSeries{Name: d.Point.Network, Values: make([]float64, len(p.Applications))},
					)
				}
				b.chart.Series[i].Values[group] = b.value
			}
		}
		r.Table(t)
		for _, d := range done {
			saySteady(r, fmt.Sprintf("%s of %s", d.Point.Network, d.Point.Application), d.Value.Carried)
		}
		r.Chart(experiment.Chart{Name: "fct", Bars: tail})
		r.Chart(experiment.Chart{Name: "goodput", Bars: goodput})
		return r, nil
	},
})

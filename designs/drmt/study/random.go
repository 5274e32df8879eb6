package study

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/designs/drmt/schedule"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
)

// randomParams are the parameters of `goldwire run drmt random`.
type randomParams struct {
	Graphs int     `flag:"graphs" min:"1" max:"10000" help:"how many graphs"`
	Nodes  int     `flag:"nodes" min:"2" max:"400" help:"nodes of a graph before tables are split into match and action"`
	Edges  float64 `flag:"edges" min:"0" max:"20000" help:"edges of a graph on average"`
	Limit  int     `flag:"limit" min:"1" max:"1000000000" unit:"clauses" help:"clauses that the solver may learn for each program on each machine; then the bounds known so far are shown"`
}

// randomPoint is one graph; its seed is the point's.
type randomPoint struct {
	Nodes int
	Edges float64
	Limit int
}

// randomResult has the least number of processors or stages on each machine.
type randomResult struct {
	Operations, Edges     int
	RMT, Fine, IPC1, IPC2 schedule.Bound
}

// reduction is by how much dRMT at IPC 2 needs fewer processors than RMT stages, as a share, from the reached periods.
func (r randomResult) reduction() float64 {
	if r.RMT.High == 0 || r.IPC2.High == 0 {
		return 0
	}
	return 1 - float64(r.IPC2.High)/float64(r.RMT.High)
}

// randomExperiment is Figure 6.
var randomExperiment = experiment.Define(experiment.Spec[randomParams, randomPoint, randomResult]{
	Name: "random", Short: "Processors that random programs need on RMT and dRMT", Source: "dRMT Figure 6",
	Long: "Graphs by the recipe of §4.2. The periods keep Table 1's limits, as the paper's; an RMT stage modifies " +
		"32 fields. The seed of each graph is in the table.",
	Examples: []string{"random", "random --graphs 10 --plot figure6.svg"},
	Defaults: randomParams{Graphs: 100, Nodes: 100, Edges: 500, Limit: schedule.DefaultClauses},
	Points: func(p *randomParams, seed uint64) ([]experiment.Point[randomPoint], error) {
		var all []experiment.Point[randomPoint]
		for i := range p.Graphs {
			all = append(
				all, experiment.Point[randomPoint]{Params: randomPoint{p.Nodes, p.Edges, p.Limit}, Seed: seed + uint64(i)},
			)
		}
		return all, nil
	},
	Run: func(ctx context.Context, run *experiment.Run, q randomPoint) (randomResult, error) {
		g := schedule.RandomGraph(schedule.Random{Nodes: q.Nodes, Edges: q.Edges}, rand.New(rand.NewPCG(run.Seed, 6)))
		r := randomResult{Operations: len(g.Nodes), Edges: len(g.Edges)}
		opt := schedule.Options{Seed: run.Seed, PeriodOnly: true, Clauses: q.Limit}
		var err error
		if _, r.RMT, err = schedule.MinimizeStages(ctx, g, schedule.RMT(32), true, opt); err != nil {
			return r, err
		}
		if _, r.Fine, err = schedule.MinimizeStages(ctx, g, schedule.RMT(32), false, opt); err != nil {
			return r, err
		}
		for ipc, bound := range map[int]*schedule.Bound{1: &r.IPC1, 2: &r.IPC2} {
			known, err := schedule.Minimize(ctx, g, schedule.DRMT(ipc), opt)
			if err != nil {
				return r, err
			}
			*bound = known.Period
		}
		return r, ctx.Err()
	},
	Report: randomReport,
})

func randomReport(p *randomParams, done []experiment.Result[randomPoint, randomResult]) (*experiment.Report, error) {
	r := &experiment.Report{}
	t := &experiment.Table{
		Name: "graphs",
		Columns: experiment.Columns(
			"Seed", "", "Operations", "", "Edges", "", "RMT", "", "RMT fine", "", "IPC 1", "", "IPC 2", "", "Reduction",
			"%.1f %%",
		),
	}
	counts := make([]map[int]int, 4)
	for i := range counts {
		counts[i] = map[int]int{}
	}
	sum, most, mostSeed, open, low, high := 0.0, 0.0, uint64(0), 0, 1<<30, 0
	for _, d := range done {
		v := d.Value
		t.Row(
			d.Seed, v.Operations, v.Edges, v.RMT.String(), v.Fine.String(), v.IPC1.String(), v.IPC2.String(),
			100*v.reduction(),
		)
		sum += v.reduction()
		if v.reduction() > most {
			most, mostSeed = v.reduction(), d.Seed
		}
		for i, b := range []schedule.Bound{v.RMT, v.Fine, v.IPC1, v.IPC2} {
			if !b.Proved() {
				open++
				continue
			}
			counts[i][b.High]++
			low, high = min(low, b.High), max(high, b.High)
		}
		if v.IPC1.Proved() && v.Fine.Proved() && v.IPC1.High > v.Fine.High {
			r.Failf(
				"seed %d: dRMT at IPC 1 needs %d processors, RMT fine %d stages: Theorem 3.3 is broken", d.Seed,
				v.IPC1.High, v.Fine.High,
			)
		}
	}
	r.Table(t)
	n := float64(len(done))
	of := "" // where nothing is reduced, no graph has the most
	if most > 0 {
		of = fmt.Sprintf(" (seed %d)", mostSeed)
	}
	r.Linef(
		"%d graphs: dRMT at IPC 2 needs %.1f %% fewer processors than RMT stages on average, %.1f %% at most%s; "+
			"printed: 10 %% and 30 %%",
		len(done), 100*sum/n, 100*most, of,
	)
	if open > 0 {
		r.Linef("%d values are not proved to be the least: the limit of clauses ran out", open)
	}
	if high > 0 {
		chart := plots.BarChart{Title: "Processors that random programs need", X: "Processors or stages", Y: "Programs"}
		for x := low; x <= high; x++ {
			chart.Groups = append(chart.Groups, fmt.Sprint(x))
		}
		for i, m := range machines() {
			var v []float64
			for x := low; x <= high; x++ {
				v = append(v, float64(counts[i][x]))
			}
			chart.Series = append(chart.Series, plots.BarSeries{Name: m, Values: v})
		}
		r.Chart(experiment.Chart{Bars: &chart})
	}
	return r, nil
}

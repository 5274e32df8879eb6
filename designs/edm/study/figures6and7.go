package study

import (
	"context"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
)

// kvParams are what the flags of the experiment kv set.
type kvParams struct {
	Workloads []string `flag:"workloads" each:"Workload" help:"workloads of YCSB: A, B or F"`
	kvPoint
}

// kvPoint is Figure 6 for a workload, or Figure 7 for some shares of local objects.
type kvPoint struct {
	Workload string    `flag:"-" json:"workload,omitempty"`
	Requests int       `flag:"requests" min:"1" max:"200000" help:"requests of each workload" json:"requests,omitempty"`
	Local    []float64 `flag:"-" json:"local_shares,omitempty"`
}

// kvResult has one of the figures.
type kvResult struct {
	*KV
	Latency []kvLatency `json:"latency,omitempty"`
}

// keyValueStore is Figures 6 and 7.
var keyValueStore = experiment.Define(experiment.Spec[kvParams, kvPoint, kvResult]{
	Name: "kv", Waves: true, Checkpoints: true, Short: "A key-value store under YCSB (Figures 6 and 7)",
	Source: "§4.2.2, Figures 6 and 7",
	Long: `Serve YCSB's workloads A, B and F from a remote key-value store over 25 Gb/s, and count requests a second over
EDM and over RoCEv2 (Figure 6): with as many requests outstanding as fill the link, and one at a time. Then the mean
latency of workload A with a share of the objects in the local memory, for EDM, CXL and RDMA (Figure 7).`,
	Examples: []string{"kv", "kv --workloads A --requests 10000 --plot fig6.svg"},
	Defaults: kvParams{[]string{"A", "B", "F"}, kvPoint{Requests: 4000}},
	Check: func(p *kvParams) error {
		for _, w := range p.Workloads {
			if !slices.Contains([]string{"A", "B", "F"}, w) {
				return fmt.Errorf("--workloads %s: want A, B or F", experiment.Quote(w))
			}
		}
		return nil
	},
	Points: func(p *kvParams, seed uint64) ([]experiment.Point[kvPoint], error) {
		return experiment.Each(
			seed,
			append(experiment.Grid[kvPoint](p), kvPoint{Local: []float64{0, 0.25, 0.5, 0.75, 1}})...), nil
	},
	Run: func(ctx context.Context, run *experiment.Run, q kvPoint) (r kvResult, err error) {
		if q.Workload == "" {
			r.Latency, err = runKVLatency(ctx, q.Local)
			return r, err
		}
		r.KV, err = runKV(ctx, q.Workload, q.Requests, run.Seed, Watched(run))
		return r, err
	},
	Report: reportKV,
})

func reportKV(p *kvParams, done []experiment.Result[kvPoint, kvResult]) (*experiment.Report, error) {
	r := &experiment.Report{}
	names := []string{"EDM", "RoCEv2", "EDM, one at a time", "RoCEv2, one at a time"}
	bars := &plots.BarChart{Title: "YCSB over 25 Gb/s", X: "workload", Y: "million requests/s"}
	for _, name := range names {
		bars.Series = append(bars.Series, plots.BarSeries{Name: name})
	}
	t := &experiment.Table{
		Name: "throughput",
		Columns: experiment.Columns("Workload", "", "EDM", "%.3f", "RoCEv2", "%.3f", "Ratio", "%.2f", "Payload alone", "%.3f",
			"EDM, one at a time", "%.3f", "RoCEv2, one at a time", "%.3f", "Ratio", "%.2f"),
	}
	for _, d := range done {
		k := d.Value.KV
		if k == nil {
			continue
		}
		t.Row(k.Workload, k.EDM/1e6, k.RDMA/1e6, k.Ratio, k.Bound/1e6, k.EDMOne/1e6, k.RDMAOne/1e6, k.RatioOne)
		bars.Groups = append(bars.Groups, k.Workload)
		for i, v := range []float64{k.EDM, k.RDMA, k.EDMOne, k.RDMAOne} {
			bars.Series[i].Values = append(bars.Series[i].Values, v/1e6)
		}
	}
	if len(t.Rows) > 0 {
		r.Linef("Million requests a second over 25 Gb/s, %d requests, seed %d\n", p.Requests, done[0].Seed)
		r.Table(t)
		r.Chart(experiment.Chart{Name: "throughput", Bars: bars})
	}
	for _, d := range done {
		if d.Value.Latency == nil {
			continue
		}
		r.Linef("\nMean latency of workload A, ns, with %g ns of DRAM\n", localDRAM)
		l := &experiment.Table{
			Name: "latency",
			Columns: experiment.Columns(
				"Local objects", "", "EDM", "%.1f", "CXL", "%.1f", "RDMA", "%.1f", "EDM over CXL", "%.2f",
			),
		}
		curves := []plots.Series{
			{Name: "EDM"}, {Name: "CXL"}, {Name: "RDMA"}, {Name: "paper: EDM is at most 1.3 times CXL", Dashed: true},
		}
		for _, x := range d.Value.Latency {
			l.Row(fmt.Sprintf("%g %%", 100*x.Local), x.EDM, x.CXL, x.RDMA, x.Ratio)
			for i, y := range []float64{x.EDM, x.CXL, x.RDMA, 1.3 * x.CXL} {
				curves[i].X, curves[i].Y = append(curves[i].X, 100*x.Local), append(curves[i].Y, y)
			}
		}
		r.Table(l)
		r.Chart(
			experiment.Chart{
				Name:  "latency",
				Lines: &plots.Chart{Title: "Mean latency of YCSB A", X: "local objects (%)", Y: "latency (ns)", Series: curves},
			},
		)
	}
	return r, nil
}

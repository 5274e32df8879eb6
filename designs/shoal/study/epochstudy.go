package study

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/shoal"
)

// epochParams are the parameters of §7.3's study of the epoch.
type epochParams struct {
	Nodes []int     `flag:"nodes" min:"3" max:"512" help:"nodes of the rack with four channels of 25 Gb/s"`
	Loads []float64 `flag:"load" min:"0.01" max:"2" help:"mean size / (50 Gb/s x nodes x mean time between flows)"`
	Flows int       `flag:"flows" min:"100" max:"10000000" help:"flows that complete before a run ends"`
	Sizes string    `flag:"sizes" help:"sizes of flows: a published distribution, pareto, pareto:MOST or fixed:BYTES"`
}

// epochPoint is one rack under one load.
type epochPoint struct {
	Nodes    int
	Channels int // 4 of 25 Gb/s, or 2 of 50 Gb/s with cells of twice the size
	Cell     int // bytes
	Load     float64
	Flows    int
	Sizes    string
}

func runEpoch(ctx context.Context, run *experiment.Run, q epochPoint) (loadResult, error) {
	return runLoad(
		ctx,
		run,
		LoadPoint{Fabric: shoal.FabricParams{Nodes: q.Nodes, Channels: q.Channels, Schedule: "cyclic", Pair: shoal.PairTurns},
			Load: q.Load, Flows: q.Flows, Sizes: q.Sizes, Cell: q.Cell},
	)
}

// epochPoints are, for a number of nodes and a load: as it is; with half of the channels, each of twice the rate; with
// twice the nodes.
func epochPoints(nodes int, load float64, flows int, sizes string) []epochPoint {
	return []epochPoint{
		{nodes, 4, shoal.CellBytes, load, flows, sizes}, {nodes, 2, 2 * shoal.CellBytes, load, flows, sizes},
		{2 * nodes, 4, shoal.CellBytes, load, flows, sizes},
	}
}

// epochStudy measures what a longer epoch costs.
var epochStudy = experiment.Define(experiment.Spec[epochParams, epochPoint, loadResult]{
	Name: "epoch", Checkpoints: true, Short: "What an epoch of twice the length costs short flows", Source: "Shoal §7.3",
	Long: "The epoch doubles with two channels of 50 Gb/s instead of four of 25 Gb/s, and with twice the nodes. The " +
		"slot stays the same, so that a cell of a channel of 50 Gb/s has 128 bytes. Tail is the completion of 99.9 % of " +
		"the flows of at most 100 KB.",
	Examples: []string{"epoch --nodes 32 --flows 1000 --load 0.5"},
	Defaults: epochParams{Nodes: []int{512}, Loads: []float64{0.2, 1}, Flows: 10_000, Sizes: "pareto"},
	Points: func(p *epochParams, seed uint64) ([]experiment.Point[epochPoint], error) {
		var qs []epochPoint
		for _, n := range p.Nodes {
			for _, l := range p.Loads {
				qs = append(qs, epochPoints(n, l, p.Flows, p.Sizes)...)
			}
		}
		return experiment.Each(seed, qs...), nil
	},
	Check: func(p *epochParams) error {
		for _, n := range p.Nodes {
			if 2*n > shoal.MaxNodes {
				return fmt.Errorf("--nodes %d, want at most %d: the study doubles them", n, shoal.MaxNodes/2)
			}
		}
		_, err := workload.ParseSizes(p.Sizes)
		return err
	},
	Run: runEpoch,
	Report: func(p *epochParams, done []experiment.Result[epochPoint, loadResult]) (*experiment.Report, error) {
		r := &experiment.Report{}
		t := &experiment.Table{
			Name: "epochs",
			Columns: experiment.Columns(
				"Nodes", "", "Channels", "", "Load", "", "Drawn", "%.3f", "Arrived", "%.3f", "Epoch µs", "%.2f", "Mean µs",
				"%.2f", "99 % µs", "%.2f", "Tail µs", "%.2f", "Tail by the first's", "%.2f",
			),
		}
		var lines []plots.Series
		first := 0.0
		for i, d := range done {
			q, v := d.Point, d.Value
			if i%3 == 0 {
				first = v.Short999
				lines = append(lines, plots.Series{Name: fmt.Sprintf("load %g", q.Load)})
			}
			epoch := float64((q.Nodes-2+q.Channels)/q.Channels) * shoal.SlotNanoseconds / 1e3
			t.Row(
				q.Nodes, q.Channels, q.Load, v.Offered, v.Arrived, epoch, v.ShortMean/1e3, v.Short99/1e3, v.Short999/1e3,
				v.Short999/first,
			)
			l := &lines[len(lines)-1]
			l.X, l.Y = append(l.X, float64(i%3)), append(l.Y, v.Short999/first)
		}
		r.Table(t)
		drawn := drawnLoads{}
		for _, d := range done {
			drawn.say(r, d.Point.Load, d.Value.Offered, d.Point.Sizes)
			saySteady(
				r, fmt.Sprintf("%d nodes with %d channels at load %g", d.Point.Nodes, d.Point.Channels, d.Point.Load),
				d.Value.Carried,
			)
		}
		r.Linef(
			"The paper prints 1.26 (low load) and 1.15 (high) for half of the channels, 1.28 and 1.2 for twice the nodes.",
		)
		r.Chart(
			experiment.Chart{
				Lines: &plots.Chart{
					Title: "Tail of short flows with a longer epoch", X: "0 four channels, 1 two, 2 twice the nodes",
					Y: "by the first's", Series: lines,
				},
			},
		)
		return r, nil
	},
})

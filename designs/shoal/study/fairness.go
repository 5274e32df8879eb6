package study

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"

	"github.com/goldwire/goldwire/designs/shoal"
)

// fairnessParams are the parameters of §7.2's study of fairness.
type fairnessParams struct {
	FairnessPoint
	Flows []int `flag:"flows" each:"Flows" min:"1" max:"4096" help:"endless flows between random nodes"`
}

// FairnessPoint is one set of flows.
type FairnessPoint struct {
	Fabric shoal.FabricParams
	Flows  int `flag:"-"`
	Epochs int `flag:"epochs" min:"10" max:"100000" help:"epochs that are counted"`
	Settle int `flag:"settle" min:"0" max:"100000" help:"epochs before that"`
}

// fairnessResult compares flows with their max-min fair rates.
type fairnessResult struct {
	Ratio  []float64 // measured by ideal rate, by flow
	Within float64   // share of the flows within 10 % of the ideal
}

func runFairness(ctx context.Context, run *experiment.Run, q FairnessPoint) (fairnessResult, error) {
	r, err := q.Fabric.NewRack()
	if err != nil {
		return fairnessResult{}, err
	}
	n := q.Fabric.Nodes
	rng := rand.New(rand.NewPCG(run.Seed, uint64(q.Flows)))
	seen := make(map[shoal.Pair]bool)
	var flows []shoal.Pair
	for len(flows) < min(q.Flows, n*(n-1)) {
		p := shoal.Pair{From: rng.IntN(n), To: rng.IntN(n)}
		if p.From == p.To || seen[p] {
			continue
		}
		seen[p] = true
		if err := r.Offer(uint64(len(flows)), p.From, p.To, 1<<31); err != nil {
			return fairnessResult{}, err
		}
		flows = append(flows, p)
	}
	count := func() []uint32 {
		c := make([]uint32, len(flows))
		for f, p := range flows {
			in := r.Node(p.To).InFlow(p.From)
			c[f] = in.Expected + in.Held
		}
		return c
	}
	before, err := runEpochs(ctx, run, r, q.Settle, q.Epochs, count)
	if err != nil {
		return fairnessResult{}, err
	}
	var res fairnessResult
	ideal := shoal.WaterFill(n, flows)
	within := 0
	for f, c := range count() {
		ratio := float64(c-before[f]) / float64(q.Epochs*(n-1)) / ideal[f]
		res.Ratio = append(res.Ratio, ratio)
		if math.Abs(ratio-1) <= 0.1 {
			within++
		}
	}
	res.Within = float64(within) / float64(len(flows))
	return res, r.Conservation()
}

// fairness measures how near flows come to their max-min fair rates.
var fairness = experiment.Define(experiment.Spec[fairnessParams, FairnessPoint, fairnessResult]{
	Name: "fairness", Checkpoints: true, Short: "Rates of endless flows beside their max-min fair ones",
	Source: "Shoal §7.2",
	Long: "The fair rates are found by water-filling over the links between all pairs of nodes, each flow being N-1 " +
		"subflows.",
	Examples: []string{"fairness --nodes 64 --flows 200"},
	Defaults: fairnessParams{
		FairnessPoint{Fabric: shoal.FabricParams{Nodes: 64, Channels: 1, Schedule: "half-epoch", Pair: shoal.PairTurns},
			Epochs: 400, Settle: 200},
		[]int{50, 100, 200},
	},
	Run: runFairness,
	Report: func(p *fairnessParams, done []experiment.Result[FairnessPoint, fairnessResult]) (*experiment.Report, error) {
		r := &experiment.Report{}
		t := &experiment.Table{
			Name:    "fairness",
			Columns: experiment.Columns("Flows", "", "Within 10 %", "%.3f", "Least", "%.3f", "Most", "%.3f"),
		}
		var curves []plots.Series
		for _, d := range done {
			least, most := math.Inf(1), 0.0
			for _, x := range d.Value.Ratio {
				least, most = min(least, x), max(most, x)
			}
			t.Row(d.Point.Flows, d.Value.Within, least, most)
			curves = append(curves, plots.CDF(shoal.FormatFlows(d.Point.Flows), d.Value.Ratio))
		}
		r.Table(t)
		r.Chart(
			experiment.Chart{
				Lines: &plots.Chart{Title: "Rate by max-min fair rate", X: "ratio", Y: "share of flows", Series: curves},
			},
		)
		return r, nil
	},
})

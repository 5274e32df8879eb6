package study

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"

	"github.com/goldwire/goldwire/designs/shoal"
)

// permutationParams are the parameters of Figure 12.
type permutationParams struct {
	PermutationPoint
	Pairs []int `flag:"pairs" each:"Pairs" min:"1" max:"1024" help:"nodes that send and receive one flow each; 1: one flow alone; without it two, parts of the nodes, and all"`
}

// points are those asked for, or Figure 12's.
func (p *permutationParams) points(seed uint64) ([]experiment.Point[PermutationPoint], error) {
	all := *p
	if n := p.Fabric.Nodes; len(all.Pairs) == 0 {
		all.Pairs = slices.Compact([]int{2, max(2, n/8), max(2, n/4), max(2, n/2), max(2, n*3/4), n})
	}
	return experiment.Each(seed, experiment.Grid[PermutationPoint](&all)...), nil
}

// PermutationPoint is one permutation.
type PermutationPoint struct {
	Fabric shoal.FabricParams
	Pairs  int `flag:"-"`
	Epochs int `flag:"epochs" min:"10" max:"100000" help:"epochs that are counted, after 20 to settle"`
}

// permutationResult is what the destinations received.
type permutationResult struct {
	Cells      uint64
	PerEpoch   float64 // cells a destination an epoch
	Throughput float64 // share of the N-1 connections that a node has in an epoch
	Formula    float64 // (2N-k) / (2(N-1)), at most 1
	Least      float64 // of any destination
	MaxQueue   int
}

func runPermutation(ctx context.Context, run *experiment.Run, q PermutationPoint) (permutationResult, error) {
	r, err := q.Fabric.NewRack()
	if err != nil {
		return permutationResult{}, err
	}
	n := q.Fabric.Nodes
	rng := rand.New(rand.NewPCG(run.Seed, uint64(q.Pairs)))
	order := rng.Perm(n)
	receivers := make([]int, q.Pairs)
	for i := range receivers { // a cycle through all of them, in random order; one alone sends to a node outside
		receivers[i] = order[(i+1)%max(q.Pairs, 2)]
		if err := r.Offer(uint64(i), order[i], receivers[i], 1<<31); err != nil {
			return permutationResult{}, err
		}
	}
	before, err := runEpochs(ctx, run, r, 20, q.Epochs, func() []uint64 {
		delivered := make([]uint64, n)
		for i := range delivered {
			delivered[i] = r.Node(i).Counts.Delivered
		}
		return delivered
	})
	if err != nil {
		return permutationResult{}, err
	}
	if err := r.Conservation(); err != nil {
		return permutationResult{}, err
	}
	res := permutationResult{Formula: min(float64(2*n-q.Pairs)/float64(2*(n-1)), 1), Least: 1}
	slots := float64(q.Epochs * (n - 1))
	for _, i := range receivers {
		d := r.Node(i).Counts.Delivered - before[i]
		res.Cells += d
		res.Least = min(res.Least, float64(d)/slots)
	}
	res.PerEpoch = float64(res.Cells) / float64(q.Pairs*q.Epochs)
	res.Throughput = float64(res.Cells) / (float64(q.Pairs) * slots)
	res.MaxQueue = longestQueue(r)
	return res, nil
}

// longestQueue is the longest that any queue has been.
func longestQueue(r *shoal.Rack) (longest int) {
	for i := range r.Nodes {
		n := &r.Nodes[i]
		longest = max(longest, int(n.Counts.MaxQueue))
	}
	return longest
}

// permutation measures the throughput of permutations of k of N nodes.
var permutation = experiment.Define(experiment.Spec[permutationParams, PermutationPoint, permutationResult]{
	Name: "permutation", Checkpoints: true, Short: "Throughput of permutations of some of the nodes",
	Source: "Shoal Figure 12",
	Long: "Each of k nodes sends one endless flow to another of them and receives one; one alone sends to a node that " +
		"sends none. Counted are the cells that reach their destinations, without those to forward and dummies, against " +
		"the N-1 connections that a node has in an epoch.",
	Examples: []string{"permutation --nodes 8 --pairs 8 --channels 1"},
	Defaults: permutationParams{PermutationPoint{Fabric: fabricOf(512, 4), Epochs: 20}, nil},
	Points:   (*permutationParams).points,
	Fit: func(q *PermutationPoint) error {
		if q.Pairs > q.Fabric.Nodes {
			return fmt.Errorf("--pairs %d of %d nodes, want at most %d", q.Pairs, q.Fabric.Nodes, q.Fabric.Nodes)
		}
		return nil
	},
	Run: runPermutation,
	Report: func(p *permutationParams, done []experiment.Result[PermutationPoint, permutationResult]) (*experiment.Report,
		error) {
		r := &experiment.Report{}
		t := &experiment.Table{
			Name: "permutation",
			Columns: experiment.Columns("Pairs", "", "Throughput", "%.4f", "(2N-k)/(2(N-1))", "%.4f",
				"Least", "%.4f", "Longest queue", ""),
		}
		measured, formula := plots.Series{Name: "measured"}, plots.Series{Name: "(2N-k)/(2(N-1))", Dashed: true}
		for _, d := range done {
			v := d.Value
			t.Row(d.Point.Pairs, v.Throughput, v.Formula, v.Least, v.MaxQueue)
			measured.X, measured.Y = append(measured.X, float64(d.Point.Pairs)), append(measured.Y, v.Throughput)
			formula.X, formula.Y = append(formula.X, float64(d.Point.Pairs)), append(formula.Y, v.Formula)
		}
		r.Table(t)
		r.Chart(
			experiment.Chart{Lines: &plots.Chart{Title: "Destination throughput of a permutation", X: "communicating nodes",
				Y: "share of a node's connections", Series: []plots.Series{measured, formula}}},
		)
		return r, nil
	},
})

package study

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/goldwire/goldwire/claims"

	"github.com/goldwire/goldwire/designs/shoal"
)

// figure17Claims are of Figure 17 beyond its tails, which [epochClaims] have.
func figure17Claims() []claims.Claim {
	const (
		source = paper + "§7.3, Fig. 17"
		note   = "512 nodes at load 1 of the living ones, 3,000 flows in each run, three seeds, where the paper has a " +
			"million flows in each. Sizes are cut at 10 MB, so that those drawn make the load; at the paper's point they " +
			"are not."
	)
	return []claims.Claim{
		{ID: "shoal/fig17/linear", Source: source, Printed: "decreases linearly",
			Text: "Goodput falls linearly with the share of failed nodes.",
			Note: "A permutation of all living nodes of 64, so that no arrival process decides; 0 to 50 % failed. Under " +
				"load 1 the rack does not keep up, and hardly a long flow ends within runs that are small enough here. Linear is " +
				"read as within 3 % of the share that lives: the figure is a curve.",
			Judge: claims.AtMost("3", "%"), Expect: claims.Holds, Measure: goodputLine},
		{ID: "shoal/fig17/rise", Source: source, Printed: "increases",
			Text: "Completion times of short flows rise with the share of failed nodes.",
			Note: note + " Mean of flows of at most 100 KB, with 0, 20, 40 and 50 % failed.",
			Judge: claims.Shape("rises from each share to the next", "us", func(m claims.Measurement) bool {
				for k := 1; k < len(m.Rows); k++ {
					if m.Rows[k].Value <= m.Rows[k-1].Value {
						return false
					}
				}
				return len(m.Rows) == 4
			}), Expect: claims.Holds, Measure: claims.For(meansByFailures)},
	}
}

// goodputLine is by how many per cent goodput is off the share of nodes that live, at most.
func goodputLine(ctx context.Context, _ *claims.Run) (claims.Measurement, error) {
	const nodes = 64
	m := claims.Measurement{Unit: "%", Detail: "off the line at most; rows are the goodput by that without failures"}
	all := 0.0
	for _, dead := range []int{0, 8, 16, 24, 32} {
		x, err := throughputWithDead(ctx, nodes, dead)
		if err != nil {
			return m, err
		}
		if dead == 0 {
			all = x
		}
		share := float64(nodes-dead) / nodes
		m.Value = max(m.Value, 100*math.Abs(x/all/share-1))
		m.Rows = append(
			m.Rows,
			claims.Row{Label: fmt.Sprintf("%g %% failed", 100*(1-share)), Kind: claims.Point, At: 1 - share,
				Value: 100 * x / all, Unit: "%"},
		)
	}
	return m, nil
}

// failedPoint is Figure 17's rack and load with a share of its nodes failed.
func failedPoint(failed float64, sizes string, flows int) LoadPoint {
	return LoadPoint{Fabric: shoal.FabricParams{Nodes: 512, Channels: 4, Schedule: "cyclic", Equation: shoal.ByDrains,
		Pair: shoal.PairTurns}, Load: 1, Sizes: sizes, Failed: failed, Flows: flows}
}

// meansByFailures is the mean completion of short flows by the share of failed nodes, over the seeds.
func meansByFailures(run *claims.Run) measure {
	shares := []float64{0, 0.2, 0.4, 0.5}
	sizes, flows := tailsOf(run)
	var samples []claims.Sample[LoadPoint]
	for _, failed := range shares {
		samples = append(samples, claims.Samples(failedPoint(failed, sizes, flows), threeSeeds)...)
	}
	return claims.OfSamples(Load, samples, func(rs []loadResult) claims.Measurement {
		detail := "the mean of three seeds, with half of the nodes failed"
		if slices.ContainsFunc(rs, func(r loadResult) bool { return !r.Carried.Steady() }) {
			detail += "; not steady: load 1 is more than the rack carries"
		}
		m := claims.Figure(0, "us", "%s", detail)
		for i, failed := range shares {
			sum := 0.0
			for _, r := range rs[i*threeSeeds:][:threeSeeds] {
				sum += r.ShortMean / 1e3
			}
			m.Value = sum / threeSeeds
			m = m.With(claims.Row{Label: fmt.Sprintf("%g %% failed", 100*failed), Kind: claims.Point, At: failed,
				Value: m.Value, Unit: "us"})
		}
		return m
	})
}

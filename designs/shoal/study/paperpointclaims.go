package study

import (
	"fmt"

	"github.com/goldwire/goldwire/claims"

	"github.com/goldwire/goldwire/designs/shoal"
)

// fig16Flows are the flows of Figure 16's claims, and fig16Soak the flows of the test with the tag soak, whose figures
// fig16Reason has.
const (
	fig16Flows = 10_000
	fig16Soak  = 150_000
	fig16Note  = "512 nodes at load 1 until 10,000 flows are complete. Pareto's sizes are not cut, as in the paper, " +
		"so that they draw 0.4 of it. With sizes of at most 10 MB, which draw all, a node has 748 cells and the run is not " +
		"steady."
	fig16Reason = "A run's largest figures grow with its flows: 8 cells, 220 cells and 146.2 KB with 10,000; 11 cells, " +
		"321 cells and 193.3 KB with 150,000, by the test with the tag soak; 16 cells, 448 cells and 283.1 KB with the " +
		"paper's million."
)

// paperPointClaims repeat claims of smaller racks at the paper's own points.
func paperPointClaims() []claims.Claim {
	big := shoal.FabricParams{Nodes: 512, Channels: 4, Schedule: "cyclic", Equation: shoal.ByDrains, Pair: shoal.PairTurns}
	plain := big
	plain.Plain = true
	fair := func(f shoal.FabricParams) measure {
		return claims.For(func(run *claims.Run) measure {
			flows := []int{50, 512}
			if run.Paper {
				flows = []int{50, 200, 512, 1024}
			}
			return fairFlows(f, flows)
		})
	}
	return []claims.Claim{
		{
			ID: "shoal/paper/fig13/slowest", Source: paper + "§7.2, Fig. 13", Printed: "the optimal maximum",
			Text: "The slowest of 511 flows of 130 KB to one node takes as long as the destination needs for all cells.",
			Note: "At the paper's point: 512 nodes with four channels. The idle row of an epoch makes 0.2 % of the " +
				"difference. The paper prints a curve; 2 % is what a curve shows.",
			Judge: claims.Within("1", "2%", "x the ideal"), Expect: claims.Holds,
			Measure: claims.Of(Incast, IncastPoint{big, 511, 130_000}, func(r incastResult) claims.Measurement {
				return claims.Figure(
					float64(r.Slowest())/float64(r.Ideal), "x the ideal",
					"%d slots, ideal %d, mean %.1f; the longest queue has %d cells", r.Slowest(), r.Ideal, r.Mean(),
					r.MaxQueue,
				)
			}),
		},
		{
			ID: "shoal/paper/fairness/plain", Source: paper + "§7.2, Eq. 1 to 3", Printed: "99 %",
			Text: "99 % of the flows between 512 nodes come within 10 % of their max-min fair rate, without the " +
				"optimisations of §3.3.3.",
			Judge: claims.AtLeast("99", "%"), Expect: claims.Holds, Measure: fair(plain),
		},
		{
			ID: "shoal/paper/fairness/ready", Source: paper + "§7.2, Eq. 4 to 6", Printed: "99 %",
			Text:  "They do with ready queues too.",
			Judge: claims.AtLeast("99", "%"), Expect: claims.Deviates, Recorded: claims.Within("95.5", "1", "%"),
			PaperFigure: claims.Figure(85.16, "%", fairnessRun),
			Reason: "All of 50 flows are fair, 95.5 % of 512 and 85.2 % of 1,024: with one local cell in Q at most, " +
				"Equation 6 counts fewer remote cells than there are remote flows. Without ready queues the same flows are fair " +
				"(shoal/paper/fairness/plain).",
			Measure: fair(big),
		},
	}
}

// fairFlows measures how many endless flows come within 10 % of their fair rate, the least over numbers of flows.
func fairFlows(f shoal.FabricParams, flows []int) measure {
	var points []FairnessPoint
	for _, n := range flows {
		points = append(points, FairnessPoint{Fabric: f, Flows: n, Epochs: 100, Settle: 50})
	}
	return claims.OfAll(fairness, points, func(rs []fairnessResult) claims.Measurement {
		m := claims.Figure(100, "%", "the least of the rows: endless flows within 10 %% of water-filling over all links")
		for i, r := range rs {
			m.Value = min(m.Value, 100*r.Within)
			m = m.With(claims.Row{Label: fmt.Sprintf("%d flows", flows[i]), Kind: claims.Variant, Value: 100 * r.Within,
				Unit: "%"})
		}
		return m
	})
}

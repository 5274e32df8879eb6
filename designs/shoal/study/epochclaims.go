package study

import (
	"fmt"

	"github.com/goldwire/goldwire/claims"

	"github.com/goldwire/goldwire/designs/shoal"
)

// tailFlows are the flows of a run of these claims. The paper's have a million.
const tailFlows = 3000

// tailSizes are Pareto's without flows of more than 10 MB: half of the mean of all lies in flows of more than 5 GB,
// which 3,000 draws do not have.
const tailSizes = "pareto:10000000"

// epochClaims are of the tails of short flows in §7.3: with longer epochs, and with failed nodes.
func epochClaims() []claims.Claim {
	const source = paper + "§7.3"
	const (
		note = "512 nodes, 3,000 flows in each run, three seeds, where the paper has a million flows in each; 99.9 % of " +
			"the flows of at most 100 KB. Sizes are cut at 10 MB, so that those drawn make the load."
		more = "The rack does not keep up with the load, so the tail grows with the flows that a node sends until the run " +
			"ends, and a run of 3,000 has %s a node. With as many a node it is about the printed one (the last row)."
		faster = " The more nodes have failed the less of it arrives, and the faster the tail grows: at a million flows " +
			"62 %% without failures, 50 %% with 20 %% of the nodes failed, 35 %% with 40 %%."
	)
	point := func(nodes, channels, flows int, load, failed float64) LoadPoint {
		q := LoadPoint{
			Fabric: shoal.FabricParams{
				Nodes: nodes, Channels: channels, Schedule: "cyclic", Equation: shoal.ByDrains, Pair: shoal.PairTurns,
			},
			Load:   load,
			Sizes:  tailSizes,
			Failed: failed,
			Flows:  flows,
		}
		if channels == 2 {
			q.Cell = 2 * shoal.CellBytes
		}
		return q
	}
	factor := func(nodes, channels int, load, failed float64) measure {
		of := func(whole, flows int) measure {
			return bySeeds(Load, point(512, 4, whole, load, 0), point(nodes, channels, flows, load, failed),
				func(as, r *loadResult) (factor float64, steady bool, fault string) {
					if as.Short999 == 0 {
						fault = "no short flow was complete"
					}
					return r.Short999 / as.Short999, as.Carried.Steady() && r.Carried.Steady(), fault
				})
		}
		living := nodes - int(failed*float64(nodes))
		return claims.For(func(run *claims.Run) measure {
			flows := run.Count(tailFlows, millionOfFlows)
			if living == 512 {
				return of(flows, flows)
			}
			return withRow(of(flows, flows), "3,000 flows, and as many a living node", of(tailFlows, tailFlows*living/512))
		})
	}
	return []claims.Claim{
		{
			ID: "shoal/7.3/epoch/channels/low", Source: source, Printed: "1.26 x",
			Text: "With half of the channels the tail of short flows is 1.26 times as long at low load.", Note: note,
			Judge: inInterval(1.26), Expect: claims.Holds, Measure: factor(512, 2, 0.2, 0),
		},
		{
			ID: "shoal/7.3/epoch/channels/high", Source: source, Printed: "1.15 x", Text: "And 1.15 times at high load.",
			Note: note, Judge: inInterval(1.15), Expect: claims.Holds, Measure: factor(512, 2, 1, 0),
		},
		{
			ID: "shoal/7.3/epoch/nodes/low", Source: source, Printed: "1.28 x",
			Text: "With 1,024 nodes it is 1.28 times as long at low load.", Note: note, Judge: inInterval(1.28),
			Expect: claims.Holds, Measure: factor(1024, 4, 0.2, 0),
		},
		{ID: "shoal/7.3/epoch/nodes/high", Source: source, Printed: "1.2 x", Text: "And 1.2 times at high load.", Note: note,
			Judge: inInterval(1.2), Expect: claims.Deviates, Recorded: claims.Within("0.91", "15%", "x"),
			Reason: fmt.Sprintf(more, "half as many"), Measure: factor(1024, 4, 1, 0)},
		{ID: "shoal/7.3/failed/20", Source: source + ", Fig. 17", Printed: "1.2 x",
			Text:  "With 20 % of the nodes failed the tail of short flows is 1.2 times as long.",
			Note:  note + " The load is of the living nodes.",
			Judge: inInterval(1.2), Expect: claims.Deviates, Recorded: claims.Within("1.2", "15%", "x"),
			PaperFigure: claims.Figure(3.24, "x", failedRun), Reason: fmt.Sprintf(more+faster, "a quarter more"),
			Measure: factor(512, 4, 1, 0.2)},
		{ID: "shoal/7.3/failed/40", Source: source + ", Fig. 17", Printed: "1.5 x",
			Text: "With 40 % it is 1.5 times as long.", Note: note + " The load is of the living nodes.",
			Judge: inInterval(1.5), Expect: claims.Deviates, Recorded: claims.Within("1.94", "15%", "x"),
			PaperFigure: claims.Figure(10.7, "x", failedRun),
			Reason:      fmt.Sprintf(more+faster, "two thirds more"), Measure: factor(512, 4, 1, 0.4)},
	}
}

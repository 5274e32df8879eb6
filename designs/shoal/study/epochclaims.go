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

// tailsOf are the sizes and the number of flows of a run: ours, or the paper's.
func tailsOf(run *claims.Run) (sizes string, flows int) {
	if run.Paper {
		return paperSizes, millionOfFlows
	}
	return tailSizes, tailFlows
}

// tailPoint is a rack whose short flows a claim is of. With two channels a slot of 20.5 ns has a cell of 128 bytes.
func tailPoint(sizes string, nodes, channels, flows int, load, failed float64) LoadPoint {
	q := LoadPoint{
		Fabric: shoal.FabricParams{
			Nodes: nodes, Channels: channels, Schedule: "cyclic", Equation: shoal.ByDrains, Pair: shoal.PairTurns,
		},
		Load:   load,
		Sizes:  sizes,
		Failed: failed,
		Flows:  flows,
	}
	if channels == 2 {
		q.Cell = 2 * shoal.CellBytes
	}
	return q
}

// reading is another way to read what the paper leaves open.
type reading struct {
	label string
	of    func(*LoadPoint)
}

// readings are those that change how long short flows take. The paper's low load has no number.
var readings = []reading{
	{"a pair's flows one after the other", func(q *LoadPoint) { q.Fabric.Pair = shoal.PairFIFO }},
	{"a pair's shortest flow first", func(q *LoadPoint) { q.Fabric.Pair = shoal.PairShortest }},
	{"Equation 2 by whole epochs", func(q *LoadPoint) { q.Fabric.Equation = shoal.ByEpochs }},
	{"Equation 2 with Q alone", func(q *LoadPoint) { q.Fabric.Equation = shoal.QueueAlone }},
	{"the schedule of Appendix A", func(q *LoadPoint) { q.Fabric.Schedule = "half-epoch" }},
	{"none of the optimisations of §3.3.3", func(q *LoadPoint) { q.Fabric.Plain = true }},
	{"a flight of 20 slots", func(q *LoadPoint) { q.Fabric.Flight = 20 }},
	{"half the load", func(q *LoadPoint) { q.Load /= 2 }},
	{"twice the load", func(q *LoadPoint) {
		if q.Load <= 0.5 {
			q.Load *= 2
		}
	}},
	{"sizes cut at 10 MB", func(q *LoadPoint) { q.Sizes = tailSizes }},
	{"cells of 128 bytes are two, each with a header", func(q *LoadPoint) {
		if q.Cell == 2*shoal.CellBytes {
			q.Cell -= shoal.HeaderBytes
		}
	}},
}

// readingFlows are the flows of a run under another reading, of which one takes half a minute.
const readingFlows = 100_000

// racks are the rack of §7.1 and another one, both read so; differs is false if that changes nothing.
func (r reading) racks(other LoadPoint) (rack, there LoadPoint, differs bool) {
	rack, there = tailPoint(other.Sizes, 512, 4, other.Flows, other.Load, 0), other
	r.of(&rack)
	r.of(&there)
	return rack, there, there != other
}

// withReadings adds a row for each reading that changes a run: the factor between the two racks.
func withReadings(first measure, other LoadPoint) measure {
	for _, r := range readings {
		rack, there, differs := r.racks(other)
		if !differs {
			continue
		}
		first = withRow(first, r.label, claims.OfSamples(
			Load, []claims.Sample[LoadPoint]{{Point: rack}, {Point: there}}, func(rs []loadResult) claims.Measurement {
				return claims.Figure(rs[1].Short999/rs[0].Short999, "x", "with one seed")
			},
		))
	}
	return first
}

// epochClaims are of the tails of short flows in §7.3: with longer epochs, and with failed nodes.
func epochClaims() []claims.Claim {
	const source = paper + "§7.3"
	const (
		note = "512 nodes, 3,000 flows in each run, three seeds, where the paper has a million flows in each; 99.9 % of " +
			"the flows of at most 100 KB. Sizes are cut at 10 MB, so that those drawn make the load. At the paper's point " +
			"they are not, and a million draws make half of it."
		more = "The rack does not keep up with the load, so the tail grows with the flows that a node sends until the run " +
			"ends, and a run of 3,000 has %s a node. With as many a node it is about the printed one (a row)."
		living = " The rack carries the load of uncut sizes, and the factor is %s with them. The load is of the living " +
			"nodes; without the flows that would go to failed ones it is less than the printed one (the last row)."
		wide = "3,000 flows cannot tell: their interval is wide. At a million flows the factor is %s."
		none = " No reading that the paper leaves open gives the printed one: with --paper a row has each, with " +
			"100,000 flows and one seed from %s."
		cut = " Sizes cut at 10 MB, of which the rack does not carry load 1, give %s."
	)
	factor := func(nodes, channels int, load, failed float64) measure {
		of := func(sizes string, whole, flows int, share float64) measure {
			there := tailPoint(sizes, nodes, channels, flows, share*load, failed)
			return bySeeds(Load, tailPoint(sizes, 512, 4, whole, load, 0), there,
				func(as, r *loadResult) (factor float64, steady bool, fault string) {
					if as.Short999 == 0 {
						fault = "no short flow was complete"
					}
					return r.Short999 / as.Short999, as.Carried.Steady() && r.Carried.Steady(), fault
				})
		}
		living := nodes - int(failed*float64(nodes))
		return claims.For(func(run *claims.Run) measure {
			sizes, flows := tailsOf(run)
			m := of(sizes, flows, flows, 1)
			switch {
			case run.Paper && failed == 0:
				return withReadings(m, tailPoint(sizes, nodes, channels, readingFlows, load, 0))
			case living == 512 || run.Paper:
				return m
			}
			m = withRow(m, "3,000 flows, and as many a living node", of(sizes, flows, flows*living/512, 1))
			if failed == 0 {
				return m
			}
			left := 1 - failed // of the flows of a living node
			return withRow(m, "no flows to failed nodes", of(sizes, flows, int(float64(flows)*left*left), left))
		})
	}
	const onLiving = note + " The load is of the living nodes."
	return []claims.Claim{
		{
			ID: "shoal/7.3/epoch/channels/low", Source: source, Printed: "1.26 x",
			Text: "With half of the channels the tail of short flows is 1.26 times as long at low load.", Note: note,
			Judge: inInterval(1.26), Expect: claims.Deviates, Recorded: claims.Within("1.27", "15%", "x"),
			PaperFigure: claims.Figure(1.242, "x", tailRun),
			Reason: fmt.Sprintf(wide, "1.24") + " The paper's low load has no number, and with 100,000 flows and one seed " +
				"half and twice of ours give 1.26 and 1.27 (with --paper a row has each reading that it leaves open). With 1,024 " +
				"nodes they give 1.31 and 1.32 for the printed 1.28.",
			Measure: factor(512, 2, 0.2, 0),
		},
		{
			ID: "shoal/7.3/epoch/channels/high", Source: source, Printed: "1.15 x", Text: "And 1.15 times at high load.",
			Note: note, Judge: inInterval(1.15), Expect: claims.Deviates, Recorded: claims.Within("1.15", "15%", "x"),
			PaperFigure: claims.Figure(1.195, "x", tailRun), Reason: fmt.Sprintf(wide+none+cut, "1.2", "1.18 to 1.37", "1.03"),
			Measure: factor(512, 2, 1, 0),
		},
		{
			ID: "shoal/7.3/epoch/nodes/low", Source: source, Printed: "1.28 x",
			Text: "With 1,024 nodes it is 1.28 times as long at low load.", Note: note,
			Judge: inInterval(1.28), Expect: claims.Deviates, Recorded: claims.Within("1.28", "15%", "x"),
			PaperFigure: claims.Figure(1.343, "x", tailRun),
			Reason:      fmt.Sprintf(wide+none, "1.34", "1.3 to 1.36"),
			Measure:     factor(1024, 4, 0.2, 0),
		},
		{
			ID: "shoal/7.3/epoch/nodes/high", Source: source, Printed: "1.2 x", Text: "And 1.2 times at high load.",
			Note: note, Judge: inInterval(1.2), Expect: claims.Deviates, Recorded: claims.Within("0.91", "15%", "x"),
			PaperFigure: claims.Figure(1.294, "x", tailRun),
			Reason: fmt.Sprintf(more, "half as many") + " The rack carries what a million draws make, and the factor is 1.29 " +
				"there, less than at low load, as printed." + fmt.Sprintf(none+cut, "1.22 to 1.4", "0.83"),
			Measure: factor(1024, 4, 1, 0),
		},
		{
			ID: "shoal/7.3/failed/20", Source: source + ", Fig. 17", Printed: "1.2 x",
			Text: "With 20 % of the nodes failed the tail of short flows is 1.2 times as long.", Note: onLiving,
			Judge: inInterval(1.2), Expect: claims.Deviates, Recorded: claims.Within("1.2", "15%", "x"),
			PaperFigure: claims.Figure(1.566, "x", tailRun),
			Reason:      fmt.Sprintf(more+living, "a quarter more", "1.57"), Measure: factor(512, 4, 1, 0.2),
		},
		{
			ID: "shoal/7.3/failed/40", Source: source + ", Fig. 17", Printed: "1.5 x",
			Text: "With 40 % it is 1.5 times as long.", Note: onLiving,
			Judge: inInterval(1.5), Expect: claims.Deviates, Recorded: claims.Within("1.94", "15%", "x"),
			PaperFigure: claims.Figure(3.679, "x", oneRun),
			Reason:      fmt.Sprintf(more+living, "two thirds more", "3.68"),
			Measure:     factor(512, 4, 1, 0.4),
		},
	}
}

package study

import (
	"github.com/goldwire/goldwire/claims"
)

// classClaims are of Appendix C.
func classClaims() []claims.Claim {
	const source = paper + "Appendix C"
	point := ClassesPoint{Nodes: 16, Urgent: 1000, Cells: 8, Senders: 12, Limit: 4, Classes: 2}
	byClasses := []ClassesPoint{point, point, point}
	for classes := range byClasses {
		byClasses[classes].Classes = classes
	}
	with := func(limit int, f func(r classesResult) claims.Measurement) measure {
		q := point
		q.Limit = limit
		return claims.Of(Classes, q, func(r classesResult) claims.Measurement {
			if r.Dropped[1] == 0 {
				return claims.Unfit("no cell of the last class was dropped")
			}
			return f(r)
		})
	}
	return []claims.Claim{
		{
			ID: "shoal/appendix-c/priority", Source: source, Printed: "in the order of their priority",
			Text: "Endless flows of a class behind theirs do not delay short flows.",
			Note: "Cells leave in the order of priority; the header of Figure 5 has no field for the class, which takes " +
				"two bits of the sequence number here.",
			Judge: claims.Within("1", "1%", "x without them"), Expect: claims.Holds,
			Measure: claims.OfAll(Classes, byClasses, func(rs []classesResult) claims.Measurement {
				alone, same, behind := rs[0].Mean, rs[1].Mean, rs[2].Mean
				if same < 2*alone {
					return claims.Unfit("endless flows of the same class do not delay them either")
				}
				return claims.Figure(
					behind/alone, "x without them",
					"mean of 1,000 flows of 8 cells: %.1f slots, with endless flows of the same class %.1f, of the last class %.1f",
					alone, same, behind,
				)
			}),
		},
		{
			ID: "shoal/appendix-c/bound", Source: source, Printed: "only hold for the highest priority",
			Text: "The queue bound holds for the first class.",
			Note: "Each queue is held to the incast of its own destination in that slot, in every slot; queues have room " +
				"for any number of cells.",
			Judge: claims.AtMost("1", "x the bound"), Expect: claims.Holds,
			Measure: with(0, func(r classesResult) claims.Measurement {
				return claims.Figure(
					r.Bound, "x the bound", "at most %d cells of the first class in a queue, %d flows of it to one node",
					r.MaxFirst, r.Incast,
				)
			}),
		},
		{
			ID: "shoal/appendix-c/tail", Source: source, Printed: "lower priority traffic can see tail drops",
			Text:  "Of the first class no cell is dropped; those of the last class that are come back and are sent again.",
			Judge: claims.Exactly("0", "cells"), Expect: claims.Holds,
			Measure: with(point.Limit, func(r classesResult) claims.Measurement {
				return claims.Count(
					r.Dropped[0], "cells",
					"of the first class; %d of the last, of which %d were back at their senders, and %d arrived; every cell is "+
						"accounted for",
					r.Dropped[1], r.Again, r.Background,
				)
			}),
		},
	}
}

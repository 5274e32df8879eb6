package study

import (
	"fmt"

	"github.com/goldwire/goldwire/claims"

	"github.com/goldwire/goldwire/designs/spfc"
)

// The sample of `goldwire verify`; the experiment compare has a larger one.
const (
	comparedSeeds = 3
	cellSeeds     = 5 // of a cell of Table III
	comparedLasts = 2 * spfc.Millisecond
)

// comparePoint is one run of a figure in one pod at the printed 32 MB.
func comparePoint(figure, control, sizes, scheme string, load float64) ComparePoint {
	q := ComparePoint{FabricPoint{spfc.DefaultSettings(), 1, figure == "fig18", scheme, load, comparedLasts, sizes, 32},
		figure}
	q.Control = control
	return q
}

// pressed is a point with little memory and heavy traffic, at which ports pause: it tests the reason of a claim without
// PAUSEs.
func pressed(q ComparePoint) ComparePoint {
	q.Load, q.Memory, q.Lasts = 0.9, 2, 600*spfc.Microsecond
	return q
}

// meanPauses is the mean number of PAUSEs in a run.
func meanPauses(rs []fabricResult) (pauses float64) {
	for _, r := range rs {
		pauses += float64(r.Pauses) / float64(len(rs))
	}
	return pauses
}

// Rows of a comparison after the two ends of its interval.
const (
	rowPauses      = 2 // in a run under the other scheme
	rowPressed     = 3 // the same where ports pause
	rowPressedDiff = 4 // and by how many per cent SPFC is better there
)

// compared measures a statement's difference in one pod at a load, and whether there is one where ports pause.
func compared(c comparison, control, sizes string, load float64) claims.Measure {
	const runs = comparedSeeds + 1 // of a scheme, the last where ports pause
	var samples []claims.Sample[ComparePoint]
	for _, scheme := range []string{"spfc", c.against} {
		q := comparePoint(c.figure, control, sizes, scheme, load)
		samples = append(samples, claims.Samples(q, comparedSeeds)...)
		samples = append(samples, claims.Samples(pressed(q), 1)...)
	}
	return claims.OfSamples(compare, samples, func(rs []fabricResult) claims.Measurement {
		ours, other := rs[:comparedSeeds], rs[runs:runs+comparedSeeds]
		d, ok := c.difference(ours, other)
		if !ok {
			return claims.Unfit("fewer than two of %d seeds have such flows", comparedSeeds)
		}
		pauses := meanPauses(other)
		m := intervalOf(d, "%", fmt.Sprintf("one pod, flows for %g us; %.1f PAUSEs a run, %.1f under %s%s",
			spfc.Microseconds(comparedLasts), meanPauses(ours), pauses, c.against, overloaded(c.figure == "fig18", load)))
		a, b := c.get(rs[comparedSeeds].FCT[c.class]), c.get(rs[runs+comparedSeeds].FCT[c.class])
		diff := 100 * (1 - a/b)
		if c.gain {
			diff = 100 * (a/b - 1)
		}
		return m.With(claims.Row{Label: "a run under " + c.against, Value: pauses, Unit: "PAUSEs"},
			claims.Row{Label: "with 2 MB at load 0.9", Value: meanPauses(rs[runs+comparedSeeds:]), Unit: "PAUSEs"},
			claims.Row{Label: "and the difference there", Value: diff, Unit: "%"})
	})
}

// uplinkLoad returns the load offered to the uplinks of a rack of the pod, and their capacity, in Gb/s: 48 of 63
// destinations are in other racks, and of the two uplinks of 400 Gb/s one is left in two racks with failed links.
func uplinkLoad(failed bool, load float64) (offered, carried float64) {
	offered, carried = 16*100*load*48/63, 800
	if failed {
		carried = 400
	}
	return offered, carried
}

// overloaded says so where the uplinks cannot carry a load: then there is no steady state, and slowdowns grow with the
// run.
func overloaded(failed bool, load float64) string {
	offered, carried := uplinkLoad(failed, load)
	if offered <= carried {
		return ""
	}
	return fmt.Sprintf("; not steady: %.0f Gb/s are offered to uplinks of %.0f", offered, carried)
}

// reaches judges "up to" a printed figure, by an interval over seeds.
func reaches(printed float64) claims.Judge {
	return claims.Shape(fmt.Sprintf("the interval above 0, and up to %g", printed), "%", func(m claims.Measurement) bool {
		return len(m.Rows) >= 2 && m.Rows[0].Value > 0 && m.Rows[1].Value >= printed
	})
}

// undecided is the record of a comparison in which no PAUSE tells two schemes apart: they have the same bits, and
// differ where ports pause.
func undecided() claims.Judge {
	return claims.Shape("0, without a PAUSE; PAUSEs and a difference with 2 MB at load 0.9", "%",
		func(m claims.Measurement) bool {
			return len(m.Rows) == 5 && m.Value == 0 && m.Rows[rowPauses].Value == 0 && m.Rows[rowPressed].Value > 100 &&
				m.Rows[rowPressedDiff].Value != 0
		})
}

// fewPauses is the record of a comparison with ST, which pauses so rarely that the seeds do not tell a difference.
func fewPauses() claims.Judge {
	return claims.Shape("an interval that 0 is in; ten times the PAUSEs with 2 MB at load 0.9", "%",
		func(m claims.Measurement) bool {
			return len(m.Rows) == 5 && m.Rows[0].Value <= 0 && m.Rows[1].Value >= 0 &&
				m.Rows[rowPressed].Value > 10*m.Rows[rowPauses].Value && m.Rows[rowPressedDiff].Value != 0
		})
}

// Why a comparison in one pod shows nothing.
const (
	noPause = "No port of a switch of 32 MB comes near its threshold under DT. Without a PAUSE the buffer manager " +
		"decides nothing, and both schemes give the same bits: with 2 MB at load 0.9 ports pause, and they differ."
	rarePause = "Hardly a port of a switch of 32 MB comes to its static threshold, and what few PAUSEs do is less than " +
		"the difference between seeds: with 2 MB at load 0.9 there are more than ten times as many."
)

// unlike completes a comparison that deviates.
func unlike(c claims.Claim, against string) claims.Claim {
	c.Expect, c.Recorded, c.Reason = claims.Deviates, undecided(), noPause
	if against == "st" {
		c.Recorded, c.Reason = fewPauses(), rarePause
	}
	return c
}

// compareClaims are the claims of Figures 15, 16 and 18 and of Table III.
func compareClaims() []claims.Claim {
	cs := append(table3Claims(), allToAllClaims()...)
	for _, control := range []string{"dcqcn", "timely"} {
		for _, c := range []struct {
			what, printed, text string
			most                float64
			class               int
			get                 func(classFCT) float64
		}{
			{"small", "up to 45.9 %", "small flows: lower 95th percentile", 45.9, smallFlows, p95Of},
			{"large", "up to 53.3 %", "large flows: lower mean slowdown", 53.3, largeFlows, meanOf},
		} {
			cs = append(cs, unlike(claims.Claim{ID: "spfc/fig18/" + control + "/" + c.what,
				Source: paper + "§VII-D, Fig. 18", Printed: c.printed,
				Text:  fmt.Sprintf("In the pod with failed links, W2 and %s, %s than under ST.", control, c.text),
				Judge: reaches(c.most), Note: "At the paper's pod, load and memory; flows for 2 ms of the paper's 10 ms.",
				Measure: compared(comparison{figure: "fig18", against: "st", class: c.class, get: c.get}, control,
					"fbhadoop", printedLoad)}, "st"))
		}
	}
	return cs
}

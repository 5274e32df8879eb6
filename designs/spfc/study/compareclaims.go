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

// The paper's fabric (§VII-D). It does not say how long a run of the normal pods is; one of Figure 17a lasts 10 ms.
const (
	paperPods   = 8
	fabricLasts = 4 * spfc.Millisecond
	failedLasts = 10 * spfc.Millisecond
	failedSeeds = 12 // of that pod, whose seeds differ more
)

// comparePoint is one run of a figure at the printed 32 MB: in one pod, or at the paper's point.
func comparePoint(run *claims.Run, figure, control, sizes, scheme string, load float64) ComparePoint {
	failed := figure == "fig18"
	q := ComparePoint{FabricPoint{spfc.DefaultSettings(), 1, failed, scheme, load, comparedLasts, sizes, 32}, figure}
	switch {
	case run.Paper && failed:
		q.Lasts = failedLasts
	case run.Paper:
		q.Pods, q.Lasts = paperPods, fabricLasts
	}
	q.Control = control
	return q
}

// sample says what a point's runs are.
func (q *ComparePoint) sample() string {
	pods := "one pod"
	if q.Pods > 1 {
		pods = fmt.Sprintf("%d pods", q.Pods)
	}
	return fmt.Sprintf("%s, flows for %g us", pods, spfc.Microseconds(q.Lasts))
}

// pressed is one pod with little memory and heavy traffic, at which ports pause: it tests the reason of a claim without
// PAUSEs.
func pressed(q ComparePoint) ComparePoint {
	q.Pods, q.Load, q.Memory, q.Lasts = 1, 0.9, 2, 600*spfc.Microsecond
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

// compared measures a statement's difference at a load, and whether there is one where ports pause.
func compared(c comparison, control, sizes string, load float64) claims.Measure {
	return claims.For(func(run *claims.Run) claims.Measure {
		q, seeds := comparePoint(run, c.figure, control, sizes, "spfc", load), comparedSeeds
		if run.Paper && q.Failed {
			seeds = failedSeeds
		}
		return comparedOver(seeds, c, q)
	})
}

// comparedOver is [compared] at SPFC's point, over a number of seeds.
func comparedOver(seeds int, c comparison, q ComparePoint) claims.Measure {
	runs := seeds + 1 // of a scheme, the last where ports pause
	var samples []claims.Sample[ComparePoint]
	for _, scheme := range []string{q.Scheme, c.against} {
		q := q
		q.Scheme = scheme
		samples = append(samples, claims.Samples(q, seeds)...)
		samples = append(samples, claims.Samples(pressed(q), 1)...)
	}
	return claims.OfSamples(compare, samples, func(rs []fabricResult) claims.Measurement {
		ours, other := rs[:seeds], rs[runs:runs+seeds]
		d, ok := c.difference(ours, other)
		if !ok {
			return claims.Unfit("fewer than two of %d seeds have such flows", seeds)
		}
		pauses := meanPauses(other)
		m := intervalOf(d, "%", fmt.Sprintf("%s; %.1f PAUSEs a run, %.1f under %s%s", q.sample(), meanPauses(ours), pauses,
			c.against, overloaded(q.Pods, q.Failed, q.Load)))
		a, b := c.get(rs[seeds].FCT[c.class]), c.get(rs[runs+seeds].FCT[c.class])
		diff := 100 * (1 - a/b)
		if c.gain {
			diff = 100 * (a/b - 1)
		}
		return m.With(claims.Row{Label: "a run under " + c.against, Value: pauses, Unit: "PAUSEs"},
			claims.Row{Label: "with 2 MB at load 0.9", Value: meanPauses(rs[runs+seeds:]), Unit: "PAUSEs"},
			claims.Row{Label: "and the difference there", Value: diff, Unit: "%"})
	})
}

// uplinkLoad returns the load offered to the uplinks of a rack, and their capacity, in Gb/s. Of 63 destinations in one
// pod 48 are in other racks, of 511 in 8 pods 496. A rack has two uplinks of 400 Gb/s; two racks with failed links have
// one.
func uplinkLoad(pods int, failed bool, load float64) (offered, carried float64) {
	const rack = spfc.PodHosts / spfc.PodToRs
	hosts := float64(pods * spfc.PodHosts)
	offered, carried = rack*100*load*(hosts-rack)/(hosts-1), 800
	if failed {
		carried = 400
	}
	return offered, carried
}

// overloaded says so where the uplinks cannot carry a load: then there is no steady state, and slowdowns grow with the
// run.
func overloaded(pods int, failed bool, load float64) string {
	offered, carried := uplinkLoad(pods, failed, load)
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

// shortRun is the reason of Figure 18's.
const shortRun = "2 ms are too short: by then hardly a port of a switch of 32 MB has come to its static threshold, " +
	"and with 2 MB at load 0.9 ports pause. In 10 ms the uplinks of 400 Gb/s, to which 610 are offered, fill the " +
	"switches: ST sends 1,953 and 3,442 PAUSEs a run with DCQCN and TIMELY, SPFC 417 and 1,292."

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
			paper               map[string][2]float64 // at the paper's point, by control: the figure, half its interval
		}{
			{"small", "up to 45.9 %", "small flows: lower 95th percentile", 45.9, smallFlows, p95Of,
				map[string][2]float64{"dcqcn": {-2.4, 36}, "timely": {50.2, 19}}},
			{"large", "up to 53.3 %", "large flows: lower mean slowdown", 53.3, largeFlows, meanOf,
				map[string][2]float64{"dcqcn": {5.8, 4.6}, "timely": {19.9, 10}}},
		} {
			there := c.paper[control]
			claim := unlike(claims.Claim{ID: "spfc/fig18/" + control + "/" + c.what,
				Source: paper + "§VII-D, Fig. 18", Printed: c.printed,
				Text:  fmt.Sprintf("In the pod with failed links, W2 and %s, %s than under ST.", control, c.text),
				Judge: reaches(c.most), Measure: compared(comparison{figure: "fig18", against: "st", class: c.class, get: c.get},
					control, "fbhadoop", printedLoad)}, "st")
			claim.Note = fmt.Sprintf("At the paper's pod, load and memory; flows for 2 ms. In the paper's 10 ms, 12 seeds, it "+
				"is %.1f ± %g %% (%s).", there[0], there[1], fabricRun)
			claim.Reason = shortRun
			if there[0]-there[1] <= 0 || there[0]+there[1] < c.most {
				claim.PaperFigure = claims.Figure(there[0], "%", fabricRun)
			}
			cs = append(cs, claim)
		}
	}
	return cs
}

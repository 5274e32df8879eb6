package study

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/spfc"
)

// highLoad is the printed highest load.
const highLoad = 0.9

// meanRate is the throughput of large flows, a mean over seeds.
func meanRate(rs []fabricResult) (measure.Interval, bool) { return overResults(rs, rateOf) }

// overResults is the mean over runs of a figure of large flows; ok is false if a run has no such flow.
func overResults(rs []fabricResult, get func(classFCT) float64) (d measure.Interval, ok bool) {
	var values []float64
	for _, r := range rs {
		if r.FCT[largeFlows].Flows == 0 {
			return d, false
		}
		values = append(values, get(r.FCT[largeFlows]))
	}
	return measure.Mean(values), true
}

// allToAllClaims are the claims of Figures 15 and 16.
func allToAllClaims() []claims.Claim {
	const note = "One pod, three seeds of 2 ms, where the paper has 8 pods. "
	const pausesThere = "Without a PAUSE nothing tells the two apart. At the paper's point it holds too, and there with " +
		"TIMELY DT sends 351 PAUSEs a run at load 0.9, and ST 62 at load 0.3 (" + fabricRun + ")."
	var cs []claims.Claim
	for _, f := range []struct {
		id, source, control string
		by                  [2]string  // against DT, ST
		slowdowns           [3]string  // of SPFC, DT, ST
		paper               [3]float64 // at the paper's point: by how much against DT, against ST, SPFC's slowdown
		more                [2]string  // of that, against DT and ST
	}{
		{"fig15", "Fig. 15", "dcqcn", [2]string{"46.1", "53.8"}, [3]string{"139.8", "259.4", "302.9"},
			[3]float64{0, 0.26, 8.02}, [2]string{"", " Of 8 pods the interval is ± 4.3 %, with 1,940 PAUSEs a run under ST."}},
		{"fig16", "Fig. 16", "timely", [2]string{"32.3", "38.9"}, [3]string{"176.8", "261.3", "289.3"},
			[3]float64{-0.04, 10.6, 5.54}, [2]string{
				" In 8 pods DT sends 351 PAUSEs a run and SPFC 105; in a run of 20 ms SPFC's slowdown is 9 % more than DT's.",
				" Of 8 pods the interval is ± 5.9 %, with 9,125 PAUSEs a run under ST and 105 under SPFC: the sign is as " +
					"printed. It is not steady; in a run of 20 ms SPFC's slowdown is 9 % more than ST's.",
			}},
	} {
		id, source := "spfc/"+f.id+"/", paper+"§VII-D, "+f.source
		large := comparison{figure: f.id, class: largeFlows, get: meanOf}
		for i, against := range []string{"dt2", "st"} {
			c := large
			c.against = against
			name := []string{"DT", "ST"}[i]
			cs = append(cs,
				claims.Claim{ID: id + "low-load/" + against, Source: source, Printed: "not much difference",
					Text: fmt.Sprintf("At low load large flows are about as slow as under %s.", name),
					Note: note + "At load 0.3. " + pausesThere, Judge: alikeJudge(), Expect: claims.Holds,
					Measure: compared(c, f.control, "websearch", 0.3)},
				unlike(claims.Claim{ID: id + "high-load/" + against, Source: source, Printed: "up to " + f.by[i] + "%",
					Text: fmt.Sprintf("Above load 0.5 large flows have a lower mean slowdown than under %s, by up to that.", name),
					Note: note + "At load 0.9." + f.more[i], PaperFigure: claims.Figure(f.paper[i], "%", fabricRun),
					Judge: reaches(number(f.by[i])), Measure: compared(c, f.control, "websearch", highLoad)}, against))
		}
		small := comparison{figure: f.id, against: "dt2", class: smallFlows, get: meanOf}
		cs = append(cs, claims.Claim{ID: id + "small", Source: source, Printed: "similar",
			Text: "Small flows are about as slow as under DT at load 0.9.", Note: note + pausesThere,
			Judge: alikeJudge(), Expect: claims.Holds, Measure: compared(small, f.control, "websearch", highLoad)},
			claims.Claim{ID: id + "slowdown", Source: source, Printed: f.slowdowns[0],
				Text: "The mean slowdown of large flows under SPFC where it gains most.",
				Note: note + "At load 0.9.", PaperFigure: claims.Figure(f.paper[2], "x", fabricRun),
				Judge: around(number(f.slowdowns[0]), 0.05, "x"), Expect: claims.Deviates,
				Recorded: claims.Shape("below 20, and more the longer the run", "x", func(m claims.Measurement) bool {
					return len(m.Rows) == 3 && m.Rows[1].Value < 20 && m.Rows[2].Value < m.Value
				}),
				Reason: "Not steady: a rack's uplinks carry 800 Gb/s, to which load 0.9 offers 16 x 90 x 48/63 = 1,097, " +
					"and 1,398 in 8 pods. A slowdown is then as large as the run is long, which the paper does not say.",
				Measure: slowdownGrows(f.id, f.control)})
	}
	tail := comparison{figure: "fig16", against: "dt2", class: smallFlows, get: p99Of}
	return append(cs, unlike(claims.Claim{ID: "spfc/fig16/small-tail", Source: paper + "§VII-D, Fig. 16",
		Printed: "lower", Text: "Under TIMELY the 99th percentile of small flows is lower than under DT.",
		Note: note + "At load 0.9.", PaperFigure: claims.Figure(0.04, "%", fabricRun),
		Judge: above(0, "%"), Measure: compared(tail, "timely", "websearch", highLoad)}, "dt2"))
}

// alikeJudge accepts an interval within the band of equal figures.
func alikeJudge() claims.Judge {
	return claims.Shape(fmt.Sprintf("the interval within ± %d", alikeWithin), "%", func(m claims.Measurement) bool {
		return len(m.Rows) >= 2 && m.Rows[0].Value >= -alikeWithin && m.Rows[1].Value <= alikeWithin
	})
}

// slowdownGrows measures the mean slowdown of large flows under SPFC at the highest load, and as a third row the
// slowdown of runs of half the length.
func slowdownGrows(figure, control string) claims.Measure {
	return claims.For(func(run *claims.Run) claims.Measure {
		q := comparePoint(run, figure, control, "websearch", "spfc", highLoad)
		half := q
		half.Lasts /= 2
		return meansOfTwo("x", overMeans, claims.Samples(q, comparedSeeds), claims.Samples(half, comparedSeeds),
			fmt.Sprintf("flows for %g us", spfc.Microseconds(half.Lasts)))
	})
}

func overMeans(rs []fabricResult) (measure.Interval, bool) { return overResults(rs, meanOf) }

// meansOfTwo measures the mean of large flows over samples, and as a third row the mean over others.
func meansOfTwo(unit string, mean func([]fabricResult) (measure.Interval, bool),
	samples, others []claims.Sample[ComparePoint], label string) claims.Measure {
	return claims.OfSamples(compare, slices.Concat(samples, others), func(rs []fabricResult) claims.Measurement {
		d, ok := mean(rs[:len(samples)])
		if !ok {
			return claims.Unfit("a seed of %d has no flow above 1 MB", len(samples))
		}
		other, ok := mean(rs[len(samples):])
		if !ok {
			return claims.Unfit("a seed of %d has no flow above 1 MB", len(others))
		}
		return intervalOf(d, unit, samples[0].Point.sample()).
			With(claims.Row{Label: label, Value: other.Mean, Unit: unit})
	})
}

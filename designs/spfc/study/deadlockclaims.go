package study

import (
	"fmt"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/spfc"
)

// Runs of the claims of Figure 17, each of the printed 10 ms: at the printed load, and at one with which deadlocks
// come.
const (
	deadlockSample = 5
	deadlockAtFull = 2
	fullLoad       = 1.0
	pausesSample   = 4
	widestShare    = 0.3 // an interval wider than this is no verdict
)

// fig17Run is the day on which verify --paper 'spfc/fig17/...' measured 1,000 runs of each.
const fig17Run = "28 November 2026"

// What many runs gave at loads at which deadlocks come, on 26 November 2026.
const (
	keptFigures = "With its target kept as in Figure 4's reading and at load 0.7 40 runs had 23 with DT (0.42 to 0.72) " +
		"and 17 with SPFC (0.29 to 0.58), by the test with the tag soak."
	timelyFigures = "At load 0.75 40 runs had 18 with DT (0.31 to 0.60) and 8 with SPFC (0.11 to 0.35), by the test " +
		"with the tag soak."
)

// deadlockPoint is some runs of Figure 17. At the higher load DCQCN keeps its target rate as in
// Figure 4's reading.
func deadlockPoint(control, scheme string, load float64, runs int) DeadlockPoint {
	q := DeadlockPoint{Settings: spfc.DefaultSettings(), Scheme: scheme, Runs: runs, Load: load,
		Lasts: 10 * spfc.Millisecond, Sizes: "websearch", Memory: 32}
	q.Control = control
	if load == fullLoad && control == "dcqcn" {
		q.Timers, q.FirstLater, q.KeepTarget = "paper", true, true
	}
	return q
}

// counted counts the runs with a deadlock, and the PAUSEs of all.
func (r *deadlockResult) counted() (x share, pauses int64) {
	for _, d := range r.Runs {
		x.of, pauses = x.of+1, pauses+d.Pauses
		if d.At >= 0 {
			x.n++
		}
	}
	return x, pauses
}

// rowAtFull is the row of a share of runs with the share at the higher load, after the two ends of its interval and the
// PAUSEs of a run.
const rowAtFull = 3

// deadlockShare measures the share of runs that meet a deadlock.
func deadlockShare(control, scheme string) claims.Measure {
	return claims.For(func(run *claims.Run) claims.Measure {
		return claims.OfAll(deadlockTest, []DeadlockPoint{
			deadlockPoint(control, scheme, printedLoad, run.Count(deadlockSample, 1000)),
			deadlockPoint(control, scheme, fullLoad, deadlockAtFull),
		}, func(rs []deadlockResult) claims.Measurement { return shareOf(&rs[0], &rs[1]) })
	})
}

// shareOf is the share of runs with a deadlock as a claim has it, beside the share at the higher load.
func shareOf(r, full *deadlockResult) claims.Measurement {
	x, pauses := r.counted()
	y, _ := full.counted()
	low, high := x.interval()
	m := claims.Figure(float64(x.n)/float64(x.of), "", "%d of %d runs of 10 ms, 95 %% interval %.2f to %.2f%s", x.n, x.of,
		low, high, overloaded(1, true, printedLoad))
	m.Rows = []claims.Row{{Label: "from", Value: low}, {Label: "to", Value: high},
		{Label: "a run", Value: float64(pauses) / float64(x.of), Unit: "PAUSEs"},
		{Label: fmt.Sprintf("at load %g, of %d runs", fullLoad, y.of), Value: float64(y.n) / float64(y.of)}}
	return m
}

// shareJudge accepts a share whose interval has the printed one in it, and is narrow enough to say anything.
func shareJudge(printed float64) claims.Judge {
	return claims.Shape(fmt.Sprintf("%g in an interval no wider than %g", printed, widestShare), "",
		func(m claims.Measurement) bool {
			if len(m.Rows) < 2 {
				return false
			}
			low, high := m.Rows[0].Value, m.Rows[1].Value
			return low <= printed && printed <= high && high-low <= widestShare
		})
}

// deadlockClaims are the claims of Figure 17b.
func deadlockClaims() []claims.Claim {
	const (
		source = paper + "§VII-D, Fig. 17b"
		none   = "T0 and T3 have one uplink of 400 Gb/s each after the failures, to which load 0.5 offers 610 Gb/s, so " +
			"that all hangs on congestion control, which holds the queues here. With more load every run meets one (the " +
			"last row)."
	)
	var cs []claims.Claim
	for _, c := range []struct{ control, scheme, printed, pauses, more string }{
		{"dcqcn", "dt2", "0.612", "no", keptFigures}, {"timely", "dt2", "0.538", "85.5", timelyFigures},
		{"dcqcn", "spfc", "0.237", "no", keptFigures}, {"timely", "spfc", "0.209", "17.9", timelyFigures},
	} {
		cs = append(cs, claims.Claim{ID: fmt.Sprintf("spfc/fig17/%s/%s", c.control, c.scheme), Source: source,
			Printed: c.printed,
			Text:    fmt.Sprintf("That share of 1,000 runs meets a deadlock with %s and %s.", c.control, c.scheme),
			Judge:   shareJudge(number(c.printed)),
			Note: "At the paper's point but for the number of runs. 1,000 runs had none, interval 0 to 0.004, on " +
				fig17Run + " (--paper), with " + c.pauses + " PAUSEs a run. " + c.more,
			PaperFigure: claims.Figure(0, "", fig17Run),
			Expect:      claims.Deviates, Reason: none,
			Recorded: claims.Shape(fmt.Sprintf("none of %d runs, all of %d at load %g", deadlockSample, deadlockAtFull,
				fullLoad), "",
				func(m claims.Measurement) bool {
					return len(m.Rows) == 4 && m.Value == 0 && m.Rows[rowAtFull].Value == 1
				}),
			Measure: deadlockShare(c.control, c.scheme)})
	}
	return append(cs, claims.Claim{ID: "spfc/fig17/pauses", Source: paper + "§VII-D", Printed: "mitigating PFC triggers",
		Text: "In the pod of Figure 17a SPFC sends fewer PAUSEs than DT.",
		Note: fmt.Sprintf("With TIMELY at load 0.7, %d runs of 4 ms, none of which meets a deadlock. At the printed load "+
			"few runs pause at all. The interval over runs counts.", pausesSample),
		Judge: above(0, "%"), Expect: claims.Holds, Measure: fewerDeadlockPauses()})
}

// fewerDeadlockPauses is by how many per cent SPFC sends fewer PAUSEs than DT in the pod of Figure 17a, over all runs.
func fewerDeadlockPauses() claims.Measure {
	return claims.OfAll(deadlockTest, pointsOf(func(scheme string) DeadlockPoint {
		q := deadlockPoint("timely", scheme, 0.7, pausesSample)
		q.Lasts = 4 * spfc.Millisecond
		return q
	}, "spfc", "dt2"), func(of []deadlockResult) claims.Measurement {
		var pauses [2]int64
		for i, scheme := range []string{"spfc", "dt2"} {
			var x share
			if x, pauses[i] = of[i].counted(); x.n > 0 {
				return claims.Unfit("%s: a run ended with a deadlock, so that PAUSEs do not compare", scheme)
			}
		}
		return intervalOf(fewerPauses(of[0].Runs, of[1].Runs), "%",
			fmt.Sprintf("runs of 4 ms; %d PAUSEs, %d under DT%s", pauses[0], pauses[1], overloaded(1, true, 0.7)))
	})
}

// fewerPauses is by how many per cent the first runs have fewer PAUSEs than the second, over their sums.
func fewerPauses(first, second []DeadlockRun) measure.Interval {
	return jackknife(len(first), func(without int) float64 {
		a, b := int64(0), int64(0)
		for k := range first {
			if k != without {
				a, b = a+first[k].Pauses, b+second[k].Pauses
			}
		}
		return 100 * (1 - float64(a)/float64(b))
	})
}

package study

import (
	"context"
	"fmt"
	"math"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/spfc"
)

// burstPoint is §III's run with 24 bursts under DT, as changed by change. Parameters that the paper does not state
// have the values with which cards and switches ship.
func burstPoint(change func(q *BurstPoint)) BurstPoint {
	q := BurstPoint{Settings: spfc.DefaultSettings(), Bursts: 24, Scheme: "dt2", Lasts: 11 * spfc.Millisecond,
		Far: 9 * spfc.Microsecond, Congest: 1}
	change(&q)
	return q
}

// figure4Point is such a run under the reading of DCQCN that gives Figure 4's loss: the rules and timers of the public
// simulator of HPCC.
func figure4Point(n int, scheme, headroom string) BurstPoint {
	return burstPoint(func(q *BurstPoint) {
		q.Timers, q.FirstLater, q.KeepTarget = "paper", true, true
		q.Bursts, q.Scheme, q.Headroom = n, scheme, headroom
	})
}

// testbedPoint is Figure 12's switch with as many bursts as it has ports for, and the target rule of cards.
func testbedPoint(scheme string) BurstPoint {
	return burstPoint(func(q *BurstPoint) { q.Testbed, q.KeepTarget, q.Scheme, q.Bursts = true, true, scheme, 6 })
}

const figure4Reading = "Reading: --timers paper --first-later --keep-target, as the public simulator of HPCC has " +
	"them; 16 begins of the bursts."

// burstBegins are how many begins of the bursts, spread over one TC, and seeds of the marks a mean of §III is over.
const burstBegins = 16

// begins are samples of a point at several begins of its bursts.
func begins(q BurstPoint) []claims.Sample[BurstPoint] {
	samples := claims.Samples(q, burstBegins)
	for k := range samples {
		samples[k].Point.Offset = spfc.LeastTC * spfc.Time(k) / burstBegins
	}
	return samples
}

// meanOfBursts is the mean of a figure.
func meanOfBursts(rs []burstResult, get func(burstResult) float64) measure.Interval {
	values := make([]float64, len(rs))
	for i, r := range rs {
		values[i] = get(r)
	}
	return measure.Mean(values)
}

// meanBurst is a mean over begins as a claim measures it; its rows are the ends of the interval.
func meanBurst(unit string, q BurstPoint, get func(burstResult) float64) claims.Measure {
	return claims.OfSamples(burst, begins(q), func(rs []burstResult) claims.Measurement {
		what := fmt.Sprintf("%s, N = %d, %s headroom, %g ms", q.Scheme, q.Bursts, q.Headroom, spfc.Microseconds(q.Lasts)/1000)
		return intervalOf(meanOfBursts(rs, get), unit, what)
	})
}

// around judges a mean by its interval. The interval has to meet the printed figure within the tolerance, half a unit
// of the printed digits, and to be no wider than the figure.
func around(printed, tolerance float64, unit string) claims.Judge {
	return claims.Shape(
		fmt.Sprintf("the interval meets %g ± %g", printed, tolerance),
		unit,
		func(m claims.Measurement) bool {
			if len(m.Rows) < 2 {
				return false
			}
			low, high := m.Rows[0].Value, m.Rows[1].Value
			return low <= printed+tolerance && high >= printed-tolerance && high-low <= printed
		},
	)
}

func burstF1(r burstResult) float64       { return r.F1Gbps }
func burstLoss(r burstResult) float64     { return 100 - r.F1Gbps } // per cent of a line of 100 Gb/s
func burstPausesP0(r burstResult) float64 { return float64(r.Pauses) }
func burstRecovery(r burstResult) float64 { return spfc.Microseconds(r.Recovery) / 1000 }

// oneBurst measures one run.
func oneBurst(unit string, q BurstPoint, get func(burstResult) float64) claims.Measure {
	return claims.Of(burst, q, func(r burstResult) claims.Measurement {
		return claims.Figure(get(r), unit, "%s, N = %d, %g ms: %d PAUSEs of P0, F1 %.2f Gb/s, F2 %.2f Gb/s",
			q.Scheme, q.Bursts, spfc.Microseconds(q.Lasts)/1000, r.Pauses, r.F1Gbps, r.F2Gbps)
	})
}

// pointsOf is a point for each value of a parameter.
func pointsOf[T, Q any](point func(T) Q, values ...T) []Q {
	qs := make([]Q, len(values))
	for i, v := range values {
		qs[i] = point(v)
	}
	return qs
}

// beside measures two points; what and instead name their difference. The figure is the first's mean; rows are both
// means.
func beside(unit string, q, other BurstPoint, get func(burstResult) float64, what, instead string) claims.Measure {
	return claims.OfSamples(burst, append(begins(q), begins(other)...), func(rs []burstResult) claims.Measurement {
		a, b := meanOfBursts(rs[:burstBegins], get), meanOfBursts(rs[burstBegins:], get)
		return claims.Figure(a.Mean, unit, "%s: %.2f ± %.2f; %s: %.2f ± %.2f; %d begins each", what, a.Mean, a.Half, instead,
			b.Mean, b.Half, a.Runs).With(claims.Row{Label: what, Value: a.Mean}, claims.Row{Label: instead, Value: b.Mean})
	})
}

// worstOfTestbed measures F1 under ST and DT, and how long H0 is paused.
func worstOfTestbed() claims.Measure {
	const first, second = "ST", "DT with alpha 2"
	return claims.OfSamples(burst, append(begins(testbedPoint("st")), begins(testbedPoint("dt2"))...),
		func(rs []burstResult) claims.Measurement {
			paused := func(r burstResult) float64 { return 100 * r.PausedShare }
			mean := func(rs []burstResult, get func(burstResult) float64) float64 { return meanOfBursts(rs, get).Mean }
			a, b := rs[:burstBegins], rs[burstBegins:]
			return claims.Figure(mean(a, burstF1), "Gb/s", "%d begins each", burstBegins).With(
				claims.Row{Label: first, Value: mean(a, burstF1)}, claims.Row{Label: second, Value: mean(b, burstF1)},
				claims.Row{Label: first + ", H0 paused", Value: mean(a, paused), Unit: "%"},
				claims.Row{Label: second + ", H0 paused", Value: mean(b, paused), Unit: "%"})
		})
}

// both judges the two means of beside.
func both(text, unit string, ok func(a, b float64) bool) claims.Judge {
	return claims.Shape(text, unit,
		func(m claims.Measurement) bool { return len(m.Rows) == 2 && ok(m.Rows[0].Value, m.Rows[1].Value) })
}

// figure4Claims are the claims of §III-A and §III-B about the effect of DT and of a raised threshold on F1. The paper
// names neither DCQCN's timers nor its rule for the target rate nor the place of the headroom; each claim names the
// reading it is measured under.
func figure4Claims() []claims.Claim {
	cut := func(q BurstPoint) BurstPoint { q.KeepTarget = false; return q }
	full := figure4Point(29, "pinned", "carved")
	twenty := func(scheme string) BurstPoint {
		q := figure4Point(20, scheme, "apart")
		q.Lasts = 20 * spfc.Millisecond
		return q
	}
	f2 := func(r burstResult) float64 { return r.F2Gbps }
	const target = "Each cut sets the target rate to the rate. F2's target is then its least rate after a few cuts, and " +
		"no increase lets it " +
		"send enough to fill P0's queue. With the target kept until an increase, and nothing else changed, the loss is there."
	return []claims.Claim{
		{ID: "spfc/fig4/dt-throughput", Source: paper + "§III-A, Fig. 4b", Printed: "up to 80%",
			Text:  "Under DT F1 loses 80 %, which is printed to the ten, at 29 bursts.",
			Judge: around(80, 5, "%"), Expect: claims.Holds, Note: figure4Reading,
			Measure: meanBurst("%", figure4Point(29, "dt2", "carved"), burstLoss)},
		{ID: "spfc/fig4/dt-throughput/target-cut", Source: paper + "§III-A, Fig. 4b", Printed: "up to 80%",
			Text:  "Also if each cut sets DCQCN's target rate, as in its publication.",
			Judge: claims.AtLeast("75", "%"), Expect: claims.Deviates, Reason: target,
			Note: "Otherwise as spfc/fig4/dt-throughput.",
			Recorded: both("less than 15 % lost, and at least 50 % more with the target kept", "%",
				func(a, b float64) bool { return a < 15 && b-a > 50 }),
			Measure: beside("%", cut(figure4Point(29, "dt2", "carved")), figure4Point(29, "dt2", "carved"), burstLoss,
				"each cut sets the target", "the target is kept")},
		{ID: "spfc/fig4/pinned-throughput", Source: paper + "§III-A, Fig. 4b", Printed: "eliminate",
			Text:  "With the raised threshold F1 loses nothing at 29 bursts: it has 96 Gb/s, what F2's fair share leaves.",
			Judge: claims.AtLeast("95.5", "Gb/s"), Expect: claims.Deviates,
			Note: figure4Reading + " Under DT it has 18 Gb/s. With 16 bursts the raised threshold loses more than DT: 66 " +
				"against 76 Gb/s.",
			Reason: "P0 pauses too when the pool is full (spfc/fig4/pinned-pauses/target-kept). With 8 bursts it does not, " +
				"and F1 has what is left.",
			Recorded: both("70 to 85 Gb/s at 29 bursts, all of it at 8", "Gb/s",
				func(a, b float64) bool { return a > 70 && a < 85 && b >= 95.5 }),
			Measure: beside("Gb/s", full, figure4Point(8, "pinned", "carved"), burstF1, "29 bursts", "8 bursts")},
		{ID: "spfc/fig4/pinned-pauses/target-kept", Source: paper + "§III-A, Fig. 4a", Printed: "eliminate",
			Text:  "With the raised threshold P0 sends no PAUSE at 29 bursts also under the reading that gives the loss.",
			Judge: claims.AtMost("0", ""), Expect: claims.Deviates, Note: figure4Reading,
			Reason: "A port with the whole pool pauses when the pool is full (§IV-B), which F2's line rate fills in 11 ms of " +
				"rises. " +
				"With few bursts there is room for it: 8 bursts give none.",
			Recorded: both("some at 29 bursts, none at 8", "", func(a, b float64) bool { return a >= 1 && b == 0 }),
			Measure:  beside("", full, figure4Point(8, "pinned", "carved"), burstPausesP0, "29 bursts", "8 bursts")},
		{ID: "spfc/fig5/f1", Source: paper + "§III-B", Printed: "96 Gbps",
			Text:  "With the raised threshold F1 gets what F2's fair share leaves, 96 Gb/s.",
			Judge: claims.Within("96", "0.5", "Gb/s"), Expect: claims.Deviates,
			Note: figure4Reading + " Headroom beside the buffer.",
			Reason: "P0 is paused twice, when the pool is full. With the target cut each time F2 brings less, P0 is not " +
				"paused for as long, and F1 has 96 Gb/s.",
			Recorded: both("94 to 95.5 Gb/s, and 96 with the target cut", "Gb/s",
				func(a, b float64) bool { return a > 94 && a < 95.5 && math.Abs(b-96) <= 0.5 }),
			Measure: beside("Gb/s", figure4Point(24, "pinned", "apart"), cut(figure4Point(24, "pinned", "apart")), burstF1,
				"the target is kept", "each cut sets the target")},
		{ID: "spfc/fig5/f2", Source: paper + "§III-B", Printed: "4 Gbps", Text: "F2 gets 100/25 = 4 Gb/s.",
			Judge: claims.Within("4", "0.5", "Gb/s"), Expect: claims.Deviates,
			Note: figure4Reading + " Headroom beside the buffer.",
			Reason: "F2 is cut while it has more than the least rate of 1 Gb/s, since the bursts keep the queue of R2 marked. " +
				"What it gets above that " +
				"is what its rises bring between two cuts: less if they go to a target that each cut lowers.",
			Recorded: both("1.5 to 3.5 Gb/s, and less with the target cut", "Gb/s",
				func(a, b float64) bool { return a > 1.5 && a < 3.5 && b < a-0.3 }),
			Measure: beside("Gb/s", figure4Point(24, "pinned", "apart"), cut(figure4Point(24, "pinned", "apart")), f2,
				"the target is kept", "each cut sets the target")},
		{ID: "spfc/fig6a/dt", Source: paper + "§III-B, Fig. 6a", Printed: "9 ms",
			Text:  "Under DT with 20 bursts F1 takes nearly 9 ms to recover.",
			Judge: around(9, 0.5, "ms"), Expect: claims.Holds,
			Note:    figure4Reading + " Headroom beside the buffer; 20 ms of bursts.",
			Measure: meanBurst("ms", twenty("dt2"), burstRecovery)},
		{ID: "spfc/fig6a/dt/target-cut", Source: paper + "§III-B, Fig. 6a", Printed: "9 ms",
			Text:  "Also if each cut sets DCQCN's target rate, as in its publication.",
			Judge: claims.AtLeast("8.5", "ms"), Expect: claims.Deviates, Reason: target, Note: "Otherwise as spfc/fig6a/dt.",
			Recorded: both("less than 2 ms, and at least 3 ms more with the target kept", "ms",
				func(a, b float64) bool { return a < 2 && b-a > 3 }),
			Measure: beside(
				"ms", cut(twenty("dt2")), twenty("dt2"), burstRecovery, "each cut sets the target", "the target is kept",
			)},
		{ID: "spfc/fig6a/pinned", Source: paper + "§III-B, Fig. 6a", Printed: "less than 1 ms",
			Text:  "With the raised threshold it takes less than 1 ms.",
			Judge: claims.AtMost("1", "ms"), Expect: claims.Deviates, Note: figure4Reading + " As spfc/fig6a/dt.",
			Reason: "F1 counts as recovered when it has 90 Gb/s for good, and F2's rises take it below that in single " +
				"windows. " +
				"With each cut setting the target, which leaves F2 no rises to speak of, F1 recovers within 1 ms.",
			Recorded: both("2 to 6 ms, and less than 1 ms with the target cut", "ms",
				func(a, b float64) bool { return a > 2 && a < 6 && b < 1 }),
			Measure: beside("ms", twenty("pinned"), cut(twenty("pinned")), burstRecovery,
				"the target is kept", "each cut sets the target")},
	}
}

// byBursts measures a scheme with several numbers of bursts.
func byBursts(scheme string, ns []int, pick func(ns []int, rs []burstResult) claims.Measurement) claims.Measure {
	points := pointsOf(func(n int) BurstPoint {
		return burstPoint(func(q *BurstPoint) { q.Scheme, q.Bursts = scheme, n })
	}, ns...)
	return claims.OfAll(burst, points, func(rs []burstResult) claims.Measurement { return pick(ns, rs) })
}

// atBursts is a point of a curve over the number of bursts.
func atBursts(n int, v float64) claims.Row {
	return claims.Row{Label: fmt.Sprintf("N = %d", n), Kind: claims.Point, At: float64(n), Value: v}
}

// pausedByRTT is the share of the time that H0 is paused, over the one-way delay in us.
func pausedByRTT(delays ...spfc.Time) claims.Measure {
	points := pointsOf(func(far spfc.Time) BurstPoint {
		return burstPoint(func(q *BurstPoint) {
			q.Far, q.Bursts, q.Timers, q.Lasts = far*spfc.Microsecond, 20, "paper", 3*spfc.Millisecond
		})
	}, delays...)
	return claims.OfAll(burst, points, func(rs []burstResult) claims.Measurement {
		m := claims.Figure(0, "%", "share of the time that H0 is paused")
		for i, r := range rs {
			rtt := 2 * (delays[i] + 1)
			m.Value = 100 * r.PausedShare
			m = m.With(claims.Row{Label: fmt.Sprintf("RTT %d us", rtt), Kind: claims.Point, At: float64(rtt), Value: m.Value})
		}
		return m
	})
}

// victimsPoint is §VII-A's run at epsilon 0.75 with a K and an egress; "": the usual one.
func victimsPoint(bursts, k int, egress string) BurstPoint {
	return burstPoint(func(q *BurstPoint) {
		q.Scheme, q.Bursts, q.Congest, q.K = "spfc", bursts, 3, k
		if egress != "" {
			q.Arbitration = egress
		}
	})
}

// ran is a fabric after a time.
func ran(ctx context.Context, sc spfc.Scenario, until spfc.Time) (*spfc.Fabric, error) {
	f, err := spfc.NewFabric(&sc)
	if err != nil {
		return nil, err
	}
	return f, f.Run(ctx, until)
}

// shortFlow is how long a flow of 64 KB lasts.
func shortFlow(ctx context.Context, _ *claims.Run) (claims.Measurement, error) {
	var ends [2]spfc.Time
	for i, bytes := range []int64{spfc.PayloadBytes, 64 << 10} { // the first packet alone, and all
		sc := spfc.DefaultScenario(printedBuffer())
		sc.Flows = []spfc.Flow{{From: 1, To: 31, Bytes: bytes, Control: spfc.Uncontrolled}}
		f, err := ran(ctx, sc, spfc.Millisecond)
		if err != nil {
			return claims.Measurement{}, err
		}
		ends[i] = f.Traffic.Flows[0].Finish
	}
	return claims.Figure(spfc.Microseconds(ends[1]-ends[0]+spfc.PacketBytes*spfc.Gbps100), "us",
		"from the last bit of the first packet to the last of all, and the line time of the first packet"), nil
}

// printedBuffer is Figure 3a with the printed buffer.
func printedBuffer() *spfc.Topology { return figure3aWith(16_000_000) }

// roundTrip is the last RTT that host 0 sees in a flow to another host.
func roundTrip(top func() *spfc.Topology, to int, bytes int64, what string) claims.Measure {
	return func(ctx context.Context, _ *claims.Run) (claims.Measurement, error) {
		sc := spfc.DefaultScenario(top())
		sc.Flows = []spfc.Flow{{From: 0, To: to, Bytes: bytes, Control: spfc.WithTIMELY}}
		f, err := ran(ctx, sc, spfc.Millisecond)
		if err != nil {
			return claims.Measurement{}, err
		}
		return claims.Figure(spfc.Microseconds(f.Traffic.Flows[0].Timely.Last), "us", "%s", what), nil
	}
}

// sectionIIIClaims are the claims of §III, §IV-E, §VII-A and §VII-B on one switch.
func sectionIIIClaims() []claims.Claim {
	return append(figure4Claims(), []claims.Claim{
		{ID: "spfc/3/short-flow", Source: paper + "§III-A", Printed: "5.5 us", Text: "A short flow of 64 KB lasts 5.5 us.",
			Judge: claims.Within("5.5", "1%", "us"), Expect: claims.Holds,
			Measure: shortFlow},
		{ID: "spfc/3/rtt", Source: paper + "§II-A, §III-A", Printed: "20 us", Text: "The base RTT of Figure 3a is 20 us.",
			Judge: claims.Within("20", "1%", "us"), Expect: claims.Holds,
			Note:    "By the NIC's time stamps, with two packets' and two answers' serialisation.",
			Measure: roundTrip(printedBuffer, 30, 16_000, "last packet of a segment to its answer")},
		{ID: "spfc/fig4/pinned-pauses", Source: paper + "§III-A, Fig. 4a", Printed: "eliminate",
			Text: "With the raised threshold P0 sends no PAUSE at 29 bursts.",
			Judge: claims.AtMost(
				"0", "",
			), Expect: claims.Holds, Measure: oneBurst("", burstPoint(func(q *BurstPoint) { q.Scheme, q.Bursts = "pinned", 29 }),
				burstPausesP0)},
		{ID: "spfc/fig4/st-throughput", Source: paper + "§III-A, Fig. 4b", Printed: "rapidly decreases",
			Text: "Under ST F1 loses more than a tenth at 24 bursts.", Judge: claims.AtMost("90", "Gb/s"),
			Expect: claims.Holds, Note: "With the headrooms out of the 16 MB: the static thresholds then add up to more than " +
				"the pool.", Measure: oneBurst("Gb/s", burstPoint(func(q *BurstPoint) { q.Scheme = "st" }), burstF1)},
		{ID: "spfc/fig4/st-pauses", Source: paper + "§III-A, Fig. 4a", Printed: "12.5 Mbps",
			Text: "PAUSE frames of P0 under ST take no more of the line than the figure's axis has.",
			Judge: claims.AtMost(
				"12.5", "Mb/s",
			), Expect: claims.Holds, Note: "The printed axis ends at 12.5 Mb/s; its curves are not known. N = 20, 24, 29, " +
				"with the headrooms out of the 16 MB.",
			Measure: byBursts("st", []int{20, 24, 29}, func(ns []int, rs []burstResult) claims.Measurement {
				m := claims.Figure(0, "Mb/s", "the most of three numbers of bursts")
				for i, r := range rs {
					if r.Pauses == 0 {
						return claims.Unfit("N = %d: ST never paused P0", ns[i])
					}
					m.Value = max(m.Value, r.PauseMbps)
					m = m.With(atBursts(ns[i], r.PauseMbps))
				}
				return m
			})},
		{ID: "spfc/fig4/dt-pauses", Source: paper + "§III-A, Fig. 4a", Printed: "increases",
			Text:   "Under DT with alpha 4 the PAUSEs of P0 increase with the number of bursts.",
			Note:   "N = 16, 24, 29. With alpha 1 P0 sends none at any of them, with alpha 2 only at 29.",
			Judge:  claims.Shape("rises from N = 16 to 24 to 29", "", func(m claims.Measurement) bool { return rising(m.Rows) }),
			Expect: claims.Holds,
			Measure: byBursts("dt4", []int{16, 24, 29}, func(ns []int, rs []burstResult) claims.Measurement {
				m := claims.Figure(0, "", "PAUSE decisions of P0, dt4")
				for i, r := range rs {
					m.Value = float64(r.Pauses)
					m = m.With(atBursts(ns[i], m.Value))
				}
				return m
			})},
		{ID: "spfc/fig5/alpha", Source: paper + "§III-B", Printed: "no difference",
			Text: "With 24 bursts alpha 1, 2 and 4 give F1 the same throughput under DT.", Judge: claims.AtMost("1", "Gb/s"),
			Expect: claims.Holds,
			Measure: claims.OfAll(burst, pointsOf(func(s string) BurstPoint {
				return burstPoint(func(q *BurstPoint) { q.Scheme = s })
			}, "dt1", "dt2", "dt4"), func(rs []burstResult) claims.Measurement {
				low, high := math.Inf(1), 0.0
				for _, r := range rs {
					low, high = min(low, r.F1Gbps), max(high, r.F1Gbps)
				}
				return claims.Figure(high-low, "Gb/s", "F1 from %.2f to %.2f Gb/s", low, high)
			})},
		{ID: "spfc/fig6b/rtt", Source: paper + "§III-B, Fig. 6b", Printed: "increases",
			Text:   "H0 is paused for longer the longer the RTT is.",
			Note:   "DT, alpha 2, N = 20, --timers paper, one-way delays of 4, 9 and 19 us; 3 ms of bursts.",
			Judge:  claims.Shape("rises with the RTT", "%", func(m claims.Measurement) bool { return rising(m.Rows) }),
			Expect: claims.Holds, Measure: pausedByRTT(4, 9, 19)},
		{ID: "spfc/4e/circuit-pauses", Source: paper + "§IV-E, Fig. 5", Printed: "completely avoided",
			Text: "With the circuit P0 sends no PAUSE at 24 bursts.", Judge: claims.AtMost("0", ""),
			Expect: claims.Deviates, Recorded: both("at least 10, and none with an egress that is fair", "",
				func(a, b float64) bool { return a >= 10 && b == 0 }),
			Reason: "TC of 4 RTT counts 200 KB, less than the 225 KB that come in one PAUSE's round trip, so FIFO egress " +
				"makes burst ports " +
				"victims in turn; with an egress fair to its ingress ports, or with TC = 320 us, P0 is not paused.",
			Measure: beside(
				"",
				burstPoint(func(q *BurstPoint) { q.Scheme = "spfc" }),
				burstPoint(func(q *BurstPoint) { q.Scheme, q.Arbitration = "spfc", "fair" }),
				burstPausesP0,
				"FIFO egress",
				"fair egress",
			)},
		{ID: "spfc/4e/circuit-long-tc", Source: paper + "§IV-E, §V-B", Printed: "TC >= 4RTT",
			Text: "With TC of 16 RTT it sends none.", Judge: claims.AtMost("0", ""), Expect: claims.Holds,
			Measure: oneBurst(
				"", burstPoint(func(q *BurstPoint) { q.Scheme, q.TC = "spfc", clock.MustTime("320us") }), burstPausesP0,
			)},
		{ID: "spfc/fig11/dt", Source: paper + "§VII-A, Fig. 11", Printed: "still performs better",
			Text: "At epsilon 0.875 and 24 bursts F1 has more with K = 5 than under DT.", Judge: claims.AtLeast("1", "Gb/s"),
			Expect: claims.Holds, Note: "Seven flows to R2: their least rates add up to more than the fair share.",
			Measure: claims.OfAll(burst, pointsOf(func(scheme string) BurstPoint {
				return burstPoint(func(q *BurstPoint) { q.Scheme, q.Congest = scheme, 7 })
			}, "dt2", "spfc"), func(rs []burstResult) claims.Measurement {
				dt, ours := rs[0].F1Gbps, rs[1].F1Gbps
				return claims.Figure(ours-dt, "Gb/s", "F1 %.1f and %.1f Gb/s", ours, dt)
			})},
		{ID: "spfc/fig11/large-n", Source: paper + "§VII-A, Fig. 11", Printed: "will not guarantee a good throughput",
			Text:  "With many bursts K = 3 leaves F1 less than K = 5.",
			Judge: both("K = 3 has less", "Gb/s", func(a, b float64) bool { return a < b }), Expect: claims.Deviates,
			Note: "Epsilon 0.75, N = 29.",
			Reason: "With TC of 4 RTT and FIFO egress burst ports are taken for victims in turn, the fewer the smaller K is. " +
				"With an egress fair to its ingress ports none is, and K makes no difference (the last two rows).",
			Recorded: claims.Shape("more with K = 3, and the same with a fair egress", "Gb/s", func(m claims.Measurement) bool {
				return len(m.Rows) == 4 && m.Rows[0].Value > m.Rows[1].Value+5 && m.Rows[2].Value == m.Rows[3].Value
			}),
			Measure: claims.OfAll(burst, []BurstPoint{
				victimsPoint(29, 3, "fifo"), victimsPoint(29, 5, "fifo"), victimsPoint(29, 3, "fair"), victimsPoint(29, 5, "fair"),
			}, func(rs []burstResult) claims.Measurement {
				m := claims.Figure(rs[0].F1Gbps, "Gb/s", "F1 with K = 3; rows: with 3 and 5, FIFO and fair egress")
				for i, label := range []string{"K = 3, fifo", "K = 5, fifo", "K = 3, fair", "K = 5, fair"} {
					m = m.With(claims.Row{Label: label, Value: rs[i].F1Gbps})
				}
				return m
			})},
		{ID: "spfc/fig11/small-n", Source: paper + "§VII-A, Fig. 11", Printed: "larger pause rate",
			Text: "A larger K gives more PAUSEs when bursts are few.", Note: "Epsilon 0.75, N = 2, K = 9 against 3.",
			Judge: claims.AtLeast("1", ""), Expect: claims.Holds,
			Measure: claims.OfAll(burst, []BurstPoint{victimsPoint(2, 3, ""), victimsPoint(2, 9, "")},
				func(rs []burstResult) claims.Measurement {
					few, many := burstPausesP0(rs[0]), burstPausesP0(rs[1])
					return claims.Figure(many-few, "", "%g PAUSEs of P0 against %g", many, few)
				})},
		{ID: "spfc/fig12/testbed", Source: paper + "§VII-B, Fig. 12", Printed: "does not decrease",
			Text:  "On the testbed's switch the victim keeps its throughput with SPFC, up to 6 bursts.",
			Judge: claims.AtLeast("9.5", "Gb/s"), Expect: claims.Holds, Note: "10 Gb/s, 2.5 MB; delays of 1 us are ours.",
			Measure: oneBurst("Gb/s", burstPoint(func(q *BurstPoint) { q.Testbed, q.Scheme, q.Bursts = true, "spfc", 6 }),
				burstF1)},
		{ID: "spfc/fig12/st", Source: paper + "§VII-B, Fig. 12", Printed: "performs the worst",
			Text:  "F1 has less under ST there than under DT with alpha 2, at 6 bursts.",
			Judge: both("ST has less", "Gb/s", func(a, b float64) bool { return a < b }), Expect: claims.Deviates,
			Note: "Reading: --keep-target with the timers of cards, whose target rate is not clamped. Under SPFC F1 has more " +
				"than under ST (spfc/fig12/st/spfc).",
			Reason: "DT pauses H0 for longer (the last two rows): as the pool fills, its threshold falls below a share of the " +
				"memory by the number of ports.",
			Recorded: claims.Shape("DT has less, and pauses H0 for longer", "Gb/s", func(m claims.Measurement) bool {
				return len(m.Rows) == 4 && m.Rows[1].Value < m.Rows[0].Value && m.Rows[3].Value > m.Rows[2].Value
			}),
			Measure: worstOfTestbed()},
		{ID: "spfc/fig12/st/spfc", Source: paper + "§VII-B, Fig. 12", Printed: "performs the worst",
			Text:  "F1 has less under ST than under SPFC.",
			Judge: both("ST has less", "Gb/s", func(a, b float64) bool { return a < b }), Expect: claims.Holds,
			Note: "Reading: as spfc/fig12/st. If each cut sets the target, F2 is at its least rate before any port is full, " +
				"and all have 9.9 Gb/s.",
			Measure: beside("Gb/s", testbedPoint("st"), testbedPoint("spfc"), burstF1, "ST", "SPFC")},
	}...)
}

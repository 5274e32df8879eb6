package study

import (
	"context"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/workload/measure"

	"github.com/goldwire/goldwire/designs/spfc"
)

// workloadRuns are the seeds of the claims of Figures 13 and 14. The paper does not say how many runs it has, nor how
// long they are.
const workloadRuns = 20

// portRuns is the number of runs for the claims about P0 alone, which pauses in few runs.
const portRuns = 40

// workloadReading is a reading of §VII-C: a congestion control, and the rule of DCQCN that Figure 4 hangs on.
type workloadReading struct {
	control string
	keep    bool
	burst   float64 // load of the bursts; 0: the printed 0.2
	equal   bool    // the flows of a burst have one size
}

// samples are runs of Figure 13's scenario under a buffer manager. The bursts are free of congestion control, or not.
func (w workloadReading) samples(runs int, scheme string, free bool) []claims.Sample[workloadPoint] {
	s := workloadSettings()
	s.Control = w.control
	if w.keep {
		s.Timers, s.FirstLater, s.KeepTarget = "paper", true, true
	}
	burst := w.burst
	if burst == 0 {
		burst = 0.2
	}
	return claims.Samples(workloadPoint{s, scheme, 0.4, burst, 50 * spfc.Millisecond, free, "websearch", w.equal}, runs)
}

// pair are runs under SPFC, then as many under another scheme with the same flows.
func (w workloadReading) pair(runs int, scheme string) []claims.Sample[workloadPoint] {
	return append(w.samples(runs, "spfc", true), w.samples(runs, scheme, true)...)
}

// reduction is by how many per cent a figure is less under SPFC than under another scheme: run by run, the mean with
// its interval as rows, as a third row the share of the time that H0 is paused under the other scheme, and further rows
// of the runs under both.
func reduction(w workloadReading, scheme string, get func(workloadResult) float64,
	rows ...func(spfc, other []workloadResult) claims.Row) claims.Measure {
	return claims.OfSamples(Workload, w.pair(workloadRuns, scheme), func(rs []workloadResult) claims.Measurement {
		a, b := rs[:workloadRuns], rs[workloadRuns:]
		var each [2][]float64
		paused := 0.0
		for k := range a {
			each[0], each[1] = append(each[0], get(a[k])), append(each[1], get(b[k]))
			paused += 100 * b[k].Paused / float64(len(b))
		}
		d, ok := paired(each[0], each[1], false)
		if !ok {
			return claims.Unfit("no two of %d runs have a figure under %s", workloadRuns, scheme)
		}
		m := intervalOf(d, "%", fmt.Sprintf("50 ms of arrivals; H0 is paused for %.1f %% of the time under %s", paused,
			scheme)).With(claims.Row{Label: "H0 paused", Value: paused, Unit: "%"})
		for _, row := range rows {
			m = m.With(row(a, b))
		}
		return m
	})
}

// neverPaused is by how many per cent all ports would pause less often than under another scheme had SPFC never paused
// P0, and burstShare the part of the other scheme's PAUSEs that burst ports send.
func neverPaused(a, b []workloadResult) claims.Row {
	var each [2][]float64
	for k := range a {
		each[0], each[1] = append(each[0], pausesOfBursts(a[k])), append(each[1], pausesOfAll(b[k]))
	}
	d, _ := paired(each[0], each[1], false)
	return claims.Row{Label: "were P0 never paused", Kind: claims.Variant, Value: d.Mean, Unit: "%"}
}

func burstShare(_, b []workloadResult) claims.Row {
	v := 100 * quotient(b, b, -1, pausesOfBursts, pausesOfAll)
	return claims.Row{Label: "PAUSEs of burst ports", Value: v, Unit: "%"}
}

// jackknife is a figure of all runs, with a 95 % interval from the figures with one run left out at a time. It suits
// ratios of sums, for which a single run may have no figure.
func jackknife(n int, of func(without int) float64) measure.Interval {
	all := of(-1)
	pseudo := make([]float64, n)
	for k := range n {
		pseudo[k] = float64(n)*all - float64(n-1)*of(k)
	}
	d := measure.Mean(pseudo)
	d.Mean = all
	return d
}

// quotient is a sum over some runs by another.
func quotient(a, b []workloadResult, without int, num, den func(workloadResult) float64) float64 {
	x, y := 0.0, 0.0
	for k := range a {
		if k != without {
			x, y = x+num(a[k]), y+den(b[k])
		}
	}
	return x / y
}

func pausesOfP0(r workloadResult) float64     { return float64(r.Pauses) }
func pausesOfAll(r workloadResult) float64    { return float64(r.AllPauses) }
func pausesOfBursts(r workloadResult) float64 { return float64(r.AllPauses - r.Pauses) }
func queuesOfP0(r workloadResult) float64     { return float64(r.VictimQueues) }
func queuesOfBursts(r workloadResult) float64 { return float64(r.BurstQueues) }

// fewerOfP0 is by how many per cent P0, the port without bursts, pauses less under SPFC: over the sum of all runs,
// some of which have no PAUSE of it.
func fewerOfP0(w workloadReading, scheme string) claims.Measure {
	samples := w.pair(portRuns, scheme)
	if w.keep {
		samples = append(samples, workloadReading{control: w.control}.pair(workloadRuns, scheme)...)
	}
	return claims.OfSamples(Workload, samples, func(rs []workloadResult) claims.Measurement {
		a, b, cards := rs[:portRuns], rs[portRuns:2*portRuns], rs[2*portRuns:]
		d := jackknife(
			len(a), func(without int) float64 { return 100 * (1 - quotient(a, b, without, pausesOfP0, pausesOfP0)) },
		)
		mine, other := 0.0, 0.0
		for k := range a {
			mine, other = mine+pausesOfP0(a[k]), other+pausesOfP0(b[k])
		}
		m := intervalOf(d, "%", fmt.Sprintf("50 ms of arrivals; %g PAUSEs of P0, %g under %s", mine, other, scheme))
		if len(cards) == 0 {
			return m
		}
		v := 100 * (1 - quotient(cards[:workloadRuns], cards[workloadRuns:], -1, pausesOfP0, pausesOfP0))
		return m.With(claims.Row{Label: fmt.Sprintf("cards' timers, %d seeds", workloadRuns), Value: v, Unit: "%"})
	})
}

// intervalOf is a figure that is a mean over seeds: its rows are the ends of the 95 % interval.
func intervalOf(d measure.Interval, unit, what string) claims.Measurement {
	low, high := ends(d)
	return claims.Figure(d.Mean, unit, "± %.1f, 95 %% interval of %d seeds, %s", d.Half, d.Runs, what).
		With(claims.Row{Label: "from", Value: low, Unit: unit}, claims.Row{Label: "to", Value: high, Unit: unit})
}

// above judges a mean over seeds by the lower end of its interval.
func above(limit float64, unit string) claims.Judge {
	return claims.Shape(fmt.Sprintf("the whole interval above %g", limit), unit, func(m claims.Measurement) bool {
		return len(m.Rows) >= 2 && m.Rows[0].Value > limit
	})
}

// figure13Reading is the note of all measurements in §VII-C's scenario.
const figure13Reading = "The bursts of H1 to H29 have no congestion control: with DCQCN there is hardly a PAUSE at " +
	"these loads. " +
	"H0's 0.4 is of its own line and goes to both receivers, so R2's line has 0.4 in all."

func workloadClaims() []claims.Claim {
	var cs []claims.Claim
	for _, c := range []struct{ control, scheme, name, pauses, fct string }{
		{"dcqcn", "dt1", "DT", "31.6", "57.9"}, {"dcqcn", "st", "ST", "69.0", "83.5"},
		{"timely", "dt1", "DT", "36.5", "39.4"}, {"timely", "st", "ST", "49.7", "70.9"},
	} {
		cs = append(cs, figure13Claims(c.control, c.scheme, c.name, c.pauses, c.fct)...)
	}
	return append(cs, figure14Claims()...)
}

// figure13Claims are the claims about SPFC against one buffer manager with one congestion control.
func figure13Claims(control, scheme, name, pauses, fct string) []claims.Claim {
	w, section3 := workloadReading{control: control}, workloadReading{control: control, keep: control == "dcqcn"}
	printed, slower := number(pauses), number(fct)
	note := figure13Reading
	if section3.keep {
		note += " DCQCN as in Figure 4's claims: --timers paper --first-later --keep-target."
	}
	// of the printed figure, with H0 paused for no more than a bound
	short := func(limit float64, bound float64) claims.Judge {
		return claims.Shape(
			fmt.Sprintf("the whole interval below %g, H0 paused for at most %g %%", limit, bound),
			"%",
			func(m claims.Measurement) bool {
				return len(m.Rows) == 3 && m.Rows[1].Value < limit && m.Rows[2].Value <= bound
			},
		)
	}
	id := fmt.Sprintf("spfc/fig13/%s/%s/", control, scheme)
	large := func(r workloadResult) float64 { return r.H0[largeFlows].Mean }
	const source = paper + "§VII-C, Fig. 13"
	return []claims.Claim{
		{ID: id + "pauses", Source: source, Printed: "fewest PAUSEs",
			Text: fmt.Sprintf("SPFC sends fewer PAUSEs than %s with %s, of all ports.", name, control),
			Note: figure13Reading, Judge: above(0, "%"), Expect: claims.Holds, Measure: reduction(w, scheme, pausesOfAll)},
		{ID: id + "pauses-by", Source: source, Printed: pauses + " %",
			Text: fmt.Sprintf("By that much fewer than %s with %s, of all ports.", name, control),
			Note: figure13Reading, Judge: around(printed, 0.05, "%"), Expect: claims.Deviates,
			Recorded: claims.Shape(
				fmt.Sprintf("the whole interval below %g, also were P0 never paused; 9 of 10 PAUSEs of burst ports", printed),
				"%", ofBursts(printed),
			),
			Reason: "Burst ports send more than 9 of 10 PAUSEs, and a victim that takes more of the pool cannot spare them " +
				"theirs: even were P0 never paused under SPFC, all ports' would be fewer by less (the last rows). " +
				"The abstract counts non-bursty ports: see the claim of P0.",
			Measure: reduction(w, scheme, pausesOfAll, neverPaused, burstShare)},
		nonBursty(id, claims.Claim{Source: paper + "abstract, §VII-C", Printed: pauses + " %",
			Text: fmt.Sprintf("On the port without bursts, as the abstract counts, by that much fewer than %s with %s.", name,
				control),
			Note: note, Judge: around(printed, 0.05, "%"), Expect: claims.Holds, Measure: fewerOfP0(section3, scheme)}),
		{ID: id + "large", Source: source, Printed: fct + " %",
			Text: fmt.Sprintf("Large flows of H0 have a lower mean slowdown than under %s with %s.", name, control),
			Note: figure13Reading, Judge: around(slower, 0.05, "%"), Expect: claims.Deviates, Recorded: short(slower, 6),
			Reason: "H0 is paused for a few per cent of the time under any manager, so none can give H0's large flows more " +
				"than that; " +
				"what slows them is the line to R2, which bursts fill.",
			Measure: reduction(w, scheme, large)},
	}
}

// nonBursty adds the verdict on record to two of the four claims about P0, which deviate.
func nonBursty(id string, c claims.Claim) claims.Claim {
	c.ID = id + "non-bursty"
	switch id {
	case "spfc/fig13/dcqcn/st/":
		c.Expect = claims.Deviates
		c.Reason = "It hangs on what the paper does not state of DCQCN. Under Figure 4's reading it comes near, with " +
			"cards' timers and each cut setting the " +
			"target it is less than half."
		c.Recorded = claims.Shape(
			"the interval from 50 to 69, and less than half with cards' timers",
			"%",
			func(m claims.Measurement) bool {
				return len(m.Rows) == 3 && m.Rows[0].Value > 50 && m.Rows[1].Value < 69 && m.Rows[2].Value < 34.5
			},
		)
	case "spfc/fig13/timely/dt1/":
		c.Expect = claims.Deviates
		c.Reason = "With TIMELY most PAUSEs of P0 are those of a few runs, so that 40 runs do not tell the difference from 0."
		c.Recorded = claims.Shape("0 within the interval", "%", func(m claims.Measurement) bool {
			return len(m.Rows) >= 2 && m.Rows[0].Value <= 0 && m.Rows[1].Value >= 0
		})
	}
	return c
}

// number is a printed figure.
func number(printed string) float64 {
	var v float64
	if _, err := fmt.Sscan(printed, &v); err != nil {
		panic(err) // a literal of this file
	}
	return v
}

// figure14Claims are the claims about queues at PAUSE, and about Figure 13 with congestion control at all hosts.
func figure14Claims() []claims.Claim {
	w := workloadReading{control: "dcqcn"}
	const source = paper + "§VII-C, Fig. 14"
	// compared is a quotient of sums under SPFC over that under another scheme, with its interval; then further rows of
	// the runs under both
	compared := func(w workloadReading, scheme, what string, num, den func(workloadResult) float64,
		rows ...func(spfc, other []workloadResult) claims.Row) claims.Measure {
		return claims.OfSamples(Workload, w.pair(workloadRuns, scheme), func(rs []workloadResult) claims.Measurement {
			a, b := rs[:workloadRuns], rs[workloadRuns:]
			d := jackknife(len(a), func(k int) float64 { return quotient(a, a, k, num, den) / quotient(b, b, k, num, den) })
			low, high := ends(d)
			m := claims.Figure(d.Mean, "", "%s: %.4g under SPFC, %.4g under %s; 95 %% interval %.2f to %.2f of %d seeds", what,
				quotient(a, a, -1, num, den), quotient(b, b, -1, num, den), scheme, low, high, d.Runs).
				With(claims.Row{Label: "from", Value: low}, claims.Row{Label: "to", Value: high})
			for _, row := range rows {
				m = m.With(row(a, b))
			}
			return m
		})
	}
	below := claims.Shape("the whole interval below 1", "",
		func(m claims.Measurement) bool { return len(m.Rows) >= 2 && m.Rows[1].Value < 1 })
	equal := w
	equal.equal = true
	const ratio = "P0's queues at PAUSE over the burst ports'"
	return []claims.Claim{
		{ID: "spfc/fig14a/dt", Source: source + "a", Printed: "lowest",
			Text: "Burst ports have shorter queues at PAUSE under SPFC than under DT.",
			Note: figure13Reading, Judge: below, Expect: claims.Holds,
			Measure: compared(w, "dt1", "mean bytes", queuesOfBursts, pausesOfBursts)},
		{ID: "spfc/fig14a/st", Source: source + "a", Printed: "lowest", Text: "And than under ST.",
			Note: figure13Reading, Judge: below, Expect: claims.Deviates,
			Recorded: claims.Shape("the interval above 1, and below 1 where the flows of a burst have one size", "",
				sizesDiffer),
			Measure: withEqualFlows(compared(w, "st", "mean bytes", queuesOfBursts, pausesOfBursts),
				compared(equal, "st", "mean bytes", queuesOfBursts, pausesOfBursts)),
			Reason: "ST pauses at 16 MB / 32 = 500 KB. Flows of a burst differ in size, so that only some ports are active " +
				"at their PAUSE, to each of which Equation 1 leaves more of the pool of 9 MB. Where all flows of a burst have " +
				"one size, the last row, SPFC pauses earlier than ST."},
		{ID: "spfc/fig14b/dt", Source: source + "b", Printed: "significantly lower",
			Text: ratio + " are less under SPFC than under DT.",
			Note: figure13Reading, Judge: below, Expect: claims.Deviates,
			Recorded: claims.Shape("the interval reaches 1, and both sums are less", "", bothFall),
			Measure:  compared(w, "dt1", ratio, queuesOfP0, queuesOfBursts, sumOfP0, sumOfBursts),
			Reason: "SPFC lessens the burst ports' queues at PAUSE about as much as P0's, the last two rows, so that the " +
				"quotient does not fall."},
		{ID: "spfc/fig14b/dt/target-kept", Source: source + "b", Printed: "significantly lower",
			Text: ratio + " are less under SPFC than under DT, under Figure 4's reading.",
			Note: figure13Reading + " --timers paper --first-later --keep-target.", Judge: below,
			Expect: claims.Deviates, Recorded: claims.Shape("as with cards' timers", "", bothFall),
			Reason: "As with cards' timers: the last rows.",
			Measure: compared(workloadReading{control: "dcqcn", keep: true}, "dt1", ratio, queuesOfP0, queuesOfBursts,
				sumOfP0, sumOfBursts)},
		{ID: "spfc/fig14b/load", Source: source + "b", Printed: "increases rapidly",
			Text: "Under SPFC " + ratio + " grow rapidly with the load of the bursts.",
			Note: figure13Reading + " Rapidly is read as at least twice as much at burst load 0.4 as at 0.1.",
			Judge: claims.Shape("the whole interval above 2", "x",
				func(m claims.Measurement) bool { return len(m.Rows) == 4 && m.Rows[0].Value > 2 }),
			Expect: claims.Deviates,
			Recorded: claims.Shape("an interval below 2 and sums that both grow more than twice", "x",
				func(m claims.Measurement) bool {
					return len(m.Rows) == 4 && m.Rows[1].Value < 2 && m.Rows[2].Value > 2 && m.Rows[3].Value > 2
				}),
			Reason:  "P0's sum grows as the bursts' does (the last two rows), so that the quotient does not.",
			Measure: ratioByLoad()},
		{ID: "spfc/fig13/controlled", Source: paper + "§VII-C, Fig. 13", Printed: "fewest PAUSEs",
			Text:  "With DCQCN at all hosts SPFC sends no more PAUSEs than DT and ST.",
			Judge: claims.AtMost("0", ""), Expect: claims.Holds,
			Measure: claims.OfSamples(Workload, slices.Concat(w.samples(workloadRuns, "spfc", false),
				w.samples(workloadRuns, "dt1", false), w.samples(workloadRuns, "st", false)),
				func(rs []workloadResult) claims.Measurement {
					var n [3]float64 // under SPFC, DT, ST
					for k, r := range rs {
						n[k/workloadRuns] += pausesOfAll(r)
					}
					return claims.Figure(n[0]-min(n[1], n[2]), "", "PAUSEs of all ports in %d runs: spfc %g dt1 %g st %g",
						workloadRuns, n[0], n[1], n[2])
				})},
	}
}

// withEqualFlows is a measurement with the figure of another as a row: of bursts whose flows have one size.
func withEqualFlows(of, equal claims.Measure) claims.Measure {
	return func(ctx context.Context, run *claims.Run) (claims.Measurement, error) {
		m, err := of(ctx, run)
		if err != nil {
			return m, err
		}
		e, err := equal(ctx, run)
		return m.With(claims.Row{Label: "flows of a burst of one size", Kind: claims.Variant, Value: e.Float()}), err
	}
}

// ofBursts tells whether the burst ports' PAUSEs keep the reduction of all below the printed one: nine of ten are
// theirs, and it would be less even were P0 never paused.
func ofBursts(printed float64) func(claims.Measurement) bool {
	return func(m claims.Measurement) bool {
		return len(m.Rows) == 5 && m.Rows[1].Value < printed && m.Rows[3].Value < printed && m.Rows[4].Value > 90
	}
}

// sizesDiffer tells whether queues are longer under SPFC, and shorter where the flows of a burst have one size.
func sizesDiffer(m claims.Measurement) bool {
	return len(m.Rows) == 3 && m.Rows[0].Value > 1 && m.Rows[2].Value < 1
}

// bothFall tells whether P0's sum of queues and the burst ports' are both less under SPFC, and their quotient is not.
func bothFall(m claims.Measurement) bool {
	return len(m.Rows) == 4 && m.Rows[1].Value >= 1 && m.Rows[2].Value < 1 && m.Rows[3].Value < 1
}

// The rows of bothFall, each a factor of SPFC over another scheme.
func sumOfP0(a, b []workloadResult) claims.Row {
	return claims.Row{Label: "P0's sum", Value: quotient(a, b, -1, queuesOfP0, queuesOfP0), Unit: "x"}
}

func sumOfBursts(a, b []workloadResult) claims.Row {
	return claims.Row{Label: "burst ports' sum", Value: quotient(a, b, -1, queuesOfBursts, queuesOfBursts), Unit: "x"}
}

// ratioByLoad is the growth, a factor, of Figure 14b's quotient under SPFC from a burst load of 0.1 to one of 0.4;
// after the ends of the interval its rows are the factors of P0's sum and of the burst ports'.
func ratioByLoad() claims.Measure {
	samples := append(workloadReading{control: "dcqcn", burst: 0.1}.samples(portRuns, "spfc", true),
		workloadReading{control: "dcqcn", burst: 0.4}.samples(portRuns, "spfc", true)...)
	return claims.OfSamples(Workload, samples, func(rs []workloadResult) claims.Measurement {
		low, high := rs[:portRuns], rs[portRuns:]
		d := jackknife(len(low), func(k int) float64 {
			return quotient(high, high, k, queuesOfP0, queuesOfBursts) / quotient(low, low, k, queuesOfP0, queuesOfBursts)
		})
		return intervalOf(d, "x", "50 ms of arrivals, burst loads 0.4 and 0.1").With(
			claims.Row{Label: "P0's sum", Value: quotient(high, low, -1, queuesOfP0, queuesOfP0)},
			claims.Row{Label: "burst ports' sum", Value: quotient(high, low, -1, queuesOfBursts, queuesOfBursts)})
	})
}

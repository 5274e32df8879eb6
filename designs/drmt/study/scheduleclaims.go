package study

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
	measures "github.com/goldwire/goldwire/workload/measure"
)

// scheduleClaims are what the paper says of schedules.
func scheduleClaims() []claims.Claim {
	list := append(figureClaims(), theoremClaims()...)
	return append(list, randomClaims()...)
}

type measure = claims.Measure

// figureClaims are Figures 2 to 5.
func figureClaims() []claims.Claim {
	naive, delayed := []int{0, 0, 2, 2, 4, 4, 5}, []int{0, 0, 3, 3, 5, 5, 6}
	figure4 := func(start []int) *schedule.Schedule {
		g, l := schedule.Figure4()
		return &schedule.Schedule{Graph: g, Limits: l, Period: 2, Start: start}
	}
	broken := func(start []int) measure {
		return claims.Fixed(func() (m claims.Measurement, err error) {
			n := 0
			if joined, ok := figure4(start).Validate().(interface{ Unwrap() []error }); ok {
				n = len(joined.Unwrap())
			}
			return claims.Count(
				n, "limits", "what the validator reports of one processor replayed cycle by cycle at a period of 2",
			), nil
		})
	}
	return []claims.Claim{
		{
			ID: "drmt/figure2/stages", Source: "dRMT Figure 2", Printed: "3 stages",
			Text:  "The toy program needs three stages of an RMT pipeline with one match and two actions each.",
			Judge: claims.Exactly("3", "stages"), Expect: claims.Holds,
			Measure: func(ctx context.Context, _ *claims.Run) (m claims.Measurement, err error) {
				g, l := schedule.Figure2()
				_, b, err := schedule.MinimizeStages(ctx, g, l, true, schedule.Options{})
				return claims.Count(b.High, "stages", "2 are refuted by %s", b.Refuted), err
			},
		},
		{
			ID: "drmt/figure3/processors", Source: "dRMT Figure 3", Printed: "2 processors",
			Text:  "dRMT runs the toy program at line rate with two processors.",
			Judge: claims.Exactly("2", "processors"), Expect: claims.Holds,
			Measure: func(ctx context.Context, run *claims.Run) (m claims.Measurement, err error) {
				g, l := schedule.Figure2()
				r, err := schedule.Minimize(ctx, g, l, schedule.Options{Seed: run.Seed})
				if err != nil {
					return m, err
				}
				return claims.Count(
					r.Period.High, "processors", "a schedule of %d cycles; 1 is refuted by %s", r.Length.High,
					r.Period.Refuted,
				), r.Schedule.Validate()
			},
		},
		{
			ID: "drmt/figure4/naive", Source: "dRMT Figures 4c, 5a", Printed: "2 limits",
			Text:  "The naive schedule breaks two limits in one cycle: packets that start matches, and parallel searches.",
			Judge: claims.Exactly("2", "limits"), Expect: claims.Holds, Measure: broken(naive),
		},
		{
			ID: "drmt/figure4/delayed", Source: "dRMT Figures 4d, 5b", Printed: "valid",
			Text: "With one no-op the schedule breaks no limit.", Judge: claims.Exactly("0", "limits"),
			Expect: claims.Holds, Measure: broken(delayed),
		},
		{
			ID: "drmt/figure4/length", Source: "dRMT Figure 4d", Printed: "7 cycles",
			Text:  "The schedule with the no-op takes 7 cycles from the first start to the last.",
			Judge: claims.Exactly("7", "cycles"), Expect: claims.Holds,
			Note: "No no-op is needed: M0 and M2, M1 and M3, A2, A1 and A3 in four cycles in a row break no limit either " +
				"(drmt/figure4/shortest).",
			Measure: claims.Fixed(func() (m claims.Measurement, err error) {
				return claims.Count(figure4(delayed).Length(), "cycles", "the last start minus the first plus 1"), nil
			}),
		},
		{
			ID: "drmt/figure4/shortest", Source: "dRMT §3.1, Figure 4d", Printed: "slightly increases latency",
			Text:  "Resolving the conflicts of the naive schedule, 6 cycles long, costs latency.",
			Judge: claims.AtLeast("7", "cycles"), Expect: claims.Deviates, Recorded: claims.Exactly("4", "cycles"),
			Note: "The least length at a period of 2.",
			Reason: "The matches need not go in the order of the tables: with M0 and M2 first the program takes 4 cycles, " +
				"fewer than the naive schedule, at the same period and within the same limits.",
			Measure: func(ctx context.Context, run *claims.Run) (m claims.Measurement, err error) {
				g, l := schedule.Figure4()
				r, err := schedule.Minimize(ctx, g, l, schedule.Options{Seed: run.Seed})
				if err != nil {
					return m, err
				}
				return claims.Count(
					r.Length.High, "cycles", "period %s; one cycle less is refuted by %s", r.Period, r.Length.Refuted,
				), r.Schedule.Validate()
			},
		},
	}
}

// theoremGraphs are the random graphs that theorems are tried on.
func theoremGraphs(seed uint64) []*schedule.Graph {
	var all []*schedule.Graph
	for i := range 6 {
		all = append(
			all, schedule.RandomGraph(schedule.Random{Nodes: 60, Edges: 180}, rand.New(rand.NewPCG(seed+uint64(i), 33))),
		)
	}
	return all
}

func theoremClaims() []claims.Claim {
	return []claims.Claim{
		{
			ID: "drmt/theorem3.3", Source: "dRMT Theorem 3.3, Appendix A.3 and B", Printed: "at least",
			Text: "A program's throughput on dRMT is at least that on RMT: the sieve makes a schedule of a pipeline's " +
				"stages, with as many processors.",
			Judge: claims.Exactly("0", "graphs"), Expect: claims.Holds,
			Note: "Random graphs whose shortest RMT fine pipeline did not become a valid schedule for IPC 1.",
			Measure: func(ctx context.Context, run *claims.Run) (m claims.Measurement, err error) {
				failed, tried := 0, 0
				for _, g := range theoremGraphs(run.Seed) {
					pipe, _, err := schedule.MinimizeStages(ctx, g, schedule.RMT(32), false, schedule.Options{})
					if err != nil || pipe == nil {
						return claims.Measurement{}, fmt.Errorf("no pipeline: %w", err)
					}
					tried++
					if s := schedule.SR(pipe, schedule.DRMT(1).WithoutHardware(), pipe.Stages()); s == nil || s.Validate() != nil {
						failed++
					}
				}
				return claims.Count(failed, "graphs", "of %d", tried), nil
			},
		},
		{
			ID: "drmt/theorem3.7", Source: "dRMT Theorem 3.7", Printed: "independent",
			Text: "Throughput does not depend on the latencies: a schedule for latencies of 1 becomes one for any others, " +
				"of the same period.",
			Judge: claims.Exactly("0", "schedules"), Expect: claims.Holds,
			Note: "What starts together moves together; the length is not bounded. Latencies 22 and 2, 18 and 2, 3 and 7, " +
				"at IPC 1 and 2.",
			Measure: func(ctx context.Context, run *claims.Run) (m claims.Measurement, err error) {
				failed, tried, err := stretched(
					ctx, run.Seed, func(s *schedule.Schedule, l schedule.Limits) *schedule.Schedule { return s.Stretch(l) },
				)
				return claims.Count(failed, "schedules", "of %d that are not valid", tried), err
			},
		},
		{
			ID: "drmt/a.6/one-by-one", Source: "dRMT Appendix A.6", Printed: "feasible",
			Text: "The proof moves operations one by one, each to the first start of its class that its predecessors " +
				"allow, and says that the result obeys the IPC.",
			Judge: claims.Exactly("0", "schedules"), Expect: claims.Deviates, Recorded: claims.AtLeast("1", "schedules"),
			Reason: "Operations of one class that started together come to start whole periods apart, which are different " +
				"packets in one cycle. Moving together what starts together mends it (drmt/theorem3.7).",
			Measure: func(ctx context.Context, run *claims.Run) (m claims.Measurement, err error) {
				failed, tried, err := stretched(ctx, run.Seed, oneByOne)
				return claims.Count(failed, "schedules", "of %d that are not valid", tried), err
			},
		},
	}
}

// stretched makes schedules for latencies of 1 longer in some way and counts the schedules that are not valid then.
func stretched(
	ctx context.Context, seed uint64, by func(*schedule.Schedule, schedule.Limits) *schedule.Schedule,
) (failed, tried int, err error) {
	for _, g := range theoremGraphs(seed) {
		for ipc := 1; ipc <= 2; ipc++ {
			short := schedule.DRMT(ipc).WithoutHardware()
			short.MatchLatency, short.ActionLatency = 1, 1
			sieve := schedule.TRS(g, short, schedule.LowerBound(g, short)+4, 20, rand.New(rand.NewPCG(seed, 37)))
			if sieve == nil {
				continue
			}
			if err := sieve.Validate(); err != nil {
				return 0, 0, err
			}
			for _, d := range [][2]int{{22, 2}, {18, 2}, {3, 7}} {
				l := short
				l.MatchLatency, l.ActionLatency = d[0], d[1]
				tried++
				if by(sieve, l).Validate() != nil {
					failed++
				}
			}
		}
	}
	if tried == 0 {
		return 0, 0, fmt.Errorf("no schedule was found to be stretched")
	}
	return failed, tried, ctx.Err()
}

// oneByOne is the procedure in the proof of Theorem 3.7 as it is printed.
func oneByOne(s *schedule.Schedule, l schedule.Limits) *schedule.Schedule {
	long := &schedule.Schedule{Graph: s.Graph, Limits: l, Period: s.Period, Start: append([]int(nil), s.Start...)}
	for changed := true; changed; {
		changed = false
		for _, e := range s.Graph.Edges {
			for long.Start[e.To] < long.Start[e.From]+l.Latency(e.Delay) {
				long.Start[e.To] += s.Period
				changed = true
			}
		}
	}
	return long
}

// The rows of a mean over graphs: its 95 % interval, since the graphs are independent draws.
const lowEnd, highEnd = "95 % interval from", "to"

// meets accepts a mean whose interval has a point in common with a band: the graphs do not speak against it.
func meets(low, high float64) claims.Judge {
	return claims.Shape(
		fmt.Sprintf("an interval that meets %g to %g %%", low, high),
		"%",
		func(m claims.Measurement) bool {
			return len(m.Rows) == 2 && m.Rows[0].Value <= high && m.Rows[1].Value >= low
		},
	)
}

// randomClaims are Figure 6, on fewer graphs than the figure has.
func randomClaims() []claims.Claim {
	const graphs = 16
	of := func(edges float64, pick func(list []randomResult) claims.Measurement) measure {
		draws := claims.Samples(randomPoint{Nodes: 100, Edges: edges, Limit: schedule.DefaultClauses}, graphs)
		return claims.OfSamples(randomExperiment, draws, func(list []randomResult) claims.Measurement {
			for i, r := range list {
				if !r.RMT.Proved() || !r.IPC2.Proved() {
					return claims.Unfit("the least of graph %d is not proved", i)
				}
			}
			return pick(list)
		})
	}
	reductions := func(edges float64) measure {
		return of(edges, func(list []randomResult) claims.Measurement {
			var values []float64
			for _, r := range list {
				values = append(values, 100*r.reduction())
			}
			mean := measures.Mean(values)
			return claims.Figure(mean.Mean, "%", "%d graphs, %g edges on average, all least numbers proved", graphs, edges).
				With(claims.Row{Label: lowEnd, Value: mean.Mean - mean.Half},
					claims.Row{Label: highEnd, Value: mean.Mean + mean.Half})
		})
	}
	const note = "16 graphs; `goldwire run drmt random` has 100."
	const reason = "The recipe as printed, with 500 edges, has long chains, on which RMT's turns of match and action " +
		"lose more; with 450 the mean is as printed (drmt/figure6/mean-450). Of 100 graphs: 17.4 % and 45.5 %."
	return []claims.Claim{
		{
			ID: "drmt/figure6/mean", Source: "dRMT §4.2, Figure 6", Printed: "10 %",
			Text:  "On random graphs dRMT at IPC 2 needs 10 % fewer processors than RMT stages on average.",
			Judge: claims.Within("10", "3", "%"), Expect: claims.Deviates, Recorded: claims.Within("16", "3", "%"),
			Reason:  reason,
			Note:    note,
			Measure: reductions(500),
		},
		{
			ID: "drmt/figure6/mean-450", Source: "dRMT §4.2, Figure 6", Printed: "10 %",
			Text:  "On random graphs of 450 edges dRMT at IPC 2 needs 10 % fewer processors than RMT stages on average.",
			Judge: meets(7, 13), Expect: claims.Holds, Measure: reductions(450),
			Note: note + " The interval is of the mean of all such graphs, with 95 % confidence: the mean of 16 alone is 11 " +
				"to 14 %, by the seed.",
		},
		{ID: "drmt/figure6/largest", Source: "dRMT §4.2, Figure 6", Printed: "30 %", Text: "The largest reduction is 30 %.",
			Judge: claims.Within("30", "5", "%"), Expect: claims.Deviates, Recorded: claims.AtLeast("36", "%"), Reason: reason,
			Note: note,
			Measure: of(500, func(list []randomResult) claims.Measurement {
				m := claims.Figure(0, "%", "%s", note)
				for _, r := range list {
					m.Value = max(m.Value, 100*r.reduction())
				}
				return m
			})},
		{
			ID: "drmt/figure6/order", Source: "dRMT §4.2, Figure 6", Printed: "IPC 2, IPC 1, RMT",
			Text:  "dRMT at IPC 2 needs the fewest, at IPC 1 no more than RMT.",
			Judge: claims.Exactly("0", "graphs"), Expect: claims.Holds,
			Note: "Graphs on which a machine needs more than one that can do less.",
			Measure: of(500, func(list []randomResult) claims.Measurement {
				wrong := 0
				for _, r := range list {
					if r.IPC2.High > r.IPC1.High || r.IPC1.High > r.Fine.High || r.Fine.High > r.RMT.High {
						wrong++
					}
				}
				return claims.Count(wrong, "graphs", "of %d", len(list))
			}),
		},
	}
}

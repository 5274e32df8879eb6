package study

import (
	"context"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// hardwareClaims are what the paper says of the machine, measured on machines that run the programs that come with the
// tool.
func hardwareClaims() []claims.Claim {
	return []claims.Claim{
		{
			ID: "drmt/table1/match-latency", Source: "dRMT Table 1", Printed: "22",
			Text:  "An action can use a match's result 22 cycles after the match.",
			Judge: claims.Exactly("22", "cycles"), Expect: claims.Holds,
			Note: "Matches start at the edge that gives the key out, actions at the edge that fetches their instructions.",
			Measure: passage(
				false, func(w Passage) (uint64, uint64, uint64) { return w.Issued - w.Key, w.Key, w.Issued },
				"the key stands at the processor's output; its action's slot is issued",
			),
		},
		{
			ID: "drmt/table1/action-latency", Source: "dRMT Table 1", Printed: "2",
			Text:  "A match can use what an action wrote 2 cycles after the action.",
			Judge: claims.Exactly("2", "cycles"), Expect: claims.Holds,
			Measure: passage(
				false, func(w Passage) (uint64, uint64, uint64) { return w.Next - w.Issued, w.Issued, w.Next },
				"an action's slot is issued; the key with the field that it wrote stands at the processor's output",
			),
		},
		{
			ID: "drmt/table1/rmt-stage", Source: "dRMT Table 1", Printed: "18 + 2",
			Text:  "A stage of RMT takes 18 cycles to match and 2 to act.",
			Judge: claims.Exactly("20", "cycles"), Expect: claims.Holds,
			Measure: claims.Fixed(func() (m claims.Measurement, err error) {
				from, to, err := measureStage()
				return claims.Count(
					to-from, "cycles", "a header vector at one stage's output, and at the next one's: edges %d, %d", from,
					to,
				), err
			}),
		},
		{
			ID: "drmt/6/crossbar-latency", Source: "dRMT §6", Printed: "4",
			Text:  "The crossbar takes 4 of them, there and back.",
			Judge: claims.Exactly("4", "cycles"), Expect: claims.Holds,
			Measure: func(ctx context.Context, run *claims.Run) (m claims.Measurement, err error) {
				w, err := measurePassage(ctx, run.Seed, false)
				return claims.Count(
					w.AtCluster-w.Key+w.Back-w.Result, "cycles",
					"a key on both sides of its crossbar: edges %d, %d; its result on both sides of the other: edges %d, %d",
					w.Key, w.AtCluster, w.Result, w.Back,
				), err
			},
		},
		{ID: "drmt/3.1/latency", Source: "dRMT §3.1", Printed: "T", Text: "Each packet takes exactly the schedule's length.",
			Judge: claims.Exactly("0", "cycles"), Expect: claims.Holds,
			Note: "The largest difference of any packet of the four programs, IPC 1 and 2.",
			Measure: onPrograms(func(r RunResult) float64 {
				return float64(max(abs(int(r.MinLatency)-r.Length), abs(int(r.MaxLatency)-r.Length)))
			}, "cycles")},
		{
			ID: "drmt/a.1/threads", Source: "dRMT Proposition A.1", Printed: "⌈T/P⌉",
			Text:  "A processor never holds more packets than the length over the period, rounded up.",
			Judge: claims.AtMost("0", "packets"), Expect: claims.Holds,
			Note: "How many more than ⌈T/P⌉ were held at once, the most of the four programs, IPC 1 and 2.",
			Measure: onPrograms(
				func(r RunResult) float64 { return float64(r.Threads - (r.Length+r.Needed-1)/r.Needed) }, "packets",
			),
		},
		{
			ID: "drmt/observation1/contention", Source: "dRMT Observation 1, §5.3", Printed: "no contention",
			Text: "With one schedule for all processors no two ever ask for the same memory, and all results come in " +
				"their cycle.",
			Judge: claims.Exactly("0", "cycles"), Expect: claims.Holds,
			Note:    "Cycles with any fault, at a packet a cycle, and all packets equal to the interpreter's.",
			Measure: onPrograms(func(r RunResult) float64 { return float64(r.Faults) }, "cycles"),
		},
		{
			ID: "drmt/eq10/throughput", Source: "dRMT Eq. 10, Figure 7", Printed: "min(1, N/P)",
			Text:  "dRMT's throughput is linear in the processors, up to a packet a cycle.",
			Judge: claims.AtMost("0.005", ""), Expect: claims.Holds,
			Note: "The largest difference over the four programs, IPC 1 and 2, for each number of processors.",
			Measure: onThroughput(func(n int, r throughputResult) (worst float64) {
				for i, p := range r.Period {
					worst = max(worst, absf(r.DRMT[i]-min(1, float64(n)/float64(p))))
				}
				return worst
			}),
		},
		{
			ID: "drmt/eq9/throughput", Source: "dRMT Eq. 9, §2.2, Figure 7", Printed: "min(1, 1/⌈S/N⌉)",
			Text:  "RMT's throughput falls to a part when the program has more stages than there are: the performance cliff.",
			Judge: claims.AtMost("0.01", ""), Expect: claims.Holds,
			Note: "The largest difference over the four programs for each number of stages. Recirculation comes in bursts " +
				"of a pipeline's length, which the ends of a run cut.",
			Measure: onThroughput(func(n int, r throughputResult) float64 { return absf(r.RMT - 1/float64((r.Stages+n-1)/n)) }),
		},
	}
}

func abs(x int) int { return max(x, -x) }

func absf(x float64) float64 { return max(x, -x) }

// passage measures the time between two edges of a lone packet.
func passage(split bool, between func(Passage) (cycles, from, to uint64), detail string) claims.Measure {
	return func(ctx context.Context, run *claims.Run) (m claims.Measurement, err error) {
		w, err := measurePassage(ctx, run.Seed, split)
		if err != nil {
			return m, err
		}
		n, from, to := between(w)
		return claims.Count(n, "cycles", "%s: edges %d, %d", detail, from, to), nil
	}
}

// onPrograms runs the four programs at a packet a cycle and takes the largest figure.
func onPrograms(figure func(RunResult) float64, unit string) claims.Measure {
	var points []runPoint
	for _, name := range p4.ProgramNames() {
		for ipc := 1; ipc <= 2; ipc++ {
			q := RunExperiment.Defaults()
			q.Program, q.IPC = name, ipc
			points = append(points, runPoint(q))
		}
	}
	return claims.OfAll(RunExperiment, points, func(rs []RunResult) claims.Measurement {
		var worst float64
		var compared uint64
		for _, r := range rs {
			worst, compared = max(worst, figure(r)), compared+r.Compared
		}
		if compared == 0 {
			return claims.Unfit("%w", errNothing)
		}
		return claims.Count(uint64(worst), unit, "%d packets of %d programs", compared, len(p4.ProgramNames()))
	})
}

// onThroughput runs the four programs with every number of processors and takes the largest figure.
func onThroughput(figure func(n int, r throughputResult) float64) claims.Measure {
	var points []throughputPoint
	for _, name := range p4.ProgramNames() {
		q := throughput.Defaults()
		q.Program = name
		for n := 1; n <= q.Most; n++ {
			points = append(points, throughputPoint{q, n})
		}
	}
	return claims.OfAll(throughput, points, func(rs []throughputResult) claims.Measurement {
		m := claims.Figure(0, "", "%d numbers of processors or stages, %d packets each", len(rs),
			throughput.Defaults().Packets)
		for i, r := range rs {
			m.Value = max(m.Value, figure(points[i].Units, r))
		}
		return m
	})
}

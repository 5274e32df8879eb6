package study

import (
	"context"
	"fmt"
	"sync"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
)

// switchClaims are what the paper says of switch.p4 beside Tables 2 and 3.
func switchClaims(graphs map[string]*schedule.Graph) []claims.Claim {
	ingress, egress, combined := graphs["ingress"], graphs["egress"], graphs["combined"]
	return []claims.Claim{
		{
			ID: "drmt/table1/action-capacity", Source: "dRMT Tables 1, 2", Printed: "224, 22 stages",
			Text:  "With the 224 fields that a stage of RMT modifies, switch.p4's combined pipelines need 22 stages.",
			Judge: claims.Exactly("22", "stages"), Expect: claims.Deviates, Recorded: claims.Exactly("21", "stages"),
			Reason: "With 224 fields 21 stages are enough. All cells of Tables 2 and 3 follow from 32 fields, dRMT's figure " +
				"(drmt/table2).",
			Measure: stagesWith(combined, 224),
		},
		{
			ID: "drmt/figure7/rmt", Source: "dRMT Figure 7, Eq. 9", Printed: "min(1, 1/⌈12/N⌉)",
			Text:  "RMT's throughput on switch.p4's egress pipeline drops to a half with one stage fewer than 12, and so on.",
			Judge: claims.AtMost("0.01", ""), Expect: claims.Holds, Note: skeletonNote, Measure: figure7(egress, 0, 12),
		},
		{
			ID: "drmt/figure7/ipc1", Source: "dRMT Figure 7, Eq. 10", Printed: "min(1, N/11)",
			Text:  "dRMT's throughput on switch.p4's egress pipeline is linear up to 11 processors at IPC 1.",
			Judge: claims.AtMost("0.005", ""), Expect: claims.Holds, Note: skeletonNote, Measure: figure7(egress, 1, 11),
		},
		{
			ID: "drmt/figure7/ipc2", Source: "dRMT Figure 7, Eq. 10", Printed: "min(1, N/7)",
			Text:  "dRMT's throughput on switch.p4's egress pipeline is linear up to 7 processors at IPC 2.",
			Judge: claims.AtMost("0.005", ""), Expect: claims.Holds, Note: skeletonNote, Measure: figure7(egress, 2, 7),
		},
		{
			ID: "drmt/figure8/slack", Source: "dRMT Figure 8", Printed: "2 to 3 orders of magnitude",
			Text:  "A schedule is found much faster with slightly more processors than the least.",
			Judge: claims.AtLeast("100", "times"), Expect: claims.Deviates,
			Recorded: claims.Shape(
				"2 to 99 times", "times", func(m claims.Measurement) bool { return m.Value >= 2 && m.Value < 100 },
			),
			Reason: "Another solver and another statement of the question: the orders of bundles, decided by learning " +
				"clauses, instead of start times, decided by branching. A little slack helps, as printed, but the question is " +
				"easier without any: 9 times on the graph here, 31 on the authors', whose order of operations is another.",
			Note: "How many times fewer clauses the solver learns to decide that 17 processors are enough for ingress at " +
				"IPC 1 than that 16 are: its time without the machine's.",
			Measure: slack(ingress),
		},
		{
			ID: "drmt/figure10/primitives", Source: "dRMT §5.1, Figure 10", Printed: "over 90 %",
			Text:  "Over 90 % of switch.p4's tables write eight fields or fewer in their largest action.",
			Judge: claims.AtLeast("90", "%"), Expect: claims.Holds,
			Note:    "The fields of an action node of the combined graph stand for its primitives.",
			Measure: smallActions(combined),
		},
		{
			ID: "drmt/5.1/alus", Source: "dRMT §5.1", Printed: "32",
			Text: "32 ALUs are enough for the largest action of switch.p4.", Judge: claims.AtMost("32", "fields"),
			Expect: claims.Holds, Measure: largestAction(combined),
		},
		{ID: "drmt/6/threads", Source: "dRMT §6", Printed: "29", Text: "Programs need up to 29 packets in a processor.",
			Judge: claims.Exactly("29", "packets"), Expect: claims.Holds,
			Note:    "⌈T/P⌉, the most of the three pipelines at their least periods, IPC 1 and 2, each at its least length.",
			Measure: mostOf(graphs, false, "packets", func(s *schedule.Schedule) int { return s.Threads() })},
		{
			ID: "drmt/5.1/scratch-pad", Source: "dRMT §5.1", Printed: "64",
			Text:  "64 entries of scratch pad are enough for the programs.",
			Judge: claims.AtMost("64", "entries"), Expect: claims.Holds,
			Note: "The most that wait at once in the schedules that keep the hardware's limits: the same periods and " +
				"lengths as Tables 2 and 3 print.",
			Measure: mostOf(graphs, false, "entries", waiting),
		},
		{
			ID: "drmt/3.3/scratch-pad", Source: "dRMT §3.3, §5.1", Printed: "64",
			Text:  "Schedules of the integer program of §3.3 fit the scratch pad of §5.1.",
			Judge: claims.AtMost("64", "entries"), Expect: claims.Deviates, Recorded: claims.AtLeast("65", "entries"),
			Reason: "The program limits neither the scratch pad nor the distinct actions of a cycle, which the hardware " +
				"does: schedules have to be searched for with both (drmt/5.1/scratch-pad).",
			Measure: mostOf(graphs, true, "entries", waiting),
		},
		{
			ID: "drmt/3.3/actions", Source: "dRMT §3.3, §5.1", Printed: "8",
			Text: "Schedules of the integer program of §3.3 have no more than the eight distinct actions that §5.1 has " +
				"pointers for.",
			Judge: claims.AtMost("8", "actions"), Expect: claims.Deviates, Recorded: claims.AtLeast("9", "actions"),
			Reason: "As drmt/3.3/scratch-pad.", Measure: mostOf(graphs, true, "actions", pointers),
		},
		{
			ID: "drmt/a.1/critical-path", Source: "dRMT Appendix A.1, Table 3", Printed: "243, 197, 243",
			Text:  "The dependency constraints of Appendix A.1 give the critical paths of Table 3.",
			Judge: claims.Exactly("243", "cycles"), Expect: claims.Deviates, Recorded: claims.Exactly("249", "cycles"),
			Reason: "A.1 has every edge from an action wait for the action latency. Table 3 follows if reverse reads and " +
				"successors do not wait; ingress, egress and combined would take 249, 203 and 249.",
			Measure: waitingForAll(graphs),
		},
	}
}

func stagesWith(g *schedule.Graph, fields int) measure {
	return func(ctx context.Context, _ *claims.Run) (m claims.Measurement, err error) {
		pipe, b, err := schedule.MinimizeStages(ctx, g, schedule.RMT(fields), true, schedule.Options{})
		if err != nil || pipe == nil {
			return claims.Measurement{}, fmt.Errorf("no pipeline: %w", err)
		}
		return claims.Count(
			pipe.Stages(), "stages", "%d fields a stage; one stage fewer refuted by %s", fields, b.Refuted,
		), pipe.Validate()
	}
}

// slack compares the effort to find that 16 processors are enough, the least number, with 17 and 18.
func slack(g *schedule.Graph) measure {
	return func(ctx context.Context, _ *claims.Run) (m claims.Measurement, err error) {
		var learned []int
		for period := 16; period <= 18; period++ {
			n, err := schedule.Effort(ctx, g, schedule.DRMT(1), period)
			if err != nil {
				return m, err
			}
			learned = append(learned, n)
		}
		fewer := func(i int) float64 { return float64(learned[0]) / float64(max(1, learned[i])) }
		return claims.Measurement{Value: fewer(1), Unit: "times",
			Rows:   []claims.Row{{Label: "17 processors", Value: fewer(1)}, {Label: "18 processors", Value: fewer(2)}},
			Detail: fmt.Sprintf("clauses learned until 16, 17 and 18 processors are found to be enough: %d", learned)}, nil
	}
}

func actions(g *schedule.Graph) (fields []int) {
	for _, n := range g.Nodes {
		if n.Kind == schedule.Action {
			fields = append(fields, n.Fields)
		}
	}
	return fields
}

func smallActions(g *schedule.Graph) measure {
	return claims.Fixed(func() (m claims.Measurement, err error) {
		small, all := 0, actions(g)
		for _, n := range all {
			if n <= 8 {
				small++
			}
		}
		return claims.Measurement{
			Value: 100 * float64(small) / float64(len(all)), Unit: "%", Detail: fmt.Sprintf("%d of %d", small, len(all)),
		}, nil
	})
}

func largestAction(g *schedule.Graph) measure {
	return claims.Fixed(func() (m claims.Measurement, err error) {
		most := 0
		for _, n := range actions(g) {
			most = max(most, n)
		}
		return claims.Count(most, "fields", "the largest of %d", len(actions(g))), nil
	})
}

// waiting and pointers are the most results that wait, and the most distinct actions, in a cycle.
func waiting(s *schedule.Schedule) (most int) {
	for _, u := range s.Usage() {
		most = max(most, u.ScratchPad)
	}
	return most
}

func pointers(s *schedule.Schedule) (most int) {
	for _, u := range s.Usage() {
		most = max(most, u.Actions)
	}
	return most
}

// mostOf takes the largest figure of the schedules of Table 3: of the hardware's limits, or of Table 1's alone.
func mostOf(
	graphs map[string]*schedule.Graph, table1Only bool, unit string, figure func(*schedule.Schedule) int,
) measure {
	return func(ctx context.Context, run *claims.Run) (m claims.Measurement, err error) {
		most, at := 0, ""
		for _, program := range switchPipelines {
			for ipc := 1; ipc <= 2; ipc++ {
				l := schedule.DRMT(ipc)
				if table1Only {
					l = l.WithoutHardware()
				}
				r, err := minimized(ctx, graphs[program], l, schedule.Options{Seed: run.Seed, Period: table2[program][ipc-1]})
				if err != nil {
					return m, err
				}
				if n := figure(r.Schedule); n > most {
					most, at = n, fmt.Sprintf(
						"%s at IPC %d, period %d, %d cycles", program, ipc, r.Schedule.Period, r.Schedule.Length(),
					)
				}
			}
		}
		return claims.Count(most, unit, "%s", at), nil
	}
}

// question is one of mostOf's.
type question struct {
	graph  *schedule.Graph
	limits schedule.Limits
	period int
	seed   uint64
}

// answered has the schedules that were found in this process, since four claims look at the same ones. Equal questions
// have equal answers; two goroutines that ask at the same time find it twice.
var answered sync.Map

// minimized returns a schedule that has passed the validator.
func minimized(
	ctx context.Context, g *schedule.Graph, l schedule.Limits, opt schedule.Options,
) (*schedule.Result, error) {
	q := question{g, l, opt.Period, opt.Seed}
	if r, ok := answered.Load(q); ok {
		return r.(*schedule.Result), nil
	}
	r, err := schedule.Minimize(ctx, g, l, opt)
	switch {
	case err != nil:
		return nil, err
	case r.Schedule == nil:
		return nil, fmt.Errorf("%s: no schedule of period %d found at IPC %d", g.Name, opt.Period, l.IPC)
	}
	if err := r.Schedule.Validate(); err != nil {
		return nil, err
	}
	if ctx.Err() == nil {
		answered.Store(q, r)
	}
	return r, ctx.Err()
}

// table2 has the periods of Table 2, printed, for IPC 1 and 2.
var table2 = map[string][2]int{"ingress": {17, 15}, "egress": {11, 7}, "combined": {21, 21}}

// waitingForAll measures the longest path with the action latency on each edge from an action.
func waitingForAll(graphs map[string]*schedule.Graph) measure {
	return claims.Fixed(func() (m claims.Measurement, err error) {
		m = claims.Measurement{}
		for i, program := range switchPipelines {
			g := *graphs[program]
			g.Edges = append([]schedule.Edge(nil), g.Edges...)
			for k := range g.Edges {
				if e := &g.Edges[k]; e.Delay == schedule.NotBefore {
					e.Delay = schedule.AfterAction
				}
			}
			n := claims.Count(schedule.CriticalPathLength(&g, schedule.DRMT(1)), "cycles", "the longest path plus 1, ingress")
			if i == 0 {
				m = n
			}
			m.Rows = append(m.Rows, claims.Row{Label: program, Kind: claims.Variant, Exact: n.Exact})
		}
		return m, nil
	})
}

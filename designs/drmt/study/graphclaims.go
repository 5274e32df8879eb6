package study

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/goldwire/goldwire/claims"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
)

// graphs has the claims about switch.p4 measured on the authors' graphs of it instead of this project's facts. They
// carry no licence and are not part of this project.
var graphs = design.Borrowed{
	Flag: "drmt-graphs",
	Help: "the dRMT authors' graphs of switch.p4, switch_ingress.odg.json and so on, instead of the project's own " +
		"table of its operations",
	Claims: borrowedClaims,
}

// ownGraphClaims are the claims about switch.p4, on the project's own table of its operations.
func ownGraphClaims() []claims.Claim {
	own, err := switchGraphs()
	if err != nil {
		panic(err) // a fault of the table, which the tests read
	}
	return graphClaims(own)
}

// borrowedClaims reads the graphs and returns the claims about switch.p4 on them.
func borrowedClaims(directory string) ([]claims.Claim, error) {
	read := map[string]*schedule.Graph{}
	for _, program := range switchPipelines {
		for _, ending := range []string{".odg.json", ".json", ".py"} {
			file := filepath.Join(directory, "switch_"+program+ending)
			if _, err := os.Stat(file); err != nil || read[program] != nil {
				continue
			}
			g, err := LoadGraph(file)
			if err != nil {
				return nil, err
			}
			read[program] = g
		}
		if read[program] == nil {
			return nil, fmt.Errorf("%s has no switch_%s.odg.json, .json or .py", directory, program)
		}
	}
	list := graphClaims(read)
	for i := range list {
		list[i].Note = strings.TrimSpace(list[i].Note + " On the authors' graphs.")
	}
	return list, nil
}

// graphClaims are the claims about switch.p4, by its pipelines.
func graphClaims(graphs map[string]*schedule.Graph) []claims.Claim {
	return append(tableClaims(graphs), switchClaims(graphs)...)
}

// tableClaims are Tables 2 and 3.
func tableClaims(graphs map[string]*schedule.Graph) []claims.Claim {
	type cell struct {
		table           int
		program, column string
		printed, unit   string
		measure         func(g *schedule.Graph) measure
		note, reason    string
		recorded        string
	}
	var cells []cell
	add := func(table int, program string, printed ...string) {
		unit := "processors"
		if table == 3 {
			unit = "threads"
		}
		period := map[string]int{"ingress": 17, "egress": 11, "combined": 21}[program]
		stages := func(coarse bool) func(g *schedule.Graph) measure {
			return func(g *schedule.Graph) measure { return stagesOf(g, coarse, table == 3, unit) }
		}
		dRMT := func(ipc, period int) func(g *schedule.Graph) measure {
			return func(g *schedule.Graph) measure { return scheduleOf(g, ipc, period, table == 3, unit) }
		}
		bound := func(g *schedule.Graph) measure {
			return claims.Fixed(func() (m claims.Measurement, err error) {
				if table == 3 {
					return claims.Count(schedule.CriticalPathLength(g, schedule.DRMT(1)), unit, "the longest path plus 1"), nil
				}
				return claims.Count(
					schedule.LowerBound(g, schedule.DRMT(1)), unit, "all segments and all fields over a cycle's",
				), nil
			})
		}
		const rmt = "With 32 fields a stage; Table 1 prints 224, with which combined needs 21 stages."
		cells = append(cells, cell{table, program, "rmt", printed[0], unit, stages(true), rmt, "", ""},
			cell{table, program, "rmt-fine", printed[1], unit, stages(false), rmt, "", ""})
		one := cell{table, program, "ipc1", printed[2], unit, dRMT(1, 0), "", "", ""}
		if table == 3 {
			one.measure, one.note = dRMT(1, period),
				fmt.Sprintf("At the printed period of %d; the schedule keeps the hardware's limits.", period)
		} else if program == "ingress" {
			one.reason = "16 are enough: the orders of match and action bundles that the solver finds stretch to a schedule. " +
				"15 are not, by counting what must come before one match and after it."
			one.recorded = "16"
			one.note = "The least length at 16 is between 251 and 290 cycles; it is not closed. At 17 it is 245, as printed " +
				"(drmt/table3/ingress/ipc1)."
		}
		cells = append(cells, one, cell{table, program, "ipc2", printed[3], unit, dRMT(2, 0), "", "", ""},
			cell{table, program, "bound", printed[4], unit, bound, "", "", ""})
	}
	add(2, "ingress", "18", "17", "17", "15", "15")
	add(2, "egress", "12", "11", "11", "7", "7")
	add(2, "combined", "22", "21", "21", "21", "21")
	add(3, "ingress", "360", "340", "245", "243", "243")
	add(3, "egress", "240", "220", "217", "198", "197")
	add(3, "combined", "440", "420", "243", "243", "243")
	var list []claims.Claim
	for _, c := range cells {
		claim := claims.Claim{
			ID:     fmt.Sprintf("drmt/table%d/%s/%s", c.table, c.program, c.column),
			Source: fmt.Sprintf("dRMT Table %d", c.table), Printed: c.printed,
			Note:  c.note,
			Text:  fmt.Sprintf("Least %s for switch.p4's %s pipeline, column %s.", c.unit, c.program, c.column),
			Judge: claims.Exactly(c.printed, c.unit), Expect: claims.Holds,
			Measure: c.measure(graphs[c.program]),
		}
		if c.reason != "" {
			claim.Expect, claim.Reason, claim.Recorded = claims.Deviates, c.reason, claims.Exactly(c.recorded, c.unit)
		}
		list = append(list, claim)
	}
	for i, printed := range []string{"2.0, 2.0, 2.0, 1.0", "2.82, 2.82, 1.04, 1.01"} {
		list = append(
			list,
			claims.Claim{
				ID: fmt.Sprintf("drmt/table%d/proprietary", i+2), Source: fmt.Sprintf("dRMT Table %d", i+2),
				Printed: printed, Text: "A proprietary program, normalised.", Expect: claims.NotModelled,
				Reason: "The program is not published.",
			},
		)
	}
	return list
}

func stagesOf(g *schedule.Graph, coarse, threads bool, unit string) measure {
	return func(ctx context.Context, _ *claims.Run) (m claims.Measurement, err error) {
		pipe, b, err := schedule.MinimizeStages(ctx, g, schedule.RMT(32), coarse, schedule.Options{})
		if err != nil || pipe == nil {
			return claims.Measurement{}, fmt.Errorf("no pipeline: %w", err)
		}
		if err := pipe.Validate(); err != nil {
			return m, err
		}
		n := pipe.Stages()
		if threads {
			n = pipe.Threads()
		}
		return claims.Count(n, unit, "%d stages, one fewer refuted by %s", pipe.Stages(), b.Refuted), nil
	}
}

func scheduleOf(g *schedule.Graph, ipc, period int, threads bool, unit string) measure {
	return func(ctx context.Context, run *claims.Run) (m claims.Measurement, err error) {
		r, err := schedule.Minimize(
			ctx, g, schedule.DRMT(ipc), schedule.Options{Seed: run.Seed, Period: period, PeriodOnly: !threads},
		)
		if err != nil {
			return m, err
		}
		if !threads {
			return claims.Count(r.Period.High, unit, "one fewer refuted by %s", r.Period.Refuted), nil
		}
		if r.Schedule == nil {
			return claims.Measurement{}, fmt.Errorf(
				"%s at IPC %d: no schedule found, the least period is %v", g.Name, ipc, r.Period,
			)
		}
		if err := r.Schedule.Validate(); err != nil {
			return m, err
		}
		return claims.Count(
			r.Length.High, unit, "period %d, one cycle less refuted by %s", r.Schedule.Period, r.Length.Refuted,
		), nil
	}
}

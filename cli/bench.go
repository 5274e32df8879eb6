package cli

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/design/bench"
	"github.com/goldwire/goldwire/internal/budgets"
	"github.com/goldwire/goldwire/internal/input"
	"github.com/goldwire/goldwire/internal/suggest"
)

func newBench(house design.House) *cobra.Command {
	var asJSON bool
	var only []string
	var against string
	measures := benchMeasures(house)
	var names []string
	for _, m := range measures {
		names = append(names, m.Name)
	}
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Print the speed budgets beside what this machine does",
		Long: `Measure the speed budgets: medians of rounds taken in turns, ratios round by round. A missed budget is said
and does not fail the command: it depends on the machine. All of it takes some three minutes on two processors.

--json prints every round's figure. --against compares with such a file, line by line: a change is printed where the
rounds of the two differ by Mann and Whitney's U test at 5 %, as benchstat has it, and "~" where they do not.

Groups: ` + strings.Join(
			names,
			", ",
		) + ".",
		Example: "  goldwire bench\n  goldwire bench --only kernel\n" +
			"  goldwire bench --json > before.json; goldwire bench --against before.json",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, name := range only {
				if !slices.Contains(names, name) {
					return fmt.Errorf(
						"--only %s: no such group, did you mean %s?", suggest.Quote(name),
						strings.Join(suggest.Names(name, names), ", "),
					)
				}
			}
			var old *bench.Report
			if against != "" {
				f, err := input.OpenContext(cmd.Context(), against, input.MostText)
				if err != nil {
					return fmt.Errorf("--against: %w", err)
				}
				defer f.Close()
				if old, err = bench.Read(f); err != nil {
					return fmt.Errorf("--against %s: %w", against, err)
				}
				if len(only) > 0 { // measures that were not taken now have not gone
					old.Groups = slices.DeleteFunc(old.Groups, func(g bench.Group) bool { return !slices.Contains(only, g.Name) })
				}
			}
			report, err := measureBudgets(cmd.Context(), cmd.ErrOrStderr(), measures, only)
			// Finished measures are printed even if the rest was interrupted or failed.
			if asJSON {
				if e := printJSON(cmd.OutOrStdout(), report); err == nil {
					err = e
				}
				return err
			}
			missed := printBudgets(cmd.OutOrStdout(), report)
			fmt.Fprintf(cmd.OutOrStdout(), "\n%d budgets missed\n", missed)
			if old != nil {
				printChanges(cmd.OutOrStdout(), report, old)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, every round's figure")
	cmd.Flags().StringSliceVar(&only, "only", nil, "measure only these groups; several with commas")
	cmd.Flags().StringVar(&against, "against", "", "compare with what --json printed before, a file")
	cmd.MarkFlagsMutuallyExclusive("json", "against")
	return cmd
}

func benchMeasures(house design.House) []bench.Measure {
	var measures []bench.Measure
	for _, d := range house {
		measures = append(measures, d.Bench...)
	}
	return append(measures, budgets.Lockstep(house.Units()))
}

// measureBudgets returns the finished measures, also beside an error.
func measureBudgets(
	ctx context.Context, progressTo io.Writer, measures []bench.Measure, only []string,
) (*bench.Report, error) {
	if len(only) > 0 {
		measures = slices.DeleteFunc(
			slices.Clone(measures), func(m bench.Measure) bool { return !slices.Contains(only, m.Name) },
		)
	}
	report := &bench.Report{
		System: runtime.GOOS + "/" + runtime.GOARCH, Processors: runtime.GOMAXPROCS(0), Groups: []bench.Group{},
	}
	bar := newProgress(progressTo, len(measures), "budgets")
	defer bar.finish()
	for i, m := range measures {
		runtime.GC() // what the group before left is not this one's
		w := bench.Start()
		lines, err := m.Run(ctx)
		if err != nil {
			return report, fmt.Errorf("%s: %w", m.Name, err)
		}
		g := bench.Group{Name: m.Name, Lines: lines, Peak: bench.PeakMemory()}
		g.Wall, g.CPU = w.Seconds()
		report.Groups = append(report.Groups, g)
		bar.at(i+1, 0)
	}
	return report, nil
}

// printBudgets prints a table of at most 80 columns and returns how many budgets were missed.
func printBudgets(w io.Writer, report *bench.Report) (missed int) {
	t := budgetTable(w, 26, 16, 14, 6, 8)
	t.AppendHeader(table.Row{"What, and what each side does", "Measured", "Budget", "", "Group"})
	for _, g := range report.Groups {
		for _, l := range g.Lines {
			verdict := ""
			switch {
			case l.Budget == nil:
			case l.Met():
				verdict = "met"
			default:
				verdict = "MISSED"
				missed++
			}
			what := l.What
			if note := l.Note + l.Missing; note != "" {
				what += ": " + note
			}
			t.AppendRow(table.Row{what, l.Measured(), l.Allowed(), verdict, g.Name})
		}
		t.AppendRow(table.Row{"", "", "", "", fmt.Sprintf("%.1f s, CPU %.1f s", g.Wall, g.CPU)})
		t.AppendSeparator()
	}
	t.Render()
	return missed
}

// budgetTable makes a table whose columns, with a space on both sides of each, have the widths.
func budgetTable(w io.Writer, widths ...int) table.Writer {
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetStyle(table.StyleLight)
	t.Style().Options.DrawBorder, t.Style().Options.SeparateColumns = false, false
	t.Style().Format.Header = text.FormatDefault
	t.SuppressTrailingSpaces()
	var columns []table.ColumnConfig
	for i, width := range widths {
		columns = append(columns, table.ColumnConfig{Number: i + 1, WidthMax: width, WidthMaxEnforcer: text.WrapSoft})
	}
	t.SetColumnConfigs(columns)
	return t
}

// printChanges prints the differences from an earlier report.
func printChanges(w io.Writer, report, old *bench.Report) {
	changes, gone, added := report.Against(old)
	t := budgetTable(w, 34, 11, 11, 8, 6)
	t.AppendHeader(table.Row{"What", "Before", "Now", "Change", "p"})
	for _, c := range changes {
		t.AppendRow(
			table.Row{
				c.What + ", " + c.Unit, fmt.Sprintf("%.4g", c.Old), fmt.Sprintf("%.4g", c.New), c.Delta,
				fmt.Sprintf("%.3f", c.P),
			},
		)
	}
	fmt.Fprintln(w)
	t.Render()
	for _, what := range gone {
		fmt.Fprintf(w, "only before: %s\n", what)
	}
	for _, what := range added {
		fmt.Fprintf(w, "only now: %s\n", what)
	}
}

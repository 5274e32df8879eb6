package cli

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/bench"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/budgets"
)

func newBench(house design.House) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Print the speed budgets beside what this machine does",
		Long: `Measure the speed budgets, as ratios in one run: medians of rounds taken in turns. A missed budget is said and does not
fail the command: it depends on the machine.`,
		Example: "  goldwire bench\n  goldwire bench --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var measures []bench.Measure
			for _, d := range house {
				measures = append(measures, d.Bench...)
			}
			measures = append(measures, budgets.Lockstep(house.Units()))
			var lines []bench.Line
			bar := newProgress(cmd.ErrOrStderr(), len(measures), "budgets")
			for i, measure := range measures {
				if err := cmd.Context().Err(); err != nil {
					return err
				}
				more, err := measure(cmd.Context())
				if err != nil {
					return err
				}
				lines = append(lines, more...)
				bar.at(i+1, 0)
			}
			bar.finish()
			if asJSON {
				return printJSON(cmd.OutOrStdout(), lines)
			}
			missed := printBudgets(cmd.OutOrStdout(), lines)
			fmt.Fprintf(cmd.OutOrStdout(), "\n%d budgets missed\n", missed)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// printBudgets prints a table of at most 120 columns and returns how many budgets were missed.
func printBudgets(w io.Writer, lines []bench.Line) (missed int) {
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetStyle(table.StyleLight)
	t.Style().Options = table.OptionsNoBordersAndSeparators
	t.Style().Format.Header = text.FormatDefault
	var columns []table.ColumnConfig
	for i, width := range []int{36, 16, 16, 6, 36} { // and a space on both sides of each
		columns = append(columns, table.ColumnConfig{Number: i + 1, WidthMax: width, WidthMaxEnforcer: text.WrapSoft})
	}
	t.SetColumnConfigs(columns)
	t.AppendHeader(table.Row{"What", "Budget", "Measured", "", "Note"})
	for _, l := range lines {
		verdict := "met"
		if l.Budget == "none" {
			verdict = ""
		} else if !l.Met {
			verdict = "MISSED"
			missed++
		}
		t.AppendRow(table.Row{l.What, l.Budget, l.Measured, verdict, l.Note})
	}
	t.Render()
	return missed
}

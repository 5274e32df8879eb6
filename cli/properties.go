package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/vectors/property"
)

// propertyRow is what --json prints of a property.
type propertyRow struct {
	Name    string         `json:"property"`
	Doc     string         `json:"doc"`
	Verdict formal.Verdict `json:"verdict"`
	RTL     string         `json:"rtl"`
	How     string         `json:"how"`
	Cycles  int            `json:"cycles,omitempty"` // of a bound or a refutation
	// Reached conditions are those under which something is asserted or covered; some inputs reach the last of them in
	// cycle ReachedBy.
	Reached   int     `json:"reached"`
	ReachedBy int     `json:"reached_by"`
	Seconds   float64 `json:"seconds"`
	File      string  `json:"waveform,omitempty"`
}

func newProperties(house design.House) *cobra.Command {
	var engine, out string
	var limit time.Duration
	var asJSON bool
	var refs references
	cmd := &cobra.Command{
		Use:   "properties [PROPERTY...]",
		Short: "Prove what is always true of the project's own RTL",
		Long: `Prove properties of the RTL that lies beside the models: that a decoder is the inverse of its encoder, that a
FIFO keeps the order. Without a name all are proved. What is refuted leaves a waveform of the shortest inputs that
show it.

A property may ask for modules without RTL of their own. They have the Verilog of their Go source, as goldwire verilog
writes it, and the report says so.

A proof whose assumptions no inputs meet, or which asserts something of a case that never comes, says nothing: it is
an error. Reached is how many cases there are, and the cycle after the reset in which inputs reach the last of them.

The exit code is 0 if all are proved, 1 if one is not, 2 if something is wrong with what was given.`,
		Example: "  goldwire properties\n  goldwire properties pcs/scrambler_inverse --engine pdr",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return propertyNames(house), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			e, err := formal.ParseEngine(engine)
			if err != nil {
				return fmt.Errorf("--engine: %w", err)
			}
			if limit <= 0 || limit > mostTimeout {
				return fmt.Errorf("--time %v: want more than 0s, at most %v", limit, mostTimeout)
			}
			list, err := findProperties(house, args)
			if err != nil {
				return err
			}
			if err := checkDirectory("--out", out); err != nil {
				return err
			}
			said := newStages(cmd.ErrOrStderr())
			var rows []propertyRow
			good := true
			for _, p := range list {
				p, kind, err := refs.complete(cmd.Context(), p, house.Units())
				if err != nil {
					said.finish()
					return err
				}
				a, err := formal.AskProperty(cmd.Context(), p, formal.Options{Engine: e, Time: limit, Memory: cosim.DefaultMemory,
					Progress: func(what string) { said.at(p.Name + ": " + what) }})
				if err != nil {
					said.finish()
					return err
				}
				row := propertyRow{
					Name: p.Name, Doc: p.Doc, Verdict: a.Verdict, RTL: kind, How: a.How(),
					Reached: a.Reached, ReachedBy: a.ReachedBy,
					Seconds: a.Took.Seconds(),
				}
				switch a.Verdict {
				case formal.Bounded:
					good, row.How, row.Cycles = false, a.Why, a.Steps
				case formal.Refuted:
					good, row.Cycles, row.File = false, a.Trace.Cycles(), filepath.Join(out, p.Module()+".vcd")
					if err := os.MkdirAll(out, 0o755); err != nil {
						return err
					}
					if err := a.Trace.WriteVCD(row.File); err != nil {
						return err
					}
				}
				rows = append(rows, row)
			}
			said.finish()
			if asJSON {
				err = printJSON(cmd.OutOrStdout(), rows)
			} else {
				t := newTable(cmd.OutOrStdout())
				t.AppendHeader(table.Row{"Property", "Verdict", "Engine and bound", "Reached", "Seconds", "What is true"})
				for _, r := range rows {
					how := r.How
					switch r.Verdict {
					case formal.Bounded:
						how = fmt.Sprintf("%d cycles: %s", r.Cycles, how)
					case formal.Refuted:
						how = fmt.Sprintf("%s, %d cycles: %s", how, r.Cycles, r.File)
					}
					t.AppendRow(table.Row{r.Name, r.Verdict, how, fmt.Sprintf("%d by cycle %d", r.Reached, r.ReachedBy),
						fmt.Sprintf("%.1f", r.Seconds), r.Doc})
				}
				t.Render()
				var names, kinds []string
				for _, r := range rows {
					names, kinds = append(names, r.Name), append(kinds, r.RTL)
				}
				printReferences(cmd.OutOrStdout(), "RTL", names, kinds)
			}
			if err == nil && !good {
				err = errFailed
			}
			return err
		},
	}
	cmd.Flags().StringVar(&engine, "engine", string(formal.Auto), "auto, sat, pdr or smt")
	cmd.Flags().DurationVar(&limit, "time", formal.DefaultTime, "end the search for each after this time (at most 24h)")
	refs.flags(cmd.Flags())
	cmd.Flags().StringVar(&out, "out", "properties", "directory for the waveforms of what is refuted")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func propertyNames(house design.House) []string {
	var names []string
	for _, d := range house {
		for _, p := range d.Properties {
			names = append(names, p.Name)
		}
	}
	return names
}

// findProperties returns the properties with these names, or all if there is no name.
func findProperties(house design.House, names []string) ([]property.Property, error) {
	var list []property.Property
	for _, d := range house {
		for _, p := range d.Properties {
			if len(names) == 0 {
				list = append(list, p)
			}
			for _, name := range names {
				if p.Name == name {
					list = append(list, p)
				}
			}
		}
	}
	if len(list) < len(names) || len(list) == 0 {
		return nil, fmt.Errorf(
			"properties %s: not all are known; there are %s", strings.Join(names, ", "),
			strings.Join(propertyNames(house), ", "),
		)
	}
	return list, nil
}

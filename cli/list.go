package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/emit"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

type listedUnit struct {
	Name    string `json:"name"`
	Doc     string `json:"doc"`
	Ref     string `json:"ref"`
	Clock   string `json:"clock"`
	Latency int    `json:"latency_cycles"`
	From    string `json:"latency_from,omitempty"`
	To      string `json:"latency_to,omitempty"`
	// Verilog is "yes", or why goldwire verilog refuses the unit; "" if nobody has tried.
	Verilog string        `json:"verilog,omitempty"`
	Params  []listedParam `json:"parameters,omitempty"`
	Ports   []listedPort  `json:"ports"`
}

type listedParam struct {
	Name  string `json:"name"`
	Value uint64 `json:"value,string"` // as manifests write it
	Min   uint64 `json:"min,string"`
	Max   uint64 `json:"max,string"`
	Power bool   `json:"power_of_two,omitempty"`
	Help  string `json:"help"`
}

type listedPort struct {
	Name  string `json:"name"`
	Dir   string `json:"direction"`
	Width int    `json:"width"`
}

func newList(house design.House) *cobra.Command {
	var asJSON, ports bool
	var params []string
	cmd := &cobra.Command{
		Use:   "list [MODULE...]",
		Short: "List the modules with their ports, widths and latencies",
		Long: `List the modules with their ports, widths and latencies. The column Verilog says of this project's modules
whether goldwire verilog writes them from their Go source, as recorded; for one that it refuses, list MODULE has the
reason. It is empty for other modules.`,
		Example: "  goldwire list\n  goldwire list pcs/decoder --ports\n" +
			"  goldwire list pcs/tx_gearbox --param width=32\n  goldwire list --json",
		ValidArgsFunction: completeUnits(house, true),
		RunE: func(cmd *cobra.Command, args []string) error {
			units := house.Units()
			if len(args) == 0 && len(params) > 0 {
				return errors.New("--param: want the module that has the parameters")
			}
			if len(args) > 0 {
				units = nil
				for _, name := range args {
					u, err := house.Units().Find(name)
					if err == nil {
						u, err = withParams(u, params)
					}
					if err != nil {
						return err
					}
					units = append(units, u)
				}
			}
			var list []listedUnit
			for _, u := range units {
				l, err := describe(u)
				if err != nil {
					return err
				}
				list = append(list, l)
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), list)
			}
			printList(cmd.OutOrStdout(), list, ports || len(args) > 0)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&ports, "ports", false, "show each port")
	cmd.Flags().StringSliceVar(&params, "param", nil, paramHelp)
	return cmd
}

// written says of a unit that goldwire verilog writes it.
const written = "yes"

func describe(u vectors.Unit) (listedUnit, error) {
	in, err := u.Simulate(rtl.Config{}, 0)
	if err != nil {
		return listedUnit{}, err
	}
	l := listedUnit{u.Name, u.Doc, u.Ref, u.Clock.String(), u.Latency, u.From, u.To, "", nil, nil}
	if known, why := emit.Recorded(u.Name); known {
		l.Verilog = cmp.Or(why, written)
	}
	for i, p := range u.Params {
		l.Params = append(l.Params, listedParam{p.Name, u.Settings[i].Value, p.Min, p.Max, p.Power, p.Help})
	}
	for _, f := range in.Fields {
		l.Ports = append(l.Ports, listedPort{f.Name, f.Dir.String(), f.Width})
	}
	return l, nil
}

// printList prints a line of figures for each module and its text below, in 80 columns.
func printList(w io.Writer, list []listedUnit, ports bool) {
	name, clock := len("Module"), len("Clock")
	for _, l := range list {
		name, clock = max(name, len(l.Name)), max(clock, len(l.Clock))
	}
	fmt.Fprintf(
		w, "%-*s  %7s  %7s  %8s  %-*s  %s\n", name, "Module", "Latency", "Bits in", "Bits out", clock, "Clock", "Verilog",
	)
	for _, l := range list {
		bits := map[string]int{}
		for _, p := range l.Ports {
			bits[p.Dir] += p.Width
		}
		verilog := l.Verilog
		if verilog != "" && verilog != written {
			verilog = "no"
		}
		row := fmt.Sprintf(
			"%-*s  %7d  %7d  %8d  %-*s  %s", name, l.Name, l.Latency, bits["in"], bits["out"], clock, l.Clock, verilog,
		)
		fmt.Fprintln(w, strings.TrimRight(row, " "))
		for line := range strings.Lines(text.WrapSoft(l.Doc, 76)) {
			fmt.Fprintln(w, "    "+strings.TrimRight(line, " \n"))
		}
	}
	if !ports {
		return
	}
	for _, l := range list {
		fmt.Fprintf(w, "\n%s: %s (%s)\n", l.Name, l.Doc, l.Ref)
		if l.From != "" {
			fmt.Fprintf(w, "  latency %d from %s to %s\n", l.Latency, l.From, l.To)
		}
		if l.Verilog != "" && l.Verilog != written {
			fmt.Fprintf(w, "  no Verilog is made of its source: %s\n", l.Verilog)
		}
		for _, p := range l.Params {
			fmt.Fprintf(
				w, "  parameter %s=%d: %s (%v)\n", p.Name, p.Value, p.Help,
				vectors.Param{Min: p.Min, Max: p.Max, Power: p.Power},
			)
		}
		for _, p := range l.Ports {
			fmt.Fprintf(w, "  %-3s %s [%d:0]\n", p.Dir, p.Name, p.Width-1)
		}
	}
}

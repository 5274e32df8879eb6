package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/plural"
	"github.com/goldwire/goldwire/internal/program"
	"github.com/goldwire/goldwire/vectors"
)

// replayReport is what --json prints.
type replayReport struct {
	File     string           `json:"file"`
	Module   string           `json:"module"`
	Settings vectors.Settings `json:"parameters,omitempty"`
	cosim.Result
	Resets    int         `json:"resets"`
	Time      uint64      `json:"time,omitempty"`
	Timescale string      `json:"timescale"`
	Binding   []boundPort `json:"binding"`
	Notes     []string    `json:"notes,omitempty"`
}

func newReplay(house design.House) *cobra.Command {
	var r cosim.Replay
	var module, mapFile, unknown, vcd, waive string
	var params []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "replay FILE.vcd --module MODULE --scope SCOPE",
		Short: "Compare a waveform of your RTL, from any simulator, with a model",
		Long: `Take a VCD file, sample the inputs of the RTL in it at each rising edge of its clock, run the model on them,
and compare the outputs. While the reset is active the model waits in its reset state. The file may be packed by gzip,
or an FST if fst2vcd is installed.

Behind a gap of the file ($dumpoff) outputs count again where they do not depend on what came in it, and all of them
from the next reset on; what that leaves out is said.

A --map is that of goldwire cosim, whose help has its keys; what it ties is of no interest here. With streams in it,
transfers are compared. A map of combinational RTL (clock: none) wants --clock: the file is sampled at a clock.

The exit code is 0 if RTL and model agree, 1 if they do not, 2 if the file cannot be used, or if an output was never
compared.`,
		Example: `  goldwire replay dump.vcd --module pcs/encoder --scope tb.dut --clock clk
  goldwire replay dump.vcd --module pcs/encoder --scope top.tx.enc --clock top.clk_390 --map encoder.yaml --vcd parted.vcd`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Path = args[0]
			if module == "" {
				return errors.New("--module: want the model to compare with, see " + program.Name() + " list")
			}
			var err error
			if r.Unit, err = house.Units().Find(module); err != nil {
				return err
			}
			if r.Unit, err = withParams(r.Unit, params); err != nil {
				return err
			}
			if mapFile != "" {
				if r.Map, err = cosim.ReadMap(cmd.Context(), mapFile); err != nil {
					return err
				}
			}
			switch unknown {
			case "error":
			case "0", "1":
				r.Unknown = unknown[0]
			default:
				return fmt.Errorf("--x %q: want error, 0 or 1", unknown)
			}
			if r.Extra < -cosim.MaxExtra || r.Extra > cosim.MaxExtra {
				return fmt.Errorf("--extra %d: want %d to %d", r.Extra, -cosim.MaxExtra, cosim.MaxExtra)
			}
			if waive != "" {
				if r.Waivers, err = cosim.ReadWaivers(cmd.Context(), waive); err != nil {
					return err
				}
			}
			if err := checkPaths(map[string]string{"--vcd": vcd},
				map[string]string{"FILE": r.Path, "--map": mapFile, "--waive": waive}); err != nil {
				return err
			}
			res, err := r.Run(cmd.Context())
			err = showCauses(cmd.ErrOrStderr(), err)
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			d := res.Divergence
			switch {
			case asJSON:
				report := replayReport{
					r.Path, module, r.Unit.Settings, res.Result, res.Resets, res.Time, res.Scale.String(),
					boundPorts(res.Binding), res.Notes,
				}
				if err := printJSON(out, report); err != nil {
					return err
				}
			case d == nil:
				printBinding(out, res.Binding)
				unit := "cycle"
				if len(r.Map.Streams) > 0 {
					unit = "transfer"
				}
				fmt.Fprintf(
					out, "%s agrees with %s: %s after %s, 0 differences\n", r.Path, module, plural.Of(res.Cycles, unit),
					plural.Of(res.Resets, "reset"),
				)
				printCompared(out, &res.Result)
			default:
				printBinding(out, res.Binding)
				fmt.Fprintf(
					out, "%s:%d: RTL and %s part at time %d (x %v), reset %d:\n", r.Path, res.Line, module, res.Time,
					res.Scale, res.Resets,
				)
				d.Write(out)
				printDifferences(out, &res.Result)
			}
			if !asJSON {
				for _, note := range res.Notes {
					fmt.Fprintln(out, note)
				}
			}
			if d == nil {
				return nil
			}
			if vcd != "" {
				if err := d.WriteVCD(vcd); err != nil {
					return err
				}
				if !asJSON {
					fmt.Fprintf(out, "waveform of both sides: %s\n", vcd)
				}
			}
			return errFailed
		},
	}
	f := cmd.Flags()
	f.StringVar(&module, "module", "", "model to compare with")
	f.StringSliceVar(&params, "param", nil, paramHelp)
	f.StringVar(&r.Scope, "scope", "", "scope of the file that has the RTL's ports: tb.dut")
	f.StringVar(&r.Clock, "clock", "", "the clock: a variable of the scope or a full path; ~ before it for falling edges")
	f.StringVar(&mapFile, "map", "", "YAML file that says how variables stand for fields where their names do not")
	f.IntVar(&r.Extra, "extra", 0, "how many cycles the RTL is later than the model, -256 to 256")
	f.StringVar(&waive, "waive", "", "YAML file of differences that are known, with reasons, as for goldwire cosim")
	f.BoolVar(&r.Continue, "continue", false, "go on after a difference and list the distinct ones, with counts")
	f.StringVar(&unknown, "x", "error", "what x or z on an input counts as: error, 0 or 1")
	f.StringVar(&vcd, "vcd", "", "write a waveform of both sides around the difference")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/internal/input"
	"github.com/goldwire/goldwire/wave"
)

func newWave() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "wave",
		Short: "Work with waveforms",
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("unknown command %q of wave, want diff", args[0])
			}
			return nil
		},
	}
	cmd.AddCommand(newWaveDiff())
	return cmd
}

func newWaveDiff() *cobra.Command {
	var opt wave.DiffOptions
	var renames []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "diff A.vcd B.vcd",
		Short: "Find where two waveforms part",
		Long: `Compare two VCD files, of any simulators, and print the first difference with its neighbourhood.

With --clock, values are compared as flip-flops see them: those before each rising edge. Without it, at every time at
which either file changes.

A variable is its scope, its name and its range. One that is dumped bit by bit or in slices is put together. Where a
file has a gap, from $dumpoff to $dumpon, nothing is compared, which is said.

The exit code is 0 if the files agree. It is 1 if a value differs, if a variable has another range or kind in the
other file, if one file has variables that the other lacks (--common lets them be) or goes on after the other's end
(--prefix lets it). It is 2 if nothing could be compared: a clock without an edge, a file without samples, no variable
that is the same in both.`,
		Example: `  goldwire wave diff model.vcd rtl.vcd --clock top.clk
  goldwire wave diff model.vcd rtl.vcd --clock top.block_clk --clock-b tb.clk --map top.tx.scrambler=tb.dut --offset 2`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, r := range renames {
				from, to, ok := strings.Cut(r, "=")
				if !ok || from == "" || to == "" {
					return fmt.Errorf("--map %q: want a path in A, =, and a path in B", r)
				}
				opt.Map = append(opt.Map, wave.Rename{From: from, To: to})
			}
			if opt.Around < 0 {
				return fmt.Errorf("--around %d: want none below 0", opt.Around)
			}
			res, err := diffFiles(cmd.Context(), args[0], args[1], opt)
			if err != nil {
				return err
			}
			if asJSON {
				err = printJSON(cmd.OutOrStdout(), res)
			} else {
				_, err = fmt.Fprint(cmd.OutOrStdout(), res)
			}
			if err == nil && !res.Same() {
				err = errFailed
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&opt.Clock, "clock", "", "path in A of the clock to sample at")
	f.StringVar(&opt.ClockB, "clock-b", "", "path in B of its clock, if --map does not give it")
	f.BoolVar(&opt.Falling, "falling", false, "sample at falling edges")
	f.StringArrayVar(&renames, "map", nil, "path or scope in A = that in B, and compare nothing else; may be repeated")
	f.BoolVar(&opt.Common, "common", false, "compare the variables that both files have, and let the others be")
	f.BoolVar(&opt.Prefix, "prefix", false, "compare up to the end of the shorter file")
	f.StringArrayVar(&opt.Only, "only", nil, "compare only this path of A or what is below it; may be repeated")
	f.IntVar(&opt.Offset, "offset", 0, "how many samples B is later than A")
	f.BoolVar(&opt.IgnoreX, "ignore-x", false, "let x and z fit any bit")
	f.IntVar(&opt.Around, "around", 4, "samples to show on either side of the difference")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func diffFiles(ctx context.Context, a, b string, opt wave.DiffOptions) (*wave.DiffResult, error) {
	fa, err := input.Await(ctx, func() (io.ReadCloser, error) { return wave.Open(a) })
	if err != nil {
		return nil, err
	}
	defer fa.Close()
	fb, err := input.Await(ctx, func() (io.ReadCloser, error) { return wave.Open(b) })
	if err != nil {
		return nil, err
	}
	defer fb.Close()
	ra, err := wave.NewReader(fa, a)
	if err != nil {
		return nil, err
	}
	rb, err := wave.NewReader(fb, b)
	if err != nil {
		return nil, err
	}
	return wave.Diff(ra, rb, opt)
}

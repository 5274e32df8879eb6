package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/vectors"
)

// foreignMutants are the flags of `goldwire mutants MODULE --rtl …`: faults in the user's RTL.
type foreignMutants struct {
	rtl       rtlFlags
	simulator string
	names     []string // of the flags
}

func (m *foreignMutants) flags(f *pflag.FlagSet) {
	var before []string
	f.VisitAll(func(x *pflag.Flag) { before = append(before, x.Name) })
	m.rtl.flags(f)
	f.StringVar(&m.simulator, "sim", string(cosim.Verilator), "verilator or icarus: runs the RTL of --rtl")
	f.VisitAll(func(x *pflag.Flag) {
		if !slices.Contains(before, x.Name) {
			m.names = append(m.names, x.Name)
		}
	})
}

// given tells whether one of the flags stands on the command line.
func (m *foreignMutants) given(f *pflag.FlagSet) bool {
	return slices.ContainsFunc(m.names, f.Changed)
}

// notForeign are the flags that the reference RTL's campaigns alone have.
var notForeign = []string{"limit", "late", "record", "limit-time", "source"}

func (m *foreignMutants) run(cmd *cobra.Command, units vectors.Catalogue, o *vectorsCommand, args []string) error {
	if len(args) == 0 {
		return errors.New("mutants --rtl: want the module that the RTL is compared with")
	}
	for _, name := range notForeign {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s: of the reference RTL's campaigns, want it without --rtl", name)
		}
	}
	opt := cosim.Options{Seed: o.seed, Dirty: cosim.DefaultDirty}
	var err error
	if opt.Unit, err = units.Find(args[0]); err != nil {
		return err
	}
	if opt.Unit, err = withParams(opt.Unit, o.params); err != nil {
		return err
	}
	if opt.Design, err = m.rtl.design(args[1:]); err != nil {
		return err
	}
	if opt.Design.Simulator, err = cosim.ParseSimulator(m.simulator); err != nil {
		return fmt.Errorf("--sim: %w", err)
	}
	if m.rtl.mapFile != "" {
		if opt.Map, err = cosim.ReadMap(cmd.Context(), m.rtl.mapFile); err != nil {
			return err
		}
	}
	if opt.Design.Simulator == cosim.Verilator {
		defer hdl.RemoveRuntime()
	}
	said := newStages(cmd.ErrOrStderr())
	how := cosim.MutantOptions{Most: o.mutants, Seed: o.seed, Time: o.proofTime, Progress: said.at}
	found, err := cosim.CountMutants(cmd.Context(), opt, cosim.Stimulus{Cycles: o.cycles, Seed: o.seed}, how)
	said.finish()
	if compile := (*cosim.CompileError)(nil); errors.As(err, &compile) {
		fmt.Fprint(cmd.ErrOrStderr(), compile.Output)
	}
	err = showCauses(cmd.ErrOrStderr(), err)
	if err != nil {
		return err
	}
	row := mutantsRow{strings.TrimSpace(opt.Unit.Name + " " + opt.Design.Top), "", o.cycles, found}
	if o.json {
		err = printJSON(cmd.OutOrStdout(), []mutantsRow{row})
	} else {
		printMutants(cmd.OutOrStdout(), []mutantsRow{row}, cmd.Flags().Changed("markdown"))
	}
	if err == nil && len(found.Open) > 0 {
		err = errFailed
	}
	return err
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/internal/input"
	"github.com/goldwire/goldwire/internal/output"
	"github.com/goldwire/goldwire/internal/program"
	"github.com/goldwire/goldwire/internal/source"
	"github.com/goldwire/goldwire/internal/sweep"
)

// sweepPlan is what the flags of `sweep plan` set.
type sweepPlan struct {
	of      experiment.Experiment
	name    string // of the experiment, with its design
	params  *experiment.Params
	dir     string
	vary    []string
	seeds   sweep.Seeds
	until   string
	most    int
	replace bool
}

func newSweepPlan(house design.House) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plan DESIGN EXPERIMENT",
		Short: "Write down what shall be measured",
		Long: `Write the plan of a sweep into a directory. The flags of the experiment stay; --vary says which vary, and
--seeds how many seeds each combination has.

Values are lists and ranges, with both ends: 1,2,4 or 1..8 or 0.1..0.9+0.2 or 1e-9..1e-5*10 or 1e-9..1e-5/9 (nine, at
equal steps of the logarithm).

--until adds seeds to a combination until the 95 % confidence interval of a figure is narrow enough: --until
bandwidth=0.5% is half an interval of at most 0.5 % of the mean, --until mean_ns=2 one of 2. A figure is a number in a
result, as ` + "`goldwire run --json`" + ` shows it.`,
		Example: "  goldwire sweep plan rifl sweep --runs 1 --vary ber=1e-9..1e-5*10 --vary lanes=1,2,4 --seeds 3 --dir " +
			"campaign",
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, d := range house {
		if len(d.Experiments) == 0 {
			continue
		}
		of := &cobra.Command{
			Use: d.Name + " EXPERIMENT", Short: d.Title, Args: unknownCommand,
			RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		}
		for _, e := range d.Experiments {
			of.AddCommand(sweepPlanCommand(d, e))
		}
		cmd.AddCommand(of)
	}
	return cmd
}

// sweepPlanCommand is `goldwire sweep plan DESIGN EXPERIMENT`.
func sweepPlanCommand(d design.Design, e experiment.Experiment) *cobra.Command {
	p := &sweepPlan{of: e, name: d.Name + "/" + e.Info().Name, params: e.Params()}
	info := e.Info()
	info.Examples = nil
	cmd := parametersCommand(info, p.params, "")
	arguments := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 && len(p.vary) > 0 {
			return nil // one may vary; if none does, New says so
		}
		return arguments(cmd, args)
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return p.run(cmd) }
	f := cmd.Flags()
	f.StringVar(&p.dir, "dir", "", "the sweep's `directory`")
	f.StringArrayVar(
		&p.vary,
		"vary",
		nil,
		"a parameter and its `values`: lanes=1,2,4 or ber=1e-9..1e-5*10; may be repeated, the last changes fastest",
	)
	f.Uint64Var(&p.seeds.First, "seed", 1, "first seed")
	f.IntVar(&p.seeds.Count, "seeds", 1, "seeds of each combination; with --until, seeds that are added at a time")
	f.StringVar(&p.until, "until", "", "add seeds until an interval is narrow enough: `figure=width`, bandwidth=0.5% say")
	f.IntVar(&p.most, "most-seeds", 100, "seeds of a combination at most, with --until")
	f.BoolVar(&p.replace, "replace", false, "replace the plan that the directory has; results stay, and count if they fit")
	return cmd
}

// plan makes the plan of the flags, and copies input files into the store.
func (p *sweepPlan) plan(ctx context.Context, store sweep.Store) (plan sweep.Plan, err error) {
	plan = sweep.NewPlan(p.name)
	if plan.Source, err = source.Name(); err != nil {
		return plan, err
	}
	imported := func(f *experiment.Field, text string) (string, error) {
		if f.File != "in" || text == "" {
			return text, nil
		}
		var paths []string
		for _, file := range strings.Split(text, ",") {
			in, err := store.Import(ctx, file)
			if err != nil {
				return "", err
			}
			if !slices.Contains(plan.Inputs, in) {
				plan.Inputs = append(plan.Inputs, in)
			}
			paths = append(paths, in.Path)
		}
		return strings.Join(paths, ","), nil
	}
	for _, f := range p.params.Fields {
		if !f.IsSet {
			continue
		}
		if plan.Set[f.Flag], err = imported(f, f.String()); err != nil {
			return plan, fmt.Errorf("--%s: %w", f.Flag, err)
		}
	}
	for _, v := range p.vary {
		flag, text, ok := strings.Cut(v, "=")
		f := p.params.Find(strings.TrimPrefix(flag, "--"))
		if !ok || f == nil {
			return plan, fmt.Errorf("--vary %s: want a parameter of %s, = and its values", experiment.Quote(v), p.name)
		}
		axis := sweep.Axis{Flag: f.Flag}
		if axis.Values, err = sweep.Values(text); err != nil {
			return plan, fmt.Errorf("--vary %s: %w", f.Flag, err)
		}
		for i := range axis.Values {
			if axis.Values[i], err = imported(f, axis.Values[i]); err != nil {
				return plan, fmt.Errorf("--vary %s: %w", f.Flag, err)
			}
		}
		plan.Vary = append(plan.Vary, axis)
	}
	plan.Seeds = p.seeds
	if p.until != "" {
		if plan.Seeds.Until, err = p.readUntil(); err != nil {
			return plan, err
		}
	}
	return plan, nil
}

// readUntil reads --until.
func (p *sweepPlan) readUntil() (*sweep.Until, error) {
	u := &sweep.Until{Most: p.most}
	figure, width, ok := strings.Cut(p.until, "=")
	number, relative := strings.CutSuffix(width, "%")
	x, err := strconv.ParseFloat(number, 64)
	if !ok || figure == "" || err != nil || !(x > 0) {
		return nil, fmt.Errorf(
			"--until %s: want a figure, = and half the width of its interval, bandwidth=0.5%% or mean_ns=2 say",
			experiment.Quote(p.until),
		)
	}
	u.Figure = figure
	if relative {
		u.Relative = x / 100
	} else {
		u.Half = x
	}
	return u, nil
}

// madeIn returns a function that removes a sweep's directory, its inputs and the directories above it as far as they
// will be new, so that a plan that is refused leaves nothing.
func madeIn(dir string) (undo func()) {
	var above []string // not there, the deepest first
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(d); err == nil {
			break
		}
		above = append(above, d)
	}
	inputs := filepath.Join(dir, "inputs")
	before, _ := os.ReadDir(inputs) // none if it is not there
	return func() {
		now, _ := os.ReadDir(inputs)
		for _, e := range now {
			if !slices.ContainsFunc(before, func(b os.DirEntry) bool { return b.Name() == e.Name() }) {
				_ = os.RemoveAll(filepath.Join(inputs, e.Name())) // the error that led here is the one to be told
			}
		}
		if len(before) == 0 {
			_ = os.Remove(inputs)
		}
		for _, d := range above {
			_ = os.Remove(d)
		}
	}
}

func (p *sweepPlan) run(cmd *cobra.Command) (err error) {
	if p.dir == "" {
		return errors.New("--dir is missing: the sweep's directory")
	}
	if err := checkDirectory("--dir", p.dir); err != nil {
		return err
	}
	dir, err := filepath.Abs(p.dir)
	if err != nil {
		return err
	}
	store := sweep.Store{Dir: dir}
	if err := store.CheckOwn(); err != nil {
		return fmt.Errorf("--dir %w", err)
	}
	undo := madeIn(dir)
	defer func() {
		if err != nil {
			undo()
		}
	}()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	plan, err := p.plan(cmd.Context(), store)
	if err != nil {
		return err
	}
	if len(plan.Inputs) > 0 {
		if err := os.Chdir(dir); err != nil { // their paths begin there
			return err
		}
	}
	s, err := sweep.New(plan, p.of)
	if err != nil {
		return err
	}
	text, err := s.JSON()
	if err != nil {
		return err
	}
	old, err := input.Read(store.PlanPath(), input.MostText)
	switch {
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return err
	case err == nil && string(old) != string(text) && !p.replace:
		return fmt.Errorf("--dir %s: there is another plan already: --replace replaces it and keeps its results", p.dir)
	}
	if err := output.WriteFile(store.PlanPath(), text); err != nil {
		return err
	}
	status, err := s.Status(store, sweep.Options{})
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(
		out, "%s: %s, %s; %s\n", s.Experiment, count(status.Combinations, "combination"), count(status.Wanted, "point"),
		progressOf(s, status),
	)
	if !status.Complete() {
		fmt.Fprintf(out, "%s sweep run %s\n", program.Name(), p.dir)
	}
	return nil
}

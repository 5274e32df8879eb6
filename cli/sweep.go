package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/output"
	"github.com/goldwire/goldwire/sweep"
)

// newSweep is `goldwire sweep`.
func newSweep(house design.House) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Run an experiment over values of its parameters, on one machine or many",
		Long: `Run an experiment over lists and ranges of its parameters and several seeds.

A sweep is a directory: a plan, and a file for each result, whose name is a checksum of all that decides it. No result is measured twice:
a sweep that was interrupted is resumed by the same command, and directories of several machines are put together by copying. What is
merged is the same, byte for byte, whatever ran where.`,
		Example: `  goldwire sweep plan rifl sweep --runs 1 --vary ber=1e-9..1e-5*10 --vary lanes=1,2,4 --seeds 3 --dir campaign
  goldwire sweep run campaign
  goldwire sweep merge campaign --csv campaign.csv`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newSweepPlan(house), newSweepRun(house), newSweepShard(house), newSweepStatus(house), newSweepMerge(house))
	return cmd
}

// unknownCommand refuses what is no command below this one.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	return fmt.Errorf("no command %s of %s, want one of: %s", experiment.Quote(args[0]), cmd.CommandPath(), strings.Join(names, ", "))
}

// oneDirectory wants the directory of a sweep.
func oneDirectory(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%s wants the directory of a sweep, as `goldwire sweep plan` made it", cmd.CommandPath())
	}
	return nil
}

// openSweep reads the plan of a directory. A sweep with input files is run in its directory, where their paths lead.
func openSweep(house design.House, dir string) (*sweep.Sweep, sweep.Store, error) {
	store := sweep.Store{Dir: dir}
	plan, err := sweep.ReadPlan(store.PlanPath())
	if errors.Is(err, os.ErrNotExist) {
		return nil, store, fmt.Errorf("%s: there is no plan; `goldwire sweep plan DESIGN EXPERIMENT --dir %s` makes one", dir, dir)
	}
	if err != nil {
		return nil, store, err
	}
	of, err := findExperiment(house, plan.Experiment)
	if err != nil {
		return nil, store, fmt.Errorf("%s: %w", store.PlanPath(), err)
	}
	if err := store.CheckInputs(&plan); err != nil {
		return nil, store, err
	}
	if len(plan.Inputs) > 0 {
		if store.Dir, err = filepath.Abs(dir); err != nil {
			return nil, store, err
		}
		if err := os.Chdir(store.Dir); err != nil {
			return nil, store, err
		}
	}
	s, err := sweep.New(plan, of)
	if err != nil {
		err = fmt.Errorf("%s: %w", store.PlanPath(), err)
	}
	return s, store, err
}

func findExperiment(house design.House, name string) (experiment.Experiment, error) {
	of, name, _ := strings.Cut(name, "/")
	d, err := house.Find(of)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(d.Experiments, func(e experiment.Experiment) bool { return e.Info().Name == name })
	if i < 0 {
		return nil, fmt.Errorf("no experiment %s of %s", experiment.Quote(name), of)
	}
	return d.Experiments[i], nil
}

// sweepWork is what `sweep run` and `sweep shard` have in common.
type sweepWork struct {
	workers int
	share   sweep.Share
	points  string
}

func newSweepRun(house design.House) *cobra.Command {
	w := &sweepWork{}
	cmd := &cobra.Command{
		Use:   "run DIR",
		Short: "Measure all that is missing, on the processors of this machine",
		Long: `Measure all points of a sweep that have no result, on the processors of this machine. A point that fails has a result as well: it is
reported, and not measured again. The exit code is 1 if any point failed.`,
		Example: "  goldwire sweep run campaign\n  goldwire sweep run campaign --workers 4",
		Args:    oneDirectory,
		RunE:    func(cmd *cobra.Command, args []string) error { return w.run(cmd, house, args[0]) },
	}
	cmd.Flags().IntVar(&w.workers, "workers", 0, "points measured at a time, 1 to 1024; 0 for one a processor")
	return cmd
}

func newSweepShard(house design.House) *cobra.Command {
	w := &sweepWork{}
	cmd := &cobra.Command{
		Use:   "shard DIR",
		Short: "Measure a share of what is missing",
		Long: `Measure a share of the points of a sweep, where several machines do one each. The shares do not depend on what is measured already, so
they can run at the same time, in one directory or in copies of it that are merged later. The exit code is 1 if a point of the share
failed.`,
		Example: "  goldwire sweep shard campaign --index 0 --of 4\n  goldwire sweep shard campaign --points 3,8-11",
		Args:    oneDirectory,
		RunE:    func(cmd *cobra.Command, args []string) error { return w.run(cmd, house, args[0]) },
	}
	f := cmd.Flags()
	f.IntVar(&w.share.Index, "index", 0, "which share, from 0")
	f.IntVar(&w.share.Of, "of", 1, "how many shares there are")
	f.StringVar(&w.points, "points", "", "only points with these numbers, 3,8-11 say; shares are then made of them, in their order")
	f.IntVar(&w.workers, "workers", 0, "points measured at a time, 1 to 1024; 0 for one a processor")
	return cmd
}

func (w *sweepWork) run(cmd *cobra.Command, house design.House, dir string) error {
	if w.workers < 0 || w.workers > mostWorkers {
		return fmt.Errorf("--workers %d: want 0 to %d", w.workers, mostWorkers)
	}
	opt := sweep.Options{Workers: w.workers, Share: w.share}
	if w.share.Of != 0 {
		if err := w.share.Check(); err != nil {
			return err
		}
	}
	if w.points != "" {
		numbers, err := sweep.ParseNumbers(w.points)
		if err != nil {
			return fmt.Errorf("--points %w", err)
		}
		opt.Points, opt.Share = w.share.Among(numbers), sweep.Share{}
	}
	s, store, err := openSweep(house, dir)
	if err != nil {
		return err
	}
	source, err := sweep.Source()
	if err != nil {
		return err
	}
	if source != s.Source {
		return fmt.Errorf("%s was made by another source: %s; this is %s; plan again with --replace", store.PlanPath(), s.Source, source)
	}
	var bar *progress
	opt.Progress = func(done, total int) {
		if bar == nil {
			bar = newProgress(cmd.ErrOrStderr(), total, "points")
		}
		bar.at(done, 0)
	}
	measured, err := s.Run(cmd.Context(), store, opt)
	if bar != nil {
		bar.finish()
	}
	if cmd.Context().Err() != nil {
		return fmt.Errorf("%w: %d points were measured; the same command goes on", errInterrupted, measured)
	}
	if err != nil {
		return err
	}
	status, err := s.Status(store)
	if err != nil {
		return err
	}
	status.Failures = slices.DeleteFunc(status.Failures, func(f sweep.Failure) bool { return !opt.Has(f.Number) })
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "%s measured now; %s\n", count(measured, "point"), progressOf(status))
	return reportFailures(out, status)
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// progressOf says how far a sweep is.
func progressOf(x *sweep.Status) string {
	s := fmt.Sprintf("%d of %d are there", x.Done, x.Wanted)
	if x.Settled < x.Combinations {
		s += fmt.Sprintf(", %d of %s settled", x.Settled, count(x.Combinations, "combination"))
	}
	if x.Open > 0 {
		s += fmt.Sprintf(", %d at the most seeds with an interval that is too wide", x.Open)
	}
	return s
}

// reportFailures prints each point that failed once.
func reportFailures(w io.Writer, x *sweep.Status) error {
	for _, f := range x.Failures {
		fmt.Fprintf(w, "FAILED: point %d: %s\n  %s\n", f.Number, oneLine(errors.New(strings.Join(f.Faults, "; "))), f.Command)
	}
	for _, path := range x.Differs {
		fmt.Fprintf(w, "FAILED: %s: the same point gave another result before\n", path)
	}
	if !x.OK() {
		return errFailed
	}
	return nil
}

func newSweepStatus(house design.House) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "status DIR",
		Short:   "Say what is done, what is missing and what failed",
		Long:    "Say how many points are done, which are missing, and which failed. The exit code is 1 if any failed.",
		Example: "  goldwire sweep status campaign\n  goldwire sweep status campaign --json",
		Args:    oneDirectory,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, store, err := openSweep(house, args[0])
			if err != nil {
				return err
			}
			status, err := s.Status(store)
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			if asJSON {
				if err := printJSON(out, status); err != nil {
					return err
				}
				if !status.OK() {
					return errFailed
				}
				return nil
			}
			fmt.Fprintf(out, "%s, %s\n%s\n", s.Experiment, s.Source, progressOf(status))
			if len(status.Missing) > 0 {
				fmt.Fprintf(out, "missing: %s\n", cut(sweep.FormatNumbers(status.Missing), 200))
			}
			return reportFailures(out, status)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// cut shortens a text that is for the eye only.
func cut(s string, most int) string {
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

func newSweepMerge(house design.House) *cobra.Command {
	var out, table string
	var from []string
	var partial bool
	cmd := &cobra.Command{
		Use:   "merge DIR",
		Short: "Put all results into one file",
		Long: `Write all results in the order of the plan: the plan, each point with what ` + "`goldwire run --json`" + ` prints of it, and the mean and the 95 %
confidence interval of each figure over the seeds. The bytes are the same whatever ran where.

Results from copies of the directory come in with --from; where two copies have the same point, their files must be the same. The exit
code is 1 if a point failed.`,
		Example: "  goldwire sweep merge campaign --out merged.json --csv merged.csv\n  goldwire sweep merge campaign --from elsewhere",
		Args:    oneDirectory,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkPaths(map[string]string{"--out": out, "--csv": table}, nil); err != nil {
				return err
			}
			for _, path := range []*string{&out, &table} { // a sweep with inputs is read in its directory
				if *path != "" && !filepath.IsAbs(*path) {
					here, err := os.Getwd()
					if err != nil {
						return err
					}
					*path = filepath.Join(here, *path)
				}
			}
			for i := range from {
				if _, err := os.Stat(filepath.Join(from[i], "results")); err != nil {
					return fmt.Errorf("--from %s: there are no results", from[i])
				}
				var err error
				if from[i], err = filepath.Abs(from[i]); err != nil {
					return err
				}
			}
			s, store, err := openSweep(house, args[0])
			if err != nil {
				return err
			}
			for _, dir := range from {
				if _, err := store.Take(sweep.Store{Dir: dir}, s); err != nil {
					return err
				}
			}
			merged, err := s.Merge(store, partial)
			if err != nil {
				return err
			}
			if out == "" && table == "" {
				err = merged.WriteJSON(cmd.OutOrStdout())
			} else {
				err = errors.Join(writeFile(out, merged.WriteJSON), writeFile(table, merged.WriteCSV))
			}
			if err != nil {
				return err
			}
			status, err := s.Status(store)
			if err != nil {
				return err
			}
			return reportFailures(cmd.ErrOrStderr(), status)
		},
	}
	f := cmd.Flags()
	f.StringVar(&out, "out", "", "write JSON to this file; without --out and --csv it is printed")
	f.StringVar(&table, "csv", "", "write a table as CSV to this file: the values that vary, the seed, each figure")
	f.StringArrayVar(&from, "from", nil, "take over the results of this `directory` first; may be repeated")
	f.BoolVar(&partial, "partial", false, "merge what is there, even if points are missing")
	return cmd
}

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
		Long: `Write the plan of a sweep into a directory. The flags of the experiment stay; --vary says which vary, and --seeds how many seeds each
combination has.

Values are lists and ranges, with both ends: 1,2,4 or 1..8 or 0.1..0.9+0.2 or 1e-9..1e-5*10 or 1e-9..1e-5/9 (nine, at equal steps of the
logarithm).

--until adds seeds to a combination until the 95 % confidence interval of a figure is narrow enough: --until bandwidth=0.5% is half an
interval of at most 0.5 % of the mean, --until mean_ns=2 one of 2. A figure is a number in a result, as ` + "`goldwire run --json`" + ` shows it.`,
		Example: "  goldwire sweep plan rifl sweep --runs 1 --vary ber=1e-9..1e-5*10 --vary lanes=1,2,4 --seeds 3 --dir campaign",
		Args:    unknownCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, d := range house {
		if len(d.Experiments) == 0 {
			continue
		}
		of := &cobra.Command{Use: d.Name + " EXPERIMENT", Short: d.Title, Args: unknownCommand, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
		for _, e := range d.Experiments {
			of.AddCommand(sweepPlanCommand(d, e))
		}
		cmd.AddCommand(of)
	}
	return cmd
}

// sweepPlanCommand is `goldwire sweep plan DESIGN EXPERIMENT`.
func sweepPlanCommand(d design.Design, e experiment.Experiment) *cobra.Command {
	p := &sweepPlan{of: e, name: d.Name + "/" + e.Info().Name}
	var err error
	if p.params, err = e.Params(); err != nil {
		panic(err) // Define has read them
	}
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
	f.StringArrayVar(&p.vary, "vary", nil, "a parameter and its `values`: lanes=1,2,4 or ber=1e-9..1e-5*10; may be repeated, the last changes fastest")
	f.Uint64Var(&p.seeds.First, "seed", 1, "first seed")
	f.IntVar(&p.seeds.Count, "seeds", 1, "seeds of each combination; with --until so many at a time")
	f.StringVar(&p.until, "until", "", "add seeds until an interval is narrow enough: `figure=width`, bandwidth=0.5% say")
	f.IntVar(&p.most, "most-seeds", 100, "seeds of a combination at most, with --until")
	f.BoolVar(&p.replace, "replace", false, "replace the plan that the directory has; results stay, and count if they fit")
	return cmd
}

// plan makes the plan of the flags, and copies input files into the store.
func (p *sweepPlan) plan(store sweep.Store) (plan sweep.Plan, err error) {
	plan = sweep.NewPlan(p.name)
	if plan.Source, err = sweep.Source(); err != nil {
		return plan, err
	}
	imported := func(f *experiment.Field, text string) (string, error) {
		if f.File != "in" || text == "" {
			return text, nil
		}
		var paths []string
		for _, file := range strings.Split(text, ",") {
			in, err := store.Import(file)
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
		return nil, fmt.Errorf("--until %s: want a figure, = and half the width of its interval, bandwidth=0.5%% or mean_ns=2 say", experiment.Quote(p.until))
	}
	u.Figure = figure
	if relative {
		u.Relative = x / 100
	} else {
		u.Half = x
	}
	return u, nil
}

func (p *sweepPlan) run(cmd *cobra.Command) error {
	if p.dir == "" {
		return errors.New("--dir is missing: the sweep's directory")
	}
	if err := checkDirectory("--dir", p.dir); err != nil {
		return err
	}
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		return err
	}
	dir, err := filepath.Abs(p.dir)
	if err != nil {
		return err
	}
	store := sweep.Store{Dir: dir}
	plan, err := p.plan(store)
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
	old, err := os.ReadFile(store.PlanPath())
	if err == nil && string(old) != string(text) && !p.replace {
		return fmt.Errorf("--dir %s: there is another plan already: --replace replaces it and keeps its results", p.dir)
	}
	if err := output.WriteFile(store.PlanPath(), text); err != nil {
		return err
	}
	status, err := s.Status(store)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "%s: %s, %s; %s\n", s.Experiment, count(status.Combinations, "combination"), count(status.Wanted, "point"), progressOf(status))
	if !status.Complete() {
		fmt.Fprintf(out, "goldwire sweep run %s\n", p.dir)
	}
	return nil
}

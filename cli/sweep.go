package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/internal/program"
	"github.com/goldwire/goldwire/internal/source"
	"github.com/goldwire/goldwire/internal/sweep"
)

// newSweep is `goldwire sweep`.
func newSweep(house design.House) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Run an experiment over values of its parameters, on one machine or many",
		Long: `Run an experiment over lists and ranges of its parameters and several seeds.

A sweep is a directory: a plan, and a file for each result, whose name is a checksum of all that decides it. No result
is measured twice: a sweep that was interrupted is resumed by the same command, and directories of several machines
are put together by copying. What is merged is the same, byte for byte, whatever ran where.`,
		Example: `  goldwire sweep plan rifl sweep --runs 1 --vary ber=1e-9..1e-5*10 --vary lanes=1,2,4 --seeds 3 --dir campaign
  goldwire sweep run campaign
  goldwire sweep merge campaign --csv campaign.csv`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newSweepPlan(house), newSweepRun(house), newSweepShard(house), newSweepStatus(house), newSweepMerge(house),
		newSweepSlurm(house), newSweepKubernetes(house),
	)
	return cmd
}

// unknownCommand refuses a word that is no command below this one.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	return fmt.Errorf(
		"no command %s of %s, want one of: %s", experiment.Quote(args[0]), cmd.CommandPath(), strings.Join(names, ", "),
	)
}

// oneDirectory wants the directory of a sweep.
func oneDirectory(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%s wants the directory of a sweep, as `%s sweep plan` made it", cmd.CommandPath(), program.Name())
	}
	return nil
}

// openSweep reads the plan of a directory. A sweep with input files is run in its directory, where their paths lead.
func openSweep(house design.House, dir string) (*sweep.Sweep, sweep.Store, error) {
	store := sweep.Store{Dir: dir}
	plan, err := sweep.ReadPlan(store.PlanPath())
	if errors.Is(err, os.ErrNotExist) {
		return nil, store, fmt.Errorf(
			"%s: there is no plan; `%s sweep plan DESIGN EXPERIMENT --dir %s` makes one",
			dir,
			program.Name(),
			dir,
		)
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

// sweepWork is what `sweep run` and `sweep shard` have in common: the one measures all points, the other a share.
type sweepWork struct {
	workers int
	share   sweep.Share
	points  []string
	long    longRun
}

// flags adds the flags of both commands.
func (w *sweepWork) flags(cmd *cobra.Command) {
	cmd.Flags().IntVar(&w.workers, "workers", 0, "points measured at a time, 1 to 1024; 0 for one a processor")
	w.long.flags(cmd, false) // a stall would be a result that depends on a flag of the run
}

func newSweepRun(house design.House) *cobra.Command {
	w := &sweepWork{share: sweep.Share{Of: 1}}
	cmd := &cobra.Command{
		Use:   "run DIR",
		Short: "Measure all that is missing, on the processors of this machine",
		Long: `Measure all points of a sweep that have no result, on the processors of this machine. A point that fails has
a result as well: it is reported, and not measured again. The exit code is 1 if any point failed.`,
		Example: "  goldwire sweep run campaign\n  goldwire sweep run campaign --workers 4",
		Args:    oneDirectory,
		RunE:    func(cmd *cobra.Command, args []string) error { return w.run(cmd, house, args[0]) },
	}
	w.flags(cmd)
	return cmd
}

func newSweepShard(house design.House) *cobra.Command {
	w := &sweepWork{}
	cmd := &cobra.Command{
		Use:   "shard DIR",
		Short: "Measure a share of what is missing",
		Long: `Measure a share of the points of a sweep, where several machines do one each. The shares do not depend on
what is measured already, so they can run at the same time, in one directory or in copies of it that are merged later.
The exit code is 1 if a point of the share failed.`,
		Example: "  goldwire sweep shard campaign --index 0 --of 4\n  goldwire sweep shard campaign --points 3,8-11",
		Args:    oneDirectory,
		RunE:    func(cmd *cobra.Command, args []string) error { return w.run(cmd, house, args[0]) },
	}
	f := cmd.Flags()
	f.IntVar(&w.share.Index, "index", 0, "which share, from 0")
	f.IntVar(&w.share.Of, "of", 1, "how many shares there are")
	f.StringArrayVar(
		&w.points,
		"points",
		nil,
		"only points with these `numbers`, 3,8-11 say; may be repeated; shares are then made of them, in their order",
	)
	w.flags(cmd)
	return cmd
}

func (w *sweepWork) run(cmd *cobra.Command, house design.House, dir string) error {
	if w.workers < 0 || w.workers > mostWorkers {
		return fmt.Errorf("--workers %d: want 0 to %d", w.workers, mostWorkers)
	}
	if err := w.share.Check(); err != nil {
		return err
	}
	opt := sweep.Options{Workers: w.workers, Share: w.share}
	if len(w.points) > 0 {
		numbers, err := sweep.ParseNumbers(strings.Join(w.points, ","))
		if err != nil {
			return fmt.Errorf("--points %w", err)
		}
		opt.Points, opt.Share = w.share.Among(numbers), sweep.Share{}
	}
	s, store, err := openSweep(house, dir)
	if err != nil {
		return err
	}
	own, err := source.Name()
	if err != nil {
		return err
	}
	if own != s.Source {
		return fmt.Errorf(
			"%s was made by another source: %s; this is %s; plan again with --replace", store.PlanPath(), s.Source, own,
		)
	}
	w.long.sweep = &sweep.Monitor{}
	opt.Monitor = w.long.sweep
	end, err := w.long.watch(cmd.Context(), cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	var bar *progress
	opt.Progress = func(done, total int) {
		if bar == nil {
			bar = newProgress(cmd.ErrOrStderr(), total, "points")
		}
		bar.of(total) // seeds may have been added
		bar.at(done, 0)
	}
	measured, err := s.Run(cmd.Context(), store, opt)
	if bar != nil {
		bar.finish()
	}
	end()
	if cmd.Context().Err() != nil {
		return fmt.Errorf("%w: %d points were measured; the same command goes on", errInterrupted, measured)
	}
	if err != nil {
		return err
	}
	status, err := s.Status(store, opt)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "%s measured now; %s\n", count(measured, "point"), progressOf(s, status))
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
func progressOf(s *sweep.Sweep, x *sweep.Status) string {
	text := fmt.Sprintf("%d of %d are there", x.Done, x.Wanted)
	if s.Seeds.Until == nil {
		return text
	}
	text += fmt.Sprintf("; %d of %s settled", x.Settled, count(x.Combinations, "combination"))
	if x.Open > 0 {
		text += fmt.Sprintf(", %d of these at the most seeds with an interval that is too wide", x.Open)
	}
	return text
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
			status, err := s.Status(store, sweep.Options{})
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
			fmt.Fprintf(out, "%s, %s\n%s\n", s.Experiment, s.Source, progressOf(s, status))
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
		Long: `Write all results in the order of the plan: the plan, each point ` +
			`with what ` + "`goldwire run --json`" + ` prints of it, and the mean and the 95 %
confidence interval of each figure over the seeds. The bytes are the same whatever ran where.

Results from copies of the directory come in with --from; where two copies have the same point, their files must be the same. The exit
code is 1 if a point failed.`,
		Example: "  goldwire sweep merge campaign --out merged.json --csv merged.csv\n" +
			"  goldwire sweep merge campaign --from elsewhere",
		Args: oneDirectory,
		RunE: func(cmd *cobra.Command, args []string) error {
			plan := sweep.Store{Dir: args[0]}.PlanPath()
			if err := checkPaths(map[string]string{"--out": out, "--csv": table},
				map[string]string{"the merge": plan}); err != nil {
				return err
			}
			for _, path := range []*string{&out, &table} { // a sweep with inputs is read in its directory
				if *path != "" {
					var err error
					if *path, err = filepath.Abs(*path); err != nil {
						return err
					}
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
			status, err := s.Status(store, sweep.Options{})
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

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/internal/program"
	"github.com/goldwire/goldwire/workload/journey"
)

// newRun is `goldwire run`: a subcommand for each design, with one for each of its experiments.
func newRun(house design.House) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "run DESIGN EXPERIMENT",
		Short:   "Run an experiment",
		Example: "  goldwire run\n  goldwire run edm\n  goldwire run edm latency --help",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			var names []string
			for _, c := range cmd.Commands() {
				names = append(names, c.Name())
			}
			return fmt.Errorf("no experiments of %s, want one of: %s", experiment.Quote(args[0]), strings.Join(names, ", "))
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, d := range house {
		if len(d.Experiments) == 0 {
			continue
		}
		cmd.AddCommand(designCommand(d))
		for _, e := range d.Experiments {
			for _, alias := range e.Info().Aliases {
				short := experimentCommand(d, e)
				short.Use = strings.Replace(short.Use, e.Info().Name, alias, 1)
				short.Hidden = true
				cmd.AddCommand(short)
			}
		}
	}
	return cmd
}

// designCommand is `goldwire run DESIGN`.
func designCommand(d design.Design) *cobra.Command {
	title := d.Title
	if d.Paper != "" {
		title += " (" + d.Paper + ")"
	}
	cmd := &cobra.Command{
		Use:   d.Name + " EXPERIMENT",
		Short: title,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			var names []string
			for _, e := range d.Experiments {
				names = append(names, e.Info().Name)
			}
			return fmt.Errorf(
				"no experiment %s of %s, want one of: %s", experiment.Quote(args[0]), d.Name, strings.Join(names, ", "),
			)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, e := range d.Experiments {
		cmd.AddCommand(experimentCommand(d, e))
	}
	return cmd
}

// Bounds of the flags that all experiments have.
const (
	mostWorkers   = 1024
	mostRecorded  = 1_000_000 // cycles of the flight recorder: they stay in memory
	mostFollowed  = 10_000    // messages of which --journeys keeps the ways
	mostCycles    = 1e15      // that --most-cycles allows: times in picoseconds stay far from the greatest int64
	mostMegabytes = 1 << 24   // that --most-memory allows
)

// experimentRun is what the flags of all experiments set.
type experimentRun struct {
	of      experiment.Experiment
	params  *experiment.Params
	seed    uint64
	workers int
	json    bool
	csv     string
	plot    string
	waves   experiment.Waves
	long    longRun

	checkpoints experiment.Checkpoints
	resume      string
	limits      experiment.Limits
	ways        string // of journeys
	most        int
}

// experimentCommand is `goldwire run DESIGN EXPERIMENT`: its flags are the experiment's parameters and the flags of all
// experiments.
func experimentCommand(d design.Design, e experiment.Experiment) *cobra.Command {
	info := e.Info()
	o := &experimentRun{of: e, params: e.Params()}
	cmd := parametersCommand(info, o.params, program.Name()+" run "+d.Name+" ")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return o.run(cmd) }
	f := cmd.Flags()
	f.Uint64Var(&o.seed, "seed", 1, "seed of all that is random")
	f.IntVar(
		&o.workers, "workers", 0,
		"points measured at a time, or workers of one simulation in parallel mode, 1 to 1024; 0 for one a processor",
	)
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.StringVar(&o.csv, "csv", "", "write the tables as CSV: the first to this file, others with their names added to it")
	f.StringVar(
		&o.plot, "plot", "", "write the charts as SVG: the first to this file, others with their names added to it",
	)
	f.Float64Var(
		&o.limits.Cycles, "most-cycles", 1e8,
		"a point that would simulate more cycles, slots or packets than this is refused, 1 to 1e15",
	)
	f.Float64Var(
		&o.limits.Memory,
		"most-memory",
		4000,
		"a run that would hold more `megabytes` than this is refused, 1 to 16777216",
	)
	if info.Journeys {
		f.StringVar(
			&o.ways, "journeys", "",
			"write the ways of messages, stage by stage, to this file: .txt a table by cycles, .svg drawn, .json trace "+
				"events, .pftrace for Perfetto",
		)
		f.IntVar(&o.most, "journeys-most", 100, "messages of a point that are followed, the first ones, 1 to 10000")
	}
	o.long.flags(cmd, info.Waves)
	if info.Checkpoints {
		f.Uint64Var(
			&o.checkpoints.Every, "checkpoint-every", 0,
			"write the state of each simulation after this many of its cycles to the directory of --checkpoint; 0 for never",
		)
		f.StringVar(
			&o.checkpoints.Dir, "checkpoint", "", "directory of the checkpoints, a file for each point that simulates",
		)
		f.StringVar(
			&o.resume, "resume", "",
			"go on from the checkpoints in this directory, of a run of the same program with the same parameters and seed; "+
				"new ones go there too",
		)
		if len(info.Knobs) > 0 {
			f.StringVar(
				&o.checkpoints.Fork,
				"fork",
				"",
				"start each point from this file of a point's checkpoint, a warm-up; only these may differ from that "+
					"point: "+strings.Join(info.Knobs, ", "),
			)
		}
	}
	if info.Waves {
		f.StringVar(
			&o.waves.VCD, "vcd", "",
			"write a waveform of the first point to this file, a save file for GTKWave beside it; it grows with the cycles, "+
				"see --vcd-to",
		)
		f.StringArrayVar(
			&o.waves.Options.Include, "vcd-scope", nil, "only what is below this scope, rx.decoder say; may be repeated",
		)
		f.Uint64Var(&o.waves.Options.From, "vcd-from", 0, "first cycle of the waveform")
		f.Uint64Var(&o.waves.Options.To, "vcd-to", 0, "last cycle of the waveform; 0 for all")
		f.StringVar(
			&o.waves.OnFault, "on-fault", "",
			"write the last cycles up to the first fault to this file; nothing if there is none",
		)
		f.IntVar(&o.waves.Recorded, "on-fault-cycles", 500, "cycles that the file of --on-fault has, 1 to 1000000")
	}
	own := map[string]bool{}
	for _, p := range o.params.Fields {
		own[p.Flag] = true
	}
	f.VisitAll(func(flag *pflag.Flag) {
		if !own[flag.Name] {
			flag.Annotations = map[string][]string{ofEachExperiment: {"true"}}
		}
	})
	return cmd
}

// parametersCommand is a command whose arguments and flags are the parameters of an experiment. Its examples are the
// experiment's, after the words before them.
func parametersCommand(info experiment.Info, params *experiment.Params, before string) *cobra.Command {
	use, long := info.Name, info.Long
	var arguments []*experiment.Field
	for _, p := range params.Fields {
		if p.Arg != "" {
			arguments = append(arguments, p)
			use += " " + p.Arg
			long += fmt.Sprintf("\n\n%s: %s", p.Arg, p.Help)
		}
	}
	if info.Source != "" {
		long = strings.TrimSpace(long + "\n\nIn the paper: " + info.Source + ".")
	}
	var examples []string
	for _, x := range info.Examples {
		examples = append(examples, "  "+before+x)
	}
	cmd := &cobra.Command{
		Use: use, Short: info.Short, Long: long, Example: strings.Join(examples, "\n"),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > len(arguments) {
				return fmt.Errorf(
					"%s: want %d arguments, got %s too", info.Name, len(arguments), experiment.Quote(args[len(arguments)]),
				)
			}
			for i, p := range arguments {
				if i >= len(args) {
					if p.Required {
						return fmt.Errorf("%s wants %s: %s", info.Name, p.Arg, p.Help)
					}
					continue
				}
				if err := p.Set(args[i]); err != nil {
					return fmt.Errorf("%s: %w", p.Arg, err)
				}
			}
			return nil
		},
	}
	cmd.SetFlagErrorFunc(flagError)
	f := cmd.Flags()
	f.SortFlags = false
	for _, p := range params.Fields {
		if p.Arg != "" {
			continue
		}
		flag := f.VarPF(flagValue{p}, p.Flag, "", helpOf(p))
		if p.IsBool() {
			flag.NoOptDefVal = "true"
		}
	}
	f.SetNormalizeFunc(byEitherName(f))
	return cmd
}

// sameFlags are names that designs have for one thing: an experiment that has one of a pair takes the other too.
var sameFlags = [][2]string{{"load", "loads"}, {"flows", "messages"}}

// byEitherName returns a function that reads a flag by the name that the flags have for it.
func byEitherName(f *pflag.FlagSet) func(*pflag.FlagSet, string) pflag.NormalizedName {
	own := map[string]string{}
	for _, pair := range sameFlags {
		for k, name := range pair {
			if other := pair[1-k]; f.Lookup(name) == nil && f.Lookup(other) != nil {
				own[name] = other
			}
		}
	}
	return func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if has, ok := own[name]; ok {
			name = has
		}
		return pflag.NormalizedName(name)
	}
}

// flagValue makes a flag of a parameter.
type flagValue struct{ p *experiment.Field }

func (v flagValue) String() string {
	if v.p == nil {
		return "" // pflag asks a zero value
	}
	return v.p.String()
}
func (v flagValue) Set(s string) error { return v.p.Set(s) }
func (v flagValue) Type() string {
	switch {
	case v.p.IsBool():
		return "bool"
	case v.p.Choices != nil:
		return strings.Join(v.p.Choices, "|")
	case v.p.File != "":
		return "file"
	case v.p.Unit != "":
		return strings.ReplaceAll(v.p.Unit, " ", "-")
	}
	return "value"
}

var _ pflag.Value = flagValue{}

// flagError names the flag with a wrong value, and the wanted values: "--lanes 9: want 1 to 8".
func flagError(_ *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	var number *strconv.NumError
	if errors.As(err, &number) {
		return fmt.Errorf("--%s %s: want a number", invalid.GetFlag().Name, experiment.Quote(number.Num))
	}
	return fmt.Errorf("--%s %w", invalid.GetFlag().Name, invalid.Unwrap())
}

// helpOf is the help with the bounds, if choices do not stand in the type already.
func helpOf(p *experiment.Field) string {
	if b := p.Bounds(); b != "" && p.Choices == nil {
		return p.Help + " (" + b + ")"
	}
	return p.Help
}

func (o *experimentRun) run(cmd *cobra.Command) error {
	if p := o.params.Missing(); p != nil {
		return fmt.Errorf("--%s is missing: %s", p.Flag, p.Help)
	}
	if o.workers < 0 || o.workers > mostWorkers {
		return fmt.Errorf("--workers %d: want 0 to %d", o.workers, mostWorkers)
	}
	if !(o.limits.Cycles >= 1 && o.limits.Cycles <= mostCycles) {
		return fmt.Errorf("--most-cycles %g: want 1 to %g", o.limits.Cycles, float64(mostCycles))
	}
	if !(o.limits.Memory >= 1 && o.limits.Memory <= mostMegabytes) {
		return fmt.Errorf("--most-memory %g: want 1 to %d", o.limits.Memory, mostMegabytes)
	}
	opt := experiment.Options{
		Seed: o.seed, Workers: o.workers,
		Limits: experiment.Limits{Cycles: o.limits.Cycles, Memory: 1e6 * o.limits.Memory},
	}
	if o.waves.VCD != "" || o.waves.OnFault != "" {
		if o.waves.Recorded < 1 || o.waves.Recorded > mostRecorded {
			return fmt.Errorf("--on-fault-cycles %d: want 1 to %d", o.waves.Recorded, mostRecorded)
		}
		o.waves.Grown = func(bytes int64) {
			fmt.Fprintf(
				cmd.ErrOrStderr(), "%s has grown to %s: --vcd-from, --vcd-to and --vcd-scope make it smaller\n",
				visible(o.waves.VCD), size(bytes),
			)
		}
		opt.Waves = &o.waves
	}
	if o.ways != "" {
		if err := journey.CheckPath(o.ways); err != nil {
			return fmt.Errorf("--journeys %w", err)
		}
		if o.most < 1 || o.most > mostFollowed {
			return fmt.Errorf("--journeys-most %d: want 1 to %d", o.most, mostFollowed)
		}
		opt.Journeys = o.most
	}
	if err := o.checkCheckpoints(&opt); err != nil {
		return err
	}
	if err := o.checkOutputs(); err != nil {
		return err
	}
	opt.Monitor = &o.long.monitor
	end, err := o.long.watch(cmd.Context(), cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer end()
	bar := newProgress(cmd.ErrOrStderr(), 1000, o.of.Info().Name)
	opt.Progress = func(share float64) { bar.at(int(1000*share), 0) }
	out, err := o.of.Run(experiment.WithMemo(cmd.Context()), o.params, opt) // points may share their needs
	bar.finish()
	var stalled *experiment.Stalled
	switch {
	case errors.As(err, &stalled):
		fmt.Fprintf(cmd.OutOrStdout(), "FAILED: %v\n", err)
		return errFailed
	case err != nil && cmd.Context().Err() != nil && out != nil:
		return fmt.Errorf("%w: none of %d points is finished", errInterrupted, out.Asked)
	case err != nil:
		return err
	}
	err = errors.Join(o.print(cmd.OutOrStdout(), out), o.files(out)) // neither keeps the other from being written
	o.showSize(cmd.ErrOrStderr())
	if c := opt.Checkpoints; c != nil && (c.Resume || c.Fork != "") {
		fmt.Fprintf(cmd.ErrOrStderr(), "these are results of a run that went on from a checkpoint of %s\n",
			visible(cmp.Or(c.Fork, c.Dir)))
	}
	switch {
	case out.Interrupted:
		return errors.Join(fmt.Errorf("%w: %d of %d points are finished", errInterrupted, len(out.Points), out.Asked), err)
	case err == nil && len(out.Report.Failed) > 0:
		if o.json { // the text has them
			for _, f := range out.Report.Failed {
				fmt.Fprintf(cmd.ErrOrStderr(), "FAILED: %s\n", f)
			}
		}
		return errFailed
	}
	return err
}

// checkCheckpoints reads the flags of checkpoints.
func (o *experimentRun) checkCheckpoints(opt *experiment.Options) error {
	c := &o.checkpoints
	switch {
	case o.resume != "" && c.Dir != "":
		return errors.New("--checkpoint and --resume name a directory each: want one of them")
	case o.resume != "" && c.Fork != "":
		return errors.New("--resume and --fork both say where to start: want one of them")
	case o.resume != "":
		c.Dir, c.Resume = o.resume, true
	case (o.resume != "" || c.Fork != "") && o.ways != "":
		return errors.New("--journeys follows messages from the start of a run: not with --resume or --fork")
	case (c.Dir != "") != (c.Every > 0):
		return errors.New("--checkpoint and --checkpoint-every go together: a directory, and cycles between two checkpoints")
	case c.Dir == "" && c.Fork == "":
		return nil
	case c.Dir == "":
		opt.Checkpoints = c
		return nil
	}
	if info, err := os.Stat(c.Dir); err != nil || !info.IsDir() {
		return fmt.Errorf("%s: there is no such directory for checkpoints", experiment.Quote(c.Dir))
	}
	opt.Checkpoints = c
	return nil
}

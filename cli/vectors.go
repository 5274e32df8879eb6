package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/input"
	"github.com/goldwire/goldwire/internal/mutation"
	"github.com/goldwire/goldwire/internal/plural"
	"github.com/goldwire/goldwire/vectors"
)

const profileHelp = "random stimulus: legal (as the standard allows, all lengths, long runs), hostile (every kind of " +
	"disorder), or mixed"

const (
	// mostRows bounds a set that is written as it goes: the testbench counts its cycles in 32 bits with a sign.
	mostRows = 1_000_000_000
	// mostHeld bounds rows that are held in memory, some hundred bytes each.
	mostHeld = 10_000_000
)

// vectorsCommand is `goldwire vectors`.
type vectorsCommand struct {
	dir          string
	cycles       int
	seed         uint64
	check        bool
	formats      []string
	cover        bool
	untilCovered bool
	untilKilled  bool
	mutants      int
	proofTime    time.Duration
	late         int
	limitTime    time.Duration
	json         bool
	limit        int
	stream       streamStimulus
	profile      string
	params       []string
	references   references
}

func newVectors(house design.House) *cobra.Command {
	var o vectorsCommand
	cmd := &cobra.Command{
		Use:   "vectors MODULE",
		Short: "Write golden vectors and a self-checking testbench for a module",
		Long: `Run a module under a seeded stimulus and write what its ports show in every cycle: $readmemh files, a CSV
table, a manifest and a self-checking SystemVerilog testbench. The directory's README says how to run it with Icarus
or Verilator alone. With --check, compare the module with a directory written before.

--format adds: vcd (a waveform for Yosys' sim -sim-cmp and for goldwire replay), cocotb (a Python test), verilator (a
C++ harness), wavejson (a picture for WaveDrom, and as SVG), axistream (AXI4-Stream beats as CSV), dpi (the model as a
SystemVerilog module behind DPI-C; make dpi builds its library), or all. Every file is written as the run goes, so
memory does not grow with --cycles, and disk does: some 100 bytes a cycle, a waveform as much again. wavejson shows
the first 16 cycles alone. A simulator's $readmemh holds all rows in memory. An interrupted run leaves nothing.

--cover says which bits of ports and registers the vectors never move, and which states and transitions they leave
out; the manifest has it too. --param sets parameters of the module, which the manifest records and --check reads.
--until-covered makes the run as long as it takes, up to --limit cycles.

--until-killed plants --mutants faults in the module's reference RTL (Yosys' mutate, one bit of one cell each) and
makes rows until each is killed, that is, shown at an output that counts, or proved equal to the reference. First come
rows of the stimulus, at most --cycles, as many as kill any. For each fault that is left yosys-abc looks for a proof,
then for the shortest inputs that show it, --time for each. The manifest says how many were killed of how many; an
open one is named with its reason. docs/mutation.md has figures.

` + referenceHelp,
		Example: `  goldwire vectors pcs/scrambler --dir scrambler --format vcd,cocotb
  goldwire vectors pcs/decoder --until-covered --limit 100000
  goldwire vectors pcs/encoder --until-killed --mutants 500
  goldwire vectors pcs/framer --stream frames.csv --hold enable=1
  goldwire vectors pcs/scrambler --check --dir scrambler
  goldwire vectors pcs/ber_monitor --param limit=16,window=51`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeUnits(house, false),
		RunE: func(cmd *cobra.Command, args []string) error {
			u, err := house.Units().Find(args[0])
			if err != nil {
				return err
			}
			if u, err = u.WithProfile(o.profile); err != nil {
				return fmt.Errorf("--%w", err)
			}
			if f := cmd.Flags(); !o.untilKilled && slices.ContainsFunc(ofKilling, f.Changed) {
				return errors.New("--mutants, --time, --limit-time and --source go with --until-killed")
			} else if f.Changed("limit") && !o.untilKilled && !o.untilCovered {
				return errors.New("--limit goes with --until-covered and --until-killed; the cycles are --cycles")
			}
			if o.dir == "" {
				o.dir = u.Module()
			}
			if o.check && len(o.params) == 0 {
				if u, err = unitOfSet(u, o.dir); err != nil {
					return err
				}
			}
			if u, err = withParams(u, o.params); err != nil {
				return err
			}
			if o.check {
				return checkVectors(cmd, u, o.dir)
			}
			return o.write(cmd, u)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.dir, "dir", "", "directory to write or to check (default: the module's Verilog name)")
	f.IntVar(&o.cycles, "cycles", 4096, "how many cycles (at most 1000000000)")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the stimulus")
	f.BoolVar(&o.check, "check", false, "compare the module with the vectors in the directory")
	f.StringSliceVar(&o.formats, "format", nil, "more forms: vcd, cocotb, verilator, wavejson, axistream, dpi, all")
	f.BoolVar(&o.cover, "cover", false, "print the coverage")
	f.BoolVar(
		&o.untilCovered, "until-covered", false, "take as many cycles as cover all that can be, and print the coverage",
	)
	f.BoolVar(
		&o.untilKilled, "until-killed", false,
		"make rows until each mutant of the reference RTL is killed or proved equal",
	)
	f.IntVar(
		&o.mutants, "mutants", mutation.DefaultMutants,
		fmt.Sprintf("most mutants of --until-killed (at most %d)", mutation.MostMutants),
	)
	f.DurationVar(
		&o.proofTime, "time", mutation.DefaultTime,
		"with --until-killed: end each search for a proof, or for inputs, after this time (at most 24h)",
	)
	f.DurationVar(
		&o.limitTime, "limit-time", 0, "with --until-killed: end all searches after this time (at most 240h; 0: never)",
	)
	f.IntVar(&o.limit, "limit", 1_000_000, "most cycles of --until-covered and --until-killed (at most 1000000000)")
	f.BoolVar(&o.json, "json", false, "print JSON")
	o.references.flags(f)
	o.stream.flags(f)
	f.StringVar(&o.profile, "profile", "mixed", profileHelp)
	f.StringSliceVar(&o.params, "param", nil, paramHelp)
	return cmd
}

// ofKilling are the flags that --until-killed alone has.
var ofKilling = []string{"mutants", "time", "limit-time", "source"}

func (o *vectorsCommand) write(cmd *cobra.Command, u vectors.Unit) error {
	if o.cycles < 1 || o.cycles > mostRows {
		return fmt.Errorf("--cycles %d: want at least 1, at most %d", o.cycles, mostRows)
	}
	formats, err := vectors.ParseFormats(o.formats)
	if err != nil {
		return fmt.Errorf("--format: %w", err)
	}
	report := vectorsReport{Module: u.Name, Settings: u.Settings, Dir: o.dir, Seed: o.seed}
	if o.untilKilled {
		set, err := o.killing(cmd, u)
		if err != nil {
			return err
		}
		if err := vectors.Write(o.dir, set, formats...); err != nil {
			return err
		}
		report.Cycles, report.Coverage, report.Mutants = len(set.Rows), set.Coverage, set.Mutants
		return o.print(cmd.OutOrStdout(), u, &report)
	}
	run := vectors.Run{Unit: u, Cycles: o.cycles, Seed: o.seed}
	switch {
	case o.stream.file != "":
		one, err := vectors.Capture(u, 1, o.seed) // for its fields
		if err != nil {
			return err
		}
		if run.Inputs, run.Cycles, err = o.stream.inputs(cmd.Context(), one.Fields); err != nil {
			return err
		}
	case o.untilCovered:
		if o.limit < 1 || o.limit > mostRows {
			return fmt.Errorf("--limit %d: want at least 1, at most %d", o.limit, mostRows)
		}
		if run.Cycles, _, err = vectors.CyclesToCover(cmd.Context(), u, o.seed, o.limit); err != nil {
			return err
		}
	}
	report.Cycles = run.Cycles
	if report.Coverage, err = vectors.Export(cmd.Context(), o.dir, run, formats...); err != nil {
		return err
	}
	return o.print(cmd.OutOrStdout(), u, &report)
}

// killing makes the rows of --until-killed.
func (o *vectorsCommand) killing(cmd *cobra.Command, u vectors.Unit) (*vectors.Set, error) {
	if err := o.checkKilling(); err != nil {
		return nil, err
	}
	u, kind, err := o.references.of(cmd.Context(), u)
	if err != nil {
		return nil, err
	}
	said := newStages(cmd.ErrOrStderr())
	defer said.finish()
	opt := o.mutation()
	opt.Progress = said.at
	set, err := mutation.Capture(cmd.Context(), u, opt)
	if err != nil {
		return nil, err
	}
	set.Mutants.Reference = kind
	return set, nil
}

// vectorsReport is what --json prints.
type vectorsReport struct {
	Module   string            `json:"module"`
	Settings vectors.Settings  `json:"parameters,omitempty"`
	Dir      string            `json:"directory"`
	Cycles   int               `json:"cycles"`
	Seed     uint64            `json:"seed,string"`
	Coverage *vectors.Coverage `json:"coverage"`
	Mutants  *vectors.Mutants  `json:"mutants,omitempty"`
}

func (o *vectorsCommand) print(out io.Writer, u vectors.Unit, r *vectorsReport) error {
	if o.json {
		return printJSON(out, r)
	}
	fmt.Fprintf(
		out, "%s: %s of %s, seed %d; see %s/README.txt\n", o.dir, plural.Of(r.Cycles, "cycle"), unitAt(u), o.seed, o.dir,
	)
	if o.cover || o.untilCovered {
		printCoverage(out, r.Coverage)
	}
	if m := r.Mutants; m != nil {
		fmt.Fprintf(
			out, "mutants: %d of %d killed, %d proved equal, %d open; %d cycles are added inputs\n", m.Killed, m.Of,
			m.Equal, len(m.Open), m.Directed,
		)
		fmt.Fprintln(out, "reference: "+m.Reference)
		for _, x := range m.Open {
			fmt.Fprintf(out, "  open: %s: %s\n", x.Mutant, x.Reason)
		}
	}
	return nil
}

// unitAt is a unit's name with its parameters.
func unitAt(u vectors.Unit) string {
	told := slices.DeleteFunc(slices.Clone(u.Settings), func(s vectors.Setting) bool {
		return slices.ContainsFunc(
			u.Params, func(p vectors.Param) bool { return p.Open && p.Name == s.Name && p.Default == s.Value },
		)
	})
	if len(told) == 0 {
		return u.Name
	}
	return u.Name + " at " + told.String()
}

// printCoverage lists the missing values, and why some are not asked for.
func printCoverage(w io.Writer, c *vectors.Coverage) {
	fmt.Fprintf(w, "toggles: %d of %d rises and falls\n", c.Toggles.Covered, c.Toggles.Of)
	if c.Resets > 0 {
		fmt.Fprintf(w, "resets: 1 at the start, %d more after the last row\n", c.Resets)
	}
	printList := func(list []string) {
		const most = 20
		for i, m := range list {
			if i == most {
				fmt.Fprintf(w, "  … and %d more, see the manifest\n", len(list)-most)
				return
			}
			fmt.Fprintln(w, "  "+m)
		}
	}
	printList(c.Missing)
	for _, m := range c.Machines {
		fmt.Fprintf(
			w, "state machine %s: %d of %d states, %d of %d transitions\n", m.Probe, m.States.Covered, m.States.Of,
			m.Arcs.Covered, m.Arcs.Of,
		)
		printList(m.Missing)
		for _, u := range m.Undeclared {
			fmt.Fprintln(w, "  not declared: "+u)
		}
	}
	for _, key := range sortedKeys(c.Excluded) {
		fmt.Fprintf(w, "not asked for: %s (%s)\n", key, c.Excluded[key])
	}
}

const paramHelp = "values of the module's parameters, NAME=NUMBER,...: see goldwire list MODULE"

// withParams sets parameters of a unit.
func withParams(u vectors.Unit, list []string) (vectors.Unit, error) {
	u, err := u.WithParams(list...)
	if err != nil {
		return u, fmt.Errorf("--param: %w", err)
	}
	return u, nil
}

// unitOfSet returns the unit at the parameters that a set was made with.
func unitOfSet(u vectors.Unit, dir string) (vectors.Unit, error) {
	settings, err := vectors.ReadSettings(dir)
	if err != nil {
		return u, err
	}
	if len(u.Params) == 0 { // the comparison names the misfit
		return u, nil
	}
	at, err := u.WithSettings(settings)
	if err != nil {
		return u, fmt.Errorf("%s: %w", dir, err)
	}
	return at, nil
}

func checkVectors(cmd *cobra.Command, u vectors.Unit, dir string) error {
	cycles, err := vectors.CompareDir(cmd.Context(), u, dir)
	if mismatch := (*vectors.Mismatch)(nil); errors.As(err, &mismatch) {
		fmt.Fprintln(cmd.OutOrStdout(), mismatch)
		return errFailed
	}
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s agrees with %s for %s\n", unitAt(u), dir, plural.Of(cycles, "cycle"))
	return nil
}

// streamStimulus is AXI4-Stream CSV as a stimulus.
type streamStimulus struct {
	file, port string
	hold       []string
}

type flagSet interface {
	StringVar(p *string, name, value, usage string)
	StringArrayVar(p *[]string, name string, value []string, usage string)
}

func (o *streamStimulus) flags(f flagSet) {
	f.StringVar(&o.file, "stream", "", "take the stimulus from this AXI4-Stream CSV, cycle by cycle")
	f.StringVar(&o.port, "port", "in", "input port that the stream drives")
	f.StringArrayVar(
		&o.hold, "hold", nil, "with --stream: value of another input, NAME=VALUE; others are 0; may be repeated",
	)
}

// inputs returns the stimulus for a unit's fields, row by row, and how many rows there are.
func (o *streamStimulus) inputs(
	ctx context.Context, fields []vectors.Field,
) (next func(row []uint64) bool, rows int, err error) {
	others := map[string]uint64{}
	for _, h := range o.hold {
		name, text, _ := strings.Cut(h, "=")
		v, err := strconv.ParseUint(text, 0, 64)
		if err != nil || name == "" {
			return nil, 0, fmt.Errorf("--hold %q: want NAME=VALUE", h)
		}
		others[name] = v
	}
	f, err := input.OpenContext(ctx, o.file, input.MostTrace)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	beats, err := vectors.ReadAXIStream(o.file, f)
	if err != nil {
		return nil, 0, err
	}
	if next, rows, err = vectors.RowsFromBeats(fields, o.port, beats, others); err != nil {
		return nil, 0, fmt.Errorf("%s: %w", o.file, err)
	}
	return next, rows, nil
}

// set runs the unit on the stream and holds all rows.
func (o *streamStimulus) set(ctx context.Context, u vectors.Unit, seed uint64) (*vectors.Set, error) {
	set, err := vectors.Capture(u, 1, seed) // for its fields
	if err != nil {
		return nil, err
	}
	next, rows, err := o.inputs(ctx, set.Fields)
	if err != nil {
		return nil, err
	}
	if rows > mostHeld {
		return nil, fmt.Errorf("%s: %d cycles, want at most %d", o.file, rows, mostHeld)
	}
	set.Rows = make([][]uint64, rows)
	for k := range set.Rows {
		set.Rows[k] = make([]uint64, len(set.Fields))
		next(set.Rows[k])
	}
	return vectors.Replay(u, set)
}

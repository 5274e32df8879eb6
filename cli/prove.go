package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/formal"
	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/internal/program"
	"github.com/goldwire/goldwire/vectors"
)

// proveCommand is `goldwire prove`.
type proveCommand struct {
	rtl        rtlFlags
	references references
	parameters []string // of the unit, or of the RTL
	simulator  string
	extra      string
	engine     string
	depth      int
	limit      time.Duration
	enough     int
	memory     int64
	out        string
	json       bool
}

func newProve(house design.House) *cobra.Command {
	var o proveCommand
	cmd := &cobra.Command{
		Use:   "prove MODULE --rtl FILE... --top NAME",
		Short: "Prove your RTL equal to a module's reference RTL, or find inputs that show it is not",
		Long: `Put RTL beside the project's own RTL of a module, with the same inputs, and ask Yosys whether an output that
the map compares can ever differ after the reset. Maps are those of goldwire cosim (docs/cosim-map.md). docs/prove.md
says what is proved and what is assumed.

` + referenceHelp + `

` + rtlHelp + `

The answer is one of three. Equal: for all inputs and all time. Different: the inputs that show it are run through
model and RTL in lockstep, printed, and written as golden vectors with a testbench and as a waveform that ends in the
cycle in which they part. Those of an engine are the shortest; if it finds none at once, the module's own stimulus is
tried, and what that shows is shrunk. Bounded: no difference in the first cycles, and nothing known of later ones.

The engines of --engine: sat, the solver in Yosys, by temporal induction; pdr, property directed reachability in
yosys-abc; smt, yosys-smtbmc with z3; auto joins nets of both that stay alike, then asks sat, then pdr, then sat as
deep as --depth and --time allow.

The exit code is 0 if they are proved equal, or if --enough CYCLES are known to be; 1 if they differ, or if less is
known; 2 if something is wrong with what was given.`,
		Example: `  goldwire prove pcs/encoder --rtl encoder.v --top tx_encoder --map encoder.yaml
  goldwire prove pcs/scrambler --rtl rtl/*.v --top scrambler --engine smt --time 10m
  goldwire prove pqueue/ordered_list --rtl list.v --top list --depth 20 --enough 20`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("prove wants a module, see " + program.Name() + " list")
			}
			return nil
		},
		ValidArgsFunction: completeUnits(house, false),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd, house.Units(), args) },
	}
	f := cmd.Flags()
	o.rtl.flags(f)
	o.references.flags(f)
	f.StringArrayVar(
		&o.parameters, "param", nil,
		"values of the module's parameters, NAME=NUMBER,...: see goldwire list MODULE; a name it does not have is "+
			"--rtl-param",
	)
	f.StringVar(&o.simulator, "sim", "icarus", "icarus or verilator: reads the ports, and runs what shows a difference")
	f.StringVar(&o.extra, "extra", "0", "how many cycles the RTL is later than the model, -256 to 256")
	f.StringVar(&o.engine, "engine", string(formal.Auto), "auto, sat, pdr or smt")
	f.IntVar(&o.depth, "depth", formal.DefaultDepth, "most cycles after the reset to look at one by one (at most 100000)")
	f.DurationVar(&o.limit, "time", formal.DefaultTime, "end the search after this time (at most 24h)")
	f.IntVar(
		&o.enough, "enough", 0,
		"exit with 0 if the first N cycles after the reset are known to be equal; 0: only a proof will do",
	)
	f.Int64Var(&o.memory, "memory", cosim.DefaultMemory>>20, "most memory of a program, in MiB (256 to 1048576)")
	f.StringVar(&o.out, "out", "", "directory for what a difference leaves (default: MODULE_prove)")
	f.BoolVar(&o.json, "json", false, "print JSON")
	return cmd
}

// mostProveDepth bounds the cycles that are looked at one by one.
const mostProveDepth = 100_000

// proveReport is what --json prints.
type proveReport struct {
	Module      string            `json:"module"`
	Settings    vectors.Settings  `json:"parameters,omitempty"`
	Top         string            `json:"top"`
	Kind        string            `json:"reference"`
	Verdict     formal.Verdict    `json:"verdict"`
	Engine      formal.Engine     `json:"engine"`
	Induction   int               `json:"induction_steps,omitempty"`
	Equal       int               `json:"equal_cycles,omitempty"`
	Why         string            `json:"why,omitempty"`
	Conditions  []string          `json:"conditions,omitempty"`
	Warnings    []string          `json:"warnings,omitempty"`
	Compared    []string          `json:"compared"`
	Ignored     []string          `json:"ignored,omitempty"`
	Binding     []boundPort       `json:"binding"`
	Divergence  *cosim.Divergence `json:"divergence,omitempty"`
	Unconfirmed string            `json:"unconfirmed,omitempty"`
	Reference   string            `json:"reference_differs_from_model,omitempty"`
	Files       map[string]string `json:"files,omitempty"`
}

// options checks the flags.
func (o *proveCommand) options(
	ctx context.Context, units vectors.Catalogue, args []string, depthGiven bool,
) (opt cosim.Options, how formal.Options, err error) {
	if opt.Unit, err = units.Find(args[0]); err != nil {
		return opt, how, err
	}
	same := cosimCommand{parameters: o.parameters, rtl: o.rtl}
	if opt.Unit, err = same.parametrise(opt.Unit); err != nil {
		return opt, how, err
	}
	opt.Seed = 1 // of registers before the reset, in the lockstep
	if opt.Design, err = same.rtl.design(args[1:]); err != nil {
		return opt, how, err
	}
	opt.Design.Memory = o.memory << 20
	switch {
	case o.depth < 1 || o.depth > mostProveDepth:
		return opt, how, fmt.Errorf("--depth %d: want 1 to %d", o.depth, mostProveDepth)
	case o.limit <= 0 || o.limit > mostTimeout:
		return opt, how, fmt.Errorf("--time %v: want more than 0s, at most %v", o.limit, mostTimeout)
	case o.engine == string(formal.PDR) && depthGiven:
		return opt, how, errors.New("--depth: does nothing beside --engine pdr: it looks at no cycles one by one")
	case o.enough < 0 || o.enough > o.depth:
		return opt, how, fmt.Errorf("--enough %d: want 0 to %d, the --depth", o.enough, o.depth)
	case o.memory < leastMemory || o.memory > mostMemory:
		return opt, how, fmt.Errorf("--memory %d: want %d to %d MiB", o.memory, leastMemory, mostMemory)
	}
	if opt.Design.Simulator, err = cosim.ParseSimulator(o.simulator); err != nil {
		return opt, how, fmt.Errorf("--sim: %w", err)
	}
	how = formal.Options{Depth: o.depth, Time: o.limit}
	if how.Engine, err = formal.ParseEngine(o.engine); err != nil {
		return opt, how, fmt.Errorf("--engine: %w", err)
	}
	if o.rtl.mapFile != "" {
		if opt.Map, err = cosim.ReadMap(ctx, o.rtl.mapFile); err != nil {
			return opt, how, err
		}
	}
	if opt.Extra, err = strconv.Atoi(o.extra); err != nil || opt.Extra < -cosim.MaxExtra || opt.Extra > cosim.MaxExtra {
		return opt, how, fmt.Errorf("--extra %q: want a number of cycles, %d to %d", o.extra, -cosim.MaxExtra, cosim.MaxExtra)
	}
	if o.out == "" {
		o.out = opt.Unit.Module() + "_prove"
	}
	return opt, how, checkDirectory("--out", o.out)
}

func (o *proveCommand) run(cmd *cobra.Command, units vectors.Catalogue, args []string) error {
	opt, how, err := o.options(cmd.Context(), units, args, cmd.Flags().Changed("depth"))
	if err != nil {
		return err
	}
	kind := ""
	if opt.Unit, kind, err = o.references.of(cmd.Context(), opt.Unit); err != nil {
		return err
	}
	if opt.Design.Simulator == cosim.Verilator {
		defer hdl.RemoveRuntime()
	}
	said := newStages(cmd.ErrOrStderr())
	how.Progress = said.at
	p, err := cosim.Prove(cmd.Context(), opt, how)
	said.finish()
	var compile *cosim.CompileError
	var refused *formal.Error
	switch {
	case errors.As(err, &compile):
		fmt.Fprint(cmd.ErrOrStderr(), compile.Output)
	case errors.As(err, &refused):
		fmt.Fprint(cmd.ErrOrStderr(), refused.Output)
	}
	err = showCauses(cmd.ErrOrStderr(), err)
	if err != nil {
		return err
	}
	showNotes(cmd.ErrOrStderr(), p.Notes)
	r := &proveReport{
		Module: opt.Unit.Name, Settings: opt.Unit.Settings, Top: opt.Design.Top, Kind: kind,
		Verdict: p.Answer.Verdict,
		Engine:  p.Answer.Engine, Why: p.Answer.Why, Conditions: p.Conditions, Warnings: p.Warnings,
		Compared: p.Compared, Ignored: p.Ignored,
		Binding: boundPorts(p.Binding), Divergence: p.Divergence, Unconfirmed: p.Unconfirmed,
	}
	out := cmd.OutOrStdout()
	if !o.json {
		printBinding(out, p.Binding)
	}
	good := false
	switch a := p.Answer; a.Verdict {
	case formal.Proved:
		good, r.Induction = true, a.Steps
		if !o.json {
			fmt.Fprintf(out, "%s and %s are equal: proved for all inputs and all cycles after the reset%s (%s; %.1f s)\n",
				r.Module, r.Top, given(p), a.How(), a.Took.Seconds())
			o.printAsserted(out, p)
		}
	case formal.Bounded:
		good, r.Equal = o.enough > 0 && a.Steps >= o.enough, a.Steps
		if !o.json {
			fmt.Fprintf(
				out,
				"%s and %s are equal in the first %d cycles after the reset, whatever the inputs%s; of later ones nothing is "+
					"known (%s; %.1f s)\n",
				r.Module, r.Top, a.Steps, given(p), a.Why, a.Took.Seconds(),
			)
			o.printAsserted(out, p)
		}
	case formal.Refuted:
		if err := o.leave(out, p, r); err != nil {
			return err
		}
	}
	if o.json {
		if err := printJSON(out, r); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(out, "reference: "+kind)
	}
	if !good {
		return errFailed
	}
	return nil
}

// given lists an answer's conditions and doubts, for its own line.
func given(p *cosim.Proof) string {
	text := ""
	if len(p.Conditions) > 0 {
		text = ", given: " + strings.Join(p.Conditions, ", ")
	}
	if len(p.Warnings) > 0 {
		text += ", but the RTL has " + cosim.JoinWarnings(p.Warnings)
	}
	return text
}

// printAsserted says what the answer rests on.
func (o *proveCommand) printAsserted(w io.Writer, p *cosim.Proof) {
	fmt.Fprintf(w, "compared: %d of %d outputs", len(p.Compared), len(p.Compared)+len(p.Ignored))
	if len(p.Ignored) > 0 {
		fmt.Fprintf(w, "; not compared: %s", strings.Join(p.Ignored, ", "))
	}
	fmt.Fprintln(w)
}

// leave prints a difference and writes its files.
func (o *proveCommand) leave(out io.Writer, p *cosim.Proof, r *proveReport) error {
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	set := filepath.Join(o.out, "vectors")
	if err := vectors.Write(set, p.Set); err != nil {
		return err
	}
	r.Files = map[string]string{"vectors": set}
	if p.Reference != nil {
		r.Reference = fmt.Sprintf(
			"cycle %d field %s reference %x model %x", p.Reference.Cycle, p.Reference.Field.Name, p.Reference.Want,
			p.Reference.Got,
		)
	}
	vcd := filepath.Join(o.out, "divergence.vcd")
	var err error
	if p.Divergence != nil {
		err = p.Divergence.WriteVCD(vcd)
	} else {
		vcd = filepath.Join(o.out, "trace.vcd")
		err = p.Answer.Trace.WriteVCD(vcd)
	}
	if err != nil {
		return err
	}
	r.Files["waveform"] = vcd
	if o.json {
		return nil
	}
	short := "no shorter inputs show it"
	if p.Answer.Engine == cosim.Simulation {
		short = "inputs of the module's own stimulus, shrunk"
	}
	fmt.Fprintf(
		out, "%s and %s part (%s; %.1f s); %s, %d cycles from reset, in lockstep:\n", r.Module, r.Top, p.Answer.Engine,
		p.Answer.Took.Seconds(), short, len(p.Set.Rows),
	)
	if p.Divergence != nil {
		p.Divergence.Write(out)
	}
	for _, text := range []string{p.Unconfirmed, r.Reference} {
		if text != "" {
			fmt.Fprintln(out, "note: "+text)
		}
	}
	fmt.Fprintf(out, "waveform: %s\nvectors with a testbench: %s\n", vcd, set)
	return nil
}

// stages shows what a long search does, if a person watches.
type stages struct {
	w     io.Writer
	start time.Time
	shown int // characters
}

func newStages(w io.Writer) *stages {
	s := &stages{start: time.Now()}
	if isTerminal(w) && os.Getenv("TERM") != "dumb" {
		s.w = w
	}
	return s
}

func (s *stages) at(what string) {
	if s.w == nil {
		return
	}
	text := fmt.Sprintf("%5.1f s  %s", time.Since(s.start).Seconds(), what)
	fmt.Fprintf(s.w, "\r%s%s", text, strings.Repeat(" ", max(0, s.shown-len(text))))
	s.shown = len(text)
}

func (s *stages) finish() {
	if s.w != nil && s.shown > 0 {
		fmt.Fprintf(s.w, "\r%s\r", strings.Repeat(" ", s.shown))
	}
}

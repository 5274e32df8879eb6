package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/internal/plural"
	"github.com/goldwire/goldwire/internal/program"
	"github.com/goldwire/goldwire/internal/suggest"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/workload"
)

// cosimCommand is `goldwire cosim`.
type cosimCommand struct {
	rtl        rtlFlags
	parameters []string // of the unit, or of the RTL
	simulator  string
	cycles     int
	seed       uint64
	vectors    string
	pcap       string
	stream     streamStimulus
	profile    string
	extra      string
	dirty      int
	timeout    time.Duration
	build      time.Duration
	memory     int64
	waive      string
	goOn       bool
	out        string
	noShrink   bool
	ports      bool
	json       bool
}

func newCosim(house design.House) *cobra.Command {
	var o cosimCommand
	cmd := &cobra.Command{
		Use:   "cosim MODULE --rtl FILE... --top NAME",
		Short: "Run your RTL in lockstep with a model and find the first wrong cycle",
		Long: `Build RTL with Verilator or Icarus, bind its ports to those of a model, drive both with the same inputs and compare every
output in every cycle.

` + rtlHelp + `

The ports are bound by their names, outputs also by their widths; the binding is printed, and --map overrides it. At the first
difference the cycle, the field, both values and the last inputs are printed, and a waveform with model and RTL side by side is
written. The stimulus is then made as short as can be while it shows the same difference, and written as golden vectors, with a
testbench that needs a simulator only. With --continue the run goes on and lists the differences that are distinct.

The exit code is 0 if RTL and model agree, 1 if they do not or the RTL itself reports an error, 2 if something is wrong with what
was given, or if an output was never compared.

The keys of --map FILE (YAML; docs/cosim-map.md has an example of each; a field may be a slice of one, out_data[7:0]):
  clock: clk           clock port; ~clk: falling edges count; none: combinational RTL
  reset: ~rst_n        reset port; ~: active low; {a, ~b}: several; none: the RTL is left alone before cycle 0
  enable: ce           clock enable, or that of a clock gate: off in a fifth of the cycles, with noise on the inputs; stall: 0.5 for another share (to 0.9)
  ports: {F: EXPR}     what stands for a field, as in Verilog: port, ~port, port[hi:lo], port.member, port[2].member, interface.signal, 4'h0, {a, b}
  interfaces: {P: "axis_if #(.W(64))"}   parameters of an interface at port P, and its modport if the RTL names none
  tie: {PORT: N}       value of an RTL input, or of a part of it, that the model does not have
  without: {F: N}      input of the model that the RTL does not have: cycles in which it has another value are left out
  ignore: [F]          outputs of the model that are not compared
  mask: {F: 0x0f}      bits of an output that are compared
  valid: {F: V}        output F, or all of a port, counts only while output V is 1 (else as the module declares it); always: in every cycle
  extra: {F: N}        how many cycles the RTL is later than the model, for one output; below 0: earlier (-256 to 256)
  skip: N              first cycles, or transfers, that are not compared
  start: N             cycles after its reset in which the RTL stays in a reset of its own; auto: found out
  streams: {P: {ready: R, stall: 0.2, yumi: true}}   handshakes, at least one each way: transfers are compared, not cycles; stall: share of pauses

The waivers of --waive FILE are a YAML list: {field: F, bits: 0xff, model: "??1e", rtl: "????", reason: TEXT}; bits, model and rtl may be
left out. What a waiver passes is counted; waivers that pass nothing are named.`,
		Example: `  goldwire cosim pcs/encoder --rtl encoder.v --top encoder
  goldwire cosim pcs/ber_monitor --rtl monitor.v --top monitor --param limit=16,window=51
  goldwire cosim pcs/scrambler --rtl rtl/*.v --top scrambler --map scrambler.yaml --rtl-param WIDTH=64 --cycles 10000000 --seed 7
  goldwire cosim pcs/encoder -f rtl.f -I rtl/include -D SIMULATION -G WIDTH=64 --top tx_encoder
  goldwire cosim pcs/encoder --rtl encoder.v --top encoder --pcap traffic.pcap
  goldwire cosim pcs/encoder --rtl encoder.v --top encoder --extra auto --sim icarus --cycles 20000
  goldwire cosim pcs/encoder --rtl encoder.v --top encoder --continue --waive known.yaml`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("cosim wants a module, see " + program.Name() + " list")
			}
			return nil
		},
		ValidArgsFunction: completeUnits(house, false),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd, house.Units(), args) },
	}
	f := cmd.Flags()
	o.rtl.flags(f)
	f.StringArrayVar(
		&o.parameters, "param", nil,
		"values of the module's parameters, NAME=NUMBER,...: see goldwire list MODULE; a name it does not have is --rtl-param",
	)
	f.StringVar(&o.simulator, "sim", "verilator", "verilator or icarus")
	f.IntVar(&o.cycles, "cycles", 1_000_000, "how many cycles of the module's own random stimulus (at most 1e15)")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the stimulus, and of the bits that registers have before reset")
	f.StringVar(&o.vectors, "vectors", "", "take the stimulus from a vector set in this directory")
	f.StringVar(&o.pcap, "pcap", "", "take the stimulus from a capture's frames on their way through a PCS")
	o.stream.flags(f)
	f.StringVar(&o.profile, "profile", "mixed", profileHelp)
	f.StringVar(&o.extra, "extra", "0", "how many cycles the RTL is later than the model, -256 to 256; auto to find out")
	f.IntVar(
		&o.dirty, "dirty", cosim.DefaultDirty,
		"cycles of noise before the reset, so that a missed reset shows (Verilator; at most 1000000)",
	)
	f.DurationVar(&o.timeout, "timeout", cosim.DefaultTimeout, "end RTL that does not answer for this time (at most 24h)")
	f.DurationVar(
		&o.build, "build-timeout", cosim.DefaultBuildTimeout,
		"end a simulator that has not built the RTL after this time (at most 24h)",
	)
	f.Int64Var(&o.memory, "memory", cosim.DefaultMemory>>20, "most memory of a simulator, in MiB (256 to 1048576)")
	f.BoolVar(&o.goOn, "continue", false, "go on after a difference and list the distinct ones, with counts")
	f.StringVar(&o.waive, "waive", "", "YAML file of differences that are known, with reasons")
	f.StringVar(&o.out, "out", "", "directory for what a difference leaves (default: MODULE_cosim)")
	f.BoolVar(&o.noShrink, "no-shrink", false, "do not make the stimulus short")
	f.BoolVar(&o.ports, "ports", false, "print how the ports are bound, and stop")
	f.BoolVar(&o.json, "json", false, "print JSON")
	return cmd
}

// cosimReport is what --json prints.
type cosimReport struct {
	Module    string            `json:"module"`
	Settings  vectors.Settings  `json:"parameters,omitempty"`
	Top       string            `json:"top"`
	Simulator string            `json:"simulator"`
	Seed      uint64            `json:"seed"`
	Stimulus  string            `json:"stimulus"`
	Extra     int               `json:"extra"`
	Binding   []boundPort       `json:"binding"`
	Result    *cosim.Result     `json:"result,omitempty"`
	Warnings  []string          `json:"warnings,omitempty"`
	Widths    []string          `json:"width_warnings,omitempty"`
	Opinion   *cosim.Opinion    `json:"second_opinion,omitempty"`
	Shrunk    *cosimShrunk      `json:"shrunk,omitempty"`
	Files     map[string]string `json:"files,omitempty"`

	json bool
}

type boundPort struct {
	Field     string `json:"field"`
	Direction string `json:"direction"`
	Width     int    `json:"width"`
	RTL       string `json:"rtl"`
	How       string `json:"how"`
}

type cosimShrunk struct {
	Cycles     int               `json:"cycles"`
	From       int               `json:"from"`
	Lead       int               `json:"lead,omitempty"` // cycles before them that the map skips
	Runs       int               `json:"runs"`
	Divergence *cosim.Divergence `json:"divergence"`
}

func (o *cosimCommand) run(cmd *cobra.Command, units vectors.Catalogue, args []string) error {
	u, err := units.Find(args[0])
	if err != nil {
		return err
	}
	if u, err = u.WithProfile(o.profile); err != nil {
		return fmt.Errorf("--%w", err)
	}
	if u, err = o.parametrise(u); err != nil {
		return err
	}
	if len(u.Clocks) > 0 && o.extra != "0" {
		return fmt.Errorf("--extra %s: %s has %d clocks, and its rows are instants", o.extra, u.Name, len(u.Clocks))
	}
	opt := cosim.Options{Unit: u, Dirty: o.dirty, Timeout: o.timeout, Seed: o.seed}
	if opt.Design, err = o.rtl.design(args[1:]); err != nil {
		return err
	}
	if err := o.bounds(&opt); err != nil {
		return err
	}
	if opt.Design.Simulator, err = cosim.ParseSimulator(o.simulator); err != nil {
		return fmt.Errorf("--sim: %w", err)
	}
	if opt.Design.Simulator == cosim.Icarus && cmd.Flags().Changed("dirty") {
		return errors.New("--dirty: does nothing beside --sim icarus: its registers are x before the reset")
	}
	if o.rtl.mapFile != "" {
		if opt.Map, err = cosim.ReadMap(cmd.Context(), o.rtl.mapFile); err != nil {
			return err
		}
	}
	if o.waive != "" {
		if opt.Waivers, err = cosim.ReadWaivers(cmd.Context(), o.waive); err != nil {
			return err
		}
	}
	if err := checkDirectory("--out", o.directory(u)); err != nil {
		return err
	}
	if o.extra != "auto" {
		if opt.Extra, err = strconv.Atoi(o.extra); err != nil || opt.Extra < -cosim.MaxExtra || opt.Extra > cosim.MaxExtra {
			return fmt.Errorf("--extra %q: want a number of cycles, %d to %d, or auto", o.extra, -cosim.MaxExtra, cosim.MaxExtra)
		}
	}
	st, what, err := o.stimulus(cmd.Context(), u)
	if err != nil {
		return err
	}
	if err := opt.Design.Simulator.Available(); err != nil {
		if opt.Design.Simulator == cosim.Verilator && cosim.Icarus.Available() == nil {
			err = fmt.Errorf("%w; --sim icarus would do", err)
		}
		return err
	}
	if opt.Design.Simulator == cosim.Verilator {
		defer hdl.RemoveRuntime()
	}
	opt.BindOnly = o.ports
	s, err := cosim.Start(cmd.Context(), opt)
	var compile *cosim.CompileError
	if errors.As(err, &compile) && compile.Output != "" {
		fmt.Fprint(cmd.ErrOrStderr(), compile.Output)
	}
	showCauses(cmd.ErrOrStderr(), err)
	if err != nil {
		return err
	}
	defer s.Close()
	showNotes(cmd.ErrOrStderr(), s.Notes)
	report := &cosimReport{
		json: o.json, Module: u.Name, Settings: u.Settings, Top: o.rtl.top, Simulator: o.simulator, Seed: o.seed,
		Stimulus: what, Binding: boundPorts(s.Binding),
	}
	out := cmd.OutOrStdout()
	if !o.json {
		printBinding(out, s.Binding)
	}
	if o.ports {
		if o.json {
			return printJSON(out, report)
		}
		return nil
	}
	if o.extra == "auto" {
		extra, ok, err := s.FindExtra(cmd.Context(), st)
		if err != nil {
			return err
		}
		if ok {
			if err := s.SetExtra(extra); err != nil {
				return err
			}
			report.Extra = extra
			if !o.json {
				word, by := "later", extra
				if extra < 0 {
					word, by = "earlier", -extra
				}
				fmt.Fprintf(
					out, "the RTL is %s than the model by %d (latency %d, the model's is %d)\n", word, by, u.Latency+extra,
					u.Latency,
				)
			}
		} else if !o.json {
			fmt.Fprintln(out, "no latency found at which RTL and model agree; compared as if they had the same")
		}
	} else {
		report.Extra = opt.Extra
	}
	if opt.Map.Start == "auto" {
		n, found, err := s.FindStart(cmd.Context(), st)
		switch {
		case err != nil:
			return err
		case found && !o.json:
			fmt.Fprintf(out, "the RTL starts %d cycles after its reset\n", n)
		case !o.json:
			fmt.Fprintln(
				out,
				"no start was found within 64 cycles of the reset at which RTL and model agree; compared from the first cycle",
			)
		}
	}
	bar := newProgress(cmd.ErrOrStderr(), max(st.Cycles, len(st.Rows)), "cycles")
	start := time.Now()
	report.Result, err = s.Run(cmd.Context(), st, func(done int) { bar.at(done, uint64(done)) })
	bar.finish()
	var reported *cosim.ReportedError
	if err != nil && !errors.As(err, &reported) {
		return err
	}
	took := time.Since(start)
	for _, line := range report.Result.Messages {
		fmt.Fprintf(cmd.ErrOrStderr(), "RTL: %s\n", line)
	}
	d := report.Result.Divergence
	var doubts string
	if d == nil && reported == nil {
		report.Warnings = s.Warnings(cmd.Context())
		report.Widths = s.Widths()
		if opt.Design.Simulator == cosim.Verilator { // to build for Verilator takes longer than all else under Icarus
			if report.Opinion, err = s.SecondOpinion(cmd.Context(), st); err != nil {
				return err
			}
		}
		if len(report.Warnings) > 0 {
			doubts = ", but the RTL has " + cosim.JoinWarnings(report.Warnings)
		}
	}
	unit := "cycles"
	if len(opt.Map.Streams) > 0 {
		unit = "transfers"
	}
	if o := report.Opinion; o != nil && o.Divergence != nil {
		if err := cosimReportDoubt(out, report, unitAt(u), doubts); err != nil {
			return err
		}
		return errFailed
	}
	if d == nil {
		switch {
		case o.json:
			if err := printJSON(out, report); err != nil {
				return err
			}
		case reported != nil:
			fmt.Fprintf(out, "%s and %s agree in %d %s, but %v\n", u.Name, o.rtl.top, report.Result.Cycles, unit, reported)
		default:
			cycles := report.Result.Cycles
			if l := report.Result.Looks; l != nil {
				cycles += l.Cycles
			}
			held := ""
			for _, c := range s.Binding.Controls() {
				if c.Note == "held on" {
					held = fmt.Sprintf(", with the clock enable %s held on", c.Text)
				}
			}
			fmt.Fprintf(
				out, "%s and %s agree: %d %s, 0 differences%s%s (%s; seed %d; %s; %.2f million a second)\n", unitAt(u),
				o.rtl.top, report.Result.Cycles, unit, held, doubts, what, o.seed, o.simulator,
				float64(cycles)/took.Seconds()/1e6,
			)
			if l := report.Result.Looks; l != nil {
				fmt.Fprintf(out, "looked at %v\n", l)
			}
			printCompared(out, report.Result)
			if n := len(report.Widths); n > 0 {
				fmt.Fprintf(out, "widths differ on both sides at %s of the RTL, the first %s\n", plural.Of(n, "place"),
					report.Widths[0])
			}
		}
		if reported != nil {
			return errFailed
		}
		return nil
	}
	if s.Confirmable(d) {
		if report.Opinion, err = s.SecondOpinion(cmd.Context(), d.UpTo(st)); err != nil {
			return err
		}
	}
	if !o.json {
		fmt.Fprintf(out, "%s and %s part (%s; seed %d; %s):\n", unitAt(u), o.rtl.top, what, o.seed, o.simulator)
		d.Write(out)
		printOpinion(out, report, unit)
		printDifferences(out, report.Result)
		if f := report.Result.Failed; f != "" {
			fmt.Fprintf(out, "not run to its end: %s\n", f)
		}
	}
	if err := o.leave(cmd, s, st, u, report); err != nil {
		return err
	}
	if o.json {
		if err := printJSON(out, report); err != nil {
			return err
		}
	}
	return errFailed
}

// printOpinion says whether the other simulator shows a difference too.
func printOpinion(out io.Writer, r *cosimReport, unit string) {
	switch o := r.Opinion; {
	case o == nil:
	case o.Divergence != nil:
		fmt.Fprintf(out, "%s shows a difference too: %v\n", o.Simulator, o.Divergence)
	case r.Result.Divergence.Unknown != 0:
		fmt.Fprintf(out, "%s, which knows no x, shows no difference in these %d %s\n",
			o.Simulator, o.Cycles, unit)
	case r.Result.Divergence.Transfers:
		fmt.Fprintf(out, "%s, with pauses of its own, shows no difference in %d %s\n", o.Simulator, o.Cycles, unit)
	default:
		fmt.Fprintf(
			out, "%s shows no difference in these %d %s: the simulators disagree on this RTL\n", o.Simulator, o.Cycles,
			unit,
		)
	}
}

// cosimReportDoubt prints that the simulators disagree on RTL that agrees under Verilator.
func cosimReportDoubt(out io.Writer, r *cosimReport, unit, doubts string) error {
	if r.json {
		return printJSON(out, r)
	}
	d := r.Opinion.Divergence
	fmt.Fprintf(
		out, "%s and %s part under %s (%v), and not under %s in %d cycles: the simulators disagree on this RTL%s\n", unit,
		r.Top, r.Opinion.Simulator, d, r.Simulator, r.Result.Cycles, doubts,
	)
	d.Write(out)
	return nil
}

// moreParams is a list of parameters, as units take them.
var moreParams = regexp.MustCompile(`,\s*[a-zA-Z_]\w*=`)

// parametrise returns the unit with the parameters of --param that it has, and of a set of --vectors; other parameters
// are the RTL's.
func (o *cosimCommand) parametrise(u vectors.Unit) (vectors.Unit, error) {
	var own []string
	for _, p := range o.parameters {
		name, _, _ := strings.Cut(p, "=")
		switch {
		case u.HasParam(name):
			own = append(own, strings.Split(p, ",")...)
		case moreParams.MatchString(p):
			return u, fmt.Errorf(
				"--param %s: unit %s has no parameter %s, and of the RTL's each wants a flag of its own", suggest.Quote(p),
				u.Name, suggest.Quote(name),
			)
		default:
			o.rtl.params = append(o.rtl.params, p)
		}
	}
	if o.vectors != "" && len(own) == 0 {
		return unitOfSet(u, o.vectors)
	}
	return withParams(u, own)
}

// directory is where what a difference leaves goes.
func (o *cosimCommand) directory(u vectors.Unit) string {
	if o.out != "" {
		return o.out
	}
	return u.Module() + "_cosim"
}

// leave writes the waveform of a divergence and the short stimulus.
func (o *cosimCommand) leave(
	cmd *cobra.Command, s *cosim.Session, st cosim.Stimulus, u vectors.Unit, report *cosimReport,
) error {
	dir := o.directory(u)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	vcd := filepath.Join(dir, "divergence.vcd")
	if err := report.Result.Divergence.WriteVCD(vcd); err != nil {
		return err
	}
	report.Files = map[string]string{"waveform": vcd}
	if !o.json {
		fmt.Fprintf(out, "waveform of both sides: %s\n", vcd)
	}
	if o.noShrink || !report.Result.Divergence.CanShrink() {
		return nil
	}
	short, err := s.Shrink(cmd.Context(), st, report.Result.Divergence)
	if err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: not shrunk: %v\n", program.Name(), err)
		return nil
	}
	set := filepath.Join(dir, "vectors")
	if err := vectors.Write(set, short.Set); err != nil {
		return err
	}
	report.Files["vectors"] = set
	cycles := len(short.Set.Rows) - short.Lead
	report.Shrunk = &cosimShrunk{cycles, short.From, short.Lead, short.Runs, short.Divergence}
	switch {
	case o.json:
	case short.Divergence.Transfers:
		fmt.Fprintf(out, "\nshrunk from %d to %s of the model in %s, to be seen again with --vectors %s --seed %d\n",
			short.From, plural.Of(cycles, "cycle"), plural.Of(short.Runs, "run"), set, short.Seed)
		short.Divergence.Write(out)
	default:
		lead := ""
		if short.Lead > 0 {
			lead = fmt.Sprintf(" after the %d that the map skips (+skip=%d for the testbench)", short.Lead, short.Lead)
		}
		fmt.Fprintf(
			out, "\nshrunk from %d to %s%s in %s, saved with a testbench: %s\n", short.From, plural.Of(cycles, "cycle"),
			lead, plural.Of(short.Runs, "run"), set,
		)
		short.Divergence.Write(out)
	}
	return nil
}

// stimulus returns the driver of the model, and its name.
func (o *cosimCommand) stimulus(ctx context.Context, u vectors.Unit) (cosim.Stimulus, string, error) {
	given := 0
	for _, s := range []string{o.vectors, o.pcap, o.stream.file} {
		if s != "" {
			given++
		}
	}
	switch {
	case given > 1:
		return cosim.Stimulus{}, "", errors.New("--vectors, --pcap and --stream: want one of them")
	case o.stream.file != "":
		set, err := o.stream.set(ctx, u, o.seed)
		if err != nil {
			return cosim.Stimulus{}, "", err
		}
		return cosim.Stimulus{Rows: set.Rows, Seed: o.seed}, "stream " + o.stream.file, nil
	case o.vectors != "":
		set, err := vectors.Read(o.vectors)
		if err != nil {
			return cosim.Stimulus{}, "", err
		}
		if err := vectors.Compare(u, set); err != nil {
			return cosim.Stimulus{}, "", fmt.Errorf("%s: the model does not agree with the vectors: %w", o.vectors, err)
		}
		return cosim.Stimulus{Rows: set.Rows, Seed: o.seed}, "vectors " + o.vectors, nil
	case o.pcap != "":
		frames, err := workload.ReadPcapFile(o.pcap)
		if err != nil {
			return cosim.Stimulus{}, "", err
		}
		var bytes [][]byte
		for _, f := range frames {
			bytes = append(bytes, f.Bytes)
		}
		if u.FromFrames == nil {
			return cosim.Stimulus{}, "", fmt.Errorf("--pcap: no frames pass through %s", u.Name)
		}
		rows, err := u.FromFrames(bytes)
		if err != nil {
			return cosim.Stimulus{}, "", fmt.Errorf("--pcap: %w", err)
		}
		return cosim.Stimulus{Rows: rows, Seed: o.seed}, fmt.Sprintf("%d frames of %s", len(frames), o.pcap), nil
	}
	what := "random stimulus"
	if u.Profile != vectors.Mixed {
		what = "random " + string(u.Profile) + " stimulus"
	}
	return cosim.Stimulus{Cycles: o.cycles, Seed: o.seed}, what, nil
}

// Bounds of the flags.
const (
	mostCosimCycles = 1_000_000_000_000_000
	mostDirty       = 1_000_000
	mostTimeout     = 24 * time.Hour
	leastMemory     = 256     // MiB
	mostMemory      = 1 << 20 // MiB
)

// bounds checks the numbers that were given.
func (o *cosimCommand) bounds(opt *cosim.Options) error {
	switch {
	case o.cycles < 1 || int64(o.cycles) > mostCosimCycles:
		return fmt.Errorf("--cycles %d: want 1 to %d", o.cycles, int64(mostCosimCycles))
	case o.dirty < 0 || o.dirty > mostDirty:
		return fmt.Errorf("--dirty %d: want 0 to %d", o.dirty, mostDirty)
	case o.timeout <= 0 || o.timeout > mostTimeout:
		return fmt.Errorf("--timeout %v: want more than 0s, at most %v", o.timeout, mostTimeout)
	case o.build <= 0 || o.build > mostTimeout:
		return fmt.Errorf("--build-timeout %v: want more than 0s, at most %v", o.build, mostTimeout)
	case o.memory < leastMemory || o.memory > mostMemory:
		return fmt.Errorf("--memory %d: want %d to %d MiB", o.memory, leastMemory, mostMemory)
	}
	opt.Continue, opt.Design.BuildTimeout, opt.Design.Memory = o.goOn, o.build, o.memory<<20
	return nil
}

// showCauses prints everything that a binding lacks, if there is more than the error's one line.
func showCauses(w io.Writer, err error) {
	var bind *cosim.BindError
	if errors.As(err, &bind) && len(bind.Causes) > 1 {
		for _, line := range bind.Screen() {
			fmt.Fprintln(w, "  "+line)
		}
	}
}

// printCompared says what an agreement rests on.
func printCompared(w io.Writer, r *cosim.Result) {
	var seldom []string
	for _, f := range r.Outputs {
		if f.Count < uint64(r.Cycles) {
			seldom = append(seldom, fmt.Sprintf("%s in %d", f.Field, f.Count))
		}
	}
	fmt.Fprintf(w, "compared: %d of %d outputs", len(r.Outputs), len(r.Outputs)+len(r.Ignored))
	if len(seldom) > 0 {
		fmt.Fprintf(w, ", of them %s", strings.Join(seldom, ", "))
	}
	if len(r.Ignored) > 0 {
		fmt.Fprintf(w, "; not compared: %s", strings.Join(r.Ignored, ", "))
	}
	fmt.Fprintln(w)
	printDifferences(w, r)
}

// printDifferences lists the distinct differences of a run that went on, and the differences that waivers passed.
func printDifferences(w io.Writer, r *cosim.Result) {
	if len(r.Differences) > 0 {
		t := newTable(w)
		t.Style().Format.Header = 0
		t.AppendHeader(table.Row{"count", "field", "bits", "first cycle", "model", "RTL", "waived"})
		for _, d := range r.Differences {
			t.AppendRow(table.Row{d.Count, d.Field, d.Bits, d.Cycle, d.Model, d.RTL, d.Reason})
		}
		fmt.Fprintf(w, "%d distinct differences in %d cycles:\n", len(r.Differences), r.Cycles)
		t.Render()
		if r.MoreKinds > 0 {
			fmt.Fprintf(w, "and %d differences of other kinds\n", r.MoreKinds)
		}
	}
	if r.Waived > 0 {
		fmt.Fprintf(w, "waived: %d differences\n", r.Waived)
	}
	for _, u := range r.UnusedWaivers {
		fmt.Fprintf(w, "unused waiver: %s\n", u)
	}
}

func boundPorts(b *cosim.Binding) []boundPort {
	var list []boundPort
	for _, f := range b.Fields {
		list = append(list, boundPort{f.Name, f.Dir.String(), f.Width, f.Text, f.How})
	}
	return list
}

func printBinding(w io.Writer, b *cosim.Binding) {
	t := newTable(w)
	t.AppendHeader(table.Row{"Model", "", "Bits", "RTL", "Bound by"})
	for _, c := range b.Controls() {
		t.AppendRow(table.Row{c.Role, "in", 1, c.Text, c.Note})
	}
	for _, f := range b.Fields {
		arrow := "in"
		if f.Dir == rtl.Output {
			arrow = "out"
		}
		text := f.Text
		if mask, value := f.Held(); mask != 0 {
			text = strings.TrimSpace(fmt.Sprintf("%s held at %#x", text, value))
		}
		if mask := f.Compared(); f.Dir == rtl.Output && mask != 0 && mask != ^uint64(0)>>(64-f.Width) {
			text += fmt.Sprintf(" & %#x", mask)
		}
		t.AppendRow(table.Row{f.Name, arrow, f.Width, text, f.How})
	}
	t.Render()
	fmt.Fprintln(w)
}

package cli

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/internal/plural"
	"github.com/goldwire/goldwire/internal/program"
	"github.com/goldwire/goldwire/vectors"
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
	fcs        bool // of the capture is checked
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
		Long: `Build RTL with Verilator or Icarus, bind its ports to those of a model, drive both with the same inputs and
compare every output in every cycle.

` + rtlHelp + `

The ports are bound by their names, outputs also by their widths; the binding is printed, and --map overrides it. At
the first difference the cycle, the field, both values and the last inputs are printed, and a waveform with model and
RTL side by side is written. The stimulus is then made as short as can be while it shows the same difference, and
written as golden vectors, with a testbench that needs a simulator only. With --continue the run goes on and lists the
differences that are distinct.

The exit code is 0 if RTL and model agree, 1 if they do not or the RTL itself reports an error, 2 if something is
wrong with what was given, or if an output was never compared.

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
  holds: N             transfers that the RTL is meant to hold at once, as the words of a FIFO: another number is a difference
  streams: {P: {ready: R, stall: 0.2, yumi: true}}   handshakes, at least one each way: transfers are compared, not cycles; stall: share of pauses; latency: 1: the data of a stream out come an edge after they are taken

The waivers of --waive FILE are a YAML list: {field: F, bits: 0xff, model: "??1e", rtl: "????", reason: TEXT}; bits,
model and rtl may be left out. What a waiver passes is counted; waivers that pass nothing are named.`,
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
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd, house.Emitted(), args) },
	}
	f := cmd.Flags()
	o.rtl.flags(f)
	f.StringArrayVar(
		&o.parameters, "param", nil,
		"values of the module's parameters, NAME=NUMBER,...: see goldwire list MODULE; a name it does not have is "+
			"--rtl-param",
	)
	f.StringVar(&o.simulator, "sim", "verilator", "verilator or icarus")
	f.IntVar(&o.cycles, "cycles", 1_000_000, "how many cycles of the module's own random stimulus (at most 1e15)")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the stimulus, and of the bits that registers have before reset")
	f.StringVar(&o.vectors, "vectors", "", "take the stimulus from a vector set in this directory")
	f.StringVar(&o.pcap, "pcap", "", "take the stimulus from a capture's frames on their way through a PCS")
	f.BoolVar(
		&o.fcs, "check-fcs", false,
		"refuse the capture where a frame's FCS is wrong or missing; else an FCS is taken off",
	)
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
	err = showCauses(cmd.ErrOrStderr(), err)
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
			fmt.Fprintf(out,
				"no start found: RTL and model part at every start up to %d cycles after the reset (under %s); "+
					"compared from the first\n",
				s.Farthest(), opt.Design.Simulator)
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
		if opt.Design.Simulator == cosim.Verilator { // to build for Verilator takes longer than all else under Icarus
			if report.Opinion, err = s.SecondOpinion(cmd.Context(), st); err != nil {
				return err
			}
		}
		report.Warnings = s.Warnings(cmd.Context())
		report.Widths = s.Widths()
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
		wrong := report.Result.Held != nil && report.Result.Held.Wrong
		switch {
		case o.json:
			if err := printJSON(out, report); err != nil {
				return err
			}
		case wrong:
			fmt.Fprintf(out, "%s and %s agree in %d %s and part in how many the RTL holds: %v\n", unitAt(u), o.rtl.top,
				report.Result.Cycles, unit, report.Result.Held)
			printCompared(out, report.Result)
		case reported != nil:
			fmt.Fprintf(out, "%s and %s agree in %d %s, but %v\n", u.Name, o.rtl.top, report.Result.Cycles, unit, reported)
		default:
			cycles := report.Result.Cycles
			if l := report.Result.Looks; l != nil {
				cycles += l.Cycles
			}
			held, streams := "", ""
			if len(opt.Map.Streams) > 0 {
				streams = " as streams"
			}
			switch h := report.Result.Held; {
			case h == nil:
			case h.Wanted > 0:
				held = fmt.Sprintf(", and the RTL holds %d, as the map says", h.RTL)
			case h.Differ:
				held = fmt.Sprintf(", but %v", h)
			}
			for _, c := range s.Binding.Controls() {
				if c.Note == "held on" {
					held += fmt.Sprintf(", with the clock enable %s held on", c.Text)
				}
			}
			fmt.Fprintf(
				out, "%s and %s agree%s: %d %s, 0 differences%s%s (%s; seed %d; %s; %.2f million a second)\n", unitAt(u),
				o.rtl.top, streams, report.Result.Cycles, unit, held, doubts, what, o.seed, o.simulator,
				float64(cycles)/took.Seconds()/1e6,
			)
			if l := report.Result.Looks; l != nil {
				fmt.Fprintf(out, "looked at %v\n", l)
			}
			if h := report.Result.Held; h != nil && (!h.Differ || h.Wanted > 0) {
				fmt.Fprintf(out, "filled until it took no more: %v\n", h)
			}
			printCompared(out, report.Result)
			if n := len(report.Widths); n > 0 {
				fmt.Fprintf(out, "widths differ on both sides at %s of the RTL, the first %s\n", plural.Of(n, "place"),
					report.Widths[0])
			}
		}
		if reported != nil || wrong {
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

// Bounds of the flags.
const (
	mostCosimCycles = 1_000_000_000_000_000
	mostDirty       = 1_000_000
	mostTimeout     = 24 * time.Hour
	leastMemory     = 256     // MiB
	mostMemory      = 1 << 20 // MiB
)

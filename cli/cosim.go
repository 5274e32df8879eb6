package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/design"
	"github.com/goldwire/goldwire/hdl"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
	"github.com/goldwire/goldwire/workload"
)

// cosimCommand is `goldwire cosim`.
type cosimCommand struct {
	rtl        []string
	top        string
	mapFile    string
	parameters []string
	simulator  string
	cycles     int
	seed       uint64
	vectors    string
	pcap       string
	stream     streamStimulus
	extra      string
	dirty      int
	timeout    time.Duration
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

The ports are bound by their names and widths; the binding is printed, and --map overrides it. At the first difference the
cycle, the field, both values and the last inputs are printed, and a waveform with model and RTL side by side is written.
The stimulus is then made as short as can be and written as golden vectors, with a testbench that needs a simulator only.

The exit code is 0 if RTL and model agree, 1 if they do not, 2 if something is wrong with what was given.`,
		Example: `  goldwire cosim pcs/encoder --rtl encoder.v --top encoder
  goldwire cosim pcs/scrambler --rtl rtl/*.v --top scrambler --map scrambler.yaml --param WIDTH=64 --cycles 10000000 --seed 7
  goldwire cosim pcs/encoder --rtl encoder.v --top encoder --pcap traffic.pcap
  goldwire cosim pcs/encoder --rtl encoder.v --top encoder --extra auto --sim icarus --cycles 20000`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("cosim wants a module, see goldwire list")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, house.Units(), args) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.rtl, "rtl", nil, "Verilog file; may be repeated, or followed by more files")
	f.StringVar(&o.top, "top", "", "the RTL's top module")
	f.StringVar(&o.mapFile, "map", "", "YAML file that says how ports stand for fields where their names do not")
	f.StringArrayVar(&o.parameters, "param", nil, "parameter of the top module, NAME=VALUE; may be repeated")
	f.StringVar(&o.simulator, "sim", "verilator", "verilator or icarus")
	f.IntVar(&o.cycles, "cycles", 1_000_000, "how many cycles of the module's own random stimulus")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the stimulus, and of the bits that registers have before reset")
	f.StringVar(&o.vectors, "vectors", "", "take the stimulus from a vector set in this directory")
	f.StringVar(&o.pcap, "pcap", "", "take the stimulus from a capture's frames on their way through a PCS")
	o.stream.flags(f)
	f.StringVar(&o.extra, "extra", "0", "cycles by which the RTL is later than the model; auto to find out")
	f.IntVar(&o.dirty, "dirty", cosim.DefaultDirty, "cycles of noise before the reset, so that a missed reset shows (Verilator)")
	f.DurationVar(&o.timeout, "timeout", cosim.DefaultTimeout, "end RTL that does not answer for so long")
	f.StringVar(&o.out, "out", "", "directory for what a difference leaves (default: MODULE_cosim)")
	f.BoolVar(&o.noShrink, "no-shrink", false, "do not make the stimulus short")
	f.BoolVar(&o.ports, "ports", false, "print how the ports are bound, and stop")
	f.BoolVar(&o.json, "json", false, "print JSON")
	return cmd
}

// cosimReport is what --json prints.
type cosimReport struct {
	Module    string            `json:"module"`
	Top       string            `json:"top"`
	Simulator string            `json:"simulator"`
	Seed      uint64            `json:"seed"`
	Stimulus  string            `json:"stimulus"`
	Extra     int               `json:"extra"`
	Binding   []boundPort       `json:"binding"`
	Result    *cosim.Result     `json:"result,omitempty"`
	Shrunk    *cosimShrunk      `json:"shrunk,omitempty"`
	Files     map[string]string `json:"files,omitempty"`
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
	Runs       int               `json:"runs"`
	Divergence *cosim.Divergence `json:"divergence"`
}

func (o *cosimCommand) run(cmd *cobra.Command, units vectors.Catalogue, args []string) error {
	u, err := units.Find(args[0])
	if err != nil {
		return err
	}
	opt := cosim.Options{Unit: u, Dirty: o.dirty, Timeout: o.timeout, Seed: o.seed}
	opt.Design = cosim.Design{Sources: append(o.rtl, args[1:]...), Top: o.top} // a shell expands --rtl *.v to one flag and more arguments
	if len(o.rtl) == 0 {
		return errors.New("--rtl: want at least one Verilog file")
	}
	if o.top == "" {
		return errors.New("--top: want the name of the RTL's top module")
	}
	if o.dirty < 0 || o.timeout <= 0 {
		return fmt.Errorf("--dirty %d, --timeout %v: want at least 0 and more than 0", o.dirty, o.timeout)
	}
	if opt.Design.Simulator, err = cosim.ParseSimulator(o.simulator); err != nil {
		return fmt.Errorf("--sim: %w", err)
	}
	for _, p := range o.parameters {
		parameter, err := cosim.ParseParameter(p)
		if err != nil {
			return fmt.Errorf("--param: %w", err)
		}
		opt.Design.Parameters = append(opt.Design.Parameters, parameter)
	}
	if o.mapFile != "" {
		if opt.Map, err = cosim.ReadMap(o.mapFile); err != nil {
			return err
		}
	}
	if o.extra != "auto" {
		if _, err := fmt.Sscanf(o.extra, "%d", &opt.Extra); err != nil {
			return fmt.Errorf("--extra %q: want a number of cycles, or auto", o.extra)
		}
	}
	st, what, err := o.stimulus(u)
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
	s, err := cosim.Start(cmd.Context(), opt)
	var compile *cosim.CompileError
	if errors.As(err, &compile) && compile.Output != "" {
		fmt.Fprint(cmd.ErrOrStderr(), compile.Output)
	}
	if err != nil {
		return err
	}
	defer s.Close()
	report := &cosimReport{Module: u.Name, Top: o.top, Simulator: o.simulator, Seed: o.seed, Stimulus: what, Binding: boundPorts(s.Binding)}
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
				fmt.Fprintf(out, "the RTL is later than the model by %d (latency %d, the model's is %d)\n", extra, u.Latency+extra, u.Latency)
			}
		} else if !o.json {
			fmt.Fprintln(out, "no latency found at which RTL and model agree; compared as if they had the same")
		}
	} else {
		report.Extra = opt.Extra
	}
	bar := newProgress(cmd.ErrOrStderr(), max(st.Cycles, len(st.Rows)), "cycles")
	start := time.Now()
	report.Result, err = s.Run(cmd.Context(), st, func(done int) { bar.at(done, uint64(done)) })
	bar.finish()
	if err != nil {
		return err
	}
	took := time.Since(start)
	d := report.Result.Divergence
	if d == nil {
		if o.json {
			return printJSON(out, report)
		}
		unit := "cycles"
		if len(opt.Map.Streams) > 0 {
			unit = "transfers"
		}
		fmt.Fprintf(out, "%s and %s agree: %d %s, 0 differences (%s; seed %d; %s; %.2f million a second)\n", u.Name, o.top,
			report.Result.Cycles, unit, what, o.seed, o.simulator, float64(report.Result.Cycles)/took.Seconds()/1e6)
		return nil
	}
	if !o.json {
		fmt.Fprintf(out, "%s and %s part (%s; seed %d; %s):\n", u.Name, o.top, what, o.seed, o.simulator)
		d.Write(out)
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

// leave writes the waveform of a divergence and the short stimulus.
func (o *cosimCommand) leave(cmd *cobra.Command, s *cosim.Session, st cosim.Stimulus, u vectors.Unit, report *cosimReport) error {
	dir := o.out
	if dir == "" {
		dir = u.Module() + "_cosim"
	}
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
		fmt.Fprintf(cmd.ErrOrStderr(), "goldwire: not shrunk: %v\n", err)
		return nil
	}
	set := filepath.Join(dir, "vectors")
	if err := vectors.Write(set, short.Set); err != nil {
		return err
	}
	report.Files["vectors"] = set
	report.Shrunk = &cosimShrunk{len(short.Set.Rows), short.From, short.Runs, short.Divergence}
	if !o.json {
		fmt.Fprintf(out, "\nshrunk from %d to %d cycles in %d runs, saved with a testbench: %s\n", short.From, len(short.Set.Rows), short.Runs, set)
		short.Divergence.Write(out)
	}
	return nil
}

// stimulus returns what drives the model, and what to call it.
func (o *cosimCommand) stimulus(u vectors.Unit) (cosim.Stimulus, string, error) {
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
		set, err := o.stream.set(u, o.seed)
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
	case o.cycles < 1:
		return cosim.Stimulus{}, "", fmt.Errorf("--cycles %d: want at least 1", o.cycles)
	}
	return cosim.Stimulus{Cycles: o.cycles, Seed: o.seed}, "random stimulus", nil
}

func boundPorts(b *cosim.Binding) []boundPort {
	var list []boundPort
	for _, f := range b.Fields {
		list = append(list, boundPort{f.Name, f.Dir.String(), f.Width, f.Text, f.How})
	}
	return list
}

func printBinding(w io.Writer, b *cosim.Binding) {
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetStyle(table.StyleLight)
	t.Style().Options = table.OptionsNoBordersAndSeparators
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
		if f.How == "held" {
			text = fmt.Sprintf("held at %d", f.Held)
		}
		t.AppendRow(table.Row{f.Name, arrow, f.Width, text, f.How})
	}
	t.Render()
	fmt.Fprintln(w)
}

package study

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/compile"
	"github.com/goldwire/goldwire/designs/drmt/p4"
	"github.com/goldwire/goldwire/designs/drmt/schedule"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/experiment/plots"
	"github.com/goldwire/goldwire/internal/input"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/workload"
)

// ProgramSource says where a program is.
type ProgramSource struct {
	Program string `flag:"program" choices:"acl_tunnel,classifier,l2l3,rewriter" help:"one of the programs that come with the tool" json:"program"`
	JSON    string `flag:"bmv2" file:"in" help:"another program: BMv2 JSON as p4c-bm2-ss writes it, or P4 source, where p4c-bm2-ss is installed" json:"bmv2"`
}

// read parses it.
func (q ProgramSource) read() (*p4.Program, error) {
	if q.JSON == "" {
		return p4.Load(q.Program)
	}
	f, err := openProgram(q.JSON)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, err := p4.ParseBMv2(q.JSON, f)
	if err != nil {
		return nil, err
	}
	p.Name = filepath.Base(q.JSON) // in results, which no folder changes
	return p, nil
}

// ProgramParams are the parameters that choose the program and its machine.
type ProgramParams struct {
	ProgramSource
	Entries string `flag:"entries" file:"in" help:"the tables' contents: commands of simple_switch_CLI, a line each, or, if the name ends in .json, the JSON that controllers of the P4 tutorials take for P4Runtime; random ones without it" json:"entries"`
	Fill    int    `flag:"fill" min:"0" max:"4096" help:"random entries in each table, if there is no file" json:"fill"`
}

// load reads program and contents. Random contents follow from the seed.
func (q ProgramParams) load(seed uint64) (Program, error) {
	p := Program{Source: q.ProgramSource}
	var err error
	if p.P4, err = q.read(); err != nil {
		return p, err
	}
	if q.Entries == "" {
		setup := RandomSetup(p.P4, q.Fill, seed)
		return p, p.control(setup)
	}
	f, err := input.Open(q.Entries, input.MostText)
	if err != nil {
		return p, err
	}
	defer f.Close()
	read := p4.ReadConfiguration
	if strings.HasSuffix(q.Entries, ".json") {
		read = p4.ReadRuntime
	}
	setup, err := read(q.Entries, f, p.P4)
	if err != nil {
		return p, err
	}
	return p, p.control(setup)
}

// control takes what a control plane sets.
func (p *Program) control(setup p4.Configuration) error {
	p.Setup = &setup
	opt, err := p.options()
	p.Entries, p.Defaults = opt.Entries, opt.Defaults
	return err
}

// The values of --machine.
const (
	onDRMT        = "drmt"
	onRMT         = "rmt"
	onInterpreter = "interpreter"
)

// runParams are the parameters of the experiment program.
type runParams struct {
	ProgramParams
	Machine string `flag:"machine" choices:"drmt,rmt,interpreter" help:"processors around a crossbar, a pipeline of stages, or no hardware: the interpreter that the machines are compared with" json:"machine"`
	IPC     int    `flag:"ipc" choices:"1,2" help:"packets that may start matches, and actions, in a cycle of a dRMT processor; a program without a period at 1 takes 2" json:"ipc"`
	Units   int    `flag:"processors" min:"0" max:"64" help:"processors, or stages; 0: as many as a packet a cycle needs" json:"processors"`
	// Schedule passes the same validator as a schedule that is found.
	Schedule string `flag:"schedule" file:"in" help:"run dRMT on this schedule, as the experiment schedule writes it with --out, instead of searching one" json:"schedule"`
	Packets  int    `flag:"packets" min:"1" max:"100000000" help:"packets to send" json:"packets"`
	Capture  string `flag:"pcap" file:"in" help:"send the frames of this capture, over and over, instead of generated packets" json:"pcap"`
	FCS      bool   `flag:"check-fcs" help:"refuse the capture where a frame's FCS is wrong or missing; else an FCS is taken off" json:"check_fcs"`
	In       string `flag:"in" file:"in" help:"send these packets, a line in INDEX PORT BYTES each, once, instead of generated ones" json:"in"`
	Out      string `flag:"out" file:"out" help:"the packets that leave: pcapng, an interface a port, if the name ends in .pcapng; else lines in INDEX PORT BYTES, each followed by its out PORT BYTES" json:"out"`
	Strict   bool   `flag:"strict" help:"strict mode: random order of modules, widths checked" json:"strict"`
}

// runPoint is one run.
type runPoint runParams

// RunResult is what a run showed.
type RunResult struct {
	Outcome
	Units          int // processors or stages in hardware
	IPC            int // of dRMT's schedule
	Needed         int // the period, or the program's stages: what a packet a cycle needs
	Length         int // of the schedule; 0 for RMT
	ALUs, Segments []int
	Blocks         []drmt.Blocks // memory by cluster or stage
	Scratch        []int         // results that wait, by cycle of the period
	Pads           int           // entries of the scratch pad that the tables have
	Fields         [3]int
	Pointers       int
	Sent           uint64   `json:",omitempty"` // by the interpreter alone, with copies
	came, left     []packet // to be written
}

func runProgram(ctx context.Context, run *experiment.Run, q runPoint) (RunResult, error) {
	p, err := q.load(run.Seed)
	if err != nil {
		return RunResult{}, err
	}
	sim := rtl.Config{}
	if q.Strict {
		sim = rtl.Config{Mode: rtl.Strict, Seed: run.Seed}
	}
	source, err := packets(p, &q, run.Seed)
	if err != nil {
		return RunResult{}, err
	}
	if q.Out != "" {
		if q.Packets > mostPackets {
			return RunResult{}, fmt.Errorf("--out keeps up to %d packets, not %d", mostPackets, q.Packets)
		}
		p.keep = &kept{}
	}
	if q.Machine == onInterpreter {
		if err := run.Expect(float64(q.Packets), 0); err != nil {
			return RunResult{}, err
		}
		r, err := interpret(ctx, run, p, &q, source())
		r.came, r.left = p.keep.packets()
		return r, err
	}
	if q.Machine == onRMT {
		if q.Schedule != "" {
			return RunResult{}, errors.New("--schedule is for dRMT: RMT's compiler places operations in stages itself")
		}
		opt, err := p.options()
		if err != nil {
			return RunResult{}, err
		}
		c, err := compile.RMT(p.P4, nil, opt)
		if err != nil {
			return RunResult{}, fmt.Errorf("%w"+withoutHardware, err)
		}
		r := RunResult{Units: q.Units, Needed: len(c.Image.Stages), ALUs: c.ALUs, Segments: c.Segments, Blocks: c.Memory}
		if r.Units == 0 {
			r.Units = r.Needed
		}
		if err := q.expect(run, r.Units, r.Needed); err != nil {
			return r, err
		}
		r.Outcome, err = RunPipeline(ctx, p, c, r.Units, q.Packets, source, sim, run)
		r.came, r.left = p.keep.packets()
		return r, err
	}
	s, c, err := build(ctx, p, q, run.Seed)
	if err != nil {
		return RunResult{}, err
	}
	r := RunResult{
		Units: q.Units, IPC: s.Limits.IPC, Needed: s.Period, Length: s.Length(), ALUs: c.ALUs, Segments: c.Segments,
		Blocks: c.Memory, Pads: c.Scratch, Fields: c.Fields, Pointers: c.Pointers,
	}
	for _, u := range s.Usage() {
		r.Scratch = append(r.Scratch, u.ScratchPad)
	}
	most, _ := c.Pace()
	switch {
	case r.Units == 0:
		r.Units = most
	case r.Units > most:
		return r, fmt.Errorf(
			"%s: registers are read and written %d cycles apart, so that %d processors at most can work on them without a "+
				"packet "+
				"between another's accesses",
			p.P4.Name,
			c.Spacing,
			most,
		)
	}
	if err := q.expect(run, r.Units, r.Needed); err != nil {
		return r, err
	}
	r.Outcome, err = RunSwitch(ctx, p, c, r.Units, q.Packets, source, sim, run)
	r.came, r.left = p.keep.packets()
	return r, err
}

// expect tells what the packets take: where there are fewer units than a packet a cycle needs, each takes longer.
func (q *runPoint) expect(run *experiment.Run, units, needed int) error {
	const machineMemory = 100e6
	return run.Expect(float64(q.Packets)*max(1, float64(needed)/float64(units)), machineMemory)
}

// build compiles a program on the schedule of a file, or on one that is found.
func build(ctx context.Context, p Program, q runPoint, seed uint64) (*schedule.Schedule, *compile.Result, error) {
	if q.Schedule == "" {
		s, c, err := BuildSpaced(ctx, p, q.IPC, seed)
		if q.IPC == 1 && (errors.Is(err, schedule.ErrLongest) || errors.Is(err, compile.ErrPeriod)) {
			s, c, err = BuildSpaced(ctx, p, drmt.MaxIPC, seed)
		}
		if err != nil && ctx.Err() == nil {
			err = fmt.Errorf("%w"+withoutHardware, err)
		}
		return s, c, err
	}
	opt, err := p.options()
	if err != nil {
		return nil, nil, err
	}
	g, err := compile.Graph(p.P4, opt)
	if err != nil {
		return nil, nil, err
	}
	f, err := input.Open(q.Schedule, input.MostText)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	s, err := schedule.Read(q.Schedule, f, g, schedule.DRMT(q.IPC))
	if err != nil {
		return nil, nil, err
	}
	c, err := compile.DRMT(p.P4, s, opt)
	return s, c, err
}

// packets returns a function that makes the same packets each time it is called.
func packets(p Program, q *runPoint, seed uint64) (func() Source, error) {
	if q.In != "" {
		list, err := readPackets(q.In)
		if err != nil {
			return nil, err
		}
		q.Packets = len(list)
		return func() Source { return &lines{packets: list} }, nil
	}
	if q.Capture == "" {
		return func() Source { return NewTraffic(p.P4, p.Entries, q.Packets, seed) }, nil
	}
	frames, err := workload.ReadPcapFile(q.Capture, workload.FCSCheck(q.FCS))
	if err != nil {
		return nil, err
	}
	return func() Source { return &replay{frames: frames, left: q.Packets} }, nil
}

// replay sends the frames of a capture over and over, on port 0.
type replay struct {
	frames []workload.Frame `state:"none"` // as built
	at     int
	left   int
}

// Next implements drmt.Source.
func (r *replay) Next() ([]byte, uint16, bool) {
	if r.left == 0 {
		return nil, 0, false
	}
	r.left--
	f := r.frames[r.at].Bytes
	if r.at++; r.at == len(r.frames) {
		r.at = 0
	}
	return f, 0, true
}

// RunExperiment runs one program on one machine.
var RunExperiment = experiment.Define(experiment.Spec[runParams, runPoint, RunResult]{
	Name: "program", Waves: true, Journeys: true, Checkpoints: true,
	Short: "A P4 program on dRMT's or RMT's hardware, packet by packet", Source: "dRMT §5",
	Long: "The program is scheduled and compiled, its packets run through the machine cycle by cycle, and each one that " +
		"leaves is compared with the interpreter's. --machine interpreter runs it as simple_switch does, without hardware, " +
		"for programs that the hardware has no room for. Latency and throughput are counted between edges; a fault is " +
		"contention in a crossbar, a result that does not come in its cycle, or a packet out of order. --journeys " +
		"follows packets from the edge that takes them into a processor or stage; with --packets 1 it shows the packet's " +
		"keys and results.",
	Examples: []string{
		"program --program l2l3", "program --program rewriter --machine rmt --processors 4",
		"program --packets 20 --vcd program.vcd",
		"program --bmv2 my.json --entries my.cli --in packets.txt --out left.txt --machine interpreter",
	},
	Defaults: runParams{
		ProgramParams: ProgramParams{ProgramSource: ProgramSource{Program: "l2l3"}, Fill: 24}, Machine: onDRMT, IPC: 1,
		Packets: 10_000,
	},
	Check: func(p *runParams) error {
		if p.FCS && (p.Capture == "" || p.In != "") {
			return errors.New("--check-fcs says how a capture is read: want --pcap with it, and no --in")
		}
		if p.Machine == onInterpreter {
			return checkInterpreted(p)
		}
		return nil
	},
	Points: func(p *runParams, seed uint64) ([]experiment.Point[runPoint], error) {
		return experiment.One(runPoint(*p), seed), nil
	},
	Run:    runProgram,
	Report: reportProgram,
})

func reportProgram(p *runParams, done []experiment.Result[runPoint, RunResult]) (*experiment.Report, error) {
	r := &experiment.Report{}
	for _, d := range done {
		v := d.Value
		r.File(p.Out, func(w io.Writer) error { return writePackets(w, p.Out, v.came, v.left) })
		if p.Machine == onInterpreter {
			r.Table(reportInterpreted(&v))
			continue
		}
		unit, needed := "processors", "period"
		if p.Machine == onRMT {
			unit, needed = "stages", "stages of the program"
		}
		t := &experiment.Table{Name: "program", Columns: experiment.Columns("", "", "Value", "")}
		t.Row(unit, v.Units)
		t.Row(needed, v.Needed)
		if v.IPC > p.IPC {
			t.Row(fmt.Sprintf("IPC, without a period at %d", p.IPC), v.IPC)
		}
		if v.Length > 0 {
			t.Row("schedule's length, cycles", v.Length)
		}
		t.Row("packets compared, all equal to the interpreter's", v.Compared)
		t.Row("  dropped by the program", v.Dropped)
		t.Row("  cut short: the parser ended with an error", v.Short)
		t.Row("table hits", v.Hits)
		t.Row("latency between edges, cycles", fmt.Sprintf("%d to %d", v.MinLatency, v.MaxLatency))
		t.Row("latency at 1.2 GHz, ns", fmt.Sprintf("%.1f", float64(v.MaxLatency)/1.2))
		t.Row("throughput, packets a cycle", fmt.Sprintf("%.4f", v.Throughput))
		if p.Machine == onDRMT {
			t.Row("threads of a processor in use at once", v.Threads)
			t.Row("results in its scratch pad at once", fmt.Sprintf("%d (%d entries laid out)", v.MaxScratch, v.Pads))
			t.Row("fields of 8, 16, 32 bits in use", fmt.Sprint(v.Fields))
			t.Row("instruction pointers", v.Pointers)
		}
		t.Row("cycles with a fault", v.Faults)
		r.Table(t)
		if v.Faults > 0 {
			r.Failf("%d cycles had a fault, the first: %s", v.Faults, v.FirstFault)
		}
		r.Chart(occupancy(p.Machine, v))
	}
	return r, nil
}

// occupancy shows what a processor uses in each cycle of its period, or what each stage uses.
func occupancy(machine string, v RunResult) experiment.Chart {
	c := &plots.BarChart{Title: "Occupancy of a processor", X: "cycle of the period", Y: "in use"}
	if machine == onRMT {
		c.Title, c.X = "Occupancy of the stages", "stage"
	}
	alus, segments, scratch := plots.BarSeries{Name: "ALUs"}, plots.BarSeries{Name: "key segments"},
		plots.BarSeries{Name: "scratch pad"}
	for i := range v.ALUs {
		c.Groups = append(c.Groups, fmt.Sprint(i))
		alus.Values, segments.Values = append(alus.Values, float64(v.ALUs[i])),
			append(segments.Values, float64(v.Segments[i]))
		if i < len(v.Scratch) {
			scratch.Values = append(scratch.Values, float64(v.Scratch[i]))
		}
	}
	c.Series = []plots.BarSeries{alus, segments}
	if len(v.Scratch) > 0 {
		c.Series = append(c.Series, scratch)
	}
	return experiment.Chart{Name: "occupancy", Bars: c}
}

package cli

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/wave"
	"github.com/goldwire/goldwire/workload"
)

// pcsLoop is `goldwire run pcs-loop`.
type pcsLoop struct {
	pcap, out, vcd  string
	rate, mode      string
	width           int
	delay, skew     int
	ber             float64
	flips           []int64
	seed            uint64
	workers, repeat int
	json            bool
	wave            wave.Options
	onFault         string
	faultCycles     int
}

func newPCSLoop() *cobra.Command {
	var o pcsLoop
	cmd := &cobra.Command{
		Use:   "pcs-loop --pcap FILE",
		Short: "Send a capture's frames through a 64b/66b PCS, a line and back",
		Long: `Send the Ethernet frames of a capture through framer, encoder, scrambler, gearbox, a line with bit errors, gearbox,
block sync, descrambler, decoder and deframer, clock edge by clock edge. Report which frames arrive intact, which bit errors
hit which frames, and how the PCS saw it. The exit code is 1 if a frame was hit that no bit error explains.`,
		Example: `  goldwire run pcs-loop --pcap testdata/captures/generated.pcap
  goldwire run pcs-loop --pcap in.pcap --ber 1e-6 --out received.pcap --vcd loop.vcd
  goldwire run pcs-loop --pcap in.pcap --rate 10G --width 64 --skew 13 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&o.pcap, "pcap", "", "capture of Ethernet frames to send (pcap or pcapng)")
	f.StringVar(&o.out, "out", "", "write the frames received without fault to this capture")
	f.StringVar(&o.vcd, "vcd", "", "write a waveform to this file, and a save file for GTKWave beside it")
	f.StringArrayVar(&o.wave.Include, "vcd-scope", nil, "only what is below this scope, rx.decoder say; may be repeated")
	f.Uint64Var(&o.wave.From, "vcd-from", 0, "first cycle of the waveform")
	f.Uint64Var(&o.wave.To, "vcd-to", 0, "last cycle of the waveform, 0 for all")
	f.StringVar(&o.onFault, "on-fault", "", "write the last cycles before the first damaged frame to this waveform; nothing if there is none")
	f.IntVar(&o.faultCycles, "on-fault-cycles", 500, "how many cycles that waveform has")
	f.StringVar(&o.rate, "rate", "25G", "10G, 25G, or the block clock: 390.625MHz")
	f.StringVar(&o.mode, "mode", "fast", "fast, strict or parallel: the same bits, another speed")
	f.IntVar(&o.width, "width", pcs.BlockBits, "bits of the line a cycle: 66 for none, 64, 32, … for a gearbox")
	f.IntVar(&o.delay, "delay", 0, "delay of the line in cycles")
	f.IntVar(&o.skew, "skew", 17, "bits that the receiver misses at the start")
	f.Float64Var(&o.ber, "ber", 0, "bit error rate of the line")
	f.Int64SliceVar(&o.flips, "flip", nil, "flip these bits of the line, counted from the first sent")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the bit errors, and of strict mode")
	f.IntVar(&o.workers, "workers", 0, "parallel mode: workers, 0 for one a processor")
	f.IntVar(&o.repeat, "repeat", 1, "send the capture so many times")
	f.BoolVar(&o.json, "json", false, "print JSON")
	_ = cmd.MarkFlagRequired("pcap") // it is defined above
	return cmd
}

// pcsLoopResult is what --json prints.
type pcsLoopResult struct {
	Capture   string  `json:"capture"`
	BlockRate string  `json:"block_clock"`
	Width     int     `json:"line_width"`
	BER       float64 `json:"ber"`
	Seed      uint64  `json:"seed"`
	Mode      string  `json:"mode"`
	Cycles    uint64  `json:"cycles"`
	Time      string  `json:"simulated_time"`
	Locked    uint64  `json:"locked_at_cycle"`
	Hash      string  `json:"trace_hash"`
	pcs.LoopReport
}

func (o *pcsLoop) run(cmd *cobra.Command) error {
	cfg, err := o.config()
	if err != nil {
		return err
	}
	if o.repeat < 1 {
		return fmt.Errorf("--repeat %d: want at least 1", o.repeat)
	}
	capture, err := workload.ReadPcapFile(o.pcap)
	if err != nil {
		return err
	}
	var frames [][]byte
	for range o.repeat {
		for _, f := range capture {
			frames = append(frames, f.Bytes)
		}
	}
	loop, err := pcs.NewLoop(cfg)
	if err != nil {
		return err
	}
	monitor := pcs.NewLoopMonitor(loop)
	hash := rtl.NewTraceHash(loop.Sim)
	wave, err := openWave(o.vcd, loop.Sim, o.wave)
	if err != nil {
		return err
	}
	defer wave.discard()
	recorder, err := recordOnFault(o.onFault, loop.Clock, o.faultCycles, monitor.Damaged)
	if err != nil {
		return fmt.Errorf("--on-fault: %w", err)
	}
	if err := loop.WaitForLock(); err != nil {
		return err
	}
	locked := loop.Clock.Cycle()
	bar := newProgress(cmd.ErrOrStderr(), len(frames), "frames")
	err = loop.SendAll(cmd.Context(), frames, func(cycles uint64, sent, _ int) { bar.at(sent, cycles) })
	bar.finish()
	if err != nil {
		return err
	}
	if err := wave.keep(); err != nil {
		return err
	}
	if recorder.err != nil {
		return recorder.err
	}
	if o.out != "" {
		if err := workload.WritePcapFile(o.out, received(loop)); err != nil {
			return err
		}
	}
	result := pcsLoopResult{
		Capture: o.pcap, BlockRate: cfg.Clock.String(), Width: o.width, BER: o.ber, Seed: o.seed, Mode: o.mode,
		Cycles: loop.Clock.Cycle(), Time: loop.Clock.Time().String(), Locked: locked,
		Hash: fmt.Sprintf("%016x", hash.Sum()), LoopReport: monitor.Report(),
	}
	if o.json {
		err = printJSON(cmd.OutOrStdout(), result)
	} else {
		result.print(cmd.OutOrStdout())
	}
	if err == nil && (len(result.Unexplained) > 0 || result.Stray > 0) && result.LockLosses == 0 {
		err = errFailed
	}
	return err
}

func (o *pcsLoop) config() (pcs.LoopConfig, error) {
	cfg := pcs.LoopConfig{Width: o.width, Delay: o.delay, Skew: o.skew, BER: o.ber, Seed: o.seed,
		Sim: rtl.Config{Seed: o.seed, Workers: o.workers}}
	for _, p := range o.flips {
		if p < 0 {
			return cfg, fmt.Errorf("--flip %d: want a bit position, 0 for the first", p)
		}
		cfg.Flips = append(cfg.Flips, uint64(p))
	}
	switch o.rate {
	case "10G":
		cfg.Clock = clock.Block10G
	case "25G":
		cfg.Clock = clock.Block25G
	default:
		f, err := clock.ParseFreq(o.rate)
		if err != nil {
			return cfg, fmt.Errorf("--rate: want 10G, 25G or a clock: %w", err)
		}
		cfg.Clock = f
	}
	switch o.mode {
	case "fast":
	case "strict":
		cfg.Sim.Mode = rtl.Strict
	case "parallel":
		cfg.Sim.Mode = rtl.Parallel
	default:
		return cfg, fmt.Errorf("--mode %q: want fast, strict or parallel", o.mode)
	}
	return cfg, nil
}

// received returns the frames that arrived without fault, at the time of their last beat.
func received(l *pcs.Loop) []workload.Frame {
	var frames []workload.Frame
	first := int64(-1)
	for _, f := range l.Sink.Frames() {
		if f.Fault != pcs.FrameOK {
			continue
		}
		at, _ := l.Sim.Schedule().Time(0, f.Cycle).In(clock.Nanosecond).Float64()
		if first < 0 {
			first = int64(at)
		}
		frames = append(frames, workload.Frame{Bytes: f.Bytes, Time: int64(at) - first})
	}
	return frames
}

func (r *pcsLoopResult) print(w io.Writer) {
	fmt.Fprintf(w, "%s: %d frames over a line of %d bits a cycle, blocks at %s, bit error rate %g, seed %d, %s mode\n",
		r.Capture, r.Sent, r.Width, r.BlockRate, r.BER, r.Seed, r.Mode)
	fmt.Fprintf(w, "%d cycles, %s simulated; blocks locked at cycle %d; trace hash %s\n", r.Cycles, r.Time, r.Locked, r.Hash)
	fmt.Fprintf(w, "%d of %d frames intact", r.Intact, r.Sent)
	if r.Padded > 0 {
		fmt.Fprintf(w, " (%d of them padded to 64 bytes)", r.Padded)
	}
	fmt.Fprintf(w, ", %d hit, %d unexplained\n", len(r.Hit), len(r.Unexplained))
	fmt.Fprintf(w, "%d bit errors, %d of them in gaps; the PCS saw %d invalid sync headers and %d error words, lost lock %d times, hi_ber %d times\n",
		r.BitErrors, r.InGaps, r.InvalidHeaders, r.ErrorWords, r.LockLosses, r.HighBERs)
	if len(r.Hit) == 0 {
		return
	}
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetStyle(table.StyleLight)
	t.Style().Options = table.OptionsNoBordersAndSeparators
	t.AppendHeader(table.Row{"Frame", "Bytes", "Bit errors at", "In block", "The PCS saw", "The MAC saw"})
	for _, h := range r.Hit {
		t.AppendRow(table.Row{h.Frame, h.Bytes, joinNumbers(h.Flips), h.Block, h.PCS, h.Outcome})
	}
	fmt.Fprintln(w)
	t.Render()
}

// joinNumbers prints a few numbers, and how many more there are.
func joinNumbers(n []uint64) string {
	const most = 4
	s := ""
	for i, v := range n {
		if i == most {
			return fmt.Sprintf("%s, %d more", s, len(n)-most)
		}
		if i > 0 {
			s += ", "
		}
		s += fmt.Sprint(v)
	}
	return s
}

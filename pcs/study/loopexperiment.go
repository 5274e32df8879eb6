package study

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/experiment"
	"github.com/goldwire/goldwire/internal/plural"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/pcs"
)

// loopParams are what the flags of the experiment loop set: the frames, the line, and a file for the frames that
// arrive.
type loopParams struct {
	loopPoint
	Out string `flag:"out" file:"out" help:"write the frames received without fault to this capture"`
}

// loopPoint is the frames and the line.
type loopPoint struct {
	Capture string    `flag:"pcap" file:"in" required:"true" help:"capture of Ethernet frames to send (pcap or pcapng)" json:"capture"`
	FCS     bool      `flag:"check-fcs" help:"refuse the capture where a frame's FCS is wrong or missing; else an FCS is taken off" json:"check_fcs"`
	Rate    blockRate `flag:"rate" help:"10G, 25G, or the block clock: 390.625MHz" json:"block_clock"`
	Mode    rtl.Mode  `flag:"mode" choices:"fast,strict,parallel" help:"the same bits, another speed" json:"mode"`
	Width   int       `flag:"width" min:"1" max:"66" unit:"bits" help:"bits of the line a cycle: 66 for none, 64, 32, … for a gearbox" json:"line_width"`
	Delay   int       `flag:"delay" min:"0" max:"100000" unit:"cycles" help:"delay of the line" json:"delay"`
	Skew    int       `flag:"skew" min:"0" max:"10000" unit:"bits" help:"bits that the receiver misses at the start" json:"skew"`
	BER     float64   `flag:"ber" min:"0" max:"1" help:"bit error rate of the line" json:"ber" knob:"true"`
	Flips   []uint64  `flag:"flip" min:"0" max:"1000000000000" most:"10000" help:"flip these bits of the line, counted from the first sent" json:"flips"`
	Repeat  int       `flag:"repeat" min:"1" max:"1000000000" help:"how many times the capture is sent" json:"repeat"`
	Keep    bool      `flag:"-" json:"keep"` // the frames that arrive, for --out
}

// mostLoopBytes is what a run may hold in memory: its capture, and with --out the frames that it receives.
const mostLoopBytes = 256 << 20

// blockRate is a block clock that may be named by the rate of the Ethernet.
type blockRate struct{ clock.Freq }

// UnmarshalText reads 10G, 25G or a frequency from 1 kHz to 1000 GHz.
func (r *blockRate) UnmarshalText(text []byte) error {
	switch s := string(text); s {
	case "10G":
		r.Freq = clock.Block10G
	case "25G":
		r.Freq = clock.Block25G
	default:
		f, err := clock.ParseFreq(s)
		if err != nil {
			return err
		}
		if f.Hz().Cmp(clock.MustFreq("1kHz").Hz()) < 0 || f.Hz().Cmp(clock.MustFreq("1000GHz").Hz()) > 0 {
			return fmt.Errorf("%s: want 10G, 25G, or 1kHz to 1000GHz", experiment.Quote(s))
		}
		r.Freq = f
	}
	return nil
}

// loopResult is what became of the frames.
type loopResult struct {
	Cycles uint64     `json:"cycles"`
	Time   clock.Time `json:"simulated_time"`
	Locked uint64     `json:"locked_at_cycle"`
	Hash   string     `json:"trace_hash"`
	LoopReport

	received []workload.Frame // without fault
}

// loopExperiment sends a capture's frames through a [Loop].
var loopExperiment = experiment.Define(experiment.Spec[loopParams, loopPoint, loopResult]{
	Name: "loop", Aliases: []string{"pcs-loop"}, Waves: true, Checkpoints: true,
	Short: "Send a capture's frames through a 64b/66b PCS, a line and back",
	Long: `Send the Ethernet frames of a capture through framer, encoder, scrambler, gearbox, a line with bit errors,
gearbox, block sync, descrambler, decoder and deframer, clock edge by clock edge. Report which frames arrive intact,
which bit errors hit which frames, and how the PCS saw it. A fault is a frame that arrives damaged. The exit code is 1
if a frame was hit that no bit error explains.`,
	Examples: []string{"loop --pcap testdata/captures/generated.pcap",
		"loop --pcap in.pcap --ber 1e-6 --out received.pcap --vcd loop.vcd",
		"loop --pcap in.pcap --rate 10G --width 64 --skew 13 --json"},
	Defaults: loopParams{loopPoint: loopPoint{Rate: blockRate{clock.Block25G}, Width: pcs.BlockBits, Skew: 17, Repeat: 1}},
	Points: func(p *loopParams, seed uint64) ([]experiment.Point[loopPoint], error) {
		p.Keep = p.Out != ""
		return experiment.One(p.loopPoint, seed), nil
	},
	Run:    measureLoop,
	Report: reportLoop,
})

// loopRun is what a run knows besides its loop.
type loopRun struct {
	locked uint64 // the cycle at which blocks were found
	until  uint64 // that at which the run ends, 0 while it is not known
}

func measureLoop(ctx context.Context, run *experiment.Run, q loopPoint) (loopResult, error) {
	frames, err := q.frames()
	if err != nil {
		return loopResult{}, err
	}
	if err := run.Expect(q.cost(frames)); err != nil {
		return loopResult{}, err
	}
	sim := rtl.Config{Seed: run.Seed, Workers: run.Workers, Mode: q.Mode}
	loop, err := pcs.NewLoop(
		pcs.LoopConfig{
			Clock: q.Rate.Freq, Width: q.Width, Delay: q.Delay, Skew: q.Skew, BER: q.BER, Flips: q.Flips, Seed: run.Seed,
			Sim: sim,
		},
	)
	if err != nil {
		return loopResult{}, err
	}
	monitor := newLoopMonitor(loop)
	hash := rtl.NewTraceHash(loop.Sim)
	var x loopRun
	err = run.Simulate(
		experiment.Simulation{
			Sim: loop.Sim, Clock: loop.Clock, Faulty: monitor.Damaged, Roots: []any{loop, monitor, hash, &x},
			Knobs: func() error { return loop.Channel.Loss.SetRate(q.BER) },
		},
	)
	if err != nil {
		return loopResult{}, err
	}
	if x.locked == 0 {
		if err := loop.WaitForLock(); err != nil {
			return loopResult{}, err
		}
		x.locked = loop.Clock.Cycle()
		loop.Source.Repeat = q.Repeat
		loop.Send(frames)
		if err := run.Touched(); err != nil {
			return loopResult{}, err
		}
	}
	between := func() error {
		if !q.Keep {
			monitor.Settle()
		}
		run.Progress(uint64(loop.Source.Sent()), uint64(loop.Source.Total()))
		return run.Between()
	}
	if err := loop.Finish(ctx, &x.until, between); err != nil {
		return loopResult{}, err
	}
	r := loopResult{Locked: x.locked}
	r.Cycles, r.Time, r.Hash = loop.Clock.Cycle(), loop.Clock.Time(), fmt.Sprintf("%016x", hash.Sum())
	r.LoopReport = monitor.Report()
	if q.Keep {
		r.received = received(loop)
	}
	return r, nil
}

// cost is about how many cycles of blocks the frames take, and how many bytes of memory.
func (q *loopPoint) cost(frames [][]byte) (cycles, memory float64) {
	const between, frameMemory = 8 + 12, 200 // bytes: preamble and gap; the bytes in memory beside a frame's own
	for _, f := range frames {
		bytes := float64(max(len(f), 60) + pcs.FCSBytes)
		cycles += math.Ceil((bytes+between)/8) * float64(q.Repeat)
		memory += bytes + frameMemory
	}
	if q.Keep {
		memory *= float64(1 + q.Repeat)
	}
	return cycles * pcs.BlockBits / float64(q.Width), memory // a line of fewer bits takes more cycles
}

// frames reads the capture and refuses what would not fit into memory.
func (q *loopPoint) frames() ([][]byte, error) {
	capture, err := workload.ReadPcapFile(q.Capture, workload.FCSCheck(q.FCS))
	if err != nil {
		return nil, err
	}
	bytes := 0
	for _, f := range capture {
		bytes += len(f.Bytes) + pcs.FCSBytes
	}
	switch {
	case len(capture) == 0:
		return nil, fmt.Errorf("%s: no frames", q.Capture)
	case bytes > mostLoopBytes:
		return nil, fmt.Errorf("%s: %d bytes of frames, want at most %d", q.Capture, bytes, mostLoopBytes)
	case q.Keep && bytes > mostLoopBytes/q.Repeat:
		return nil, fmt.Errorf("--repeat %d with --out: %d bytes each time, want at most %d in all", q.Repeat,
			bytes, mostLoopBytes)
	}
	frames := make([][]byte, len(capture))
	for i, f := range capture {
		frames[i] = f.Bytes
	}
	return frames, nil
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

func reportLoop(p *loopParams, done []experiment.Result[loopPoint, loopResult]) (*experiment.Report, error) {
	q, seed, x := done[0].Point, done[0].Seed, done[0].Value
	r := &experiment.Report{}
	r.Linef("%s: %s over a line of %d bits a cycle, blocks at %s, bit error rate %g, seed %d, %s mode",
		q.Capture, plural.Of(x.Sent, "frame"), q.Width, q.Rate, q.BER, seed, q.Mode)
	r.Linef(
		"%d cycles, %s simulated; blocks locked at cycle %d; trace hash %s", x.Cycles, x.Time.About(), x.Locked, x.Hash,
	)
	padded := ""
	if x.Padded > 0 {
		padded = fmt.Sprintf(" (%d of them padded to 64 bytes)", x.Padded)
	}
	r.Linef("%d of %s intact%s, %d hit, %d unexplained", x.Intact, plural.Of(x.Sent, "frame"), padded, x.HitFrames,
		x.UnexplainedFrames)
	r.Linef(
		"%d bit errors, %d of them in gaps; the PCS saw %d invalid sync headers and %d error words, lost lock %d times, "+
			"hi_ber %d times",
		x.BitErrors, x.InGaps, x.InvalidHeaders, x.ErrorWords, x.LockLosses, x.HighBERs,
	)
	hit := &experiment.Table{Name: "hit", Columns: experiment.Columns("Frame", "", "Bytes", "", "Bit errors at", "",
		"In block", "", "The PCS saw", "", "The MAC saw", "")}
	for _, h := range x.Hit {
		hit.Row(h.Frame, h.Bytes, joinNumbers(h.Flips), h.Block, h.PCS, h.Outcome)
	}
	if len(x.Hit) > 0 {
		r.Linef("")
	}
	r.Table(hit)
	if more := x.HitFrames - len(x.Hit); more > 0 {
		r.Linef("%d more frames were hit", more)
	}
	r.File(p.Out, func(w io.Writer) error { return workload.WritePcap(w, x.received) })
	if x.LockLosses == 0 { // without lock, frames are lost that no bit error touches
		if n := x.UnexplainedFrames; n > 0 {
			r.Failf("%d frames were hit that no bit error touches, the first is frame %d", n, x.Unexplained[0])
		}
		if x.Stray > 0 {
			r.Failf("%d frames arrived that were not sent", x.Stray)
		}
	}
	return r, nil
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

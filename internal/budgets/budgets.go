// Package budgets measures the speed of the kernel, of the libraries, and of RIFL's links.
package budgets

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"

	"github.com/goldwire/goldwire/design/bench"
	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/pcs"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/wave"
)

// All measures the budgets of the kernel and the libraries.
func All() []bench.Measure {
	return []bench.Measure{
		{Name: "kernel", Run: kernel}, {Name: "pcs", Run: pcsLoop}, {Name: "pcs/verilator", Run: verilator},
		{Name: "workers", Run: workers}, {Name: "growth", Run: growth}, {Name: "vcd", Run: vcd},
	}
}

// run runs a clock; fast and parallel mode have no error to report.
func run(clk *rtl.Clock, cycles uint64) func() error {
	return func() error { return clk.Run(cycles) }
}

func kernel(ctx context.Context) ([]bench.Line, error) {
	const modules, cycles = 64, 200_000
	clk, err := ring(rtl.Config{}, modules)
	if err != nil {
		return nil, err
	}
	t, err := bench.Timed(ctx, run(clk, cycles))
	if err != nil {
		return nil, err
	}
	allocated, err := bench.Allocations(run(clk, bench.Rounds*cycles))
	if err != nil {
		return nil, err
	}
	return []bench.Line{
		bench.AtMost("a trivial module-cycle", 3, t[0].CPU.Times(1e9/modules/cycles), "ns", "64 adders in a ring"),
		bench.AtMost("allocations in 1,400,000 cycles", 0, bench.Once(float64(allocated)), "", ""),
	}, nil
}

const (
	loopCycles  = 1 << 20
	frameCycles = 1 << 18
)

// frameLoop is a loop that has found its blocks and is given frames of 60 to 1,514 bytes, without FCS, over and over.
func frameLoop(cfg rtl.Config) (*rtl.Clock, error) {
	l, err := pcs.NewLoop(pcs.LoopConfig{Width: 64, Sim: cfg})
	if err != nil {
		return nil, err
	}
	if err := l.WaitForLock(); err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 64 {
		frame := make([]byte, 60+rng.IntN(1455))
		for i := range frame {
			frame[i] = byte(rng.Uint32())
		}
		l.Send([][]byte{frame})
	}
	l.Source.Repeat = math.MaxInt32
	return l.Clock, nil
}

func pcsLoop(ctx context.Context) ([]bench.Line, error) {
	one, clk, err := loops(rtl.Config{}, 1)
	if err != nil {
		return nil, err
	}
	_, plainClk, err := loops(rtl.Config{Plain: true}, 1)
	if err != nil {
		return nil, err
	}
	_, manyClk, err := loops(rtl.Config{}, 64)
	if err != nil {
		return nil, err
	}
	whole, err := frameLoop(rtl.Config{})
	if err != nil {
		return nil, err
	}
	wholePlain, err := frameLoop(rtl.Config{Plain: true})
	if err != nil {
		return nil, err
	}
	var sum uint64
	t, err := bench.Timed(ctx, run(clk, loopCycles),
		func() error { sum = handFused(one[0].words, loopCycles); return nil },
		run(manyClk, loopCycles/64), run(plainClk, loopCycles), run(whole, frameCycles), run(wholePlain, frameCycles))
	if err != nil {
		return nil, err
	}
	runtime.KeepAlive(sum)
	const perCycle = 1e9 / loopCycles
	return []bench.Line{
		bench.AtMost("PCS loop against a hand-fused Go loop", 1.3, t[0].CPU.Over(t[1].CPU), "times its time",
			fmt.Sprintf("fused code against it, the same bits; by hand %.1f ns a cycle", t[1].CPU.Median()*perCycle)),
		bench.Figure("PCS loop, its modules one by one, against a hand-fused Go loop",
			t[3].CPU.Over(t[1].CPU), "times its time",
			"as where somebody observes"),
		bench.Figure(
			"frames through MAC and PCS, fused code against modules",
			t[5].CPU.Over(t[4].CPU),
			"times as fast",
			fmt.Sprintf(
				"13 modules with gearboxes, block sync and a line of 64 bits; fused %.0f ns a cycle",
				t[4].CPU.Median()*1e9/frameCycles,
			),
		),
		bench.Figure("PCS loop, a cycle", t[0].CPU.Times(perCycle), "ns", "alone"),
		bench.Figure("PCS loop, a cycle of each of 64", t[2].CPU.Times(perCycle), "ns", ""),
	}, nil
}

func workers(ctx context.Context) ([]bench.Line, error) {
	var lines []bench.Line
	for _, c := range []struct {
		what   string
		build  func(rtl.Config, int) ([]*loop, *rtl.Clock, error)
		loops  int
		budget float64
	}{
		{"64 loops", loops, 64, 1.4}, {"512 loops", loops, 512, 1.6},
		{"64 loops linked", linkedLoops, 64, 1.4}, {"512 loops linked", linkedLoops, 512, 1.6},
	} {
		_, one, err := c.build(rtl.Config{}, c.loops)
		if err != nil {
			return nil, err
		}
		_, two, err := c.build(rtl.Config{Mode: rtl.Parallel, Workers: 2}, c.loops)
		if err != nil {
			return nil, err
		}
		cycles := uint64(4 * loopCycles / c.loops) // rounds of some 40 ms: to start workers takes little of them
		t, err := bench.Timed(ctx, run(one, cycles), run(two, cycles))
		if err != nil {
			return nil, err
		}
		lines = append(
			lines,
			bench.AtLeast("two workers against one, "+c.what, c.budget, t[0].Wall.Over(t[1].Wall), "times as fast",
				fmt.Sprintf("by the wall clock; %d processors", runtime.GOMAXPROCS(0))),
		)
	}
	clk, err := ring(rtl.Config{Mode: rtl.Parallel, Workers: 2}, 2)
	if err != nil {
		return nil, err
	}
	const edges = 200_000
	t, err := bench.Timed(ctx, run(clk, edges))
	if err != nil {
		return nil, err
	}
	return append(lines, bench.Figure("an edge of two linked workers, one adder each", t[0].Wall.Times(1e9/edges), "ns",
		"by the wall clock; two barriers; loops that are not linked need none")), nil
}

func growth(ctx context.Context) ([]bench.Line, error) {
	_, few, err := loops(rtl.Config{}, 16)
	if err != nil {
		return nil, err
	}
	_, many, err := loops(rtl.Config{}, 512)
	if err != nil {
		return nil, err
	}
	t, err := bench.Timed(ctx, run(few, loopCycles/16), run(many, loopCycles/512))
	if err != nil {
		return nil, err
	}
	return []bench.Line{bench.AtMost("time a loop-cycle, 512 loops against 16", 1.3,
		t[1].CPU.Over(t[0].CPU), "times", "")}, nil
}

func vcd(ctx context.Context) ([]bench.Line, error) {
	_, clk, err := loops(rtl.Config{}, 8)
	if err != nil {
		return nil, err
	}
	out := &changes{}
	dump, err := wave.NewVCD(out, clk.Sim(), wave.Options{})
	if err != nil {
		return nil, err
	}
	const cycles = 20_000
	_, bare, err := loops(rtl.Config{Plain: true}, 8)
	if err != nil {
		return nil, err
	}
	t, err := bench.Timed(ctx, func() error { out.n = 0; return clk.Run(cycles) }, run(bare, cycles))
	if err != nil {
		return nil, err
	}
	n := out.n
	if err := dump.Close(); err != nil {
		return nil, err
	}
	return []bench.Line{
		bench.AtLeast("VCD", 20, t[0].CPU.Rate(float64(n)/1e6), "million changes a second",
			"8 PCS loops, every signal; the simulation included"),
		bench.Figure("a run with a VCD of every signal against one without", t[0].CPU.Over(t[1].CPU), "times its time",
			"the same 8 loops, no fused code"),
	}, nil
}

// changes counts the lines of a dump that are changes.
type changes struct{ n int }

func (c *changes) Write(p []byte) (int, error) {
	c.n += bytes.Count(p, []byte{'\n'}) - bytes.Count(p, []byte{'#'})
	return len(p), nil
}

func verilator(ctx context.Context) ([]bench.Line, error) {
	const what = "PCS loop against Verilator -O3 on the project's RTL"
	if err := hdl.Verilator.Available(); err != nil {
		return []bench.Line{bench.NotMeasured(what, err)}, nil
	}
	all, clk, err := loops(rtl.Config{}, 1)
	if err != nil {
		return nil, err
	}
	_ = clk.Run(loopCycles)
	v, err := buildVerilated(ctx, all[0].words)
	if err != nil {
		return nil, err
	}
	defer v.remove()
	sum, _, err := v.run(ctx, loopCycles)
	if err != nil {
		return nil, err
	}
	if sum != all[0].sink.sum {
		return nil, fmt.Errorf("after %d cycles the RTL's sink has %016x, the model's %016x", loopCycles,
			sum, all[0].sink.sum)
	}
	var ours bench.Times
	var theirs bench.Samples
	for range bench.Rounds {
		w := bench.Start()
		if err := clk.Run(loopCycles); err != nil {
			return nil, err
		}
		ours.Add(w)
		_, seconds, err := v.run(ctx, loopCycles)
		if err != nil {
			return nil, err
		}
		theirs = append(theirs, seconds)
	}
	return []bench.Line{bench.AtLeast(what, 8, theirs.Over(ours.CPU), "times as fast",
		fmt.Sprintf("each bit of both; Verilator %.1f ns a cycle, same sum %016x", theirs.Median()/loopCycles*1e9, sum))}, nil
}

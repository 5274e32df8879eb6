// Package budgets measures the speed of the kernel and of the libraries, and that of RIFL's links.
package budgets

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/goldwire/goldwire/bench"
	"github.com/goldwire/goldwire/hdl"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/wave"
)

// All measures the budgets of the kernel and the libraries.
func All() []bench.Measure {
	return []bench.Measure{kernel, pcsLoop, verilator, workers, growth, vcd}
}

// run runs a clock; fast and parallel mode have no error to report.
func run(clk *rtl.Clock, cycles uint64) func() {
	return func() { _ = clk.Run(cycles) }
}

func kernel(context.Context) ([]bench.Line, error) {
	const modules, cycles = 64, 200_000
	clk, err := ring(rtl.Config{}, modules)
	if err != nil {
		return nil, err
	}
	t := bench.Timed(run(clk, cycles))[0]
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_ = clk.Run(cycles)
	runtime.ReadMemStats(&after)
	return []bench.Line{
		bench.AtMost("a trivial module-cycle", 5, t/modules/cycles*1e9, " ns", "64 adders in a ring"),
		bench.AtMost("allocations in 200,000 cycles", 0, float64(after.Mallocs-before.Mallocs), "", ""),
	}, nil
}

const loopCycles = 1 << 20

func pcsLoop(context.Context) ([]bench.Line, error) {
	one, clk, err := loops(rtl.Config{}, 1)
	if err != nil {
		return nil, err
	}
	_, manyClk, err := loops(rtl.Config{}, 64)
	if err != nil {
		return nil, err
	}
	var sum uint64
	t := bench.Timed(run(clk, loopCycles), func() { sum = fused(one[0].words, loopCycles) }, run(manyClk, loopCycles/64))
	runtime.KeepAlive(sum)
	return []bench.Line{bench.AtMost("PCS loop against a hand-fused Go loop", 3, t[0]/t[1], " times its time",
		fmt.Sprintf("%.1f ns a loop-cycle alone, %.1f each of 64; fused %.1f",
			t[0]/loopCycles*1e9, t[2]/loopCycles*1e9, t[1]/loopCycles*1e9))}, nil
}

func workers(context.Context) ([]bench.Line, error) {
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
		cycles := uint64(loopCycles / c.loops)
		t := bench.Timed(run(one, cycles), run(two, cycles))
		lines = append(lines, bench.AtLeast("two workers against one, "+c.what, c.budget, t[0]/t[1], " times as fast",
			fmt.Sprintf("%d processors", runtime.GOMAXPROCS(0))))
	}
	clk, err := ring(rtl.Config{Mode: rtl.Parallel, Workers: 2}, 2)
	if err != nil {
		return nil, err
	}
	const edges = 200_000
	t := bench.Timed(run(clk, edges))[0]
	return append(lines, bench.Figure("an edge of two linked workers, one adder each", fmt.Sprintf("%.0f ns", t/edges*1e9),
		"two barriers; loops that are not linked need none")), nil
}

func growth(context.Context) ([]bench.Line, error) {
	_, few, err := loops(rtl.Config{}, 16)
	if err != nil {
		return nil, err
	}
	_, many, err := loops(rtl.Config{}, 512)
	if err != nil {
		return nil, err
	}
	t := bench.Timed(run(few, loopCycles/16), run(many, loopCycles/512))
	return []bench.Line{bench.AtMost("time a loop-cycle, 512 loops against 16", 1.2, t[1]/t[0], " times", "")}, nil
}

func vcd(context.Context) ([]bench.Line, error) {
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
	t := bench.Timed(func() { out.n = 0; _ = clk.Run(cycles) })[0]
	n := out.n
	if err := dump.Close(); err != nil {
		return nil, err
	}
	return []bench.Line{bench.AtLeast("VCD", 5, float64(n)/t/1e6, " million changes a second", "the simulation included, 8 loops")}, nil
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
		return []bench.Line{bench.NotMeasured(what, "at least 4 times as fast", err)}, nil
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
		return nil, fmt.Errorf("after %d cycles the RTL's sink has %016x, the model's %016x", loopCycles, sum, all[0].sink.sum)
	}
	var theirs []float64
	var ours []float64
	for range bench.Rounds {
		start := time.Now()
		_ = clk.Run(loopCycles)
		ours = append(ours, time.Since(start).Seconds())
		_, seconds, err := v.run(ctx, loopCycles)
		if err != nil {
			return nil, err
		}
		theirs = append(theirs, seconds)
	}
	slices.Sort(ours)
	slices.Sort(theirs)
	a, b := ours[bench.Rounds/2], theirs[bench.Rounds/2]
	return []bench.Line{bench.AtLeast(what, 4, b/a, " times as fast",
		fmt.Sprintf("%.1f ns a cycle against %.1f, same sum %016x", a/loopCycles*1e9, b/loopCycles*1e9, sum))}, nil
}

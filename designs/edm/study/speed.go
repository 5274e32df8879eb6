package study

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/design/bench"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/workload"

	"github.com/goldwire/goldwire/designs/edm"
)

// speed is what `goldwire bench` prints: networks under load, every bit of every link, its monitor included. The
// paper's authors' abstract simulator, which has no bits, does 14,000 block slots a second at 144 nodes.
func speed(ctx context.Context) ([]bench.Line, error) {
	var lines []bench.Line
	var few bench.Samples
	for _, c := range []struct {
		nodes int
		load  float64
	}{{16, 0.5}, {144, 0.1}, {144, 0.5}, {144, 0.9}, {512, 0.5}} {
		t, err := timedLoad(ctx, c.nodes, c.load, 0)
		if err != nil {
			return nil, err
		}
		port := t.CPU.Times(1e9 / float64(c.nodes))
		lines = append(lines, bench.Figure(fmt.Sprintf("EDM, %d nodes, load %g, a port-cycle", c.nodes, c.load), port, "ns",
			fmt.Sprintf("%.0f block slots a second; every bit, monitor included", 1/t.CPU.Median())))
		switch c.nodes {
		case 16:
			few = port
		case 512:
			lines = append(
				lines,
				bench.AtMost("EDM, a port-cycle of 512 nodes against one of 16", 1.3, port.Over(few), "times", "load 0.5"),
			)
		}
	}
	one, err := timedLoad(ctx, 144, 0.5, 0)
	if err != nil {
		return nil, err
	}
	two, err := timedLoad(ctx, 144, 0.5, 2)
	if err != nil {
		return nil, err
	}
	lines = append(
		lines,
		bench.AtLeast(
			"EDM, 144 nodes, load 0.5, two workers against one", 1.6, one.Wall.Over(two.Wall), "times as fast",
			"by the wall clock",
		),
	)

	const cycles = 2000
	t, err := bench.Timed(ctx, func() error {
		_, err := MeasureIterations(ctx, IterationsConfig{Ports: 144, Density: 0.5, Cycles: cycles, Seed: 1})
		return err
	})
	if err != nil {
		return nil, err
	}
	kept, err := timedCheckpoint(ctx)
	if err != nil {
		return nil, err
	}
	lines = append(lines, kept...)
	return append(
		lines,
		bench.Figure("EDM's scheduler, 144 ports, half of all pairs demanded, a cycle", t[0].CPU.Times(1e6/cycles), "us",
			"drawing demands, checking matchings, PIM and iSLIP on the same demands included"),
	), nil
}

// errTimed ends a run that has been timed for long enough.
var errTimed = errors.New("timed")

// timedLoad returns the seconds of a cycle of a network under a load of 64-byte reads and writes: in one thread with 0
// workers.
func timedLoad(ctx context.Context, nodes int, load float64, workers int) (bench.Times, error) {
	f := defaultFabric(nodes)
	if workers > 0 {
		f.Mode = rtl.Parallel
	}
	const warm = 1024 // cycles until messages are under way everywhere
	// Run tells its progress every busyCycles. A round has as many of them as take about 0.1 s at 1 µs a port-cycle, and
	// at least one.
	every := uint64(max(1, 128/nodes) * edm.BusyCycles)
	var t bench.Times
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var network *edm.Network
	var w bench.Watch
	next := uint64(warm) // cycle at which a round begins
	watch := func(int, int) {
		switch now := network.Clock.Cycle(); {
		case now < next:
		case len(t.Wall) == bench.Rounds:
			stop(errTimed)
		default:
			if next > warm {
				t.Add(w)
			}
			next += every
			w = bench.Start()
		}
	}
	cfg := f.config(1, workers)
	cycles := warm + (bench.Rounds+2)*int(every)
	l := Load{Offered: load, Sizes: workload.Fixed(64), Reads: 0.5, Seed: 1,
		Messages: int(
			float64(cycles*nodes/2/8) * load,
		)} // half of the nodes ask; a message takes at least its 8 blocks of data
	messages, _, _, err := l.Make(cfg)
	if err != nil {
		return t, err
	}
	_, err = edm.Run(ctx, cfg, messages, edm.Options{Progress: watch, Prepare: func(n *edm.Network) { network = n }})
	if !errors.Is(context.Cause(ctx), errTimed) && err != nil {
		return t, err
	}
	if len(t.Wall) < bench.Rounds {
		return t, fmt.Errorf("EDM with %d nodes: all messages finished before %d rounds were timed", nodes, bench.Rounds)
	}
	return bench.Times{Wall: t.Wall.Times(1 / float64(every)), CPU: t.CPU.Times(1 / float64(every))}, nil
}

// timedCheckpoint writes and reads the state of 144 nodes under load, with the monitor and the run's state of its
// messages.
func timedCheckpoint(ctx context.Context) ([]bench.Line, error) {
	const nodes, warm = 144, 4096 // cycles until all queues have messages
	var saved, restored bench.Times
	var network *edm.Network
	var roots []any
	size := 0
	round := func() error {
		w := bench.Start()
		file, err := network.Sim.Checkpoint(roots...)
		if err != nil {
			return err
		}
		saved.Add(w)
		size = len(file)
		w = bench.Start()
		if err := network.Sim.Restore(bytes.NewReader(file), roots...); err != nil {
			return err
		}
		restored.Add(w)
		return nil
	}
	cfg := defaultFabric(nodes).config(1, 0)
	l := Load{Offered: 0.5, Sizes: workload.Fixed(64), Reads: 0.5, Seed: 1, Messages: 20_000}
	messages, _, _, err := l.Make(cfg)
	if err != nil {
		return nil, err
	}
	_, err = edm.Run(ctx, cfg, messages, edm.Options{
		Watch: func(w edm.Watched) error { network, roots = w.Network, w.Roots; return nil },
		Between: func() error {
			if network.Clock.Cycle() < warm {
				return nil
			}
			for range bench.Rounds + 1 {
				if err := round(); err != nil {
					return err
				}
			}
			return errTimed
		},
	})
	if !errors.Is(err, errTimed) {
		return nil, fmt.Errorf("EDM with %d nodes: no checkpoint was timed: %w", nodes, err)
	}
	// the first round has the program's own checksum and the plans of all types
	drop := func(t bench.Times) bench.Samples { return t.CPU[1:] }
	note := fmt.Sprintf("%.1f MB, load 0.5, monitor and %d messages included", float64(size)/1e6, len(messages))
	return []bench.Line{
		bench.AtMost("EDM, 144 nodes, a checkpoint written", 0.2, drop(saved), "s", note),
		bench.AtMost("EDM, 144 nodes, a checkpoint read", 0.2, drop(restored), "s", note),
	}, nil
}

package budgets

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/goldwire/goldwire/bench"
	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/hdl"
	"github.com/goldwire/goldwire/vectors"
)

// Lockstep compares the speed of model and RTL in lockstep with that of the slower of them alone, for each unit that has RTL. The
// worst counts.
func Lockstep(units vectors.Catalogue) bench.Measure {
	return bench.Measure{Name: "lockstep", Run: func(ctx context.Context) ([]bench.Line, error) { return lockstep(ctx, units) }}
}

func lockstep(ctx context.Context, units vectors.Catalogue) ([]bench.Line, error) {
	const what = "lockstep with Verilator against the slower side alone"
	units = slices.DeleteFunc(slices.Clone(units), func(u vectors.Unit) bool { return u.RTL == "" })
	if len(units) == 0 {
		return nil, nil
	}
	if err := cosim.Verilator.Available(); err != nil {
		return []bench.Line{bench.NotMeasured(what, err)}, nil
	}
	var worst, all bench.Samples // the rounds of the worst unit, the median of each
	least, most := math.Inf(1), 0.0
	name := ""
	for _, u := range units {
		ratios, speed, err := lockstepOf(ctx, u)
		if err != nil {
			return nil, err
		}
		all = append(all, ratios.Median())
		if worst == nil || ratios.Median() < worst.Median() {
			worst, name = ratios, u.Name
		}
		least, most = min(least, speed), max(most, speed)
	}
	hdl.RemoveRuntime()
	return []bench.Line{
		bench.AtLeast(what+", the worst unit", 0.6, worst, "of its speed", "by the wall clock; "+name),
		bench.Figure(what+", all units", all, "of its speed", fmt.Sprintf("%d units, %.1f to %.1f million cycles a second", len(units), least/1e6, most/1e6)),
	}, nil
}

// lockstepOf returns the ratios of a few runs, and the speed in lockstep of the last.
func lockstepOf(ctx context.Context, u vectors.Unit) (ratios bench.Samples, speed float64, err error) {
	dir, err := os.MkdirTemp("", "goldwire-bench-")
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(dir)
	source := filepath.Join(dir, u.Module()+".v")
	if err := os.WriteFile(source, []byte(u.RTL), 0o644); err != nil {
		return nil, 0, err
	}
	s, err := cosim.Start(ctx, cosim.Options{Unit: u, Design: cosim.Design{Sources: []string{source}, Top: u.Module(), Simulator: cosim.Verilator}})
	if err != nil {
		return nil, 0, err
	}
	defer s.Close()
	const turns, cycles = 3, 1 << 17 // 64 batches, some 0.1 s a side
	for range turns {
		v, err := s.Measure(ctx, cosim.Stimulus{Cycles: cycles, Seed: 1})
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", u.Name, err)
		}
		ratios, speed = append(ratios, v.Lockstep/v.Slower()), v.Lockstep
	}
	return ratios, speed, nil
}

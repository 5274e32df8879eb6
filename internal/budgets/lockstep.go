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
	return func(ctx context.Context) ([]bench.Line, error) { return lockstep(ctx, units) }
}

func lockstep(ctx context.Context, units vectors.Catalogue) ([]bench.Line, error) {
	const what = "lockstep with Verilator against the slower side alone"
	units = slices.DeleteFunc(slices.Clone(units), func(u vectors.Unit) bool { return u.RTL == "" })
	if len(units) == 0 {
		return nil, nil
	}
	if err := cosim.Verilator.Available(); err != nil {
		return []bench.Line{bench.NotMeasured(what, "at least 0.333", err)}, nil
	}
	worst, least, most := math.Inf(1), math.Inf(1), 0.0
	name := ""
	for _, u := range units {
		ratio, speed, err := lockstepOf(ctx, u)
		if err != nil {
			return nil, err
		}
		if ratio < worst {
			worst, name = ratio, u.Name
		}
		least, most = min(least, speed), max(most, speed)
	}
	hdl.RemoveRuntime()
	return []bench.Line{bench.AtLeast(what, 0.333, worst, " of its speed", fmt.Sprintf("the worst of %d modules: %s; %.1f to %.1f million cycles a second",
		len(units), name, least/1e6, most/1e6))}, nil
}

// lockstepOf returns the median ratio of a few runs, and the speed in lockstep of that run.
func lockstepOf(ctx context.Context, u vectors.Unit) (ratio, speed float64, err error) {
	dir, err := os.MkdirTemp("", "goldwire-bench-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(dir)
	source := filepath.Join(dir, u.Module()+".v")
	if err := os.WriteFile(source, []byte(u.RTL), 0o644); err != nil {
		return 0, 0, err
	}
	s, err := cosim.Start(ctx, cosim.Options{Unit: u, Design: cosim.Design{Sources: []string{source}, Top: u.Module(), Simulator: cosim.Verilator}})
	if err != nil {
		return 0, 0, err
	}
	defer s.Close()
	const turns, cycles = 3, 1 << 20
	var runs []cosim.Speed
	for range turns {
		v, err := s.Measure(ctx, cosim.Stimulus{Cycles: cycles, Seed: 1})
		if err != nil {
			return 0, 0, fmt.Errorf("%s: %w", u.Name, err)
		}
		runs = append(runs, v)
	}
	slices.SortFunc(runs, func(a, b cosim.Speed) int {
		if a.Lockstep/a.Slower() < b.Lockstep/b.Slower() {
			return -1
		}
		return 1
	})
	v := runs[turns/2]
	return v.Lockstep / v.Slower(), v.Lockstep, nil
}

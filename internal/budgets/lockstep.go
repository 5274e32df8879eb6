package budgets

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/goldwire/goldwire/cosim"
	"github.com/goldwire/goldwire/design/bench"
	"github.com/goldwire/goldwire/internal/hdl"
	"github.com/goldwire/goldwire/vectors"
)

// Lockstep compares the speed of model and RTL in lockstep with the speed of the slower of them alone, for each unit
// that has RTL. Alone, each has its part of the lockstep: the model makes the stimulus and notes its fields, the RTL
// reads its inputs and notes its outputs. The worst counts.
func Lockstep(units vectors.Catalogue) bench.Measure {
	return bench.Measure{Name: "lockstep", Run: func(ctx context.Context) ([]bench.Line,
		error) {
		return lockstep(ctx, units)
	}}
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
	var noting, bare ofUnits
	least, most := math.Inf(1), 0.0
	for chunk := range slices.Chunk(units, runtime.GOMAXPROCS(0)) { // built together, measured one by one
		sessions, err := startAll(ctx, chunk)
		if err != nil {
			return nil, err
		}
		for k, s := range sessions {
			ratios, bareRatios, speed, e := lockstepOf(ctx, s)
			if e != nil && err == nil {
				err = fmt.Errorf("%s: %w", chunk[k].Name, e)
			}
			if e := s.Close(); err == nil {
				err = e
			}
			if err != nil {
				continue
			}
			noting.add(chunk[k].Name, ratios)
			bare.add(chunk[k].Name, bareRatios)
			least, most = min(least, speed), max(most, speed)
		}
		if err != nil {
			return nil, err
		}
	}
	hdl.RemoveRuntime()
	return []bench.Line{
		bench.AtLeast(what+", the worst unit", 0.6, noting.worst, "of its speed",
			"by the wall clock, on two processors; alone the model makes the stimulus "+
				"and notes its fields, the RTL reads its inputs and notes its outputs; "+noting.name),
		bench.Figure(what+", all units", noting.medians, "of its speed",
			fmt.Sprintf("%d units, %.1f to %.1f million cycles a second", len(units), least/1e6, most/1e6)),
		bench.Figure(what+", the worst unit, if the model alone notes nothing", bare.worst, "of its speed",
			"the RTL alone as above; "+bare.name),
		bench.Figure(what+", all units, if the model alone notes nothing", bare.medians, "of its speed",
			"the RTL alone as above"),
	}, nil
}

// ofUnits is a ratio of each unit.
type ofUnits struct {
	medians bench.Samples // of each unit's rounds
	worst   bench.Samples // the rounds of the unit whose median is the least
	name    string        // of that unit
}

func (u *ofUnits) add(name string, rounds bench.Samples) {
	u.medians = append(u.medians, rounds.Median())
	if u.worst == nil || rounds.Median() < u.worst.Median() {
		u.worst, u.name = rounds, name
	}
}

// startAll builds the RTL of units at the same time. If one fails it closes the others.
func startAll(ctx context.Context, units vectors.Catalogue) ([]*cosim.Session, error) {
	sessions, errs := make([]*cosim.Session, len(units)), make([]error, len(units))
	var wg sync.WaitGroup
	for k, u := range units {
		wg.Go(func() { sessions[k], errs[k] = startUnit(ctx, u) })
	}
	wg.Wait()
	err := errors.Join(errs...)
	if err != nil {
		for _, s := range sessions {
			if s != nil {
				_ = s.Close() // the first error says more
			}
		}
	}
	return sessions, err
}

// startUnit joins a unit with its RTL.
func startUnit(ctx context.Context, u vectors.Unit) (*cosim.Session, error) {
	dir, err := os.MkdirTemp("", "goldwire-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) // it is compiled by then
	source := filepath.Join(dir, u.Module()+".v")
	if err := os.WriteFile(source, []byte(u.RTL), 0o644); err != nil {
		return nil, err
	}
	return cosim.Start(ctx, cosim.Options{Unit: u,
		Design: cosim.Design{Sources: []string{source}, Top: u.Module(), Simulator: cosim.Verilator}})
}

// lockstepOf returns the ratios of a few runs, the ratios with a bare model, and the speed in lockstep of the last.
// The runs follow one another: with other units' runs in between, the system gives the RTL's process, which has slept
// long, less of a processor that others want as well.
func lockstepOf(ctx context.Context, s *cosim.Session) (ratios, bare bench.Samples, speed float64, err error) {
	const (
		warmUps = 2
		cycles  = 1 << 15 // of the first of them; each tells how many cycles the next turn takes
		// seconds, beside which building models and resetting the RTL, twelve times in the looks, are little
		long = 50e-3
	)
	// Garbage is collected between the turns: a collector that runs beside model and RTL wants a processor too.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	st := cosim.Stimulus{Cycles: cycles, Seed: 1}
	for turn := range warmUps + bench.Rounds {
		runtime.GC()
		v, err := s.Measure(ctx, st)
		if err != nil {
			return nil, nil, 0, err
		}
		if turn < warmUps {
			st.Cycles = max(cycles, int(long*v.Slower()))
			continue
		}
		ratios, bare, speed = append(ratios, v.Lockstep/v.Slower()), append(bare, v.Lockstep/v.SlowerBare()), v.Lockstep
	}
	return ratios, bare, speed, nil
}

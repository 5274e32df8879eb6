package vectors

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/rtl"
)

// Run is a run of a unit, for [Export].
type Run struct {
	Unit   Unit
	Cycles int // at least 1
	Seed   uint64
	// Inputs, if not nil, fills a row, of which only the inputs count, and drives the unit in place of its own stimulus.
	// It is called once a cycle, from cycle 0.
	Inputs func(row []uint64) bool
}

// between is how many cycles run between looks at the context and at the files: some milliseconds.
const between = 1024

// runCycles runs until the given number of cycles is recorded, row 0 included. It stops early when the context ends or
// check fails.
func (in *Instance) runCycles(ctx context.Context, cycles int, check func() error) error {
	for left := uint64(cycles - 1); ; {
		if err := check(); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if left == 0 {
			return nil
		}
		n := min(left, between)
		if err := in.Run(n); err != nil {
			return err
		}
		left -= n
	}
}

// Export runs a unit for some cycles and writes the set to a directory as it goes, as [Write] does. It returns the
// coverage. It needs disk, but memory does not grow with the cycles. The unit's own stimulus runs in strict mode, as
// in [Capture]. When the context ends, nothing is left of the export, and the earlier contents of the directory stay.
func Export(ctx context.Context, dir string, r Run, formats ...Format) (*Coverage, error) {
	u := r.Unit
	if r.Cycles < 1 {
		return nil, fmt.Errorf("unit %s: export of %d cycles, want at least 1", u.Name, r.Cycles)
	}
	in, err := r.simulate()
	if err != nil {
		return nil, err
	}
	s := in.head(u, r.Seed)
	if err := s.checkHead(); err != nil {
		return nil, fmt.Errorf("export of unit %s: %w", u.Name, err)
	}
	err = s.writeAs(dir, r.Cycles, formats, func(x *export) error {
		cover, err := newCoverer(u, in)
		if err != nil {
			return err
		}
		w := &exporter{in: in, cover: cover, to: x, row: make([]uint64, len(in.Fields))}
		w.Observe(nil)
		in.Observe(w)
		if err := in.runCycles(ctx, r.Cycles, w.failed); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return fmt.Errorf("unit %s, seed %d: %w", u.Name, r.Seed, err)
		}
		s.Coverage = cover.coverage()
		s.Coverage.Resets = len(x.bench.Again)
		return nil
	})
	return s.Coverage, err
}

func (r *Run) simulate() (*Instance, error) {
	if r.Inputs == nil {
		return r.Unit.Simulate(rtl.Config{Mode: rtl.Strict, Seed: r.Seed}, r.Seed)
	}
	return r.Unit.simulate(rtl.Config{}, &Bench{seed: r.Seed, replay: true}, func(scope *rtl.Scope, in *Instance) {
		in.replayed(scope, r.Inputs)
	})
}

// head returns the set of a run without its rows.
func (in *Instance) head(u Unit, seed uint64) *Set {
	return &Set{
		Unit: u.Name, Doc: u.Doc, Ref: u.Ref, Latency: u.Latency, Clock: u.Clock, Clocks: u.Clocks, Seed: seed,
		Fields: in.Fields, Settings: u.Settings, Ready: u.Ready, Once: u.ResetOnce != "",
	}
}

// exporter hands a row to the export at each instant.
type exporter struct {
	in    *Instance
	cover *coverer
	to    *export
	row   []uint64
	err   error // the first row that cannot be written
}

func (w *exporter) Observe(rtl.Edges) {
	if w.err != nil {
		return
	}
	w.in.Row(w.row)
	if w.err = checkRow(w.in.Fields, w.to.rows, w.row); w.err == nil {
		w.to.row(w.row)
		w.cover.step()
	}
}

func (w *exporter) failed() error {
	if w.err != nil {
		return w.err
	}
	return w.to.failed()
}

// CompareDir compares a unit with an exported set as [Compare] does, reading the set as it goes, and returns its
// cycles. The checksum of every file is verified first.
func CompareDir(ctx context.Context, u Unit, dir string) (cycles int, err error) {
	m, s, err := readHead(ctx, dir)
	if err != nil {
		return 0, err
	}
	c := comparer{set: s, cycles: m.Cycles, inputs: func([]uint64) error { return nil }}
	for _, name := range s.hexNames() {
		x, file, err := s.openRows(dir, name, m)
		if err != nil {
			return 0, err
		}
		defer file.Close()
		if name == stimulusName {
			c.inputs = x.readAll
		} else {
			c.outputs = x.readAll
		}
	}
	return m.Cycles, c.run(ctx, u)
}

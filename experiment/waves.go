package experiment

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/goldwire/goldwire/internal/output"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/wave"
)

// Waves is what a run shall record of its simulation.
type Waves struct {
	VCD      string       // a waveform of the run goes to this file, a save file for GTKWave beside it; empty: none
	Options  wave.Options // what the waveform has
	OnFault  string       // the last cycles before the first fault go to this file; empty: none
	Recorded int          // how many cycles those are

	// Grown, if not nil, is called with the size of the waveform when it comes to 256 MB, and each time that it has
	// doubled.
	Grown func(bytes int64)
}

// SaveFile is the path of the waveform's save file for GTKWave: the waveform's with the ending gtkw. It is empty
// without a waveform, and for a device, which gets no such file.
func (w *Waves) SaveFile() string {
	info, err := os.Stat(w.VCD)
	if w.VCD == "" || err == nil && !info.Mode().IsRegular() {
		return ""
	}
	return strings.TrimSuffix(w.VCD, filepath.Ext(w.VCD)) + ".gtkw"
}

// grownFrom is the size of a waveform of which Grown is first told.
const grownFrom = 256 << 20

// growing passes a waveform on to its file and watches its size.
type growing struct {
	to    io.Writer
	bytes int64
	next  int64 // of which it tells
	tell  func(bytes int64)
}

func (g *growing) Write(b []byte) (int, error) {
	n, err := g.to.Write(b)
	if g.bytes += int64(n); g.bytes >= g.next && g.tell != nil {
		g.tell(g.bytes)
		for g.next <= g.bytes {
			g.next *= 2
		}
	}
	return n, err
}

// Watch records what the run's options ask for, of a simulation that is elaborated: a waveform, and the last cycles of
// the clock before faulty first returns true. Faulty is asked after every instant; nil means that nothing is a fault. A
// run that is not asked for waves costs nothing. The waveform appears when the point is finished without an error.
func (r *Run) Watch(sim *rtl.Sim, clk *rtl.Clock, faulty func() bool) error {
	if r.monitor != nil {
		r.monitor.attach(r.watched, sim, clk)
	}
	if r.Waves == nil {
		return nil
	}
	if err := r.waves.open(r.Waves, sim); err != nil {
		return err
	}
	if r.Waves.OnFault == "" {
		return nil
	}
	if faulty == nil && r.monitor != nil && r.monitor.stalls() {
		faulty = func() bool { return false } // it waits for the stall alone
	}
	if faulty == nil {
		return errNoFault(r.Waves.OnFault)
	}
	recorder, err := wave.NewRecorder(sim, clk, r.Waves.Recorded)
	if err != nil {
		return err
	}
	r.waves.recorder = &flightRecorder{path: r.Waves.OnFault, recorder: recorder, faulty: faulty}
	sim.Observe(r.waves.recorder)
	return nil
}

// waveFiles are the files of a run that is under way.
type waveFiles struct {
	path     string
	save     string // of its save file, if it has one
	file     *output.File
	vcd      *wave.VCD
	recorder *flightRecorder
}

func (w *waveFiles) open(waves *Waves, sim *rtl.Sim) error {
	path := waves.VCD
	if path == "" {
		return nil
	}
	save := waves.SaveFile()
	if save == path {
		return fmt.Errorf("%s: its save file for GTKWave has this name: want a waveform with another ending", path)
	}
	f, err := output.Create(path)
	if err != nil {
		return err
	}
	vcd, err := wave.NewVCD(&growing{to: f, next: grownFrom, tell: waves.Grown}, sim, waves.Options)
	if err != nil {
		f.Discard()
		return fmt.Errorf("%s: %w", path, err)
	}
	w.path, w.save, w.file, w.vcd = path, save, f, vcd
	return nil
}

// keep completes the files.
func (w *waveFiles) keep() error {
	if w.recorder != nil && w.recorder.err != nil {
		return w.recorder.err
	}
	if w.vcd == nil {
		return nil
	}
	if err := w.vcd.Close(); err != nil {
		return fmt.Errorf("%s: %w", w.path, err)
	}
	if err := w.file.Commit(); err != nil || w.file.Through() {
		return err // no save file beside a device
	}
	var save strings.Builder
	if err := w.vcd.GTKW(&save, filepath.Base(w.path)); err != nil {
		return err
	}
	return output.WriteFile(w.save, []byte(save.String()))
}

// discard removes the rest.
func (w *waveFiles) discard() {
	if w.file != nil {
		w.file.Discard() // nothing, if it was kept
	}
}

// flightRecorder writes the last cycles before the first fault.
type flightRecorder struct {
	path     string
	recorder *wave.Recorder
	faulty   func() bool
	tripped  bool
	err      error
}

// stalled writes the last cycles of a run in which nothing moves any more, if they are asked for.
func (w *waveFiles) stalled(s *Stalled) error {
	f := w.recorder
	if f == nil || f.tripped {
		return s
	}
	f.tripped = true
	if err := f.recorder.Trip(f.path); err != nil {
		return errors.Join(s, err)
	}
	s.Recorded = f.path
	return s
}

// Observe looks for the fault after each instant.
func (f *flightRecorder) Observe(rtl.Edges) {
	if !f.tripped && f.faulty() {
		f.tripped = true
		f.err = f.recorder.Trip(f.path)
	}
}

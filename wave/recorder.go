package wave

import (
	"fmt"
	"io"
	"slices"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/internal/output"
	"github.com/goldwire/goldwire/rtl"
)

// Recorder is a flight recorder: an observer that keeps the last cycles of one clock in memory, and writes them only
// when asked to. It allocates nothing while it runs.
type Recorder struct {
	sim   *rtl.Sim
	clk   *rtl.Clock
	of    *selection
	vars  []traced // its nets
	ring  []uint64 // rows of len(vars) values
	depth int
	rows  int    // seen in all
	first uint64 // cycle of the first row seen
}

// NewRecorder records the selected signals (all if there are none) for the last depth cycles of a clock. Row 0 is the
// state when it is made.
func NewRecorder(sim *rtl.Sim, clk *rtl.Clock, depth int, include ...string) (*Recorder, error) {
	if depth < 1 {
		return nil, fmt.Errorf("recorder of %d cycles, want at least 1", depth)
	}
	r := &Recorder{sim: sim, clk: clk, depth: depth, first: clk.Cycle(), of: newSelection(Options{Include: include})}
	if err := r.of.add(sim); err != nil {
		return nil, err
	}
	r.vars = r.of.traced
	r.ring = make([]uint64, depth*len(r.vars))
	r.record()
	sim.Observe(r)
	return r, nil
}

// Observe keeps a row if the clock had an edge.
func (r *Recorder) Observe(edges rtl.Edges) {
	if edges.Has(r.clk) {
		r.record()
	}
}

func (r *Recorder) record() {
	row := r.ring[r.rows%r.depth*len(r.vars):][:len(r.vars)]
	for i := range r.vars {
		row[i] = r.vars[i].signal.Value(r.vars[i].leaf)
	}
	r.rows++
}

// Recording is some cycles of some variables.
type Recording struct {
	Clock string
	First uint64     // cycle of the first row
	Vars  []Var      // the scope without "top."
	Rows  [][]uint64 // [cycle][variable]

	Title   string // above the picture of WaveJSON, if it is not empty
	Stretch int    // WaveJSON's hscale, which multiplies the width of the picture's cycles; 0 is 1

	edges *clock.Ruler
	index int

	// The rest of a VCD: inputs, which share the identifiers of the signals that they read. Nil if Vars and Rows are all.
	of  *selection
	all [][]uint64 // [cycle][net]; Rows are the first nets
}

// Recording returns the kept rows, oldest first.
func (r *Recorder) Recording() (*Recording, error) {
	ruler, err := r.sim.Schedule().Ruler(Picoseconds.Unit())
	if err != nil {
		return nil, err
	}
	rec := &Recording{Clock: r.clk.Name(), edges: ruler, index: r.clk.Index(), of: r.of}
	for _, t := range r.vars[:r.of.signals] {
		rec.Vars = append(rec.Vars, variable(t.signal.Module, t.signal.Name, t.signal.Leaves[t.leaf]))
	}
	kept := min(r.rows, r.depth)
	rec.First = r.first + uint64(r.rows-kept)
	for k := r.rows - kept; k < r.rows; k++ {
		row := slices.Clone(r.ring[k%r.depth*len(r.vars):][:len(r.vars)])
		rec.Rows, rec.all = append(rec.Rows, row[:r.of.signals:r.of.signals]), append(rec.all, row)
	}
	return rec, nil
}

// Trip writes the kept rows as a VCD file, complete or not at all.
func (r *Recorder) Trip(path string) error {
	rec, err := r.Recording()
	if err != nil {
		return err
	}
	return output.Write(path, rec.WriteVCD)
}

// WriteVCD writes the recording, in ps, at its true times.
func (rec *Recording) WriteVCD(w io.Writer) error {
	vars := []Var{{"top", rec.Clock, 1}}
	shown, rows, nets := rec.Vars, rec.Rows, []int{0}
	if rec.of != nil {
		shown, rows = rec.of.shown, rec.all
	}
	for i, v := range shown {
		vars = append(vars, Var{"top." + v.Scope, v.Name, v.Width})
		if rec.of != nil {
			i = rec.of.nets[i]
		}
		nets = append(nets, 1+i)
	}
	out, err := newWriter(w, Picoseconds, vars, nets)
	if err != nil {
		return err
	}
	var end uint64
	for k, row := range rows {
		cycle := rec.First + uint64(k)
		rise := rec.edges.Edge(rec.index, cycle)
		if k == 0 {
			out.Begin(rise, append([]uint64{min(cycle, 1)}, row...))
		} else {
			out.At(rise)
			out.Change(0, 1)
			for i, v := range row {
				if v != rows[k-1][i] {
					out.Change(i+1, v)
				}
			}
		}
		end = rec.edges.Fall(rec.index, cycle)
		if cycle > 0 {
			out.At(end)
			out.Change(0, 0)
		}
	}
	return out.Close(end + 1)
}

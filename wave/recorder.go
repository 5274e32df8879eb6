package wave

import (
	"fmt"
	"io"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/output"
	"github.com/goldwire/goldwire/rtl"
)

// Recorder is a flight recorder: an observer that keeps the last cycles of one clock in memory, and writes them only when
// asked to. It allocates nothing while it runs.
type Recorder struct {
	sim   *rtl.Sim
	clk   *rtl.Clock
	vars  []traced
	ring  []uint64 // rows of len(vars) values
	depth int
	rows  int    // seen in all
	first uint64 // cycle of the first row seen
}

// NewRecorder records the selected signals (all if there are none) for the last depth cycles of a clock. Row 0 is the state
// when it is made.
func NewRecorder(sim *rtl.Sim, clk *rtl.Clock, depth int, include ...string) (*Recorder, error) {
	if depth < 1 {
		return nil, fmt.Errorf("recorder of %d cycles, want at least 1", depth)
	}
	r := &Recorder{sim: sim, clk: clk, depth: depth, first: clk.Cycle()}
	var err error
	if r.vars, err = selectSignals(sim, Options{Include: include}); err != nil {
		return nil, err
	}
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
	Stretch int    // WaveJSON's hscale: the factor by which the picture's cycles are wider; 0 is 1

	edges *clock.Ruler
	index int
}

// Recording returns what is kept, oldest first.
func (r *Recorder) Recording() (*Recording, error) {
	ruler, err := r.sim.Schedule().Ruler(Picoseconds.Unit())
	if err != nil {
		return nil, err
	}
	rec := &Recording{Clock: r.clk.Name(), edges: ruler, index: r.clk.Index()}
	for _, t := range r.vars {
		v := t.declare()
		v.Scope = t.signal.Module
		rec.Vars = append(rec.Vars, v)
	}
	kept := min(r.rows, r.depth)
	rec.First = r.first + uint64(r.rows-kept)
	for k := r.rows - kept; k < r.rows; k++ {
		rec.Rows = append(rec.Rows, append([]uint64(nil), r.ring[k%r.depth*len(r.vars):][:len(r.vars)]...))
	}
	return rec, nil
}

// Trip writes what is kept as a VCD file, complete or not at all.
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
	for _, v := range rec.Vars {
		vars = append(vars, Var{"top." + v.Scope, v.Name, v.Width})
	}
	out, err := NewWriter(w, Picoseconds, vars)
	if err != nil {
		return err
	}
	var end uint64
	for k, row := range rec.Rows {
		cycle := rec.First + uint64(k)
		rise := rec.edges.Edge(rec.index, cycle)
		if k == 0 {
			out.Begin(rise, append([]uint64{min(cycle, 1)}, row...))
		} else {
			out.At(rise)
			out.Change(0, 1)
			for i, v := range row {
				if v != rec.Rows[k-1][i] {
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

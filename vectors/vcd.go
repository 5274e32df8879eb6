package vectors

import (
	"fmt"
	"io"
	"slices"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/wave"
)

// WriteVCD writes the set as a waveform of the exported testbench with a right module in it: the scope MODULE_tb.dut
// has clk, rst and all fields. Inputs change at the falling edge, registers at the rising one, so any simulator can
// replay it. Yosys does with
//
//	sim -r MODULE.vcd -scope MODULE_tb.dut -clock clk -sim-cmp MODULE
//
// A module with combinational outputs is shown with its inputs changing at the rising edge too, as registers that feed
// them would: what the outputs are between the edges no row says. It wants -sim-gate in place of -sim-cmp, because
// outputs are x before the first edge, and only Yosys knows which bits of them are not.
func (s *Set) WriteVCD(w io.Writer) error {
	if err := s.check(); err != nil {
		return err
	}
	v, err := newVCDWriter(w, s)
	if err != nil {
		return err
	}
	for _, row := range s.Rows {
		v.row(row)
	}
	return v.end()
}

// vcdWriter writes a waveform row by row.
type vcdWriter struct {
	fields       []Field
	out          *wave.Writer
	ruler        *clock.Ruler
	drivenAtRise bool
	last         []uint64 // by variable
	unknown      []bool
	edge         uint64 // the latest, 0 before the first row
}

// The variables of the waveform: clock and reset, then the fields.
const (
	vcdClk = iota
	vcdRst
	vcdFirst
)

// newVCDWriter looks at the set's fields, not at its rows.
func newVCDWriter(w io.Writer, s *Set) (*vcdWriter, error) {
	if len(s.Clocks) > 0 {
		return nil, fmt.Errorf("waveform of a set with %d clocks, want one", len(s.Clocks))
	}
	schedule, err := clock.NewSchedule(clock.Spec{Name: "clk", Freq: s.Clock})
	if err != nil {
		return nil, err
	}
	ruler, err := schedule.Ruler(wave.Picoseconds.Unit())
	if err != nil {
		return nil, err
	}
	scope := s.module() + "_tb.dut"
	vars := []wave.Var{{Scope: scope, Name: "clk", Width: 1}, {Scope: scope, Name: "rst", Width: 1}}
	unknown := []bool{false, false}
	for _, f := range s.Fields {
		vars = append(vars, wave.Var{Scope: scope, Name: f.Name, Width: f.Width})
		unknown = append(unknown, f.Dir == rtl.Output)
	}
	out, err := wave.NewWriter(w, wave.Picoseconds, vars)
	return &vcdWriter{fields: s.Fields, out: out, ruler: ruler, drivenAtRise: s.combinational(), unknown: unknown}, err
}

// row writes a row's edge. Edge k of the file is the k-th rising one from 1; those up to ResetCycles see rst high with
// the inputs of row 0, and row r stands from edge ResetCycles + r on.
func (v *vcdWriter) row(row []uint64) {
	edges := 1
	if v.edge == 0 {
		v.last = append([]uint64{0, 1}, row...)
		v.out.BeginUnknown(0, v.last, v.unknown)
		edges = ResetCycles
	}
	for range edges {
		v.edge++
		v.out.At(v.ruler.Edge(0, v.edge))
		v.change(vcdClk, 1)
		v.show(rtl.Output, row)
		if v.drivenAtRise {
			v.inputs(row)
		}
		v.out.At(v.ruler.Fall(0, v.edge))
		v.change(vcdClk, 0)
		v.inputs(row) // nothing is left to change if they have
	}
}

func (v *vcdWriter) inputs(row []uint64) {
	if v.edge >= ResetCycles {
		v.change(vcdRst, 0)
	}
	v.show(rtl.Input, row)
}

func (v *vcdWriter) show(dir rtl.Direction, row []uint64) {
	for i, f := range v.fields {
		if f.Dir == dir {
			v.change(vcdFirst+i, row[i])
		}
	}
}

func (v *vcdWriter) change(i int, value uint64) {
	if v.last[i] != value || v.unknown[i] {
		v.last[i], v.unknown[i] = value, false
		v.out.Change(i, value)
	}
}

func (v *vcdWriter) end() error { return v.out.Close(v.ruler.Fall(0, v.edge) + 1) }

// combinational tells whether an output follows the inputs without a register.
func (s *Set) combinational() bool {
	return slices.ContainsFunc(s.Fields, func(f Field) bool { return f.Dir == rtl.Output && f.Kind == rtl.Combinational })
}

package vectors

import (
	"io"
	"slices"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/wave"
)

// WriteVCD writes the set as a waveform of the exported testbench with a right module in it: the scope MODULE_tb.dut has clk,
// rst and all fields. Inputs change at the falling edge, registers at the rising one, so any simulator can replay it. Yosys
// does with
//
//	sim -r MODULE.vcd -scope MODULE_tb.dut -clock clk -sim-cmp MODULE
//
// A module with combinational outputs is shown with its inputs changing at the rising edge too, as registers that feed them
// would: what the outputs are between the edges no row says. It wants -sim-gate in place of -sim-cmp, because outputs are x
// before the first edge, and only Yosys knows which bits of them are not.
func (s *Set) WriteVCD(w io.Writer) error {
	if err := s.check(); err != nil {
		return err
	}
	schedule, err := clock.NewSchedule(clock.Spec{Name: "clk", Freq: s.Clock})
	if err != nil {
		return err
	}
	ruler, err := schedule.Ruler(wave.Picoseconds.Unit())
	if err != nil {
		return err
	}
	scope := s.module() + "_tb.dut"
	vars := []wave.Var{{Scope: scope, Name: "clk", Width: 1}, {Scope: scope, Name: "rst", Width: 1}}
	for _, f := range s.Fields {
		vars = append(vars, wave.Var{Scope: scope, Name: f.Name, Width: f.Width})
	}
	out, err := wave.NewWriter(w, wave.Picoseconds, vars)
	if err != nil {
		return err
	}
	const clk, rst, first = 0, 1, 2
	drivenAtRise := s.combinational()
	last := append([]uint64{0, 1}, s.Rows[0]...)
	unknown := make([]bool, len(vars))
	for i, f := range s.Fields {
		unknown[first+i] = f.Dir == rtl.Output
	}
	change := func(v int, value uint64) {
		if last[v] != value || unknown[v] {
			last[v], unknown[v] = value, false
			out.Change(v, value)
		}
	}
	// Edge k of the file is the k-th rising one from 1; those up to ResetCycles see rst high, and row r stands from edge
	// ResetCycles + r on.
	out.BeginUnknown(0, last, unknown)
	for edge := uint64(1); edge < uint64(ResetCycles+len(s.Rows)); edge++ {
		row := s.Rows[max(0, int(edge)-ResetCycles)]
		outputs := func() {
			for i, f := range s.Fields {
				if f.Dir == rtl.Output {
					change(first+i, row[i])
				}
			}
		}
		inputs := func() {
			if edge >= ResetCycles {
				change(rst, 0)
			}
			for i, f := range s.Fields {
				if f.Dir == rtl.Input {
					change(first+i, row[i])
				}
			}
		}
		out.At(ruler.Edge(0, edge))
		change(clk, 1)
		outputs()
		if drivenAtRise {
			inputs()
		}
		out.At(ruler.Fall(0, edge))
		change(clk, 0)
		inputs() // nothing is left to change if they have
	}
	return out.Close(ruler.Fall(0, uint64(ResetCycles+len(s.Rows)-1)) + 1)
}

// combinational tells whether an output follows the inputs without a register.
func (s *Set) combinational() bool {
	return slices.ContainsFunc(s.Fields, func(f Field) bool { return f.Dir == rtl.Output && f.Kind == rtl.Combinational })
}

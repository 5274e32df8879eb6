package cosim

import (
	"fmt"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/vectors"
)

// Stimulus is what drives the model, and so the RTL.
type Stimulus struct {
	// Cycles is how many cycles are compared; 0 for as many as there are Rows.
	Cycles int
	// Seed is that of the unit's own drivers, if there are no Rows.
	Seed uint64
	// Rows, if not nil, are the inputs of each cycle: rows of the unit's fields, of which only the inputs count.
	Rows [][]uint64
}

func (st Stimulus) cycles() int {
	if st.Cycles == 0 {
		return len(st.Rows)
	}
	return st.Cycles
}

// model is the unit, running on a stimulus.
type model struct {
	in      *vectors.Instance
	row     []uint64
	started bool
	inputs  []int
	outputs []int
}

// model builds the unit. Inputs that the map holds have their value there in place of the stimulus's.
func (s *view) model(st Stimulus) (*model, error) {
	m := &model{row: make([]uint64, len(s.fields)), inputs: s.inputs, outputs: s.outputs}
	hold := func(row []uint64) {
		for _, h := range s.held {
			row[h.column] = h.value
		}
	}
	var err error
	switch {
	case st.Rows != nil:
		k := 0
		m.in, err = s.unit.SimulateFrom(rtl.Config{}, func(row []uint64) bool {
			if k == len(st.Rows) {
				return false
			}
			copy(row, st.Rows[k])
			hold(row)
			k++
			return true
		})
	case len(s.held) > 0:
		var drivers *vectors.Instance
		if drivers, err = s.unit.Simulate(rtl.Config{}, st.Seed); err != nil {
			return nil, err
		}
		started := false
		m.in, err = s.unit.SimulateFrom(rtl.Config{}, func(row []uint64) bool {
			if started {
				_ = drivers.Clock.Run(1) // fast mode has no faults
			}
			started = true
			drivers.Row(row)
			hold(row)
			return true
		})
	default:
		m.in, err = s.unit.Simulate(rtl.Config{}, st.Seed)
	}
	if err != nil {
		return nil, err
	}
	if len(m.in.Fields) != len(s.fields) {
		return nil, fmt.Errorf("unit %s: %d fields, at its start it had %d", s.unit.Name, len(m.in.Fields), len(s.fields))
	}
	return m, nil
}

// next runs one cycle and leaves its values in row.
func (m *model) next() error {
	if m.started {
		if err := m.in.Clock.Run(1); err != nil {
			return err
		}
	}
	m.started = true
	m.in.Row(m.row)
	return nil
}

// fill runs so many cycles, and writes their inputs and outputs.
func (m *model) fill(in, want []uint64, rows int) error {
	ni, no := len(m.inputs), len(m.outputs)
	for k := range rows {
		if err := m.next(); err != nil {
			return err
		}
		for i, c := range m.inputs {
			in[k*ni+i] = m.row[c]
		}
		for i, c := range m.outputs {
			want[k*no+i] = m.row[c]
		}
	}
	return nil
}

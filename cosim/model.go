package cosim

import (
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/goldwire/goldwire/rtl"
	"github.com/goldwire/goldwire/rtl/layout"
	"github.com/goldwire/goldwire/vectors"
)

// Stimulus drives the model, and so the RTL.
type Stimulus struct {
	// Cycles is how many cycles are run; 0 for as many as there are Rows.
	Cycles int
	// Seed is the seed of the unit's own drivers, if there are no Rows.
	Seed uint64
	// Rows, if not nil, are the inputs of each cycle: rows of the unit's fields, of which the inputs count, and the
	// outputs that are a handshake's ready.
	Rows [][]uint64

	exact bool // the rows are what the map asks for: nothing is left out of them

	edit func(row []uint64) // if not nil, changes each row

	// After the last cycle rest, if not nil, makes each further row from the one before.
	rest func(row []uint64)
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
	ins     layout.Rows
	outs    layout.Rows
	err     error // of the driver

	ended bool // the driver has nothing more

	// the fields read in each cycle, if nothing else looks at the row
	direct              bool
	ofInputs, ofOutputs layout.Writer

	ahead [][]uint64 // inputs of the cycles that the RTL has still to see: the model is as many ahead
	at    int
}

// model builds the unit. Cycles whose inputs are not as the map holds them are left out.
func (s *view) model(st Stimulus) (*model, error) {
	m := &model{row: make([]uint64, len(s.fields)), inputs: s.inputs, outputs: s.outputs, ins: s.in, outs: s.out}
	var err error
	restrict := len(s.held) > 0 && (st.Rows == nil || !st.exact)
	if st.Rows == nil && !restrict && st.rest == nil && st.edit == nil {
		m.in, err = s.unit.Simulate(rtl.Config{}, st.Seed)
	} else {
		next := rowsOf(st.Rows)
		if st.Rows == nil {
			drivers, err := s.unit.Simulate(rtl.Config{}, st.Seed)
			if err != nil {
				return nil, err
			}
			next = rowsDriven(drivers)
		}
		if restrict {
			r := s.restricted(next, m)
			r.own = st.Rows == nil
			next = func(row []uint64) bool {
				m.ended = m.ended || !r.next(row)
				return !m.ended
			}
		}
		if st.rest != nil {
			clocks, err := s.clocksOf()
			if err != nil {
				return nil, err
			}
			next = rowsAfter(next, st.cycles(), st.rest, clocks)
		}
		if source := next; st.edit != nil {
			next = func(row []uint64) bool {
				more := source(row)
				st.edit(row)
				return more
			}
		}
		m.in, err = s.unit.SimulateFrom(rtl.Config{}, next)
	}
	if err == nil {
		err = m.err
	}
	if err != nil {
		return nil, err
	}
	if len(m.in.Fields) != len(s.fields) {
		return nil, fmt.Errorf("unit %s: %d fields, at its start it had %d", s.unit.Name, len(m.in.Fields), len(s.fields))
	}
	if m.direct = !restrict && s.lead == 0 && len(s.unit.Clocks) == 0; m.direct {
		m.ofInputs, m.ofOutputs = m.in.Writer(s.in, s.inputs), m.in.Writer(s.out, s.outputs)
	}
	for range s.lead {
		if err := m.next(); err != nil {
			return nil, err
		}
		m.ahead = append(m.ahead, m.pick(nil, m.inputs))
	}
	return m, nil
}

// rowsOf hands rows out one by one.
func rowsOf(rows [][]uint64) func(row []uint64) bool {
	k := 0
	return func(row []uint64) bool {
		if k == len(rows) {
			return false
		}
		copy(row, rows[k])
		k++
		return true
	}
}

// rowsDriven hands out the rows that a unit's own drivers make.
func rowsDriven(drivers *vectors.Instance) func(row []uint64) bool {
	started := false
	return func(row []uint64) bool {
		if started {
			_ = drivers.Run(1) // fast mode has no faults
		}
		started = true
		drivers.Row(row)
		return true
	}
}

// rowsAfter returns a source's rows for the first cycles, and rest's rows after them. Function clocks sets the clock
// fields of every row.
func rowsAfter(source func(row []uint64) bool, cycles int, rest, clocks func(row []uint64)) func(row []uint64) bool {
	k := 0
	return func(row []uint64) bool {
		if k++; k > cycles {
			rest(row)
		} else {
			source(row) // at its end the row stays
		}
		clocks(row)
		return true
	}
}

// clocksOf returns a function that sets the clock fields of the next row: 1 for each clock that rises at the row's end,
// by the unit's frequencies.
func (s *view) clocksOf() (func(row []uint64), error) {
	if len(s.unit.Clocks) == 0 {
		return func([]uint64) {}, nil
	}
	own, err := s.unit.Simulate(rtl.Config{}, 0)
	if err != nil {
		return nil, err
	}
	next, mine := rowsDriven(own), make([]uint64, len(s.fields))
	return func(row []uint64) {
		next(mine)
		for c, f := range s.fields {
			if f.Clock {
				row[c] = mine[c]
			}
		}
	}, nil
}

// withoutLead returns a view whose model is not ahead of the RTL.
func (s *view) withoutLead() *view {
	plain := *s
	plain.lead = 0
	return &plain
}

// exact returns the stimulus without the cycles that the map leaves out, as rows that need no more of it.
func (s *view) exact(st Stimulus) (Stimulus, error) {
	if st.Rows == nil || st.exact || len(s.held) == 0 {
		return st, nil
	}
	m, err := s.withoutLead().model(Stimulus{Rows: st.Rows})
	if err != nil {
		return st, err
	}
	var rows [][]uint64
	for range st.cycles() {
		if err := m.next(); err != nil {
			return st, err
		}
		if m.ended {
			break
		}
		rows = append(rows, slices.Clone(m.row))
	}
	if len(rows) == 0 {
		return st, fmt.Errorf("without: %s: no cycle of the stimulus has it", s.heldText())
	}
	return Stimulus{Rows: rows, Seed: st.Seed, exact: true}, nil
}

// next runs one cycle and leaves its values in row.
func (m *model) next() error {
	if m.started {
		if err := m.in.Run(1); err != nil {
			return err
		}
	}
	m.started = true
	m.in.Row(m.row)
	return m.err
}

// panicked is a model that panics: its earlier cycles are compared first.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("the model panicked: %v", p.value) }

// caught makes an error of a panic.
func caught(run func() error) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = &panicked{x, debug.Stack()}
		}
	}()
	return run()
}

// pick appends the values of some columns.
func (m *model) pick(dst []uint64, columns []int) []uint64 {
	for _, c := range columns {
		dst = append(dst, m.row[c])
	}
	return dst
}

// fill runs a cycle for each of the rows, and writes the inputs that the RTL gets and the outputs it is compared with.
func (m *model) fill(in, want []byte, rows int) error {
	if m.direct {
		return m.fillDirect(in, want, rows)
	}
	for k := range rows {
		if err := m.next(); err != nil {
			return err
		}
		for o, c := range m.outputs {
			m.outs.Put(want, k, o, m.row[c])
		}
		if len(m.ahead) == 0 {
			for i, c := range m.inputs {
				m.ins.Put(in, k, i, m.row[c])
			}
			continue
		}
		for i, x := range m.ahead[m.at] {
			m.ins.Put(in, k, i, x)
		}
		m.ahead[m.at] = m.pick(m.ahead[m.at][:0], m.inputs)
		m.at = (m.at + 1) % len(m.ahead)
	}
	return nil
}

// fillDirect is fill without a row between.
func (m *model) fillDirect(in, want []byte, rows int) error {
	read := func() {
		m.ofInputs.Write(in)
		m.ofOutputs.Write(want)
		in, want = in[m.ins.Bytes:], want[m.outs.Bytes:]
	}
	if !m.started && rows > 0 {
		read()
		m.started, rows = true, rows-1
	}
	return m.in.Clock.RunEach(uint64(rows), read)
}

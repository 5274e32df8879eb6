package vectors

import (
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/rtl"
)

// Set is a captured run: every field of a unit's module at every cycle.
type Set struct {
	Unit    string // its name
	Doc     string
	Ref     string
	Latency int // cycles, as the unit declares it
	Clock   clock.Freq
	Seed    uint64 // of the stimulus
	Fields  []Field
	Rows    [][]uint64 // [cycle][field]

	Clocks   []UnitClock       // of a unit that has several; Clock is the first's
	Settings Settings          // of all parameters of the unit
	Ready    map[string]string // the unit's handshakes: see [Unit]; nil in a set that was read
	Once     bool              // the reset must not come again: see [Unit.ResetOnce]
	Coverage *Coverage         // of the model in this run; nil if it is not known
	Mutants  *Mutants          // that the rows show; nil if it is not known

	// Readme stands in README.txt, in place of the testbench and the module's declaration, if it is not empty: RTL that
	// keeps a pace of its own would fail that testbench.
	Readme string
}

// ResetCycles is how many rising edges the exported testbench holds rst high for.
const ResetCycles = 4

// Further resets of an exported run, and how many rows follow each at most.
const (
	furtherResets = 2
	mostAgain     = 512
)

// again is how many of the first rows an exported testbench runs once more, after each further reset. The RTL is in the
// middle of things then; the rows follow the first reset, since a reset leaves nothing of the rows before.
func (s *Set) again(cycles int) (rows []int) {
	if s.Once {
		return nil
	}
	rng := rand.New(rand.NewPCG(s.Seed, uint64(cycles)))
	for range furtherResets {
		rows = append(rows, 1+rng.IntN(min(cycles, mostAgain)))
	}
	return rows
}

// Capture runs a unit for the given number of cycles, at least 1, and records them. It runs in strict mode, so that
// nothing that strict mode finds fault with is ever handed over. It holds all rows in memory; [Export] writes them as
// it goes.
func Capture(u Unit, cycles int, seed uint64) (*Set, error) {
	if cycles < 1 {
		return nil, fmt.Errorf("unit %s: capture of %d cycles, want at least 1", u.Name, cycles)
	}
	in, err := u.Simulate(rtl.Config{Mode: rtl.Strict, Seed: seed}, seed)
	if err != nil {
		return nil, err
	}
	s := in.head(u, seed)
	if s.Rows, s.Coverage, err = in.record(u, cycles); err != nil {
		return nil, fmt.Errorf("unit %s, seed %d: %w", u.Name, seed, err)
	}
	s.Coverage.Resets = len(s.again(cycles))
	return s, nil
}

// record runs the instance from its reset state on.
func (in *Instance) record(u Unit, cycles int) ([][]uint64, *Coverage, error) {
	cover, err := newCoverer(u, in)
	if err != nil {
		return nil, nil, err
	}
	r := &recorder{in: in, cover: cover}
	r.Observe(nil)
	in.Observe(r)
	if err := in.Run(uint64(cycles - 1)); err != nil {
		return nil, nil, err
	}
	return r.rows, cover.coverage(), checkRows(in.Fields, r.rows)
}

// checkRows wants a value of the declared width for every field in every row.
func checkRows(fields []Field, rows [][]uint64) error {
	for k, row := range rows {
		if err := checkRow(fields, k, row); err != nil {
			return err
		}
	}
	return nil
}

func checkRow(fields []Field, k int, row []uint64) error {
	if len(row) != len(fields) {
		return fmt.Errorf("row %d has %d values, want one for each of the %d fields", k, len(row), len(fields))
	}
	for i, f := range fields {
		if row[i] > f.max() {
			return fmt.Errorf("cycle %d field %s: %#x has more than %d bits", k, f.Name, row[i], f.Width)
		}
	}
	return nil
}

func (f Field) max() uint64 { return ^uint64(0) >> (64 - f.Width) }

// recorder appends a row at each instant.
type recorder struct {
	in    *Instance
	cover *coverer
	rows  [][]uint64
}

func (r *recorder) Observe(rtl.Edges) {
	row := make([]uint64, len(r.in.Fields))
	r.in.Row(row)
	r.rows = append(r.rows, row)
	r.cover.step()
}

// Column returns the index of the field of that name, -1 if there is none.
func (s *Set) Column(name string) int {
	for i, f := range s.Fields {
		if f.Name == name {
			return i
		}
	}
	return -1
}

// masks returns for each field the column of its valid bit, -1 if it always counts.
func (s *Set) masks() []int {
	m := make([]int, len(s.Fields))
	for i, f := range s.Fields {
		m[i] = s.Column(f.Valid)
	}
	return m
}

// check wants a set that can be written, or that was read whole.
func (s *Set) check() error {
	if err := s.checkHead(); err != nil {
		return err
	}
	if len(s.Rows) == 0 {
		return fmt.Errorf("no rows, want at least 1")
	}
	return checkRows(s.Fields, s.Rows)
}

// checkHead looks at all but the rows.
func (s *Set) checkHead() error {
	if err := checkUnitName(s.Unit); err != nil {
		return err
	}
	if err := checkLine("doc", s.Doc); err != nil {
		return err
	}
	if err := checkLine("ref", s.Ref); err != nil {
		return err
	}
	if s.Latency < 0 {
		return fmt.Errorf("latency %d, want at least 0", s.Latency)
	}
	if (s.Clock == clock.Freq{}) {
		return fmt.Errorf("the clock has no frequency")
	}
	if err := s.checkClocks(); err != nil {
		return err
	}
	return checkFields(s.Fields)
}

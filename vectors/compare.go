package vectors

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/rtl"
)

// Mismatch is the first difference between a set and a run.
type Mismatch struct {
	Unit      string
	Cycle     int
	Field     Field
	Want, Got uint64
}

func (m *Mismatch) Error() string {
	return fmt.Sprintf("unit %s: cycle %d field %s wanted %s got %s",
		m.Unit, m.Cycle, m.Field.Name, hexValue(m.Want, m.Field.Width), hexValue(m.Got, m.Field.Width))
}

// Compare drives the inputs of a set into the unit and compares the outputs that count. The error is a *Mismatch if
// they differ, another one if the unit does not have the set's fields.
func Compare(u Unit, s *Set) error {
	if err := s.check(); err != nil {
		return fmt.Errorf("replay of a set of unit %s: %w", s.Unit, err)
	}
	c := comparer{set: s, cycles: len(s.Rows), inputs: copyRows(s.Rows), outputs: copyRows(s.Rows)}
	return c.run(context.Background(), u)
}

// copyRows hands out rows one by one.
func copyRows(rows [][]uint64) func(row []uint64) error {
	next := rowsOf(rows)
	return func(row []uint64) error { next(row); return nil }
}

// comparer runs a unit beside the rows of a set, which come one by one.
type comparer struct {
	set     *Set
	cycles  int
	inputs  func(row []uint64) error // fills the inputs of the next row
	outputs func(row []uint64) error // the outputs

	in        *Instance
	masks     []int
	want, got []uint64
	driven    int   // rows of inputs so far
	compared  int   // rows
	err       error // the first mismatch, or what cannot be read
}

// run returns the first mismatch, or what kept it from comparing.
func (c *comparer) run(ctx context.Context, u Unit) error {
	if err := c.set.isOf(u); err != nil {
		return err
	}
	var faulty, err error
	c.in, err = u.simulate(rtl.Config{}, &Bench{seed: c.set.Seed, replay: true}, func(scope *rtl.Scope, in *Instance) {
		if faulty = sameFields(in.Fields, c.set.Fields); faulty == nil {
			in.replayed(scope, c.drive)
		}
	})
	if faulty != nil {
		return fmt.Errorf("unit %s: %w", u.Name, faulty)
	}
	if err != nil {
		return err
	}
	c.masks, c.want, c.got = c.set.masks(), make([]uint64, len(c.set.Fields)), make([]uint64, len(c.set.Fields))
	c.Observe(nil)
	c.in.Observe(c)
	if err := c.in.runCycles(ctx, c.cycles, func() error { return c.err }); err != nil {
		return err
	}
	if c.compared != c.cycles {
		return fmt.Errorf("unit %s: %d rows compared, want %d", u.Name, c.compared, c.cycles)
	}
	return nil
}

// drive fills the inputs of the next row.
func (c *comparer) drive(row []uint64) bool {
	if c.err != nil || c.driven == c.cycles {
		return false
	}
	c.driven++
	c.err = c.inputs(row)
	return c.err == nil
}

// Observe compares the outputs of the next row.
func (c *comparer) Observe(rtl.Edges) {
	if c.err != nil {
		return
	}
	if c.err = c.outputs(c.want); c.err != nil {
		return
	}
	c.in.Row(c.got)
	for i, f := range c.set.Fields {
		if f.Dir == rtl.Output && c.want[i] != c.got[i] && (c.masks[i] < 0 || c.want[c.masks[i]] == 1) {
			c.err = &Mismatch{Unit: c.set.Unit, Cycle: c.compared, Field: f, Want: c.want[i], Got: c.got[i]}
			return
		}
	}
	c.compared++
}

// isOf wants a set of the unit at its parameters. A set that records none is of any: it was made before the unit had
// them.
func (s *Set) isOf(u Unit) error {
	switch {
	case s.Unit != u.Name:
		return fmt.Errorf("unit %s: the set is one of unit %s", u.Name, s.Unit)
	case len(s.Settings) > 0 && !s.Settings.equal(u.Settings):
		return fmt.Errorf("unit %s at %v: the set is one at %v", u.Name, u.Settings, s.Settings)
	}
	return nil
}

// Replay drives the inputs of a set into the unit, in place of its own drivers, and returns the set with the outputs
// that the unit gives.
func Replay(u Unit, s *Set) (*Set, error) {
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("replay of a set of unit %s: %w", s.Unit, err)
	}
	if err := s.isOf(u); err != nil {
		return nil, err
	}
	var faulty error
	in, err := u.simulate(rtl.Config{}, &Bench{seed: s.Seed, replay: true}, func(scope *rtl.Scope, in *Instance) {
		if faulty = sameFields(in.Fields, s.Fields); faulty == nil {
			in.replayed(scope, rowsOf(s.Rows))
		}
	})
	if faulty != nil {
		return nil, fmt.Errorf("unit %s: %w", u.Name, faulty)
	}
	if err != nil {
		return nil, err
	}
	out := *s
	if out.Rows, out.Coverage, err = in.record(u, len(s.Rows)); err != nil {
		return nil, fmt.Errorf("unit %s: %w", u.Name, err)
	}
	out.Coverage.Resets = len(out.again(len(out.Rows)))
	return &out, nil
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

// sameFields returns an error unless the module's fields are the set's. Valid conditions may differ: the set's apply.
func sameFields(module, set []Field) error {
	for i := range max(len(module), len(set)) {
		switch {
		case i >= len(module):
			return fmt.Errorf("the set has a field %s, which the module does not have", set[i].Name)
		case i >= len(set):
			return fmt.Errorf("the module has a field %s, which the set does not have", module[i].Name)
		}
		m, s := module[i], set[i]
		if m.Name != s.Name || m.Dir != s.Dir || m.Width != s.Width || m.Clock != s.Clock {
			return fmt.Errorf("field %d of the module is %v %s of %d bits, of the set %v %s of %d bits",
				i, m.Dir, m.Name, m.Width, s.Dir, s.Name, s.Width)
		}
	}
	return nil
}

// SimulateFrom builds the unit with its inputs driven from rows, in place of its own drivers. Next fills a row, of
// which only the inputs count; it is called once a cycle, the first time for cycle 0, until it returns false: then the
// inputs stay.
func (u Unit) SimulateFrom(cfg rtl.Config, next func(row []uint64) bool) (*Instance, error) {
	return u.simulate(cfg, &Bench{replay: true}, func(scope *rtl.Scope, in *Instance) {
		in.replayed(scope, next)
	})
}

// replay is the one driver of all inputs of a module.
type replay struct {
	Feeds []rtl.Feed

	from []column // [leaf of all inputs]
	next func(row []uint64) bool
	row  []uint64
	done bool
}

// column says which leaf of which feed a column of the rows drives.
type column struct{ feed, leaf, index int }

func newReplay(ports []rtl.PortInfo, fields int, next func(row []uint64) bool) *replay {
	r := &replay{next: next, row: make([]uint64, fields)}
	var inputs []*rtl.PortInfo
	index := 0
	for i := range ports {
		p := &ports[i]
		for l := range p.Leaves {
			if p.Dir == rtl.Input {
				r.from = append(r.from, column{len(inputs), l, index})
			}
			index++
		}
		if p.Dir == rtl.Input {
			inputs = append(inputs, p)
		}
	}
	r.Feeds = make([]rtl.Feed, len(inputs))
	for i, p := range inputs {
		r.Feeds[i].Replace(p)
	}
	return r
}

func (r *replay) Reset() { r.Tick() }

func (r *replay) Tick() {
	if r.done = r.done || !r.next(r.row); r.done {
		return
	}
	for _, c := range r.from {
		r.Feeds[c.feed].SetLeaf(c.leaf, r.row[c.index])
	}
}

package vectors

import (
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

// Compare drives the inputs of a set into the unit and compares the outputs that count. The error is a *Mismatch if they
// differ, another one if the unit does not have the set's fields.
func Compare(u Unit, s *Set) error {
	got, err := Replay(u, s)
	if err != nil {
		return err
	}
	masks := s.masks()
	for k, want := range s.Rows {
		for i, f := range s.Fields {
			if f.Dir == rtl.Output && want[i] != got.Rows[k][i] && (masks[i] < 0 || want[masks[i]] == 1) {
				return &Mismatch{Unit: u.Name, Cycle: k, Field: f, Want: want[i], Got: got.Rows[k][i]}
			}
		}
	}
	return nil
}

// Replay drives the inputs of a set into the unit, in place of its own drivers, and returns the set with the outputs that
// the unit gives.
func Replay(u Unit, s *Set) (*Set, error) {
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("replay of a set of unit %s: %w", s.Unit, err)
	}
	if s.Unit != u.Name {
		return nil, fmt.Errorf("unit %s: the set is one of unit %s", u.Name, s.Unit)
	}
	var faulty error
	in, err := u.simulate(rtl.Config{}, &Bench{seed: s.Seed, replay: true}, func(scope *rtl.Scope, in *Instance) {
		if faulty = sameFields(in.Fields, s.Fields); faulty == nil {
			scope.Add("replay", newReplay(in.ports, len(in.Fields), rowsOf(s.Rows)))
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

// sameFields wants the module's fields to be those of the set. What counts when is the set's to say.
func sameFields(module, set []Field) error {
	for i := range max(len(module), len(set)) {
		switch {
		case i >= len(module):
			return fmt.Errorf("the set has a field %s, which the module does not have", set[i].Name)
		case i >= len(set):
			return fmt.Errorf("the module has a field %s, which the set does not have", module[i].Name)
		}
		m, s := module[i], set[i]
		if m.Name != s.Name || m.Dir != s.Dir || m.Width != s.Width {
			return fmt.Errorf("field %d of the module is %v %s of %d bits, of the set %v %s of %d bits",
				i, m.Dir, m.Name, m.Width, s.Dir, s.Name, s.Width)
		}
	}
	return nil
}

// SimulateFrom builds the unit with its inputs driven from rows, in place of its own drivers. Next fills a row, of which only
// the inputs count; it is called once a cycle, the first time for cycle 0, until it returns false: then the inputs stay.
func (u Unit) SimulateFrom(cfg rtl.Config, next func(row []uint64) bool) (*Instance, error) {
	return u.simulate(cfg, &Bench{replay: true}, func(scope *rtl.Scope, in *Instance) {
		scope.Add("replay", newReplay(in.ports, len(in.Fields), next))
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

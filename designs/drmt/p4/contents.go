package p4

import (
	"fmt"
	"math/bits"
	"slices"
)

// contents are a table's entries.
type contents struct {
	table   *Table
	entries []Entry
	// exact finds entries of exact tables with up to exactFields fields; other tables are searched one by one.
	exact  map[[exactFields]uint64]int
	action int // on a miss
	data   []uint64
}

const exactFields = 4

func newContents(p *Program, t *Table, entries []Entry) (*contents, error) {
	c := &contents{table: t, action: t.Default, data: t.DefaultData}
	if t.ImmutableEntries && len(entries) > 0 {
		return nil, fmt.Errorf("%s: table %s: its entries are constant", p.Name, t.Name)
	}
	c.entries = append(slices.Clone(t.ConstantEntries), entries...)
	if len(c.entries) > t.Size && len(entries) > 0 {
		return nil, fmt.Errorf("%s: table %s: %d entries, it holds %d", p.Name, t.Name, len(c.entries), t.Size)
	}
	for i := range c.entries {
		e := &c.entries[i]
		if len(e.Key) != len(t.Key) || len(t.Key) == 0 {
			return nil, fmt.Errorf("%s: table %s: an entry with %d keys, expected %d", p.Name, t.Name, len(e.Key), len(t.Key))
		}
		for k, v := range e.Key {
			if v.Value&^v.Mask != 0 || v.Mask&^ones(p.Fields[t.Key[k].Field].Bits) != 0 {
				return nil, fmt.Errorf("%s: table %s: entry %d does not fit field %s", p.Name, t.Name, i, p.Fields[t.Key[k].Field].Name)
			}
		}
		if err := p.checkCall(t, e.Action, e.Data); err != nil {
			return nil, err
		}
	}
	if t.Match == Exact && len(t.Key) <= exactFields {
		c.exact = map[[exactFields]uint64]int{}
		for i, e := range c.entries {
			var key [exactFields]uint64
			for k, v := range e.Key {
				key[k] = v.Value
			}
			if _, twice := c.exact[key]; twice {
				return nil, fmt.Errorf("%s: table %s: two entries for one key", p.Name, t.Name)
			}
			c.exact[key] = i
		}
	}
	return c, nil
}

// checkCall checks that a table may run an action with some data.
func (p *Program) checkCall(t *Table, action int, data []uint64) error {
	if !slices.Contains(t.Actions, action) {
		return fmt.Errorf("%s: table %s: action %d is none of its", p.Name, t.Name, action)
	}
	a := &p.Actions[action]
	if len(data) != len(a.Params) {
		return fmt.Errorf("%s: table %s: %d parameters for action %s, expected %d", p.Name, t.Name, len(data), a.Name, len(a.Params))
	}
	for i, d := range a.Params {
		if data[i] > ones(d.Bits) {
			return fmt.Errorf("%s: table %s: parameter %s of action %s is %#x, it has %d bits", p.Name, t.Name, d.Name, a.Name, data[i], d.Bits)
		}
	}
	return nil
}

// find returns the entry that matches the fields' values, -1 if none does: the one of lowest priority number in a ternary table, of
// the longest prefix in an LPM table; among equals the first.
func (c *contents) find(values []uint64) int {
	if c.exact != nil {
		var key [exactFields]uint64
		for k, f := range c.table.Key {
			key[k] = values[f.Field]
		}
		if i, ok := c.exact[key]; ok {
			return i
		}
		return -1
	}
	best := -1
	for i := range c.entries {
		e := &c.entries[i]
		if best >= 0 && !c.better(e, &c.entries[best]) {
			continue
		}
		matches := true
		for k, f := range c.table.Key {
			if values[f.Field]&e.Key[k].Mask != e.Key[k].Value {
				matches = false
				break
			}
		}
		if matches {
			best = i
		}
	}
	return best
}

func (c *contents) better(a, b *Entry) bool {
	if c.table.Match == Ternary {
		return a.Priority < b.Priority
	}
	return c.prefix(a) > c.prefix(b)
}

func (c *contents) prefix(e *Entry) int {
	for k, f := range c.table.Key {
		if f.Match == LPM {
			return bits.OnesCount64(e.Key[k].Mask)
		}
	}
	return 0
}

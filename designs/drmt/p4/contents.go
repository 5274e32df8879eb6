package p4

import (
	"fmt"
	"math/big"
	"slices"
)

// contents are a table's entries.
type contents struct {
	table   *Table
	number  int // of the table, ingress first
	entries []Entry
	// exact finds entries of exact tables with up to exactFields fields of up to 64 bits; other tables are searched one by
	// one.
	exact map[[exactFields]uint64]int
	// valid is, by field of the key, the validity bit of its header, -1 if the field always counts.
	valid []int
	// otherwise is what a miss does, nil if nothing.
	otherwise *Entry
	next      map[int]int // by action
	values    []uint64    // of the key that is looked for
	wide      []Number
}

const exactFields = 4

func newContents(p *Program, t *Table, entries []Entry) (*contents, error) {
	c := &contents{table: t, next: map[int]int{}, values: make([]uint64, len(t.Key)), wide: make([]Number, len(t.Key))}
	if t.Default >= 0 {
		c.otherwise = &Entry{Table: t.Name, Action: t.Default, Data: t.DefaultData, Wide: t.DefaultWide}
	}
	for i, a := range t.Actions {
		c.next[a] = t.Next[i]
	}
	if t.ImmutableEntries && len(entries) > 0 {
		return nil, fmt.Errorf("%s: table %s: its entries are constant", p.Name, t.Name)
	}
	c.entries = append(slices.Clone(t.ConstantEntries), entries...)
	if len(c.entries) > t.Size && len(entries) > 0 {
		return nil, fmt.Errorf("%s: table %s: %d entries, it holds %d", p.Name, t.Name, len(c.entries), t.Size)
	}
	narrow := true
	for i, k := range t.Key {
		f := &p.Fields[k.Field]
		h := &p.Headers[f.Header]
		v := -1
		if !h.Metadata && h.Valid != k.Field {
			v = h.Valid
		}
		c.valid = append(c.valid, v)
		narrow = narrow && f.Bits <= 64
		if f.Bits > 64 {
			c.wide[i] = new(big.Int)
		}
	}
	for i := range c.entries {
		if err := c.check(p, i); err != nil {
			return nil, err
		}
	}
	if t.Match == Exact && len(t.Key) <= exactFields && narrow {
		c.exact = map[[exactFields]uint64]int{}
		for i, e := range c.entries {
			var key [exactFields]uint64
			for k, v := range e.Key {
				key[k] = v.Value
			}
			c.exact[key] = i
		}
	}
	return c, c.duplicates(p)
}

// check checks an entry and puts the table's masks on its key.
func (c *contents) check(p *Program, i int) error {
	t := c.table
	e := &c.entries[i]
	if len(e.Key) != len(t.Key) || len(t.Key) == 0 {
		return fmt.Errorf("%s: table %s: an entry with %d keys, expected %d", p.Name, t.Name, len(e.Key), len(t.Key))
	}
	e.Key = slices.Clone(e.Key)
	for k := range e.Key {
		v, key := &e.Key[k], &t.Key[k]
		f := &p.Fields[key.Field]
		fits := v.Mask&^Ones(f.Bits) == 0
		if f.Bits > 64 {
			fits = v.WideValue != nil && v.WideMask != nil && v.WideValue.Sign() >= 0 && v.WideMask.BitLen() <= f.Bits
		}
		if key.Match != Range && f.Bits <= 64 {
			fits = fits && v.Value&^v.Mask == 0
		} else if key.Match != Range && fits {
			fits = new(big.Int).AndNot(v.WideValue, v.WideMask).Sign() == 0
		}
		if !fits {
			return fmt.Errorf("%s: table %s: entry %d does not fit field %s", p.Name, t.Name, i, f.Name)
		}
		switch {
		case !key.Masked:
		case f.Bits > 64:
			v.WideValue = new(big.Int).And(v.WideValue, orZero(key.Mask))
		default:
			v.Value &= low64(orZero(key.Mask))
		}
	}
	if e.Indirect {
		return nil // checked where the profile's members are known
	}
	return p.checkCall(t, e.Action, e.Data, e.Wide)
}

// duplicates refuses an entry that is there already, as BMv2 does: one with the same key, and the same priority if
// there is one.
func (c *contents) duplicates(p *Program) error {
	seen := make(map[string]bool, len(c.entries))
	var id []byte
	for i := range c.entries {
		e := &c.entries[i]
		id = id[:0]
		for k, v := range e.Key {
			switch c.table.Key[k].Match {
			case LPM:
				id = fmt.Appendf(id, "%x/%d %x ", v.Value, v.PrefixLen, v.WideValue)
			case Exact:
				id = fmt.Appendf(id, "%x %x ", v.Value, v.WideValue)
			default:
				id = fmt.Appendf(id, "%x&%x %x&%x ", v.Value, v.Mask, v.WideValue, v.WideMask)
			}
		}
		if c.table.Match >= Ternary {
			id = fmt.Appendf(id, "%d", e.Priority)
		}
		if seen[string(id)] {
			if c.table.Match == Exact {
				return fmt.Errorf("%s: table %s: two entries for one key", p.Name, c.table.Name)
			}
			return fmt.Errorf("%s: table %s: entry %d is there twice", p.Name, c.table.Name, i)
		}
		seen[string(id)] = true
	}
	return nil
}

// setDefault sets what a miss does.
func (c *contents) setDefault(p *Program, d *Entry) error {
	t := c.table
	if t.ConstantDefault || t.ConstantAction && d.Action != t.Default {
		return fmt.Errorf("%s: table %s: its default action is constant", p.Name, t.Name)
	}
	if !d.Indirect {
		if err := p.checkCall(t, d.Action, d.Data, d.Wide); err != nil {
			return err
		}
	}
	c.otherwise = &Entry{
		Table: t.Name, Action: d.Action, Data: d.Data, Wide: d.Wide, Indirect: d.Indirect, Group: d.Group,
		Member: d.Member,
	}
	return nil
}

// checkCall checks that a table may run an action with some data.
func (p *Program) checkCall(t *Table, action int, data []uint64, wide []Number) error {
	if !slices.Contains(t.Actions, action) {
		return fmt.Errorf("%s: table %s: action %d is none of its", p.Name, t.Name, action)
	}
	a := &p.Actions[action]
	if len(data) != len(a.Params) {
		return fmt.Errorf(
			"%s: table %s: %d parameters for action %s, expected %d", p.Name, t.Name, len(data), a.Name, len(a.Params),
		)
	}
	for i, d := range a.Params {
		fits := data[i] <= Ones(d.Bits)
		if d.Bits > 64 {
			fits = i < len(wide) && wide[i] != nil && wide[i].Sign() >= 0 && wide[i].BitLen() <= d.Bits
		}
		if !fits {
			return fmt.Errorf(
				"%s: table %s: parameter %s of action %s is %#x, it has %d bits", p.Name, t.Name, d.Name, a.Name, data[i],
				d.Bits,
			)
		}
	}
	return nil
}

// find returns the entry that matches the fields' values, -1 if none does: the entry with the lowest priority number in
// a ternary table, with the longest prefix in an LPM table; among equals the first. The fields of a header that is not
// valid count as 0.
func (c *contents) find(v *vector) int {
	t := c.table
	if c.exact != nil {
		var key [exactFields]uint64
		for k := range t.Key {
			key[k] = c.value(v, k)
		}
		if i, ok := c.exact[key]; ok {
			return i
		}
		return -1
	}
	for k := range t.Key {
		if c.wide[k] == nil {
			c.values[k] = c.value(v, k)
			continue
		}
		w := c.wide[k].SetInt64(0)
		if c.valid[k] < 0 || v.values[c.valid[k]] != 0 {
			w.Set(v.wide[t.Key[k].Field])
		}
		if t.Key[k].Masked {
			w.And(w, orZero(t.Key[k].Mask))
		}
	}
	best := -1
	for i := range c.entries {
		if best >= 0 && !c.better(&c.entries[i], &c.entries[best]) {
			continue
		}
		if c.matches(&c.entries[i]) {
			best = i
		}
	}
	return best
}

func (c *contents) value(v *vector, k int) uint64 {
	if c.valid[k] >= 0 && v.values[c.valid[k]] == 0 {
		return 0
	}
	key := &c.table.Key[k]
	if key.Masked {
		return v.values[key.Field] & low64(orZero(key.Mask))
	}
	return v.values[key.Field]
}

func (c *contents) matches(e *Entry) bool {
	for k := range c.table.Key {
		x := &e.Key[k]
		isRange := c.table.Key[k].Match == Range
		if w := c.wide[k]; w != nil {
			if isRange {
				if w.Cmp(x.WideValue) < 0 || w.Cmp(x.WideMask) > 0 {
					return false
				}
			} else if new(big.Int).And(w, x.WideMask).Cmp(x.WideValue) != 0 {
				return false
			}
			continue
		}
		if v := c.values[k]; isRange && (v < x.Value || v > x.Mask) || !isRange && v&x.Mask != x.Value {
			return false
		}
	}
	return true
}

func (c *contents) better(a, b *Entry) bool {
	if c.table.Match >= Ternary {
		return a.Priority < b.Priority
	}
	return c.prefix(a) > c.prefix(b)
}

func (c *contents) prefix(e *Entry) int {
	for k, f := range c.table.Key {
		if f.Match == LPM {
			return e.Key[k].PrefixLen
		}
	}
	return 0
}

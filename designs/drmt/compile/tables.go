package compile

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/designs/drmt"
	"github.com/goldwire/goldwire/designs/drmt/p4"
)

// keyBytes are the bytes of the header vector that make a table's key: each field from its lowest byte on.
func (c *compiler) keyBytes(t *p4.Table) (bytes []int) {
	for _, k := range t.Key {
		pieces := c.fields.pieces[k.Field]
		for i := len(pieces) - 1; i >= 0; i-- {
			for b := range (int(pieces[i].Bits) + 7) / 8 {
				bytes = append(bytes, pieces[i].Field.Byte()+b)
			}
		}
	}
	return bytes
}

// segmentsOf is how many key segments the bytes take.
func segmentsOf(bytes int) int { return (bytes + drmt.SegmentBytes - 1) / drmt.SegmentBytes }

// pack puts the fields of a key or of its mask into segments, in the order of keyBytes.
func (c *compiler) pack(t *p4.Table, values func(i int) uint64) []drmt.Key {
	var bytes []byte
	for i, k := range t.Key {
		v := values(i)
		pieces := c.fields.pieces[k.Field]
		for n := len(pieces) - 1; n >= 0; n-- {
			x := v & (1<<pieces[n].Bits - 1)
			for b := range (int(pieces[n].Bits) + 7) / 8 {
				bytes = append(bytes, byte(x>>(8*b)))
			}
			v >>= pieces[n].Bits
		}
	}
	keys := make([]drmt.Key, segmentsOf(len(bytes)))
	for i, b := range bytes {
		k := &keys[i/drmt.SegmentBytes]
		if at := i % drmt.SegmentBytes; at < 8 {
			k.Lo |= uint64(b) << (8 * at)
		} else {
			k.Hi |= uint16(b) << (8 * (at - 8))
		}
	}
	return keys
}

// table fills a table of a cluster, or of a stage.
func (c *compiler) table(m *match) (*drmt.Table, error) {
	tables, err := c.parts(m, []int{m.table.Size})
	if err != nil {
		return nil, err
	}
	return tables[0], nil
}

// parts splits a table into one part for each of sizes, which is how many entries the part holds. Part 0 gets the
// entries of the highest priority, the next part the following ones.
func (c *compiler) parts(m *match, sizes []int) ([]*drmt.Table, error) {
	t := m.table
	entries := c.keyed[t.Name]
	if len(entries) > t.Size {
		return nil, fmt.Errorf("%s: table %s has %d entries, its size is %d", c.program.Name, t.Name, len(entries), t.Size)
	}
	if t.Array > 0 {
		return []*drmt.Table{c.array(m)}, nil
	}
	if t.Computes != nil {
		return []*drmt.Table{c.computed(m)}, nil
	}
	kind := m.kind()
	var list []drmt.Entry
	for n, e := range entries {
		ch := m.choice(e.Action, true)
		if ch == nil {
			return nil, fmt.Errorf("%s: entry %d of table %s has an action that the table has not", c.program.Name, n, t.Name)
		}
		x := drmt.Entry{Priority: e.Priority, Result: m.layouts[e.Action].result(ch.pointer, e.Data)}
		x.Value = c.pack(t, func(i int) uint64 { return e.Key[i].Value & e.Key[i].Mask })
		if kind == drmt.Ternary {
			x.Mask = c.pack(t, func(i int) uint64 { return e.Key[i].Mask })
			if t.Match == p4.LPM { // the longest prefix first
				x.Priority = 0
				for i, k := range t.Key {
					if k.Match == p4.LPM {
						x.Priority = -e.Key[i].PrefixLen
					}
				}
			}
		}
		list = append(list, x)
	}
	action, data := c.defaultOf(t)
	miss := m.layouts[action].result(m.choice(action, false).pointer, data)
	if kind == drmt.Ternary {
		slices.SortStableFunc(list, func(a, b drmt.Entry) int { return a.Priority - b.Priority })
	}
	if _, err := drmt.NewTable(kind, segmentsOf(m.keyBytes), list, miss); err != nil { // no key twice in any two parts
		return nil, fmt.Errorf("%s: table %s: %w", c.program.Name, t.Name, err)
	}
	var tables []*drmt.Table
	for _, size := range sizes {
		n := min(size, len(list))
		table, err := drmt.NewTable(kind, segmentsOf(m.keyBytes), list[:n], miss)
		if err != nil {
			return nil, err
		}
		tables, list = append(tables, table), list[n:]
	}
	return tables, nil
}

// blocks is the memory that a table of its declared size takes.
func (m *match) blocks() drmt.Blocks { return m.blocksOf(m.table.Size) }

func (m *match) blocksOf(entries int) drmt.Blocks {
	if m.table.Computes != nil { // a unit has no memory
		return drmt.Blocks{}
	}
	if isMeter(m.table) { // a rate has its tokens, and the sum of its tokens since the reset
		return drmt.BlocksFor(drmt.Exact, entries, 0, 128*m.rates)
	}
	if m.table.Array > 0 { // elements without keys
		return drmt.BlocksFor(drmt.Exact, entries, 0, 8*max(m.data, 4))
	}
	return drmt.BlocksFor(m.kind(), entries, 8*m.keyBytes, 8*m.data)
}

func (m *match) kind() drmt.MatchKind {
	if m.table.Match == p4.Exact {
		return drmt.Exact
	}
	return drmt.Ternary
}

func (m *match) choice(action int, hit bool) *choice {
	for i := range m.choices {
		if m.choices[i].action == action && m.choices[i].hit == hit {
			return &m.choices[i]
		}
	}
	return nil
}

package drmt

import (
	"fmt"
	"slices"
)

// MatchKind is how a table compares.
type MatchKind uint8

// Kinds of tables.
const (
	Exact    MatchKind = iota // a hash table in SRAM
	Ternary                   // TCAM; the entry of the lowest priority number wins, among equals the first
	Elements                  // an array of registers or counters in SRAM
	Computed                  // no memory: a hash unit
)

func (k MatchKind) String() string {
	if k > Computed {
		return fmt.Sprintf("MatchKind(%d)", uint8(k))
	}
	return [...]string{"exact", "ternary", "elements", "computed"}[k]
}

// Entry is a table's entry: it matches a key if key & Mask == Value, segment by segment. An exact table looks at Value
// only. A prefix is a ternary entry whose priority follows from its length, as RMT's TCAMs have it.
type Entry struct {
	Value, Mask []Key
	Priority    int
	Result      Result
}

// Table is what a cluster looks keys up in. Keys have a fixed number of segments.
type Table struct {
	Kind    MatchKind
	Miss    Result // the answer if nothing matches
	entries []Entry
	width   int
	array   *Array
	// of a table that computes: the function, which no machine changes
	function Function `state:"none"` // as built
	own      *mutable
	slots    []int32 // of the hash table: an entry's number + 1; a power of two of them, at most half full
}

// NewTable returns a table by the number of segments of its keys. Two exact entries of one key are an error.
func NewTable(kind MatchKind, width int, entries []Entry, miss Result) (*Table, error) {
	t := &Table{Kind: kind, Miss: miss, width: width, entries: slices.Clone(entries)}
	for i := range t.entries {
		e := &t.entries[i]
		if len(e.Value) != width || kind == Ternary && len(e.Mask) != width {
			return nil, fmt.Errorf("entry %d: a key of %d segments, want %d", i, len(e.Value), width)
		}
	}
	if kind == Ternary {
		slices.SortStableFunc(t.entries, func(a, b Entry) int { return a.Priority - b.Priority })
		return t, nil
	}
	size := 2
	for size < 2*len(entries) {
		size *= 2
	}
	t.slots = make([]int32, size)
	for i := range t.entries {
		at := t.find(t.entries[i].Value)
		if t.slots[at] != 0 {
			return nil, fmt.Errorf("entries %d and %d have one key", t.slots[at]-1, i)
		}
		t.slots[at] = int32(i) + 1
	}
	return t, nil
}

// Len is how many entries it has.
func (t *Table) Len() int { return len(t.entries) }

// Lookup returns the result for a key.
func (t *Table) Lookup(key []Key) Result {
	r, _ := t.search(key)
	return r
}

// search returns the result for a key, and whether it is an entry's.
func (t *Table) search(key []Key) (r Result, hit bool) {
	switch t.Kind {
	case Elements:
		return t.access(key)
	case Computed:
		return t.function(t.own.bytes(key), t.own.scratch[:0]), true
	}
	if t.Kind == Exact {
		if i := t.slots[t.find(key)]; i != 0 {
			return t.entries[i-1].Result, true
		}
		return t.Miss, false
	}
next:
	for i := range t.entries {
		e := &t.entries[i]
		for s := range e.Value {
			v, m, k := &e.Value[s], &e.Mask[s], &key[s]
			if k.Lo&m.Lo != v.Lo || k.Hi&m.Hi != v.Hi {
				continue next
			}
		}
		return e.Result, true
	}
	return t.Miss, false
}

// find returns the slot of a key, or the free one where it would be.
func (t *Table) find(key []Key) int {
	h := uint64(len(key))
	for _, k := range key {
		h = (h ^ k.Lo) * 0x9e3779b97f4a7c15 // 2^64 over the golden ratio: Knuth's multiplicative hashing
		h ^= h >> 29
		h = (h ^ uint64(k.Hi)) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	mask := len(t.slots) - 1
	for at := int(h) & mask; ; at = (at + 1) & mask {
		i := t.slots[at]
		if i == 0 || slices.Equal(t.entries[i-1].Value, key) {
			return at
		}
	}
}

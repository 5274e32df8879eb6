package edm

import "math/bits"

// slots is a table that has an entry for each pair of nodes, or more, of which a network uses few at a time. The
// hardware has them all; here an entry has memory while it is used. It is a hash table with open addressing. A table
// grows to the most entries that a run uses at once, and allocates nothing after that. It is a part.
type slots[T any] struct {
	n     int      // slots
	cells []place  // a power of two of them, at least half of which are free
	shift int      // of the hash, to a place in cells
	used  []T      // entries, beside each other in memory; the first is zero, and stands for every unused one
	spare []uint32 // entries that were freed, the last one first to be used again; they are zero
}

// place tells which entry a slot has. Entry 0 is none.
type place struct{ slot, entry uint32 }

// leastCells is how many cells a new table has.
const leastCells = 8

func newSlots[T any](n int) slots[T] {
	s := slots[T]{n: n, used: make([]T, 1, 1+leastCells/2)}
	s.makeCells(leastCells)
	return s
}

func (s *slots[T]) makeCells(n int) {
	s.cells, s.shift = make([]place, n), bits.LeadingZeros32(uint32(n))+1
}

// len is how many slots there are, size how many of them are used, and room how many entries have memory.
func (s *slots[T]) len() int  { return s.n }
func (s *slots[T]) size() int { return s.room() - len(s.spare) }
func (s *slots[T]) room() int { return len(s.used) - 1 }

// home is where the search for a slot begins: the upper bits of its product with 2³² divided by the golden ratio, which
// spreads neighbours.
func (s *slots[T]) home(slot uint32) int { return int(slot * 0x9e3779b1 >> s.shift) }

// find returns the cell of a slot, or the free one at which it would be.
func (s *slots[T]) find(slot int) int {
	i := s.home(uint32(slot))
	for c := s.cells[i]; c.entry != 0 && c.slot != uint32(slot); c = s.cells[i] {
		i = s.after(i)
	}
	return i
}

// after is the next cell, around the end.
func (s *slots[T]) after(cell int) int { return (cell + 1) & (len(s.cells) - 1) }

// has tells whether a slot is used, and index which of the entries it then has, from 0.
func (s *slots[T]) has(slot int) bool  { return s.cells[s.find(slot)].entry != 0 }
func (s *slots[T]) index(slot int) int { return int(s.cells[s.find(slot)].entry) - 1 }

// look returns an entry to be read. It may be written only if the slot is used: all others are one zero. The first call
// of entry for a slot may move all entries: what look and entry returned before is not to be used after it.
func (s *slots[T]) look(slot int) *T { return &s.used[s.cells[s.find(slot)].entry] }

// entry returns an entry that is to be set, of a slot that is used from now on.
func (s *slots[T]) entry(slot int) *T {
	i := s.find(slot)
	if s.cells[i].entry == 0 {
		i = s.use(slot, i)
	}
	return &s.used[s.cells[i].entry]
}

// use gives a slot an entry. It returns its cell, which is at first a free one.
func (s *slots[T]) use(slot, at int) int {
	if 2*(s.size()+1) > len(s.cells) {
		old := s.cells
		s.makeCells(2 * len(old))
		for _, c := range old {
			if c.entry != 0 {
				s.cells[s.find(int(c.slot))] = c
			}
		}
		at = s.find(slot)
	}
	c := place{uint32(slot), uint32(len(s.used))}
	if last := len(s.spare) - 1; last >= 0 {
		c.entry, s.spare = s.spare[last], s.spare[:last]
	} else {
		var zero T
		s.used = append(s.used, zero)
	}
	s.cells[at] = c
	return at
}

// free ends the use of a slot: it reads as zero again.
func (s *slots[T]) free(slot int) {
	gap := s.find(slot)
	entry := s.cells[gap].entry
	if entry == 0 {
		return
	}
	var zero T
	s.used[entry] = zero
	s.spare = append(s.spare, entry)
	for i := s.after(gap); s.cells[i].entry != 0; i = s.after(i) {
		// A cell fills the gap unless its search begins after the gap: then it would not be found there.
		if home := s.home(s.cells[i].slot); (i-home)&(len(s.cells)-1) >= (i-gap)&(len(s.cells)-1) {
			s.cells[gap], gap = s.cells[i], i
		}
	}
	s.cells[gap] = place{}
}

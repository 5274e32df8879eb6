package edm

import "math"

// slots is a table that has an entry for each pair of nodes, or more, of which a network uses few. The hardware has them all; here an entry
// has memory from its first use on, and keeps it. So a table grows while a run meets new pairs, and not after that. It is a part.
type slots[T any] struct {
	place []uint16 // by slot: which entry it has, 0 for none yet
	wide  []uint32 // the same in a table of more slots than 16 bits can number, of which place is empty
	used  []T      // beside each other in memory; the first is zero, and stands for all that were not used
}

func newSlots[T any](n int) slots[T] {
	const first = 8
	s := slots[T]{used: make([]T, 1, first)}
	if n <= math.MaxUint16 {
		s.place = make([]uint16, n)
	} else {
		s.wide = make([]uint32, n)
	}
	return s
}

// len is how many slots there are.
func (s *slots[T]) len() int { return len(s.place) + len(s.wide) }

// at returns which entry a slot has.
func (s *slots[T]) at(slot int) uint32 {
	if s.wide != nil {
		return s.wide[slot]
	}
	return uint32(s.place[slot])
}

// size is how many entries have memory, and index which of them a used slot has, from 0.
func (s *slots[T]) size() int          { return len(s.used) - 1 }
func (s *slots[T]) index(slot int) int { return int(s.at(slot)) - 1 }

// look returns an entry to be read. It may be written only if entry has been called for it before: all others are one zero. The first call of
// entry for a slot may move all entries: what look and entry returned before is not to be used after it.
func (s *slots[T]) look(slot int) *T { return &s.used[s.at(slot)] }

// entry returns an entry that is to be set.
func (s *slots[T]) entry(slot int) *T {
	if s.at(slot) == 0 {
		s.use(slot)
	}
	return s.look(slot)
}

// use gives a slot an entry.
func (s *slots[T]) use(slot int) {
	n := len(s.used)
	if s.wide != nil {
		s.wide[slot] = uint32(n)
	} else {
		s.place[slot] = uint16(n)
	}
	var zero T
	s.used = append(s.used, zero)
}

package edm

// slots is a table that has an entry for each pair of nodes, or more, of which a network uses few. The hardware has them all; here an entry
// has memory from its first use on, and keeps it. So a table grows while a run meets new pairs, and not after that. It is a part.
type slots[T any] struct {
	place []int32 // by slot: which entry it has, 0 for none yet
	used  []T     // entries; the first is zero, and stands for all that were not used
}

func newSlots[T any](n int) slots[T] { return slots[T]{make([]int32, n), make([]T, 1, 8)} }

// len is how many slots there are.
func (s *slots[T]) len() int { return len(s.place) }

// size is how many entries have memory, and index which of them a used slot has, from 0.
func (s *slots[T]) size() int          { return len(s.used) - 1 }
func (s *slots[T]) index(slot int) int { return int(s.place[slot]) - 1 }

// look returns an entry to be read. It may be written only if entry has been called for it before: all others are one zero. It is good until
// the next call of entry.
func (s *slots[T]) look(slot int) *T { return &s.used[s.place[slot]] }

// entry returns an entry that is to be set. It is good until the next call.
func (s *slots[T]) entry(slot int) *T {
	i := s.place[slot]
	if i == 0 {
		i = int32(len(s.used))
		var unused T
		s.place[slot], s.used = i, append(s.used, unused)
	}
	return &s.used[i]
}

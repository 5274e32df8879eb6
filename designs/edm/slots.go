package edm

// slots is a table that has an entry for each pair of nodes, or more, of which a network uses few. The hardware has them all; here an entry
// has memory from its first use on, and keeps it. So a table grows while a run meets new pairs, and not after that. It is a part.
type slots[T any] struct {
	place []int32       // by slot: which entry it has, 0 for none yet
	used  []*[slotRow]T // entries in rows, which are not copied when more are used; the first is zero, and stands for all that were not used
	n     int32         // how many there are
}

const slotRow = 8

func newSlots[T any](n int) slots[T] {
	return slots[T]{make([]int32, n), []*[slotRow]T{new([slotRow]T)}, 1}
}

// len is how many slots there are.
func (s *slots[T]) len() int { return len(s.place) }

// size is how many entries have memory, and index which of them a used slot has, from 0.
func (s *slots[T]) size() int          { return int(s.n) - 1 }
func (s *slots[T]) index(slot int) int { return int(s.place[slot]) - 1 }

// look returns an entry to be read. It may be written only if entry has been called for it before: all others are one zero.
func (s *slots[T]) look(slot int) *T {
	i := uint32(s.place[slot])
	return &s.used[i/slotRow][i%slotRow]
}

// entry returns an entry that is to be set.
func (s *slots[T]) entry(slot int) *T {
	if s.place[slot] == 0 {
		if s.n%slotRow == 0 {
			s.used = append(s.used, new([slotRow]T))
		}
		s.place[slot] = s.n
		s.n++
	}
	return s.look(slot)
}

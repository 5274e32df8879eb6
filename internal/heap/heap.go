// Package heap is a binary heap of numbered values: the smallest comes out first.
package heap

// Entry is a value and its place in the order: by First, and of equals by Second. Entries with both equal come in any
// order.
type Entry[V any] struct {
	Value         V
	First, Second uint64
}

func (e *Entry[V]) before(o *Entry[V]) bool {
	return e.First < o.First || e.First == o.First && e.Second < o.Second
}

// Heap holds entries, the smallest at index 0. The zero value is empty.
//
//	index    0        a parent is never larger than its children:
//	       1   2      the children of i are 2i+1 and 2i+2
//	      3 4 5 6
type Heap[V any] []Entry[V]

// Push adds an entry.
func (h *Heap[V]) Push(e Entry[V]) {
	s := append(*h, e)
	*h = s
	i := len(s) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !e.before(&s[up]) {
			break
		}
		s[i] = s[up]
		i = up
	}
	s[i] = e
}

// Pop removes the smallest entry, of which there must be one, and returns it.
func (h *Heap[V]) Pop() Entry[V] {
	s := *h
	top, last := s[0], len(s)-1
	e := s[last]
	s = s[:last]
	*h = s
	i := 0
	for {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && s[child+1].before(&s[child]) {
			child++
		}
		if !s[child].before(&e) {
			break
		}
		s[i] = s[child]
		i = child
	}
	if last > 0 {
		s[i] = e
	}
	return top
}

package pqueue

import (
	"math/bits"
	"slices"

	"github.com/goldwire/goldwire/blocks"
)

// Entry is an element of an ordered list.
type Entry struct {
	Key  uint64 // priority: the least leads. FCFS takes the time of arrival, SRPT the bytes that remain and then the time
	ID   uint32 // whose it is: one entry an ID
	Flow uint16 // whose eligibility counts: the source port
}

// Outcome is the result of an operation.
type Outcome uint8

// The outcomes.
const (
	Done      Outcome = iota
	Full              // no room: the list is as it was
	Duplicate         // an entry of this ID is in the list: it is as it was
	Missing           // no entry of this ID
)

// List is an ordered list of bounded length: a part, without time. Entries of equal keys leave in the order of their
// arrival. It stands for a row of registers that are all compared at once; here they are sorted in memory.
type List struct {
	entries  []Entry     // by key, then by arrival; their memory grows while the list is longer than ever before
	has      blocks.Bits // by ID
	capacity int
}

// atFirst is how many entries a new list has memory for, if its capacity is not less.
const atFirst = 64

// NewList returns an empty list of at most capacity entries with IDs below ids.
func NewList(capacity, ids int) *List {
	return &List{entries: make([]Entry, 0, min(capacity, atFirst)), has: blocks.NewBits(ids), capacity: capacity}
}

// Reset empties the list.
func (l *List) Reset() {
	l.entries = l.entries[:0]
	l.has.Reset()
}

// Len returns how many entries there are.
func (l *List) Len() int { return len(l.entries) }

// Cap returns how many entries there can be.
func (l *List) Cap() int { return l.capacity }

// Entries returns the entries in order. The slice is the list's own.
func (l *List) Entries() []Entry { return l.entries }

// Insert adds an entry after those with its key.
func (l *List) Insert(e Entry) Outcome {
	switch {
	case l.has.Has(int(e.ID)):
		return Duplicate
	case len(l.entries) == l.capacity:
		return Full
	}
	lo := 0 // how many entries have no greater key: found by halves of a power of two
	for step := 1 << bits.Len(uint(len(l.entries))) >> 1; step > 0; step >>= 1 {
		if m := lo + step; m <= len(l.entries) && l.entries[m-1].Key <= e.Key {
			lo = m
		}
	}
	l.entries = slices.Insert(l.entries, lo, e)
	l.has.Set(int(e.ID))
	return Done
}

// Delete takes the entry of an ID out.
func (l *List) Delete(id uint32) (Entry, Outcome) {
	if !l.has.Has(int(id)) {
		return Entry{}, Missing
	}
	for i, e := range l.entries {
		if e.ID == id {
			l.entries = slices.Delete(l.entries, i, i+1)
			l.has.Clear(int(id))
			return e, Done
		}
	}
	panic("pqueue: the list's bits and entries differ") // Insert and Delete keep them equal
}

// Highest returns the first entry whose flow is eligible.
func (l *List) Highest(eligible blocks.Bits) (Entry, bool) {
	for _, e := range l.entries {
		if eligible.Has(int(e.Flow)) {
			return e, true
		}
	}
	return Entry{}, false
}

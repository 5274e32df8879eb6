package edm

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
)

// findings are what one of a monitor's eyes has found. Each has its own, since islands are looked at in turns or at the
// same time.
type findings struct {
	now                    uint64 // the cycle of blocks that is looked at, counted where it is
	violations             []violation
	count                  int // of violations, with the ones not kept
	stray, corrupted       int
	meeting, data, control int
}

// violation is told by its cycle.
type violation struct {
	cycle uint64
	text  string
}

// mostViolations are kept as text.
const mostViolations = 20

func (f *findings) violated(format string, args ...any) {
	if f.count++; len(f.violations) < mostViolations {
		f.violations = append(f.violations, violation{f.now, fmt.Sprintf(format, args...)})
	}
}

// eyes returns what all eyes have found: those on switches, their ports, on hosts, and the last look.
func (m *Monitor) eyes() []*findings {
	var all []*findings
	for _, w := range m.switches {
		all = append(all, &w.findings)
	}
	for _, w := range m.ports {
		all = append(all, &w.findings)
	}
	for _, w := range m.hosts {
		all = append(all, &w.findings)
	}
	return append(all, &m.last)
}

// faulty tells whether there has been a violation.
func (m *Monitor) faulty() bool {
	return slices.ContainsFunc(m.eyes(), func(f *findings) bool { return f.count > 0 })
}

// sum puts together what the eyes have found, the violations by their cycles, so that it does not matter which island
// ran first.
func (m *Monitor) sum() {
	var all []violation
	m.Count, m.Stray, m.Corrupted = 0, 0, 0
	for _, f := range m.eyes() {
		all = append(all, f.violations...)
		m.Count, m.Stray, m.Corrupted = m.Count+f.count, m.Stray+f.stray, m.Corrupted+f.corrupted
		m.MostMeeting, m.MostData, m.MostControl = max(m.MostMeeting, f.meeting), max(m.MostData, f.data),
			max(m.MostControl, f.control)
	}
	slices.SortStableFunc(all, func(a, b violation) int { return cmp.Compare(a.cycle, b.cycle) })
	m.Violations = nil
	for _, v := range all[:min(len(all), mostViolations)] {
		m.Violations = append(m.Violations, fmt.Sprintf("cycle %d: %s", v.cycle, v.text))
	}
}

// readPlace is what a memory was asked to give for a response.
type readPlace struct {
	atomic  bool
	address uint64
}

// readQueue has the words that the oracle of a memory node read for responses, by requester. The eye on the node adds,
// those on the others take.
type readQueue struct {
	shared bool `state:"none"` // between workers, which a checkpoint does not know: then they lock it
	// it keeps the places of the words: where messages are lost, a word may be looked for by its place
	named bool             `state:"none"`
	lock  sync.Mutex       `state:"none"`
	by    slots[readWords] // by requester that has not taken all
	spare []readWords      `state:"none"` // emptied ones, whose memory is to be used again
}

// readWords are words in the order in which they were read. Those before first were taken.
type readWords struct {
	words  []uint64
	first  int
	places []readPlace // theirs, if they are kept
}

func (q *readQueue) add(requester int, from readPlace, word uint64) {
	if q.shared {
		q.lock.Lock()
		defer q.lock.Unlock()
	}
	w := q.by.entry(requester)
	if last := len(q.spare) - 1; w.words == nil && last >= 0 {
		*w, q.spare = q.spare[last], q.spare[:last]
	}
	if len(w.words) == cap(w.words) && 2*w.first > len(w.words) {
		w.words = slices.Delete(w.words, 0, w.first)
		if q.named {
			w.places = slices.Delete(w.places, 0, w.first)
		}
		w.first = 0
	}
	if w.words = append(w.words, word); q.named {
		w.places = append(w.places, from)
	}
}

// take returns the first word whose place matches, and forgets it and those before; 0 if there is none. Without match
// every word does.
func (q *readQueue) take(requester int, match func(readPlace) bool) uint64 {
	if q.shared {
		q.lock.Lock()
		defer q.lock.Unlock()
	}
	w := q.by.look(requester)
	k := 0
	if match != nil {
		k = slices.IndexFunc(w.places[w.first:], match)
	}
	if k < 0 || w.first+k == len(w.words) {
		return 0
	}
	x := w.words[w.first+k]
	if w.first += k + 1; w.first == len(w.words) {
		q.spare = append(q.spare, readWords{words: w.words[:0], places: w.places[:0]})
		q.by.free(requester)
	}
	return x
}

package spfc

import "math/bits"

// An eventQueue holds nearly all events in buckets of 512 ps: a packet of 1,048 bytes at 100 Gb/s takes 83.84 ns, and a delay is some
// microseconds. There is about one event in a bucket of a busy pod.
const (
	bucketShift = 9
	bucketCount = 1 << 13 // 4.2 us
)

// eventQueue gives events in their order: a wheel of buckets, each a sorted list, for those that come soon, and a heap for others. None may be
// pushed before the latest one that was popped.
type eventQueue struct {
	heads []int32 // by bucket modulo their number: the first of its events, if busy
	busy  [bucketCount / 64]uint64
	slots []eventSlot
	free  int32 // -1: none
	near  int   // events in buckets
	base  int64 // bucket of the latest event popped
	front int64 // the first busy bucket, if near is not 0
	far   eventHeap
}

type eventSlot struct {
	event
	next int32 // -1: none
}

func newEventQueue() eventQueue { return eventQueue{heads: make([]int32, bucketCount), free: -1} }

func (q *eventQueue) empty() bool { return q.near == 0 && len(q.far.items) == 0 }

func (q *eventQueue) push(e event) {
	b := int64(e.at >> bucketShift)
	if b-q.base >= bucketCount {
		q.far.push(e)
		return
	}
	id := q.free
	if id < 0 {
		id = int32(len(q.slots))
		q.slots = append(q.slots, eventSlot{})
	} else {
		q.free = q.slots[id].next
	}
	if q.near == 0 || b < q.front {
		q.front = b
	}
	q.near++
	k := b & (bucketCount - 1)
	s := &q.slots[id]
	s.event = e
	if word, bit := &q.busy[k>>6], uint64(1)<<(k&63); *word&bit == 0 {
		*word |= bit
		s.next, q.heads[k] = -1, id
		return
	}
	at := &q.heads[k]
	for *at >= 0 && q.slots[*at].before(&e) {
		at = &q.slots[*at].next
	}
	s.next, *at = *at, id
}

// first is the next event, nil if there is none. It is valid until the next push or pop.
func (q *eventQueue) first() *event {
	if q.near == 0 {
		if len(q.far.items) == 0 {
			return nil
		}
		return &q.far.items[0]
	}
	first := &q.slots[q.heads[q.front&(bucketCount-1)]].event
	if len(q.far.items) > 0 && q.far.items[0].at <= first.at && q.far.items[0].before(first) {
		return &q.far.items[0]
	}
	return first
}

// pop takes the next event; there is one.
func (q *eventQueue) pop() event {
	k := q.front & (bucketCount - 1)
	id := q.heads[k]
	if len(q.far.items) > 0 && (q.near == 0 || q.far.items[0].at <= q.slots[id].at && q.far.items[0].before(&q.slots[id].event)) {
		e := q.far.pop()
		q.base = int64(e.at >> bucketShift)
		return e
	}
	s := &q.slots[id]
	e := s.event
	q.base = q.front
	q.near--
	if s.next >= 0 {
		q.heads[k] = s.next
	} else {
		q.busy[k>>6] &^= 1 << (k & 63)
		q.advance()
	}
	s.next, q.free = q.free, id
	return e
}

// advance finds the first busy bucket from the base on.
func (q *eventQueue) advance() {
	if q.near == 0 {
		return
	}
	k := q.base & (bucketCount - 1)
	word := k >> 6
	set := q.busy[word] &^ (1<<(k&63) - 1)
	for set == 0 {
		word = (word + 1) & (bucketCount/64 - 1)
		set = q.busy[word]
	}
	q.front = q.base + (word<<6+int64(bits.TrailingZeros64(set))-k)&(bucketCount-1)
}

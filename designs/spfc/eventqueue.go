package spfc

import "math/bits"

// eventKind is a kind of event; kinds are in the order in which events of one instant happen at a node.
type eventKind uint8

const (
	packetArrives eventKind = iota
	pfcArrives
	pfcActs      // a received PFC frame takes effect
	pauseExpires // a quanta timer may have run out
	refreshDue   // a PAUSE that stands is sent again
	timerDue
	transmitterFree
)

// due is an event's time, kind and port at a node, in one word, so that the smaller of two happens first. Equal words
// are the same event.
//
//	bit  63                       9 8    6 5    0
//	     | time in picoseconds     | kind | port |
type due uint64

const (
	portBits = 6
	kindBits = 3
)

func dueAt(t Time, k eventKind, port int32) due {
	return due(t)<<(kindBits+portBits) | due(k)<<portBits | due(port)
}

func (d due) time() Time      { return Time(d >> (kindBits + portBits)) }
func (d due) kind() eventKind { return eventKind(d >> portBits & (1<<kindBits - 1)) }
func (d due) port() int32     { return int32(d & (1<<portBits - 1)) }

// nothing is later than every event.
const nothing = ^due(0)

// dueQueue holds the events due at a node. A port has at most one next arrival, since packets come in the order in
// which they started, and at most one end of a transmission. Each of these has a leaf in a tree of minima; the other
// events are in a heap, whose first entry has a leaf too. With two ports:
//
//	            tree[1]: the minimum of all
//	          /                             \
//	arrivals  0  1   ends of transmission  0  1   first of the heap
type dueQueue struct {
	tree   []due // 1 is the root; the children of i are 2i and 2i+1
	leaves int   // a power of two
	ports  int
	rare   dueHeap
}

func newDueQueue(ports int) dueQueue {
	q := dueQueue{leaves: 1 << bits.Len(uint(2*ports)), ports: ports} // two a port, and the heap's
	q.tree = make([]due, 2*q.leaves)
	for i := range q.tree {
		q.tree[i] = nothing
	}
	return q
}

// first returns the event that is due first.
func (q *dueQueue) first() due { return q.tree[1] }

// arrives sets the next arrival at a port; nothing: none.
func (q *dueQueue) arrives(port int32, e due) { q.set(int(port), e) }

// frees sets the end of a port's transmission; nothing: nobody waits for it.
func (q *dueQueue) frees(port int32, e due) { q.set(q.ports+int(port), e) }

// add queues any event other than an arrival or an end of transmission. Data identifies a timer and breaks ties
// between timers due at the same time.
func (q *dueQueue) add(e due, data uint64) {
	q.rare.push(entry{e, data})
	q.set(2*q.ports, q.rare[0].due)
}

// drop removes the first entry, which is in the heap, and returns its data.
func (q *dueQueue) drop() (data uint64) {
	data = q.rare.pop().data
	e := nothing
	if len(q.rare) > 0 {
		e = q.rare[0].due
	}
	q.set(2*q.ports, e)
	return data
}

func (q *dueQueue) set(leaf int, e due) {
	i := q.leaves + leaf
	t := q.tree
	t[i] = e
	for i > 1 {
		e = min(e, t[i^1])
		i >>= 1
		t[i] = e
	}
}

// entry is an event with a timer's data.
type entry struct {
	due  due
	data uint64
}

func (e entry) before(o entry) bool { return e.due < o.due || e.due == o.due && e.data < o.data }

// dueHeap is a heap: the first entry comes first.
type dueHeap []entry

func (q *dueHeap) push(e entry) {
	h := append(*q, e)
	*q = h
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !e.before(h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = e
}

// pop removes the first entry and returns it.
func (q *dueHeap) pop() entry {
	h := *q
	top, last := h[0], len(h)-1
	e := h[last]
	h = h[:last]
	*q = h
	i := 0
	for {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && h[child+1].before(h[child]) {
			child++
		}
		if !h[child].before(e) {
			break
		}
		h[i] = h[child]
		i = child
	}
	if last > 0 {
		h[i] = e
	}
	return top
}

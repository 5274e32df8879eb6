package spfc

import (
	"math/bits"

	"github.com/goldwire/goldwire/internal/heap"
)

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
	rare   heap.Heap[struct{}] // by event and a timer's data
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
	q.rare.Push(heap.Entry[struct{}]{First: uint64(e), Second: data})
	q.set(2*q.ports, due(q.rare[0].First))
}

// drop removes the first entry, which is in the heap, and returns its data.
func (q *dueQueue) drop() (data uint64) {
	data = q.rare.Pop().Second
	e := nothing
	if len(q.rare) > 0 {
		e = due(q.rare[0].First)
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

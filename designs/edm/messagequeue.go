package edm

import "github.com/goldwire/goldwire/blocks"

// Request is a memory access that the application asks its host for (§3.2.1).
type Request struct {
	Valid     bool
	Kind      Kind      `bits:"3"` // RREQ, WREQ or RMWREQ
	Operation Operation `bits:"8"` // of an RMWREQ
	Dest      uint16    `bits:"10"`
	Address   uint64    // in the memory node's memory, a multiple of 8
	Local     uint64    // the response's target, or the written data's place in the data buffer
	Bytes     uint16    // to be read or written, up to MaxBytes
	Rest      uint32    // bytes of the same message that later requests ask for; then Bytes is 60 KiB
	First     uint64    // operands of an RMWREQ
	Second    uint64
	Tag       uint32 // comes back with the completion
}

// Offered returns Valid.
func (r Request) Offered() bool { return r.Valid }

// messageQueue keeps requests until one of their destination's message IDs is free: a queue for the reads of each
// destination and one for its writes, served in turns. It is a part.
type messageQueue struct {
	depth      int
	pool       []Request // as many as there ever were
	next       []int32
	free       int32 // list of unused entries
	head, tail []int32
	turn       int
	waiting    blocks.Bits // queues that have a request
	open       blocks.Bits // the pairs whose first request may have an ID
	opened     int         // how many there are
	count      int
}

func newMessageQueue(depth, queues int) *messageQueue {
	return &messageQueue{depth: depth, head: make([]int32, queues), tail: make([]int32, queues),
		free: -1, waiting: blocks.NewBits(queues), open: blocks.NewBits(queues)}
}

// queueOf returns the queue of a request: of its destination's reads and atomic operations, or of its writes.
func queueOf(r Request) int {
	q := 2 * int(r.Dest)
	if r.Kind == WREQ {
		q++
	}
	return q
}

// Len and Cap are how many requests there are, and how many there can be: a watchdog asks.
func (q *messageQueue) Len() int { return q.count }
func (q *messageQueue) Cap() int { return q.depth }

func (q *messageQueue) full() bool { return q.count == q.depth }

// push appends a request; there is room.
func (q *messageQueue) push(r Request) {
	i := q.free
	if i < 0 {
		i = int32(len(q.pool))
		q.pool, q.next = append(q.pool, r), append(q.next, -1)
	} else {
		q.free = q.next[i]
		q.pool[i], q.next[i] = r, -1
	}
	if d := queueOf(r); q.waiting.Has(d) {
		q.next[q.tail[d]] = i
		q.tail[d] = i
	} else {
		q.head[d], q.tail[d] = i, i
		q.waiting.Set(d)
		q.unblock(d)
	}
	q.count++
}

// candidate returns the next queue in turn whose first request may go, -1 if there is none: blocked pairs are passed
// over until unblock.
func (q *messageQueue) candidate() int {
	if q.opened == 0 {
		q.turn = 0
		return -1
	}
	if d := q.open.Next(q.turn); d >= 0 {
		return d
	}
	q.turn = 0
	return q.open.Next(0)
}

// first returns the first request of a queue, nil if it has none.
func (q *messageQueue) first(d int) *Request {
	if !q.waiting.Has(d) {
		return nil
	}
	return &q.pool[q.head[d]]
}

// takeInTurn takes the first request of a candidate.
func (q *messageQueue) takeInTurn(d int) Request {
	q.turn = d + 1
	return q.take(d)
}

// take takes the first request of a queue.
func (q *messageQueue) take(d int) Request {
	i := q.head[d]
	r := q.pool[i]
	if q.next[i] < 0 {
		q.waiting.Clear(d)
		q.block(d)
	} else {
		q.head[d] = q.next[i]
	}
	q.next[i], q.free = q.free, i
	q.count--
	return r
}

// block passes a queue over until unblock.
func (q *messageQueue) block(d int) {
	if q.open.Has(d) {
		q.open.Clear(d)
		q.opened--
	}
}

// unblock takes a queue into account again, if it has a request.
func (q *messageQueue) unblock(d int) {
	if q.waiting.Has(d) && !q.open.Has(d) {
		q.open.Set(d)
		q.opened++
	}
}

package shoal

import (
	"cmp"
	"fmt"
	"slices"
)

// message is a message whose last cell has not arrived.
type message struct {
	start uint64
	id    uint64
	end   uint32 // cells of the pair up to its last
	next  int32
}

// inbox has the messages on their way to one node.
type inbox struct {
	messages   []message
	free       int32
	head, tail []int32 // by source: the first message that is not complete, and the last
	flows      int32   // sources with such a message
}

func newInbox(nodes int) inbox {
	b := inbox{free: -1, head: make([]int32, nodes), tail: make([]int32, nodes)}
	for i := range nodes {
		b.head[i], b.tail[i] = -1, -1
	}
	return b
}

// add appends a message to the list of its source's incomplete messages, and tells whether the list was empty.
func (b *inbox) add(from int, m message) (first bool) {
	at := b.free
	if at >= 0 {
		b.free = b.messages[at].next
		b.messages[at] = m
	} else {
		at = int32(len(b.messages))
		b.messages = append(b.messages, m)
	}
	if first = b.head[from] < 0; first {
		b.head[from] = at
		b.flows++
	} else {
		b.messages[b.tail[from]].next = at
	}
	b.tail[from] = at
	return first
}

// Completion is a message whose last cell has come, in order.
type Completion struct {
	ID       uint64
	From, To int
	Start    uint64 // first slot in which it could leave
	End      uint64 // slot at whose end it had arrived
}

// Slots is the completion time: from the beginning of the first slot to the end of the last.
func (c Completion) Slots() uint64 { return c.End + 1 - c.Start }

// Pending is the number of messages that are not complete.
func (r *Rack) Pending() int { return r.pending }

// Offer hands a node a message of 1 to 2^31 cells for another node; its first cell can leave in the coming slot. The
// identifier comes back in its Completion.
func (r *Rack) Offer(id uint64, from, to int, cells uint32) error {
	n := len(r.nodes)
	switch {
	case from < 0 || from >= n || to < 0 || to >= n || from == to:
		return fmt.Errorf("message %d from node %d to node %d, want two of 0 to %d", id, from, to, n-1)
	case cells == 0 || cells > 1<<31 || r.open[from*n+to]+cells < cells:
		return fmt.Errorf("message %d of %d cells, want 1 to 2^31, and at most 2^32 between two nodes in all", id, cells)
	}
	r.open[from*n+to] += cells
	if b := &r.inboxes[to]; b.add(from, message{start: r.slot, id: id, end: r.open[from*n+to], next: -1}) {
		r.nodes[to].inFlow(from).goal = r.open[from*n+to]
	}
	r.pending++
	r.nodes[from].Offer(to, cells, int32(r.slot/uint64(r.times.epoch)))
	return nil
}

// arrived completes the messages of a pair whose cells have all come by the end of a slot.
func (r *Rack) arrived(s *share, from, to int, slot uint64) {
	b, f := &r.inboxes[to], r.nodes[to].inFlow(from)
	for b.head[from] >= 0 {
		at := b.head[from]
		m := &b.messages[at]
		if f.goal = m.end; int32(f.expected-f.goal) < 0 {
			return
		}
		s.done = append(s.done, Completion{ID: m.id, From: from, To: to, Start: m.start, End: slot})
		b.head[from] = m.next
		m.next, b.free = b.free, at
		s.completed++
	}
	b.tail[from], f.goal = -1, f.expected+1<<31-1 // none to wait for
	b.flows--
}

// Done returns the messages completed since the last call, in the order of their last slots, and by destination within a slot. The
// slice is valid until the next Step.
func (r *Rack) Done() []Completion {
	d := r.done
	slices.SortStableFunc(d, func(a, b Completion) int {
		return cmp.Or(cmp.Compare(a.End, b.End), cmp.Compare(a.To, b.To))
	})
	r.done = r.done[:0]
	return d
}

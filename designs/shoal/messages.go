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
	head, tail []int32 // by class*N + source: the first message that is not complete, and the last
	unended    []int32 // and how many are not among those because their last cell has no number yet, see PairOrder
}

func newInbox(nodes, classes int) inbox {
	b := inbox{
		free: -1, head: make([]int32, nodes*classes), tail: make([]int32, nodes*classes),
		unended: make([]int32, nodes*classes),
	}
	for i := range b.head {
		b.head[i], b.tail[i] = -1, -1
	}
	return b
}

// take keeps a message, in no list yet.
func (b *inbox) take(m message) int32 {
	at := b.free
	if at >= 0 {
		b.free = b.messages[at].next
		b.messages[at] = m
	} else {
		at = int32(len(b.messages))
		b.messages = append(b.messages, m)
	}
	return at
}

// append puts a message at the end of the list of its source's incomplete messages, and tells whether the list was
// empty.
func (b *inbox) append(from int, at int32) (first bool) {
	if first = b.head[from] < 0; first {
		b.head[from] = at
	} else {
		b.messages[b.tail[from]].next = at
	}
	b.tail[from] = at
	return first
}

// goalFar is added to the cells that have come if there is no message to wait for.
const goalFar = 1<<31 - 1

// Completion is a message whose last cell has come, in order.
type Completion struct {
	ID       uint64
	From, To int
	Class    int
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
	return r.OfferClass(id, from, to, 0, cells)
}

// OfferClass is Offer for a message of a traffic class (Appendix C).
func (r *Rack) OfferClass(id uint64, from, to, class int, cells uint32) error {
	n := len(r.Nodes)
	switch {
	case class < 0 || class >= r.Times.classes:
		return fmt.Errorf("message %d of class %d, want one of 0 to %d", id, class, r.Times.classes-1)
	case from < 0 || from >= n || to < 0 || to >= n || from == to:
		return fmt.Errorf("message %d from node %d to node %d, want two of 0 to %d", id, from, to, n-1)
	case cells == 0 || cells > 1<<31 || r.open[(class*n+from)*n+to]+cells < cells:
		return fmt.Errorf("message %d of %d cells, want 1 to 2^31, and at most 2^32 between two nodes in all", id, cells)
	}
	source := r.Times.pairOf(class, from)
	open := &r.open[source*n+to]
	*open += cells
	epoch := int32(r.slot / uint64(r.Times.Epoch))
	r.pending++
	r.asked = r.slot // nothing is stuck for a while: see Stuck
	if r.Times.options.Pair != PairFIFO {
		r.offerInOrder(id, source, from, to, class, cells, epoch)
		return nil
	}
	b := &r.Inboxes[to]
	if b.append(source, b.take(message{start: r.slot, id: id, end: *open, next: -1})) {
		r.Nodes[to].InFlow(source).goal = *open
		if class == 0 {
			r.Incast[to]++
		}
	}
	r.Nodes[from].OfferClass(to, class, cells, epoch)
	return nil
}

// arrived completes the messages of a pair whose cells have all come by the end of a slot.
func (r *Rack) arrived(s *share, node, to, class int, slot uint64) {
	from := r.Times.pairOf(class, node)
	b, f := &r.Inboxes[to], r.Nodes[to].InFlow(from)
	for b.head[from] >= 0 {
		at := b.head[from]
		m := &b.messages[at]
		if f.goal = m.end; int32(f.Expected-f.goal) < 0 {
			return
		}
		s.done = append(s.done, Completion{ID: m.id, From: node, To: to, Class: class, Start: m.start, End: slot})
		b.head[from] = m.next
		m.next, b.free = b.free, at
		s.completed++
	}
	b.tail[from], f.goal = -1, f.Expected+goalFar
	if class == 0 && b.unended[from] == 0 {
		r.Incast[to]--
	}
}

// Done returns the messages completed since the last call, in the order of their last slots, and by destination within
// a slot. The slice is valid until the next Step.
func (r *Rack) Done() []Completion {
	d := r.done
	slices.SortStableFunc(d, func(a, b Completion) int {
		return cmp.Or(cmp.Compare(a.End, b.End), cmp.Compare(a.To, b.To))
	})
	r.done = r.done[:0]
	return d
}

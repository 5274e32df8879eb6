package shoal

import (
	"fmt"

	"github.com/goldwire/goldwire/internal/enum"
)

// PairOrder is the order in which messages of one pair and class are sent.
type PairOrder uint8

// The orders of messages of one pair.
const (
	PairFIFO     PairOrder = iota // one after the other
	PairTurns                     // a cell of each in turn, as if each had a flow of its own
	PairShortest                  // the one with the fewest cells left first, of equal ones the older
)

var pairOrders = enum.Texts{"fifo", "turns", "shortest"}

func (o PairOrder) String() string { return enum.String(o, pairOrders) }

// MarshalText implements [encoding.TextMarshaler].
func (o PairOrder) MarshalText() ([]byte, error) { return enum.Marshal(o, pairOrders) }

// UnmarshalText implements [encoding.TextUnmarshaler]: it reads fifo, turns or shortest.
func (o *PairOrder) UnmarshalText(text []byte) error { return enum.Unmarshal(o, text, pairOrders) }

// endedPacket is a packet whose last cell has got its number. Where packets of a pair are sent out of the order in
// which they came, a rack learns so the packets that its messages wait for.
type endedPacket struct {
	dest, class uint16
	message     int32  // in the destination's inbox
	end         uint32 // cells of the pair up to the packet's last
}

// rotate puts the first packet behind all others.
func (p *packetStore) rotate(q *packetQueue) {
	if q.head == q.tail {
		return
	}
	first := q.head
	l := &p.lengths[first]
	l.sent = q.sent
	p.lengths[q.tail].next = first
	q.head, q.tail = l.next, first
	l.next = -1
	q.cells, q.sent = p.lengths[q.head].cells, p.lengths[q.head].sent
}

// insert puts a packet that was added last before all packets with more cells left.
func (p *packetStore) insert(q *packetQueue) {
	last := q.tail
	if q.head == last {
		return
	}
	p.lengths[q.head].sent = q.sent
	cells, before := p.lengths[last].cells, int32(-1)
	at := q.head
	for ; at != last && p.lengths[at].cells-p.lengths[at].sent <= cells; at = p.lengths[at].next {
		before = at
	}
	if at == last {
		return
	}
	end := at
	for p.lengths[end].next != last {
		end = p.lengths[end].next
	}
	p.lengths[end].next, q.tail = -1, end
	p.lengths[last].next = at
	if before >= 0 {
		p.lengths[before].next = last
		return
	}
	q.head, q.cells, q.sent = last, cells, 0
}

// offerInOrder is OfferClass for a message whose pair does not send in the order of its messages.
func (r *Rack) offerInOrder(id uint64, source, from, to, class int, cells uint32, epoch int32) {
	b := &r.Inboxes[to]
	at := b.take(message{start: r.slot, id: id, next: -1})
	if b.head[source] < 0 && b.unended[source] == 0 {
		f := r.Nodes[to].InFlow(source)
		f.goal = f.Expected + goalFar
		if class == 0 {
			r.Incast[to]++
		}
	}
	b.unended[source]++
	r.Nodes[from].offer(to, class, cells, epoch, at)
}

// learnEnds takes from the nodes which messages have sent their last cell.
func (r *Rack) learnEnds() {
	for i := range r.Nodes {
		n := &r.Nodes[i]
		for _, e := range n.ended {
			b, source := &r.Inboxes[e.dest], r.Times.pairOf(int(e.class), i)
			b.unended[source]--
			b.messages[e.message].end = e.end
			if b.append(source, e.message) {
				r.Nodes[e.dest].InFlow(source).goal = e.end
			}
		}
		n.ended = n.ended[:0]
	}
}

func checkPairOrder(o Options, workers int) error {
	if o.Pair > PairShortest || o.Pair != PairFIFO && workers > 1 {
		return fmt.Errorf(
			"order %d of a pair's messages with %d workers, want 0 to %d, and one worker unless it is 0", o.Pair, workers,
			PairShortest,
		)
	}
	return nil
}

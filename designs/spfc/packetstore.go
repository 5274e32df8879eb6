package spfc

// packetStore is the memory of a switch: packets in linked lists over one pool.
type packetStore struct {
	slots []packetSlot
	free  int32 // -1: none
}

type packetSlot struct {
	p    Packet
	next int32 // -1: none
}

// packetQueue is a list in a store. The zero value is empty.
type packetQueue struct {
	head, tail int32
	count      int32
}

func (q *packetQueue) empty() bool { return q.count == 0 }

// push appends a copy of a packet and returns it.
func (s *packetStore) push(q *packetQueue, p *Packet) *Packet {
	at := s.free
	if at < 0 {
		at = int32(len(s.slots))
		s.slots = append(s.slots, packetSlot{})
	} else {
		s.free = s.slots[at].next
	}
	slot := &s.slots[at]
	slot.p, slot.next = *p, -1
	if q.count == 0 {
		q.head = at
	} else {
		s.slots[q.tail].next = at
	}
	q.tail = at
	q.count++
	return &slot.p
}

func (s *packetStore) first(q *packetQueue) *Packet { return &s.slots[q.head].p }

// pop removes the first packet and returns it; it is there until the next push.
func (s *packetStore) pop(q *packetQueue) *Packet {
	at := q.head
	slot := &s.slots[at]
	q.head = slot.next
	q.count--
	slot.next = s.free
	s.free = at
	return &slot.p
}

package drmt

// InstanceType says why a packet is in a pipeline, by the numbers of BMv2's simple_switch.
type InstanceType uint8

// Reasons why a packet is in ingress, or in egress.
const (
	Normal       InstanceType = 0 // it came
	IngressClone InstanceType = 1 // in egress: a copy of the packet as it came to ingress
	EgressClone  InstanceType = 2 // in egress: a copy of the packet as egress left it
	Recirculated InstanceType = 4 // it went through egress, and comes as the deparser made it
	Replicated   InstanceType = 5 // in egress: a copy for a port of a multicast group
	Resubmitted  InstanceType = 6 // it comes as it came to ingress before
)

// Restart says which packets run once more, and which fields they keep. The paper has no such way; P4 programs want
// one. Here it is a register from egress to ingress, as wide as a header vector's packet.
type Restart struct {
	Flag []Piece // where the number of a list stands; 0: the packet does not run again
	// Lists are the fields that a packet keeps. A list that is not there is empty.
	Lists []KeptList
}

// KeptList is the fields that outlast a restart.
type KeptList struct {
	Number uint64
	// From are the fields as they leave, To as they come, piece by piece. Shift counts in both.
	From, To []Piece
}

// asks tells whether a packet is to run again, and puts the fields that it keeps into kept.
func (r *Restart) asks(h, kept *HeaderVector) bool {
	number := getPieces(h, r.Flag)
	if number == 0 {
		return false
	}
	*kept = HeaderVector{}
	keepFields(r.Lists, number, h, kept)
	return true
}

// keepFields copies the fields of a list.
func keepFields(lists []KeptList, number uint64, from, to *HeaderVector) {
	for i := range lists {
		if lists[i].Number != number {
			continue
		}
		for k, p := range lists[i].From {
			q := lists[i].To[k]
			mask := uint32(1<<p.Bits - 1)
			v := from.Get(p.Field) >> p.Shift & mask
			to.Set(q.Field, to.Get(q.Field)&^(mask<<q.Shift)|v<<q.Shift)
		}
	}
}

// Departure tells the ingress that the program is done with a packet, or that it runs again.
type Departure struct {
	Valid bool
	Slot  uint16
	Kind  InstanceType // Normal: the program is done with it
	// Headers are the first Bytes bytes of a recirculated packet.
	Headers [vectorBytes]uint8
	Bytes   uint16
	Kept    HeaderVector
	// Clone and Group are requests for copies, as [Replication] has them; InEgress says that egress made them. Unicast
	// says that the packet itself goes on in egress, behind its clone. Vector is the header vector then.
	Clone, Group      uint32
	InEgress, Unicast bool
	Vector            HeaderVector
}

// waitingPacket is a slot of the packet buffer: the bytes of a packet that is in the machine.
//
//	data    | made by the deparser: made bytes | bytes of the packet that came, from byte offset on |
//	        | headers that the parser took: taken bytes | payload                                   |
type waitingPacket struct {
	data         []byte
	made, offset int
	taken        int
	origin, run  uint32 // run counts the parsings of all packets
	time         uint32 // of arrival
	port         uint16
	kind         InstanceType
	kept         HeaderVector
	holders      int // the packet and its copies that are in the machine
}

// waitingRun is a packet that waits to enter again, or a copy that waits with its header vector.
type waitingRun struct {
	slot   uint16
	copy   bool
	vector HeaderVector
}

// recirculate puts new headers before the payload.
func (w *waitingPacket) recirculate(headers []uint8) {
	w.offset += max(w.taken-w.made, 0)
	w.made = len(headers) + max(w.made-w.taken, 0)
	w.data = append(append(make([]byte, 0, len(headers)+len(w.data)-w.taken), headers...), w.data[w.taken:]...)
}

// packetBuffer keeps the bytes of packets that may run again, or of which there are copies. Runs wait in the order of
// departures.
type packetBuffer struct {
	slots       []waitingPacket
	free        []uint16
	waiting     []waitingRun
	first       int          // of waiting
	replication *Replication `state:"none"` // as built; nil of a machine that makes no copies
	parser      *Parser      `state:"none"` // as built
}

func newPacketBuffer(slots int, p *Parser, r *Replication) *packetBuffer {
	b := &packetBuffer{slots: make([]waitingPacket, slots), parser: p, replication: r}
	b.reset()
	return b
}

func (b *packetBuffer) reset() {
	clear(b.slots)
	b.free, b.waiting, b.first = b.free[:0], b.waiting[:0], 0
	for i := range b.slots {
		b.free = append(b.free, uint16(i))
	}
}

// take notes a departure. A slot is free when the packet and its copies have left.
func (b *packetBuffer) take(d *Departure) {
	w := &b.slots[d.Slot]
	if d.Clone != 0 || d.Group != 0 {
		b.copies(d)
	}
	switch d.Kind {
	case Normal:
		if w.holders--; w.holders == 0 {
			w.data = nil
			b.free = append(b.free, d.Slot)
		}
		return
	case Recirculated:
		w.recirculate(d.Headers[:d.Bytes])
	}
	w.kind, w.kept = d.Kind, d.Kept
	b.waiting = append(b.waiting, waitingRun{slot: d.Slot})
}

// next returns the run that has waited longest, nil if none waits.
func (b *packetBuffer) next() *waitingRun {
	if b.first == len(b.waiting) {
		b.waiting, b.first = b.waiting[:0], 0
		return nil
	}
	if b.first > 64 && 2*b.first > len(b.waiting) {
		b.waiting, b.first = append(b.waiting[:0], b.waiting[b.first:]...), 0
	}
	b.first++
	return &b.waiting[b.first-1]
}

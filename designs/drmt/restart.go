package drmt

// InstanceType says why a packet is in ingress, by the numbers of BMv2's simple_switch.
type InstanceType uint8

// Reasons why a packet is in ingress.
const (
	Normal       InstanceType = 0 // it came
	Recirculated InstanceType = 4 // it went through egress, and comes as the deparser made it
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
	for i := range r.Lists {
		if r.Lists[i].Number != number {
			continue
		}
		for k, p := range r.Lists[i].From {
			to := r.Lists[i].To[k]
			v := h.Get(p.Field) >> p.Shift & uint32(1<<p.Bits-1)
			kept.Set(to.Field, kept.Get(to.Field)|v<<to.Shift)
		}
	}
	return true
}

// Departure tells the ingress that the program is done with a packet, or that it runs again.
type Departure struct {
	Valid bool
	Slot  uint16
	Kind  InstanceType // Normal: the program is done with it, its slot is free
	// Headers are the first Bytes bytes of a recirculated packet.
	Headers [vectorBytes]uint8
	Bytes   uint16
	Kept    HeaderVector
}

// waitingPacket is a slot of the packet buffer: the bytes of a packet that is in the machine.
//
//	data    | made by the deparser: made bytes | bytes of the packet that came, from byte offset on |
//	        | headers that the parser took: taken bytes | payload                                   |
type waitingPacket struct {
	data         []byte
	made, offset int
	taken        int
	origin       uint32
	kind         InstanceType
	kept         HeaderVector
}

// recirculate puts new headers before the payload.
func (w *waitingPacket) recirculate(headers []uint8) {
	w.offset += max(w.taken-w.made, 0)
	w.made = len(headers) + max(w.made-w.taken, 0)
	w.data = append(append(make([]byte, 0, len(headers)+len(w.data)-w.taken), headers...), w.data[w.taken:]...)
}

// packetBuffer keeps the bytes of packets that may run again. Slots that wait do so in the order of their departure.
type packetBuffer struct {
	slots   []waitingPacket
	free    []uint16
	waiting []uint16
}

func newPacketBuffer(slots int) *packetBuffer {
	b := &packetBuffer{slots: make([]waitingPacket, slots)}
	b.reset()
	return b
}

func (b *packetBuffer) reset() {
	clear(b.slots)
	b.free, b.waiting = b.free[:0], b.waiting[:0]
	for i := range b.slots {
		b.free = append(b.free, uint16(i))
	}
}

// take notes a departure.
func (b *packetBuffer) take(d *Departure) {
	w := &b.slots[d.Slot]
	switch d.Kind {
	case Normal:
		w.data = nil
		b.free = append(b.free, d.Slot)
		return
	case Recirculated:
		w.recirculate(d.Headers[:d.Bytes])
	}
	w.kind, w.kept = d.Kind, d.Kept
	b.waiting = append(b.waiting, d.Slot)
}

// next returns the slot that has waited longest; ok is false if none waits.
func (b *packetBuffer) next() (slot uint16, ok bool) {
	if len(b.waiting) == 0 {
		return 0, false
	}
	slot = b.waiting[0]
	b.waiting = append(b.waiting[:0], b.waiting[1:]...)
	return slot, true
}

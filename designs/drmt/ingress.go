package drmt

import "github.com/goldwire/goldwire/rtl"

// Source gives a machine its packets. The bytes are valid until the next call.
type Source interface {
	// Next returns the next packet and its port. It is asked once for each cycle in which a packet can enter; ok is false
	// if there is none now.
	Next() (packet []byte, port uint16, ok bool)
}

// Ingress parses packets and sends them to the processors round robin: each processor takes packets in a cycle of the
// period of its own.
type Ingress struct {
	Tag    rtl.Out[Tag]
	Header rtl.Out[HeaderVector]
	// Back has one port of a machine whose packets may run again or have copies, else none: the departure of each packet.
	// Such packets enter before a packet that is new.
	Back []rtl.In[Departure]
	// Time has one port of a machine whose program asks for the time, else none.
	Time []rtl.Out[Timestamp]

	clock  microseconds
	came   bool // a new packet, in this cycle
	parser *Parser
	source Source
	takes  []int // by cycle of the period: the processor, -1 for none
	every  int   // only one of a number of periods takes packets

	phase  int
	turn   int // of every
	number uint32
	origin uint32
	runs   uint32        // packets parsed, those among them that run again
	buffer *packetBuffer // nil without Back
}

// newIngress returns the ingress of processors with these offsets. Slots is how many packets the buffer of a machine
// holds whose packets may run again, 0 for any other machine.
func newIngress(
	parser *Parser, source Source, period, every int, offset []int, slots int, copies *Replication,
) *Ingress {
	in := &Ingress{parser: parser, source: source, takes: make([]int, period), every: max(every, 1)}
	for i := range in.takes {
		in.takes[i] = -1
	}
	for p, o := range offset {
		in.takes[o%period] = p
	}
	if parser.tellsTime() {
		in.Time = make([]rtl.Out[Timestamp], 1)
	}
	if slots > 0 {
		in.Back, in.buffer = make([]rtl.In[Departure], 1), newPacketBuffer(slots, parser, copies)
	}
	return in
}

// Reset has no packet for the first cycle.
func (in *Ingress) Reset() {
	in.phase, in.turn, in.number, in.origin, in.runs = 0, 0, 0, 0, 0
	if in.buffer != nil {
		in.buffer.reset()
	}
	in.clock = microseconds{}
	setTimestamps(in.Time, 0, false)
	in.Tag.Set(Tag{})
	in.Header.Set(HeaderVector{})
}

// Tick parses the packet of the next cycle.
func (in *Ingress) Tick() {
	if in.phase++; in.phase == len(in.takes) {
		in.phase = 0
		if in.turn++; in.turn == in.every {
			in.turn = 0
		}
	}
	for i := range in.Back {
		if d := in.Back[i].Get(); d.Valid {
			in.buffer.take(&d)
		}
	}
	tag := Tag{}
	in.came = false
	if p := in.takes[in.phase]; p >= 0 && in.turn == 0 {
		var h HeaderVector
		if in.enter(&tag, &h) {
			tag.Number, tag.Processor, tag.Valid = in.number, uint8(p), true
			in.Header.Set(h)
			in.number++
		}
	}
	in.Tag.Set(tag)
	setTimestamps(in.Time, in.clock.now, in.came)
	in.clock.tick()
}

// enter takes a copy or parses a packet that runs again, or else a new one.
func (in *Ingress) enter(tag *Tag, h *HeaderVector) bool {
	b := in.buffer
	if b != nil {
		if x := b.next(); x != nil {
			w := &b.slots[x.slot]
			if x.copy {
				*h = x.vector
			} else {
				setPieces(&w.kept, in.parser.Time, uint64(w.time))
				w.taken = in.parser.ParseAgain(w.data, w.kind, &w.kept, h)
				w.run = in.runs
				in.parser.draw(in.runs, h)
				in.runs++
			}
			tag.Origin, tag.Slot = w.origin, x.slot
			tag.Payload, tag.Rest = uint16(w.offset+max(w.taken-w.made, 0)), uint16(max(w.made-w.taken, 0))
			return true
		}
		if len(b.free) == 0 {
			return false
		}
	}
	packet, port, ok := in.source.Next()
	if !ok {
		return false
	}
	in.came = true
	payload := in.parser.parseNew(packet, port, in.clock.now, h)
	run := in.runs
	in.parser.draw(run, h)
	in.runs++
	tag.Origin, tag.Payload = in.origin, uint16(payload)
	in.origin++
	if b != nil {
		tag.Slot = b.free[0]
		b.free = append(b.free[:0], b.free[1:]...)
		b.slots[tag.Slot] = waitingPacket{
			data: append([]byte(nil), packet...), taken: payload, origin: tag.Origin, run: run, port: port, holders: 1,
			time: in.clock.now,
		}
	}
	return true
}

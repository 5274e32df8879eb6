package drmt

import "github.com/goldwire/goldwire/rtl"

// Sink takes the packets that leave a machine. The bytes are valid during the call.
type Sink interface {
	// Take is called for each packet and copy, in the order in which they leave. A packet that runs again is taken when
	// it leaves at last.
	Take(p Leaving)
}

// Leaving is a packet that leaves. Its bytes beside the headers are not in the machine, but in the packet that came.
type Leaving struct {
	Number  uint32 // in the order of arrival, from 0
	Headers []byte // on the wire
	Gaps    []Gap  // where bytes of the packet that came stand among them, in their order
	Payload int    // where the payload stood in the packet that came
	Most    uint32 // bytes that leave, the others are cut off
	Port    uint16
	Drop    bool // the program drops it, or it ends with ingress, and its copies leave later if there are any
}

// Append appends the whole packet to a buffer, given the packet that came.
func (l *Leaving) Append(to, came []byte) []byte {
	at, start := 0, len(to)
	for _, g := range l.Gaps {
		to = append(append(to, l.Headers[at:g.At]...), came[g.From:g.From+g.Bytes]...)
		at = g.At
	}
	to = append(append(to, l.Headers[at:]...), came[l.Payload:]...)
	return to[:start+int(min(int64(len(to)-start), int64(l.Most)))]
}

// EgressFault tells that two packets left in a cycle, or one overtook another.
type EgressFault struct {
	Number uint32
	Valid  bool
}

// Egress merges the processors' packets and deparses them. All packets take the same time, so that they leave one by
// one, in order: nothing waits here, and a machine for which that is not so gets a fault.
type Egress struct {
	Tag    []rtl.In[Tag]
	Header []rtl.In[HeaderVector]
	Fault  rtl.Out[EgressFault]
	// Left counts the packets.
	Left rtl.Out[uint32]
	// Back has one port of a machine whose packets may run again, else none.
	Back []rtl.Out[Departure]
	// Time has one port of a machine whose program asks for the time, else none.
	Time []rtl.In[Timestamp]

	deparser *Deparser
	sink     Sink
	left     uint32
	last     int64
	buffer   []byte
	gaps     []Gap
	vector   HeaderVector
	// made is, by slot, the bytes that the deparser put before those that came, when the packet was here last.
	made [][]byte
}

// newEgress returns the egress of some processors; slots as for newIngress.
func newEgress(processors int, d *Deparser, s Sink, slots int) *Egress {
	e := &Egress{
		Tag: make([]rtl.In[Tag], processors), Header: make([]rtl.In[HeaderVector], processors), deparser: d, sink: s,
	}
	if slots > 0 {
		e.Back, e.made = make([]rtl.Out[Departure], 1), make([][]byte, slots)
	}
	return e
}

// hear connects the ports on which an ingress says when packets come.
func (e *Egress) hear(from []rtl.Out[Timestamp]) {
	e.Time = make([]rtl.In[Timestamp], len(from))
	for i := range from {
		rtl.Connect(&from[i], &e.Time[i])
	}
}

// Reset has no packet.
func (e *Egress) Reset() {
	e.left, e.last = 0, -1
	e.buffer, e.gaps = make([]byte, 0, vectorBytes), make([]Gap, 0, Fields32)
	e.Fault.Set(EgressFault{})
	e.Left.Set(0)
	for i := range e.Back {
		e.Back[i].Set(Departure{})
	}
	clear(e.made)
}

// Tick takes the packet of a cycle.
func (e *Egress) Tick() {
	for i := range e.Time {
		if a := e.Time[i].Get(); a.Valid {
			if s, ok := e.sink.(TimestampSink); ok {
				s.Came(a.Microseconds)
			}
		}
	}
	fault := EgressFault{}
	some := false
	var gone Departure
	for i := range e.Tag {
		t := e.Tag[i].Get()
		if !t.Valid {
			continue
		}
		if some || int64(t.Number) <= e.last {
			fault = EgressFault{t.Number, true}
		}
		some, e.last = true, int64(t.Number)
		e.vector = e.Header[i].Get()
		if e.Back != nil {
			var over bool
			if gone, over = e.departure(&t); over {
				if gone.Kind == Normal {
					e.sink.Take(Leaving{Number: t.Origin, Drop: true})
				}
				continue
			}
		}
		headers, gaps, port, drop := e.deparser.Deparse(e.buffer[:0], e.gaps[:0], &e.vector)
		if t.Rest > 0 && !drop {
			headers = append(headers, e.rest(&t)...)
		}
		most := ^uint32(getPieces(&e.vector, e.deparser.Truncate))
		e.sink.Take(Leaving{t.Origin, headers, gaps, int(t.Payload), most, port, drop})
		e.left++
	}
	for i := range e.Back {
		e.Back[i].Set(gone)
	}
	e.Fault.Set(fault)
	e.Left.Set(e.left)
}

// departure tells whether a packet runs again and which copies it wants; over says that it does not leave.
func (e *Egress) departure(t *Tag) (d Departure, over bool) {
	d = Departure{Valid: true, Slot: t.Slot}
	r := e.deparser.Replicate
	if e.deparser.Resubmit.asks(&e.vector, &d.Kept) {
		d.Kind = Resubmitted
	}
	if r != nil {
		over = r.requests(&e.vector, uint16(getPieces(&e.vector, e.deparser.Port)), &d)
		if d.Kind == Resubmitted {
			d.Group, d.Unicast = 0, false
		}
		if !over && d.Kind == Normal && !d.InEgress { // egress was in this run
			d.InEgress = true
			r.requests(&e.vector, 0, &d)
		}
	}
	if over || d.Kind == Resubmitted {
		return d, true
	}
	if e.deparser.drops(&e.vector) || !e.deparser.Recirculate.asks(&e.vector, &d.Kept) {
		return d, false
	}
	d.Kind = Recirculated
	headers, _, _, _ := e.deparser.Deparse(e.buffer[:0], nil, &e.vector)
	d.Bytes = uint16(copy(d.Headers[:], headers))
	e.made[t.Slot] = append(append(make([]byte, 0, len(headers)+int(t.Rest)), headers...), e.rest(t)...)
	return d, true
}

// rest is the bytes that the deparser made before and the parser did not take as headers.
func (e *Egress) rest(t *Tag) []byte {
	made := e.made[t.Slot]
	return made[len(made)-int(t.Rest):]
}

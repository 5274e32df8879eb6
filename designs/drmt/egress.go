package drmt

import "github.com/goldwire/goldwire/rtl"

// Sink takes the packets that leave a machine. The bytes are valid during the call.
type Sink interface {
	// Take is called for each packet, in the order in which they leave: its number in the order of arrival, the headers on
	// the wire, and where the payload stood in the packet that came. Drop tells that the program drops it. A packet that
	// runs again is taken when it leaves at last.
	Take(number uint32, headers []byte, payload int, port uint16, drop bool)
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

	deparser *Deparser
	sink     Sink
	left     uint32
	last     int64
	buffer   []byte
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

// Reset has no packet.
func (e *Egress) Reset() {
	e.left, e.last = 0, -1
	e.buffer = make([]byte, 0, vectorBytes)
	e.Fault.Set(EgressFault{})
	e.Left.Set(0)
	for i := range e.Back {
		e.Back[i].Set(Departure{})
	}
	clear(e.made)
}

// Tick takes the packet of a cycle.
func (e *Egress) Tick() {
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
			if gone = e.departure(&t); gone.Kind != Normal {
				continue
			}
		}
		headers, port, drop := e.deparser.Deparse(e.buffer[:0], &e.vector)
		if t.Rest > 0 && !drop {
			headers = append(headers, e.rest(&t)...)
		}
		e.sink.Take(t.Origin, headers, int(t.Payload), port, drop)
		e.left++
	}
	for i := range e.Back {
		e.Back[i].Set(gone)
	}
	e.Fault.Set(fault)
	e.Left.Set(e.left)
}

// departure tells whether a packet runs again.
func (e *Egress) departure(t *Tag) Departure {
	d := Departure{Valid: true, Slot: t.Slot}
	if e.deparser.Resubmit.asks(&e.vector, &d.Kept) {
		d.Kind = Resubmitted
		return d
	}
	if e.deparser.drops(&e.vector) || !e.deparser.Recirculate.asks(&e.vector, &d.Kept) {
		return d
	}
	d.Kind = Recirculated
	headers, _, _ := e.deparser.Deparse(e.buffer[:0], &e.vector)
	d.Bytes = uint16(copy(d.Headers[:], headers))
	e.made[t.Slot] = append(append(make([]byte, 0, len(headers)+int(t.Rest)), headers...), e.rest(t)...)
	return d
}

// rest is the bytes that the deparser made before and the parser did not take as headers.
func (e *Egress) rest(t *Tag) []byte {
	made := e.made[t.Slot]
	return made[len(made)-int(t.Rest):]
}

package drmt

import "github.com/goldwire/goldwire/rtl"

// Sink takes the packets that leave a machine. The bytes are valid during the call.
type Sink interface {
	// Take is called for each packet, in the order in which they leave: its number in the order of arrival, the headers on
	// the wire, and where the payload stood in the packet that came. Drop tells that the program drops it.
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

	deparser *Deparser
	sink     Sink
	left     uint32
	last     int64
	buffer   []byte
	vector   HeaderVector
}

func newEgress(processors int, d *Deparser, s Sink) *Egress {
	return &Egress{
		Tag: make([]rtl.In[Tag], processors), Header: make([]rtl.In[HeaderVector], processors), deparser: d, sink: s,
	}
}

// Reset has no packet.
func (e *Egress) Reset() {
	e.left, e.last = 0, -1
	e.buffer = make([]byte, 0, vectorBytes)
	e.Fault.Set(EgressFault{})
	e.Left.Set(0)
}

// Tick takes the packet of a cycle.
func (e *Egress) Tick() {
	fault := EgressFault{}
	some := false
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
		headers, port, drop := e.deparser.Deparse(e.buffer[:0], &e.vector)
		e.sink.Take(t.Number, headers, int(t.Payload), port, drop)
		e.left++
	}
	e.Fault.Set(fault)
	e.Left.Set(e.left)
}

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

	parser *Parser
	source Source
	takes  []int // by cycle of the period: the processor, -1 for none
	every  int   // only one of a number of periods takes packets

	phase  int
	turn   int // of every
	number uint32
}

// newIngress returns the ingress of processors with these offsets.
func newIngress(parser *Parser, source Source, period, every int, offset []int) *Ingress {
	in := &Ingress{parser: parser, source: source, takes: make([]int, period), every: max(every, 1)}
	for i := range in.takes {
		in.takes[i] = -1
	}
	for p, o := range offset {
		in.takes[o%period] = p
	}
	return in
}

// Reset has no packet for the first cycle.
func (in *Ingress) Reset() {
	in.phase, in.turn, in.number = 0, 0, 0
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
	tag := Tag{}
	if p := in.takes[in.phase]; p >= 0 && in.turn == 0 {
		if packet, port, ok := in.source.Next(); ok {
			var h HeaderVector
			payload := in.parser.Parse(packet, port, &h)
			in.parser.draw(in.number, &h)
			tag = Tag{Number: in.number, Payload: uint16(payload), Processor: uint8(p), Valid: true}
			in.Header.Set(h)
			in.number++
		}
	}
	in.Tag.Set(tag)
}

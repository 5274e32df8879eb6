package drmt

import "github.com/goldwire/goldwire/rtl"

// Timestamp tells that a packet came, and when: the whole microseconds since the reset.
type Timestamp struct {
	Microseconds uint32
	Valid        bool
}

// TimestampSink is a sink that is told when packets come: each packet, in their order, before it leaves. Machines whose
// programs ask for no time tell nothing.
type TimestampSink interface {
	Sink
	Came(microseconds uint32)
}

// microseconds is an ingress' clock.
type microseconds struct {
	now    uint32
	cycles int // of this microsecond
}

// tick ends a cycle.
func (m *microseconds) tick() {
	if m.cycles++; m.cycles == CyclesPerMicrosecond {
		m.now, m.cycles = m.now+1, 0
	}
}

// tellsTime tells whether a parser's programs ask for the time.
func (p *Parser) tellsTime() bool { return p.Time != nil || p.Stamp != nil }

// stamp gives a packet that is new the time of its arrival.
func (p *Parser) stamp(now uint32, h *HeaderVector) {
	setPieces(h, p.Time, uint64(now))
	setPieces(h, p.Stamp, uint64(now))
}

// setTimestamps drives the timestamp port, if there is one: the microsecond now, and whether a packet came in this
// cycle.
func setTimestamps(out []rtl.Out[Timestamp], now uint32, came bool) {
	for i := range out {
		out[i].Set(Timestamp{now, came})
	}
}

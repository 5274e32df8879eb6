package spfc

import (
	"fmt"

	"github.com/goldwire/goldwire/peers/dcqcn"
)

// Kinds of packets.
const (
	dataPacket uint8 = iota
	cnpPacket        // congestion notification: the receiver saw a mark
	ackPacket        // answers the last packet of a segment, with its time stamp
)

// Priorities of the classes: data is lossless; CNPs and acknowledgements go before it and are not paused.
const (
	DataPriority    = 3
	controlPriority = 6
)

// Host is a server with one port: a NIC that sends flows in turn, each at its rate, and receives others.
//
// A flow that may send waits in a queue for its turn, a packet each time. After a packet it may send again when that
// packet would have left at the flow's rate, as the rate is when the packet starts. A pause holds the queue, not the
// rates. All flows start at line rate.
type Host struct {
	traffic *Traffic
	net     *Network
	id      int

	ready   ring[uint32] // flows that may send
	answers ring[Packet]
	sending Packet   // read before the next one
	starts  []uint32 // flows by start
	started int

	// counts of packets
	Sent, Received      int64 // of data
	CNPs, CNPsReceived  int64
	Acks, AcksReceived  int64
	SentBytes, GotBytes int64 // of data on the line
}

// Traffic holds the flows of a network and the parameters common to its hosts.
type Traffic struct {
	DCQCN    dcqcn.Parameters
	TIMELY   TIMELY
	ByteTime Time // of the hosts' lines

	Flows      []flowState
	Unfinished int
}

// line is the rate of the hosts' lines in bit/s.
func (t *Traffic) line() int64 { return bitTimes / int64(t.ByteTime) }

// bitTimes is 8 s in picoseconds: a packet of n bytes at r bit/s takes n*bitTimes/r.
const bitTimes = 8_000_000_000_000

// startTimer is the timer that starts flows; others have the flow that may send again.
const startTimer = 1 << 32

// Attach takes the host's place in a network.
func (h *Host) Attach(n *Network, id int) { h.net, h.id = n, id }

// begin asks for the first flow.
func (h *Host) begin() {
	if h.started < len(h.starts) {
		h.net.At(h.traffic.Flows[h.starts[h.started]].Start, h.id, startTimer)
	}
}

// Timer starts flows, or has one send again.
func (h *Host) Timer(now Time, data uint64) {
	if data != startTimer {
		h.ready.push(uint32(data))
		h.net.Kick(h.id, 0)
		return
	}
	for h.started < len(h.starts) && h.traffic.Flows[h.starts[h.started]].Start <= now {
		h.ready.push(h.starts[h.started])
		h.started++
	}
	h.net.Kick(h.id, 0)
	h.begin()
}

// Transmit sends answers first, then the flow whose turn it is.
func (h *Host) Transmit(now Time, _ int, open uint8) (p *Packet, more bool) {
	if h.answers.count > 0 && open>>controlPriority&1 != 0 {
		p = h.answers.skip()
		return p, h.answers.count+h.ready.count > 0
	}
	if h.ready.count == 0 || open>>DataPriority&1 == 0 {
		return nil, false
	}
	id := h.ready.pop()
	f := &h.traffic.Flows[id]
	rate := h.traffic.line()
	switch f.Control {
	case WithDCQCN:
		f.dcqcn.Advance(&h.traffic.DCQCN, int64(now))
		rate = f.dcqcn.Rate()
	case WithTIMELY:
		rate = f.Timely.rate
	}
	bytes := int64(PacketBytes)
	f.sent++
	if f.sent == f.packets {
		bytes = f.last
	} else if gap := Time((bytes*bitTimes + rate - 1) / rate); gap <= Time(bytes)*h.traffic.ByteTime {
		h.ready.push(id)
	} else {
		h.net.At(now+gap, h.id, uint64(id))
	}
	if f.Control == WithDCQCN {
		f.dcqcn.Sends(&h.traffic.DCQCN, bytes)
	}
	h.Sent++
	h.SentBytes += bytes
	h.sending = Packet{Flow: id, Dest: uint16(f.To), Bytes: uint16(bytes), Prio: DataPriority, Kind: dataPacket,
		Seq: uint64(f.sent - 1), Sent: now}
	return &h.sending, h.answers.count+h.ready.count > 0
}

// Receive takes data and answers it, or takes an answer.
func (h *Host) Receive(now Time, _ int, p *Packet) {
	f := &h.traffic.Flows[p.Flow]
	switch p.Kind {
	case dataPacket:
		h.data(now, f, p)
	case cnpPacket:
		h.CNPsReceived++
		f.dcqcn.Notify(&h.traffic.DCQCN, int64(now))
	case ackPacket:
		h.AcksReceived++
		f.Timely.complete(&h.traffic.TIMELY, now-p.Sent)
	}
}

func (h *Host) data(now Time, f *flowState, p *Packet) {
	if f.To != h.id || int64(p.Seq) != f.Received {
		h.net.Fail(fmt.Errorf("host %d: packet %d of flow %d to host %d, want packet %d", h.id, p.Seq,
			p.Flow, f.To, f.Received))
		return
	}
	h.Received++
	h.GotBytes += int64(p.Bytes)
	f.Received++
	if p.CE {
		f.marked++
	}
	switch f.Control {
	case WithDCQCN:
		if p.CE && int64(now-f.notified) >= h.traffic.DCQCN.CNPInterval {
			f.notified = now
			h.CNPs++
			h.answer(Packet{Flow: p.Flow, Kind: cnpPacket}, f)
		}
	case WithTIMELY:
		if f.Received%int64(h.traffic.TIMELY.Segment) == 0 || f.Received == f.packets {
			h.Acks++
			h.answer(Packet{Flow: p.Flow, Kind: ackPacket, Sent: p.Sent}, f)
		}
	}
	if f.Received == f.packets {
		f.Finish = now
		h.traffic.Unfinished--
		if f.answer > 0 {
			answer := &h.traffic.Flows[f.answer-1]
			answer.Start = now + f.wait
			h.net.At(answer.Start, h.id, uint64(f.answer-1))
		}
	}
}

func (h *Host) answer(p Packet, f *flowState) {
	p.Dest, p.Bytes, p.Prio = uint16(f.From), leastBytes, controlPriority
	h.answers.push(p)
	h.net.Kick(h.id, 0)
}

package spfc

import (
	"fmt"

	"github.com/goldwire/goldwire/peers/dcqcn"
)

// Control is a sender's congestion control.
type Control uint8

// The senders.
const (
	Uncontrolled Control = iota // at line rate whatever happens: the bursts of §III
	WithDCQCN
	WithTIMELY
)

var controlNames = [...]string{"none", "dcqcn", "timely"}

// String is its name in options.
func (c Control) String() string {
	if int(c) < len(controlNames) {
		return controlNames[c]
	}
	return fmt.Sprintf("Control(%d)", uint8(c))
}

// Flow is a transfer of bytes from one host to another.
type Flow struct {
	From, To int
	Bytes    int64 // of payload
	Start    Time
	Control  Control
}

// Answer is a flow back: it starts at the receiver of another flow, some time after that one's last byte has arrived.
// A request and its answer are a read.
type Answer struct {
	Of      int   // number of the other flow in Scenario.Flows
	Bytes   int64 // of payload
	Wait    Time
	Control Control
}

// Packets have 1,000 bytes of payload and 48 of headers (§III-A: 64 KB last 5.5 us).
const (
	PayloadBytes = 1000
	headerBytes  = 48
	PacketBytes  = PayloadBytes + headerBytes
	leastBytes   = 64 // of a frame: a CNP, an answer, a short last packet
)

// packets returns how many a flow has, and the line bytes of its last one.
func (f *Flow) packets() (n, last int64) {
	n = (f.Bytes + PayloadBytes - 1) / PayloadBytes
	return n, max(f.Bytes-(n-1)*PayloadBytes+headerBytes, leastBytes)
}

// flowState is a flow at its sender and its receiver.
type flowState struct {
	Flow
	packets int64
	last    int64 // line bytes of the last packet

	// at the sender
	sent   int64 // packets
	dcqcn  dcqcn.ReactionPoint
	Timely timelyRate

	// at the receiver
	Received int64 // packets, in order
	marked   int64 // of them
	notified Time  // when it sent its last CNP
	Finish   Time  // when its last byte arrived; -1: not yet

	answer int  // number of its answer, counted from 1; 0: none
	wait   Time // of the answer
}

// LineBytes returns the bytes on the line of the flow's first packets.
func (f *flowState) LineBytes(packets int64) int64 {
	if packets < f.packets {
		return packets * PacketBytes
	}
	return (packets-1)*PacketBytes + f.last
}

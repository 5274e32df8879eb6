package ethernet

import "fmt"

// Stack is the protocol between the application and the MAC.
type Stack uint8

// The stacks of EDM Table 1.
const (
	RawEthernet Stack = iota // the application's own 8-byte header in a frame
	RoCEv2                   // RDMA reliable connection over UDP/IPv4
	TCPIP                    // the application's header in TCP segments over IPv4
)

var stackNames = [...]string{"raw-ethernet", "rocev2", "tcp-ip"}

// String returns the name as claims have it.
func (s Stack) String() string {
	if int(s) < len(stackNames) {
		return stackNames[s]
	}
	return fmt.Sprintf("Stack(%d)", uint8(s))
}

// latency is one traversal of the protocol stack in picoseconds (EDM Table 1).
func (s Stack) latency() int64 { return [...]int64{0, 230_200, 666_200}[s] }

// Latencies of EDM Table 1 in picoseconds.
const (
	transceiver = 19_000 // PMA, PMD and transceiver, at each end of a link
	fibre       = 10_000
	hop         = 2*transceiver + fibre

	parsing     = 87_000
	matchAction = 202_000
	managing    = 93_000
	crossing    = 18_000
)

// Forwarding is when the switch may begin to send a frame.
type Forwarding uint8

// The ways to forward.
const (
	StoreAndForward Forwarding = iota // when all of it is there and its FCS is good
	CutThrough                        // when its head is there: the accounting of Table 1, which leaves serialisation out
)

// Kind is what a packet does.
type Kind uint8

// The kinds of packets.
const (
	ReadRequest Kind = iota
	ReadResponse
	WriteRequest
	Acknowledge // of a write
)

// Packet is the descriptor of one frame between the application and the end of the stack that lays out headers.
type Packet struct {
	Valid       bool
	Kind        Kind   `bits:"2"`
	Peer        uint8  `bits:"6"` // the other host
	First, Last bool   // of its message
	Seq         uint32 // PSN (RoCEv2, 24 bits) or sequence number (TCP)
	Ack         uint32 // acknowledgement number (TCP)
	Address     uint64 `bits:"40"` // of the packet's data
	Bytes       uint32 `bits:"20"` // of data; asked for, if a read request
	Digest      uint32 // of received data: its CRC-32
}

// Offered returns Valid.
func (p Packet) Offered() bool { return p.Valid }

// advance is how far a packet moves the sender's sequence number.
func (s Stack) advance(p Packet, mtu int) uint32 {
	switch {
	case s == RawEthernet:
		return 0
	case s == TCPIP && p.Kind == ReadRequest:
		return memoryHeader
	case s == TCPIP:
		return memoryHeader + p.Bytes
	case p.Kind == ReadRequest: // a read takes the PSNs of its responses
		return (p.Bytes + uint32(mtu) - 1) / uint32(mtu)
	}
	return 1
}

// seqMask is the width of sequence numbers.
func (s Stack) seqMask() uint32 {
	if s == RoCEv2 {
		return 1<<24 - 1
	}
	return 1<<32 - 1
}

package packetnet

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/peers/dcqcn"
)

// Scheme is a way to keep a switch from congestion.
type Scheme uint8

// The schemes of EDM §4.3, in its order.
const (
	DCTCP    Scheme = iota // windows at the senders, marks and drops at the switch
	IRD                    // idealised receiver-driven grants
	PFabric                // priorities at the switch on top of DCTCP
	PFC                    // a lossless switch that pauses senders
	CXL                    // credits hop by hop
	Fastpass               // a central server

	// Schemes of Shoal §7.3.
	OutputQueued // no congestion control, queues without end
	DCQCN        // rates at the senders, random marks, switches that pause
	NDP          // switches that trim, receivers that pull
	R2C2         // a torus whose nodes share links by computed rates
)

var schemes = [...]string{"dctcp", "ird", "pfabric", "pfc", "cxl", "fastpass", "output-queued", "dcqcn", "ndp", "r2c2"}

// Schemes lists the schemes of EDM §4.3.
func Schemes() []Scheme { return []Scheme{DCTCP, IRD, PFabric, PFC, CXL, Fastpass} }

// String returns the name in small letters.
func (s Scheme) String() string {
	if int(s) < len(schemes) {
		return schemes[s]
	}
	return fmt.Sprintf("Scheme(%d)", uint8(s))
}

// ParseScheme is the inverse of String.
func ParseScheme(s string) (Scheme, error) {
	for k, name := range schemes {
		if s == name {
			return Scheme(k), nil
		}
	}
	return 0, fmt.Errorf("scheme %q, want one of %s", s, strings.Join(schemes[:], ", "))
}

// Line is the links' timing of frames. Its answers depend on the arguments alone, so that a run that goes on from a
// checkpoint sees the same links.
type Line interface {
	// Send is a frame of some bytes, preamble and gap not counted, that a port may send from a time on. It returns when
	// the port is free again, and when the whole frame has come to the link's far end. Times are picoseconds.
	Send(port int, at int64, bytes int) (free, came int64)
}

// Config describes a network. Times are in picoseconds and rounded to the nearest byte time.
type Config struct {
	Scheme   Scheme
	Nodes    int // 2 to 512, each both compute and memory node
	RateGbps int // of every link: a divisor of 8000, so that a byte time is whole picoseconds
	Topology Topology
	Seed     uint64
	// traffic classes, each with queues, windows and pauses of its own: 1 to 8; CXL has 1. The highest goes first
	Classes int
	Limit   int64 // the watchdog: a run ends at this time even if messages have not finished
	// Until ends a run when all messages up to this size in bytes have finished; 0: when all have. With sizes of a heavy
	// tail most of a run is a few long messages, each alone in the network.
	Until int

	Ports int  // Clos: of each switch
	Spray bool // Clos: each packet takes another path; otherwise a pair of nodes keeps its own (ECMP)
	Side  int  // Torus: nodes along each dimension

	// Every frame takes, beside its own length on each link, twice HostDelay, LinkDelay on each link, and SwitchDelay in
	// each switch.
	HostDelay   int64 // protocol stack, MAC and PCS of a node
	LinkDelay   int64 // PMA, PMD and transceivers of both ends, and the fibre
	SwitchDelay int64 // forwarding, with MAC and PCS of both its ports
	MemoryDelay int64 // from a read request to its data: DRAM

	// Line, if not nil, has the times of all links in place of RateGbps, Preamble, Gap and LinkDelay. Not for the schemes
	// that plan with the links' times: IRD, CXL, Fastpass and R2C2.
	Line Line `state:"none"` // as built
	// Spoils, if not nil, tells whether the line has a bit error between two times at which a port sends a frame. Only for
	// schemes that send a lost frame again: DCTCP and pFabric.
	Spoils func(port int, from, to int64) bool `state:"none"` // as built

	RequestBytes     int // payload of a read request, and of a demand and a grant
	WriteHeaderBytes int // address that goes with a write's data, once a message

	// Of the Ethernet schemes, all but CXL. A frame is its header and FCS, transport header and payload, at least MinFrame
	// bytes; with preamble and gap that is its length on the line.
	Preamble, FrameHeader, Gap, MinFrame int
	TransportHeader                      int
	MTU                                  int // most bytes of transport header and payload
	AckBytes                             int // payload of an acknowledgement

	// DCTCP, pFabric and PFC: windows of bytes, one for each ordered pair of nodes or, not with pFabric, for each
	// message. DCQCN: the most that a message has under way.
	PerMessage               bool
	InitialWindow, MaxWindow int
	MarkBytes                int // bytes of an egress queue from which on arriving packets are marked
	// or a random part of it that rises up to here, to MarkShare; above, all. 0: no random part
	MarkMost    int
	MarkShare   float64
	BufferBytes int   // a packet that would make an egress queue longer is dropped; not for PFC
	MinTimeout  int64 // least retransmission timeout; 0 is none
	AckDelay    int64 // how long the acknowledgement of a request waits for the response to carry it
	DupAcks     int   // acknowledgements of later segments after which one is lost; 0 is never

	// PFC, DCQCN: bytes of one ingress in a switch.
	PauseBytes  int // above it, the sender at the other end of the link is paused
	ResumeBytes int // at it, it may go on

	// CXL: a flit of FlitBytes on the line carries FlitPayload, or one request, and takes one credit on each link.
	FlitBytes, FlitPayload int
	Credits                int // flits that the receiver of a link has room for
	CreditBatch            int // credits that are worth a flit of their own when the link back is idle

	// IRD
	GrantWindow int // bytes on the line that a receiver may have granted and not received
	GrantSlots  int // how long a sender may keep a grant, in lengths of the frame granted

	// Fastpass
	GrantBytes int // most bytes of a grant

	DCQCN dcqcn.Parameters // the byte counter counts payload

	// NDP: frames.
	FirstPackets int // that a sender sends unasked
	QueuePackets int // data packets that an egress holds, without the packet on the line

	// R2C2
	RateInterval int64   // between two computations of rates
	Headroom     float64 // share of a link that is not given away
}

// DefaultConfig returns the network of EDM §4.3: 144 nodes, 100 Gb/s, the latencies of Table 1 (RoCEv2's for Ethernet).
func DefaultConfig(s Scheme) Config {
	c := Config{
		Scheme: s, Nodes: 144, RateGbps: 100, Seed: 1, Classes: 1,
		Limit: 1_000_000_000_000, // 1 s

		HostDelay:   230_200 + 7_680 + 7_680,
		LinkDelay:   2*19_000 + 10_000,
		SwitchDelay: 400_000 + 2*7_680 + 2*7_680,

		RequestBytes: 8, WriteHeaderBytes: 8,

		Preamble: 8, FrameHeader: 14 + 4, Gap: 12, MinFrame: 64, // IEEE Std 802.3, 3.1.1 and 4A.4.2
		TransportHeader: 20 + 8 + 12 + 4, MTU: 1500, AckBytes: 4, // RoCEv2: IPv4, UDP, BTH, ICRC; AETH
	}
	switch s {
	case DCTCP, PFabric, PFC:
		// A round trip of full frames is 28.6 kB on the line, 27.1 kB of payload: a lone message runs at line rate from the
		// start.
		c.InitialWindow, c.MaxWindow, c.MarkBytes, c.AckDelay = 20*1456, 65_536, 25_000, 1_000_000
	case IRD:
		c.GrantWindow, c.GrantSlots = 30_000, 1
	case CXL:
		c.HostDelay, c.SwitchDelay = 0, 100_000
		c.Preamble, c.FrameHeader, c.Gap, c.MinFrame, c.TransportHeader, c.MTU, c.AckBytes,
			c.WriteHeaderBytes = 0, 0, 0, 0, 0, 0, 0, 0
		c.FlitBytes, c.FlitPayload, c.Credits, c.CreditBatch = 68, 64, 64, 8
	case Fastpass:
		c.GrantBytes = 65_536
	case DCQCN:
		// SIGCOMM 2015, Figure 14. A window of 35 frames: Shoal §7.3.
		c.DCQCN, c.MarkBytes, c.MarkMost, c.MarkShare = dcqcn.Publication(), 5_000, 200_000, 0.01
		c.MaxWindow, c.PauseBytes, c.ResumeBytes = 35*1456, 50_000, 45_000
	case NDP:
		c.FirstPackets, c.QueuePackets = 30, 8 // SIGCOMM 2017, §6.1
	case R2C2:
		c.Topology, c.Side, c.Nodes = Torus, 8, 512
		c.RateInterval, c.Headroom = 10_000_000, 0.05
	}
	switch s {
	case DCTCP:
		c.BufferBytes, c.MinTimeout, c.DupAcks = 250_000, 10_000_000, 3
	case PFabric:
		c.BufferBytes, c.MinTimeout = 50_000, 10_000_000
	case PFC:
		c.PauseBytes, c.ResumeBytes = 50_000, 45_000
	}
	return c
}

// Bare returns the same network without preambles, headers, gaps and shortest frames: a packet is its payload, so only
// the scheme's scheduling differs. MTU stays the most payload of a packet.
func (c Config) Bare() Config {
	if c.Scheme == CXL {
		c.FlitBytes = c.FlitPayload
		return c
	}
	c.MTU -= c.TransportHeader
	c.Preamble, c.FrameHeader, c.Gap, c.MinFrame, c.TransportHeader, c.WriteHeaderBytes = 0, 0, 0, 0, 0, 0
	return c
}

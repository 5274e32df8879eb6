package packetnet

import (
	"fmt"
	"strings"
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
)

var schemes = [...]string{"dctcp", "ird", "pfabric", "pfc", "cxl", "fastpass"}

// Schemes lists them all.
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

// Config describes a network. Times are in picoseconds and rounded to the nearest byte time.
type Config struct {
	Scheme   Scheme
	Nodes    int // 2 to 512, each both compute and memory node
	RateGbps int // of every link: a divisor of 8000, so that a byte time is whole picoseconds
	Seed     uint64
	Classes  int   // traffic classes, each with queues, windows and pauses of its own: 1 to 8; CXL has 1. The highest goes first
	Limit    int64 // the watchdog: a run ends at this time even if messages have not finished

	// Every frame takes, beside its own length on each link, twice HostDelay and LinkDelay, and once SwitchDelay.
	HostDelay   int64 // protocol stack, MAC and PCS of a node
	LinkDelay   int64 // PMA, PMD and transceivers of both ends, and the fibre
	SwitchDelay int64 // forwarding, with MAC and PCS of both its ports
	MemoryDelay int64 // from a read request to its data: DRAM

	RequestBytes     int // payload of a read request, and of a demand and a grant
	WriteHeaderBytes int // address that goes with a write's data, once a message

	// Of the Ethernet schemes, all but CXL. A frame is its header and FCS, transport header and payload, at least MinFrame
	// bytes; with preamble and gap that is its length on the line.
	Preamble, FrameHeader, Gap, MinFrame int
	TransportHeader                      int
	MTU                                  int // most bytes of transport header and payload
	AckBytes                             int // payload of an acknowledgement

	// DCTCP, pFabric and PFC: windows of bytes, one for each ordered pair of nodes.
	InitialWindow, MaxWindow int
	MarkBytes                int   // an egress queue that has so much marks what comes
	BufferBytes              int   // and one that would exceed this drops; not for PFC
	MinTimeout               int64 // least retransmission timeout; 0 is none
	AckDelay                 int64 // how long the acknowledgement of a request waits for the response to carry it
	DupAcks                  int   // acknowledgements of later segments after which one is lost; 0 is never

	// PFC: bytes of one ingress in the switch.
	PauseBytes  int // above it, its node is paused
	ResumeBytes int // at it, the node may go on

	// CXL: a flit of FlitBytes on the line carries FlitPayload, or one request, and takes one credit on each link.
	FlitBytes, FlitPayload int
	Credits                int // flits that the receiver of a link has room for
	CreditBatch            int // credits that are worth a flit of their own when the link back is idle

	// IRD
	GrantWindow int // bytes on the line that a receiver may have granted and not received
	GrantSlots  int // how long a sender may keep a grant, in lengths of the frame granted

	// Fastpass
	GrantBytes int // most bytes of a grant
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
		// A round trip of full frames is 28.6 kB on the line, 27.1 kB of payload: a lone message runs at line rate from the start.
		c.InitialWindow, c.MaxWindow, c.MarkBytes, c.AckDelay = 20*1456, 65_536, 25_000, 1_000_000
	case IRD:
		c.GrantWindow, c.GrantSlots = 30_000, 1
	case CXL:
		c.HostDelay, c.SwitchDelay = 0, 100_000
		c.Preamble, c.FrameHeader, c.Gap, c.MinFrame, c.TransportHeader, c.MTU, c.AckBytes, c.WriteHeaderBytes = 0, 0, 0, 0, 0, 0, 0, 0
		c.FlitBytes, c.FlitPayload, c.Credits, c.CreditBatch = 68, 64, 64, 8
	case Fastpass:
		c.GrantBytes = 65_536
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

// Bare returns the same network without preambles, headers, gaps and shortest frames: a packet is its payload, and what is
// left of a scheme is how it schedules. MTU stays the most payload of a packet.
func (c Config) Bare() Config {
	if c.Scheme == CXL {
		c.FlitBytes = c.FlitPayload
		return c
	}
	c.MTU -= c.TransportHeader
	c.Preamble, c.FrameHeader, c.Gap, c.MinFrame, c.TransportHeader, c.WriteHeaderBytes = 0, 0, 0, 0, 0, 0
	return c
}

func (c Config) check() error {
	atLeast := func(name string, v, least int64) error {
		if v < least {
			return fmt.Errorf("%s: %s is %d, want at least %d", c.Scheme, name, v, least)
		}
		return nil
	}
	switch {
	case int(c.Scheme) >= len(schemes):
		return fmt.Errorf("%s is no scheme", c.Scheme)
	case c.Nodes < 2 || c.Nodes > 512:
		return fmt.Errorf("%s: %d nodes, want 2 to 512", c.Scheme, c.Nodes)
	case c.RateGbps < 1 || 8000%c.RateGbps != 0:
		return fmt.Errorf("%s: %d Gb/s, want a divisor of 8000", c.Scheme, c.RateGbps)
	case c.Classes < 1 || c.Classes > classes || c.Scheme == CXL && c.Classes != 1:
		return fmt.Errorf("%s: %d classes, want 1 to %d, and 1 with cxl", c.Scheme, c.Classes, classes)
	}
	type bound struct {
		name     string
		v, least int64
	}
	checks := []bound{
		{"Limit", c.Limit, 1}, {"HostDelay", c.HostDelay, 0}, {"LinkDelay", c.LinkDelay, 0},
		{"SwitchDelay", c.SwitchDelay, 0}, {"MemoryDelay", c.MemoryDelay, 0},
		{"RequestBytes", int64(c.RequestBytes), 1}, {"WriteHeaderBytes", int64(c.WriteHeaderBytes), 0},
	}
	if c.Scheme == CXL {
		checks = append(checks, bound{"FlitBytes", int64(c.FlitBytes), 1},
			bound{"FlitPayload", int64(c.FlitPayload), int64(c.RequestBytes + 2*maxSwap)},
			bound{"CreditBatch", int64(c.CreditBatch), 1}, bound{"Credits", int64(c.Credits), int64(c.CreditBatch)})
	} else {
		checks = append(checks, bound{"Preamble", int64(c.Preamble), 0}, bound{"FrameHeader", int64(c.FrameHeader), 0},
			bound{"Gap", int64(c.Gap), 0}, bound{"MinFrame", int64(c.MinFrame), 0},
			bound{"TransportHeader", int64(c.TransportHeader), 0}, bound{"AckBytes", int64(c.AckBytes), 1},
			bound{"MTU", int64(c.MTU), int64(c.TransportHeader + c.RequestBytes + 2*maxSwap)})
	}
	frame := int64(max(c.MinFrame, c.FrameHeader+c.MTU))
	switch c.Scheme {
	case DCTCP, PFabric, PFC:
		checks = append(checks, bound{"InitialWindow", int64(c.InitialWindow), 1},
			bound{"MaxWindow", int64(c.MaxWindow), int64(max(c.InitialWindow, c.MTU))},
			bound{"MarkBytes", int64(c.MarkBytes), 0}, bound{"AckDelay", c.AckDelay, 0}, bound{"DupAcks", int64(c.DupAcks), 0})
		if c.Scheme == PFC {
			checks = append(checks, bound{"ResumeBytes", int64(c.ResumeBytes), 0}, bound{"PauseBytes", int64(c.PauseBytes), int64(c.ResumeBytes)},
				bound{"MinTimeout", c.MinTimeout, 0})
		} else { // what is dropped has no other way to come again
			checks = append(checks, bound{"BufferBytes", int64(c.BufferBytes), frame}, bound{"MinTimeout", c.MinTimeout, 1})
		}
	case IRD:
		checks = append(checks, bound{"GrantWindow", int64(c.GrantWindow), 1}, bound{"GrantSlots", int64(c.GrantSlots), 0})
	case Fastpass:
		checks = append(checks, bound{"GrantBytes", int64(c.GrantBytes), 1})
	}
	for _, k := range checks {
		if err := atLeast(k.name, k.v, k.least); err != nil {
			return err
		}
	}
	return nil
}

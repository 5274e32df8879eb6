package spfc

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/goldwire/goldwire/workload"
)

// mostPFC bounds the PFC frames that a capture keeps.
const mostPFC = 1 << 20

// PFCCapture keeps the PFC frames of a network, each as it begins to leave its port.
type PFCCapture struct {
	topology *Topology
	ports    []int // by node: the first of its interfaces
	names    []string
	sent     []sentPFC
	// Missed are frames beyond the first 2^20.
	Missed int
}

type sentPFC struct {
	at    Time
	port  int
	frame PFCFrame
}

// CapturePFC keeps the PFC frames that are sent from now on.
func (f *Fabric) CapturePFC() *PFCCapture {
	c := &PFCCapture{topology: f.Topology}
	for node := range f.Topology.nodes() {
		c.ports = append(c.ports, len(c.names))
		for port, far := range f.wires.peers[node] {
			name := fmt.Sprintf("%s port %d to %s", f.Topology.NodeName(node), port, f.Topology.NodeName(far.node))
			c.names = append(c.names, name)
		}
	}
	f.Net.sentPFC = func(at Time, node, port int, frame PFCFrame) {
		if len(c.sent) == mostPFC {
			c.Missed++
			return
		}
		c.sent = append(c.sent, sentPFC{at, c.ports[node] + port, frame})
	}
	return c
}

// Write writes the frames as pcapng, an interface for each port of each node, in the order of their times. Frames are
// without FCS, as captures are. The source address is 02:00 and the interface's number.
func (c *PFCCapture) Write(w io.Writer) error {
	slices.SortStableFunc(c.sent, func(a, b sentPFC) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.port, b.port))
	})
	frames := make([]workload.PortFrame, 0, len(c.sent))
	for _, x := range c.sent {
		source := [6]byte{0x02, 0, byte(x.port >> 24), byte(x.port >> 16), byte(x.port >> 8), byte(x.port)}
		b := x.frame.AppendBytes(nil, source)
		frames = append(frames, workload.PortFrame{
			Interface: x.port,
			Frame:     workload.Frame{Bytes: b[:len(b)-4], Time: int64(x.at) / (int64(Microsecond) / 1000)},
		})
	}
	return workload.WritePcapng(w, c.names, frames)
}

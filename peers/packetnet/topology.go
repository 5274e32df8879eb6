package packetnet

import (
	"fmt"
)

// Topology says how nodes are joined.
type Topology uint8

// The topologies. A host knows nothing of them.
const (
	Star  Topology = iota // all nodes around one switch
	Clos                  // nodes at leaves, leaves joined by spines
	Torus                 // nodes in three dimensions, each with a router and six neighbours
)

var topologies = [...]string{"star", "clos", "torus"}

// String returns the name in small letters.
func (t Topology) String() string {
	if int(t) < len(topologies) {
		return topologies[t]
	}
	return fmt.Sprintf("Topology(%d)", uint8(t))
}

// Switches returns how many switches join the nodes, the routers of a torus among them.
func (c Config) Switches() (int, error) {
	if err := c.check(); err != nil {
		return 0, err
	}
	switch c.Topology {
	case Clos:
		g := newClos(c)
		return g.leaves + g.spines, nil
	case Torus:
		return c.Nodes, nil
	}
	return 1, nil
}

// links holds the far end of each port's link. Ports are transmitters: first the nodes', then the switches', one
// switch after the other.
type links struct {
	to   []int32 // by port: a node, or the number of nodes + a switch
	back []int32 // by port: the port that sends the other way on the same cable
	slow []int32 // by port: byte times of the network that a byte takes; 0 inside a node
}

// add adds a port.
func (l *links) add(to, back, slow int) {
	l.to, l.back, l.slow = append(l.to, int32(to)), append(l.back, int32(back)), append(l.slow, int32(slow))
}

// topology joins ports and leads packets.
type topology interface {
	join(l *links)
	path(k *packet) int32         // drawn when a node sends a packet, or its pair's own
	egress(sw int, k *packet) int // the port through which a packet leaves a switch
}

// connect makes the topology.
func (f *fabric) connect() {
	switch f.cfg.Topology {
	case Star:
		f.topology = star(f.n)
	case Clos:
		f.topology = newClosPaths(f)
	case Torus:
		f.topology = torus{side: f.cfg.Side, n: f.n}
	}
	f.topology.join(&f.links)
}

// egress returns the port through which a packet leaves the switch that it has reached.
func (f *fabric) egress(k *packet) int {
	return f.topology.egress(int(f.to[k.port])-f.n, k)
}

// star is one switch with a port for each node.
type star int

func (s star) join(l *links) {
	n := int(s)
	for i := range n {
		l.add(n, n+i, 1)
	}
	for i := range n {
		l.add(i, i, 1)
	}
}

func (s star) path(*packet) int32 { return 0 }

func (s star) egress(_ int, k *packet) int { return int(s) + int(k.to) }

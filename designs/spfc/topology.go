package spfc

import "fmt"

// Topology is hosts, switches and the links between them. Nodes are numbered: hosts first, then switches.
type Topology struct {
	Name  string
	Hosts int
	Names []string // of the switches
	Links []TopologyLink
	// Buffer is the memory of each switch in bytes, shared by Ports ports, of which some may have no link.
	Buffer int64
	Ports  int
	RTT    Time // the longest there is in an idle network, without serialisation; 0: not stated
}

// LeastTC is 4 RTT of Figure 3a, 20 us.
const LeastTC = 80 * Microsecond

// timeoutClock is a TC for the switches, by §V-B: 4 RTT, and no less than Figure 3a's.
func (t *Topology) timeoutClock() Time { return max(4*t.RTT, LeastTC) }

// TopologyLink joins two nodes in both directions. A node's ports are numbered in the order of its links.
type TopologyLink struct {
	A, B     int
	ByteTime Time // of the line: 80 at 100 Gb/s
	Delay    Time // propagation
}

// NodeName is H3 for a host and a switch's own name.
func (t *Topology) NodeName(node int) string {
	if node < t.Hosts {
		return fmt.Sprintf("H%d", node)
	}
	return t.Names[node-t.Hosts]
}

// nodes returns how many there are.
func (t *Topology) nodes() int { return t.Hosts + len(t.Names) }

// end is one end of a link: the port of a node.
type end struct{ node, port int }

// wiring holds each port's link and peer.
type wiring struct {
	links [][]int // by node and port: the link
	peers [][]end // by node and port: the other end
}

func (t *Topology) wire() wiring {
	w := wiring{make([][]int, t.nodes()), make([][]end, t.nodes())}
	for k, l := range t.Links {
		a, b := end{l.A, len(w.links[l.A])}, end{l.B, len(w.links[l.B])}
		w.links[a.node], w.links[b.node] = append(w.links[a.node], k), append(w.links[b.node], k)
		w.peers[a.node] = append(w.peers[a.node], b)
		w.peers[b.node] = append(w.peers[b.node], a)
	}
	return w
}

// routes returns for each switch and destination host the ports of all shortest ways. It is an error if a host cannot
// be reached from a switch.
func (t *Topology) routes(w wiring) ([][][]uint8, error) {
	r := make([][][]uint8, len(t.Names))
	for s := range r {
		r[s] = make([][]uint8, t.Hosts)
	}
	far := make([]int, t.nodes())
	for h := range t.Hosts {
		for i := range far {
			far[i] = -1
		}
		far[h] = 0
		queue := []int{h}
		for len(queue) > 0 {
			n := queue[0]
			queue = queue[1:]
			for _, p := range w.peers[n] {
				if far[p.node] < 0 && p.node >= t.Hosts { // no way leads through a host
					far[p.node] = far[n] + 1
					queue = append(queue, p.node)
				}
			}
		}
		for s := range r {
			n := t.Hosts + s
			if far[n] < 0 {
				return nil, fmt.Errorf("%s: no way from %s to %s", t.Name, t.NodeName(n), t.NodeName(h))
			}
			for port, p := range w.peers[n] {
				if far[p.node] == far[n]-1 && (p.node >= t.Hosts || p.node == h) {
					r[s][h] = append(r[s][h], uint8(port))
				}
			}
		}
	}
	return r, nil
}

// The topologies of the paper.
const (
	BurstSenders   = 30 // H0 to H29 of Figure 3a
	TestbedSenders = 7
	PodHosts       = 64
	PodToRs        = 4
	podLeaves      = 2
)

// SingleSwitch is Figure 3a: hosts H0 to H29 are 9 us from a switch of 32 ports at 100 Gb/s with 16 MB, the receivers
// R1 and R2, hosts 30 and 31, 1 us. Experiments vary the number of senders, their delay, the line rate and the buffer.
func SingleSwitch(senders int, far Time, byteTime Time, buffer int64) *Topology {
	t := &Topology{Name: "single switch", Hosts: senders + 2, Names: []string{"S"}, Buffer: buffer, Ports: senders + 2,
		RTT: 2 * (far + Microsecond)}
	for h := range senders + 2 {
		delay := far
		if h >= senders {
			delay = Microsecond
		}
		t.Links = append(t.Links, TopologyLink{h, t.Hosts, byteTime, delay})
	}
	return t
}

// Testbed is Figure 12's: a victim host, a burst host whose traffic comes in by five ports, two receivers, 10 Gb/s and
// 2.5 MB. The copies of the burst host are hosts of their own. Nothing is said of delays: 1 us each.
func Testbed() *Topology {
	t := SingleSwitch(TestbedSenders, Microsecond, Gbps10, 2_500_000)
	t.Name = "testbed"
	return t
}

// ClosRTT is the longest base RTT of the fabric (§VII-D), and of its pod when links have failed: six links there and
// back.
const ClosRTT = 24 * Microsecond

// Clos is the fabric of §VII-D: pods of 2 leaves, 4 ToRs and 64 hosts, each leaf joined to all four spines, 100 Gb/s
// below the ToRs and 400 Gb/s above, 2 us a link, 32 MB a switch. One pod needs no spines.
func Clos(pods int) *Topology {
	t := &Topology{Name: fmt.Sprintf("Clos of %d pods", pods), Hosts: pods * PodHosts, Buffer: 32_000_000, RTT: ClosRTT}
	const perToR = PodHosts / PodToRs
	tor := func(pod, i int) int { return t.Hosts + pod*(PodToRs+podLeaves) + i }
	leaf := func(pod, i int) int { return tor(pod, PodToRs+i) }
	for pod := range pods {
		for i := range PodToRs {
			t.Names = append(t.Names, fmt.Sprintf("T%d", pod*PodToRs+i))
			for h := range perToR {
				t.Links = append(t.Links, TopologyLink{pod*PodHosts + i*perToR + h, tor(pod, i), Gbps100, 2 * Microsecond})
			}
		}
		for l := range podLeaves {
			t.Names = append(t.Names, fmt.Sprintf("L%d", pod*podLeaves+l))
			for i := range PodToRs {
				t.Links = append(t.Links, TopologyLink{tor(pod, i), leaf(pod, l), Gbps400, 2 * Microsecond})
			}
		}
	}
	if pods > 1 {
		for s := range 4 {
			spine := t.nodes()
			t.Names = append(t.Names, fmt.Sprintf("S%d", s))
			for pod := range pods {
				for l := range podLeaves {
					t.Links = append(t.Links, TopologyLink{leaf(pod, l), spine, Gbps400, 2 * Microsecond})
				}
			}
		}
	}
	return t
}

// DeadlockPod is Figure 17a: one pod whose links L0-T3 and L1-T0 have failed, so that traffic between T0 and T3 goes
// down and up again and buffers may wait for each other in a circle.
func DeadlockPod() *Topology {
	t := Clos(1)
	t.Name = "pod with two failed links"
	kept := t.Links[:0]
	for _, l := range t.Links {
		if ab := t.NodeName(l.A) + t.NodeName(l.B); ab != "T3L0" && ab != "T0L1" {
			kept = append(kept, l)
		}
	}
	t.Links = kept
	return t
}

// alone returns how long a flow takes in an idle network, from its start until its last byte has arrived. It is full
// packets and a last one, which may be short and so catch up with the one before it on a line of the same rate.
func (t *Topology) alone(w wiring, routes [][][]uint8, from, to int, flow uint32, full, packet, last int64) Time {
	var before, now, slowest Time // when the last full packet and the last one have arrived
	node, port := from, 0
	first := Time(0) // when the first full packet has
	for {
		l := t.Links[w.links[node][port]]
		slowest = max(slowest, l.ByteTime)
		first += l.Delay + Time(packet)*l.ByteTime
		if full > 0 {
			before = first + Time((full-1)*packet)*slowest
		}
		now = max(now, before-l.Delay) + Time(last)*l.ByteTime + l.Delay
		node, port = w.peers[node][port].node, 0
		if node == to {
			return now
		}
		port = t.pick(routes, node, to, flow)
	}
}

// pick is the way that a switch chooses for a flow.
func (t *Topology) pick(routes [][][]uint8, node, to int, flow uint32) int {
	ways := routes[node-t.Hosts][to]
	if len(ways) == 1 {
		return int(ways[0])
	}
	return int(ways[spread(flow, uint32(node), len(ways))])
}

// Star is one switch with hosts around it, all at one rate and one delay.
func Star(hosts int, delay, byteTime Time, buffer int64) *Topology {
	t := &Topology{Name: "star", Hosts: hosts, Names: []string{"S"}, Buffer: buffer, Ports: hosts, RTT: 4 * delay}
	for h := range hosts {
		t.Links = append(t.Links, TopologyLink{h, hosts, byteTime, delay})
	}
	return t
}

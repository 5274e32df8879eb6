package spfc

import (
	"fmt"

	"github.com/goldwire/goldwire/clock"
	"github.com/goldwire/goldwire/workload/journey"
)

// Follow tells a recorder the way of data packets: from the start of a packet's transmission at its host to the
// arrival of its last bit, hop by hop. Packets are events here, so the recorded edges are the first bit of a
// transmission and the last bit of an arrival.
func (f *Fabric) Follow(to *journey.Recorder) {
	if to == nil {
		return
	}
	f.Net.journeys = to
	to.Describe(fmt.Sprintf("SPFC: packets through %s", f.Topology.Name),
		clock.Picosecond.Times(int64(CellBytes*f.Traffic.ByteTime)))
}

// journeyKey is a data packet's: its flow and number.
func journeyKey(p *Packet) uint64 { return uint64(p.Flow)<<40 | p.Seq&(1<<40-1) }

// nodeName is how a way calls a node.
func (n *Network) nodeName(node int32) string {
	if _, ok := n.sites[node].node.(*Host); ok {
		return fmt.Sprintf("host %d", node)
	}
	hosts := int32(0)
	for i := range n.sites[:node] {
		if _, ok := n.sites[i].node.(*Host); ok {
			hosts++
		}
	}
	return fmt.Sprintf("switch %d", node-hosts)
}

// followStart is the start of a transmission: a host's begins the journey, a switch's ends the wait in it, for others
// and for PAUSE.
func (n *Network) followStart(node int32, p *Packet) {
	if p.Kind != dataPacket {
		return
	}
	now := clock.Picosecond.Times(int64(n.now))
	if _, host := n.sites[node].node.(*Host); host {
		n.journeys.Begin(journeyKey(p), fmt.Sprintf("flow %d, packet %d", p.Flow, p.Seq), now)
	} else if n.journeys.Follows(journeyKey(p)) {
		n.journeys.Reach(journeyKey(p), n.nodeName(node), "buffered", now)
	}
}

// followArrival is the arrival of a packet's last bit at the end of a line.
func (n *Network) followArrival(node int32, p *Packet) {
	if p.Kind != dataPacket || !n.journeys.Follows(journeyKey(p)) {
		return
	}
	n.journeys.Reach(journeyKey(p), "line to "+n.nodeName(node), "", clock.Picosecond.Times(int64(n.now)))
	if _, host := n.sites[node].node.(*Host); host {
		n.journeys.End(journeyKey(p))
	}
}

package packetnet

import "github.com/goldwire/goldwire/internal/calendar"

// A network is hosts, which speak a protocol, and switches, which have a discipline, joined by a topology. Each is an
// interface, so that a new protocol is a file that knows nothing of the switches, and the other way round. They share
// [fabric]: the calendar, packets, ports and their queues, and the account of arrived packets.

// hosts is the protocol of all nodes: windows at the senders, grants of the receivers, flits, a central server.
type hosts interface {
	start(message int32)    // a message begins now
	respond(flow int32)     // the memory has the data of a response
	receive(packet int32)   // a packet leaves a node's stack
	event(e calendar.Event) // one of the protocol's own: timers, grants
	decide()                // all packets that arrive now have been taken in
	serve(node int)         // the node's transmitter is idle and may have something to send
}

// discipline is the way in which switches treat packets: mark and drop, trim, shelve by priority, pause, give credits.
type discipline interface {
	enter(packet int32)         // a packet has reached an ingress; only with fabric.ingress
	forward(packet int32)       // the pipeline hands a packet to its egress
	credit(port, credits int32) // a port may send flits
	serve(port int)             // the egress is idle and may have something to send
}

// build makes the hosts and the switch of a scheme.
func (f *fabric) build() {
	switch f.cfg.Scheme {
	case DCTCP:
		f.hosts, f.discipline = newWindowed(f, false), &fifo{fabric: f, buffer: int64(f.cfg.BufferBytes), marks: true}
	case PFabric:
		f.hosts, f.discipline = newWindowed(f, true), newShelves(f)
	case PFC:
		f.hosts, f.discipline = newWindowed(f, false), newPauser(f)
	case IRD:
		f.hosts, f.discipline = newReceivers(f), &fifo{fabric: f, controlFirst: true}
	case Fastpass:
		f.hosts, f.discipline = newServer(f), &fifo{fabric: f, controlFirst: true}
	case CXL:
		links := newCreditLinks(f)
		f.hosts, f.discipline = newFlits(links), newCredits(links)
	case OutputQueued:
		f.hosts, f.discipline = &eager{newTurns(f)}, &fifo{fabric: f}
	case DCQCN:
		f.hosts, f.discipline = newDCQCN(f), newPauser(f)
	case NDP:
		f.hosts, f.discipline = newNDP(f), newTrimmer(f)
	case R2C2:
		f.hosts, f.discipline = newR2C2(f), &fifo{fabric: f}
	}
}

// noFlits stands in a switch without credits.
type noFlits struct{}

func (noFlits) credit(int32, int32) {}

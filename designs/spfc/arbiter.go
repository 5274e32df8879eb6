package spfc

import (
	"fmt"
	"math/bits"
)

// Arbitration is how an egress port chooses among the ingress ports whose packets of one priority wait for it.
type Arbitration uint8

// The arbitrations.
const (
	RoundRobin  Arbitration = iota // ingress ports in turn, a packet each
	IngressFair                    // ingress ports in turn, equal bytes: deficit round-robin
	FIFO                           // in the order of arrival, whatever the ingress port
)

var arbitrationNames = [...]string{"round-robin", "fair", "fifo"}

// String is its name in options.
func (a Arbitration) String() string {
	if int(a) < len(arbitrationNames) {
		return arbitrationNames[a]
	}
	return fmt.Sprintf("Arbitration(%d)", uint8(a))
}

// ParseArbitration reads a name.
func ParseArbitration(s string) (Arbitration, error) {
	for a, name := range arbitrationNames {
		if s == name {
			return Arbitration(a), nil
		}
	}
	return 0, fmt.Errorf("arbitration %q: want round-robin, fair or fifo", s)
}

// egressPort is the arbiter of an egress port.
type egressPort struct {
	some     uint8 // priorities with packets
	lastPrio uint8 // that was served
	prios    [Priorities]egressQueue
}

type egressQueue struct {
	some    uint64  // ingress ports with packets
	last    uint8   // that was served
	deficit []int64 // by ingress port, of IngressFair
}

// next takes the packet whose turn it is out of the queues of an egress port, which are by priority, then ingress
// port. The quantum of deficit round-robin is the longest packet. It returns nil if there is none.
func (e *egressPort) next(queues []packetQueue, store *packetStore, open uint8, inTurn bool, quantum int64) *Packet {
	ready := e.some & open
	if ready == 0 {
		return nil
	}
	prio := bits.Len8(ready) - 1
	if inTurn {
		prio = nextAfter(uint64(ready), e.lastPrio)
		e.lastPrio = uint8(prio)
	}
	q := &e.prios[prio]
	ports := len(queues) / Priorities
	queues = queues[prio*ports : (prio+1)*ports]
	in := q.choose(queues, store, quantum)
	p := store.pop(&queues[in])
	if queues[in].empty() {
		if q.some &^= 1 << in; q.some == 0 {
			e.some &^= 1 << prio
		}
		if q.deficit != nil {
			q.deficit[in] = 0
		}
	}
	return p
}

// choose returns the ingress port whose turn it is.
func (q *egressQueue) choose(queues []packetQueue, store *packetStore, quantum int64) int {
	if q.deficit != nil && q.some>>q.last&1 != 0 {
		if size := int64(store.first(&queues[q.last]).Bytes); q.deficit[q.last] >= size {
			q.deficit[q.last] -= size
			return int(q.last)
		}
	}
	in := nextAfter(q.some, q.last)
	q.last = uint8(in)
	if q.deficit != nil {
		q.deficit[in] += quantum - int64(store.first(&queues[in]).Bytes)
	}
	return in
}

// nextAfter returns the first member of a set after last, around the end.
func nextAfter(set uint64, last uint8) int {
	if after := set &^ (2<<last - 1); after != 0 {
		return bits.TrailingZeros64(after)
	}
	return bits.TrailingZeros64(set)
}

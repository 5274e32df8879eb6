package spfc

import (
	"fmt"
	"strings"
)

// Deadlock is ports that wait for each other: each is paused by the next one's buffer, which holds packets for the one
// after. No packet in them can ever leave.
type Deadlock struct {
	Cycle []string `json:"cycle"` // of switches; the last one waits for the first
	Ports int      `json:"ports"` // paused for ever, in the cycle or waiting for it
}

// String is L0 -> T1 -> L1 -> T2 -> L0.
func (d *Deadlock) String() string {
	return strings.Join(append(d.Cycle[:len(d.Cycle):len(d.Cycle)], d.Cycle[0]), " -> ")
}

// wait is a paused egress port of a switch and the ingress port that has paused it.
type wait struct {
	sw, port      int // egress
	next, ingress int // switch, port
	waiting       []Waiting
}

// Deadlocked finds a deadlock, nil if there is none. It starts with all ports that are paused now and takes them to be
// held for ever. Then it releases ports until nothing changes: a port is released if the buffer that pauses it would
// fall to its RESUME once all packets for ports that are not held have gone. It assumes no more traffic from hosts,
// and hosts always accept packets. So a deadlock that it finds holds, whatever traffic follows.
func (f *Fabric) Deadlocked() *Deadlock {
	var held []wait
	for s, sw := range f.Switches {
		for port, peer := range f.wires.peers[f.Topology.Hosts+s] {
			if peer.node < f.Topology.Hosts || f.Net.Open(f.Topology.Hosts+s, port)>>DataPriority&1 != 0 {
				continue
			}
			next := peer.node - f.Topology.Hosts
			if _, _, paused := f.Switches[next].mmu.Ingress(peer.port, DataPriority); !paused {
				continue // a RESUME is on its way
			}
			_, waiting := sw.Waits(port, DataPriority)
			held = append(held, wait{s, port, next, peer.port, waiting})
		}
	}
	for changed := true; changed; {
		changed = false
		stuck := make([]map[int]int64, len(f.Switches)) // by switch and ingress port: bytes for ports that are held
		for _, w := range held {
			if stuck[w.sw] == nil {
				stuck[w.sw] = map[int]int64{}
			}
			for _, x := range w.waiting {
				stuck[w.sw][x.Ingress] += x.Bytes
			}
		}
		kept := held[:0:0]
		for _, w := range held {
			if f.Switches[w.next].mmu.resumesWith(w.ingress, DataPriority, stuck[w.next]) {
				changed = true
				continue
			}
			kept = append(kept, w)
		}
		held = kept
	}
	if len(held) == 0 {
		return nil
	}
	return &Deadlock{Cycle: f.cycle(held), Ports: len(held)}
}

// cycle follows the ports that wait for each other until one comes again.
func (f *Fabric) cycle(held []wait) []string {
	at := map[[2]int]int{} // egress to its place in held
	for i, w := range held {
		at[[2]int{w.sw, w.port}] = i
	}
	seen := map[int]int{}
	var names []string
	for i := 0; ; {
		if k, ok := seen[i]; ok {
			return names[k:]
		}
		seen[i] = len(names)
		w := held[i]
		names = append(names, f.Topology.Names[w.sw])
		next := -1
		for j := range held { // in order, so that the same state gives the same cycle
			if held[j].sw != w.next {
				continue
			}
			for _, x := range held[j].waiting {
				if x.Ingress == w.ingress && next < 0 {
					next = at[[2]int{held[j].sw, held[j].port}]
				}
			}
		}
		if next < 0 { // cannot be: a buffer without packets for held ports would have resumed
			return append(names, fmt.Sprintf("%s, port %d", f.Topology.Names[w.next], w.ingress))
		}
		i = next
	}
}

// resumesWith tells whether an ingress queue would resume if of all queues only the bytes named, by ingress port,
// stayed. A queue of which nothing leaves does not: RESUME is decided on its own dequeues.
func (m *Manager) resumesWith(port, prio int, stuck map[int]int64) bool {
	shared := int64(0)
	var left, mine int64 // of the port: in its headroom, in the pool
	for p := range m.ports {
		q := &m.queues[p*Priorities+prio]
		total := q.used + q.headroom
		stay := min(stuck[p], total)
		headroom := max(0, q.headroom-(total-stay))
		pool := max(0, stay-headroom-m.reserve)
		shared += pool
		if p == port {
			if stay == total {
				return false
			}
			left, mine = headroom, pool
		}
	}
	return left == 0 && m.pool.clear(m.pool.of(shared, m.ports[port].pinned), shared, mine)
}

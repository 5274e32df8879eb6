package pqueue

import (
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/goldwire/goldwire/blocks"
)

// Demand holds the pairs that want to send: for each destination the set of its sources.
type Demand []blocks.Bits

// NewDemand returns an empty demand of some ports.
func NewDemand(ports int) Demand {
	d := make(Demand, ports)
	for i := range d {
		d[i] = blocks.NewBits(ports)
	}
	return d
}

// Matching pairs sources and destinations: no port stands in two pairs.
type Matching struct {
	SourceOf []int32 // of each destination, -1 for none
	DestOf   []int32 // of each source

	freeSources, freeDests blocks.Bits
}

// NewMatching returns the empty matching of some ports.
func NewMatching(ports int) *Matching {
	m := &Matching{SourceOf: make([]int32, ports), DestOf: make([]int32, ports), freeSources: blocks.NewBits(ports),
		freeDests: blocks.NewBits(ports)}
	m.Reset()
	return m
}

// Reset makes the matching empty.
func (m *Matching) Reset() {
	for i := range m.SourceOf {
		m.SourceOf[i], m.DestOf[i] = -1, -1
	}
	m.freeSources.Fill(len(m.DestOf))
	m.freeDests.Fill(len(m.SourceOf))
}

// Pair joins two free ports.
func (m *Matching) Pair(source, dest int) {
	m.SourceOf[dest], m.DestOf[source] = int32(source), int32(dest)
	m.freeSources.Clear(source)
	m.freeDests.Clear(dest)
}

// Pairs returns how many pairs there are.
func (m *Matching) Pairs() int { return len(m.SourceOf) - m.freeDests.Count() }

// Check returns an error if a port stands in two pairs, or if a pair was not demanded.
func (m *Matching) Check(d Demand) error {
	for dest, s := range m.SourceOf {
		switch {
		case s < 0:
		case m.DestOf[s] != int32(dest):
			return fmt.Errorf("destination %d has source %d, which has destination %d", dest, s, m.DestOf[s])
		case !d[dest].Has(int(s)):
			return fmt.Errorf("pair %d → %d was not demanded", s, dest)
		}
	}
	for source, dest := range m.DestOf {
		if dest >= 0 && m.SourceOf[dest] != int32(source) {
			return fmt.Errorf("source %d has destination %d, which has source %d", source, dest, m.SourceOf[dest])
		}
	}
	return nil
}

// Maximal tells whether no pair that is demanded could be added.
func (m *Matching) Maximal(d Demand) bool {
	for dest, s := range m.SourceOf {
		if s < 0 && d[dest].NextAnd(m.freeSources, 0) >= 0 {
			return false
		}
	}
	return true
}

// Matcher forms matchings iteration by iteration. Each iteration stands for 3 cycles: request, grant, accept.
type Matcher interface {
	// Iterate adds pairs to a matching and tells whether it added any.
	Iterate(d Demand, m *Matching) bool
}

// requests holds the requests of an iteration: for each source the destinations that ask for it.
type requests struct {
	of    []blocks.Bits
	asked blocks.Bits // sources with any
}

func newRequests(ports int) requests {
	r := requests{of: make([]blocks.Bits, ports), asked: blocks.NewBits(ports)}
	for i := range r.of {
		r.of[i] = blocks.NewBits(ports)
	}
	return r
}

// reset forgets the iteration before.
func (r *requests) reset() {
	for s := r.asked.Next(0); s >= 0; s = r.asked.Next(s + 1) {
		r.of[s].Reset()
	}
	r.asked.Reset()
}

func (r *requests) ask(dest, source int) {
	r.of[source].Set(dest)
	r.asked.Set(source)
}

// PIM is parallel iterative matching (Anderson et al., 1993) in EDM's direction: each free destination asks a random
// one of the free sources that have something for it, each source grants a random one of the destinations that ask.
type PIM struct {
	rng *rand.Rand
	req requests
}

// NewPIM returns a matcher for some ports.
func NewPIM(ports int, rng *rand.Rand) *PIM { return &PIM{rng, newRequests(ports)} }

// Iterate is one iteration.
func (p *PIM) Iterate(d Demand, m *Matching) bool {
	p.req.reset()
	for dest := m.freeDests.Next(0); dest >= 0; dest = m.freeDests.Next(dest + 1) {
		if s := p.random(d[dest], m.freeSources); s >= 0 {
			p.req.ask(dest, s)
		}
	}
	for s := p.req.asked.Next(0); s >= 0; s = p.req.asked.Next(s + 1) {
		m.Pair(s, p.random(p.req.of[s], m.freeDests))
	}
	return p.req.asked.Next(0) >= 0
}

// random returns one of the intersection's numbers, each as likely, -1 if it is empty.
func (p *PIM) random(a, b blocks.Bits) int {
	n := 0
	for i := range a {
		n += bits.OnesCount64(a[i] & b[i])
	}
	if n == 0 {
		return -1
	}
	k := p.rng.IntN(n)
	for i := range a {
		x := a[i] & b[i]
		if c := bits.OnesCount64(x); k >= c {
			k -= c
			continue
		}
		for ; k > 0; k-- {
			x &= x - 1
		}
		return i<<6 + bits.TrailingZeros64(x)
	}
	panic("pqueue: the count of bits was wrong") // k is below n
}

// ISLIP is iSLIP (McKeown, 1999) in the same direction: choices go round robin, and a pointer moves past a choice only
// if it became a pair in the first iteration of a matching.
type ISLIP struct {
	req       requests
	askFrom   []int // of each destination: the source it prefers
	grantFrom []int // of each source: the destination it prefers
	ports     int
}

// NewISLIP returns a matcher for some ports.
func NewISLIP(ports int) *ISLIP {
	return &ISLIP{newRequests(ports), make([]int, ports), make([]int, ports), ports}
}

// Iterate is one iteration.
func (p *ISLIP) Iterate(d Demand, m *Matching) bool {
	first := m.freeDests.Count() == p.ports
	p.req.reset()
	for dest := m.freeDests.Next(0); dest >= 0; dest = m.freeDests.Next(dest + 1) {
		s := d[dest].NextAnd(m.freeSources, p.askFrom[dest])
		if s < 0 {
			s = d[dest].NextAnd(m.freeSources, 0)
		}
		if s >= 0 {
			p.req.ask(dest, s)
		}
	}
	for s := p.req.asked.Next(0); s >= 0; s = p.req.asked.Next(s + 1) {
		dest := p.req.of[s].Next(p.grantFrom[s])
		if dest < 0 {
			dest = p.req.of[s].Next(0)
		}
		m.Pair(s, dest)
		if first {
			p.askFrom[dest], p.grantFrom[s] = (s+1)%p.ports, (dest+1)%p.ports
		}
	}
	return p.req.asked.Next(0) >= 0
}

// PriorityPIM is EDM's matching (§3.1.2): each free destination asks for the highest priority message of a free source
// in its list, each source grants the highest priority among the requests to it, the older request port first if they
// are equal. Its demand is the lists' entries, not the argument of Iterate.
type PriorityPIM struct {
	Lists []*List // one a destination; an entry's Flow is its source

	req  requests
	keys []Entry // by destination: the entry that it asks for
}

// NewPriorityPIM returns a matcher over the lists of all destinations.
func NewPriorityPIM(lists []*List) *PriorityPIM {
	return &PriorityPIM{lists, newRequests(len(lists)), make([]Entry, len(lists))}
}

// Request is the first cycle: destinations ask. It returns whether any does.
func (p *PriorityPIM) Request(freeSources, freeDests blocks.Bits) bool {
	p.req.reset()
	for dest := freeDests.Next(0); dest >= 0; dest = freeDests.Next(dest + 1) {
		if e, ok := p.Lists[dest].Highest(freeSources); ok {
			p.keys[dest] = e
			p.req.ask(dest, int(e.Flow))
		}
	}
	return p.req.asked.Next(0) >= 0
}

// Grant is the second cycle: each source with requests chooses one. It calls f for each pair and its message; in f the
// caller changes the lists, which is the third cycle.
func (p *PriorityPIM) Grant(f func(source, dest int, e Entry)) {
	for s := p.req.asked.Next(0); s >= 0; s = p.req.asked.Next(s + 1) {
		best := p.req.of[s].Next(0)
		for dest := p.req.of[s].Next(best + 1); dest >= 0; dest = p.req.of[s].Next(dest + 1) {
			if p.keys[dest].Key < p.keys[best].Key {
				best = dest
			}
		}
		f(s, best, p.keys[best])
	}
}

// Iterate is one iteration. It leaves the lists' entries in place.
func (p *PriorityPIM) Iterate(_ Demand, m *Matching) bool {
	any := p.Request(m.freeSources, m.freeDests)
	p.Grant(func(source, dest int, _ Entry) { m.Pair(source, dest) })
	return any
}

// Match iterates until nothing is added, and returns how many iterations added something.
func Match(x Matcher, d Demand, m *Matching) int {
	n := 0
	for x.Iterate(d, m) {
		n++
	}
	return n
}

package shoal

import (
	"context"
)

// RackConfig is a slot-accurate rack.
type RackConfig struct {
	Schedule *Schedule
	Flight   int // slots from sending to receiving beyond the same slot
	Options  Options
	Failures *Failures // nil for none
	Corrupt  float64   // probability that a cell's header arrives corrupt
	Seed     uint64    // of Corrupt
	Workers  int       // goroutines that share the nodes in Run; 0 and 1: none but the caller's. The bits are the same
}

// Rack is all nodes of a rack and the fabric between them, a slot a step. The slot is the unit of time: where in its
// slot a cell is, clocks, PHYs and switches are left out, and so are payloads and CRCs. Each node runs the same Node as
// in the bit-level rack. Every slot is checked: see Broken.
type Rack struct {
	Times *fabricTimes `state:"none"` // as built
	Nodes []Node
	slot  uint64

	// The cells between nodes lie in rings by the slot in which they were sent, so that a node that works ahead disturbs
	// no reader.
	ring  uint64   // slots of a ring
	wire  []Cell   // by (slot mod ring)*channels*N + channel*N + sender
	news  []uint16 // by (slot mod ring)*N + sender: how many events it had; nil without failures
	flows []int32  // by (slot mod ring)*N + destination: its incast

	Inboxes []inbox // by destination
	Incast  []int32 // by destination: sources with messages of the first class that are not complete
	open    []uint32
	pending int
	busy    uint64 // slots until the last message was complete
	done    []Completion

	asked uint64 // slot of the last look of Stuck, or of a message offered since
	out   uint64 // cells that nodes had sent at that look

	shares   []share
	failures *failing
	noise    *noise
	broken   error
	Links    *links
}

// NewRack builds a rack at rest.
func NewRack(cfg RackConfig) (*Rack, error) {
	f, err := newFabricTimes(cfg.Schedule, cfg.Flight, cfg.Options)
	if err != nil {
		return nil, err
	}
	if err := checkPairOrder(cfg.Options, cfg.Workers); err != nil {
		return nil, err
	}
	n := cfg.Schedule.nodes
	ring := max(2, 2*cfg.Flight)
	r := &Rack{
		Times: f, Nodes: make([]Node, n), ring: uint64(ring), wire: make([]Cell, ring*f.channels*n),
		flows: make([]int32, ring*n), Inboxes: make([]inbox, n), Incast: make([]int32, n),
		open: make([]uint32, n*n*f.classes), Links: newLinks(n, f),
	}
	for i := range r.Nodes {
		r.Nodes[i].init(i, f, r.Links, i)
		r.Nodes[i].unsound = cfg.Corrupt > 0
		r.Inboxes[i] = newInbox(n, f.classes)
	}
	if r.shares, err = shareNodes(n, cfg.Workers); err != nil {
		return nil, err
	}
	if r.noise, err = newNoise(cfg.Corrupt, cfg.Seed, n); err != nil {
		return nil, err
	}
	if cfg.Failures != nil {
		if r.failures, err = newFailing(cfg.Failures, cfg.Schedule); err != nil {
			return nil, err
		}
		r.news = make([]uint16, ring*n)
		for i := range r.Nodes {
			r.Nodes[i].noteEvents()
		}
	}
	return r, nil
}

// Slot is the number of slots so far.
func (r *Rack) Slot() uint64 { return r.slot }

// Epoch is the number of slots in an epoch.
func (r *Rack) Epoch() int { return r.Times.Epoch }

// Node returns a node.
func (r *Rack) Node(i int) *Node { return &r.Nodes[i] }

// Step runs one slot.
func (r *Rack) Step() {
	for k := range r.shares {
		r.send(&r.shares[k], r.slot)
	}
	if r.Times.options.Pair != PairFIFO {
		r.learnEnds()
	}
	if flight := uint64(r.Times.flight); r.slot >= flight {
		for k := range r.shares {
			r.receive(&r.shares[k], r.slot)
		}
	}
	r.slot++
	r.collect()
}

// Run runs the given number of slots, or until the context ends.
func (r *Rack) Run(ctx context.Context, slots uint64) error {
	const together = 64 // slots until the context is looked at
	for slots > 0 {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		k := min(slots, together)
		if len(r.shares) > 1 && k > 1 {
			r.runShared(k)
		} else {
			for range k {
				r.Step()
			}
		}
		slots -= k
	}
	return r.broken
}

// Broken returns the first invariant that did not hold (§3.3.2, §3.3.3): a subflow with two cells in one queue, a queue
// longer than 1 + incast degree. It is looked at whenever a cell enters a queue. The incast is counted in the slot in
// which the cell was sent.
func (r *Rack) Broken() error { return r.broken }

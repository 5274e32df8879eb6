package shoal

import (
	"context"
	"fmt"
)

// RackConfig is a slot-accurate rack.
type RackConfig struct {
	Schedule *Schedule
	Flight   int // slots from sending to receiving beyond the same slot
	Options  Options
	Failures *Failures // nil for none
	Corrupt  float64   // probability that a cell's header arrives corrupt
	Seed     uint64    // of Corrupt
}

// Rack is all nodes of a rack and the fabric between them, a slot a step. The slot is the unit of time: where in its slot a
// cell is, clocks, PHYs and switches are left out, and so are payloads and CRCs. Each node runs the same Node as in the
// bit-level rack. Every slot is checked: see Broken.
type Rack struct {
	times *fabricTimes
	nodes []*Node
	slot  uint64
	wire  []Cell // by (slot mod flight+1)*channels*N + channel*N + sender

	incast []int32  // by destination: flows with cells that have not arrived
	open   []uint32 // by pair: cells offered so far

	messages []message
	free     int32
	head     []int32 // by pair: the first message that is not complete
	tail     []int32
	pending  int
	done     []Completion

	failures  *failing
	noise     *noise
	corrupted uint64 // cells
	broken    error
	links     *links
	fetched   uint64
}

type message struct {
	start uint64
	id    uint64
	end   uint32 // cells of the pair up to its last
	next  int32
}

// Completion is a message whose last cell has come, in order.
type Completion struct {
	ID       uint64
	From, To int
	Start    uint64 // first slot in which it could leave
	End      uint64 // slot at whose end it had arrived
}

// Slots is the completion time: from the beginning of the first slot to the end of the last.
func (c Completion) Slots() uint64 { return c.End + 1 - c.Start }

// NewRack builds a rack at rest.
func NewRack(cfg RackConfig) (*Rack, error) {
	f, err := newFabricTimes(cfg.Schedule, cfg.Flight, cfg.Options)
	if err != nil {
		return nil, err
	}
	n := cfg.Schedule.nodes
	r := &Rack{times: f, nodes: make([]*Node, n), incast: make([]int32, n), open: make([]uint32, n*n), free: -1,
		head: make([]int32, n*n), tail: make([]int32, n*n), wire: make([]Cell, (cfg.Flight+1)*f.channels*n)}
	for p := range r.head {
		r.head[p], r.tail[p] = -1, -1
	}
	all := newLinks(n, f)
	r.links = all
	for i := range r.nodes {
		r.nodes[i] = newNode(i, f, all, i)
		r.nodes[i].unsound = cfg.Corrupt > 0
	}
	if r.noise, err = newNoise(cfg.Corrupt, cfg.Seed); err != nil {
		return nil, err
	}
	if cfg.Failures != nil {
		if r.failures, err = newFailing(cfg.Failures, cfg.Schedule); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Slot is the number of slots so far.
func (r *Rack) Slot() uint64 { return r.slot }

// Epoch is the number of slots in an epoch.
func (r *Rack) Epoch() int { return r.times.epoch }

// Node returns a node.
func (r *Rack) Node(i int) *Node { return r.nodes[i] }

// Pending is the number of messages that are not complete.
func (r *Rack) Pending() int { return r.pending }

// Offer hands a node a message of 1 to 2^31 cells for another node; its first cell can leave in the coming slot. The
// identifier comes back in its Completion.
func (r *Rack) Offer(id uint64, from, to int, cells uint32) error {
	n := len(r.nodes)
	switch {
	case from < 0 || from >= n || to < 0 || to >= n || from == to:
		return fmt.Errorf("message %d from node %d to node %d, want two of 0 to %d", id, from, to, n-1)
	case cells == 0 || cells > 1<<31 || r.open[from*n+to]+cells < cells:
		return fmt.Errorf("message %d of %d cells, want 1 to 2^31, and at most 2^32 between two nodes in all", id, cells)
	}
	p := from*n + to
	if r.head[p] < 0 {
		r.incast[to]++
	}
	r.open[p] += cells
	m := message{start: r.slot, id: id, end: r.open[p], next: -1}
	at := r.free
	if at >= 0 {
		r.free = r.messages[at].next
		r.messages[at] = m
	} else {
		at = int32(len(r.messages))
		r.messages = append(r.messages, m)
	}
	if r.head[p] < 0 {
		r.head[p] = at
	} else {
		r.messages[r.tail[p]].next = at
	}
	r.tail[p] = at
	r.pending++
	r.nodes[from].Offer(to, cells, int32(r.slot/uint64(r.times.epoch)))
	return nil
}

// Step runs one slot.
func (r *Rack) Step() {
	f := r.times
	at, epoch := int(r.slot%uint64(f.epoch))*f.channels, int32(r.slot/uint64(f.epoch))
	n := len(r.nodes)
	out := r.wire[int(r.slot%uint64(f.flight+1))*f.channels*n:]
	if r.failures != nil {
		r.failures.advance(r)
	}
	r.fetchAnswers(at)
	for i, node := range r.nodes {
		for c := range f.channels {
			node.Release(at+c, epoch)
		}
		for c := range f.channels {
			out[c*n+i] = node.Transmit(at+c, epoch)
		}
	}
	if r.failures != nil {
		r.failures.silence(r, at, out)
	}
	if r.slot >= uint64(f.flight) {
		r.receive(r.slot - uint64(f.flight))
	}
	r.slot++
}

// receive hands over the cells that were sent in a slot.
func (r *Rack) receive(sent uint64) {
	f := r.times
	at, epoch := int(sent%uint64(f.epoch))*f.channels, int32(sent/uint64(f.epoch))
	n := len(r.nodes)
	in := r.wire[int(sent%uint64(f.flight+1))*f.channels*n:]
	r.fetchTargets(at, in)
	for c := range f.channels {
		from := f.schedule.from[at+c]
		for j, node := range r.nodes {
			i := from[j]
			if i == Idle {
				continue
			}
			cell := in[c*n+int(i)]
			row := int(node.rowOf[i])
			if r.failures != nil && cell != silence {
				node.hear(row, r.nodes[i].events, epoch)
			}
			if r.noise != nil && cell != silence && r.noise.hit() {
				if !cell.Dummy() {
					r.corrupted++
				}
				node.ReceiveCorrupt(row, epoch)
				continue
			}
			a := node.Receive(row, cell, epoch)
			if a.Advance > 0 {
				r.arrived(cell.Source(), j)
			}
			if a.Queued > 0 && !node.unsound {
				local := 1 // Equation 5
				if f.options.NoReady {
					local = node.outcast() // Equation 3
				}
				if in := int(r.incast[cell.Dest()]); a.Queued > local+in {
					node.fault("%d cells wait for node %d, want at most %d + %d", a.Queued, cell.Dest(), local, in)
				}
			}
			if node.broken != "" && r.broken == nil {
				r.broken = fmt.Errorf("slot %d: %s", r.slot, node.broken)
			}
		}
	}
}

// arrived completes the messages of a pair whose cells have all come.
func (r *Rack) arrived(from, to int) {
	p := from*len(r.nodes) + to
	for r.head[p] >= 0 {
		m := &r.messages[r.head[p]]
		if int32(r.nodes[to].in[from].expected-m.end) < 0 {
			return
		}
		r.done = append(r.done, Completion{ID: m.id, From: from, To: to, Start: m.start, End: r.slot})
		at := r.head[p]
		r.head[p] = m.next
		m.next, r.free = r.free, at
		r.pending--
	}
	r.tail[p] = -1
	r.incast[to]--
}

// Done returns the messages completed since the last call, in the order of completion. The slice is valid until the next Step.
func (r *Rack) Done() []Completion {
	d := r.done
	r.done = r.done[:0]
	return d
}

// Run runs the given number of slots, or until the context ends.
func (r *Rack) Run(ctx context.Context, slots uint64) error {
	for k := range slots {
		if k%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r.Step()
	}
	return r.broken
}

// Broken returns the first invariant that did not hold (§3.3.2, §3.3.3): a subflow with two cells in one queue, a queue longer than
// 1 + incast degree. It is looked at whenever a cell enters a queue.
func (r *Rack) Broken() error { return r.broken }

// Conservation fails unless every cell that was sent, or sent again, has arrived, waits in a queue, is on its way, or was lost to a
// failure or to corruption, and is counted there.
func (r *Rack) Conservation() error {
	copies, ends, queued := uint64(0), r.corrupted, uint64(0)
	for _, n := range r.nodes {
		copies += n.Counts.Sent + n.Counts.Returned + n.Counts.Again
		ends += n.Counts.Delivered + n.Counts.Duplicate + n.Counts.Lost
		counted := uint64(0)
		for row := range r.times.rows {
			counted += uint64(n.queue(row).length)
		}
		for i := range n.flows {
			queued += uint64(len(n.flows[i].again))
		}
		if counted != uint64(n.Counts.Queued) {
			return fmt.Errorf("node %d: %d cells in its queues, counted %d", n.id, counted, n.Counts.Queued)
		}
		queued += counted
	}
	flying := uint64(0)
	for k := range uint64(r.times.flight) {
		if k >= r.slot {
			break
		}
		f, n := r.times, len(r.nodes)
		at := int((r.slot-1-k)%uint64(f.flight+1)) * f.channels * n
		for _, c := range r.wire[at : at+f.channels*n] {
			if c != silence && !c.Dummy() {
				flying++
			}
		}
	}
	if r.failures != nil {
		ends += r.failures.lost
	}
	if copies != ends+queued+flying {
		return fmt.Errorf("%d cells sent or sent again, but %d have come to an end, %d wait and %d fly", copies, ends, queued, flying)
	}
	return nil
}

// fetchAnswers and fetchTargets look at the queues that the slot will need out of order, so that the processor waits for all of them
// at once and not for one after the other. Nothing else comes of it.
func (r *Rack) fetchAnswers(at int) {
	sum := uint64(0)
	n := len(r.nodes)
	for c := range r.times.channels {
		row := r.links.queues[(at+c)*n : (at+c+1)*n]
		for i := range row {
			if last := int(row[i].last); last < n {
				sum += uint64(r.links.queues[int(r.times.pair[i*n+last])*n+i].length)
			}
		}
	}
	r.fetched += sum
}

func (r *Rack) fetchTargets(at int, in []Cell) {
	sum := uint64(0)
	n := len(r.nodes)
	for c := range r.times.channels {
		to := r.times.schedule.to[at+c]
		for i, cell := range in[c*n : (c+1)*n] {
			j := int(to[i])
			if dest := cell.Dest(); j >= 0 && dest != j && !cell.Dummy() && dest < n {
				sum += uint64(r.links.queues[int(r.times.pair[j*n+dest])*n+j].length)
			}
		}
	}
	r.fetched += sum
}

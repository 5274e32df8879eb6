package shoal

import "slices"

// The rule of §3.3 once more, slow and plain: one small struct for each thing that the paper names, a list for each
// queue, and Equation 2 counted slot by slot. [Rack] and [Node] do the same with packed records, masks and bounds that
// save most of the looking. A test holds both to each other: the same header on every link in every slot, on random
// racks. Read this file to learn what a node does, and node.go, release.go and slot.go to learn how it is done fast.
//
// A slot has three steps. All nodes release cells into the queues of the slot's links, all send, and all take their
// cells:
//
//	         release                 transmit         flight      receive
//	flow k ─────────▶ R_ij ▶ Q_ij ─────────────▶ j ──────────────▶ Q_jk ──▶ k
//	         Eq. 2, 2^age   one local             ◀──────────────
//	                        cell in Q        feedback: len(Q_jk) + len(R_jk)
//
// It has one traffic class and no limit of a queue; those are Appendix C's.
type plainRack struct {
	times   *fabricTimes
	options Options
	nodes   []*plainNode
	slot    int
	blocked func(row, from, to int) bool // a failed part lets nothing through
	since   int                          // the slot from which blocked counts
	noise   *noise
	wires   []plainSlot // by slot
	done    map[uint64]int
}

// plainSlot is what went out in a slot: by channel and sender a header, and by sender the nodes that it had found dead
// by then.
type plainSlot struct {
	headers [][]Cell
	dead    [][]int
}

// plainNode is one node i.
type plainNode struct {
	id     int
	rack   *plainRack
	flows  map[int]*plainFlow // by destination k
	active []*plainFlow       // those with cells to send, in the order in which they began
	links  map[int]*plainLink // by neighbour j
	dead   []int              // neighbours that fell silent
	from   map[int]*plainIn   // by source
	counts Counts
}

// plainFlow is a node's state of one destination.
type plainFlow struct {
	dest     int
	packets  []*plainPacket
	again    []Cell // cells that came back because a link failed
	sequence uint32
	began    int // epoch
	subflows map[int]*plainSubflow
}

type plainPacket struct {
	id          uint64
	cells, left int
}

// plainSubflow is i→j→k.
type plainSubflow struct {
	out, ready bool // a cell is in Q_ij or under way, or the flow stands in R_ij
	known      bool // length is what Equation 2 goes by; if not, nothing waits at j
	length     int  // of the remote queue
	row, slot  int  // in which j sent it
}

// plainLink is i's side of the link to j: the cells that wait for j, the cells sent to it, and the next header's
// feedback.
type plainLink struct {
	neighbour int
	queue     []plainCell  // Q_ij
	ready     []*plainFlow // R_ij
	down      bool
	sent      map[int]Cell // by slot: cells without an answer yet
	last      plainLast
	cut       map[int]bool // nodes that j cannot reach
}

// plainCell is a cell in a queue.
type plainCell struct {
	cell  Cell
	again bool // it goes out once more because its first header came corrupt
}

// plainLast is what became of the cell that came last from a neighbour.
type plainLast struct {
	told    int // FeedbackNone, FeedbackMine, FeedbackCorrupt, or any other number: it went to queue
	dropped bool
	queue   *plainLink
}

// plainIn is the record of a source's cells.
type plainIn struct {
	have     map[uint32]bool
	inOrder  uint32
	messages []plainEnd
	offered  uint32
}

// plainEnd is a message, complete at a number of cells of its pair in order.
type plainEnd struct {
	id  uint64
	end uint32
}

func newPlainRack(cfg RackConfig) (*plainRack, error) {
	times, err := newFabricTimes(cfg.Schedule, cfg.Flight, cfg.Options)
	if err != nil {
		return nil, err
	}
	r := &plainRack{
		times: times, options: cfg.Options, done: map[uint64]int{}, blocked: func(int, int, int) bool { return false },
	}
	if r.noise, err = newNoise(cfg.Corrupt, cfg.Seed, times.nodes); err != nil {
		return nil, err
	}
	if f := cfg.Failures; f != nil {
		r.since, r.blocked = int(f.From), f.blocks
	}
	for i := range times.nodes {
		n := &plainNode{id: i, rack: r, flows: map[int]*plainFlow{}, links: map[int]*plainLink{}, from: map[int]*plainIn{}}
		for j := range times.nodes {
			n.links[j] = &plainLink{neighbour: j, sent: map[int]Cell{}, last: plainLast{told: FeedbackNone}, cut: map[int]bool{}}
			n.from[j] = &plainIn{have: map[uint32]bool{}}
		}
		r.nodes = append(r.nodes, n)
	}
	return r, nil
}

// blocks tells whether a cell from one node to another in a row meets something dead.
func (f *Failures) blocks(row, from, to int) bool {
	for _, i := range []int{from, to} {
		if slices.Contains(f.Nodes, i) || slices.Contains(f.Links, i) {
			return true
		}
		if f.Clos == nil {
			continue
		}
		leaf, spine := i/f.Clos.Spines, f.Clos.Spine(row, from)
		if slices.Contains(f.Leaves, leaf) || slices.Contains(f.Spines, spine) ||
			slices.Contains(f.Uplink, [2]int{leaf, spine}) {
			return true
		}
	}
	return false
}

func (r *plainRack) offer(id uint64, from, to, cells int) {
	r.nodes[from].offer(to, &plainPacket{id: id, cells: cells, left: cells}, r.slot/r.times.Epoch)
	if in := r.nodes[to].from[from]; r.options.Pair == PairFIFO {
		in.offered += uint32(cells)
		in.messages = append(in.messages, plainEnd{id, in.offered})
	}
}

// step runs one slot.
func (r *plainRack) step() {
	t := r.times
	first := r.slot % t.Epoch * t.channels // row of the first channel
	for row := first; row < first+t.channels; row++ {
		for _, n := range r.nodes {
			if j := t.Schedule.To(row, n.id); j != Idle && !n.links[j].down {
				n.release(n.links[j], row)
			}
		}
	}
	var out plainSlot
	for row := first; row < first+t.channels; row++ {
		var headers []Cell
		for _, n := range r.nodes {
			j, header := t.Schedule.To(row, n.id), silence
			if j != Idle && !n.links[j].down {
				header = n.transmit(n.links[j])
				if r.slot >= r.since && r.blocked(row, n.id, j) {
					header = silence
				}
			}
			headers = append(headers, header)
		}
		out.headers = append(out.headers, headers)
	}
	for _, n := range r.nodes {
		out.dead = append(out.dead, slices.Clone(n.dead))
	}
	r.wires = append(r.wires, out)
	if sent := r.slot - t.flight; sent >= 0 {
		for channel := range t.channels {
			for _, n := range r.nodes {
				row := sent%t.Epoch*t.channels + channel
				if i := t.Schedule.From(row, n.id); i != Idle {
					n.receive(n.links[i], row, sent, r.wires[sent].headers[channel][i], r.wires[sent].dead[i])
				}
			}
		}
	}
	r.slot++
}

// offer begins or goes on with the flow to a destination.
func (n *plainNode) offer(dest int, p *plainPacket, epoch int) {
	f := n.flows[dest]
	if f == nil {
		f = &plainFlow{dest: dest, subflows: map[int]*plainSubflow{}}
		for j := range n.links {
			f.subflows[j] = &plainSubflow{}
		}
		n.flows[dest] = f
	}
	f.packets = append(f.packets, p)
	n.begin(f, epoch)
}

// begin makes a flow active. Its age counts from now on.
func (n *plainNode) begin(f *plainFlow, epoch int) {
	if !slices.Contains(n.active, f) {
		f.began, n.active = epoch, append(n.active, f)
	}
}

// release lets cells of flows into Q_ij just before the link's slot (Equations 2, 4 and 5, and the 2^age rule).
func (n *plainNode) release(l *plainLink, row int) {
	r, o := n.rack, &n.rack.options
	queued, ready := len(l.queue), len(l.ready)
	for _, f := range slices.Clone(n.active) {
		x := f.subflows[l.neighbour]
		local := queued
		if !o.QueueAlone {
			local += ready
		}
		if x.out || x.ready || !n.allows(x, f, l, row, local) {
			continue
		}
		if age := r.slot/r.times.Epoch - f.began; !o.NoAge && age < 16 && queued > 1<<age || l.cut[f.dest] {
			continue
		}
		if o.NoReady {
			n.bind(l, f)
			queued++ // the flows after it see it
			continue
		}
		x.ready, l.ready = true, append(l.ready, f)
	}
	// one local cell is in Q at most; a flow leaves R when its cell enters Q
	for len(l.ready) > 0 && l.local() == 0 {
		f := l.ready[0]
		x := f.subflows[l.neighbour]
		if f.cells() > 0 && !n.allows(x, f, l, row, len(l.queue)) {
			return // flows before it left R without a cell
		}
		l.ready, x.ready = l.ready[1:], false
		if f.cells() > 0 {
			n.bind(l, f)
		}
	}
}

// allows is Equation 2: the cells that wait here and have drained there since are at least the cells that waited there.
func (n *plainNode) allows(x *plainSubflow, f *plainFlow, l *plainLink, row, local int) bool {
	if !x.known {
		return true
	}
	t, now := n.rack.times, n.rack.slot
	drained, came := 0, x.slot+t.flight // at whose end the feedback came
	switch {
	case n.rack.options.WholeEpochs: // of time since it came
		drained = floorDiv(now-came-1, t.Epoch)
	case n.rack.options.Counters: // which go on in the last slot of an epoch
		drained = (now+1)/t.Epoch - (came+1)/t.Epoch
	default: // the slots of the remote queue after the row of the feedback, this slot's included
		remote := t.row(l.neighbour, f.dest)
		for at := x.slot*t.channels + x.row%t.channels + 1; at < (now+1)*t.channels && local+drained < x.length; at++ {
			if at%t.Rows == remote {
				drained++
			}
		}
	}
	return local+drained >= x.length
}

// cells is how many cells a flow has that are in no queue.
func (f *plainFlow) cells() int {
	k := len(f.again)
	for _, p := range f.packets {
		k += p.left
	}
	return k
}

// bind puts a cell of a flow into Q_ij.
func (n *plainNode) bind(l *plainLink, f *plainFlow) {
	l.queue = append(l.queue, plainCell{cell: n.next(f)})
	f.subflows[l.neighbour].out = true
	n.grown(l)
	if f.cells() == 0 {
		n.active = slices.DeleteFunc(n.active, func(g *plainFlow) bool { return g == f })
	}
}

// next takes a flow's next cell: one that came back, or the next one of the packet whose turn it is.
func (n *plainNode) next(f *plainFlow) Cell {
	if k := len(f.again); k > 0 {
		c := f.again[k-1]
		f.again = f.again[:k-1]
		return c
	}
	at := 0
	if n.rack.options.Pair == PairShortest {
		for k, p := range f.packets {
			if p.left < f.packets[at].left {
				at = k
			}
		}
	}
	p := f.packets[at]
	c := NewCell(n.id, f.dest, f.sequence, p.left == p.cells, p.left == 1)
	f.sequence++
	n.counts.Sent++
	if p.left--; p.left == 0 || n.rack.options.Pair == PairTurns {
		f.packets = slices.Delete(f.packets, at, at+1)
	}
	if p.left > 0 && n.rack.options.Pair == PairTurns {
		f.packets = append(f.packets, p)
	}
	if p.left == 0 && n.rack.options.Pair != PairFIFO {
		in := n.rack.nodes[f.dest].from[n.id]
		in.messages = append(in.messages, plainEnd{p.id, f.sequence})
	}
	return c
}

// local counts the own cells in Q_ij, and apart the cells that go out once more.
func (l *plainLink) local() (k int) {
	for _, c := range l.queue {
		if !c.again && c.cell&plainForeign == 0 {
			k++
		}
	}
	return k
}

// plainForeign marks cells of other nodes in a queue: they are on their second link. The bit is one of the CRC's, which
// a cell in a queue does not have.
const plainForeign Cell = 2

func (n *plainNode) grown(l *plainLink) {
	n.counts.MaxQueue = max(n.counts.MaxQueue, uint32(len(l.queue)))
}

// transmit takes the first cell of Q_ij, or a dummy, and puts the feedback for j's last cell into the header (Equation
// 6).
func (n *plainNode) transmit(l *plainLink) Cell {
	c := dummy(n.id)
	if len(l.queue) > 0 {
		c = l.queue[0].cell
		l.queue = l.queue[1:]
	}
	l.sent[n.rack.slot] = c
	last := l.last
	l.last = plainLast{told: FeedbackNone}
	told := last.told
	if q := last.queue; q != nil {
		told = len(q.queue) + len(q.ready)
		if n.rack.options.LessOne {
			told = max(told+q.local()-1, 0)
		}
		told = min(told, FeedbackMax)
	}
	c = c.bare().withFeedback(told)
	if last.dropped {
		c = c.withDropped()
	}
	return c
}

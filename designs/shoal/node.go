package shoal

import "math"

// Options choose among readings of the paper and switch parts of Shoal off.
type Options struct {
	WholeEpochs bool // Equation 2 counts whole epochs since the feedback came, instead of the drains of the remote queue
	NoReady     bool // no ready queues: Equation 1 instead of 4 to 6
	NoAge       bool // new flows use all links at once, without the 2^age rule
	QueueAlone  bool // Equation 2 takes Q_ij for the local queue, without R_ij
	LessOne     bool // Equation 6 to the letter: one less than len(Q) + len(R), whether or not a local cell is in both
	Classes     int  // traffic classes (Appendix C), the first of the highest priority; 0: one
	Limit       int  // cells of other nodes that a queue has room for, so that further ones are dropped; 0: no limit. A local one has its own place
}

// Node is the congestion control of one node (§3.3.2, §3.3.3) with its queues: the boxes between MAC and memory in Figure 6. A slot has
// three steps: all nodes Release, then all Transmit, then all Receive. A cell that comes in one slot can leave in the next. The
// slot-accurate and the bit-level rack run the same Node.
//
// The names are the paper's. A subflow i→j→k goes from this node i by neighbour j to destination k. A subflow has at most one cell in the source's
// Q_ij and one in the intermediate's Q_jk.
type Node struct {
	id    int
	times *fabricTimes `state:"none"` // as built

	links *links
	place int // in links

	active []uint16 // flows with cells to send
	flows  []outFlow
	due    []int32 // by flow*rows + row: the least epoch, less len(Q), in which Equation 2 allows the next cell
	flowOf []int32 // by class*N + destination, -1 for none
	spill  spill
	next   []uint16 // by flow*rows + row: the flow after it in R
	free   []uint16
	swept  int32 // epoch in which idle flows were looked for last

	sequence []uint32 // by class*N + destination without a flow: of the next cell
	packets  packetStore
	inOf     []uint16 // by class*N + source: its place in in, noFlow for none
	in       []inFlow
	bitmaps  [][]uint64 // for incoming flows yet to come

	cut    []uint64 // by row*N + destination: the neighbour cannot reach the destination any more
	events []uint16 // nodes that cannot be reached any more, in the order in which they failed
	heard  []uint16 // by row: events of the neighbour that are known here

	broken  string // the first invariant that did not hold
	unsound bool   // cells are sent again, so that one may be in a queue twice

	Counts Counts
}

// Counts are what a node has counted since the start.
type Counts struct {
	Sent      uint64             // own cells put into a queue, retransmissions not counted
	Delivered uint64             // cells for this node, each once
	Duplicate uint64             // cells for this node that had come before
	Lost      uint64             // cells that were discarded here
	Tail      [maxClasses]uint64 // of them, by class, because the queue was full
	Again     uint64             // cells sent again after corruption
	Returned  uint64             // own cells that went out, and were taken back to go by another link
	Queued    uint32             // cells in all queues
	MaxQueue  uint32             // most cells in one queue
	MaxQueued uint32             // most cells in all queues
	Ahead     uint32             // most cells that a cell came ahead of its place
}

// outFlow has everything that this node sends to one destination.
type outFlow struct {
	dest     uint16
	place    uint16 // in active
	class    uint8
	used     bool
	inReady  uint16 // ready queues it is in
	waiting  uint16 // cells whose feedback is to come
	unsent   uint32 // cells that are in no queue yet
	sequence uint32 // of the next cell
	started  int32  // epoch
	lastDue  int32  // the largest of its subflows: from then on none has a cell in a remote queue
	packets  packetQueue
	again    []Cell // cells that a failure has given back
}

// States of a subflow that stand in place of an epoch in Node.due.
const (
	dueFeedback = math.MaxInt32 // a cell is in Q, on its way, or its feedback is
	dueReady    = 1 << 30       // added to the epoch: in R
)

// links has the queues of one node, or of a whole rack. Those of one row lie side by side, because a slot needs them together. A lane is
// class*rows + row, so that the first class has those of the rows. What a queue's record tells of the link stands in the first class's.
type links struct {
	stride int          // nodes
	queues []cellQueue  // by lane*stride + place
	waits  []uint8      // by lane*stride + place: cells and flows that wait, at most waitsMore
	ready  []readyQueue // by lane*stride + place
	sent   []Cell       // by (entry of the row's ring)*stride + place: cells whose feedback is to come
}

func newLinks(nodes int, f *fabricTimes) *links {
	k := f.lanes * nodes
	return &links{stride: nodes, queues: make([]cellQueue, k), waits: make([]uint8, k), ready: make([]readyQueue, k), sent: make([]Cell, f.outs*nodes)}
}

// at is where the node's record of a lane lies in its links.
func (n *Node) at(lane int) int { return lane*n.links.stride + n.place }

// link returns the queue of a lane.
func (n *Node) link(lane int) *cellQueue { return &n.links.queues[n.at(lane)] }

// waitsMore stands in links.waits for more than a byte holds.
const waitsMore = 255

// note brings links.waits up to date after a queue has changed. Feedback asks for queues out of order (Equation 6): a byte for each stays in a
// processor's cache, where the records do not.
func (n *Node) note(at int) {
	l := &n.links.queues[at].level
	n.links.waits[at] = uint8(min(int(l.length)+int(l.ready), waitsMore))
}

// backlog is len(Q) + len(R) of a queue.
func (n *Node) backlog(at int) int {
	if k := n.links.waits[at]; k < waitsMore {
		return int(k)
	}
	l := &n.links.queues[at].level
	return int(l.length) + int(l.ready)
}

// neighbour is the node that a row sends to.
func (n *Node) neighbour(row int) int { return n.times.schedule.To(row, n.id) }

// sentIn is the place of the cell that a row sent in an epoch.
func (n *Node) sentIn(row int, epoch int32) *Cell {
	r := &n.times.rings[row]
	return &n.links.sent[(r.first+int(epoch&r.mask))*n.links.stride+n.place]
}

// rowTo is the row in which this node sends to another.
func (n *Node) rowTo(dest int) int { return n.times.row(n.id, dest) }

func newNode(id int, f *fabricTimes, l *links, place int) *Node {
	n := new(Node)
	n.init(id, f, l, place)
	return n
}

func (n *Node) init(id int, f *fabricTimes, l *links, place int) {
	nodes := f.nodes
	*n = Node{id: id, times: f, links: l, place: place,
		flowOf: make([]int32, nodes*f.classes), sequence: make([]uint32, nodes*f.classes), inOf: make([]uint16, nodes*f.classes)}
	n.spill.free = -1
	n.packets.free = -1
	for k := range n.flowOf {
		n.flowOf[k], n.inOf[k] = -1, noFlow
	}
	for r := range f.rows {
		q := n.link(r)
		for class := range f.classes {
			*n.link(class*f.rows + r) = cellQueue{last: lastNone}
		}
		j := n.neighbour(r)
		if j == Idle {
			q.none = true
			continue
		}
		q.lag = uint16(f.lag(r, id, j))
	}
	for r := range f.rows {
		for e := range f.rings[r].mask + 1 {
			*n.sentIn(r, e) = dummy(id)
		}
	}
}

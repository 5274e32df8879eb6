package shoal

import "math"

// Options choose among readings of the paper and switch parts of Shoal off.
type Options struct {
	// Equation 2 counts whole epochs since the feedback came, instead of the drains of the remote queue
	WholeEpochs bool
	Counters    bool // Equation 2 takes the difference of epoch counters, which go on in an epoch's last slot
	NoReady     bool // no ready queues: Equation 1 instead of 4 to 6
	NoAge       bool // new flows use all links at once, without the 2^age rule
	QueueAlone  bool // Equation 2 takes Q_ij for the local queue, without R_ij
	// Equation 6 to the letter: one less than len(Q) + len(R), whether or not a local cell is in both
	LessOne bool
	Classes int       // traffic classes (Appendix C), the first of the highest priority; 0: one
	Pair    PairOrder // of messages of one pair
	// cells of other nodes that a queue has room for, so that further ones are dropped; 0: no limit. A local one has its
	// own place
	Limit int
}

// Node is the congestion control of one node (§3.3.2, §3.3.3) with its queues: the boxes between MAC and memory in
// Figure 6. A slot has three steps: all nodes Release, then all Transmit, then all Receive. A cell that comes in one
// slot can leave in the next. The slot-accurate and the bit-level rack run the same Node.
//
// The names are the paper's. A subflow i→j→k goes from this node i by neighbour j to destination k. A subflow has at
// most one cell in the source's Q_ij and one in the intermediate's Q_jk.
type Node struct {
	ID    int
	Times *fabricTimes `state:"none"` // as built

	links *links
	place int // in links

	// What most slots need lies side by side.
	Broken  string   // the first invariant that did not hold
	unsound bool     // cells are sent again, so that one may be in a queue twice
	active  []uint16 // flows with cells to send
	flows   []outFlow
	due     []int32  // by flow*rows + row: the least epoch, less len(Q), in which Equation 2 allows the next cell
	cut     []uint64 // by row*N + destination: the neighbour cannot reach the destination any more
	Counts  Counts
	events  []uint16 // the first failed of them: nodes that cannot be reached any more, in the order of their failures
	inOf    []uint16 // by class*N + source: its place in in, noFlow for none
	in      []inFlow

	bitmaps  [][]uint64 // for incoming flows yet to come
	flowOf   []int32    // by class*N + destination, -1 for none
	next     []uint16   // by flow*rows + row: the flow after it in R
	free     []uint16
	swept    int32    // epoch in which idle flows were looked for last
	sequence []uint32 // by class*N + destination without a flow: of the next cell
	packets  packetStore
	ended    []endedPacket // since the rack last looked; none if Options.Pair is PairFIFO
	known    []uint16      // by row: events of the neighbour that are known here
	failed   int           // rows that have failed

	_ [32]byte // all nodes begin at the beginning of a line of a cache
}

// Counts are what a node has counted since the start.
type Counts struct {
	Sent      uint64             // own cells put into a queue, retransmissions not counted
	Delivered uint64             // cells for this node, each once
	Forwarded uint64             // cells of others put into a queue
	MaxQueue  uint32             // most cells in one queue
	MaxQueued uint32             // most cells in all queues
	Ahead     uint32             // most cells that a cell came ahead of its place
	Duplicate uint64             // cells for this node that had come before
	Lost      uint64             // cells that were discarded here
	Tail      [MaxClasses]uint64 // of them, by class, because the queue was full
	Again     uint64             // cells sent again after corruption
	Returned  uint64             // own cells that went out, and were taken back to go by another link
}

// outFlow has everything that this node sends to one destination.
type outFlow struct {
	header   Cell // of its cells, without differing fields; the feedback's field has the number of the flow
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

// links has the queues of one node, or of a whole rack. A row's counters lie side by side, because a slot needs them
// together. A lane is class*rows + row, so that the first class has the rows' own numbers. What a queue's record tells
// of the link stands in the first class's.
type links struct {
	first  int          // node at place 0
	stride int          // nodes
	Queues []cellQueue  // by lane*stride + place
	heard  []lastHeard  // by row*stride + place
	waits  []uint8      // by last*stride + place: what feedback tells after a cell with this lastHeard.last
	ready  []readyQueue // by lane*stride + place
	sent   []Cell       // by (entry of the row's ring)*stride + place: cells whose feedback is to come
	begun  []uint32     // by place: how often a flow of the node has begun, or begun again
	queued []uint32     // by place: cells in all queues
	spills []spill      // by place
}

func newLinks(nodes int, f *fabricTimes) *links {
	k := f.lanes * nodes
	l := &links{
		stride: nodes,
		Queues: make([]cellQueue, k),
		heard:  make([]lastHeard, f.Rows*nodes),
		waits:  make([]uint8, k+lastRows*nodes),
		ready:  make([]readyQueue, k),
		sent:   make([]Cell, f.outs*nodes),
		begun:  make([]uint32, nodes),
		queued: make([]uint32, nodes),
		spills: make([]spill, nodes),
	}
	for at := range lastRows * nodes {
		l.waits[at] = uint8(waitsCodes + at/nodes)
	}
	for i := range l.spills {
		l.spills[i].free = -1
	}
	return l
}

// at is where the node's record of a lane lies in its links.
func (n *Node) at(lane int) int { return lane*n.links.stride + n.place }

// Link returns the queue of a lane.
func (n *Node) Link(lane int) *cellQueue { return &n.links.Queues[n.at(lane)] }

// Bytes of links.waits. Below waitsMore they are len(Q) + len(R) of a queue; it stands for all larger sums. From
// waitsCodes on they are the codes that stand for no queue in lastHeard.last.
const (
	waitsCodes = 256 - lastRows
	waitsMore  = waitsCodes - 1
)

// feedbackOf has what a header tells of each byte of links.waits but waitsMore.
var feedbackOf = func() (bits [256]Cell) {
	for k := range waitsMore {
		bits[k] = Cell(0).withFeedback(k)
	}
	bits[waitsCodes+lastNone] = Cell(0).withFeedback(FeedbackNone)
	bits[waitsCodes+lastMine] = Cell(0).withFeedback(FeedbackMine)
	bits[waitsCodes+lastCorrupt] = Cell(0).withFeedback(FeedbackCorrupt).withDropped()
	bits[waitsCodes+lastDropped] = Cell(0).withFeedback(FeedbackMine).withDropped()
	return bits
}()

// note brings links.waits up to date after a queue has changed. Feedback asks for queues out of order (Equation 6): a
// byte for each stays in a processor's cache, where the records do not.
func (l *links) note(at int, q *cellQueue) { l.waits[at+lastRows*l.stride] = q.waits() }

// waits is the byte that stands for a queue in links.waits.
func (q *cellQueue) waits() uint8 {
	return uint8(min(uint32(q.Level.Length)+uint32(q.Level.ready), waitsMore))
}

// backlog is len(Q) + len(R) of a queue.
func (l *links) backlog(at int) int {
	if k := l.waits[at+lastRows*l.stride]; k < waitsMore {
		return int(k)
	}
	v := &l.Queues[at].Level
	return int(v.Length) + int(v.ready)
}

// heard returns the record of the cells that come from the neighbour of a row.
func (n *Node) heard(row int) *lastHeard { return &n.links.heard[row*n.links.stride+n.place] }

// neighbour is the node that a row sends to.
func (n *Node) neighbour(row int) int { return n.Times.Schedule.To(row, n.ID) }

// sentIn is the cell that a row sent in an epoch.
func (n *Node) sentIn(row int, epoch int32) *Cell {
	return &n.links.sent[n.Times.sentAt(row, epoch)*n.links.stride+n.place]
}

// RowTo is the row in which this node sends to another.
func (n *Node) RowTo(dest int) int { return n.Times.row(n.ID, dest) }

func newNode(id int, f *fabricTimes, l *links, place int) *Node {
	n := new(Node)
	n.init(id, f, l, place)
	return n
}

func (n *Node) init(id int, f *fabricTimes, l *links, place int) {
	nodes := f.nodes
	*n = Node{ID: id, Times: f, links: l, place: place,
		flowOf: make([]int32, nodes*f.classes), sequence: make([]uint32, nodes*f.classes),
		inOf: make([]uint16, nodes*f.classes)}
	l.first = id - place
	n.packets.free = -1
	for k := range n.flowOf {
		n.flowOf[k], n.inOf[k] = -1, noFlow
	}
	for r := range f.Rows {
		q := n.Link(r)
		for class := range f.classes {
			*n.Link(class*f.Rows + r) = cellQueue{}
		}
		j := n.neighbour(r)
		if j == Idle {
			q.none = true
			continue
		}
		n.heard(r).lag = uint16(f.lag(r, id, j))
	}
	for r := range f.Rows {
		for e := range f.rings[r].mask + 1 {
			*n.sentIn(r, e) = dummy(id)
		}
	}
}

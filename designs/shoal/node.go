package shoal

import (
	"fmt"
	"math"
	"math/bits"
)

// Options choose among readings of the paper and switch parts of Shoal off.
type Options struct {
	WholeEpochs bool // Equation 2 counts whole epochs since the feedback came, instead of the drains of the remote queue
	NoReady     bool // no ready queues: Equation 1 instead of 4 to 6
	NoAge       bool // new flows use all links at once, without the 2^age rule
	LessOne     bool // Equation 6 to the letter: one less than len(Q) + len(R), whether or not a local cell is in both
}

// fabricTimes is what all nodes of a rack know: the schedule, and how long a cell flies.
type fabricTimes struct {
	schedule *Schedule
	pair     []uint16 // by sender*N + receiver: the row
	rows     int
	epoch    int // slots
	channels int
	flight   int // a cell sent in slot t is received at the end of slot t + flight
	depth    int // cells to a neighbour whose feedback may be out, a power of two
	options  Options
}

func newFabricTimes(s *Schedule, flight int, o Options) (*fabricTimes, error) {
	if flight < 0 || flight > 1<<16 {
		return nil, fmt.Errorf("a flight of %d slots, want 0 to %d", flight, 1<<16)
	}
	pair, err := s.pairRows()
	if err != nil {
		return nil, err
	}
	f := &fabricTimes{schedule: s, pair: pair, rows: s.Rows(), epoch: s.Epoch(), channels: s.Channels(), flight: flight, options: o}
	// from a cell to its feedback it is two flights and an epoch at most
	f.depth = 1 << bits.Len(uint(2*flight/f.epoch+1))
	return f, nil
}

// Node is the congestion control of one node (§3.3.2, §3.3.3) with its queues: what is between MAC and memory in Figure 6. Slots go
// in three steps: all nodes Release, then Transmit, then Receive; a cell that came in one slot can leave in the next. The
// slot-accurate and the bit-level rack run the same Node.
//
// The paper's names: a subflow is i→j→k, from here by neighbour j to destination k. A subflow has at most one cell in the source's
// Q_ij and one in the intermediate's Q_jk.
type Node struct {
	id    int
	times *fabricTimes

	links *links
	place int // in links
	spill spill
	rowOf []uint16 // by neighbour

	flows  []outFlow
	due    []int32  // by flow*rows + row: the least epoch, less len(Q), in which Equation 2 allows the next cell
	next   []uint16 // by flow*rows + row: the flow after it in R
	flowOf []int32  // by destination, -1 for none
	active []uint16 // flows with cells to send
	free   []uint16
	swept  int32 // epoch in which idle flows were looked for last

	sequence []uint32 // by destination: of the next cell
	packets  packetStore
	in       []inFlow // by source
	bitmaps  [][]uint64

	cut    []uint64 // by row*N + destination: the neighbour cannot reach the destination any more
	events []downEvent
	heard  []uint16 // by row: events of the neighbour that are known here

	broken  string // the first invariant that did not hold
	unsound bool   // cells are sent again, so that one may be in a queue twice

	Counts Counts
}

// Counts are of one node since the start.
type Counts struct {
	Sent      uint64 // own cells put into a queue, retransmissions not counted
	Delivered uint64 // cells for this node, each once
	Duplicate uint64 // cells for this node that had come before
	Lost      uint64 // cells that were discarded here
	Again     uint64 // cells sent again after corruption
	Returned  uint64 // own cells that went out, and were taken back to go by another link
	Queued    uint32 // cells in all queues
	MaxQueue  uint32 // most cells in one queue
	MaxQueued uint32 // most cells in all queues
	Ahead     uint32 // most cells that a cell came ahead of its place
}

// outFlow is all that this node sends to one destination.
type outFlow struct {
	dest    uint16
	place   uint16 // in active
	used    bool
	inReady uint16 // ready queues it is in
	waiting uint16 // cells whose feedback is to come
	unsent  uint32 // cells that are in no queue yet
	started int32  // epoch
	lastDue int32  // the largest of its subflows: from then on none has a cell in a remote queue
	packets packetQueue
	again   []Cell // cells that a failure has given back
}

// States of a subflow that stand in place of an epoch in Node.due.
const (
	dueFeedback = math.MaxInt32     // a cell is in Q, on its way, or its feedback is
	dueReady    = math.MaxInt32 - 1 // in R
)

type downEvent struct {
	dest  uint16
	epoch int32
}

// links has the queues of one node, or of a whole rack: side by side by row, as a slot needs them.
type links struct {
	stride int         // nodes
	queues []cellQueue // by row*stride + place
	sent   []Cell      // by (row*stride + place)*depth + epoch%depth: cells whose feedback is to come
}

func newLinks(nodes int, f *fabricTimes) *links {
	return &links{stride: nodes, queues: make([]cellQueue, f.rows*nodes), sent: make([]Cell, f.rows*nodes*f.depth)}
}

// queue is the link to the node that a row sends to.
func (n *Node) queue(row int) *cellQueue { return &n.links.queues[row*n.links.stride+n.place] }

// sentIn is the place of the cell that a row sent in an epoch.
func (n *Node) sentIn(row int, epoch int32) *Cell {
	return &n.links.sent[(row*n.links.stride+n.place)*n.times.depth+int(epoch)&(n.times.depth-1)]
}

func newNode(id int, f *fabricTimes, l *links, place int) *Node {
	nodes := f.schedule.nodes
	n := &Node{id: id, times: f, links: l, place: place, rowOf: f.pair[id*nodes : (id+1)*nodes],
		flowOf: make([]int32, nodes), sequence: make([]uint32, nodes), in: make([]inFlow, nodes)}
	n.spill.free = -1
	n.packets.free = -1
	for k := range n.flowOf {
		n.flowOf[k] = -1
	}
	for r := range f.rows {
		q := n.queue(r)
		*q = cellQueue{more: -1, moreEnd: -1, last: lastNone, neighbour: noRow}
		j := f.schedule.To(r, id)
		if j == Idle {
			continue
		}
		q.neighbour, q.back = uint16(j), f.pair[j*nodes+id]
		// the neighbour's header of slot t tells of the latest cell that had come before t: sent at t - 1 - flight or earlier
		to, back := r/f.channels, int(q.back)/f.channels
		q.lag = uint16(-floorDiv(back-1-f.flight-to, f.epoch))
	}
	for r := range f.rows {
		for e := range f.depth {
			*n.sentIn(r, int32(e)) = dummy(id)
		}
	}
	return n
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && a < 0 {
		q--
	}
	return q
}

package shoal

import (
	"fmt"
	"math/bits"

	"github.com/goldwire/goldwire/rtl"
)

// Cycles of the NIC's routing and congestion control (§4.2).
const (
	nicTxCycles = 4
	nicRxCycles = 5
)

// Delivery is a cell that has reached its destination.
type Delivery struct {
	From     int
	Class    int
	Sequence uint32
	Cycle    uint64 // of the NIC, after which its packet memory had it
}

// NIC stands between the host and the MAC (Fig. 6). On transmit it lets cells into their queues, takes the slot's cell
// and its feedback, seals the header, and fetches the payload: 4 cycles from the decision to the MAC. On receive it
// checks the header, settles the feedback, and stores the cell: 5 cycles from the MAC's verdict. The decisions are
// Node's, in one cycle each; the other cycles are registers.
//
// NIC is the part that does not depend on how a node knows its slots. Two modules embed it and add that: startedNIC
// counts its slots from the bootstrap signal, syncedNIC follows the node's TimePort. Both have the same ports, so that
// a rack's waves have the same signals.
//
// A cell of another node waits in the place of its flow: the invariant of §3.3.2, one cell of a subflow, makes that a
// memory without allocation.
type NIC struct {
	Out          rtl.Out[CellWord]
	BootstrapOut rtl.Out[bool]

	In          rtl.In[CellWord]
	Check       rtl.In[FrameCheck]
	BootstrapIn rtl.In[bool]
	Slots       rtl.In[SlotTime] // of a synchronised rack
	Notice      rtl.In[TimeNotice]
	Unreachable rtl.Out[uint16] // by node

	Node  *Node
	words int    // of a cell, header included
	slot  int    // cycles
	next  uint64 // the slot that is decided next
	epoch int32  // in which a packet that the host sends now comes

	cycle   uint64
	header  Cell
	payload []uint64
	wait    int // cycles until the decided cell's first word, 0 for none
	word    int // of the cell that goes out next, words when none does

	got   []uint64 // words of the cell that comes
	count int

	memory  []uint64   // by (class*N + source)*N + destination: the payload of a cell that is to be forwarded
	Host    [][]uint64 // by class*N + destination
	Arrived [][]uint64 // by class*N + source
	Log     []Cell     // every header sent, by slot; nil: not kept
	Deliver []Delivery
	Taken   uint64 // cells and silences

	Frames            uint64 // sent, dummies too
	Intact            uint64 // frames that came whole, dummies too
	cellsOut, cellsIn uint64 // dummies apart

	Misrouted uint64 // intact cells from another node than the slot's
	Damaged   uint64 // frames or headers that were wrong
}

// incoming is a cell on its way from the MAC.
type incoming struct {
	header Cell
	good   bool
	valid  bool
	slot   uint64
}

func newNIC(node *Node, words, guard int, keepLog bool) NIC {
	nodes, classes := node.Times.Schedule.nodes, node.Times.classes
	n := NIC{
		Node: node, words: words, slot: words + macWords + guard, word: words, got: make([]uint64, words),
		payload: make([]uint64, words-1),
		memory:  make([]uint64, classes*nodes*nodes*(words-1)), Host: make([][]uint64, classes*nodes),
		Arrived: make([][]uint64, classes*nodes),
	}
	if keepLog {
		n.Log = make([]Cell, 0, 4096)
	}
	return n
}

// Send gives the host's packet to the NIC: it is cut into cells, the last one filled up with zeros.
func (n *NIC) Send(dest int, packet []uint64) error { return n.SendClass(dest, 0, packet) }

// SendClass gives the NIC a packet of a traffic class (Appendix C).
func (n *NIC) SendClass(dest, class int, packet []uint64) error {
	if class < 0 || class >= n.Node.Times.classes {
		return fmt.Errorf("a packet of class %d, want one of 0 to %d", class, n.Node.Times.classes-1)
	}
	if dest < 0 || dest >= n.Node.Times.Schedule.nodes || dest == n.Node.ID || len(packet) == 0 {
		return fmt.Errorf("a packet of %d words from node %d to node %d", len(packet), n.Node.ID, dest)
	}
	cells := (len(packet) + n.words - 2) / (n.words - 1)
	host := &n.Host[n.Node.Times.pairOf(class, dest)]
	*host = append(*host, packet...)
	*host = append(*host, make([]uint64, cells*(n.words-1)-len(packet))...)
	n.Node.OfferClass(dest, class, uint32(cells), n.epoch)
	return nil
}

// countDown counts the cycles from a decision to the cell's first word.
func (n *NIC) countDown() {
	if n.wait > 0 {
		if n.wait--; n.wait == 0 {
			n.word = 0
		}
	}
}

// emit gives the MAC the next word of a cell.
func (n *NIC) emit() {
	w := CellWord{}
	if n.word < n.words {
		w = CellWord{First: n.word == 0, Last: n.word == n.words-1, Valid: true}
		if n.word == 0 {
			w.Data = bits.ReverseBytes64(uint64(n.header.Seal())) // the header's first byte is its highest
		} else {
			w.Data = n.payload[n.word-1]
		}
		n.word++
	}
	n.Out.Set(w)
}

// decide releases and takes the cell of the next slot.
func (n *NIC) decide() {
	slot := n.next
	t := n.Node.Times
	row, epoch := int(slot%uint64(t.Epoch)), int32(slot/uint64(t.Epoch))
	n.Node.Release(row, epoch)
	c := n.Node.Transmit(row, epoch)
	if n.Log != nil {
		n.Log = append(n.Log, c)
	}
	if c == silence {
		return
	}
	n.header, n.wait = c, nicTxCycles-1
	n.Frames++
	if !c.Dummy() {
		n.cellsOut++
	}
	at, from := 0, n.memory
	switch {
	case c.Dummy():
		clear(n.payload)
		return
	case c.Source() == n.Node.ID:
		at, from = int(c.Sequence()&t.sequence)*(n.words-1), n.Host[t.pairOf(t.classOf(c), c.Dest())]
	default:
		at = n.place(c)
	}
	copy(n.payload, from[at:at+n.words-1])
}

// gather takes a word of the cell that comes.
func (n *NIC) gather() {
	if w := n.In.Get(); w.Valid {
		if w.First {
			n.count = 0
		}
		if n.count < n.words {
			n.got[n.count] = w.Data
			n.count++
		}
	}
}

// take hands a cell to congestion control, and stores its payload.
func (n *NIC) take(in incoming, payload []uint64) {
	n.Taken++
	t := n.Node.Times
	row := int(in.slot % uint64(t.Epoch))
	from := t.Schedule.From(row, n.Node.ID)
	if from == Idle {
		return
	}
	epoch := int32(in.slot / uint64(t.Epoch))
	if in.header == silence {
		n.Node.Receive(row, silence, epoch)
		return
	}
	if !in.good || !in.header.Intact() {
		n.Damaged++
		n.Node.ReceiveCorrupt(row, in.header, epoch)
		return
	}
	n.Intact++
	c := in.header &^ (1<<CRCBits - 1)
	came := n.Node.Receive(row, c, epoch)
	switch {
	case c.Dummy():
		if c.Source() != from {
			n.Misrouted++
		}
	case c.Dest() == n.Node.ID:
		at := int(c.Sequence()&t.sequence) * (n.words - 1)
		arrived := &n.Arrived[t.pairOf(t.classOf(c), c.Source())]
		for len(*arrived) < at+n.words-1 {
			*arrived = append(*arrived, 0)
		}
		copy((*arrived)[at:], payload)
		n.Deliver = append(n.Deliver, Delivery{c.Source(), t.classOf(c), c.Sequence() & t.sequence, n.cycle})
	default:
		if c.Source() != from {
			n.Misrouted++
			return
		}
		if came.Queued == 0 { // dropped: its place may be an earlier one's
			return
		}
		copy(n.memory[n.place(c):][:n.words-1], payload)
	}
}

// place is where the payload of another node's cell lies in memory.
func (n *NIC) place(c Cell) int {
	t := n.Node.Times
	return (t.pairOf(t.classOf(c), c.Source())*t.Schedule.nodes + c.Dest()) * (n.words - 1)
}
